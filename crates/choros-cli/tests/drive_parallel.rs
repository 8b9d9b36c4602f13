//! Several conversations at a time with a service that calls the tester: calls are told apart by their values.

#[path = "support/fake.rs"]
mod fake;
mod support;

use fake::{Act, json, serve};
use support::{choros, free_address};

/// A bank is asked for each amount, and what it adds is told; large amounts are asked for twice.
const LENDING: &str = "\
stg lending explicit
variables x: Int, y: Int, z: Int
initial 0
0 -> 1: ask[USER,S]?<x>
1 -> 2: [x <= 100] lend[S,BK]!x
2 -> 3: lend[BK,S]?<y>
3 -> 9: ask[S,USER]!(x + y)
1 -> 4: [x > 100] lend[S,BK]!x
4 -> 5: lend[BK,S]?<y>
5 -> 6: lend[S,BK]!(x + y)
6 -> 7: lend[BK,S]?<z>
7 -> 9: ask[S,USER]!(y + z)
9: end
";

const MAPPING: &str =
    r#"{"operations": {"ask": {"answers": ["ask"]}, "lend": {"answers": ["lend"]}}}"#;

/// The service; its answers to large amounts are too large by so much.
fn lending(bank: String, more: i64) -> String {
    let value = |body: &str| {
        let json: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
        json["value"].as_i64()
    };
    serve(move |_, body| {
        let lend = |amount: i64| value(&post(&bank, &format!(r#"{{"value": {amount}}}"#)));
        let Some(x) = value(body) else {
            return Act::Answer(400, "text/plain", "no value".to_owned());
        };
        let told = if x <= 100 {
            lend(x).map(|y| x + y)
        } else {
            lend(x).and_then(|y| Some(y + lend(x + y)? + more))
        };
        match told {
            Some(told) => json(format!(r#"{{"value": {told}}}"#)),
            None => Act::Answer(500, "text/plain", "the bank does not lend".to_owned()),
        }
    })
}

fn post(address: &str, body: &str) -> String {
    use std::io::{Read, Write};
    let Ok(mut stream) = std::net::TcpStream::connect(address) else {
        return String::new();
    };
    let request = format!(
        "POST /lend HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(request.as_bytes());
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer
        .split("\r\n\r\n")
        .nth(1)
        .unwrap_or_default()
        .to_owned()
}

/// Drives the service, several tests at a time; the exit code and what was said.
fn drive(more_lent: i64, more: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.stg"), LENDING).unwrap();
    std::fs::write(folder.path().join("map.json"), MAPPING).unwrap();
    let bank = free_address();
    let target = lending(bank.clone(), more_lent);
    let output = choros()
        .current_dir(folder.path())
        .args([
            "drive",
            "m.stg",
            "--mapping",
            "map.json",
            "--target",
            &target,
        ])
        .args(["--play", "USER,BK", "--mock-at", &format!("BK={bank}")])
        .args([
            "--coverage",
            "paths",
            "--answer-within",
            "5000",
            "--parallel",
            "4",
        ])
        .args(more)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

#[test]
fn a_correct_service_is_not_blamed_for_the_calls_of_other_tests() {
    for seed in ["1", "2", "3", "4", "5", "6"] {
        let (code, text) = drive(0, &["--values", "random", "--seed", seed]);
        assert_eq!(code, Some(0), "seed {seed}: {text}");
    }
    // At the bounds all tests may ask for the same; what cannot be told apart is run again alone.
    let (code, text) = drive(0, &[]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn a_wrong_service_is_found_and_what_failed_among_others_is_run_again_alone() {
    let (code, text) = drive(1, &["--values", "random"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("no branch allows ask[S,USER]"), "{text}");
    assert!(text.contains("run again alone"), "{text}");
    assert!(
        text.contains("smallest values that fail") && text.contains("ask?(101)"),
        "{text}"
    );
}
