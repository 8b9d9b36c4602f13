//! What cannot be written is exit code 5, in every verb and format, and leaves no file that looks whole.
//!
//! The tests may run as root, for whom no folder is read-only: `/proc` and a path below a file refuse root, too, and
//! another user is tried where root may become one.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod support;

use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const PROPERTY: &str =
    "property p on s { context Request[c,s]?(any) within 1 messages expect Response[s,c]!(any) }\n";
const LINES: &str = "\
{\"at\":1,\"by\":\"s\",\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"Request\"}\n\
{\"at\":2,\"by\":\"s\",\"dir\":\"send\",\"from\":\"s\",\"to\":\"c\",\"op\":\"Response\"}\n";
const ASK: &str =
    "stg ask explicit\ninitial 0\n0 -> 1: Ask[USER,S]?<x>\n1 -> 2: Big[S,USER]!\n2: end\n";
const MAPPING: &str = "{ \"operations\": { \"Ask\": { \"answers\": [\"Big\"] } } }\n";
/// The least that a description says.
const API: &str = r#"{"openapi": "3.0.0", "info": {"title": "a", "version": "1"},
    "paths": {"/a": {"get": {"responses": {"200": {"description": "ok"}}}}}}"#;
const PROJECT: &str = "[[check]]\nfiles = [\"online-shopping.chor\"]\n";
/// Four blanks too many, so that there is something to format.
const UGLY: &str = "A  ->  B :    m";

fn choros(folder: &Path) -> Command {
    let mut command = support::choros();
    command.current_dir(folder).stdin(Stdio::null());
    command
}

fn run(folder: &Path, line: &str) -> Output {
    let arguments: Vec<&str> = line.split(' ').collect();
    choros(folder).args(arguments).output().unwrap()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for name in [
        "online-shopping.chor",
        "online-shopping.schora",
        "bank-one-client.cows",
        "atm.gc",
        "atm.fsa",
    ] {
        std::fs::copy(examples.join(name), folder.path().join(name)).unwrap();
    }
    for (name, text) in [
        ("p.prop", PROPERTY),
        ("s.jsonl", LINES),
        ("a.solve", "var x: Int\nassert x > 3\n"),
        ("ask.stg", ASK),
        ("map.json", MAPPING),
        ("api.json", API),
        ("ugly.gc", UGLY),
        ("choros.toml", PROJECT),
        ("file", ""),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let order = "online-shopping.chor#order";
    run(
        folder.path(),
        &format!("conform {order} {order} --certificate proof.json"),
    );
    let report = run(folder.path(), "explore atm.fsa --format json").stdout;
    std::fs::write(folder.path().join("report.json"), report).unwrap();
    folder
}

fn said(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr].concat();
    String::from_utf8_lossy(&text).into_owned()
}

/// One run of every verb that says something.
const SAYING: [&str; 26] = [
    "bind online-shopping.chor#order --log b=s.jsonl",
    "import api.json",
    "check",
    "check online-shopping.chor",
    "check p.prop",
    "explore atm.fsa",
    "draw atm.gc",
    "project atm.gc",
    "realize atm.gc",
    "tests atm.gc --role A",
    "verify bank-one-client.cows --formula EF{x}true",
    "conform online-shopping.chor#order online-shopping.chor#order",
    "script online-shopping.schora",
    "monitor p.prop --log s=s.jsonl",
    "watch p.prop --log s=s.jsonl",
    "audit online-shopping.chor#order --log b=s.jsonl",
    "solve a.solve",
    "mutate atm.gc",
    "comply atm.fsa atm.gc",
    "capture --listen 127.0.0.1:0 --forward http://127.0.0.1:9 --as c,s --to 127.0.0.1:9 --for 0",
    "drive ask.stg --mapping map.json --target http://127.0.0.1:1",
    "replay report.json",
    "certify proof.json online-shopping.chor",
    "explain CH0101",
    "fmt --check atm.gc",
    "tests ask.stg",
];

/// What has one form only.
const PLAIN: [&str; 8] = [
    "--help",
    "--version",
    "help check",
    "init",
    // What it says to an editor is the protocol's, and so is its exit code.
    "lsp --help",
    "serve --help",
    "completions bash",
    "man",
];

#[test]
fn a_standard_output_that_is_full_or_gone() {
    let folder = folder();
    for verb in support::verbs() {
        let asked = |line: &&str| line.split(' ').next() == Some(&verb);
        // What `feed` says needs a broker: `watch_nats.rs` has one.
        assert!(
            SAYING.iter().any(asked) || PLAIN.iter().any(asked) || verb == "feed",
            "`{verb}` says nothing here"
        );
    }
    let mut lines: Vec<String> = PLAIN.map(str::to_owned).to_vec();
    lines.push("monitor p.prop --log s=s.jsonl --verdicts -".to_owned());
    for line in SAYING {
        for format in ["text", "json", "junit", "sarif", "html"] {
            lines.push(format!("{line} --format {format}"));
        }
    }
    for line in lines {
        let arguments: Vec<&str> = line.split(' ').collect();
        let whole = run(folder.path(), &line);
        // A question that a format does not suit is refused, and one whose answer is silence has nothing to write.
        if whole.stdout.is_empty() {
            continue;
        }
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
        assert_eq!(output.status.code(), whole.status.code(), "{line}: {told}");
    }
}

/// Every option that writes; `@` is the file or folder.
const WRITING: [&str; 22] = [
    "bind online-shopping.chor#order --log b=s.jsonl -o @.toml",
    "import api.json -o @",
    "conform online-shopping.chor#order online-shopping.chor#order --smt2 @",
    "conform online-shopping.chor#order online-shopping.chor#order --certificate @",
    "solve a.solve --smt2 @",
    "monitor p.prop --log s=s.jsonl --verdicts @",
    "watch p.prop --log s=s.jsonl --verdicts @",
    "monitor p.prop --log s=s.jsonl --state @",
    "explore atm.fsa -o @.svg",
    "draw atm.gc -o @.svg",
    "draw atm.gc -o @.txt",
    "fmt online-shopping.schora --as chor -o @.chor",
    "project atm.gc -o @.fsa",
    "project online-shopping.chor#order --role b -o @.stg",
    "tests atm.gc --role A --emit json -o @",
    "tests ask.stg --emit json -o @",
    "tests ask.stg --tree @.svg",
    "tests ask.stg --smt2 @",
    "drive ask.stg --mapping map.json --target http://127.0.0.1:1 --record @",
    "drive ask.stg --mapping map.json --target http://127.0.0.1:1 --resume @",
    "drive ask.stg --mapping map.json --target http://127.0.0.1:1 --transcript @",
    "capture --listen 127.0.0.1:0 --forward http://127.0.0.1:9 --as c,s -o @.jsonl --for 0",
];

/// A cache is not an output: the answer is the same without it, and the report says that it was not kept.
const KEEPING: &str = "conform online-shopping.chor#order online-shopping.chor#order --cache=@";

#[test]
fn a_cache_that_cannot_be_written_is_noted() {
    let folder = folder();
    for place in ["file/out", "/proc/out"] {
        let output = run(folder.path(), &KEEPING.replace('@', place));
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert!(
            said(&output).contains("the answer was not kept"),
            "{}",
            said(&output)
        );
    }
}

/// Options that name what is read, and the cache.
const READING: [&str; 19] = [
    "--binding",
    "--from",
    "--model",
    "--include",
    "--log",
    "--mapping",
    "--correlate",
    "--purpose",
    "--rules",
    "--formulas",
    "--oracle",
    "--contracts",
    "--words",
    "--payloads",
    "--ca",
    "--cert",
    "--key",
    "--credentials",
    "--cache",
];

/// A new option that names a file stands in one of the two lists.
#[test]
fn no_option_that_writes_is_left_out() {
    for verb in support::verbs() {
        let help = run(Path::new("."), &format!("{verb} --help")).stdout;
        let help = String::from_utf8(help).unwrap();
        for line in help.lines() {
            let words = line.trim_start();
            if !words.starts_with('-')
                || !["FILE", "FOLDER", "DIR"]
                    .iter()
                    .any(|it| words.contains(it))
            {
                continue;
            }
            let names: Vec<&str> = words
                .split([' ', ',', '=', '['])
                .filter(|it| it.starts_with('-'))
                .collect();
            let writes = |line: &&str| {
                let mut parts = line.split([' ', '=']);
                parts.next() == Some(&verb) && parts.any(|it| names.contains(&it))
            };
            assert!(
                names.iter().any(|it| READING.contains(it)) || WRITING.iter().any(writes),
                "what does `{verb} {words}` do?"
            );
        }
    }
}

/// Whether an option takes a folder or a file whose end names its form, which a device has not.
fn needs_a_name(line: &str) -> bool {
    line.contains("@.") || line.contains("--state") || is_folder(line)
}

fn is_folder(line: &str) -> bool {
    line.starts_with("import") || line.starts_with("tests") && !line.contains("--tree")
}

#[test]
fn a_place_that_cannot_be_written_to() {
    let folder = folder();
    for line in WRITING {
        for place in ["file/out", "missing/out", "/proc/out", "/dev/full"] {
            if place == "/dev/full" && needs_a_name(line)
                || place == "missing/out" && is_folder(line)
            {
                continue;
            }
            let line = line.replace('@', place);
            let output = run(folder.path(), &line);
            assert_eq!(output.status.code(), Some(5), "{line}: {}", said(&output));
        }
    }
    let full = std::fs::metadata("/dev/full").unwrap();
    assert!(!full.is_file(), "a device stays a device");
    nothing_is_left(folder.path());
}

fn nothing_is_left(folder: &Path) {
    let left: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| {
            let name = name.to_string_lossy();
            name.contains("out") || name.contains(".tmp") || name.contains(".new")
        })
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Someone who may not write here: who runs the tests, or no one where that is root.
fn without_permission(folder: &Path, line: &str) -> Option<Output> {
    let arguments: Vec<&str> = line.split(' ').collect();
    let is_root = Command::new("id").arg("-u").output().ok()?.stdout == b"0\n";
    if !is_root {
        return Some(run(folder, line));
    }
    let may_change = Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .args([env!("CARGO_BIN_EXE_choros"), "--version"])
        .output()
        .is_ok_and(|it| it.status.success());
    if !may_change {
        println!("left out: root cannot become another user here");
        return None;
    }
    let output = Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(env!("CARGO_BIN_EXE_choros"))
        .args(arguments)
        .current_dir(folder)
        .env("HOME", folder)
        .stdin(Stdio::null())
        .output();
    Some(output.unwrap())
}

#[test]
fn a_folder_and_files_that_may_not_be_written_to() {
    let folder = folder();
    let place = folder.path();
    let set = |path: &Path, mode: u32| {
        std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    };
    for entry in std::fs::read_dir(place).unwrap() {
        set(&entry.unwrap().path(), 0o444);
    }
    set(place, 0o555);
    let mut lines: Vec<String> = WRITING.map(|line| line.replace('@', "out")).to_vec();
    // In place.
    lines.push("fmt ugly.gc".to_owned());
    for line in lines {
        let Some(output) = without_permission(place, &line) else {
            return;
        };
        assert_eq!(output.status.code(), Some(5), "{line}: {}", said(&output));
    }
    assert_eq!(
        std::fs::read_to_string(place.join("ugly.gc")).unwrap(),
        UGLY
    );
    set(place, 0o755);
    nothing_is_left(place);
}
