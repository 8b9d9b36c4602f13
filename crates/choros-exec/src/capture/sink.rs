//! Where lines go: a file, and a monitor that listens.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::recorder::LineSink;
use crate::log::LogFormat;

/// Lines that wait for a listener; more than these are lost, and counted.
const WAITING: usize = 65_536;
/// How long a listener may take to accept a line.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long it may take to accept what waits at the end.
const LAST_LINES: Duration = Duration::from_millis(300);

/// A log file.
pub(crate) struct FileSink {
    file: File,
    format: LogFormat,
}

impl FileSink {
    /// Opens a new file, or with `append` one that may be there.
    ///
    /// `owner` is the service whose log it is, which a PACT log says first.
    pub(crate) fn open(
        path: &Path,
        format: LogFormat,
        append: bool,
        owner: &str,
    ) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        if append {
            options.append(true).create(true)
        } else {
            options.write(true).create_new(true)
        };
        // What services say to each other is no one else's business.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        if append && !ends_with_line(path).unwrap_or(true) {
            // A process that was killed while writing left half a line; the next one must not hang on to it.
            file.write_all(b"\n")?;
        }
        if format == LogFormat::Pact && file.metadata()?.len() == 0 {
            writeln!(file, "{owner}")?;
        }
        Ok(Self { file, format })
    }
}

/// Whether a file is empty or ends with a whole line.
fn ends_with_line(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    if !file.metadata()?.is_file() || file.metadata()?.len() == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

impl LineSink for FileSink {
    fn take(&mut self, line: &dyn Fn(LogFormat) -> String) -> io::Result<()> {
        // One write per message: a reader of the growing file sees whole lines, and a kill loses none.
        self.file.write_all(line(self.format).as_bytes())
    }
}

/// A listener on the network; lines are JSON Lines.
pub(super) struct LiveSink {
    lines: Option<SyncSender<String>>,
    thread: Option<JoinHandle<()>>,
    ending: Arc<AtomicBool>,
}

impl LiveSink {
    /// Connects in the background, so that the proxy neither waits for a listener nor fails without one.
    pub(super) fn connect(address: String, lost: Arc<AtomicU64>) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(WAITING);
        let ending = Arc::new(AtomicBool::new(false));
        let told = ending.clone();
        let thread = std::thread::Builder::new()
            .name("capture-live".to_owned())
            .spawn(move || deliver(&address, &receiver, &told, &lost))?;
        Ok(Self {
            lines: Some(sender),
            thread: Some(thread),
            ending,
        })
    }
}

impl LineSink for LiveSink {
    fn take(&mut self, line: &dyn Fn(LogFormat) -> String) -> io::Result<()> {
        let Some(lines) = &self.lines else {
            return Ok(());
        };
        match lines.try_send(line(LogFormat::JsonLines)) {
            Ok(()) => Ok(()),
            // Traffic does not wait for those who watch it.
            Err(TrySendError::Full(_)) => Err(io::Error::other("the listener is too slow")),
            Err(TrySendError::Disconnected(_)) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

impl Drop for LiveSink {
    fn drop(&mut self) {
        self.ending.store(true, Ordering::Release);
        self.lines = None;
        let Some(thread) = self.thread.take() else {
            return;
        };
        // A listener that is stuck in the middle of a line holds the thread longer; it ends with the process.
        let until = Instant::now() + 2 * LAST_LINES;
        while !thread.is_finished() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        if thread.is_finished() {
            let _ = thread.join();
        }
    }
}

fn deliver(address: &str, lines: &Receiver<String>, ending: &AtomicBool, lost: &AtomicU64) {
    let mut open: Option<TcpStream> = None;
    let mut deadline: Option<Instant> = None;
    loop {
        let line = match lines.recv_timeout(Duration::from_millis(100)) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        loop {
            if ending.load(Ordering::Acquire) {
                let until = *deadline.get_or_insert_with(|| Instant::now() + LAST_LINES);
                if Instant::now() >= until {
                    lost.fetch_add(1 + lines.try_iter().count() as u64, Ordering::Relaxed);
                    return;
                }
            }
            let Some(stream) = &mut open else {
                open = TcpStream::connect(address)
                    .and_then(|stream| {
                        stream.set_nodelay(true)?;
                        stream.set_write_timeout(Some(PATIENCE))?;
                        Ok(stream)
                    })
                    .ok();
                if open.is_none() {
                    std::thread::sleep(Duration::from_millis(50));
                }
                continue;
            };
            match stream.write_all(line.as_bytes()) {
                Ok(()) => break,
                // The listener went away; the line is sent again, whole, to the next one.
                Err(_) => open = None,
            }
        }
    }
}
