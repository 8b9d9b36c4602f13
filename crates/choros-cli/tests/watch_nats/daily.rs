//! What those who run a watch do every day: look at it, be told, change its properties, add and remove workers.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Output;
use std::sync::{Arc, Mutex};

use choros_testkit::{Random, seed_from_env};

use crate::runs::{Case, Running};
use crate::servers::{Server, program, wait_for};

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Asks a page for something.
pub(crate) fn page(address: &str, path: &str) -> String {
    let Ok(mut stream) = TcpStream::connect(address) else {
        return String::new();
    };
    let _ = write!(stream, "GET {path} HTTP/1.1\r\n\r\n");
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    text
}

/// What was posted to an address.
fn listener() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let posted: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = posted.clone();
    std::thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let mut text = Vec::new();
            let mut bytes = [0; 4096];
            let is_whole = |text: &[u8]| {
                let text = String::from_utf8_lossy(text).into_owned();
                let (head, body) = text.split_once("\r\n\r\n")?;
                let (_, length) = head.split_once("Content-Length: ")?;
                let length = length.split_whitespace().next()?;
                let length: usize = length.parse().ok()?;
                (body.len() >= length).then(|| body.to_owned())
            };
            let body = loop {
                let count = client.read(&mut bytes).unwrap_or(0);
                text.extend(&bytes[..count]);
                match is_whole(&text) {
                    Some(body) => break body,
                    None if count == 0 => break String::new(),
                    None => {}
                }
            };
            kept.lock().expect("a lock").push(body);
            let _ = write!(client, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        }
    });
    (address, posted)
}

#[test]
fn metrics_webhooks_commands_and_logs() {
    let Some(program) = program() else { return };
    let mut random = Random::new(seed_from_env());
    let case = Case::new(&mut random, 120);
    let server = Server::alone(&program, case.folder.path(), "");
    let url = server.url("shop");
    case.feed(&url, "--partitions 2");
    let (webhook, failed) = listener();
    let (collector, logs) = listener();
    // A script, because the words of this test are divided at spaces.
    std::fs::write(case.path("told.sh"), "#!/bin/sh\ncat >> told.txt\n").expect("a script");
    let words = format!(
        "watch p.prop --stream {url} --workers 1 --metrics 127.0.0.1:0 --webhook http://{webhook}/fails \
         --otlp-logs http://{collector} --on-fail ./told.sh --verdicts v.jsonl"
    );
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(case.path("told.sh"), mode).expect("a mode");
    let log = std::fs::File::create(case.path("said.txt")).expect("a file");
    let mut watch = Running::new(case.spawn_saying(&words, log));
    case.expect_same(&url);
    let fails = std::fs::read_to_string(case.path("w.jsonl")).expect("verdicts");
    let fails: Vec<&str> = fails.lines().filter(|it| it.contains("\"fail\"")).collect();
    wait_for("failures at the webhook", || {
        failed.lock().expect("a lock").len() >= fails.len()
    });
    wait_for("failures at the command", || {
        let told = std::fs::read_to_string(case.path("told.txt")).unwrap_or_default();
        told.lines().count() >= fails.len()
    });
    wait_for("records at the collector", || {
        let logs = logs.lock().expect("a lock");
        logs.iter()
            .any(|it| it.contains("\"severityText\":\"ERROR\""))
    });
    let said = std::fs::read_to_string(case.path("said.txt")).expect("a file");
    let (_, address) = said.split_once("metrics on http://").expect("an address");
    let address = address.split('/').next().expect("an address");
    let (mut metrics, total) = (
        String::new(),
        format!("choros_verdicts_total{{property=\"once\",verdict=\"fail\"}} "),
    );
    wait_for("metrics", || {
        metrics = page(address, "/metrics");
        metrics.contains(&total) && !metrics.contains(&format!("{total}0\n"))
    });
    for name in [
        "owned{partition=\"1\"} 1",
        "lag_messages",
        "open_windows",
        "takeovers_total{partition=\"0\"} 1",
        "members 1",
    ] {
        assert!(
            metrics.contains(&format!("choros_{name}")),
            "{name}: {metrics}"
        );
    }
    assert!(page(address, "/healthz").contains("ok"));
    watch.kill();
}

#[test]
fn properties_change_while_they_are_judged() {
    let Some(program) = program() else { return };
    let mut random = Random::new(seed_from_env());
    let case = Case::new(&mut random, 200);
    let server = Server::alone(&program, case.folder.path(), "");
    let url = server.url("shop");
    let feed = |words: &str| {
        let output = case.run(&format!("feed {words} --stream {url}"));
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    };
    let log = std::fs::read_to_string(case.path("s.jsonl")).expect("a log");
    let half = log.len() / 2;
    let half = half + log[half..].find('\n').expect("a line") + 1;
    let (before, after) = log.split_at(half);
    std::fs::write(case.path("s1.jsonl"), before).expect("a file");
    std::fs::write(case.path("s2.jsonl"), after).expect("a file");
    feed("--log s=s1.jsonl --partitions 2");
    let mut worker = Running::new(case.spawn(&format!("watch p.prop --stream {url}")));
    // Someone has to say what the first version is.
    wait_for("a version", || {
        let output = case.run(&format!(
            "watch new.prop --stream {url} --workers 0 --until-end"
        ));
        said(&output).contains("watches other properties")
            || {
                let new = "property never_ask on s { context ask[c,s]? (any) within 1 messages per session never answer[s,c]! (any) }";
                std::fs::write(case.path("new.prop"), new).expect("a file");
                false
            }
    });
    feed("new.prop --change watch");
    // Again: nothing more is put there.
    feed("new.prop --change watch");
    feed("--log s=s2.jsonl --source second --end");
    let words = format!("watch new.prop --stream {url} --until-end --verdicts n.jsonl");
    let output = case.run(&words);
    assert!(
        said(&output).contains("about properties of other versions")
            || String::from_utf8_lossy(&output.stdout)
                .contains("about properties of other versions"),
        "{output:?}"
    );
    let verdicts = std::fs::read_to_string(case.path("n.jsonl")).expect("verdicts");
    assert!(
        verdicts.contains("never_ask") && !verdicts.contains("answered"),
        "{verdicts}"
    );
    worker.kill();
}

#[test]
fn workers_come_and_go() {
    let Some(program) = program() else { return };
    let mut random = Random::new(seed_from_env());
    let case = Case::new(&mut random, 400);
    let server = Server::alone(&program, case.folder.path(), "");
    let url = server.url("shop");
    let output = case.run(&format!(
        "feed --log c=c.jsonl --log s=s.jsonl --stream {url} --partitions 4"
    ));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let start = |number: usize| {
        let log = std::fs::File::create(case.path(&format!("said{number}.txt"))).expect("a file");
        let words = format!("watch p.prop --stream {url} --workers 2 --metrics 127.0.0.1:0");
        Running::new(case.spawn_saying(&words, log))
    };
    let owned = |number: usize| {
        let said =
            std::fs::read_to_string(case.path(&format!("said{number}.txt"))).unwrap_or_default();
        let Some((_, address)) = said.split_once("metrics on http://") else {
            return 0;
        };
        let metrics = page(address.split('/').next().unwrap_or_default(), "/metrics");
        metrics
            .lines()
            .filter(|it| it.starts_with("choros_owned") && it.ends_with(" 1"))
            .count()
    };
    let mut one = start(0);
    wait_for("all partitions with one", || owned(0) == 4);
    // A second one takes its share.
    let mut other = start(1);
    wait_for("a fair share", || owned(0) == 2 && owned(1) == 2);
    // One that is asked to end gives its partitions back.
    one.interrupt();
    one.output("a worker that was interrupted");
    wait_for("all partitions with the other", || owned(1) == 4);
    case.feed(&url, "");
    case.expect_same(&url);
    other.kill();
}
