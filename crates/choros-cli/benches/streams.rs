//! How many observations a second workers on a stream judge, by partitions: `cargo bench -p choros-cli --features nats
//! --bench streams`.
//!
//! One partition is what a single process reads from the stream; the others are ratios to it.
//! Broker, workers and whoever hears the verdicts share this machine.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[allow(dead_code)]
#[path = "../tests/watch_nats/runs.rs"]
mod runs;
#[allow(dead_code)]
#[path = "../tests/watch_nats/servers.rs"]
mod servers;

use std::time::{Duration, Instant};

use choros_testkit::Random;
use runs::Case;
use servers::{Server, program};

/// So many observations are in each of two logs, unless `CHOROS_BENCH_OBSERVATIONS` says otherwise.
const COUNT: usize = 200_000;

fn main() {
    let Some(program) = program() else { return };
    let count = std::env::var("CHOROS_BENCH_OBSERVATIONS").ok();
    let count = count.and_then(|it| it.parse().ok()).unwrap_or(COUNT);
    let case = Case::new(&mut Random::new(7), count);
    let all = 2 * count;
    let row = |name: &str, took: Duration, first: Option<Duration>| {
        let rate = all as f64 / took.as_secs_f64();
        let ratio = first.map_or(1.0, |it| it.as_secs_f64() / took.as_secs_f64());
        println!("{name:<34} {rate:>14.0} {ratio:>8.2}");
    };
    println!("{:<34} {:>14} {:>8}", "", "observations/s", "ratio");
    let server = Server::alone(&program, case.folder.path(), "");
    let mut first = None;
    for partitions in [1, 2, 4] {
        let url = server.url(&format!("shop{partitions}"));
        let fed = timed(|| case.feed(&url, &format!("--partitions {partitions}")));
        let words = format!("watch p.prop --stream {url} --workers {partitions} --until-end");
        let watched = timed(|| {
            let output = case.run(&words);
            assert_eq!(output.status.code(), Some(1), "{output:?}");
        });
        let first = *first.get_or_insert(watched);
        row(
            &format!("{partitions} partitions, judged"),
            watched,
            Some(first),
        );
        row(&format!("{partitions} partitions, fed"), fed, Some(first));
        case.expect_same(&url);
    }
    let monitored = timed(|| {
        case.run("monitor p.prop --log c=c.jsonl --log s=s.jsonl --verdicts again.jsonl");
    });
    row("monitor, from the logs", monitored, first);
}

fn timed(work: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    work();
    begun.elapsed()
}
