//! The monitor against the textbook one that holds the whole log in memory.

use std::collections::BTreeMap;

use choros_base::SourceMap;
use choros_data::Terms;
use choros_model::observation::{Datum, Number, Observation};
use choros_model::stg::Direction;
use choros_monitor::{Config, Monitor, Outcome, naive};
use choros_query::property::{MessageSchema, Properties, read};
use choros_testkit::Random;

fn properties(text: &str, terms: &mut Terms) -> Properties {
    let mut sources = SourceMap::new();
    let file = sources.add("p.prop", text);
    let (properties, diagnostics) = read(file, text, &MessageSchema::default(), terms);
    let errors: Vec<&str> = diagnostics
        .iter()
        .filter(|found| found.code.code != "CH1009")
        .map(|found| found.message.as_str())
        .collect();
    assert!(errors.is_empty(), "{text}\n{errors:?}");
    properties
}

/// What becomes of each window: property, position of its first message, outcome, position of the deciding one.
type Judged = Vec<(usize, usize, Outcome, Option<usize>)>;

/// Lines are positions in the log, from 1.
fn monitored(
    properties: &Properties,
    terms: &Terms,
    config: &Config,
    log: &[Observation<'_>],
    restart: Option<usize>,
) -> Judged {
    let mut monitor = Monitor::new(properties, terms, config.clone()).unwrap();
    let mut judged = Vec::new();
    let mut sequence = 0;
    let mut note = |monitor: &Monitor, at_end: bool| {
        for verdict in monitor.verdicts() {
            sequence += 1;
            assert_eq!(verdict.sequence, sequence);
            let first = verdict.window.first().map(|seen| seen.line);
            assert_eq!(first, Some(verdict.opened.line));
            judged.push((
                verdict.property,
                verdict.opened.line as usize - 1,
                verdict.outcome,
                (!at_end).then(|| verdict.decided.line as usize - 1),
            ));
        }
    };
    for (position, seen) in log.iter().enumerate() {
        if restart == Some(position) {
            let state = monitor.save();
            monitor = Monitor::new(properties, terms, config.clone()).unwrap();
            monitor.restore(&state).unwrap();
            assert_eq!(monitor.save(), state);
        }
        monitor.observe(seen);
        note(&monitor, false);
    }
    monitor.finish();
    note(&monitor, true);
    judged.sort();
    let mut counts: BTreeMap<(usize, Outcome), u64> = BTreeMap::new();
    for (property, _, outcome, _) in &judged {
        *counts.entry((*property, *outcome)).or_default() += 1;
    }
    for (property, known) in monitor.counts().iter().enumerate() {
        let count = |outcome| counts.get(&(property, outcome)).copied().unwrap_or(0);
        assert_eq!(
            (known.pass.total(), known.fail, known.inconclusive),
            (
                count(Outcome::Pass),
                count(Outcome::Fail),
                count(Outcome::Inconclusive)
            )
        );
    }
    judged
}

fn random_property(random: &mut Random, number: usize) -> String {
    random_family(random, number, 1)
}

/// Properties that agree in everything but conditions, what is expected and how long they wait: they share their
/// windows.
fn random_family(random: &mut Random, first_number: usize, count: usize) -> String {
    let mut pick = |from: &[&str]| -> String { from[random.below(from.len())].to_owned() };
    let first = pick(&[
        "A[c,s]?(x = a)",
        "A[c,s]?(any)",
        "any[c,s]?(.op = a)",
        "A[c,s]?(x = a) where a > 1",
        "A[c,s]?(x = a, .at = t)",
        "B[s,c]!(y = a) where a != 2",
    ]);
    let second = pick(&[
        "",
        "",
        "B[s,c]!(any)",
        "A[c,s]?(x = b) where b >= 1",
        "any[any,any](any)",
    ]);
    let with = pick(&["", "", "with session", "with id", "with z"]);
    let lengths: &[&str] = if pick(&["messages", "messages", "ms"]) == "ms" {
        &["3 ms", "4 ms", "10 ms"]
    } else {
        &["1 messages", "2 messages", "5 messages", "20 messages"]
    };
    let window = pick(lengths);
    let own_lengths = pick(&["one", "own"]) == "own";
    let per = pick(&["", "", "per session"]);
    let on = pick(&["on s", "on s", "on c", ""]);
    let uses_a = first.contains("= a") && !first.contains(".op");
    (first_number..first_number + count)
        .map(|number| {
            let sense = pick(&["expect", "expect", "never"]);
            let window = if own_lengths { pick(lengths) } else { window.clone() };
            let answer = if uses_a { pick(&[
                    "B[s,c]!(y = v) where v == a",
                    "B[s,c]!(y = v) where v == 2 * a or v == a + 1",
                    "C[s,c]!(any)",
                    "A[c,s]?(x = v) where v < a",
                ]) } else { pick(&["B[s,c]!(y = v) where v == 2", "C[s,c]!(any)"]) };
            let other = pick(&["", "", "or C[s,c]!(any)", "or B[s,c]!(z = q) where q == 1"]);
            // Another condition on the first message, now and then.
            let first = if uses_a && !first.contains("where") { format!("{first} {}", pick(&["", "", "where a > 0", "where a < 2"])) } else { first.clone() };
            let second = match second.as_str() {
                "A[c,s]?(x = b) where b >= 1" => format!("A[c,s]?(x = b) where b {}", pick(&[">= 1", "< 3", "== 2"])),
                _ => second.clone(),
            };
            format!(
                "property p{number} {on} {{ context {first} {second} {with} within {window} {per} {sense} {answer} {other} }}\n"
            )
        })
        .collect()
}

fn random_log(random: &mut Random, length: usize) -> Vec<Observation<'static>> {
    let mut time = 0;
    (0..length)
        .map(|position| {
            let (operation, from, to, direction, label) = match random.below(5) {
                0 | 1 => ("A", "c", "s", Direction::Receive, "x"),
                2 | 3 => ("B", "s", "c", Direction::Send, "y"),
                _ => ("C", "s", "c", Direction::Send, "w"),
            };
            let mut seen = Observation::new(operation, from, to, direction);
            if random.below(8) == 0 {
                seen.by = "c".into();
            }
            if random.below(10) > 0 {
                let value = match random.below(14) {
                    12 => Datum::Text("[redacted 00000001:0000000000000001]".into()),
                    13 => Datum::Text("[redacted 00000001:0000000000000002]".into()),
                    0 => Datum::Text("2".into()),
                    1 => Datum::Untyped("2".into()),
                    other => Datum::Number(Number::from((other % 4) as i64)),
                };
                seen = seen.with(label, value);
            }
            if random.below(3) > 0 {
                seen = seen.with("z", Datum::Number(Number::from(random.below(3) as i64)));
            }
            seen.line = position as u64 + 1;
            seen.session = match random.below(5) {
                0 => None,
                other => Some(format!("s{}", other % 3).into()),
            };
            seen.id = Some(format!("m{}", random.below(4)).into());
            seen.is_partial = random.below(12) == 0;
            time += random.below(4) as i64;
            seen.at = match random.below(12) {
                0 => None,
                1 => Some(Number::from((time - 3).max(0))),
                _ => Some(Number::from(time)),
            };
            seen
        })
        .collect()
}

#[test]
fn the_monitor_agrees_with_its_twin() {
    let seed = choros_testkit::seed_from_env();
    let mut random = Random::new(seed);
    let mut decided = 0;
    for round in 0..3000 {
        let mut terms = Terms::new();
        let text: String = match random.below(4) {
            // More members than fit into one word, now and then.
            0 => {
                let count = [2, 3, 5, 70][random.below(4)];
                let family = random_family(&mut random, 0, count);
                family + &random_property(&mut random, count)
            }
            _ => (0..1 + random.below(3))
                .map(|number| random_property(&mut random, number))
                .collect(),
        };
        let properties = properties(&text, &mut terms);
        let length = random.below(40);
        let log = random_log(&mut random, length);
        let config = Config {
            related_only: random.below(4) == 0,
            strict_end: random.below(4) == 0,
            ..Config::default()
        };
        let restart = (length > 0 && random.below(2) == 0).then(|| random.below(length));
        let expected: Judged = naive::judge(&properties, &terms, &config, &log)
            .unwrap()
            .into_iter()
            .map(|window| {
                (
                    window.property,
                    window.opened,
                    window.outcome,
                    window.decided,
                )
            })
            .collect();
        let found = monitored(&properties, &terms, &config, &log, restart);
        let shown: Vec<String> = log
            .iter()
            .map(|seen| {
                format!(
                    "{} {:?} {:?} by {} {}",
                    seen.line,
                    seen.at,
                    seen.session,
                    seen.by,
                    seen.text()
                )
            })
            .collect();
        assert_eq!(
            found, expected,
            "CHOROS_SEED={seed} round {round} restart {restart:?} {config:?}\n{text}\n{shown:#?}"
        );
        decided += found.len();
    }
    // The comparison must have compared something.
    assert!(decided > 10_000, "{decided}");
}

/// Properties that share their windows are judged as if each were alone, also where windows are given up.
#[test]
fn sharing_windows_changes_nothing() {
    let seed = choros_testkit::seed_from_env();
    let mut random = Random::new(seed);
    for round in 0..1000 {
        let text = random_family(&mut random, 0, 4);
        let log = random_log(&mut random, 40);
        let config = Config {
            most_windows: [1, 2, 3, 9][random.below(4)],
            ..Config::default()
        };
        let judged = |text: &str| {
            let mut terms = Terms::new();
            let properties = properties(text, &mut terms);
            let mut monitor = Monitor::new(&properties, &terms, config.clone()).unwrap();
            let mut judged: Vec<(String, u64, Outcome, u64)> = Vec::new();
            for seen in log.iter().map(Some).chain([None]) {
                match seen {
                    Some(seen) => monitor.observe(seen),
                    None => monitor.finish(),
                }
                judged.extend(monitor.verdicts().iter().map(|verdict| {
                    (
                        properties.local[verdict.property].name.clone(),
                        verdict.opened.line,
                        verdict.outcome,
                        verdict.decided.line,
                    )
                }));
            }
            judged.sort();
            judged
        };
        let together = judged(&text);
        let mut alone: Vec<_> = text.lines().flat_map(judged).collect();
        alone.sort();
        assert_eq!(together, alone, "CHOROS_SEED={seed} round {round}\n{text}");
    }
}

/// Observations that come late within the slack are judged as if they had come in order.
#[test]
fn slack_puts_observations_in_order() {
    let mut random = Random::new(17);
    for round in 0..500 {
        let mut terms = Terms::new();
        let text = random_property(&mut random, 0);
        let properties = properties(&text, &mut terms);
        let mut log = random_log(&mut random, 30);
        for (position, seen) in log.iter_mut().enumerate() {
            seen.by = "s".into();
            seen.at = Some(Number::from(10 * position as i64));
        }
        let config = Config {
            slack: Some(45),
            ..Config::default()
        };
        let expected = monitored(&properties, &terms, &Config::default(), &log, None);
        let mut shuffled = log.clone();
        for position in 0..shuffled.len() {
            let other = (position + random.below(4)).min(shuffled.len() - 1);
            if shuffled[other].line.abs_diff(position as u64 + 1) <= 3
                && shuffled[position].line.abs_diff(other as u64 + 1) <= 3
            {
                shuffled.swap(position, other);
            }
        }
        let mut monitor = Monitor::new(&properties, &terms, config).unwrap();
        let mut found: Judged = Vec::new();
        let mut add = |monitor: &Monitor, at_end: bool| {
            assert!(
                monitor
                    .remarks()
                    .iter()
                    .all(|remark| !matches!(remark.kind, choros_monitor::RemarkKind::Late { .. }))
            );
            found.extend(monitor.verdicts().iter().map(|verdict| {
                let is_cut = at_end && verdict.outcome == Outcome::Inconclusive;
                (
                    verdict.property,
                    verdict.opened.line as usize - 1,
                    verdict.outcome,
                    (!is_cut).then(|| verdict.decided.line as usize - 1),
                )
            }));
        };
        for seen in &shuffled {
            monitor.observe(seen);
            add(&monitor, false);
        }
        monitor.finish();
        add(&monitor, true);
        // What waits to be put in order is judged at the end, and so are windows that redacted values would decide.
        let mut expected = expected;
        for windows in [&mut found, &mut expected] {
            let open = windows.iter_mut();
            open.filter(|it| it.2 == Outcome::Inconclusive)
                .for_each(|it| it.3 = None);
            windows.sort();
        }
        assert_eq!(found, expected, "round {round}\n{text}");
    }
}

/// Fact 36: a monitor holds no more than (n+d) + (n+d-1) messages; those of contexts are among the last n + d.
#[test]
fn fact_36_memory_of_a_window() {
    let mut terms = Terms::new();
    let text = "property p on s { context A[c,s]?(x = a) B[s,c]!(any) within 3 messages expect C[s,c]!(any) }";
    let properties = properties(text, &mut terms);
    let mut monitor = Monitor::new(&properties, &terms, Config::default()).unwrap();
    let mut random = Random::new(1);
    for seen in &random_log(&mut random, 2000) {
        monitor.observe(seen);
        for log in monitor.save().logs {
            let (n, d) = (2, 3);
            assert!(log.recent.len() + log.windows.len() <= (n + d) + (n + d - 1));
        }
    }
}

#[test]
fn windows_beyond_the_bound_are_given_up() {
    let mut terms = Terms::new();
    let text = "property p on s { context A[c,s]?(any) with session within 9 messages per session expect B[s,c]!(any) }";
    let properties = properties(text, &mut terms);
    let config = Config {
        most_windows: 3,
        ..Config::default()
    };
    let mut monitor = Monitor::new(&properties, &terms, config).unwrap();
    for number in 0..10u64 {
        let mut seen = Observation::new("A", "c", "s", Direction::Receive);
        seen.session = Some(format!("s{number}").into());
        seen.line = number + 1;
        monitor.observe(&seen);
        if number < 3 {
            assert!(monitor.verdicts().is_empty())
        } else {
            assert_eq!(monitor.verdicts().len(), 1);
            assert_eq!(monitor.verdicts()[0].outcome, Outcome::Inconclusive);
            assert_eq!(monitor.verdicts()[0].opened.line, number - 2);
        }
    }
    assert_eq!(monitor.open_windows(), [3]);
}

/// A window keeps its context however many messages of others lie between, and across a restart.
#[test]
fn evidence_begins_with_the_context() {
    let mut terms = Terms::new();
    let text = "property p on s { context A[c,s]?(x = a) B[s,c]!(any) within 2 messages per session expect C[s,c]!(w = v) where v == a }";
    let properties = properties(text, &mut terms);
    let message = |line: u64| {
        let (operation, session) = match line {
            10 => ("A", "mine"),
            2000 => ("B", "mine"),
            5000 | 9000 => ("D", "mine"),
            _ => ("D", "others"),
        };
        let mut seen = match operation {
            "A" => Observation::new("A", "c", "s", Direction::Receive)
                .with("x", Datum::Number(Number::from(7))),
            other => Observation::new(other, "s", "c", Direction::Send),
        };
        seen.by = "s".into();
        seen.session = Some(session.into());
        seen.line = line;
        seen
    };
    for restart in [0, 1999, 4000, 8999] {
        let mut monitor = Monitor::new(&properties, &terms, Config::default()).unwrap();
        let mut shown = Vec::new();
        for line in 1..=9000 {
            monitor.observe(&message(line));
            shown.extend(monitor.verdicts().to_vec());
            if line == restart {
                let saved = monitor.save();
                assert!(saved.logs[0].recent.len() <= 1024 + 2);
                monitor = Monitor::new(&properties, &terms, Config::default()).unwrap();
                monitor.restore(&saved).unwrap();
            }
        }
        let [verdict] = &shown[..] else {
            panic!("{shown:?}");
        };
        assert_eq!(verdict.outcome, Outcome::Fail);
        let lines: Vec<u64> = verdict.window.iter().map(|seen| seen.line).collect();
        assert_eq!(lines, [10, 2000, 9000], "restart {restart}");
        assert_eq!(verdict.window[0], message(10));
    }
}
