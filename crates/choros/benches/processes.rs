//! Processes of WS-BPEL: how fast they are read and explored, and tests of those whose states multiply.
//!
//! The first table counts the processes of `tests/standard` per second; the second has time and the highest memory for
//! `tests -k 8` on flows, `forEach` and nested scopes that grow.

#![expect(clippy::print_stdout, reason = "a benchmark prints its tables")]

#[path = "../tests/standard/expand.rs"]
mod expand;
#[allow(dead_code, reason = "the tests of the standard use the rest")]
#[path = "../tests/standard/rows.rs"]
mod rows;

use std::time::{Duration, Instant};

use choros::base::MemorySources;
use choros::report::answers::TestsOf;
use choros::verbs::{ExploreRequest, TestsRequest, explore, tests};
use choros::{Request, Settings, Workspace};

const TELL: &str = "{tell x}";

/// How often all processes are read.
const ROUNDS: u32 = 5;

fn main() {
    rates();
    println!(
        "\n{:<26} {:>9} {:>6} {:>10} {:>8}",
        "tests -k 8", "nodes", "tests", "ms", "peak MB"
    );
    for branches in 2..=6 {
        measure(&format!("flow of {branches}"), &flow(branches));
    }
    for (kind, parallel, rounds) in [
        ("one by one", "no", vec![2, 4, 6, 8]),
        ("in parallel", "yes", vec![2, 4, 6, 8]),
    ] {
        for last in rounds {
            let body = format!(
                r#"<forEach counterName="i" parallel="{parallel}"><startCounterValue>1</startCounterValue><finalCounterValue>{last}</finalCounterValue><scope>{TELL}</scope></forEach>"#
            );
            measure(&format!("forEach of {last}, {kind}"), &body);
        }
    }
    for depth in [2, 4, 8] {
        let opened = "<scope><faultHandlers><catchAll><empty/></catchAll></faultHandlers>";
        let (opened, closed) = (opened.repeat(depth), "</scope>".repeat(depth));
        measure(
            &format!("scopes nested {depth}"),
            &format!("{opened}{TELL}{closed}"),
        );
    }
}

/// Processes per second: read with their documents, and explored as well.
fn rates() {
    let rows = rows::rows();
    let all: Vec<MemorySources> = rows
        .iter()
        .filter(|row| row.rejected.is_empty())
        .map(|row| files(&row.process))
        .collect();
    let settings = Settings::default();
    let file = Request::file("p.bpel");
    let read = timed(|| {
        for files in &all {
            let _ = Workspace::new(files).open(&file, &settings);
        }
    });
    let explored = timed(|| {
        for files in &all {
            let asked = ExploreRequest {
                files: vec![file.clone()],
                ..ExploreRequest::default()
            };
            let _ = explore(&mut Workspace::new(files), &asked, &settings);
        }
    });
    for (what, time) in [("read", read), ("read and explored", explored)] {
        let rate = all.len() as f64 * f64::from(ROUNDS) / time.as_secs_f64();
        println!(
            "{} processes of the standard, {what}: {rate:.0} a second",
            all.len()
        );
    }
}

fn timed(work: impl Fn()) -> Duration {
    let started = Instant::now();
    for _ in 0..ROUNDS {
        work();
    }
    started.elapsed()
}

fn flow(branches: usize) -> String {
    format!("<flow>{}</flow>", TELL.repeat(branches))
}

fn measure(name: &str, body: &str) {
    // What was the highest before does not count.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let files = files(body);
    let mut workspace = Workspace::new(&files);
    let mut asked = TestsRequest {
        model: Request::file("p.bpel"),
        ..TestsRequest::default()
    };
    asked.symbolic.derivation.depth = 8;
    asked.symbolic.play_all = true;
    let started = Instant::now();
    let answered = tests(&mut workspace, &asked, &Settings::default());
    let elapsed = started.elapsed();
    let Ok(found) = &answered.answer else {
        println!("{name:<26} no answer");
        return;
    };
    let [TestsOf::Paths(paths)] = &found.components[..] else {
        return;
    };
    println!(
        "{name:<26} {:>9} {:>6} {:>10.1} {:>8}{}",
        paths.tree.nodes,
        paths.tests.len(),
        elapsed.as_secs_f64() * 1000.0,
        peak_megabytes(),
        if paths.tree.is_complete { "" } else { "  cut" }
    );
}

fn files(body: &str) -> MemorySources {
    let (process, definitions) = expand::documents(body);
    let mut files = MemorySources::default();
    files.add("p.bpel", process);
    files.add("p.wsdl", definitions);
    files
}

/// The highest memory of this process, as Linux counts it; 0 elsewhere.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
