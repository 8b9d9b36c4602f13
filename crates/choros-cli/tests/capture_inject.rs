//! A proxy that injects faults between programs: what reaches the service, what the client hears, what is logged.

#[path = "support/fake.rs"]
mod fake;
mod support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fake::{json, serve};
use support::{Program, choros};

/// What a client of a proxy saw.
struct Seen {
    /// The whole answer; empty if the connection ended without one.
    answer: String,
    /// How often the service was called.
    calls: usize,
    /// How many messages were logged.
    logged: usize,
    took: Duration,
    /// What the proxy says at its end.
    said: String,
}

fn through(folder: &Path, faults: &str) -> Seen {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let service = serve(move |_, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        json(r#"{"said": true}"#)
    });
    let log = folder.join("s.jsonl");
    let proxy = ["capture", "--listen", ":0", "--as", "c,s", "--for", "2"];
    let mut command = choros();
    command.args(proxy).args(["--forward", &service]);
    command.args(["--inject", faults, "--seed", "3"]);
    let proxy = Program::start(command.arg("-o").arg(&log));
    let url = proxy.url();
    let begun = Instant::now();
    let mut client = TcpStream::connect(url.trim_start_matches("http://")).unwrap();
    client
        .write_all(b"POST /say HTTP/1.1\r\nHost: s\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
        .unwrap();
    let mut answer = String::new();
    // A connection that is reset has no answer either.
    let _ = client.read_to_string(&mut answer);
    let took = begun.elapsed();
    let said = proxy.rest();
    let logged = std::fs::read_to_string(&log).unwrap_or_default();
    Seen {
        answer,
        calls: calls.load(Ordering::Relaxed),
        logged: logged.lines().count(),
        took,
        said,
    }
}

#[test]
fn each_fault_does_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let seen = |faults: &str| {
        let own = folder.path().join(faults.replace([':', '%'], "-"));
        std::fs::create_dir(&own).unwrap();
        through(&own, faults)
    };
    // A request that no one gets is in no log.
    let lost = seen("lose:100%");
    assert_eq!((&*lost.answer, lost.calls, lost.logged), ("", 0, 0));
    assert!(
        lost.said.contains("injected faults: lose 1"),
        "{}",
        lost.said
    );
    let refused = seen("error:100%");
    assert!(
        refused.answer.starts_with("HTTP/1.1 500"),
        "{}",
        refused.answer
    );
    assert_eq!((refused.calls, refused.logged), (0, 0));
    let broken = seen("hangup:100%");
    assert_eq!((&*broken.answer, broken.calls, broken.logged), ("", 1, 2));
    let doubled = seen("duplicate:100%");
    assert!(
        doubled.answer.starts_with("HTTP/1.1 200"),
        "{}",
        doubled.answer
    );
    assert_eq!((doubled.calls, doubled.logged), (2, 4));
    let late = seen("delay:300ms:100%");
    assert!(late.answer.contains(r#"{"said": true}"#), "{}", late.answer);
    assert!(late.took >= Duration::from_millis(300), "{:?}", late.took);
    assert_eq!((late.calls, late.logged), (1, 2));
}

#[test]
fn a_mistake_is_told_before_anything_is_listened_to() {
    let output = choros()
        .args([
            "capture",
            "--listen",
            ":0",
            "--as",
            "c,s",
            "--forward",
            "http://127.0.0.1:1",
        ])
        .args(["-o", "never.jsonl", "--inject", "loose"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("did you mean `lose`"), "{text}");
}
