//! `choros serve` over a folder of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::support::choros;

/// A page; dropping it ends it.
pub(crate) struct Served {
    pub(crate) child: Child,
    /// With the token.
    pub(crate) address: String,
    folder: tempfile::TempDir,
}

impl Served {
    /// Serves copies of these examples.
    pub(crate) fn with(examples: &[&str]) -> Served {
        Served::start(examples, &[], |_| {})
    }

    /// The same with more words for the command, and more files.
    pub(crate) fn start(examples: &[&str], words: &[&str], fill: impl Fn(&Path)) -> Served {
        let folder = tempfile::tempdir().expect("a folder");
        for name in examples {
            let to = folder.path().join(name);
            std::fs::create_dir_all(to.parent().expect("it lies in the folder")).expect("a folder");
            std::fs::copy(example(name), to).expect("an example");
        }
        fill(folder.path());
        let mut child = choros()
            .arg("serve")
            .arg(folder.path())
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut said = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut address = String::new();
        said.read_line(&mut address).expect("it says its address");
        Served {
            child,
            address: address.trim().to_owned(),
            folder,
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `127.0.0.1:PORT`.
    pub(crate) fn host(&self) -> &str {
        self.address
            .trim_start_matches("http://")
            .split('/')
            .next()
            .unwrap_or_default()
    }

    /// `/TOKEN/`.
    pub(crate) fn base(&self) -> &str {
        self.address
            .trim_start_matches("http://")
            .trim_start_matches(self.host())
    }

    /// Sends a request as it stands, and gives all that comes back.
    pub(crate) fn raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.host()).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it takes it");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // As Ctrl-C, so that it tidies up.
        let _ = Command::new("kill")
            .args(["-INT", &self.child.id().to_string()])
            .status();
        for _ in 0..200 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(name)
}
