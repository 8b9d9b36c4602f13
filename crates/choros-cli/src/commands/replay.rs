//! `choros replay`

use std::io::{self, BufRead, IsTerminal};
use std::process::ExitCode;

use choros::report::{Frame, Report, replay_frames, replay_text};
use choros::verbs;
use clap::Args;

use crate::options::Format;
use crate::shell::Shell;

/// What happened, step by step? Goes through the evidence of a saved report
///
/// On a terminal, Enter shows the next step, b the one before, q ends. Otherwise all steps are printed. Every report
/// that was saved with `--format json` can be replayed, whatever the verb.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros check online-shopping.schora --format json > report.json
  choros replay report.json
  choros draw report.json#shop -o evidence.svg      the same as a picture")]
pub(crate) struct Replay {
    /// The report, as `--format json` writes it
    #[arg(value_name = "REPORT")]
    file: String,
}

impl Replay {
    pub(crate) fn run(self) -> ExitCode {
        let shell = Shell::new(Format::Text, None);
        let mut project = shell.project();
        let saved = match verbs::replay(&mut project, &self.file) {
            Ok(saved) => saved,
            Err(diagnostics) => {
                let report = Report {
                    verb: "replay",
                    diagnostics,
                    ..Report::default()
                };
                return shell.finish(&report, &project.sources);
            }
        };
        let frames = replay_frames(&saved, &shell.style);
        if frames.is_empty() {
            let verb = &saved.verb;
            shell.print(&format!(
                "the report of `choros {verb}` holds no evidence\n"
            ));
            return ExitCode::SUCCESS;
        }
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            step_through(&shell, &frames);
        } else {
            shell.print(&replay_text(&saved, &shell.style));
        }
        ExitCode::SUCCESS
    }
}

fn step_through(shell: &Shell, frames: &[Frame]) {
    let mut lines = io::stdin().lock().lines();
    let mut place = 0;
    loop {
        let frame = &frames[place];
        let more = match place + 1 == frames.len() {
            true => "end; b back, q or Enter quit",
            false => "Enter next, b back, q quit",
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
