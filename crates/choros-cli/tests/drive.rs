//! Driving services over real sockets: the facts about verdicts, and everything that can go wrong on the way.
//!
//! The facts are those of L. Bentakouk, "Symbolic Testing Approach of Composite Web Services", sections 3.4.2 and 4.2.

#[path = "support/fake.rs"]
mod fake;
mod support;

use std::path::Path;
use std::process::Output;
use std::sync::atomic::{AtomicUsize, Ordering};

use fake::{Act, json, serve};
use support::{choros, free_address};

/// Fact 36's service: an answer larger than the question, which is larger than 2; a bank chooses it.
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

/// An answer that is due as soon as something was asked.
const ECHO: &str = "\
stg echo explicit
variables x: Int
initial 0
0 -> 1: o[USER,S]?<x>
1 -> 2: o[S,USER]!x
2: end
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

/// An answer, and then a second one after a tick.
const ALARM: &str = "\
stg alarm explicit
variables x: Int
initial 0
0 -> 1: ask[USER,S]?<x>
1 -> 2: told[S,USER]!x
2 -> 3: tick
2 -> 4: stop[USER,S]?<x>
3 -> 4: alarm[S,BK]!x
4: end
";

const ASK: &str = r#"{"operations": {"o": {"path": "/o", "answers": ["o"]},
    "ask": {"answers": ["big", "small", "told"]}, "big": {"constants": {"is": "big"}},
    "small": {"constants": {"is": "small"}}}}"#;

struct Driven {
    code: i32,
    text: String,
    verdicts: Vec<String>,
}

/// Drives a model that is written to a file, with JSON as the report.
fn drive(model: &str, target: &str, more: &[&str]) -> Driven {
    let folder = tempfile::tempdir().unwrap();
    drive_in(folder.path(), model, target, more)
}

fn drive_in(folder: &Path, model: &str, target: &str, more: &[&str]) -> Driven {
    drive_within("700", folder, model, target, more)
}

fn drive_within(within: &str, folder: &Path, model: &str, target: &str, more: &[&str]) -> Driven {
    std::fs::write(folder.join("m.stg"), model).unwrap();
    std::fs::write(folder.join("map.json"), ASK).unwrap();
    let Output {
        status,
        stdout,
        stderr,
        ..
    } = choros()
        .current_dir(folder)
        .args([
            "drive",
            "m.stg",
            "--mapping",
            "map.json",
            "--format",
            "json",
        ])
        .args([
            "--target",
            target,
            "--answer-within",
            within,
            "--values",
            "any",
        ])
        .args(more)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&stdout).into_owned();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let verdicts = match report["results"].as_array() {
        Some(results) => results
            .iter()
            .map(|result| result["verdict"].as_str().unwrap_or_default().to_owned())
            .collect(),
        None => report["verdict"]
            .as_str()
            .map(str::to_owned)
            .into_iter()
            .collect(),
    };
    Driven {
        code: status.code().unwrap_or(-1),
        text: format!("{text}{}", String::from_utf8_lossy(&stderr)),
        verdicts,
    }
}

fn asked(body: &str) -> i64 {
    let json: serde_json::Value = serde_json::from_str(body).unwrap();
    json["value"].as_i64().unwrap()
}

#[test]
fn fact_38_an_answer_that_keeps_the_condition_passes_and_another_fails() {
    let larger = serve(|_, body| json(format!(r#"{{"value": {}}}"#, asked(body) + 2)));
    let run = drive(LARGER, &larger, &[]);
    assert_eq!(
        (run.code, &run.verdicts[..]),
        (0, &["holds".to_owned()][..]),
        "{}",
        run.text
    );
    let equal = serve(|_, body| json(format!(r#"{{"value": {}}}"#, asked(body))));
    let run = drive(LARGER, &equal, &[]);
    assert_eq!(
        (run.code, &run.verdicts[..]),
        (1, &["fails".to_owned()][..]),
        "{}",
        run.text
    );
}

#[test]
fn fact_39_an_output_of_another_branch_is_inconclusive_and_one_of_none_fails() {
    let big = serve(|_, body| json(format!(r#"{{"is": "big", "value": {}}}"#, asked(body))));
    let run = drive(EITHER, &big, &[]);
    assert_eq!(run.verdicts, ["holds", "unknown"], "{}", run.text);
    assert_eq!(run.code, 4);
    assert!(run.text.contains("on another branch"), "{}", run.text);
    // An adaptive tester goes on along the branch that was taken.
    let run = drive(EITHER, &big, &["--adaptive"]);
    assert_eq!(
        (run.code, run.verdicts),
        (0, vec!["holds".to_owned(); 2]),
        "{}",
        run.text
    );
    // A value that neither branch allows.
    let wrong = serve(|_, body| json(format!(r#"{{"is": "big", "value": {}}}"#, asked(body) + 1)));
    let run = drive(EITHER, &wrong, &[]);
    assert_eq!(run.code, 1, "{}", run.text);
}

#[test]
fn fact_39_a_fair_service_shows_its_other_branch_when_it_is_asked_again() {
    let turns = AtomicUsize::new(0);
    let fair = serve(move |_, body| {
        let word = ["big", "small"][turns.fetch_add(1, Ordering::Relaxed) % 2];
        json(format!(r#"{{"is": "{word}", "value": {}}}"#, asked(body)))
    });
    let run = drive(EITHER, &fair, &["--retries", "3"]);
    assert_eq!(run.code, 0, "{}", run.text);
}

#[test]
fn fact_40_an_exception_after_the_connection_fails() {
    for run in [
        drive(LARGER, &serve(|_, _| Act::Reset), &[]),
        drive(
            LARGER,
            &serve(|_, _| Act::Answer(500, "text/plain", "oops".to_owned())),
            &[],
        ),
    ] {
        assert_eq!(run.code, 1, "{}", run.text);
        assert!(run.text.contains("refused"), "{}", run.text);
    }
}

#[test]
fn fact_41_silence_while_an_answer_is_due_fails_or_is_inconclusive_as_asked() {
    let silent = serve(|_, _| Act::Hang);
    let run = drive(ECHO, &silent, &[]);
    assert_eq!(run.code, 1, "{}", run.text);
    assert!(run.text.contains("did not come in time"), "{}", run.text);
    let run = drive(ECHO, &silent, &["--timeout-verdict", "inconclusive"]);
    assert_eq!(run.code, 4, "{}", run.text);
    // Where the bank may have chosen too small a number, the model itself says nothing: nobody is to blame.
    let run = drive(LARGER, &silent, &[]);
    assert_eq!(run.code, 4, "{}", run.text);
    assert!(run.text.contains("allows silence"), "{}", run.text);
}

#[test]
fn fact_42_a_solver_that_gives_up_blames_nobody() {
    // Nonlinear over unknowns that nobody sees: with next to no budget the solver cannot say.
    let model = "\
stg hard explicit
variables x: Int, y: Int, z: Int
initial 0
0 -> 1: o[USER,S]?<x>
1 -> 2: b[BK,S]?<y>
2 -> 3: b[BK,S]?<z>
3 -> 4: o[S,USER]!(y * y * y + z * z * z + y * z)
4: end
";
    let service = serve(|_, _| json(r#"{"value": 114}"#));
    let run = drive(model, &service, &["--solver-budget", "1"]);
    assert_ne!(run.code, 1, "{}", run.text);
    assert!(!run.verdicts.contains(&"fails".to_owned()), "{}", run.text);
}

#[test]
fn fact_43_a_tick_is_one_unit_of_time_and_a_forgotten_alarm_fails() {
    let alarmed = |delay: Option<u64>| {
        let bank = free_address();
        let place = bank.clone();
        let service = serve(move |path, body| {
            let value = asked(body);
            if path == "/ask" {
                let place = place.clone();
                if let Some(delay) = delay {
                    std::thread::spawn(move || {
                        std::thread::sleep(std::time::Duration::from_millis(delay));
                        post(&place, "/alarm", &format!(r#"{{"value": {value}}}"#));
                    });
                }
                return json(format!(r#"{{"value": {value}}}"#));
            }
            json("{}")
        });
        let at = format!("BK={bank}");
        let more = [
            "--play",
            "USER,BK",
            "--mock-at",
            &at,
            "--tick",
            "0.3",
            "--coverage",
            "paths",
        ];
        drive(ALARM, &service, &more)
    };
    // The path with `stop` leaves an alarm behind that a real service would cancel; only the path with the tick counts.
    let right = alarmed(Some(300));
    assert!(
        right.verdicts.contains(&"holds".to_owned()),
        "{}",
        right.text
    );
    let forgotten = alarmed(None);
    assert_eq!(forgotten.code, 1, "{}", forgotten.text);
    assert!(
        forgotten.text.contains("alarm[S,BK] did not come in time"),
        "{}",
        forgotten.text
    );
}

fn post(address: &str, path: &str, body: &str) {
    use std::io::{Read, Write};
    let Ok(mut stream) = std::net::TcpStream::connect(address) else {
        return;
    };
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(request.as_bytes());
    let _ = stream.read_to_end(&mut Vec::new());
}

#[test]
fn fact_44_events_of_partners_are_skipped_by_a_tester_who_plays_the_user() {
    // `b` never reaches the tester, and any value of it that explains the answer will do.
    let service = serve(|_, body| json(format!(r#"{{"value": {}}}"#, asked(body) + 1_000)));
    let run = drive(LARGER, &service, &[]);
    assert_eq!(run.code, 0, "{}", run.text);
}

#[test]
fn facts_45_and_46_the_worst_verdict_counts_and_the_run_goes_on_unless_told_otherwise() {
    let turns = AtomicUsize::new(0);
    let service = serve(move |_, body| {
        let value = asked(body);
        match turns.fetch_add(1, Ordering::Relaxed) {
            0 => json(r#"{"is": "big", "value": -77}"#),
            _ => json(format!(r#"{{"is": "small", "value": {value}}}"#)),
        }
    });
    let run = drive(EITHER, &service, &[]);
    assert_eq!(run.verdicts.len(), 2, "{}", run.text);
    assert_eq!(
        (run.code, run.verdicts[0].as_str()),
        (1, "fails"),
        "{}",
        run.text
    );
    let broken = serve(|_, _| json(r#"{"is": "big", "value": -77}"#));
    let run = drive(EITHER, &broken, &["--fail-fast"]);
    assert!(
        run.text.contains("1 of 2 tests were not run"),
        "{}",
        run.text
    );
}

#[test]
fn a_service_that_is_not_there_is_a_failure_of_the_world() {
    let run = drive(LARGER, &format!("http://{}", free_address()), &[]);
    assert_eq!(run.code, 5, "{}", run.text);
    assert!(run.text.contains("cannot be reached"), "{}", run.text);
}

#[test]
fn what_is_no_message_fails_with_what_is_wrong() {
    let cases: [(&str, Act, &str); 4] = [
        ("nonsense", json("{\"value\": "), "no JSON"),
        (
            "type",
            Act::Answer(200, "text/html", "<p>4</p>".to_owned()),
            "not JSON",
        ),
        ("sort", json(r#"{"value": "four"}"#), "expected Int"),
        (
            "huge",
            json(format!(
                r#"{{"value": 5, "padding": "{}"}}"#,
                "x".repeat(10_000)
            )),
            "longer than 5000 bytes",
        ),
    ];
    for (name, act, expected) in cases {
        let once = std::sync::Mutex::new(Some(act));
        let service = serve(move |_, _| once.lock().unwrap().take().unwrap_or(Act::Reset));
        let run = drive(LARGER, &service, &["--limit", "5000"]);
        assert_eq!(run.code, 1, "{name}: {}", run.text);
        assert!(run.text.contains(expected), "{name}: {}", run.text);
    }
}

#[test]
fn an_answer_after_the_verdict_does_not_disturb_the_next_test() {
    let turns = AtomicUsize::new(0);
    let service = serve(move |_, body| {
        let value = asked(body);
        match turns.fetch_add(1, Ordering::Relaxed) {
            0 => Act::Late(1_000, format!(r#"{{"is": "big", "value": {value}}}"#)),
            _ => json(format!(r#"{{"is": "small", "value": {value}}}"#)),
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let run = drive_within("500", folder.path(), EITHER, &service, &[]);
    assert_eq!(run.verdicts, ["fails", "holds"], "{}", run.text);
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

#[test]
fn several_tests_at_a_time_give_the_same_verdicts() {
    let service = serve(|_, body| json(format!(r#"{{"is": "big", "value": {}}}"#, asked(body))));
    let one = drive(EITHER, &service, &[]);
    let two = drive(EITHER, &service, &["--parallel", "2"]);
    assert_eq!(one.verdicts, two.verdicts, "{}", two.text);
}

#[test]
fn a_suite_is_driven_as_the_model_is() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.stg"), LARGER).unwrap();
    std::fs::write(folder.path().join("map.json"), ASK).unwrap();
    let made = choros()
        .current_dir(folder.path())
        .args(["tests", "m.stg", "--emit", "json", "-o", "suite"])
        .output()
        .unwrap();
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    let service = serve(|_, body| json(format!(r#"{{"value": {}}}"#, asked(body) + 1)));
    let driven = choros()
        .current_dir(folder.path())
        .args([
            "drive",
            "suite/suite.json",
            "--mapping",
            "map.json",
            "--target",
            &service,
        ])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&driven.stdout).into_owned();
    assert_eq!(
        driven.status.code(),
        Some(0),
        "{text}{}",
        String::from_utf8_lossy(&driven.stderr)
    );
}
