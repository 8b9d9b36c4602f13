//! Observations per second of CPU time, and resident memory, of monitors that read JSON Lines.
//!
//! The logs and what must be found in them are those of `choros_testkit::MonitorLog`; a run whose verdicts differ from
//! the generator's ends the benchmark.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use choros_base::SourceMap;
use choros_data::Terms;
use choros_exec::log::{LogFormat, LogOptions, LogReader, NextRecord, WantedValues};
use choros_monitor::{Config, KeepObservations, Monitor, Outcome};
use choros_query::property::{MessageSchema, read};
use choros_testkit::MonitorLog;

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    let folder = std::env::temp_dir().join(format!("choros-monitor-{}", std::process::id()));
    if let Err(error) = fs::create_dir_all(&folder) {
        return line(error.to_string());
    }
    let large = std::env::var("CHOROS_BENCH_LINES")
        .ok()
        .and_then(|text| text.parse().ok());
    line(format!(
        "{:<18} {:>10} {:>10} {:>14} {:>9}",
        "property", "lines", "cpu s", "lines/cpu s", "rss MB"
    ));
    for kind in [MonitorLog::P1, MonitorLog::P2] {
        for count in [100_000, large.unwrap_or(1_000_000)] {
            measure(kind, count, Many::One, &folder, &line);
        }
    }
    for many in [
        Many::Equal(100),
        Many::OtherConsequences(100),
        Many::OtherContexts(100),
        Many::OtherLengths(100),
        Many::OtherLengths(1000),
    ] {
        for kind in [MonitorLog::P1, MonitorLog::P2] {
            measure(kind, 100_000, many, &folder, &line);
        }
    }
    let _ = fs::remove_dir_all(&folder);
}

/// How many properties are watched; the first one is always that of the log.
#[derive(Clone, Copy)]
enum Many {
    One,
    /// So many that differ in their names alone.
    Equal(usize),
    /// That expect different things.
    OtherConsequences(usize),
    /// That begin under different conditions.
    OtherContexts(usize),
    /// That wait for different lengths.
    OtherLengths(usize),
}

impl Many {
    fn properties(self, kind: MonitorLog) -> String {
        let count = self.count();
        let name = format!("{kind:?}");
        let property = |number: usize| {
            let text = kind
                .property()
                .replacen(&name, &format!("{name}_{number}"), 1);
            match self {
                Many::OtherConsequences(_) if number > 0 => {
                    text.replace("2 * x", &format!("{} * x", number + 3))
                }
                Many::OtherLengths(_) if number > 0 => text
                    .replace("within 2 ", &format!("within {} ", number + 2))
                    .replace("within 64 ", &format!("within {} ", number + 64)),
                Many::OtherContexts(_) if number > 0 => {
                    text.replace("(weight = x)", &format!("(weight = x) where x > {number}"))
                }
                _ => text,
            }
        };
        (0..count).map(property).collect()
    }

    fn count(self) -> usize {
        match self {
            Many::One => 1,
            Many::Equal(count)
            | Many::OtherConsequences(count)
            | Many::OtherContexts(count)
            | Many::OtherLengths(count) => count,
        }
    }

    fn name(self, kind: MonitorLog) -> String {
        let count = self.count();
        match self {
            Many::One => format!("{kind:?}"),
            Many::Equal(_) => format!("{count} {kind:?}"),
            Many::OtherConsequences(_) => format!("{count} {kind:?}, expecting"),
            Many::OtherContexts(_) => format!("{count} {kind:?}, beginning"),
            Many::OtherLengths(_) => format!("{count} {kind:?}, waiting"),
        }
    }
}

fn measure(kind: MonitorLog, count: usize, many: Many, folder: &Path, line: &dyn Fn(String)) {
    let path = folder.join("log.jsonl");
    let messages = kind.messages(count, 7);
    let written = fs::File::create(&path).and_then(|file| {
        let mut file = BufWriter::new(file);
        for (position, message) in messages.iter().enumerate() {
            file.write_all(message.line(position).as_bytes())?;
        }
        file.flush()
    });
    if let Err(error) = written {
        return line(error.to_string());
    }
    let expected = kind.expected(&messages);
    let lines = messages.len();
    drop(messages);
    let name = many.name(kind);
    let text = many.properties(kind);
    let mut terms = Terms::new();
    let mut sources = SourceMap::new();
    let file = sources.add("p.prop", text.as_str());
    let (properties, _) = read(file, &text, &MessageSchema::default(), &mut terms);
    let config = Config {
        keep: KeepObservations::Samples(1),
        ..Config::default()
    };
    let (Ok(mut monitor), Ok(input)) = (
        Monitor::new(&properties, &terms, config),
        fs::File::open(&path),
    ) else {
        return line(format!("{name} cannot be measured"));
    };
    let mut options = LogOptions::new(LogFormat::JsonLines);
    options.service = Some("s".to_owned());
    options.wanted = WantedValues::Paths(properties.local[0].paths());
    let mut reader = LogReader::new(Box::new(input), options);
    let before = cpu_seconds();
    let mut failing = Vec::new();
    loop {
        match reader.next() {
            NextRecord::Observation(seen, _) => {
                monitor.observe(&seen);
                for verdict in monitor.verdicts() {
                    if verdict.outcome == Outcome::Fail && verdict.property == 0 {
                        failing.push(verdict.opened.line - 1);
                    }
                }
            }
            NextRecord::End => break,
            other => return line(format!("{name}: {other:?}")),
        }
    }
    monitor.finish();
    let seconds = cpu_seconds() - before;
    failing.sort_unstable();
    let counts = &monitor.counts()[0];
    let is_right = failing == expected.failing
        && (counts.pass.total(), counts.inconclusive) == (expected.pass, expected.inconclusive);
    let verdict = if is_right { "" } else { "  WRONG VERDICTS" };
    line(format!(
        "{name:<18} {lines:>10} {seconds:>10.2} {:>14.0} {:>9.1}{verdict}",
        lines as f64 / seconds.max(0.001),
        resident_megabytes()
    ));
}

/// User and system time of this process so far; 0 where the system does not say.
fn cpu_seconds() -> f64 {
    let Ok(text) = fs::read_to_string("/proc/self/stat") else {
        return 0.0;
    };
    // After the name in parentheses: times are fields 14 and 15 of all, in hundredths of a second.
    let fields: Vec<&str> = text
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let ticks: f64 = [11, 12]
        .iter()
        .filter_map(|&at| fields.get(at)?.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}

fn resident_megabytes() -> f64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text
        .lines()
        .find(|line| line.starts_with("VmRSS"))
        .unwrap_or_default();
    let kilobytes: f64 = line
        .split_whitespace()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(0.0);
    kilobytes / 1024.0
}
