//! What cannot be written is exit code 5, and leaves no file that looks whole.
//!
//! The tests may run as root, for whom no folder is read-only: `/proc` and a path below a file refuse root, too.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const PROPERTY: &str =
    "property p on s { context Request[c,s]?(any) within 1 messages expect Response[s,c]!(any) }\n";
const LINES: &str = "\
{\"at\":1,\"by\":\"s\",\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"Request\"}\n\
{\"at\":2,\"by\":\"s\",\"dir\":\"send\",\"from\":\"s\",\"to\":\"c\",\"op\":\"Response\"}\n";

fn choros(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_choros"));
    command.current_dir(folder).stdin(Stdio::null());
    command
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for name in ["online-shopping.chor", "atm.gc", "atm.fsa"] {
        std::fs::copy(examples.join(name), folder.path().join(name)).unwrap();
    }
    std::fs::write(folder.path().join("p.prop"), PROPERTY).unwrap();
    std::fs::write(folder.path().join("s.jsonl"), LINES).unwrap();
    std::fs::write(folder.path().join("a.solve"), "var x: Int\nassert x > 3\n").unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    folder
}

fn said(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr].concat();
    String::from_utf8_lossy(&text).into_owned()
}

/// `@` is the file; the devices are for what needs no extension.
const WRITING: [&str; 9] = [
    "conform online-shopping.chor#order online-shopping.chor#order --smt2 @",
    "solve a.solve --smt2 @",
    "monitor p.prop --log s=s.jsonl --verdicts @",
    "monitor p.prop --log s=s.jsonl --state @",
    "explore atm.fsa -o @.svg",
    "draw atm.gc -o @.svg",
    "draw atm.gc -o @.txt",
    "project atm.gc -o @.fsa",
    "capture --listen 127.0.0.1:0 --forward http://127.0.0.1:9 --as c,s -o @.jsonl --for 0",
];

#[test]
fn a_place_that_cannot_be_written_to() {
    let folder = folder();
    for line in WRITING {
        for place in ["file/out", "missing/out", "/proc/out", "/dev/full"] {
            if place == "/dev/full" && (line.contains("@.") || line.contains("--state")) {
                continue;
            }
            let line = line.replace('@', place);
            let arguments: Vec<&str> = line.split(' ').collect();
            let output = choros(folder.path()).args(&arguments).output().unwrap();
            assert_eq!(output.status.code(), Some(5), "{line}: {}", said(&output));
        }
    }
    let full = std::fs::metadata("/dev/full").unwrap();
    assert!(!full.is_file(), "a device stays a device");
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.to_string_lossy().contains("out"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_folder_that_cannot_be_made() {
    let folder = folder();
    for place in ["file/out", "/proc/out"] {
        let output = choros(folder.path())
            .args([
                "tests", "atm.gc", "--role", "A", "--emit", "json", "-o", place,
            ])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    }
}

/// Beside those of `bounded.rs`.
#[test]
fn a_standard_output_that_is_full_or_gone() {
    let folder = folder();
    let mut lines: Vec<String> = ["--help", "--version", "help check", "explain CH0101"]
        .map(str::to_owned)
        .to_vec();
    lines.push("monitor p.prop --log s=s.jsonl --verdicts -".to_owned());
    for line in [
        "monitor p.prop --log s=s.jsonl",
        "audit online-shopping.chor#order --log b=s.jsonl",
        "solve a.solve",
        "mutate atm.gc",
        "check p.prop",
        "comply atm.fsa atm.gc",
        "capture --listen 127.0.0.1:0 --forward http://127.0.0.1:9 --as c,s --to 127.0.0.1:9 --for 0",
    ] {
        for format in ["text", "json", "junit", "sarif", "html"] {
            lines.push(format!("{line} --format {format}"));
        }
    }
    for line in lines {
        let arguments: Vec<&str> = line.split(' ').collect();
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = choros(folder.path())
            .args(&arguments)
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(5), "{line}: {}", said(&output));
        let mut child = choros(folder.path())
            .args(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!told.contains("ipe"), "{line}: {told}");
        assert!(
            output.status.code().is_some_and(|code| code < 5),
            "{line}: {told}"
        );
    }
}
