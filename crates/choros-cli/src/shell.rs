//! The disk, the terminal, interrupts, the end.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use choros::base::{Diagnostic, SourceMap, Sources};
use choros::report::{
    Block, ExitStatus, NamedResult, Report, SavedCertificate, Style, VerdictKind, diagnostics_text,
    to_html, to_json, to_junit, to_sarif, to_text,
};
use choros::{Disk, Events, NO_CERTIFICATE, Secrets, Stop, Workspace, capped};

use crate::caller::{Caller, Program};
use crate::format::Format;
use crate::listener::Listener;
use crate::progress::SharedProgress;
use crate::signals::on_signal;
use crate::waiting::Waiting;
use crate::watchdog::{Allowance, Cause, LEAST_MEMORY, MEMORY, Watchdog};

/// Where a run meets the world.
pub(crate) struct Shell {
    sources: Box<dyn Sources>,
    /// The program that takes the answer, if it is one.
    program: Option<Program>,
    format: Format,
    /// How standard output is drawn.
    pub(crate) style: Style,
    error_style: Style,
    /// Becomes true on an interrupt or at the deadline.
    pub(crate) cancel: Arc<AtomicBool>,
    /// What must not be shown.
    pub(crate) secrets: Secrets,
    /// Ends the run where it does not end by itself.
    watchdog: Watchdog,
    /// Is told what happens.
    pub(crate) events: Events,
    /// A page that hears of it instead of a terminal.
    listener: Option<Listener>,
    /// Draws it on the terminal, until the report is written.
    waiting: RefCell<Option<Waiting>>,
}

impl Shell {
    /// For verbs that end by themselves.
    pub(crate) fn plain(caller: &Caller) -> Shell {
        Shell::new(Format::Text, Limits::default(), caller)
    }

    pub(crate) fn new(format: Format, limits: Limits, caller: &Caller) -> Shell {
        match caller {
            Caller::Terminal { verb } => Shell::at_terminal(format, limits, verb),
            Caller::Program(program) => Shell::of_program(format, limits, program),
        }
    }

    /// The process belongs to the program: signals are its own, and nothing here ends it.
    fn of_program(format: Format, limits: Limits, program: &Program) -> Shell {
        let watchdog = Watchdog::default();
        watchdog.watch(limits.allowance(None), program.cancel.clone(), |_| {});
        Shell {
            sources: (program.sources)(limits.includes),
            program: Some(program.clone()),
            format,
            style: Style::PLAIN,
            error_style: Style::PLAIN,
            cancel: program.cancel.clone(),
            secrets: program.secrets.clone(),
            watchdog,
            waiting: RefCell::new(None),
            events: program.events.clone(),
            listener: None,
        }
    }

    fn at_terminal(format: Format, limits: Limits, verb: &'static str) -> Shell {
        let cancel = Arc::new(AtomicBool::new(false));
        let watchdog = Watchdog::default();
        let (flag, dog) = (cancel.clone(), watchdog.clone());
        // The second interrupt ends the process: a user who insists must get away.
        let handler = move || {
            dog.note(Cause::Interrupt);
            if flag.swap(true, Ordering::Relaxed) && dog.cause() == Some(Cause::Interrupt) {
                choros::leave(ExitStatus::Interrupted.code());
            }
        };
        if let Err(error) = on_signal(handler) {
            complain(&format!("note: interrupts end the run at once: {error}"));
        }
        let progress = SharedProgress::default();
        let secrets = Secrets::default();
        let listener = Listener::from_environment(&secrets, &cancel, &watchdog);
        let events = progress.events(listener.clone(), {
            let secrets = secrets.clone();
            move |line| complain(&secrets.masked(line))
        });
        let style = style_of(io::stdout().is_terminal());
        let allowance = limits.allowance(Some(GRACE));
        watchdog.watch(allowance, cancel.clone(), {
            let (progress, listener) = (progress.clone(), listener.clone());
            move |cause| {
                let known = std::mem::take(&mut *progress.lock());
                let sources = known.sources;
                let report = unfinished(verb, cause, &known.doing, allowance, known.report);
                if let Some(listener) = &listener {
                    listener.finished(&report, &sources);
                    choros::leave(ExitStatus::of(&report).code());
                }
                let shown = capped(&report.diagnostics, SHOWN_FINDINGS);
                complain(diagnostics_text(&shown, &sources, &Style::PLAIN).trim_end());
                let text = render(&report, &sources, format, &style);
                let code = match write_out(&text) {
                    Ok(()) => ExitStatus::of(&report).code(),
                    Err(failure) => {
                        complain(&format!("error: {failure}"));
                        ExitStatus::World.code()
                    }
                };
                choros::leave(code);
            }
        });
        Shell {
            sources: Box::new(Disk::new(limits.includes)),
            program: None,
            format,
            style,
            error_style: style_of(io::stderr().is_terminal()),
            cancel,
            secrets,
            watchdog,
            waiting: RefCell::new(Some(Waiting::new(
                progress,
                events.clone(),
                listener.clone(),
            ))),
            events,
            listener,
        }
    }

    /// A workspace that reads the disk, or what the program has in its place.
    pub(crate) fn workspace(&self) -> Workspace<'_> {
        Workspace::new(&*self.sources)
    }

    /// Prints to standard output; a reader that went away is not an error, and a full disk ends the run.
    pub(crate) fn print(&self, text: &str) {
        self.waiting.take();
        if let Some(listener) = &self.listener {
            return listener.printed(text);
        }
        if let Some(program) = &self.program {
            program.say(&self.secrets.masked(text));
            return;
        }
        if let Err(failure) = write_out(&self.secrets.masked(text)) {
            complain(&format!("error: {failure}"));
            choros::leave(ExitStatus::World.code());
        }
    }

    /// Prints to standard error, without secrets.
    pub(crate) fn complain(&self, text: &str) {
        match &self.program {
            Some(program) if !text.is_empty() => {
                program.say(&format!("{}\n", self.secrets.masked(text)));
            }
            Some(_) => {}
            None => complain(&self.secrets.masked(text)),
        }
    }

    /// How a run ends that has this answer.
    fn end(&self, report: &Report, sources: &SourceMap) -> ExitStatus {
        if let Some(failure) = &report.world_failed {
            self.complain(&format!("error: {failure}"));
        }
        if let Some(program) = &self.program {
            program.answer(report, sources);
        }
        status(report)
    }

    /// The last word is ours, unless the watchdog has it: then it ends the process.
    fn claim(&self) {
        if !self.watchdog.claim() {
            loop {
                std::thread::park();
            }
        }
    }

    /// The report as it ends: a run that a limit of its own stopped was not interrupted, it knows no more.
    fn settled<'r>(&self, report: &'r Report) -> Cow<'r, Report> {
        let mut report = Cow::Borrowed(report);
        if self.format != Format::Text && report.diagnostics.len() > LISTED_FINDINGS {
            let listed = capped(&report.diagnostics, LISTED_FINDINGS);
            report.to_mut().diagnostics = listed;
        }
        let note = match self.watchdog.cause() {
            Some(Cause::Time) => "the time limit was reached (raise it with --timeout)",
            Some(Cause::Memory) => "the memory limit was reached (raise it with --max-memory)",
            Some(Cause::Interrupt) => {
                let is_unknown = |outcome: &NamedResult| {
                    let answer = outcome.answer.as_ref();
                    answer.is_some_and(|answer| answer.word == VerdictKind::Unknown)
                };
                if !report.interrupted && report.outcomes.iter().any(is_unknown) {
                    report.to_mut().interrupted = true;
                }
                return report;
            }
            None => return report,
        };
        if report.interrupted {
            let settled = report.to_mut();
            settled.interrupted = false;
            let is_yes = settled.answer().is_some_and(|answer| {
                matches!(answer.word, VerdictKind::Holds | VerdictKind::Conditional)
            });
            let is_green = matches!(
                ExitStatus::of(settled),
                ExitStatus::Success | ExitStatus::Conditional
            );
            // What was not examined is not known, and a part of a yes is not a yes.
            if is_green && (is_yes || settled.outcomes.is_empty()) {
                let name = settled.verb.to_owned();
                let reason = note.to_owned();
                Stop::Cut { name, reason }.show(settled);
            } else {
                settled.semantics.notes.push(note.to_owned());
            }
        }
        report
    }

    /// The report as it is written, or how the run went where a page has taken it.
    fn last_word<'r>(
        &self,
        report: &'r Report,
        sources: &SourceMap,
    ) -> Result<Cow<'r, Report>, ExitStatus> {
        self.waiting.take();
        self.claim();
        let report = self.settled(report);
        if let Some(listener) = &self.listener {
            listener.finished(&report, sources);
            return Err(ExitStatus::of(&report));
        }
        Ok(report)
    }

    /// Writes the report where it belongs and says how it went.
    pub(crate) fn finish(&self, report: &Report, sources: &SourceMap) -> ExitStatus {
        let report = match self.last_word(report, sources) {
            Ok(report) => report,
            Err(status) => return status,
        };
        if self.format == Format::Text || !report.diagnostics.is_empty() {
            let shown = capped(&report.diagnostics, SHOWN_FINDINGS);
            let text = diagnostics_text(&shown, sources, &self.error_style);
            self.complain(text.trim_end_matches('\n'));
        }
        self.print(&render(&report, sources, self.format, &self.style));
        self.end(&report, sources)
    }

    /// Writes the report to standard error, where standard output has been given to something else.
    pub(crate) fn finish_aside(&self, report: &Report, sources: &SourceMap) -> ExitStatus {
        let report = match self.last_word(report, sources) {
            Ok(report) => report,
            Err(status) => return status,
        };
        let shown = capped(&report.diagnostics, SHOWN_FINDINGS);
        self.complain(diagnostics_text(&shown, sources, &self.error_style).trim_end());
        let text = render(&report, sources, self.format, &self.error_style);
        self.complain(text.trim_end());
        self.end(&report, sources)
    }

    /// Reports a slip on the command line.
    pub(crate) fn usage_error(&self, message: &str) -> ExitStatus {
        self.complain(&format!("error: {message}"));
        ExitStatus::BadInput
    }

    /// Writes the scripts for solvers that a report holds to a file, and takes them out of the report.
    pub(crate) fn write_scripts(&self, path: &Path, report: &mut Report) {
        for outcome in &mut report.outcomes {
            let is_script =
                |block: &mut Block| matches!(block, Block::Picture { format: "smt2", .. });
            let scripts: Vec<Block> = outcome.blocks.extract_if(.., is_script).collect();
            for script in scripts {
                if let Block::Picture { text, .. } = script
                    && let Err(error) = self.write_file(path, &text)
                {
                    let failure = format!("cannot write `{}`: {error}", path.display());
                    report.world_failed = Some(failure);
                }
            }
        }
    }

    /// Writes a file that belongs to a report; a failure is part of the report.
    pub(crate) fn write_beside(&self, path: &Path, text: &str, report: &mut Report) {
        if let Err(error) = self.write_file(path, text) {
            let failure = format!("cannot write `{}`: {error}", path.display());
            report.world_failed = Some(failure);
        }
    }

    /// Writes a certificate, or says in the report why there is none.
    pub(crate) fn write_certificate(
        &self,
        path: &Path,
        certificate: Result<SavedCertificate, Option<Box<Diagnostic>>>,
        report: &mut Report,
    ) {
        match certificate {
            Ok(certificate) => self.write_beside(path, &certificate.to_json(), report),
            Err(found) => report.diagnostics.extend(found.map(|it| *it)),
        }
    }

    /// Writes a file under a temporary name first, so that no half-written file looks whole.
    ///
    /// A file that is there keeps its permissions, and a link to one stays a link.
    pub(crate) fn write_file(&self, path: &Path, text: &str) -> io::Result<()> {
        write_atomically(path, &self.secrets.masked(text))
    }
}

/// How a run went: where a certificate was asked for and could not be written, a yes is not all that was asked.
fn status(report: &Report) -> ExitStatus {
    let is_without = |it: &Diagnostic| it.code.code == NO_CERTIFICATE.code;
    match ExitStatus::of(report) {
        ExitStatus::Success | ExitStatus::Conditional
            if report.diagnostics.iter().any(is_without) =>
        {
            ExitStatus::Unknown
        }
        status => status,
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        if self.program.is_some() {
            // The run is over, the process is not: no one has to watch it.
            self.watchdog.claim();
        }
    }
}

/// This many findings of one file are shown to people, and this many to programs.
const SHOWN_FINDINGS: usize = 100;
const LISTED_FINDINGS: usize = 1_000;

/// What a run may use and read, as far as the user said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Limits {
    /// Seconds.
    pub(crate) timeout: Option<u64>,
    /// Bytes of memory.
    pub(crate) memory: Option<u64>,
    /// Folders that models may refer to.
    pub(crate) includes: Vec<PathBuf>,
}

impl Limits {
    fn allowance(&self, grace: Option<Duration>) -> Allowance {
        Allowance {
            timeout: self.timeout,
            memory: self.memory.unwrap_or(MEMORY).max(LEAST_MEMORY),
            grace,
        }
    }
}

/// How long engines have to stop by themselves, so that every run ends within a second, gigabytes given back included.
const GRACE: Duration = Duration::from_millis(500);

/// The report of a run that did not come to its own end: what was found, and that the rest is not known.
fn unfinished(
    verb: &'static str,
    cause: Cause,
    doing: &str,
    allowance: Allowance,
    found: Report,
) -> Report {
    let doing = match doing {
        "" => String::new(),
        doing => format!(" while {doing}"),
    };
    let reason = match cause {
        Cause::Time => format!("the time limit was reached{doing} (raise it with --timeout)"),
        Cause::Memory => format!(
            "more than {} MB of memory in use{doing} (raise the limit with --max-memory)",
            allowance.memory / 1_000_000
        ),
        Cause::Interrupt => format!("the run was stopped{doing}"),
    };
    let mut report = Report {
        verb,
        interrupted: cause == Cause::Interrupt,
        ..found
    };
    if !report.outcomes.is_empty() {
        let count = report.outcomes.len();
        let what = if count == 1 {
            "answer was"
        } else {
            "answers were"
        };
        let note = format!("this report is partial: {count} {what} found before the run ended");
        report.semantics.notes.push(note);
    }
    let name = verb.to_owned();
    Stop::Cut { name, reason }.show(&mut report);
    report
}

fn render(report: &Report, sources: &SourceMap, format: Format, style: &Style) -> String {
    match format {
        Format::Json => to_json(report, sources),
        Format::Junit => to_junit(report, sources),
        Format::Sarif => to_sarif(report, sources),
        Format::Html => to_html(report, sources),
        Format::Text => to_text(report, sources, style),
    }
}

/// Writes to standard output; a reader that went away is not an error.
pub(crate) fn write_out(text: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write to standard output: {error}"))
        }
        _ => Ok(()),
    }
}

/// Colour and Unicode on a terminal, neither elsewhere; `NO_COLOR` turns colours off.
fn style_of(terminal: bool) -> Style {
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let columns = std::env::var("COLUMNS")
        .ok()
        .and_then(|text| text.parse().ok());
    let width = columns.or_else(|| {
        let (width, _) = terminal_size::terminal_size()?;
        Some(usize::from(width.0))
    });
    Style {
        colour: terminal && !no_colour,
        unicode: terminal,
        width: width.unwrap_or(Style::PLAIN.width).max(40),
    }
}

/// Prints to standard error, which may be gone as well.
pub(crate) fn complain(text: &str) {
    if !text.is_empty() {
        let _ = writeln!(io::stderr().lock(), "{text}");
    }
}

/// Writes a file under a temporary name first.
pub(crate) fn write_atomically(path: &Path, text: &str) -> io::Result<()> {
    let target = std::fs::canonicalize(path);
    let path = target.as_deref().unwrap_or(path);
    // A device or a pipe is written to; it must not be replaced by a file.
    if std::fs::metadata(path).is_ok_and(|known| !known.is_file() && !known.is_dir()) {
        let mut place = std::fs::OpenOptions::new().write(true).open(path)?;
        return place
            .write_all(text.as_bytes())
            .and_then(|()| place.flush());
    }
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = Path::new(&name);
    let written = std::fs::write(temporary, text)
        .and_then(|()| match std::fs::metadata(path) {
            Ok(known) => std::fs::set_permissions(temporary, known.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| std::fs::rename(temporary, path));
    if written.is_err() {
        let _ = std::fs::remove_file(temporary);
    }
    written
}
