//! Audits by the clock: runs of services that do their part, with clocks that agree, never fail.
//!
//! Each message of a choreography happens as a whole: it is sent at one moment and received later, before anything else
//! happens. Clocks are coarse now and then, so that several things happen at one time; logs are cut, began late or have
//! gaps.
//! A twin takes all observations in every order that agrees with their times, on small logs, right and wrong ones.
//! `CHOROS_SEED` repeats a failure; the seed is printed.

mod players;

use std::collections::{BTreeMap, BTreeSet};

use choros_data::Terms;
use choros_model::observation::{Number, Observation};
use choros_model::stg::{Direction, Role, Stg};
use choros_monitor::audit::{
    Audit, Auditing, Empty, Hypothesis, Log, MessageMoment, Order, Sessions,
};
use choros_testkit::{
    LocalRuns, Random, SeenMessage, all_bound, random_data_choreography, rounds, seed_from_env,
};

/// A message with the moments at which it was sent and received.
type Moments = (SeenMessage, i64, i64);

/// A run of the choreography: every service does its part, and everyone could expect what it was told.
fn run(stg: &Stg, random: &mut Random, terms: &mut Terms) -> Vec<Moments> {
    let runs = LocalRuns::seen_whole(stg, &[0, 1], terms);
    let mut at = runs.start(terms);
    let mut run = Vec::new();
    let mut now = 0;
    for _ in 0..3 + random.below(6) {
        let next = runs.next(&at, terms);
        if next.is_empty() {
            break;
        }
        let (message, after) = random.pick(&next).clone();
        let sent = now + 1 + random.below(9) as i64;
        let received = sent + 1 + random.below(9) as i64;
        run.push((message, sent, received));
        (now, at) = (received, after);
    }
    run
}

/// What a role saw of a run, by a clock that counts in steps of `tick`.
fn whole_log(role: Role, run: &[Moments], tick: i64, terms: &Terms) -> Log {
    let seen = run.iter().enumerate().filter_map(|(id, (message, ..))| {
        let is_sent = message.1 == role;
        let direction = if is_sent {
            Direction::Send
        } else {
            Direction::Receive
        };
        (is_sent || message.2 == role).then_some((message, direction, id))
    });
    let at_its_time = |seen: &mut Observation<'static>, id: usize| {
        let (_, sent, received) = &run[id];
        let moment = match seen.direction {
            Direction::Receive => received,
            Direction::Send | Direction::Interaction => sent,
        };
        seen.at = Some(Number::from(moment / tick * tick));
    };
    players::log(role, seen, at_its_time, terms)
}

/// The same where a part is missing.
fn lacking(mut log: Log, hypothesis: Hypothesis, random: &mut Random) -> Log {
    let count = log.observations.len();
    let gone = if random.percent(50) {
        random.below(count + 1)
    } else {
        0
    };
    match hypothesis {
        Hypothesis::Cut => log.observations.truncate(count - gone),
        Hypothesis::Late => {
            log.observations.drain(..gone);
        }
        Hypothesis::Gaps => log.observations.retain(|_| random.percent(80)),
    }
    Log { hypothesis, ..log }
}

fn judged(stg: &Stg, logs: &[Log], reading: MessageMoment, terms: &mut Terms) -> Audit {
    let how = Auditing {
        order: Order::Time,
        reading,
        sessions: Sessions::One,
        empty: Empty::Conforms,
        limit: 20_000,
        ..Auditing::default()
    };
    players::judged(stg, logs, &how, terms)
}

/// The same log by a clock that is wrong.
fn skewed(mut log: Log, by: i64) -> Log {
    for seen in &mut log.observations {
        seen.at = seen.at.as_ref().map(|at| at.plus(&Number::from(by)));
    }
    log
}

#[test]
fn a_run_of_the_choreography_never_fails() {
    let mut random = Random::new(seed_from_env());
    let mut met: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..rounds(250) {
        let text = all_bound(&random_data_choreography(&mut random), &mut random);
        let mut terms = Terms::new();
        let stg = players::model(&text, &mut terms);
        let run = run(&stg, &mut random, &mut terms);
        let tick = *random.pick(&[1, 1, 5, 40]);
        let mut logs = Vec::new();
        for role in stg.roles() {
            let hypothesis = *random.pick(&[
                Hypothesis::Cut,
                Hypothesis::Cut,
                Hypothesis::Late,
                Hypothesis::Gaps,
            ]);
            if random.percent(85) {
                let log = whole_log(role, &run, tick, &terms);
                logs.push(lacking(log, hypothesis, &mut random));
            }
        }
        let reading = *random.pick(&[
            MessageMoment::Whole,
            MessageMoment::Sendings,
            MessageMoment::Receptions,
        ]);
        let found = judged(&stg, &logs, reading, &mut terms);
        let lines: Vec<String> = logs
            .iter()
            .flat_map(|log| {
                let seen = log.observations.iter();
                seen.map(|it| {
                    format!(
                        "{} {:?} {:?} {}\n",
                        log.role,
                        log.hypothesis,
                        it.at,
                        it.text()
                    )
                })
            })
            .collect();
        let context = || format!("{reading:?} tick {tick}\n{text}{}", lines.concat());
        assert!(
            found.blame.guilty.is_empty(),
            "{:?} {}",
            found.blame,
            context()
        );
        // Clocks that do not agree may make an order wrong, and no role guilty.
        let wrong_clocks: Vec<Log> = logs
            .iter()
            .map(|log| skewed(log.clone(), random.below(60) as i64))
            .collect();
        let blame = judged(&stg, &wrong_clocks, reading, &mut terms).blame;
        assert!(blame.guilty.is_empty(), "{blame:?} {}", context());
        for result in &found.results {
            let word = result.verdict.word();
            assert_ne!(word, "fails", "{}: {}", result.name, context());
            *met.entry(word).or_default() += 1;
        }
    }
    assert!(met.get("holds").is_some_and(|it| *it > 100), "{met:?}");
    assert!(met.get("unknown").is_some_and(|it| *it > 20), "{met:?}");
}

/// Whether an observation is a sending, its message and its time.
type Seen = (bool, usize, i64);

/// All orders of messages that agree with the times: a message stands where its sending or its reception does; as a
/// whole it must have both side by side.
fn orders(logs: &[Vec<Seen>], reading: MessageMoment) -> BTreeSet<Vec<usize>> {
    let mut found = BTreeSet::new();
    let mut pending = vec![(vec![0; logs.len()], Vec::<Seen>::new())];
    while let Some((heads, line)) = pending.pop() {
        let left = || {
            let logs = logs.iter().zip(&heads);
            logs.flat_map(|(log, &head)| &log[head..])
        };
        if left().next().is_none() {
            let is_whole = |pair: &[Seen]| match *pair {
                [(true, one, _), (false, other, _)] => one == other,
                _ => false,
            };
            if reading != MessageMoment::Whole || line.chunks(2).all(is_whole) {
                let is_place = |it: &&Seen| it.0 == (reading != MessageMoment::Receptions);
                found.insert(line.iter().filter(is_place).map(|it| it.1).collect());
            }
            continue;
        }
        for (log, &head) in heads.iter().enumerate() {
            let Some(&seen) = logs[log].get(head) else {
                continue;
            };
            let is_earliest = left().all(|it| it.2 >= seen.2);
            let is_sent = seen.0 || line.iter().any(|it| it.0 && it.1 == seen.1);
            if is_earliest && is_sent {
                let (mut heads, mut line) = (heads.clone(), line.clone());
                heads[log] += 1;
                line.push(seen);
                pending.push((heads, line));
            }
        }
    }
    found
}

#[test]
fn verdicts_are_those_of_all_orders_that_agree_with_the_times() {
    let mut random = Random::new(seed_from_env());
    let mut met: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for _ in 0..rounds(250) {
        let text = all_bound(&random_data_choreography(&mut random), &mut random);
        let mut terms = Terms::new();
        let stg = players::model(&text, &mut terms);
        let mut run = run(&stg, &mut random, &mut terms);
        run.truncate(5);
        // Now and then two messages change their times, so that the run is another one.
        if run.len() > 1 && random.percent(40) {
            let at = random.below(run.len() - 1);
            let (one, other) = (run[at].clone(), run[at + 1].clone());
            run[at] = (other.0, one.1, one.2);
            run[at + 1] = (one.0, other.1, other.2);
        }
        let tick = *random.pick(&[1, 5, 20, 40]);
        let mut logs: Vec<Log> = Vec::new();
        let mut seen: Vec<Vec<Seen>> = Vec::new();
        for role in stg.roles() {
            logs.push(whole_log(role, &run, tick, &terms));
            let of_role = run
                .iter()
                .enumerate()
                .filter_map(|(id, (message, sent, received))| {
                    let is_sent = message.1 == role;
                    let moment = if is_sent { sent } else { received };
                    (is_sent || message.2 == role).then_some((is_sent, id, moment / tick * tick))
                });
            seen.push(of_role.collect());
        }
        let reading = *random.pick(&[
            MessageMoment::Whole,
            MessageMoment::Sendings,
            MessageMoment::Receptions,
        ]);
        let runs = LocalRuns::seen_whole(&stg, &[0, 1], &terms);
        let mut conform = Vec::new();
        for order in orders(&seen, reading) {
            let mut at = Some(runs.start(&mut terms));
            for &id in &order {
                at = at.and_then(|at| {
                    let mut next = runs.next(&at, &mut terms).into_iter();
                    next.find(|it| it.0 == run[id].0).map(|it| it.1)
                });
            }
            conform.push(at.is_some());
        }
        let found = judged(&stg, &logs, reading, &mut terms);
        let global = found.results.iter().find(|it| it.name == "global");
        let Some(word) = global.map(|it| it.verdict.word()) else {
            continue;
        };
        let context = || format!("{word} for {conform:?}: {reading:?} {text}{run:?} {tick}");
        let (all, any) = (
            !conform.is_empty() && conform.iter().all(|it| *it),
            conform.contains(&true),
        );
        assert_eq!(word == "holds", all, "{}", context());
        // What logs that may be cut lack may make it right.
        assert!(word != "fails" || !any, "{}", context());
        *met.entry((word, any)).or_default() += 1;
    }
    for case in [("holds", true), ("fails", false), ("unknown", true)] {
        assert!(met.get(&case).is_some_and(|it| *it > 3), "{met:?}");
    }
}
