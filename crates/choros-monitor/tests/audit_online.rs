//! A session of a stream gets the verdicts that an audit gives on its own logs, whenever the audit of the stream is saved
//! and continued elsewhere.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

mod conversations;
mod players;

use std::collections::BTreeMap;

use choros_base::Budget;
use choros_data::Terms;
use choros_model::Observed;
use choros_model::observation::{Number, Observation};
use choros_model::stg::{Stg, read_stg};
use choros_monitor::Outcome;
use choros_monitor::audit::{
    Auditing, Hypothesis, Integers, Log, OnlineAudit, OnlineBounds, Quiet, SessionVerdict, Sessions,
};
use choros_smt::{LazySolver, Limits, Solver};
use choros_testkit::{Random, all_bound, random_data_choreography, rounds, seed_from_env};
use conversations::{conversations, how};

fn solver() -> Box<dyn Solver> {
    Box::new(LazySolver::from_environment(Limits::default()))
}

fn bounds(seconds: i64, linger: u64) -> OnlineBounds {
    OnlineBounds {
        quiet: Quiet {
            after: Number::from(seconds * 1_000),
            words: format!("{seconds} s"),
        },
        linger,
        most_held: 100_000,
    }
}

fn empty(logs: &[Log]) -> Vec<Log> {
    let heads = logs.iter().map(|log| Log {
        observations: Vec::new(),
        ..log.clone()
    });
    heads.collect()
}

/// The naive twin: whole logs, without what belongs to other sessions.
fn of_session(logs: &[Log], session: &str) -> Vec<Log> {
    let is_of = |seen: &&Observation<'static>| seen.session.as_deref() == Some(session);
    let part = |log: &Log| Log {
        observations: log.observations.iter().filter(is_of).cloned().collect(),
        ..log.clone()
    };
    logs.iter().map(part).collect()
}

fn outcome(verdict: &Observed) -> Outcome {
    match verdict {
        Observed::Holds { .. } => Outcome::Pass,
        Observed::Fails { .. } => Outcome::Fail,
        _ => Outcome::Inconclusive,
    }
}

#[test]
fn every_session_gets_the_verdicts_of_its_own_logs() {
    let mut random = Random::new(seed_from_env());
    let (mut sessions, mut failed, mut agreed) = (0, 0, 0);
    for _ in 0..rounds(60) {
        let text = random_data_choreography(&mut random);
        let text = all_bound(&text, &mut random);
        let mut terms = Terms::new();
        let stg = players::model(&text, &mut terms);
        let logs = conversations(&stg, &mut terms, &mut random);
        let mut roles: Vec<&str> = logs.iter().map(|it| it.role.as_str()).collect();
        roles.sort_unstable();
        roles.dedup();
        let all = || logs.iter().flat_map(|it| &it.observations);
        if roles.len() < logs.len() || all().any(|it| it.session.is_none()) || logs.is_empty() {
            continue;
        }
        let how = Auditing {
            sessions: Sessions::Found,
            ..how(&mut random)
        };
        let linger = *random.pick(&[0, 5, 1_000]);
        let make = || OnlineAudit::new(&stg, empty(&logs), &how, bounds(3_600, linger), &terms);
        let mut online = make();
        let budget = Budget::unlimited();
        let mut verdicts = Vec::new();
        let mut taken = vec![0; logs.len()];
        loop {
            let left = (0..logs.len()).filter(|&it| taken[it] < logs[it].observations.len());
            let left: Vec<usize> = left.collect();
            if left.is_empty() {
                break;
            }
            let log = *random.pick(&left);
            let seen = &logs[log].observations[taken[log]];
            taken[log] += 1;
            let judged = online.take(seen, &mut verdicts, (&mut solver, &budget));
            judged.expect("a solver");
            if random.percent(4) {
                let state = online.save();
                online = make();
                assert!(online.restore(Some(&state)));
                assert_eq!(online.save(), state);
            }
        }
        let finished = online.finish(&mut verdicts, (&mut solver, &budget));
        finished.expect("a solver");
        let found = online.found().clone();
        if found.late > 0 {
            continue;
        }
        let mut by_name: BTreeMap<&str, &SessionVerdict> = BTreeMap::new();
        for verdict in &verdicts {
            let before = by_name.insert(&verdict.session, verdict);
            assert!(before.is_none(), "{} twice", verdict.session);
        }
        for (name, verdict) in by_name {
            let own = of_session(&logs, name);
            let naive = players::judged(&stg, &own, &how, &mut terms);
            let expected: Vec<Outcome> = naive
                .results
                .iter()
                .map(|it| outcome(&it.verdict))
                .collect();
            let held = verdict.observations.len();
            let all: usize = own.iter().map(|it| it.observations.len()).sum();
            assert_eq!(
                verdict.outcomes, expected,
                "{name}: {text}\n{how:?}\n{held} of {all}: {own:?}"
            );
            sessions += 1;
            failed += usize::from(expected.contains(&Outcome::Fail));
        }
        // All sessions in one audit: the same sessions fail, as long as each field is written down somewhere.
        let whole = players::judged(&stg, &logs, &how, &mut terms);
        let is_foreign = whole.fields.iter().any(|it| it.is_foreign());
        for (result, counts) in whole.results.iter().zip(&found.parts) {
            if !is_foreign {
                assert_eq!(
                    result.fail as u64, counts.fail,
                    "{text}\n{how:?}\n{logs:#?}"
                );
                agreed += 1;
            }
            assert_eq!(result.filtered as u64, counts.filtered, "{text}\n{logs:#?}");
        }
    }
    let met = (sessions, failed, agreed);
    assert!(sessions > 150 && failed > 50 && agreed > 60, "{met:?}");
}

/// An order and its confirmation.
const ORDERS: &str = "stg orders sinks\ninitial 0\n0 -> 1: order[a,b]\n1 -> 2: confirm[b,a]\n";

fn orders(terms: &mut Terms) -> Stg {
    let mut sources = choros_base::SourceMap::new();
    let file = sources.add("orders.stg", ORDERS.to_owned());
    let (stg, mistakes) = read_stg(file, ORDERS, terms);
    assert!(mistakes.is_empty(), "{mistakes:?}");
    stg
}

fn seen(at: i64, session: &str, operation: &'static str) -> Observation<'static> {
    let seen = match operation {
        "order" => Observation::sent("order", "a", "b"),
        other => Observation::received(other, "b", "a"),
    };
    Observation {
        line: at as u64,
        at: Some(Number::from(at)),
        session: Some(session.to_owned().into()),
        ..seen
    }
}

struct Audited {
    online: OnlineAudit,
    verdicts: Vec<SessionVerdict>,
}

impl Audited {
    fn new(bounds: OnlineBounds) -> Audited {
        let mut terms = Terms::new();
        let stg = orders(&mut terms);
        let head = Log {
            role: "a".to_owned(),
            source: "a.jsonl".to_owned(),
            hypothesis: Hypothesis::Cut,
            promises_data: false,
            observations: Vec::new(),
        };
        let how = Auditing {
            integers: Integers::Declared,
            ..Auditing::default()
        };
        Audited {
            online: OnlineAudit::new(&stg, vec![head], &how, bounds, &terms),
            verdicts: Vec::new(),
        }
    }

    fn take(&mut self, at: i64, session: &str, operation: &'static str) {
        let seen = seen(at, session, operation);
        let with = (&mut solver as &mut dyn FnMut() -> _, &Budget::unlimited());
        let taken = self.online.take(&seen, &mut self.verdicts, with);
        taken.expect("a solver");
    }

    /// Sessions and what was found of `a`.
    fn told(&self) -> Vec<(&str, Outcome)> {
        let verdicts = self.verdicts.iter();
        verdicts
            .map(|it| (it.session.as_str(), it.outcomes[0]))
            .collect()
    }
}

#[test]
fn what_ends_or_is_quiet_is_judged_and_forgotten() {
    let mut audited = Audited::new(bounds(10, 2));
    audited.take(1, "1", "order");
    audited.take(2, "1", "confirm");
    audited.take(3, "2", "order");
    // The first session is over, and is judged after two more observations.
    assert_eq!(audited.told(), []);
    audited.take(4, "3", "order");
    assert_eq!(audited.told(), [("1", Outcome::Pass)]);
    // What comes for it now is late.
    audited.take(5, "1", "confirm");
    assert_eq!(audited.online.found().late, 1);
    // A second confirmation that comes in time is too much.
    audited.take(6, "3", "confirm");
    audited.take(7, "3", "confirm");
    // The second waits for its confirmation for more than 10 s; by a tick, because no one else says what time it is.
    let tick = Number::from(10_004);
    let with = (&mut solver as &mut dyn FnMut() -> _, &Budget::unlimited());
    let Audited { online, verdicts } = &mut audited;
    online.tick(&tick, verdicts, with).expect("a solver");
    assert_eq!(audited.told()[1..], [("2", Outcome::Inconclusive)]);
    assert_eq!(audited.online.found().cut_quiet, 1);
    let tick = Number::from(10_008);
    let with = (&mut solver as &mut dyn FnMut() -> _, &Budget::unlimited());
    let Audited { online, verdicts } = &mut audited;
    online.tick(&tick, verdicts, with).expect("a solver");
    assert_eq!(audited.told()[2..], [("3", Outcome::Fail)]);
    assert_eq!(audited.online.held(), 0);
}

/// Sessions that never end, without any time: memory is bounded all the same, and what is given up is not told as right.
#[test]
fn no_more_is_held_than_there_is_room_for() {
    let mut audited = Audited::new(OnlineBounds {
        most_held: 50,
        ..bounds(1, 0)
    });
    for number in 0..1_000 {
        let mut seen = seen(number, &number.to_string(), "order");
        seen.at = None;
        let with = (&mut solver as &mut dyn FnMut() -> _, &Budget::unlimited());
        let Audited { online, verdicts } = &mut audited;
        online.take(&seen, verdicts, with).expect("a solver");
        assert!(online.held() <= 50);
    }
    assert_eq!(audited.online.found().cut_for_room, 950);
    let is_open = |it: &(&str, Outcome)| it.1 == Outcome::Inconclusive;
    assert!(audited.told().iter().all(is_open));
}
