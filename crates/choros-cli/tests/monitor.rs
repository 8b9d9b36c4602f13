//! The monitor as a process: killed and started again, listening, and as one of several testers.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use choros_testkit::MonitorLog;

fn choros() -> Command {
    Command::new(env!("CARGO_BIN_EXE_choros"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Waits until something is so, for ten seconds.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "waited in vain: {what}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Ends a process that a failed test would leave behind.
struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn lines(messages: &[String], from: usize, to: usize) -> String {
    messages[from..to.min(messages.len())].concat()
}

/// After kill -9 and a restart, no verdict is lost and none is given twice.
#[test]
fn a_killed_monitor_goes_on_where_it_was() {
    for kind in [MonitorLog::P1, MonitorLog::P2] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("p.prop"), kind.property()).unwrap();
        let messages: Vec<String> = kind
            .messages(6000, 7)
            .iter()
            .enumerate()
            .map(|(position, message)| message.line(position))
            .collect();
        fs::write(at("whole.jsonl"), messages.concat()).unwrap();
        let whole = choros()
            .current_dir(folder.path())
            .args([
                "monitor",
                "p.prop",
                "--log",
                "s=whole.jsonl",
                "--state",
                "whole.state",
            ])
            .args(["--verdicts", "whole.verdicts"])
            .output()
            .unwrap();
        assert!(
            matches!(whole.status.code(), Some(1)),
            "{}",
            text(&whole.stderr)
        );

        fs::write(at("s.jsonl"), "").unwrap();
        let mut log = OpenOptions::new().append(true).open(at("s.jsonl")).unwrap();
        let mut written = 0;
        // Killed at several moments, in the middle of lines and between two savings of its state.
        for part in [700, 1500, 1501, 2400, 4000] {
            let mut child = Guard(
                choros()
                    .current_dir(folder.path())
                    .args(["monitor", "p.prop", "--log", "s=s.jsonl", "--follow"])
                    .args([
                        "--state",
                        "s.state",
                        "--state-every",
                        "30",
                        "--verdicts",
                        "s.verdicts",
                    ])
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .spawn()
                    .unwrap(),
            );
            log.write_all(lines(&messages, written, part).as_bytes())
                .unwrap();
            let half = messages[part].len() / 2;
            log.write_all(&messages[part].as_bytes()[..half]).unwrap();
            log.flush().unwrap();
            let size = fs::metadata(at("s.verdicts")).map_or(0, |it| it.len());
            wait_until("verdicts", || {
                fs::metadata(at("s.verdicts")).is_ok_and(|it| it.len() > size || part == 1501)
                    && at("s.state").exists()
            });
            child.0.kill().unwrap();
            child.0.wait().unwrap();
            log.write_all(&messages[part].as_bytes()[half..]).unwrap();
            written = part + 1;
        }
        log.write_all(lines(&messages, written, messages.len()).as_bytes())
            .unwrap();
        let last = choros()
            .current_dir(folder.path())
            .args(["monitor", "p.prop", "--log", "s=s.jsonl"])
            .args(["--state", "s.state", "--verdicts", "s.verdicts"])
            .output()
            .unwrap();
        assert!(
            matches!(last.status.code(), Some(1)),
            "{}",
            text(&last.stderr)
        );
        let (found, expected) = (
            fs::read_to_string(at("s.verdicts")).unwrap(),
            fs::read_to_string(at("whole.verdicts")).unwrap(),
        );
        assert!(
            found == expected,
            "{kind:?}: {} and {} bytes",
            found.len(),
            expected.len()
        );
        assert_eq!(
            text(&last.stdout).lines().nth(1),
            text(&whole.stdout).lines().nth(1)
        );
    }
}

/// The violations are those of the generator, line by line.
#[test]
fn violations_are_those_of_the_generator() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for kind in [MonitorLog::P1, MonitorLog::P2] {
        let messages = kind.messages(20_000, 11);
        let log: String = messages
            .iter()
            .enumerate()
            .map(|(position, it)| it.line(position))
            .collect();
        fs::write(at("s.jsonl"), log).unwrap();
        fs::write(at("p.prop"), kind.property()).unwrap();
        let output = choros()
            .current_dir(folder.path())
            .args([
                "monitor",
                "p.prop",
                "--log",
                "s=s.jsonl",
                "--verdicts",
                "v.jsonl",
            ])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        let verdicts = fs::read_to_string(at("v.jsonl")).unwrap();
        let mut failing: Vec<u64> = verdicts
            .lines()
            .filter(|line| line.contains("\"verdict\":\"fail\""))
            .map(|line| {
                let (_, rest) = line.split_once("\"opened\":{\"line\":").unwrap();
                rest[..rest.find(',').unwrap()].parse::<u64>().unwrap() - 1
            })
            .collect();
        failing.sort_unstable();
        assert_eq!(failing, kind.expected(&messages).failing, "{kind:?}");
    }
}

/// Logs of one service that follow each other are read as they were given, however long they are.
#[test]
fn logs_that_follow_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let kind = MonitorLog::P2;
    let messages: Vec<String> = kind
        .messages(20_000, 3)
        .iter()
        .enumerate()
        .map(|(position, message)| message.line(position))
        .collect();
    fs::write(at("p.prop"), kind.property()).unwrap();
    fs::write(at("whole.jsonl"), messages.concat()).unwrap();
    fs::write(at("first.jsonl"), messages[..9_001].concat()).unwrap();
    fs::write(at("second.jsonl"), messages[9_001..].concat()).unwrap();
    let judged = |logs: &[&str]| {
        let output = choros()
            .current_dir(folder.path())
            .args(["monitor", "p.prop"])
            .args(logs.iter().flat_map(|log| ["--log", log]))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
        text(&output.stdout).lines().nth(1).unwrap().to_owned()
    };
    let whole = judged(&["s=whole.jsonl"]);
    assert_eq!(judged(&["s=first.jsonl", "s=second.jsonl"]), whole);
    assert_eq!(judged(&["first.jsonl", "second.jsonl"]), whole);
}

const LOCAL: &str = "\
property price_2_at_s on s { context Request[c,s]?(weight = x1) within 1 messages expect Response[s,c]!(fee = x3) where x3 == x1 * 2 }
property price_3_at_s on s { context Request[c,s]?(weight = x1) within 1 messages expect Response[s,c]!(fee = x3) where x3 == x1 * 3 }
property price_2_at_a on a { context Commit[s,a]?(weight = y1) within 1 messages expect Withdraw[a,b]!(amount = y4) where y4 == y1 * 2 }
property price_3_at_a on a { context Commit[s,a]?(weight = y1) within 1 messages expect Withdraw[a,b]!(amount = y4) where y4 == y1 * 3 }
";
const GLOBAL: &str = "\
global property same_price_2 { when { price_2_at_s } then { price_2_at_a } }
global property same_price_3 { when { price_3_at_s } then { price_3_at_a } }
";

/// Starts a process and waits for the line in which it says where it listens.
fn announced(mut command: Command, word: &str) -> (Guard, String) {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    let address = line
        .trim()
        .strip_prefix(word)
        .unwrap_or_else(|| panic!("{line}"));
    (Guard(child), address.trim().to_owned())
}

fn finished(mut child: Guard) -> String {
    let mut out = String::new();
    let stdout = child.0.stdout.take();
    stdout.unwrap().read_to_string(&mut out).unwrap();
    child.0.wait().unwrap();
    out
}

/// Two local testers and a global one, each in a process of its own: the rounding fault is seen by the global one only.
#[test]
fn testers_in_separate_processes() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("local.prop", LOCAL);
    write("global.prop", GLOBAL);
    write(
        "s.jsonl",
        "{\"by\":\"s\",\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"Request\",\"data\":{\"weight\":4.96}}\n{\"by\":\"s\",\"dir\":\"send\",\"from\":\"s\",\"to\":\"c\",\"op\":\"Response\",\"data\":{\"price\":3,\"fee\":14.88}}\n",
    );
    write(
        "a.jsonl",
        "{\"by\":\"a\",\"dir\":\"recv\",\"from\":\"s\",\"to\":\"a\",\"op\":\"Commit\",\"data\":{\"weight\":4.96}}\n{\"by\":\"a\",\"dir\":\"send\",\"from\":\"a\",\"to\":\"b\",\"op\":\"Withdraw\",\"data\":{\"amount\":9.92}}\n",
    );
    let tester = |log: &str| {
        let mut command = choros();
        command.current_dir(folder.path()).args([
            "monitor",
            "local.prop",
            "--log",
            log,
            "--publish",
            ":0",
        ]);
        announced(command, "publishing on")
    };
    let (first, s) = tester("s=s.jsonl");
    let (second, a) = tester("a=a.jsonl");
    let global: Output = choros()
        .current_dir(folder.path())
        .args(["monitor", "global.prop"])
        .args([
            "--verdicts-from",
            &format!("s={s}"),
            "--verdicts-from",
            &format!("a={a}"),
        ])
        .output()
        .unwrap();
    let out = text(&global.stdout);
    assert_eq!(
        global.status.code(),
        Some(1),
        "{out}{}",
        text(&global.stderr)
    );
    assert!(out.contains("same_price_2: unknown"), "{out}");
    assert!(out.contains("same_price_3: fails"), "{out}");
    // The testers end when they have been heard.
    assert!(finished(first).contains("price_3_at_s"));
    assert!(finished(second).contains("price_3_at_a"));
}

/// What a tester doubts in the end, the global one doubts too, here because records of its log may have been dropped.
#[test]
fn doubts_reach_the_global_tester() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("local.prop", LOCAL);
    write("global.prop", GLOBAL);
    write(
        "s.jsonl",
        "{\"by\":\"s\",\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"Request\",\"data\":{\"weight\":4}}\n{\"by\":\"s\",\"dir\":\"send\",\"from\":\"s\",\"to\":\"c\",\"op\":\"Response\",\"data\":{\"price\":3,\"fee\":12}}\n",
    );
    write("a.jsonl", "");
    let mut command = choros();
    command.current_dir(folder.path()).args([
        "monitor",
        "local.prop",
        "--log",
        "s=s.jsonl",
        "--log",
        "a=a.jsonl",
        "--lossy",
        "--publish",
        ":0",
    ]);
    let (tester, address) = announced(command, "publishing on");
    let output = choros()
        .current_dir(folder.path())
        .args(["monitor", "global.prop"])
        .args(["--verdicts-from", &format!("s={address}")])
        .output()
        .unwrap();
    finished(tester);
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(4), "{out}");
    assert!(
        out.contains(
            "same_price_3: unknown: `price_3_at_s` is open: records may have been dropped"
        ),
        "{out}"
    );
}

/// A tester that ends without a word about its doubts, as older ones do, may doubt everything.
#[test]
fn a_yes_does_not_rest_on_a_tester_that_cannot_doubt() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("global.prop"), GLOBAL).unwrap();
    let heard = |last: &'static str| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let tester = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let verdicts = "<vdict prop=\"price_3_at_s\" tstamp=\"1\" msg=\"\">Pass</vdict>\n\
                 <vdict prop=\"price_3_at_a\" tstamp=\"2\" msg=\"\">Pass</vdict>\n";
            stream.write_all(verdicts.as_bytes()).unwrap();
            stream.write_all(last.as_bytes()).unwrap();
        });
        let output = choros()
            .current_dir(folder.path())
            .args(["monitor", "global.prop"])
            .args(["--verdicts-from", &format!("s={address}")])
            .output()
            .unwrap();
        tester.join().unwrap();
        text(&output.stdout)
    };
    let sure = heard("{\"end\":true,\"open\":{}}\n");
    assert!(!sure.contains("same_price_3: unknown"), "{sure}");
    for last in [
        "{\"end\":true}\n",
        "{\"end\":true,\"watched\":[\"price_3_at_s\"]}\n",
    ] {
        let out = heard(last);
        let reason = "same_price_3: unknown: `price_3_at_s` is open: its tester does not say";
        assert!(out.contains(reason), "{out}");
    }
}

/// Fact 38: P1s, P2s and P1a over 20 000 messages; Prop-tester needed 1.4 ms for each, an unoptimised build gets as much.
#[test]
fn fact_38_a_message_costs_less_than_prop_tester_needed() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "p.prop",
        "property P1s on s { context Request[c,s]?(any) within 1 messages expect Response[s,c]!(any) }
         property P2s on s { context Request[c,s]?(weight = x) within 1 messages expect Response[s,c]!(price = p, fee = f) where f == x * p }
         property P1a on a { context Commit[s,a]?(weight = x, card = c) within 1 messages expect Withdraw[a,b]!(card = d, amount = y) where d == c and (y == x * 2 or y == x * 3) }",
    );
    let (mut s, mut a) = (String::new(), String::new());
    for weight in 0..5000 {
        let wrong = u32::from(weight % 100 == 0);
        s += &format!(
            "{{\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"Request\",\"data\":{{\"weight\":{weight}}}}}\n"
        );
        s += &format!(
            "{{\"dir\":\"send\",\"from\":\"s\",\"to\":\"c\",\"op\":\"Response\",\"data\":{{\"price\":2,\"fee\":{}}}}}\n",
            2 * weight + wrong
        );
        a += &format!(
            "{{\"dir\":\"recv\",\"from\":\"s\",\"to\":\"a\",\"op\":\"Commit\",\"data\":{{\"weight\":{weight},\"card\":\"c{weight}\"}}}}\n"
        );
        a += &format!(
            "{{\"dir\":\"send\",\"from\":\"a\",\"to\":\"b\",\"op\":\"Withdraw\",\"data\":{{\"card\":\"c{weight}\",\"amount\":{}}}}}\n",
            3 * weight + wrong
        );
    }
    write("s.jsonl", &s);
    write("a.jsonl", &a);
    let begun = Instant::now();
    let output = choros()
        .current_dir(folder.path())
        .args([
            "monitor",
            "p.prop",
            "--log",
            "s=s.jsonl",
            "--log",
            "a=a.jsonl",
        ])
        .output()
        .unwrap();
    let taken = begun.elapsed();
    let out = text(&output.stdout);
    let row = |name: &str| {
        let line = out
            .lines()
            .find(|line| line.starts_with(name))
            .unwrap_or_default();
        line.split_whitespace()
            .skip(2)
            .take(2)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(row("P1s "), ["5000", "0"], "{out}");
    assert_eq!(row("P2s "), ["4950", "50"], "{out}");
    assert_eq!(row("P1a "), ["4950", "50"], "{out}");
    assert!(taken < Duration::from_micros(1400) * 20_000, "{taken:?}");
}

/// A global tester does not hold the silence of a service that no one watches against anyone.
#[test]
fn a_service_that_no_tester_watches() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("local.prop", LOCAL);
    write("global.prop", GLOBAL);
    write(
        "s.jsonl",
        "{\"by\":\"s\",\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"Request\",\"data\":{\"weight\":4}}\n{\"by\":\"s\",\"dir\":\"send\",\"from\":\"s\",\"to\":\"c\",\"op\":\"Response\",\"data\":{\"price\":3,\"fee\":12}}\n",
    );
    write("a.jsonl", "");
    let judged = |log_of_a: &[&str]| {
        let mut command = choros();
        command
            .current_dir(folder.path())
            .args([
                "monitor",
                "local.prop",
                "--log",
                "s=s.jsonl",
                "--publish",
                ":0",
            ])
            .args(log_of_a);
        let (tester, address) = announced(command, "publishing on");
        let output = choros()
            .current_dir(folder.path())
            .args(["monitor", "global.prop", "--verdicts", "g.jsonl"])
            .args(["--verdicts-from", &format!("s={address}")])
            .output()
            .unwrap();
        finished(tester);
        let verdicts = fs::read_to_string(folder.path().join("g.jsonl")).unwrap();
        (output.status.code(), text(&output.stdout), verdicts)
    };
    let (code, out, verdicts) = judged(&[]);
    assert_eq!(code, Some(4), "{out}");
    assert!(
        out.contains("same_price_3: unknown: no tester watches `price_3_at_a`"),
        "{out}"
    );
    assert!(!verdicts.contains("same_price_3"), "{verdicts}");
    // An empty log is a log: service `a` was watched, and did nothing.
    let (code, out, verdicts) = judged(&["--log", "a=a.jsonl"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("same_price_3: fails"), "{out}");
    assert!(
        verdicts.contains("\"property\":\"same_price_3\",\"verdict\":\"fail\""),
        "{verdicts}"
    );
}

/// What a global property was said to be before a restart is not said again.
#[test]
fn global_verdicts_are_given_once() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("all.prop", &format!("{LOCAL}{GLOBAL}"));
    write(
        "s.jsonl",
        "{\"by\":\"s\",\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"Request\",\"data\":{\"weight\":4}}\n{\"by\":\"s\",\"dir\":\"send\",\"from\":\"s\",\"to\":\"c\",\"op\":\"Response\",\"data\":{\"price\":3,\"fee\":12}}\n",
    );
    write("a.jsonl", "");
    let mut texts = Vec::new();
    for _ in 0..3 {
        let output = choros()
            .current_dir(folder.path())
            .args([
                "monitor",
                "all.prop",
                "--log",
                "s=s.jsonl",
                "--log",
                "a=a.jsonl",
            ])
            .args(["--state", "s.state", "--verdicts", "v.jsonl"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        texts.push(fs::read_to_string(folder.path().join("v.jsonl")).unwrap());
    }
    assert!(texts[0].contains("same_price_3"), "{}", texts[0]);
    assert_eq!(texts[0], texts[1]);
    assert_eq!(texts[0], texts[2]);
}

/// A tester that breaks off leaves the global one without an answer.
#[test]
fn a_tester_that_breaks_off() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("global.prop"), GLOBAL).unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream
            .write_all(b"{\"seq\":1,\"property\":\"price_3_at_s\",\"service\":\"s\",\"verdict\":\"pass\"}\n")
            .unwrap();
    });
    let output = choros()
        .current_dir(folder.path())
        .args([
            "monitor",
            "global.prop",
            "--verdicts-from",
            &format!("s={address}"),
        ])
        .output()
        .unwrap();
    server.join().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("CH0968"),
        "{}",
        text(&output.stderr)
    );
}

const ANSWERED: &str = "property p on s { context Request[c,s]?(any) with session within 2 messages expect Response[s,c]!(any) }\n";

fn observation(operation: &str, session: u32) -> String {
    let (direction, from, to) = match operation {
        "Request" => ("recv", "c", "s"),
        _ => ("send", "s", "c"),
    };
    format!(
        "{{\"by\":\"s\",\"dir\":\"{direction}\",\"from\":\"{from}\",\"to\":\"{to}\",\"op\":\"{operation}\",\"session\":{session}}}\n"
    )
}

fn listening(folder: &Path, connections: &str) -> (Guard, String) {
    fs::write(folder.join("p.prop"), ANSWERED).unwrap();
    let mut command = choros();
    command.current_dir(folder).args([
        "monitor",
        "p.prop",
        "--listen",
        ":0",
        "--connections",
        connections,
    ]);
    announced(command, "listening on")
}

/// Lines over TCP, and posted over HTTP in one piece and in chunks.
#[test]
fn observations_over_the_network() {
    let folder = tempfile::tempdir().unwrap();
    let (monitor, address) = listening(folder.path(), "3");
    let send = |bytes: &[u8]| -> String {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.write_all(bytes).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let plain = observation("Request", 1) + &observation("Response", 1);
    assert_eq!(send(plain.as_bytes()), "");
    let body = observation("Request", 2) + "rubbish\n" + &observation("Response", 2);
    let posted = format!(
        "POST /observations HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    assert!(send(posted.as_bytes()).starts_with("HTTP/1.1 204"));
    let (request, response) = (observation("Request", 3), observation("Other", 3));
    let chunked = format!(
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{request}\r\n{:x}\r\n{response}\r\n0\r\n\r\n",
        request.len(),
        response.len()
    );
    assert!(send(chunked.as_bytes()).starts_with("HTTP/1.1 204"));
    let out = finished(monitor);
    // The third request is cut by the end of its stream.
    assert!(
        out.contains("p             6         1     2     0             1"),
        "{out}"
    );
}

/// What is posted in chunks that are none is refused, and the sender is informed.
#[test]
fn a_malformed_chunk_is_refused() {
    let wrong = [
        "ZZ\r\nabc\r\n0\r\n\r\n",
        "5\r\nab",
        "3\r\nabcXX0\r\n\r\n",
        "-1\r\n\r\n",
    ];
    let folder = tempfile::tempdir().unwrap();
    let (monitor, address) = listening(folder.path(), &wrong.len().to_string());
    for body in wrong {
        let mut stream = TcpStream::connect(&address).unwrap();
        let posted = format!("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{body}");
        stream.write_all(posted.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 400"), "{body:?}: {answer}");
    }
    drop(monitor);
}

/// Verdicts are written while standard input is still open.
#[test]
fn verdicts_come_as_soon_as_they_are_known() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.prop"), ANSWERED).unwrap();
    let mut child = Guard(
        choros()
            .current_dir(folder.path())
            .args(["monitor", "p.prop", "--log", "s=-", "--verdicts", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    );
    let mut input = child.0.stdin.take().unwrap();
    let mut output = BufReader::new(child.0.stdout.take().unwrap());
    for session in 1..4 {
        let both = observation("Request", session) + &observation("Response", session);
        input.write_all(both.as_bytes()).unwrap();
        input.flush().unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(line.contains(&format!("\"key\":\"{session}\"")), "{line}");
    }
    drop(input);
    assert_eq!(child.0.wait().unwrap().code(), Some(0));
}

/// Garbage costs no memory: resident memory stays below 64 MB in a debug build, whatever comes.
#[test]
fn garbage_and_a_huge_line_stay_within_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    {
        let mut log = std::io::BufWriter::new(fs::File::create(&path).unwrap());
        for number in 0..200_000 {
            writeln!(log, "garbage number {number}").unwrap();
        }
        let block = vec![b'x'; 1 << 20];
        for _ in 0..200 {
            log.write_all(&block).unwrap();
        }
        writeln!(log).unwrap();
        log.write_all((observation("Request", 1) + &observation("Response", 1)).as_bytes())
            .unwrap();
    }
    fs::write(folder.path().join("p.prop"), ANSWERED).unwrap();
    let output = Command::new("sh")
        .current_dir(folder.path())
        .arg("-c")
        .arg(format!(
            "ulimit -v 400000; exec {} monitor p.prop --log s=s.jsonl",
            env!("CARGO_BIN_EXE_choros")
        ))
        .output()
        .unwrap();
    let out = text(&output.stdout);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{out}{}",
        text(&output.stderr)
    );
    assert!(
        out.contains("p             2     1     0             0"),
        "{out}"
    );
    let errors = text(&output.stderr);
    assert!(errors.contains("199995 more of CH1021"), "{errors}");
    assert!(
        errors.contains("line 200001: it is longer than 1048576 bytes"),
        "{errors}"
    );
}
