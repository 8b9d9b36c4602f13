//! Services that do what their model says in ways that a hasty tester would not expect, over real sockets: none of
//! them is blamed.

#[path = "support/fake.rs"]
mod fake;
mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use fake::{Act, json, serve};
use support::{choros, free_address};

/// The exit code, and everything that was said.
fn drive(model: &str, mapping: &str, target: &str, more: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.stg"), model).unwrap();
    std::fs::write(folder.path().join("map.json"), mapping).unwrap();
    let output = choros()
        .current_dir(folder.path())
        .args(["drive", "m.stg", "--mapping", "map.json"])
        .args(["--target", target])
        .args(more)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

fn asked(body: &str) -> serde_json::Value {
    let json: serde_json::Value = serde_json::from_str(body).unwrap();
    json["value"].clone()
}

fn post(address: &str, path: &str, body: &str) -> String {
    let Ok(mut stream) = std::net::TcpStream::connect(address) else {
        return String::new();
    };
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(request.as_bytes());
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer
}

const ECHO: &str = "\
stg echo explicit
variables x: Int
initial 0
0 -> 1: o[USER,S]?<x>
1 -> 2: o[S,USER]!x
2: end
";
const ECHO_MAP: &str = r#"{"operations": {"o": {"answers": ["o"]}}}"#;

#[test]
fn an_answer_that_the_model_has_after_a_tick_is_waited_for() {
    let model = "\
stg later explicit
variables x: Int
initial 0
0 -> 1: o[USER,S]?<x>
1 -> 2: tick
2 -> 3: o[S,USER]!x
3: end
";
    let service = serve(|_, body| Act::Late(2_500, format!(r#"{{"value": {}}}"#, asked(body))));
    let more = ["--tick", "2.5", "--answer-within", "500", "--values", "any"];
    let (code, text) = drive(model, ECHO_MAP, &service, &more);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn a_partner_whom_the_model_lets_wait_is_not_answered_before() {
    // The bank does not answer within a tick, and the service gives up: what it is told meanwhile must not be an error.
    let model = "\
stg patient explicit
variables x: Int
initial 0
0 -> 1: o[USER,S]?<x>
1 -> 2: lend[S,BK]!x
2 -> 3: tick
3 -> 4: o[S,USER]!x
4: end
";
    let bank = free_address();
    let place = bank.clone();
    let service = serve(move |_, body| {
        let value = asked(body);
        let (place, body) = (place.clone(), body.to_owned());
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || sender.send(post(&place, "/lend", &body)));
        match receiver.recv_timeout(Duration::from_millis(2_500)) {
            Ok(answer) => json(format!(r#"{{"value": -1, "why": {answer:?}}}"#)),
            Err(_) => json(format!(r#"{{"value": {value}}}"#)),
        }
    });
    let mapping = r#"{"operations": {"o": {"answers": ["o"]}, "lend": {"answers": ["lend"]}}}"#;
    let at = format!("BK={bank}");
    let more = [
        "--tick",
        "2.5",
        "--answer-within",
        "500",
        "--values",
        "any",
        "--mock-partners",
        "--mock-at",
        &at,
    ];
    let (code, text) = drive(model, mapping, &service, &more);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn what_a_conversation_before_still_says_is_not_held_against_the_next() {
    // A service that always says no, and tells the bank so a tick later: the test of `yes` is over by then.
    let model = "\
stg left explicit
variables x: Int
initial 0
0 -> 1: ask[USER,S]?<x>
1 -> 2: tau
2 -> 4: yes[S,USER]!x
1 -> 3: tau
3 -> 5: no[S,USER]!x
5 -> 6: tick
6 -> 4: gone[S,BK]!x
4: end
";
    let mapping = r#"{"operations": {"ask": {"answers": ["yes", "no"]},
        "yes": {"constants": {"is": "yes"}}, "no": {"constants": {"is": "no"}}}}"#;
    let bank = free_address();
    let place = bank.clone();
    let service = serve(move |_, body| {
        let value = asked(body);
        let place = place.clone();
        let told = format!(r#"{{"value": {value}}}"#);
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(600));
            post(&place, "/gone", &told);
        });
        json(format!(r#"{{"is": "no", "value": {value}}}"#))
    });
    let at = format!("BK={bank}");
    for values in ["any", "bounds"] {
        let more = [
            "--tick",
            "0.6",
            "--values",
            values,
            "--mock-partners",
            "--mock-at",
            &at,
            "--pause",
            "200",
        ];
        let (code, text) = drive(model, mapping, &service, &more);
        assert_eq!(code, 4, "{values}: {text}");
        assert!(!text.contains("fails"), "{values}: {text}");
        // The call of the conversation before was told from those of the test, or the test was run again because of it.
        let is_noticed = text.contains("did not end") || text.contains("was not over");
        assert!(is_noticed, "{values}: {text}");
    }
}

#[test]
fn a_connection_may_be_closed_when_it_is_used_again() {
    let model = "\
stg twice explicit
variables x: Int
initial 0
0 -> 1: o[USER,S]?<x>
1 -> 2: o[S,USER]!x
2 -> 3: o[USER,S]?<x>
3 -> 4: o[S,USER]!x
4: end
";
    // Each connection takes one request, says nothing of closing, and closes when the next request comes.
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let target = format!("http://{}", socket.local_addr().unwrap());
    std::thread::spawn(move || {
        for client in socket.incoming().map_while(Result::ok) {
            std::thread::spawn(move || {
                let mut reader = BufReader::new(client.try_clone().unwrap());
                let (mut line, mut length) = (String::new(), 0);
                while reader.read_line(&mut line).unwrap_or(0) > 2 {
                    let lower = line.to_lowercase();
                    if let Some(value) = lower.strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap();
                    }
                    line.clear();
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).unwrap();
                let mut writer = client;
                let _ = writer.write_all(
                    format!(
                        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
                    )
                    .as_bytes(),
                );
                let _ = writer.write_all(&body);
                let _ = reader.read(&mut [0; 1]);
            });
        }
    });
    let (code, text) = drive(model, ECHO_MAP, &target, &["--values", "any"]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn a_service_that_resets_every_connection_is_found_nevertheless() {
    let (code, text) = drive(ECHO, ECHO_MAP, &serve(|_, _| Act::Reset), &[]);
    assert_eq!(code, 1, "{text}");
}

#[test]
fn a_call_may_be_taken_without_an_answer_where_the_model_has_none() {
    let model = "\
stg some explicit
variables x: Int
initial 0
0 -> 1: o[USER,S]?<x>
1 -> 2: [x > 5] o[S,USER]!x
1 -> 2: [x <= 5] tau
2: end
";
    let service = serve(|_, body| {
        if asked(body).as_i64().unwrap() > 5 {
            json(body.to_owned())
        } else {
            Act::Answer(204, "text/plain", String::new())
        }
    });
    let more = ["--answer-within", "500", "--coverage", "paths"];
    let (code, text) = drive(model, ECHO_MAP, &service, &more);
    assert_eq!(code, 0, "{text}");
    // Where there must be one, its absence is found.
    let silent = serve(|_, _| Act::Answer(204, "text/plain", String::new()));
    let (code, text) = drive(model, ECHO_MAP, &silent, &more);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("did not come in time"), "{text}");
}

#[test]
fn an_answer_that_the_mapping_cannot_tell_from_another_blames_nobody() {
    let model = "\
stg alike explicit
variables x: Int
initial 0
0 -> 1: ask[USER,S]?<x>
1 -> 2: [x > 5] big[S,USER]!x
1 -> 2: [x <= 5] small[S,USER]!x
2: end
";
    let mapping = r#"{"operations": {"ask": {"answers": ["big", "small"]}}}"#;
    let service = serve(|_, body| json(body.to_owned()));
    let (code, text) = drive(model, mapping, &service, &[]);
    assert_eq!(code, 4, "{text}");
    assert!(text.contains("the binding does not say whether"), "{text}");
    // A word about one of them is enough.
    let told = r#"{"operations": {"ask": {"answers": ["big", "small"]}, "big": {"status": 201}}}"#;
    let service = serve(|_, body| {
        if asked(body).as_i64().unwrap() > 5 {
            Act::Answer(201, "application/json", body.to_owned())
        } else {
            json(body.to_owned())
        }
    });
    let (code, text) = drive(model, told, &service, &[]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn numbers_are_read_as_they_are_written() {
    let model = "\
stg sums explicit
variables x: Int, y: Int
initial 0
0 -> 1: o[USER,S]?<x>
1 -> 2: [x == 3] tau / y := 123456789012345678901234567890
2 -> 3: o[S,USER]!y
3: end
";
    let service = serve(|_, _| json(r#"{"value": 123456789012345678901234567890}"#));
    let (code, text) = drive(model, ECHO_MAP, &service, &[]);
    assert_eq!(code, 0, "{text}");
    let wrong = serve(|_, _| json(r#"{"value": 123456789012345678901234567891}"#));
    let (code, text) = drive(model, ECHO_MAP, &wrong, &[]);
    assert_eq!(code, 1, "{text}");
    // Ways to write three that are all the same.
    let same = "\
stg three explicit
variables x: Int
initial 0
0 -> 1: o[USER,S]?<x>
1 -> 2: o[S,USER]!3
2: end
";
    for written in ["3", "3.0", "0.3e1", "3E0", "\"3\"", "30e-1"] {
        let body = format!(r#"{{"more": [1], "value": {written}, "none": null}}"#);
        let service = serve(move |_, _| json(body.clone()));
        let (code, text) = drive(same, ECHO_MAP, &service, &["--values", "any"]);
        assert_eq!(code, 0, "{written}: {text}");
    }
}

#[test]
fn who_waits_very_long_does_not_give_up_at_once() {
    let service = serve(|_, body| json(body.to_owned()));
    let most = u64::MAX.to_string();
    let more = [
        "--answer-within",
        &most,
        "--tick",
        "1e8",
        "--time-scale",
        "1e8",
        "--tolerance",
        &most,
    ];
    let (code, text) = drive(ECHO, ECHO_MAP, &service, &more);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn who_only_looks_around_at_a_partner_is_turned_away() {
    let model = "\
stg looks explicit
variables x: Int
initial 0
0 -> 1: o[USER,S]?<x>
1 -> 2: lend[S,BK]!x
2 -> 3: o[S,USER]!x
3: end
";
    let bank = free_address();
    let place = bank.clone();
    let service = serve(move |_, body| {
        let mut stream = std::net::TcpStream::connect(&place).unwrap();
        let _ = stream.write_all(b"HEAD /lend HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        assert!(answer.starts_with("HTTP/1.1 405"), "{answer}");
        post(&place, "/lend", body);
        json(body.to_owned())
    });
    let at = format!("BK={bank}");
    let more = ["--mock-partners", "--mock-at", &at];
    let (code, text) = drive(model, ECHO_MAP, &service, &more);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn a_service_that_does_not_stop_talking_is_not_listened_to_for_ever() {
    let model = "\
stg chatty explicit
variables x: Int
initial 0
0 -> 1: o[USER,S]?<x>
1 -> 2: o[S,USER]!x
2 -> 2: news[S,BK]!x
2: end
";
    let bank = free_address();
    let place = bank.clone();
    let service = serve(move |_, body| {
        for _ in 0..8 {
            let (place, body) = (place.clone(), body.to_owned());
            std::thread::spawn(move || while !post(&place, "/news", &body).is_empty() {});
        }
        json(body.to_owned())
    });
    let at = format!("BK={bank}");
    let more = ["--mock-partners", "--mock-at", &at, "--values", "any"];
    let begun = std::time::Instant::now();
    let (code, text) = drive(model, ECHO_MAP, &service, &more);
    assert!(matches!(code, 0 | 4), "{code}: {text}");
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
}
