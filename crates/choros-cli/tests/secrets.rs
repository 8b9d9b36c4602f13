//! What a mapping takes from the environment reaches the service, and nothing that `drive` or `tests` writes.

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;

use support::choros;

/// The answer must be `ok`; both services below say something else.
const MODEL: &str = "\
stg asking explicit
variables x: Int, y: String
initial 0
0 -> 1: ask[USER,S]?<x>
1 -> 2: [y == \"ok\"] reply[S,USER]!y
2: end
";

const MAPPING: &str = r#"{
  "headers": { "authorization": "Bearer $CHOROS_TEST_TOKEN", "x-api-key": "literal-0123456789-key" },
  "operations": {
    "ask": { "path": "/ask", "fields": ["x"], "answers": ["reply"] },
    "reply": { "fields": ["y"] } } }"#;

const TOKEN: &str = "tok-7f3a9c1e55d2b804-a\"b<c>&d";

/// No piece of the secrets that is long enough to be of use.
const PIECES: &[&str] = &["tok-7f3a", "9c1e55d2", "literal-0123", "56789-key"];

/// A service that sends back what it was told in secret: in a field, or in the text of an error.
fn talkative(is_error: bool) -> String {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let target = format!("http://{}", socket.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in socket.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut secrets, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap_or(0) == 0 {
                    return;
                }
                match line.trim().split_once(": ") {
                    Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                        length = value.parse().unwrap();
                    }
                    Some(("authorization" | "x-api-key", value)) => {
                        secrets.push_str(value);
                        secrets.push(' ');
                    }
                    _ => {}
                }
                if line.trim().is_empty() {
                    break;
                }
            }
            reader.read_exact(&mut vec![0; length]).unwrap();
            assert!(secrets.contains(TOKEN), "the service is told");
            let (status, kind, body) = if is_error {
                ("500 No", "text/plain", format!("no such token: {secrets}"))
            } else {
                let body = serde_json::json!({ "y": secrets }).to_string();
                ("200 OK", "application/json", body)
            };
            let answer = format!(
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    target
}

fn assert_clean(what: &str, text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    for piece in PIECES {
        assert!(!text.contains(piece), "{what} holds `{piece}`:\n{text}");
    }
}

fn assert_files_clean(folder: &Path) -> usize {
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files += assert_files_clean(&path);
        } else if path.file_name().is_some_and(|name| name != "map.json") {
            assert_clean(&path.display().to_string(), &std::fs::read(&path).unwrap());
            files += 1;
        }
    }
    files
}

#[test]
fn no_output_of_drive_holds_a_secret() {
    for is_error in [false, true] {
        let target = talkative(is_error);
        let formats: &[&str] = if is_error {
            &["text", "json"]
        } else {
            &["text", "json", "junit", "sarif", "html"]
        };
        for format in formats {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("asking.stg"), MODEL).unwrap();
            std::fs::write(folder.path().join("map.json"), MAPPING).unwrap();
            let output = choros()
                .current_dir(folder.path())
                .env("CHOROS_TEST_TOKEN", TOKEN)
                .args(["drive", "asking.stg", "--mapping", "map.json"])
                .args([
                    "--target", &target, "--format", format, "--record", "run.json",
                ])
                .args(["--transcript", "run.jsonl", "--resume", "done.jsonl"])
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(said.contains("[secret]"), "{format}: {said}\n{told}");
            assert_clean(format, &output.stdout);
            assert_clean("standard error", &output.stderr);
            assert_eq!(assert_files_clean(folder.path()), 4);
            let record = std::fs::read_to_string(folder.path().join("run.json")).unwrap();
            serde_json::from_str::<serde_json::Value>(&record).unwrap();
        }
    }
}

#[test]
fn no_emitted_test_holds_what_the_environment_says() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("asking.stg"), MODEL).unwrap();
    let mapping = MAPPING.replace("literal-0123456789-key", "$CHOROS_TEST_TOKEN");
    std::fs::write(folder.path().join("map.json"), mapping).unwrap();
    let output = choros()
        .current_dir(folder.path())
        .env("CHOROS_TEST_TOKEN", TOKEN)
        .args(["tests", "asking.stg", "--mapping", "map.json"])
        .args(["--emit", "python", "-o", "out"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_clean("standard output", &output.stdout);
    assert!(assert_files_clean(folder.path()) > 2);
}
