//! Programs that listen, started and stopped by tests.
//!
//! Each test binary uses a part of this.
#![allow(dead_code)]

pub(crate) mod saga;
pub(crate) mod study;

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// All verbs, from the help, so that a new one cannot be forgotten.
pub(crate) fn verbs() -> Vec<String> {
    let output = choros().arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let (_, list) = help.split_once("Questions:\n").unwrap();
    let verbs: Vec<String> = list
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| line.starts_with(|it: char| it.is_ascii_lowercase()))
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect();
    assert!(verbs.len() > 15, "{verbs:?}");
    verbs
}

/// A program whose lines are read as they come; it is stopped at the end.
pub(crate) struct Program {
    process: Child,
    lines: Receiver<String>,
}

impl Program {
    /// Starts a program and reads what it says on standard output and standard error.
    pub(crate) fn start(command: &mut Command) -> Program {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let (sender, lines) = channel();
        let readers: [Box<dyn Read + Send>; 2] = [
            Box::new(process.stdout.take().unwrap()),
            Box::new(process.stderr.take().unwrap()),
        ];
        for reader in readers {
            let sender = sender.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(reader).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        Program { process, lines }
    }

    /// The rest of the first line that begins with this.
    pub(crate) fn says(&self, beginning: &str) -> String {
        let mut before = Vec::new();
        loop {
            match self.lines.recv_timeout(Duration::from_secs(60)) {
                Ok(line) => match line.strip_prefix(beginning) {
                    Some(rest) => return rest.to_owned(),
                    None => before.push(line),
                },
                Err(_) => panic!("no line begins with `{beginning}`:\n{}", before.join("\n")),
            }
        }
    }

    /// Where it says that it listens.
    pub(crate) fn url(&self) -> String {
        let rest = self.says("listening on ");
        rest.split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned()
    }

    /// Everything it still says until it ends by itself.
    pub(crate) fn rest(mut self) -> String {
        let mut text = String::new();
        while let Ok(line) = self.lines.recv_timeout(Duration::from_secs(60)) {
            text.push_str(&line);
            text.push('\n');
        }
        let _ = self.process.wait();
        text
    }

    /// Asks it to end, as a terminal does on Ctrl-C, and waits.
    pub(crate) fn interrupt(mut self) {
        let id = self.process.id().to_string();
        let _ = Command::new("kill").args(["-INT", &id]).status();
        let _ = self.process.wait();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The command under test.
pub(crate) fn choros() -> Command {
    Command::new(env!("CARGO_BIN_EXE_choros"))
}

/// A file of the shipping example.
pub(crate) fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/shipping")
        .join(name)
}

/// An address on loopback that no one listens on now.
pub(crate) fn free_address() -> String {
    choros_testkit::free_address().unwrap().to_string()
}

/// The Python of the repository's virtual environment, or the system's, if it has these packages.
pub(crate) fn python(packages: &str) -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin/python");
    let found = [own, PathBuf::from("python3")].into_iter().find(|python| {
        let output = Command::new(python)
            .args(["-c", &format!("import {packages}")])
            .output();
        output.is_ok_and(|output| output.status.success())
    });
    assert!(
        found.is_some() || std::env::var_os("CHOROS_REQUIRE_PYTHON").is_none(),
        "Python with {packages} is required and not there"
    );
    found
}
