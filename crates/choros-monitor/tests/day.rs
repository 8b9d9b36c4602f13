//! A day in miniature: sessions come and go, some never end, and what is remembered does not grow.
//!
//! `CHOROS_SESSIONS=1000000 cargo test --release -p choros-monitor --test day -- --nocapture` plays a million of them and
//! prints what they took.

#![allow(clippy::print_stdout, reason = "what it took is worth seeing")]

use choros_base::{Budget, SourceMap};
use choros_data::Terms;
use choros_model::observation::{Number, Observation};
use choros_model::stg::read_stg;
use choros_monitor::audit::{Auditing, Hypothesis, Log, OnlineAudit, OnlineBounds, Quiet};
use choros_monitor::{Config, Monitor};
use choros_query::property::{MessageSchema, read};
use choros_smt::{LazySolver, Solver};
use choros_testkit::{Random, seed_from_env};

/// So many, unless `CHOROS_SESSIONS` says otherwise.
const SESSIONS: u64 = 4_000;

fn sessions() -> u64 {
    let said = std::env::var("CHOROS_SESSIONS").ok();
    said.and_then(|it| it.parse().ok()).unwrap_or(SESSIONS)
}

/// Orders and confirmations of sessions that overlap; one in twenty waits for its confirmation for ever.
struct Day {
    random: Random,
    open: Vec<u64>,
    next: u64,
    now: i64,
    unended: u64,
    count: u64,
}

impl Day {
    fn new() -> Day {
        Day {
            random: Random::new(seed_from_env()),
            open: Vec::new(),
            next: 0,
            now: 0,
            unended: 0,
            count: sessions(),
        }
    }
}

impl Iterator for Day {
    type Item = Observation<'static>;

    fn next(&mut self) -> Option<Observation<'static>> {
        self.now += 1;
        let is_last = self.next == self.count;
        let ends = self.open.len() > 40 || is_last || self.random.percent(50);
        let (session, seen) = if ends && !self.open.is_empty() {
            let place = self.random.below(self.open.len());
            let session = self.open.swap_remove(place);
            (session, Observation::received("confirm", "b", "a"))
        } else if is_last {
            return None;
        } else {
            self.next += 1;
            if self.random.percent(5) {
                self.unended += 1;
            } else {
                self.open.push(self.next);
            }
            (self.next, Observation::sent("order", "a", "b"))
        };
        Some(Observation {
            line: self.now as u64,
            at: Some(Number::from(self.now)),
            session: Some(session.to_string().into()),
            ..seen
        })
    }
}

/// Resident memory in kilobytes, where the system says.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split_whitespace().nth(1);
    pages.and_then(|it| it.parse::<u64>().ok()).unwrap_or(0) * 4
}

/// What was held at most, and the memory after a tenth and at the end.
fn play(mut take: impl FnMut(&Observation<'static>) -> usize) -> (usize, Day) {
    let mut day = Day::new();
    let (mut most, mut early) = (0, 0);
    while let Some(seen) = day.next() {
        most = most.max(take(&seen));
        if early == 0 && day.next > day.count / 10 {
            early = resident();
        }
    }
    println!(
        "{} sessions, {} never ended; at most {most} held; {early} kB after a tenth, {} kB at the end",
        day.count,
        day.unended,
        resident()
    );
    (most, day)
}

#[test]
fn an_audit_holds_what_is_open() {
    let text = "stg orders sinks\ninitial 0\n0 -> 1: order[a,b]\n1 -> 2: confirm[b,a]\n";
    let (mut terms, mut sources) = (Terms::new(), SourceMap::new());
    let file = sources.add("orders.stg", text.to_owned());
    let (stg, _) = read_stg(file, text, &mut terms);
    let head = Log {
        role: "a".to_owned(),
        source: "a.jsonl".to_owned(),
        hypothesis: Hypothesis::Cut,
        promises_data: false,
        observations: Vec::new(),
    };
    let bounds = OnlineBounds {
        quiet: Quiet {
            after: Number::from(2_000),
            words: "2 s".to_owned(),
        },
        linger: 10,
        most_held: 100_000,
    };
    let mut online = OnlineAudit::new(&stg, vec![head], &Auditing::default(), bounds, &terms);
    let budget = Budget::unlimited();
    let mut solver = || Box::new(LazySolver::without_any()) as Box<dyn Solver>;
    let mut told = 0;
    let (most, day) = play(|seen| {
        let mut verdicts = Vec::new();
        let taken = online.take(seen, &mut verdicts, (&mut solver, &budget));
        taken.expect("no solver is needed");
        told += verdicts.len() as u64;
        online.held()
    });
    // Those that wait, those that ended lately, and those that never end and were not quiet for 2,000 observations: about
    // one in forty.
    assert!(most < 300, "{most}");
    let mut verdicts = Vec::new();
    let tick = Number::from(1 << 40);
    let passed = online.tick(&tick, &mut verdicts, (&mut solver, &budget));
    passed.expect("no solver is needed");
    let found = online.found();
    assert_eq!(online.held(), 0);
    assert_eq!(told + verdicts.len() as u64, day.count);
    assert_eq!((found.cut_quiet, found.late), (day.unended, 0));
    assert_eq!(found.parts[0].pass, day.count - day.unended);
}

#[test]
fn a_monitor_holds_no_more_windows_than_it_may() {
    let text = "property p on a { context order[a,b]! (any) within 1 messages per session expect confirm[b,a]? (any) }";
    let (mut terms, mut sources) = (Terms::new(), SourceMap::new());
    let file = sources.add("p.prop", text);
    let (properties, _) = read(file, text, &MessageSchema::default(), &mut terms);
    let config = Config {
        most_windows: 200,
        ..Config::default()
    };
    let mut monitor = Monitor::new(&properties, &terms, config).expect("a property");
    let (most, day) = play(|seen| {
        let seen = Observation {
            by: "a".into(),
            ..seen.clone()
        };
        monitor.observe(&seen);
        monitor.open_windows().iter().sum::<u64>() as usize
    });
    assert!(most <= 200, "{most}");
    monitor.finish();
    let counts = &monitor.counts()[0];
    let decided = counts.pass.total() + counts.fail + counts.inconclusive;
    assert_eq!((decided, counts.fail), (day.count, 0));
    // Windows that were given up, because there was no room, may be those of sessions that end.
    assert!(counts.inconclusive >= day.unended);
}
