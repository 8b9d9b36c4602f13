//! A log in a file, also where the file is cut or replaced while it grows.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::time::{Duration, Instant, SystemTime};

use choros_base::{CodeInfo, Diagnostic};

use crate::crew::is_worth_a_thread;
use crate::diagnostics::renewed_log;
use crate::log::outlier::Outliers;
use crate::log::{LogFormat, LogOptions, LogPosition, LogReader, NextRecord, open_log};

/// Which file, and how it is read.
#[derive(Debug, Clone)]
pub struct SourceSpec {
    /// The file.
    pub path: String,
    /// How it is read.
    pub options: LogOptions,
    /// Where an earlier run stopped.
    pub from: FileProgress,
}

/// How far a file was read, and how it began: another file may have its name by now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileProgress {
    /// How far.
    pub position: LogPosition,
    /// A number made from its first bytes; none where that is not known.
    pub beginning: Option<u64>,
}

/// What happened to a file while no one looked, or while it was followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renewal {
    /// Another file has its name; the old one was read to its end.
    Replaced,
    /// It became shorter than what was read of it.
    Shortened,
    /// It was cut and had grown again by the time that someone looked.
    Rewritten,
    /// It is not the file that an earlier run has read.
    Another,
}

/// A log in a file that is being read.
pub struct FileSource {
    /// The file.
    pub path: String,
    pub reader: LogReader,
    /// The clocks that wrote its times.
    pub(super) outliers: Outliers,
    /// Where the first record begins that is kept because of its time.
    pub(super) kept_from: Option<LogPosition>,
    options: LogOptions,
    /// The file once more, to look at it without moving the reader.
    file: File,
    leaving: Leaving,
    /// How it looked when it was last read to its end.
    seen: Option<Seen>,
}

/// How a file looked.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen {
    length: u64,
    modified: Option<SystemTime>,
    /// How it began, as far as it had been read, and how far that was.
    beginning: u64,
    read: u64,
}

/// Whether another file has got the name of this one.
enum Leaving {
    No,
    /// Since then, and nothing more was read.
    Since(Instant),
    /// What comes after its last line break was read too.
    Closed,
}

/// The writer of a file that was renamed needs a moment to notice.
const QUIET: Duration = Duration::from_millis(500);
/// This many bytes of its beginning tell a file from others.
const BEGINNING: u64 = 1024;

impl FileSource {
    /// Opens a log where an earlier run stopped; a file that is another one is read from its beginning.
    pub fn open(spec: SourceSpec) -> io::Result<(FileSource, Option<Renewal>)> {
        let mut file = File::open(&spec.path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "it is a folder",
            ));
        }
        let from = spec.from.position;
        let is_packed = metadata.is_file() && unpacked(&spec.path, &spec.options)?.is_some();
        let is_another = metadata.is_file()
            && (metadata.len() < from.bytes && !is_packed
                || spec
                    .from
                    .beginning
                    .is_some_and(|known| beginning(&mut file, from.bytes).ok() != Some(known)));
        let (from, renewal) = if is_another {
            (LogPosition::default(), Some(Renewal::Another))
        } else {
            (from, None)
        };
        let reader = reader(&spec.path, spec.options.clone(), from)?;
        let source = FileSource {
            path: spec.path,
            reader,
            outliers: Outliers::default(),
            kept_from: None,
            options: spec.options,
            file,
            leaving: Leaving::No,
            seen: None,
        };
        Ok((source, renewal))
    }

    /// Whose log it is, where that was said.
    pub(super) fn service(&self) -> Option<&str> {
        self.options.service.as_deref()
    }

    /// How far it was read.
    pub fn reached(&mut self) -> FileProgress {
        let position = self.kept_from.unwrap_or_else(|| self.reader.position());
        let is_file = self.file.metadata().is_ok_and(|it| it.is_file());
        let beginning = if is_file {
            beginning(&mut self.file, position.bytes).ok()
        } else {
            None
        };
        FileProgress {
            position,
            beginning,
        }
    }

    /// Looks whether the file was cut and has grown again since it was last read to its end; then it is read from its
    /// beginning, and not from the middle of something else.
    pub(super) fn rewritten(&mut self) -> io::Result<Option<Renewal>> {
        let Some(seen) = self.seen else {
            return Ok(None);
        };
        let now = self.file.metadata()?;
        let is_touched = now.len() != seen.length || now.modified().ok() != seen.modified;
        if !is_touched || beginning(&mut self.file, seen.read)? == seen.beginning {
            return Ok(None);
        }
        let is_shorter = now.len() < seen.read;
        self.restart()?;
        Ok(Some(if is_shorter {
            Renewal::Shortened
        } else {
            Renewal::Rewritten
        }))
    }

    /// Remembers how the file looks, now that it was read to its end.
    fn look(&mut self) -> io::Result<()> {
        let now = self.file.metadata()?;
        let read = self.reader.position().bytes;
        let same = |seen: &Seen| {
            seen.length == now.len() && seen.modified == now.modified().ok() && seen.read == read
        };
        if now.is_file() && !self.seen.as_ref().is_some_and(same) {
            self.seen = Some(Seen {
                length: now.len(),
                modified: now.modified().ok(),
                beginning: beginning(&mut self.file, read)?,
                read,
            });
        }
        Ok(())
    }

    /// Looks whether the file was cut or another one has its name, after it was read to its end.
    pub(super) fn renew(&mut self, has_read: bool) -> io::Result<Option<Renewal>> {
        // A file that was moved away may be missing for a moment.
        let Ok(named) = fs::metadata(&self.path) else {
            return Ok(None);
        };
        if !named.is_file() {
            return Ok(None);
        }
        let own = self.file.metadata()?;
        if is_same(&own, &named) {
            if own.len() >= self.reader.position().bytes {
                self.look()?;
                return Ok(None);
            }
            self.restart()?;
            return Ok(Some(Renewal::Shortened));
        }
        match self.leaving {
            Leaving::Since(since) if !has_read && since.elapsed() >= QUIET => {
                self.reader.close();
                self.leaving = Leaving::Closed;
                Ok(None)
            }
            Leaving::Since(_) if !has_read => Ok(None),
            Leaving::Closed => {
                self.restart()?;
                Ok(Some(Renewal::Replaced))
            }
            Leaving::No | Leaving::Since(_) => {
                self.leaving = Leaving::Since(Instant::now());
                Ok(None)
            }
        }
    }

    fn restart(&mut self) -> io::Result<()> {
        self.file = File::open(&self.path)?;
        self.reader = reader(&self.path, self.options.clone(), LogPosition::default())?;
        self.kept_from = None;
        self.leaving = Leaving::No;
        self.seen = None;
        Ok(())
    }
}

impl Renewal {
    /// The code under which it is reported; none where nothing was missed.
    pub fn code(self) -> Option<&'static CodeInfo> {
        match self {
            Renewal::Replaced => None,
            Renewal::Shortened | Renewal::Rewritten | Renewal::Another => Some(&renewed_log::CODE),
        }
    }

    /// The finding about a log.
    pub fn diagnostic(self, log: &str) -> Option<Diagnostic> {
        let what = match self {
            Renewal::Replaced => return None,
            Renewal::Shortened => "became shorter than what was read of it",
            Renewal::Rewritten => "was truncated and rewritten between two reads",
            Renewal::Another => "is not the file that was read before",
        };
        let message = format!("`{log}` {what}; it is read from its beginning");
        Some(Diagnostic::without_place(&renewed_log::CODE, message))
    }
}

fn reader(path: &str, options: LogOptions, from: LogPosition) -> io::Result<LogReader> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    let mut input: Box<dyn Read + Send> = Box::new(file.try_clone()?);
    let mut reads_ahead = false;
    if metadata.is_file() {
        reads_ahead = !options.grows && is_worth_a_thread(metadata.len());
        match unpacked(path, &options)? {
            Some(opened) => input = opened,
            None if options.format == LogFormat::JsonLines => {
                file.seek(SeekFrom::Start(from.bytes))?;
                let options = LogOptions {
                    reads_ahead,
                    ..options
                };
                return Ok(LogReader::new(input, options).from(from));
            }
            None => {}
        }
    }
    // The meaning of a record depends on what stands before it: read up to it.
    let options = LogOptions {
        reads_ahead,
        ..options
    };
    let mut reader = LogReader::new(input, options);
    while reader.position().bytes < from.bytes {
        if matches!(reader.next(), NextRecord::End | NextRecord::Failed(_)) {
            break;
        }
    }
    Ok(reader)
}

/// What is in a file that is compressed, or whose records are in those of another log; none in others.
fn unpacked(path: &str, options: &LogOptions) -> io::Result<Option<Box<dyn Read + Send>>> {
    let opened = open_log(path, Some(options.format))?.filter(|it| it.is_packed);
    if opened.is_some() && options.grows {
        let what = "it is compressed or wrapped in another log, and such a log cannot be followed";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    Ok(opened.map(|it| it.input))
}

/// A number made from the first bytes of a file, no further than it was read (FNV-1a, which never changes).
fn beginning(file: &mut File, read: u64) -> io::Result<u64> {
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    file.take(read.min(BEGINNING)).read_to_end(&mut bytes)?;
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    Ok(bytes.iter().fold(0xcbf2_9ce4_8422_2325, step))
}

#[cfg(unix)]
fn is_same(left: &Metadata, right: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (left.dev(), left.ino()) == (right.dev(), right.ino())
}

/// Without numbers of files, a new one is noticed when it is shorter.
#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    true
}
