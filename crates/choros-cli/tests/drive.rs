//! Driving services over real sockets: what takes more than one command to show.
//!
//! The facts about verdicts, and everything that can go wrong on the way, are in `specs/drive`.

#[path = "support/fake.rs"]
mod fake;
mod support;

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fake::{Act, json, serve};
use support::{choros, free_address};

/// Another model.
const LARGER: &str = "\
stg larger explicit
variables x: Int, y: Int
initial 0
0 -> 1: o[USER,S]?<x>
1 -> 2: [x > 2] b[S,BK]!x
2 -> 3: b[BK,S]?<y>
3 -> 4: [y > x] o[S,USER]!y
4: end
";

/// A choice that the tester does not see: big answers with `big`, small ones with `small`.
const EITHER: &str = "\
stg either explicit
variables x: Int
initial 0
0 -> 1: ask[USER,S]?<x>
1 -> 2: tau
1 -> 3: tau
2 -> 4: big[S,USER]!x
3 -> 4: small[S,USER]!x
4: end
";

const ASK: &str = r#"{"operations": {"o": {"path": "/o", "answers": ["o"]},
    "ask": {"answers": ["big", "small"]}, "big": {"constants": {"is": "big"}},
    "small": {"constants": {"is": "small"}}}}"#;

struct Driven {
    code: i32,
    text: String,
    verdicts: Vec<String>,
}

/// Drives a model that is written to a file, with JSON as the report.
fn drive_in(folder: &Path, model: &str, target: &str, more: &[&str]) -> Driven {
    let Output {
        status,
        stdout,
        stderr,
    } = command(folder, model, target, more).output().unwrap();
    let text = String::from_utf8_lossy(&stdout).into_owned();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let verdicts = report["results"].as_array().map_or(Vec::new(), |results| {
        let word = |result: &serde_json::Value| result["verdict"].as_str().map(str::to_owned);
        results.iter().filter_map(word).collect()
    });
    Driven {
        code: status.code().unwrap_or(-1),
        text: format!("{text}{}", String::from_utf8_lossy(&stderr)),
        verdicts,
    }
}

fn command(folder: &Path, model: &str, target: &str, more: &[&str]) -> Command {
    std::fs::write(folder.join("m.stg"), model).unwrap();
    std::fs::write(folder.join("map.json"), ASK).unwrap();
    let mut command = choros();
    command
        .current_dir(folder)
        .args(["drive", "m.stg", "--mapping", "map.json"])
        .args(["--format", "json", "--values", "any", "--target", target])
        .args(more);
    command
}

fn asked(body: &str) -> i64 {
    let json: serde_json::Value = serde_json::from_str(body).unwrap();
    json["value"].as_i64().unwrap()
}

#[test]
fn a_run_that_was_killed_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let service = serve(|_, body| json(format!(r#"{{"is": "big", "value": {}}}"#, asked(body))));
    let run = drive_in(folder.path(), EITHER, &service, &["--resume", "r.jsonl"]);
    assert_eq!(run.verdicts.len(), 2, "{}", run.text);
    // As if it had been killed while it wrote the second line.
    let file = folder.path().join("r.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    std::fs::write(
        &file,
        format!("{}\n{}\n{}", lines[0], lines[1], &lines[2][..9]),
    )
    .unwrap();
    let dead = format!("http://{}", free_address());
    let run = drive_in(folder.path(), EITHER, &dead, &["--resume", "r.jsonl"]);
    assert_eq!(
        run.code, 5,
        "the second test is run, and the service is gone: {}",
        run.text
    );
    let run = drive_in(folder.path(), EITHER, &service, &["--resume", "r.jsonl"]);
    assert_eq!(run.verdicts.len(), 2, "{}", run.text);
    assert!(run.text.contains("done in a run before"), "{}", run.text);
    // Another suite is not taken for this one.
    let run = drive_in(folder.path(), LARGER, &service, &["--resume", "r.jsonl"]);
    assert_eq!(run.code, 2, "{}", run.text);
    assert!(run.text.contains("CH0999"), "{}", run.text);
}

/// A user who edits a condition in a suite would get a test that says one thing and does another.
#[test]
fn a_suite_that_was_edited_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("m.stg"),
        "stg m explicit\ninitial 0\n0 -> 1: Ask[USER,S]?<x>\n1 -> 2: [x > 5] Big[S,USER]!\n2: end\n",
    )
    .unwrap();
    let choros = |args: &[&str]| {
        let run = Command::new(env!("CARGO_BIN_EXE_choros"))
            .args(args)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&run.stderr).into_owned();
        (run.status.code(), text)
    };
    let made = choros(&["tests", "m.stg", "--emit", "json", "-o", "suite"]);
    assert_eq!(made.0, Some(0), "{}", made.1);
    let file = folder.path().join("suite/suite.json");
    let text = std::fs::read_to_string(&file).unwrap();
    for (before, after) in [
        ("> 5", "> 6"),
        ("\"Big\"", "\"Huge\""),
        ("stimulus", "hidden"),
    ] {
        assert!(text.contains(before), "{before}: {text}");
        std::fs::write(&file, text.replace(before, after)).unwrap();
        let (code, said) = choros(&[
            "drive",
            "suite/suite.json",
            "--target",
            "http://127.0.0.1:1",
        ]);
        assert_eq!(code, Some(2), "{after}: {said}");
        assert!(said.contains("CH0985"), "{after}: {said}");
    }
}

#[test]
fn a_run_that_is_killed_for_real_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let turns = AtomicUsize::new(0);
    let hanging = serve(move |_, body| match turns.fetch_add(1, Ordering::Relaxed) {
        0 => json(format!(r#"{{"is": "big", "value": {}}}"#, asked(body))),
        _ => Act::Hang,
    });
    let more = ["--resume", "r.jsonl", "--answer-within", "60000"];
    let mut run = command(folder.path(), EITHER, &hanging, &more)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let file = folder.path().join("r.jsonl");
    let lines = || {
        std::fs::read_to_string(&file)
            .unwrap_or_default()
            .lines()
            .count()
    };
    let start = Instant::now();
    while lines() < 2 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    assert_eq!(lines(), 2, "the suite, and the first test");
    let small = serve(|_, body| json(format!(r#"{{"is": "small", "value": {}}}"#, asked(body))));
    let run = drive_in(folder.path(), EITHER, &small, &["--resume", "r.jsonl"]);
    assert_eq!(run.verdicts, ["holds", "holds"], "{}", run.text);
    assert_eq!(run.code, 0, "{}", run.text);
}
