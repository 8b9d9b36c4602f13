//! Two-way steps per second against a service on this machine, with the solver and the start of the command.
//!
//! A step is a call and its answer; the service counts them. Each path is run twice, with its smallest and its largest
//! values. *driving* is the rate between the first call and the last, without the start of the command, the loading of
//! the solver and the derivation of tests. The reference is a client that makes as many calls of the same service and
//! knows nothing of models: the last column says how many times as long the driver takes.
//!
//! - *apart*: each question lies between bounds of its own, and is answered by its sum with the one before;
//! - *chained*: each question is also larger than the one before, so that all of them depend on each other;
//! - *short*: as many paths of one step as there are steps.

#[path = "../tests/support/fake.rs"]
mod fake;

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// What is asked of the driver.
const TARGET: f64 = 200.0;

#[derive(Clone, Copy)]
enum Family {
    Apart,
    Chained,
    Short,
}

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    line(format!(
        "{:<8} {:>6} {:>6} {:>9} {:>9} {:>9} {:>9}  (at least {TARGET} steps/s are wanted)",
        "family", "length", "steps", "seconds", "steps/s", "driving", "x client"
    ));
    for (name, family) in [
        ("apart", Family::Apart),
        ("chained", Family::Chained),
        ("short", Family::Short),
    ] {
        for length in [1, 5, 10, 20, 40] {
            let Measured {
                steps,
                seconds,
                driving,
                reference,
            } = measure(family, length);
            let count = steps as f64;
            line(format!(
                "{name:<8} {length:>6} {steps:>6} {seconds:>9.3} {:>9.0} {:>9.0} {:>9.1}",
                count / seconds,
                (count - 1.0) / driving,
                driving / reference
            ));
        }
    }
}

struct Measured {
    steps: usize,
    /// The whole command.
    seconds: f64,
    /// From the first call to the last.
    driving: f64,
    /// As many calls of a client.
    reference: f64,
}

/// Drives a model of this many steps.
fn measure(family: Family, length: usize) -> Measured {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.stg"), model(family, length)).unwrap();
    let mapping = r#"{"operations": {"ask": {"answers": ["ask"]}}}"#;
    std::fs::write(folder.path().join("map.json"), mapping).unwrap();
    let steps = Arc::new(AtomicUsize::new(0));
    let before = AtomicI64::new(0);
    let counted = steps.clone();
    let calls: Arc<Mutex<Option<(Instant, Instant)>>> = Arc::default();
    let noted = calls.clone();
    let in_a_row = match family {
        Family::Short => 1,
        _ => length,
    };
    let service = fake::serve(move |_, body| {
        let step = counted.fetch_add(1, Ordering::Relaxed) % in_a_row;
        let asked: serde_json::Value = serde_json::from_str(body).unwrap();
        let asked = asked["value"].as_i64().unwrap();
        let last = before.swap(asked, Ordering::Relaxed);
        let now = Instant::now();
        let mut noted = noted.lock().unwrap();
        *noted = Some((noted.map_or(now, |(first, _)| first), now));
        let sum = if step == 0 { asked } else { last + asked };
        fake::json(format!(r#"{{"value": {sum}}}"#))
    });
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_choros"))
        .current_dir(folder.path())
        .args(["drive", "m.stg", "--mapping", "map.json"])
        .args(["--target", &service, "-k", &(3 * length + 1).to_string()])
        .output()
        .unwrap();
    let seconds = start.elapsed().as_secs_f64();
    let text = [output.stdout, output.stderr].concat();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&text)
    );
    let steps = steps.load(Ordering::Relaxed);
    assert_eq!(steps, 2 * length, "every step twice");
    let (first, last) = calls.lock().unwrap().unwrap();
    let start = Instant::now();
    call(&service, steps);
    Measured {
        steps,
        seconds,
        driving: (last - first).as_secs_f64(),
        reference: start.elapsed().as_secs_f64(),
    }
}

/// As many calls over one connection.
fn call(service: &str, times: usize) {
    let address = service.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).unwrap();
    let body = r#"{"value":7}"#;
    let request = format!(
        "POST /ask HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut answer = [0; 4096];
    for _ in 0..times {
        if stream.write_all(request.as_bytes()).is_err()
            || stream.read(&mut answer).unwrap_or(0) == 0
        {
            // The service closes connections now and then.
            stream = TcpStream::connect(address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            assert!(stream.read(&mut answer).unwrap() > 0, "an answer");
        }
    }
}

fn model(family: Family, length: usize) -> String {
    let variables: Vec<String> = (0..length).map(|step| format!("x{step}: Int")).collect();
    let mut text = format!(
        "stg sums explicit\nvariables {}\ninitial 0\n",
        variables.join(", ")
    );
    for step in 0..length {
        let (asking, answering, after) = match family {
            Family::Short => (0, step + 1, length + 1),
            _ => (2 * step, 2 * step + 1, 2 * step + 2),
        };
        let last = step.saturating_sub(1);
        let (bound, sum) = match family {
            Family::Apart | Family::Chained if step == 0 => ("0".to_owned(), "x0".to_owned()),
            Family::Apart => (step.to_string(), format!("(x{last} + x{step})")),
            Family::Chained => (format!("x{last}"), format!("(x{last} + x{step})")),
            Family::Short => (step.to_string(), format!("x{step}")),
        };
        let _ = writeln!(text, "{asking} -> {answering}: ask[USER,S]?<x{step}>");
        let _ = writeln!(
            text,
            "{answering} -> {after}: [x{step} > {bound} && x{step} < 1000] ask[S,USER]!{sum}"
        );
    }
    let end = match family {
        Family::Short => length + 1,
        _ => 2 * length,
    };
    let _ = writeln!(text, "{end}: end");
    text
}
