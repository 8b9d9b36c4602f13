//! Conversations of `drive` that are judged again, sent again, made smaller, and read by other verbs.

#[path = "support/fake.rs"]
mod fake;
mod support;

use std::path::Path;

use fake::{Act, json, serve};
use support::choros;

/// Questions up to 10000 are answered with `small`, others with `big`; who was answered with a number must name it.
const LIMIT: &str = "\
stg limit explicit
variables x: Int, y: Int, n: Int, m: Int
initial 0
0 -> 1: ask[USER,S]?(<x>, <y>)
1 -> 2: [x <= 10000] small[S,USER]!x
1 -> 3: [x > 10000] number[BK,S]?<n>
3 -> 4: big[S,USER]!n
4 -> 5: close[USER,S]?<m>
5 -> 6: [m == n] closed[S,USER]!x
2: end
6: end
";

const MAPPING: &str = r#"{"operations": {
    "ask": {"fields": ["x", "y"], "answers": ["small", "big"]},
    "small": {"constants": {"is": "small"}}, "big": {"constants": {"is": "big"}},
    "close": {"answers": ["closed"]}, "closed": {}}}"#;

/// A service that takes numbers from `limit` on for big ones, and gives files this number.
fn service(limit: i64, number: i64) -> String {
    let asked = std::sync::atomic::AtomicI64::new(0);
    serve(move |path, body| {
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        match path {
            "/ask" => {
                let x = body["x"].as_i64().unwrap();
                asked.store(x, std::sync::atomic::Ordering::SeqCst);
                if x < limit {
                    json(format!(r#"{{"is": "small", "value": {x}}}"#))
                } else {
                    json(format!(r#"{{"is": "big", "value": {number}}}"#))
                }
            }
            _ if body["value"].as_i64() == Some(number) => {
                let x = asked.load(std::sync::atomic::Ordering::SeqCst);
                json(format!(r#"{{"value": {x}}}"#))
            }
            _ => Act::Answer(404, "text/plain", format!("no file {body}")),
        }
    })
}

struct Said {
    code: Option<i32>,
    text: String,
}

fn run(folder: &Path, arguments: &[&str]) -> Said {
    let output = choros()
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    Said {
        code: output.status.code(),
        text: String::from_utf8_lossy(&text).into_owned(),
    }
}

fn expect(said: &Said, code: i32, parts: &[&str]) {
    assert_eq!(said.code, Some(code), "{}", said.text);
    for part in parts {
        assert!(said.text.contains(part), "no `{part}` in\n{}", said.text);
    }
}

/// A folder with the model and its mapping, and a record of a run against a service.
fn recorded(target: &str, code: i32, more: &[&str]) -> (tempfile::TempDir, Said) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.stg"), LIMIT).unwrap();
    std::fs::write(folder.path().join("map.json"), MAPPING).unwrap();
    let mut arguments = vec![
        "drive",
        "m.stg",
        "--mapping",
        "map.json",
        "--target",
        target,
    ];
    arguments.extend(["--record", "run.json", "--answer-within", "2000"]);
    arguments.extend(more);
    let said = run(folder.path(), &arguments);
    expect(&said, code, &[]);
    (folder, said)
}

#[test]
fn a_failure_is_confirmed_without_the_service_and_judged_otherwise_by_another_model() {
    let (folder, _) = recorded(&service(9_001, 7), 1, &[]);
    let said = run(folder.path(), &["replay", "run.json"]);
    expect(
        &said,
        1,
        &[
            "judged again: fails, as recorded",
            "judged again: holds, as recorded",
        ],
    );
    // The limit of the model was wrong, and not that of the service.
    let changed = LIMIT.replace("10000", "9000");
    std::fs::write(folder.path().join("m.stg"), changed).unwrap();
    let said = run(folder.path(), &["replay", "run.json"]);
    // What was a failure is allowed now, but the tester broke off there, and does not know the rest.
    expect(
        &said,
        4,
        &[
            "judged again: unknown, recorded as fails",
            "the model allows all of it",
        ],
    );
    // Neither a model that is gone nor one that does not fit ends otherwise than with words.
    let said = run(
        folder.path(),
        &["replay", "run.json", "--model", "gone.stg"],
    );
    expect(&said, 2, &["gone.stg"]);
    std::fs::write(
        folder.path().join("m.stg"),
        LIMIT.replace("x: Int", "x: String"),
    )
    .unwrap();
    let said = run(folder.path(), &["replay", "run.json", "--no-judge"]);
    expect(&said, 0, &["no branch allows big[S,USER]"]);
}

#[test]
fn a_failure_that_is_sent_again_is_seen_again_or_not() {
    let (folder, _) = recorded(&service(9_001, 7), 1, &[]);
    let again = |target: &str, more: &[&str]| {
        let mut arguments = vec!["drive", "run.json", "--target", target];
        arguments.extend(more);
        run(folder.path(), &arguments)
    };
    // The target of the record is still there.
    let said = run(folder.path(), &["drive", "run.json"]);
    expect(&said, 1, &["the failure is seen again", "ask?(9001, 0)"]);
    assert!(!said.text.contains("test_2"), "it passed: {}", said.text);
    let said = again(&service(10_001, 7), &[]);
    expect(&said, 0, &["the failure is not seen again"]);
    // Another service gives other numbers, which must be repeated and not those of the record.
    let said = again(&service(10_001, 4711), &["--test", "test_2"]);
    expect(&said, 0, &["sent again: pass, as before"]);
    let said = again(&service(10_001, 7), &["--test", "test_9"]);
    expect(&said, 2, &["no conversation of a test `test_9`", "CH0998"]);
    let said = again(&serve(|_, _| Act::Reset), &[]);
    expect(&said, 1, &["it fails otherwise than before"]);
}

#[test]
fn the_smallest_failing_values_are_found() {
    // Random values that fail, and the bounds: whatever fails first, the smallest is told.
    let (_, said) = recorded(&service(9_001, 7), 1, &[]);
    expect(
        &said,
        1,
        &["ask?(9001, 0)", "with the smallest values that fail"],
    );
    let wrong = serve(|_, body| {
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        let x = body["x"].as_i64().unwrap();
        // Wrong for all whose second number is 3 or more, and that is not a bound of the model.
        match body["y"].as_i64().unwrap() {
            3.. => json(format!(r#"{{"is": "small", "value": {}}}"#, x + 1)),
            _ if x <= 10_000 => json(format!(r#"{{"is": "small", "value": {x}}}"#)),
            _ => json(r#"{"is": "big", "value": 1}"#),
        }
    });
    let (_, said) = recorded(&wrong, 1, &["--values", "random", "--seed", "5"]);
    expect(
        &said,
        1,
        &["ask?(0, 3)", "with the smallest values that fail"],
    );
}

#[test]
fn a_record_is_drawn_and_a_transcript_is_monitored_and_audited() {
    let (folder, _) = recorded(&service(9_001, 7), 1, &["--transcript", "run.jsonl"]);
    let folder = folder.path();
    let said = run(folder, &["draw", "run.json#test_1", "-o", "failure.svg"]);
    expect(&said, 0, &[]);
    let drawn = std::fs::read_to_string(folder.join("failure.svg")).unwrap();
    assert!(drawn.contains("ask(9001, 0)"), "{drawn}");
    let property = "\
property modest on S {
  context ask[USER,S]?(value1 = x) where x <= 10000
  within 1 messages per session
  expect small[S,USER]!(value = y) where y == x
}
";
    std::fs::write(folder.join("modest.prop"), property).unwrap();
    let said = run(folder, &["monitor", "modest.prop", "--log", "S=run.jsonl"]);
    expect(&said, 1, &["modest: fails", "big!(value = 7)"]);
    assert!(!said.text.contains("warning"), "{}", said.text);
    // The bank is not seen by the tester who plays the user, so the model is audited without it.
    let user = LIMIT.replace(
        "1 -> 3: [x > 10000] number[BK,S]?<n>\n3 -> 4: big[S,USER]!n",
        "1 -> 4: [x > 10000] big[S,USER]!n",
    );
    std::fs::write(folder.join("user.stg"), user).unwrap();
    let said = run(folder, &["audit", "user.stg", "--log", "S=run.jsonl"]);
    expect(&said, 1, &["session test_1/"]);
    assert!(!said.text.contains("CH0975"), "{}", said.text);
}
