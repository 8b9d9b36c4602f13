//! How many observations a second workers on a stream judge, and whether their verdicts are those of a single process:
//!
//! ```text
//! cargo bench -p choros-cli --features nats --bench streams
//! CHOROS_BENCH_OBSERVATIONS=10000000 cargo bench -p choros-cli --features nats --bench streams
//! ```
//!
//! First one broker and 1, 2 and 4 partitions: ratios to a single worker that reads the same from the stream.
//! Then three brokers that keep everything three times, and two processes with a worker each.
//! Verdicts are compared byte by byte after sorting, without the numbers that their testers gave them and the windows that
//! they show.
//! Brokers, workers and whoever hears the verdicts share this machine.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[allow(dead_code)]
#[path = "../tests/watch_nats/runs.rs"]
mod runs;
#[allow(dead_code)]
#[path = "../tests/watch_nats/servers.rs"]
mod servers;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use choros_testkit::Random;
use runs::{PROPERTIES, Running, both_ends, random_message};
use servers::{Server, cluster, cluster_url, program, wait_for};

/// So many observations are in both logs together, unless `CHOROS_BENCH_OBSERVATIONS` says otherwise.
const COUNT: usize = 200_000;

fn main() {
    let Some(program) = program() else { return };
    let count = std::env::var("CHOROS_BENCH_OBSERVATIONS").ok();
    let count = count.and_then(|it| it.parse().ok()).unwrap_or(COUNT);
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write_logs(folder, count / 2);
    let row = |name: &str, took: Duration, first: Option<Duration>| {
        let rate = count as f64 / took.as_secs_f64();
        let ratio = first.map_or(1.0, |it| it.as_secs_f64() / took.as_secs_f64());
        println!("{name:<42} {rate:>14.0} {ratio:>8.2}");
    };
    println!(
        "{:<42} {:>14} {:>8}",
        format!("{count} observations"),
        "a second",
        "ratio"
    );
    let logs = "--log c=c.jsonl --log s=s.jsonl";
    let monitored = timed(|| {
        run(
            folder,
            &format!("monitor p.prop {logs} --verdicts one.jsonl"),
        )
    });
    let one = sorted(folder, "one");
    let mut first = None;
    {
        let server = Server::alone(&program, folder, "");
        for partitions in [1, 2, 4] {
            let url = server.url(&format!("shop{partitions}"));
            let fed = timed(|| {
                let words = format!("feed {logs} --stream {url} --end --partitions {partitions}");
                run(folder, &words);
            });
            let words = format!(
                "watch p.prop --stream {url} --workers {partitions} --until-end --verdicts many.jsonl"
            );
            let watched = timed(|| run(folder, &words));
            let first = *first.get_or_insert(watched);
            row(
                &format!("{partitions} partitions, judged"),
                watched,
                Some(first),
            );
            row(&format!("{partitions} partitions, fed"), fed, Some(first));
            assert_eq!(sorted(folder, "many"), one);
        }
    }
    row("a single process, from the logs", monitored, first);
    let servers = cluster(&program, folder);
    let url = cluster_url(&servers, "shop");
    wait_for("a leader", || {
        let words = format!("feed --stream {url} --end --partitions 1 --replicas 3");
        let mut probe = spawn(folder, &words.replace("/shop", "/probe"));
        probe.wait().is_ok_and(|it| it.success())
    });
    let fed = timed(|| {
        let words = format!("feed {logs} --stream {url} --end --partitions 4 --replicas 3");
        run(folder, &words);
    });
    let watched = timed(|| {
        let words = format!("watch p.prop --stream {url} --workers 1");
        let _both = [(); 2].map(|()| Running::new(spawn(folder, &words)));
        let look =
            format!("watch p.prop --stream {url} --workers 0 --until-end --verdicts many.jsonl");
        run(folder, &look);
    });
    row("three brokers, two workers, judged", watched, first);
    row("three brokers, fed", fed, first);
    let (lines, digest) = sorted(folder, "many");
    assert_eq!((lines, &digest), (one.0, &one.1));
    println!("{lines} verdicts, the same in all runs: {digest}");
}

/// Logs of two services, and properties about them.
fn write_logs(folder: &Path, count: usize) {
    std::fs::write(folder.join("p.prop"), PROPERTIES).expect("a file");
    let file = |name: &str| BufWriter::new(File::create(folder.join(name)).expect("a file"));
    let mut logs = [file("c.jsonl"), file("s.jsonl")];
    let (mut random, mut clock) = (Random::new(7), (0, 0));
    for _ in 0..count {
        let lines = both_ends(&random_message(&mut random, &mut clock));
        for (log, line) in logs.iter_mut().zip(lines) {
            log.write_all(line.as_bytes()).expect("a line");
        }
    }
}

fn spawn(folder: &Path, words: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_choros"));
    command.args(words.split_whitespace()).current_dir(folder);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    child.expect("choros runs")
}

/// Runs it to its end, however long that takes.
fn run(folder: &Path, words: &str) {
    let status = spawn(folder, words).wait().expect("it ends");
    assert!(matches!(status.code(), Some(0 | 1)), "{words}: {status}");
}

/// How many verdicts there are, and a digest of them.
fn sorted(folder: &Path, name: &str) -> (usize, String) {
    let script = format!(
        "sed -E 's/^\\{{\"seq\":[0-9]+,//; s/,\"window\":\\[.*//' {name}.jsonl | LC_ALL=C sort | \
         tee {name}.sorted | sha256sum | cut -c1-16; wc -l < {name}.sorted; rm {name}.sorted"
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder)
        .output();
    let text = String::from_utf8(output.expect("a shell").stdout).expect("text");
    let mut words = text.split_whitespace();
    let digest = words.next().unwrap_or_default().to_owned();
    let lines = words.next().and_then(|it| it.parse().ok());
    (lines.expect("a number"), digest)
}

fn timed(work: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    work();
    begun.elapsed()
}
