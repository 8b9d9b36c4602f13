//! The disk, the terminal, interrupts, the end.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use choros::base::{SourceError, SourceMap, Sources, nearest};
use choros::report::{
    ExitStatus, Report, Style, diagnostics_text, to_html, to_json, to_junit, to_text,
};
use choros::{Progress, Project};

use crate::options::Format;
use crate::waiting::Waiting;

/// Where a run meets the world.
pub(crate) struct Shell {
    disk: Disk,
    format: Format,
    /// How standard output is drawn.
    pub(crate) style: Style,
    error_style: Style,
    /// Becomes true on an interrupt or at the deadline.
    pub(crate) cancel: Arc<AtomicBool>,
    /// Becomes true at the deadline.
    expired: Arc<AtomicBool>,
    /// What the run is doing.
    pub(crate) progress: Progress,
    /// Says so on the terminal, until the report is written.
    waiting: RefCell<Option<Waiting>>,
}

impl Shell {
    pub(crate) fn new(format: Format, timeout: Option<u64>) -> Shell {
        let cancel = Arc::new(AtomicBool::new(false));
        let flag = cancel.clone();
        // The second interrupt ends the process: whoever insists must get away.
        let handler = move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(ExitStatus::Interrupted.code()));
            }
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            complain(&format!("note: interrupts end the run at once: {error}"));
        }
        let expired = Arc::new(AtomicBool::new(false));
        if let Some(seconds) = timeout {
            let flag = cancel.clone();
            let expiry = expired.clone();
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_secs(seconds));
                expiry.store(true, Ordering::Relaxed);
                flag.store(true, Ordering::Relaxed);
            });
        }
        let progress = Progress::default();
        Shell {
            disk: Disk,
            format,
            style: style_of(io::stdout().is_terminal()),
            error_style: style_of(io::stderr().is_terminal()),
            cancel,
            expired,
            waiting: RefCell::new(Some(Waiting::new(progress.clone()))),
            progress,
        }
    }

    /// Whether the run was stopped by a limit that the user set, which is no interrupt.
    fn has_expired(&self) -> bool {
        self.expired.load(Ordering::Relaxed)
    }

    /// A project that reads the disk.
    pub(crate) fn project(&self) -> Project<'_> {
        Project::new(&self.disk)
    }

    /// Prints to standard output; a reader that went away is no error.
    pub(crate) fn print(&self, text: &str) {
        self.waiting.take();
        let mut out = io::stdout().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }

    /// The report as it ends: a run that its own time limit stopped was not interrupted, it knows no more.
    fn settled<'r>(&self, report: &'r Report) -> Cow<'r, Report> {
        if !report.interrupted || !self.has_expired() {
            return Cow::Borrowed(report);
        }
        let mut report = report.clone();
        report.interrupted = false;
        let note = "the time was up (raise it with --timeout)";
        report.semantics.notes.push(note.to_owned());
        Cow::Owned(report)
    }

    /// Writes the report where it belongs and says how it went.
    pub(crate) fn finish(&self, report: &Report, sources: &SourceMap) -> ExitCode {
        self.waiting.take();
        let report = &*self.settled(report);
        if self.format == Format::Text || !report.diagnostics.is_empty() {
            let text = diagnostics_text(&report.diagnostics, sources, &self.error_style);
            complain(text.trim_end_matches('\n'));
        }
        match self.format {
            Format::Json => self.print(&to_json(report, sources)),
            Format::Junit => self.print(&to_junit(report, sources)),
            Format::Html => self.print(&to_html(report, sources)),
            Format::Text => self.print(&to_text(report, sources, &self.style)),
        }
        if let Some(failure) = &report.world_failed {
            complain(&format!("error: {failure}"));
        }
        ExitCode::from(ExitStatus::of(report).code())
    }

    /// Writes the report to standard error, where standard output has been given to something else.
    pub(crate) fn finish_aside(&self, report: &Report, sources: &SourceMap) -> ExitCode {
        self.waiting.take();
        let report = &*self.settled(report);
        complain(diagnostics_text(&report.diagnostics, sources, &self.error_style).trim_end());
        let text = match self.format {
            Format::Json => to_json(report, sources),
            Format::Junit => to_junit(report, sources),
            Format::Html => to_html(report, sources),
            Format::Text => to_text(report, sources, &self.error_style),
        };
        complain(text.trim_end());
        if let Some(failure) = &report.world_failed {
            complain(&format!("error: {failure}"));
        }
        ExitCode::from(ExitStatus::of(report).code())
    }

    /// Reports a slip on the command line.
    pub(crate) fn usage_error(&self, message: &str) -> ExitCode {
        complain(&format!("error: {message}"));
        ExitCode::from(ExitStatus::BadInput.code())
    }

    /// Writes a file under a temporary name first, so that no half-written file looks whole.
    ///
    /// A file that is there keeps its permissions, and a link to one stays a link.
    pub(crate) fn write_file(&self, path: &Path, text: &str) -> io::Result<()> {
        let target = std::fs::canonicalize(path);
        let path = target.as_deref().unwrap_or(path);
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
}

/// Files on the disk.
struct Disk;

impl Sources for Disk {
    fn read(&self, path: &str) -> Result<Arc<str>, SourceError> {
        let failed = |reason: String| SourceError {
            path: path.to_owned(),
            reason,
        };
        let bytes = std::fs::read(path).map_err(|error| {
            let similar = match error.kind() {
                io::ErrorKind::NotFound => similar_file(Path::new(path)),
                _ => None,
            };
            failed(match similar {
                Some(name) => format!("{error}; there is `{name}`"),
                None if Path::new(path).is_dir() => {
                    "it is a folder; name the files in it".to_owned()
                }
                None => error.to_string(),
            })
        })?;
        // Offsets in spans are 32 bits wide.
        if bytes.len() >= u32::MAX as usize {
            return Err(failed("it is larger than 4 GiB".to_owned()));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(text.into()),
            Err(error) => Err(failed(format!(
                "it is no text in UTF-8: the byte at offset {} is no part of a character",
                error.utf8_error().valid_up_to()
            ))),
        }
    }
}

/// The file in the same folder whose name is most like that of a file that is not there.
fn similar_file(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    let name = nearest(wanted, names.iter().map(String::as_str))?;
    Some(path.with_file_name(name).display().to_string())
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
