//! Sessions that are judged as they end give what whole logs give, to the letter.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

mod conversations;
mod players;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use choros_base::Budget;
use choros_data::Terms;
use choros_model::Observed;
use choros_model::observation::{Number, Observation};
use choros_model::stg::{Stg, read_stg};
use choros_monitor::audit::{
    Audit, Auditing, Hypothesis, Log, Quiet, SessionStream, Streamed, Survey,
};
use choros_smt::{LazySolver, Limits};
use choros_testkit::{Random, all_bound, random_data_choreography, rounds, seed_from_env};
use conversations::{conversations, how};

/// Everything an audit says, as text.
fn said(found: &Audit, terms: &Terms) -> String {
    let mut text = String::new();
    for part in &found.results {
        let verdict = match &part.verdict {
            Observed::HoldsIf {
                condition,
                evidence,
                ..
            } => {
                format!("holds if {} {evidence:?}", terms.print(*condition))
            }
            other => format!("{other:?}"),
        };
        let numbers = (part.observations, part.filtered, part.pass, part.fail);
        let rest = (part.inconclusive, part.finished, &part.growth);
        let _ = writeln!(text, "{} {verdict} {numbers:?} {rest:?}", part.name);
    }
    let _ = writeln!(text, "{} {}", found.sessions, found.told_apart);
    let _ = writeln!(text, "{:?} {}", found.blame, found.repeated);
    let _ = writeln!(text, "{:?} {:?}", found.fields, found.filtered);
    let _ = writeln!(text, "{:?} {:?}", found.torn, found.notes);
    text
}

fn solver() -> LazySolver {
    LazySolver::from_environment(Limits::default())
}

/// The answer of a stream, how often the logs were read, and how many observations were held at most.
struct Answer {
    found: Audit,
    terms: Terms,
    readings: usize,
    most_held: usize,
}

/// Judges logs session by session; the log to read from, and when to judge, are chosen by chance.
fn streamed(
    stg: &Stg,
    logs: &[Log],
    (how, quiet): (&Auditing, Option<Quiet>),
    terms: &Terms,
    random: &mut Random,
) -> Option<Answer> {
    let mut terms = terms.clone();
    let mut kept = BTreeSet::new();
    for readings in 1.. {
        let mut survey = Survey::new(stg, how, &mut terms);
        for (number, log) in logs.iter().enumerate() {
            for seen in &log.observations {
                let by = (log.role.as_str(), log.promises_data);
                survey.see((number, 0), by, seen, &terms);
            }
        }
        if survey.needs_whole_logs().is_some() {
            return None;
        }
        let heads = logs.iter().map(|log| Log {
            observations: Vec::new(),
            ..log.clone()
        });
        let with = (quiet.clone(), kept.clone());
        let mut stream = SessionStream::new(stg, survey, heads.collect(), how, with, &terms);
        let budget = Budget::unlimited();
        let mut taken = vec![0; logs.len()];
        let in_order = random.percent(50);
        loop {
            let left = (0..logs.len()).filter(|&it| taken[it] < logs[it].observations.len());
            let left: Vec<usize> = left.collect();
            if left.is_empty() {
                break;
            }
            let at = |log: &&usize| logs[**log].observations[taken[**log]].at.clone();
            let earliest = left.iter().min_by_key(at).copied().unwrap_or_default();
            let log = if in_order {
                earliest
            } else {
                *random.pick(&left)
            };
            stream.take(log, logs[log].observations[taken[log]].clone());
            taken[log] += 1;
            if random.percent(30) {
                stream.judge(&mut solver(), &budget).expect("a solver");
            }
        }
        stream.close();
        while stream.is_due() {
            stream.judge(&mut solver(), &budget).expect("a solver");
        }
        let most_held = stream.most_held();
        match stream.conclude(&mut solver(), &budget, &mut terms) {
            Ok(Streamed::Found(found)) => {
                return Some(Answer {
                    found: *found,
                    terms,
                    readings,
                    most_held,
                });
            }
            Ok(Streamed::Late(sessions)) => kept.extend(sessions),
            Err(error) => panic!("{error:?}"),
        }
    }
    None
}

#[test]
fn sessions_judged_as_they_end_give_what_whole_logs_give() {
    let mut random = Random::new(seed_from_env());
    let (mut compared, mut late, mut shorter, mut failed, mut conditional) = (0, 0, 0, 0, 0);
    for _ in 0..rounds(120) {
        let text = random_data_choreography(&mut random);
        let text = if random.percent(70) {
            all_bound(&text, &mut random)
        } else {
            text
        };
        let mut terms = Terms::new();
        let stg = players::model(&text, &mut terms);
        let logs = conversations(&stg, &mut terms, &mut random);
        let how = how(&mut random);
        let Some(answer) = streamed(&stg, &logs, (&how, None), &terms, &mut random) else {
            continue;
        };
        let whole = players::judged(&stg, &logs, &how, &mut terms);
        let (left, right) = (said(&answer.found, &answer.terms), said(&whole, &terms));
        assert_eq!(left, right, "{text}\n{how:?}\n{logs:#?}");
        compared += 1;
        late += usize::from(answer.readings > 1);
        let all: usize = logs.iter().map(|it| it.observations.len()).sum();
        shorter += usize::from(answer.most_held < all);
        let mut verdicts = whole.results.iter().map(|it| &it.verdict);
        failed += usize::from(verdicts.any(|it| matches!(it, Observed::Fails { .. })));
        let mut verdicts = whole.results.iter().map(|it| &it.verdict);
        conditional += usize::from(verdicts.any(|it| matches!(it, Observed::HoldsIf { .. })));
    }
    let met = (compared, late, shorter, failed, conditional);
    assert!(
        compared > 60 && late > 5 && shorter > 20 && failed > 20,
        "{met:?}"
    );
}

/// Order and confirmation, once or again and again.
const ORDERS: &str = "stg orders sinks\ninitial 0\n0 -> 1: order[a,b]\n1 -> 2: confirm[b,a]\n";
const REPEATED: &str =
    "stg orders explicit\ninitial 0\n0: end\n0 -> 1: order[a,b]\n1 -> 0: confirm[b,a]\n";

fn model(text: &str, terms: &mut Terms) -> Stg {
    let mut sources = choros_base::SourceMap::new();
    let file = sources.add("orders.stg", text.to_owned());
    let (stg, mistakes) = read_stg(file, text, terms);
    assert!(mistakes.is_empty(), "{mistakes:?}");
    stg
}

/// What `a` saw: time, session, and whether it is the order or its confirmation.
fn log_of_a(seen: &[(i64, &'static str, &'static str)]) -> Log {
    let observation =
        |(line, (at, session, operation)): (u64, &(i64, &'static str, &'static str))| {
            let mut seen = match *operation {
                "order" => Observation::sent("order", "a", "b"),
                other => Observation::received(other, "b", "a"),
            };
            seen.line = line;
            seen.at = Some(Number::from(*at));
            seen.session = Some((*session).into());
            seen
        };
    Log {
        role: "a".to_owned(),
        source: "a.jsonl".to_owned(),
        hypothesis: Hypothesis::Cut,
        promises_data: false,
        observations: (1..).zip(seen).map(observation).collect(),
    }
}

fn quiet(after: i64) -> Option<Quiet> {
    Some(Quiet {
        after: Number::from(after),
        words: format!("{after} ms"),
    })
}

/// The verdict on `a`, how many sessions conform, do not, and are open, and the remarks.
fn cut(
    text: &str,
    seen: &[(i64, &'static str, &'static str)],
) -> (String, [usize; 3], Vec<String>) {
    let mut terms = Terms::new();
    let stg = model(text, &mut terms);
    let how = Auditing::default();
    let logs = [log_of_a(seen)];
    let mut random = Random::new(7);
    let answer = streamed(&stg, &logs, (&how, quiet(100)), &terms, &mut random).expect("an answer");
    let part = &answer.found.results[0];
    let numbers = [part.pass, part.fail, part.inconclusive];
    let word = match &part.verdict {
        Observed::Unknown(unknown) => format!("unknown: {}", unknown.reason),
        other => other.word().to_owned(),
    };
    (word, numbers, answer.found.notes)
}

#[test]
fn a_quiet_session_that_could_go_on_is_inconclusive() {
    // Session 1 ends, 2 waits for its confirmation while 3 goes on for longer than 100 ms.
    let seen = [
        (0, "1", "order"),
        (1, "1", "confirm"),
        (2, "2", "order"),
        (60, "3", "order"),
        (110, "3", "confirm"),
        (120, "4", "order"),
        (130, "4", "confirm"),
    ];
    let reason = "unknown: session 2: nothing was seen of it for 100 ms, so it was cut";
    assert_eq!(cut(ORDERS, &seen).0, reason);
    assert_eq!(cut(ORDERS, &seen).1, [3, 0, 1]);
    // Until then it is only unfinished.
    assert_eq!(cut(ORDERS, &seen[..4]).1, [3, 0, 0]);
}

#[test]
fn a_wrong_session_fails_whether_it_is_quiet_or_not() {
    let seen = [
        (0, "1", "confirm"),
        (200, "2", "order"),
        (201, "2", "confirm"),
    ];
    let (word, numbers, _) = cut(ORDERS, &seen);
    assert_eq!((word.as_str(), numbers), ("fails", [1, 1, 0]));
}

#[test]
fn what_comes_after_a_session_was_cut_leaves_no_yes() {
    // Session 1 may end after each confirmation, and is cut where it may; then it goes on.
    let seen = [
        (0, "1", "order"),
        (1, "1", "confirm"),
        (200, "2", "order"),
        (201, "2", "confirm"),
    ];
    assert_eq!(cut(REPEATED, &seen).0, "holds");
    let late = [&seen[..], &[(202, "1", "confirm")]].concat();
    let (word, numbers, notes) = cut(REPEATED, &late);
    let words = "1 observation came after its session was cut and was not judged";
    assert_eq!(word, format!("unknown: {words}"));
    assert_eq!(numbers, [2, 0, 0]);
    assert!(notes.iter().any(|it| it == words), "{notes:?}");
}

#[test]
fn a_session_that_goes_on_after_its_end_is_judged_as_a_whole() {
    // The second confirmation comes when nothing more is allowed: the logs are read again.
    let seen = [
        (0, "1", "order"),
        (1, "1", "confirm"),
        (2, "2", "order"),
        (3, "2", "confirm"),
        (4, "1", "confirm"),
    ];
    let mut terms = Terms::new();
    let stg = model(ORDERS, &mut terms);
    let how = Auditing::default();
    let logs = [log_of_a(&seen)];
    let mut read_twice = 0;
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let answer = streamed(&stg, &logs, (&how, None), &terms, &mut random).expect("an answer");
        read_twice += usize::from(answer.readings == 2);
        assert_eq!(answer.found.results[0].verdict.word(), "fails");
        assert_eq!(answer.found.results[0].fail, 1);
    }
    assert!(read_twice > 0);
}
