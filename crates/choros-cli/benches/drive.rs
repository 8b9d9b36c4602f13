//! Two-way steps per second against a service on this machine, with the solver and the start of the command.
//!
//! A step is a call and its answer; the service counts them. The answer depends on this question and the one before,
//! and both have bounds, so the solver is asked for values before each call and about each answer.

#[path = "../tests/support/fake.rs"]
mod fake;

use std::fmt::Write;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::Instant;

/// What is asked of the driver.
const TARGET: f64 = 200.0;

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    line(format!(
        "{:<10} {:>6} {:>9} {:>9}  (at least {TARGET} steps/s are wanted)",
        "length", "steps", "seconds", "steps/s"
    ));
    for length in [1, 10, 40] {
        let (steps, seconds) = measure(length);
        let rate = steps as f64 / seconds;
        line(format!(
            "{length:<10} {steps:>6} {seconds:>9.3} {rate:>9.0}"
        ));
    }
}

/// Drives a conversation of so many steps: how many steps were made, and how many seconds they took.
fn measure(length: usize) -> (usize, f64) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.stg"), conversation(length)).unwrap();
    let mapping = r#"{"operations": {"ask": {"answers": ["ask"]}}}"#;
    std::fs::write(folder.path().join("map.json"), mapping).unwrap();
    let steps = Arc::new(AtomicUsize::new(0));
    let before = AtomicI64::new(0);
    let counted = steps.clone();
    let service = fake::serve(move |_, body| {
        let step = counted.fetch_add(1, Ordering::Relaxed) % length;
        let asked: serde_json::Value = serde_json::from_str(body).unwrap();
        let asked = asked["value"].as_i64().unwrap();
        let last = before.swap(asked, Ordering::Relaxed);
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
    (steps.load(Ordering::Relaxed), seconds)
}

/// Questions between bounds, each answered by its sum with the one before.
fn conversation(length: usize) -> String {
    let variables: Vec<String> = (0..length).map(|step| format!("x{step}: Int")).collect();
    let mut text = format!(
        "stg sums explicit\nvariables {}\ninitial 0\n",
        variables.join(", ")
    );
    for step in 0..length {
        let (asking, answering, after) = (2 * step, 2 * step + 1, 2 * step + 2);
        let sum = match step {
            0 => "x0".to_owned(),
            _ => format!("(x{} + x{step})", step - 1),
        };
        let _ = writeln!(text, "{asking} -> {answering}: ask[USER,S]?<x{step}>");
        let _ = writeln!(
            text,
            "{answering} -> {after}: [x{step} > {step} && x{step} < 1000] ask[S,USER]!{sum}"
        );
    }
    let _ = writeln!(text, "{}: end", 2 * length);
    text
}
