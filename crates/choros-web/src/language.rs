//! The language server of one window: `choros lsp` in a process of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A language server; dropping it ends it, of which nothing is told.
pub(crate) struct Language {
    child: Child,
    dropped: Arc<AtomicBool>,
    input: Option<ChildStdin>,
}

impl Language {
    /// Starts one; `tell` gets its messages as JSON, and `None` if it ends by itself.
    pub(crate) fn start(
        command: &Path,
        folder: &Path,
        words: &[String],
        mut tell: impl FnMut(Option<String>) + Send + 'static,
    ) -> std::io::Result<Language> {
        let mut child = Command::new(command)
            .arg("lsp")
            .args(words)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take();
        let dropped: Arc<AtomicBool> = Arc::default();
        if let Some(output) = child.stdout.take() {
            let dropped = dropped.clone();
            std::thread::spawn(move || {
                let mut output = BufReader::new(output);
                while let Some(message) = read(&mut output) {
                    tell(Some(message));
                }
                if !dropped.load(Ordering::SeqCst) {
                    tell(None);
                }
            });
        }
        Ok(Language {
            child,
            dropped,
            input,
        })
    }

    /// Says something; false where no one listens any more.
    pub(crate) fn say(&mut self, message: &str) -> bool {
        let Some(input) = &mut self.input else {
            return false;
        };
        let said = write!(input, "Content-Length: {}\r\n\r\n{message}", message.len());
        said.and_then(|()| input.flush()).is_ok()
    }
}

impl Drop for Language {
    fn drop(&mut self) {
        self.dropped.store(true, Ordering::SeqCst);
        drop(self.input.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(from: &mut impl BufRead) -> Option<String> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim() {
            "" => break,
            header => {
                if let Some(value) = header.strip_prefix("Content-Length:") {
                    length = value.trim().parse::<u64>().ok();
                }
            }
        }
    }
    let mut bytes = Vec::new();
    from.take(length?).read_to_end(&mut bytes).ok()?;
    String::from_utf8(bytes).ok()
}
