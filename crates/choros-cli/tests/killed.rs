//! A monitor that is killed at any moment continues where it was: no verdict is lost, told twice, or torn.
#![cfg(unix)]

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use choros_testkit::{Random, rounds, seed_from_env};
use support::choros;

const PROPERTY: &str =
    "property p on s { context Request[c,s]?(any) within 1 messages expect Response[s,c]!(any) }\n";

/// Requests of which each third has another answer.
fn log(messages: usize) -> String {
    let mut text = String::new();
    for number in 0..messages {
        let (direction, from, to, operation) = match number % 6 {
            0 | 2 | 4 => ("recv", "c", "s", "Request"),
            5 => ("send", "s", "c", "Refusal"),
            _ => ("send", "s", "c", "Response"),
        };
        text += &format!(
            "{{\"at\":{number},\"by\":\"s\",\"dir\":\"{direction}\",\"from\":\"{from}\",\"to\":\"{to}\",\"op\":\"{operation}\"}}\n"
        );
    }
    text
}

fn command(folder: &Path, verdicts: &str, form: &str) -> Command {
    let mut command = choros();
    command
        .current_dir(folder)
        .args([
            "monitor",
            "p.prop",
            "--log",
            "s=s.jsonl",
            "--verdicts",
            verdicts,
        ])
        .args(["--verdict-format", form])
        .args(["--state-every", "1"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

#[test]
fn a_monitor_is_killed_and_goes_on() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    std::fs::write(place.join("p.prop"), PROPERTY).unwrap();
    std::fs::write(place.join("s.jsonl"), log(24_000)).unwrap();
    let whole = command(place, "whole.jsonl", "json").status().unwrap();
    let expected = std::fs::read_to_string(place.join("whole.jsonl")).unwrap();
    assert_eq!(whole.code(), Some(1));
    assert_eq!(expected.lines().count(), 12_000);
    let mut kills = 0;
    for round in 0..rounds(1) {
        let state = format!("state-{round}.json");
        let verdicts = format!("verdicts-{round}.jsonl");
        loop {
            let mut child = command(place, &verdicts, "json")
                .args(["--state", &state])
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(random.below(200) as u64));
            if let Some(status) = child.try_wait().unwrap() {
                assert_eq!(status.code(), Some(1), "CHOROS_SEED={seed}");
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            // Someone may take so long that each run is killed before it gets anywhere.
            if kills % 20 == 0 {
                command(place, &verdicts, "json")
                    .args(["--state", &state])
                    .status()
                    .unwrap();
                break;
            }
        }
        let text = std::fs::read_to_string(place.join(&verdicts)).unwrap();
        assert!(
            text == expected,
            "CHOROS_SEED={seed}: the verdicts differ after {kills} kills"
        );
    }
    assert!(kills > 0);
}

/// Half a line at the end, whatever left it there, is taken away at the next start.
#[test]
fn a_torn_last_line_is_mended() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    std::fs::write(place.join("p.prop"), PROPERTY).unwrap();
    let lines = log(12);
    let half: String = lines
        .lines()
        .take(6)
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(place.join("s.jsonl"), lines.as_bytes()).unwrap();
    command(place, "whole.jsonl", "json").status().unwrap();
    let expected = std::fs::read_to_string(place.join("whole.jsonl")).unwrap();
    std::fs::write(place.join("s.jsonl"), half).unwrap();
    let run = |place: &Path| {
        let mut command = command(place, "v.jsonl", "json");
        command.args(["--state", "state.json"]).status().unwrap()
    };
    run(place);
    let known = std::fs::read(place.join("v.jsonl")).unwrap();
    std::fs::write(place.join("s.jsonl"), lines).unwrap();
    for torn in [
        &b"{\"property\":\"p\",\"verd"[..],
        b"\n",
        b"{\"property\":\"p\"}\n{",
        &[0xff, 0xfe],
    ] {
        let state = std::fs::read(place.join("state.json")).unwrap();
        std::fs::write(place.join("v.jsonl"), [&known[..], torn].concat()).unwrap();
        run(place);
        let text = std::fs::read_to_string(place.join("v.jsonl")).unwrap();
        assert_eq!(text, expected, "{torn:?}");
        std::fs::write(place.join("state.json"), state).unwrap();
    }
}
