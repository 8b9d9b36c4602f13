//! An interrupt, with a real signal: the partial result is printed and the exit code is 130.
#![cfg(unix)]

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Twenty loops side by side: far more states than are explored within the time of a test.
fn endless_model() -> String {
    let loops: Vec<String> = (0..20)
        .map(|index| format!("(A{index}[a,b].<x{index}> ; B{index}[a,b])"))
        .collect();
    format!(
        "DECLARATIONS\n\ncomponent endless chorD\n    {}\nend component\n",
        loops.join(" | ")
    )
}

#[test]
fn an_interrupt_prints_what_is_known() {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => panic!("no temporary folder: {error}"),
    };
    let file = folder.path().join("endless.schora");
    if let Err(error) = std::fs::write(&file, endless_model()) {
        panic!("{error}");
    }
    let started = Command::new(env!("CARGO_BIN_EXE_choros"))
        .args(["explore", "--max-states", "1000000000", "--format", "json"])
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) => panic!("{error}"),
    };
    std::thread::sleep(Duration::from_millis(700));
    let signalled = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(signalled.is_ok_and(|status| status.success()));
    let deadline = Instant::now() + Duration::from_secs(30);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(20)),
            other => {
                let _ = child.kill();
                panic!("the run did not end: {other:?}");
            }
        }
    };
    let mut text = String::new();
    if let Some(mut out) = child.stdout.take() {
        let _ = out.read_to_string(&mut text);
    }
    assert_eq!(status.code(), Some(130), "{text}");
    assert!(text.contains("\"interrupted\": true"), "{text}");
    assert!(text.contains("\"complete\": false"), "{text}");
}
