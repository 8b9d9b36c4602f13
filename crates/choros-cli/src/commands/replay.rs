//! `choros replay`

use std::io::{self, BufRead, IsTerminal};

use choros::report::{ExitStatus, ReplayFrame, Report, replay_frames, replay_text};
use choros::{Request, verbs};
use clap::Args;

use crate::applicability::{Parts, Uses};
use crate::caller::Caller;
use crate::format::Format;
use crate::options::Shared;
use crate::shell::Shell;

/// What happened, step by step? Walks through the evidence of a saved report
///
/// On a terminal, Enter shows the next step, b the previous one, q quits. Otherwise all steps are printed. Any report
/// saved with `--format json` can be replayed.
///
/// Conversations in a report of `drive` are judged again without the service, against their own model or another one.
/// If a verdict differs from the recorded one because the model has changed, the report says so.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros check online-shopping.schora --format json > report.json
  choros replay report.json
  choros draw report.json#shop -o evidence.svg      the same as a picture
  choros drive loan.bpel --record run.json          conversations with a service, recorded;
  choros replay run.json                            judged again, without the service,
  choros replay run.json --model loan2.bpel         and against another model

Exit code: 0; 4 where the report holds no evidence; where conversations are judged again, that of
their verdicts: 1 fails, 4 inconclusive.")]
pub(crate) struct Replay {
    /// The report, as `--format json` writes it
    #[arg(value_name = "REPORT")]
    file: String,
    /// Judges the conversations of a report of `drive` against this model instead of their own
    #[arg(long, value_name = "FILE[#NAME]")]
    model: Option<String>,
    /// Only shows the evidence; judges nothing
    #[arg(long)]
    no_judge: bool,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "replay",
    models: &[],
    parts: Parts::AsTheVerbSays,
    always: &["file", "model", "no_judge", "parameters"],
    some: &[],
};

impl Replay {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let settings = self.shared.settings(&shell);
        let mut workspace = shell.workspace();
        let saved = match verbs::replay(&mut workspace, &self.file) {
            Ok(saved) => saved,
            Err(diagnostics) => {
                let report = Report {
                    verb: "replay",
                    diagnostics,
                    ..Report::default()
                };
                return shell.finish(&report, &workspace.sources);
            }
        };
        let is_text = self.shared.format == Format::Text;
        let judges = if saved.driving.is_some() {
            !(self.no_judge && is_text)
        } else {
            // Who asks for what only conversations can answer is told that there are none.
            self.model.is_some() || !is_text
        };
        let judged = judges.then(|| {
            let model = self.model.as_deref().map(|it| Request::parse(it, None));
            let (workspace, model) = (&mut workspace, model.as_ref());
            let judged = verbs::judge(workspace, &self.file, &saved, model, &settings);
            judged.report(&workspace.terms)
        });
        if let Some(report) = &judged
            && !is_text
        {
            return shell.finish(report, &workspace.sources);
        }
        let frames = replay_frames(&saved, &shell.style);
        if frames.is_empty() && judged.is_none() {
            let verb = &saved.verb;
            shell.print(&format!(
                "the report of `choros {verb}` holds no evidence\n"
            ));
            return ExitStatus::Unknown;
        }
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            step_through(&shell, &frames);
        } else {
            shell.print(&replay_text(&saved, &shell.style));
        }
        match judged {
            Some(report) => shell.finish(&report, &workspace.sources),
            None => ExitStatus::Success,
        }
    }
}

fn step_through(shell: &Shell, frames: &[ReplayFrame]) {
    let mut lines = io::stdin().lock().lines();
    let mut place = 0;
    loop {
        let frame = &frames[place];
        let more = if place + 1 == frames.len() {
            "end; b back, q or Enter quit"
        } else {
            "Enter next, b back, q quit"
        };
        // Clears the screen, so that the chart grows in place.
        shell.print(&format!(
            "\x1b[2J\x1b[H{}\n\n{}\n[{} of {}: {more}] ",
            frame.title,
            frame.text,
            place + 1,
            frames.len()
        ));
        let Some(Ok(answer)) = lines.next() else {
            return;
        };
        match answer.trim() {
            "q" | "quit" => return,
            "b" | "back" => place = place.saturating_sub(1),
            _ if place + 1 == frames.len() => return,
            _ => place += 1,
        }
    }
}
