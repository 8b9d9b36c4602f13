//! The first signal ends any verb within a second, with what it knows by then.
#![cfg(unix)]

mod support;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::{choros, free_address};

/// A second, and what a busy machine takes to start and to end a process.
const SOON: Duration = Duration::from_millis(1_900);

struct Ended {
    code: Option<i32>,
    said: String,
    told: String,
}

/// Starts a run, waits until it is at work, and signals it.
fn stopped(signal: &str, folder: &Path, arguments: &[&str], at_work: &dyn Fn()) -> Ended {
    let mut child = choros()
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let read = |mut from: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut text = String::new();
            let _ = from.read_to_string(&mut text);
            text
        })
    };
    let out = read(Box::new(out));
    let err = read(Box::new(err));
    at_work();
    assert!(
        child.try_wait().unwrap().is_none(),
        "{arguments:?} ended before it was signalled"
    );
    let signalled = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(signalled.unwrap().success());
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > Duration::from_secs(20) {
            let _ = child.kill();
            panic!("{arguments:?} did not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let took = started.elapsed();
    assert!(took < SOON, "{arguments:?} took {took:?} after {signal}");
    Ended {
        code: status.code(),
        said: out.join().unwrap(),
        told: err.join().unwrap(),
    }
}

fn a_moment() {
    std::thread::sleep(Duration::from_millis(700));
}

/// Twenty loops side by side: no engine comes to its end.
fn endless() -> String {
    let loops: Vec<String> = (0..20)
        .map(|index| format!("(A{index}[a,b].<x{index}> ; B{index}[a,b])"))
        .collect();
    format!(
        "DECLARATIONS\n\ncomponent endless chorD\n    {}\nend component\n\nCOMMANDS\n\nshowStat endless\n",
        loops.join(" | ")
    )
}

/// Types that double forty times: neither does the reader.
fn doubling() -> String {
    let mut text = "type T0 = {a: Int}\n".to_owned();
    for level in 1..40 {
        let below = level - 1;
        text += &format!("type T{level} = {{a: T{below}, b: T{below}}}\n");
    }
    text + "var x: T39\n"
}

/// A log of many conversations that no answer follows.
fn many_sessions() -> String {
    let line = |at: usize| {
        format!(
            "{{\"at\":{at},\"by\":\"a\",\"dir\":\"send\",\"from\":\"a\",\"to\":\"b\",\"op\":\"A{}\",\"args\":{{\"x{}\":{at}}}}}\n",
            at % 20,
            at % 20
        )
    };
    (0..200_000).map(line).collect()
}

/// What every verb is asked that takes long; `@` is a model with twenty loops, of which no engine comes to its end.
const LONG: [&str; 15] = [
    "explore @",
    "check @",
    "conform @ @",
    "realize @",
    "realize @ --mode receiver",
    "project @",
    "verify @ --formula true",
    "tests @",
    "comply @ @",
    "mutate @",
    "draw @",
    "script @",
    "audit @ --log a=log.jsonl",
    "drive @ --target http://127.0.0.1:1",
    "solve doubling.solve",
];

/// Verbs that do nothing long: they read (`a_file_that_never_comes`) or wait (tests of their own).
const SHORT: [&str; 14] = [
    "bind", "capture", "certify", "explain", "feed", "fmt", "help", "import", "init", "lsp",
    "monitor", "replay", "serve", "watch",
];

#[test]
fn engines_and_readers() {
    for verb in support::verbs() {
        let is_asked = LONG
            .iter()
            .any(|line| line.split(' ').next() == Some(&verb));
        assert!(is_asked || SHORT.contains(&&*verb), "{verb}");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("endless.schora"), endless()).unwrap();
    std::fs::write(folder.path().join("doubling.solve"), doubling()).unwrap();
    std::fs::write(folder.path().join("log.jsonl"), many_sessions()).unwrap();
    for (index, line) in LONG.iter().enumerate() {
        let line = line.replace('@', "endless.schora");
        let mut arguments: Vec<&str> = line.split(' ').collect();
        arguments.extend(["--max-states", "1000000000"]);
        let signal = ["-INT", "-TERM"][index % 2];
        let ended = stopped(signal, folder.path(), &arguments, &a_moment);
        let text = format!("{}{}", ended.said, ended.told);
        assert_eq!(ended.code, Some(130), "{arguments:?}: {text}");
        assert!(!ended.said.is_empty(), "{arguments:?} says nothing");
    }
}

/// Z3 listens for interrupts itself while it works, and would end one question of many.
#[test]
fn while_the_solver_works() {
    let folder = tempfile::tempdir().unwrap();
    let cubes = "x * x * x + y * y * y + z * z * z";
    let mut model = "stg hard stopped\nvariables x: Int, y: Int, z: Int\ninitial 0\n\
        0 -> 1: o[USER,M]?(<x>, <y>, <z>)\n"
        .to_owned();
    for (end, sum) in [(2, 114), (3, 390), (4, 627), (5, 633)] {
        model += &format!("1 -> {end}: [{cubes} == {sum}] tau\n{end}: end\n");
    }
    std::fs::write(folder.path().join("hard.stg"), model).unwrap();
    let run = ["tests", "hard.stg", "--solver-budget", "1000000000"];
    for signal in ["-INT", "-TERM"] {
        let ended = stopped(signal, folder.path(), &run, &a_moment);
        assert_eq!(ended.code, Some(130), "{signal}: {}", ended.told);
    }
}

/// A user who starts a run with `nohup` wants it to outlive the terminal.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_hang_up_stays_ignored() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("endless.schora"), endless()).unwrap();
    let line = "exec \"$0\" explore endless.schora --max-states 1000000000 > out";
    for (before, survives) in [("trap '' HUP; ", true), ("", false)] {
        let mut child = Command::new("sh")
            .current_dir(folder.path())
            .args(["-c", &format!("{before}{line}")])
            .arg(env!("CARGO_BIN_EXE_choros"))
            .spawn()
            .unwrap();
        a_moment();
        let id = child.id().to_string();
        let hung_up = Command::new("kill").args(["-HUP", &id]).status();
        assert!(hung_up.unwrap().success());
        std::thread::sleep(SOON);
        let is_running = child.try_wait().unwrap().is_none();
        let _ = Command::new("kill").arg(id).status();
        assert_eq!(is_running, survives, "after {before:?} and a hang-up");
        assert_eq!(child.wait().unwrap().code(), Some(130), "{before}");
    }
}

/// Tests that were made are in the report, although it is not known which of them are suitable.
#[test]
fn tests_that_were_made() {
    let folder = tempfile::tempdir().unwrap();
    // Twenty participants speak to one, who listens in order: no one looks at all orders in which they speak.
    let mut machines = ".outputs A\n.state graph\n".to_owned();
    for index in 0..20 {
        let next = index + 1;
        machines += &format!("{index} {next} ? m {next}\n");
    }
    machines += ".marking 0\n.end\n";
    for index in 0..20 {
        machines += &format!("\n.outputs P{index}\n.state graph\n0 0 ! m 1\n.marking 0\n.end\n");
    }
    std::fs::write(folder.path().join("many.fsa"), machines).unwrap();
    let more = ["--max-states", "1000000000", "--format", "json"];
    let arguments = [&["tests", "many.fsa"][..], &more].concat();
    let ended = stopped("-INT", folder.path(), &arguments, &a_moment);
    assert_eq!(ended.code, Some(130), "{}", ended.told);
    for told in ["P19/test_1", "not decided", "\"complete\": false"] {
        assert!(ended.said.contains(told), "{told}: {}", ended.said);
    }
}

/// What was found before is in the report, in every format, wherever the run is when it is ended.
#[test]
fn what_was_found_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let model = |name: &str, body: &str| {
        format!("DECLARATIONS\n\ncomponent {name} chorD\n    {body}B[b,a]\nend component\n")
    };
    let place = folder.path();
    std::fs::write(place.join("sound.schora"), model("sound", "A[a,b] ;\n")).unwrap();
    // Tens of megabytes: a process that reads them does not look up.
    let long = model("long", &"A[a,b].<x> ;\n".repeat(4_000_000));
    std::fs::write(place.join("long.schora"), long).unwrap();
    let project = "[[check]]\nfiles = \"sound.schora\"\n\n[[check]]\nfiles = \"long.schora\"\n";
    std::fs::write(place.join("choros.toml"), project).unwrap();
    for format in ["text", "json", "junit", "sarif", "html"] {
        let run = ["check", "--format", format];
        let ended = stopped("-TERM", place, &run, &a_moment);
        assert_eq!(ended.code, Some(130), "{format}: {}", ended.told);
        // SARIF is about findings, and a sound model has none.
        let known = ended.said.contains("sound") || format == "sarif";
        assert!(known, "{format}: {}", ended.said);
        if matches!(format, "text" | "json") {
            let note = "this report is partial: 1 answer was found before the run ended";
            assert!(ended.said.contains(note), "{format}: {}", ended.said);
        }
    }
    let output = choros()
        .current_dir(place)
        .args(["check", "--timeout", "1"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("sound"), "{said}");
}

/// The partial result is marked as such.
#[test]
fn an_interrupt_prints_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("endless.schora"), endless()).unwrap();
    let bound = ["--max-states", "1000000000"];
    let run = [
        "explore",
        "endless.schora",
        bound[0],
        bound[1],
        "--format",
        "json",
    ];
    let ended = stopped("-INT", folder.path(), &run, &a_moment);
    assert_eq!(ended.code, Some(130), "{}", ended.said);
    assert!(
        ended.said.contains("\"interrupted\": true"),
        "{}",
        ended.said
    );
    assert!(ended.said.contains("\"complete\": false"), "{}", ended.said);
}

/// A process that reads a pipe without a writer waits in the system.
#[test]
fn a_file_that_never_comes() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("model.chor");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    std::fs::write(folder.path().join("p.prop"), PROPERTY).unwrap();
    std::fs::write(folder.path().join("endless.schora"), endless()).unwrap();
    let lines = [
        "check model.chor",
        "conform model.chor model.chor",
        "explore model.chor",
        "draw model.chor",
        "fmt model.chor",
        "realize model.chor",
        "project model.chor",
        "verify model.chor --formula true",
        "tests model.chor",
        "comply model.chor model.chor",
        "mutate model.chor",
        "drive model.chor --target http://127.0.0.1:1",
        "script model.chor",
        "solve model.chor",
        "audit model.chor --log a=model.chor --log-format jsonl",
        "audit endless.schora --log a=model.chor --log-format jsonl",
        "monitor p.prop --log s=model.chor --log-format jsonl",
        "watch p.prop --log s=model.chor --log-format jsonl",
        "bind model.chor --log model.chor --log-format jsonl",
        "bind endless.schora --log a=model.chor --log-format jsonl",
        "import model.chor",
        "replay model.chor",
        "certify model.chor model.chor",
    ];
    for verb in support::verbs() {
        let is_asked = lines
            .iter()
            .any(|line| line.split(' ').next() == Some(&verb));
        // The first waits in a test of its own, the last for an editor, and the others for nothing.
        assert!(
            is_asked
                || ["capture", "explain", "feed", "help", "init", "lsp", "serve"].contains(&&*verb),
            "{verb}"
        );
    }
    for line in lines {
        let arguments: Vec<&str> = line.split(' ').collect();
        let ended = stopped("-TERM", folder.path(), &arguments, &a_moment);
        let text = format!("{}{}", ended.said, ended.told);
        assert_eq!(ended.code, Some(130), "{line}: {text}");
        assert!(!text.is_empty(), "{line} says nothing");
    }
}

const PROPERTY: &str =
    "property p on s { context Request[c,s]?(any) within 1 messages expect Response[s,c]!(any) }\n";
const LINES: &str = "\
{\"at\":1,\"by\":\"s\",\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"Request\"}\n\
{\"at\":2,\"by\":\"s\",\"dir\":\"send\",\"from\":\"s\",\"to\":\"c\",\"op\":\"Response\"}\n";

#[test]
fn a_monitor_says_what_it_saw() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.prop"), PROPERTY).unwrap();
    std::fs::write(folder.path().join("s.jsonl"), LINES).unwrap();
    let run = ["monitor", "p.prop", "--log", "s=s.jsonl", "--follow"];
    let ended = stopped("-INT", folder.path(), &run, &a_moment);
    saw_both_lines(&ended);

    let address = free_address();
    let run = ["monitor", "p.prop", "--listen", &address];
    let ended = stopped("-TERM", folder.path(), &run, &|| {
        // Connected, and in the middle of a line.
        let mut stream = connected(&address);
        stream.write_all(LINES.as_bytes()).unwrap();
        stream.write_all(b"{\"at\":3,").unwrap();
        a_moment();
    });
    saw_both_lines(&ended);
}

fn saw_both_lines(ended: &Ended) {
    assert_eq!(ended.code, Some(130), "{}{}", ended.said, ended.told);
    let row = "p             2     1     0             0";
    assert!(ended.said.contains(row), "{}", ended.said);
}

fn connected(address: &str) -> TcpStream {
    for _ in 0..200 {
        if let Ok(stream) = TcpStream::connect(address) {
            return stream;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("no connection to {address}");
}

/// A service that accepts everything and answers nothing.
fn silent() -> String {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        for stream in socket.incoming() {
            kept.push(stream);
        }
    });
    address
}

#[test]
fn a_drive_says_what_it_saw() {
    let folder = tempfile::tempdir().unwrap();
    let model = "stg ask explicit\nvariables x: Int\ninitial 0\n0 -> 1: ask[USER,S]?<x>\n\
                 1 -> 2: reply[S,USER]!x\n2: end\n";
    std::fs::write(folder.path().join("ask.stg"), model).unwrap();
    let mapping = r#"{"operations": {"ask": {"answers": ["reply"]}}}"#;
    std::fs::write(folder.path().join("map.json"), mapping).unwrap();
    let target = format!("http://{}", silent());
    let run = [
        "drive",
        "ask.stg",
        "--mapping",
        "map.json",
        "--target",
        &target,
    ];
    for signal in ["-INT", "-TERM"] {
        let ended = stopped(signal, folder.path(), &run, &|| {
            std::thread::sleep(Duration::from_millis(1_500));
        });
        assert_eq!(ended.code, Some(130), "{}{}", ended.said, ended.told);
        assert!(
            ended.said.contains("transitions of the model"),
            "{}",
            ended.said
        );
    }
}

#[test]
fn a_capture_counts_what_had_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (service, listener, address) = (silent(), silent(), free_address());
    let forward = format!("http://{service}");
    let run = [
        "capture",
        "--listen",
        &address,
        "--forward",
        &forward,
        "--as",
        "c,s",
        "-o",
        "s.jsonl",
        "--to",
        &listener,
    ];
    let ended = stopped("-TERM", folder.path(), &run, &|| {
        let mut stream = connected(&address);
        stream
            .write_all(b"GET /x HTTP/1.1\r\nHost: x\r\n\r\n")
            .unwrap();
        a_moment();
        std::mem::forget(stream);
    });
    let text = format!("{}{}", ended.said, ended.told);
    assert!(
        ended.said.contains("1 requests, 1 without an answer"),
        "{text}"
    );
}

/// Servers wait for someone to say something; a signal ends the waiting.
#[test]
fn servers() {
    let folder = tempfile::tempdir().unwrap();
    for (verb, signal) in [
        ("lsp", "-INT"),
        ("lsp", "-TERM"),
        ("serve", "-INT"),
        ("serve", "-TERM"),
    ] {
        let mut child = choros()
            .current_dir(folder.path())
            .arg(verb)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The editor, or the browser, stays silent.
        let _input = child.stdin.take();
        a_moment();
        assert!(child.try_wait().unwrap().is_none(), "{verb} ended early");
        let signalled = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(signalled.unwrap().success());
        let started = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if started.elapsed() > SOON {
                let _ = child.kill();
                panic!("{verb} is still there after {signal}");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
