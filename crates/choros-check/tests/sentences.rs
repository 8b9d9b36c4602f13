//! Sentences mean on all runs what they say: the formulas that are made of them agree with a reader that walks along
//! runs and knows nothing of SocL.
//!
//! The systems are small, so that all their runs can be listed: those that end, and those that go round a cycle.

mod support;

use choros_model::lts::{ExplicitLts, Lts, StateId};
use choros_testkit::{Random, seed_from_env};

use support::{ask, bounds, system};

const RULES: &str = "
    Action a<$1>    -> a($1)
    Action b<$1>    -> b($1)
    Action c<$1>    -> c($1)
    Action m<$1,$2> -> a($1)
    Action m<$1,$2> -> b($2)
    Action n<$1>    -> b($1)
    Action n<$1>    -> c($1)
    State  a        -> p
";

/// What the rules make of a label, once more.
fn actions(label: &str) -> Vec<(char, u8)> {
    let data: Vec<u8> = label
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|it| it - b'0')
        .collect();
    match label.chars().next() {
        Some('m') => vec![('a', data[0]), ('b', data[1])],
        Some('n') => vec![('b', data[0]), ('c', data[0])],
        Some(kind @ 'a'..='c') => vec![(kind, data[0])],
        _ => Vec::new(),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Datum {
    Left,
    Any,
    Value(u8),
    /// `$x`, which is the same wherever it occurs.
    Shared,
}

/// Alternatives.
#[derive(Clone)]
struct Event(Vec<(char, Datum)>);

enum Body {
    Never(Event),
    NeverBefore(Event, Vec<Event>),
    Eventually(Vec<Event>),
    AtMost(usize, Event),
    Always,
    Response(Event, Vec<Event>),
}

struct Sentence {
    opening: Vec<Event>,
    end: Option<(Event, bool)>,
    body: Body,
}

impl Event {
    fn text(&self) -> String {
        let one = |&(kind, datum): &(char, Datum)| match datum {
            Datum::Left => kind.to_string(),
            Datum::Any => format!("{kind}(*)"),
            Datum::Value(value) => format!("{kind}({value})"),
            Datum::Shared => format!("{kind}($x)"),
        };
        let parts: Vec<String> = self.0.iter().map(one).collect();
        parts.join(" or ")
    }

    fn is(&self, step: &[(char, u8)], x: u8) -> bool {
        self.0.iter().any(|&(kind, datum)| {
            step.iter().any(|&(other, value)| {
                kind == other
                    && match datum {
                        Datum::Left | Datum::Any => true,
                        Datum::Value(wanted) => wanted == value,
                        Datum::Shared => x == value,
                    }
            })
        })
    }
}

fn chain(events: &[Event]) -> String {
    let parts: Vec<String> = events.iter().map(Event::text).collect();
    parts.join(" then ")
}

impl Sentence {
    fn text(&self) -> String {
        let scope = match (&self.opening[..], &self.end) {
            ([], None) => String::new(),
            ([], Some((end, _))) => format!("before {} ", end.text()),
            (opening, None) => format!("after {} ", chain(opening)),
            (opening, Some((end, true))) => {
                format!("always after {} until {} ", chain(opening), end.text())
            }
            (opening, Some((end, false))) => {
                format!("between {} and {} ", chain(opening), end.text())
            }
        };
        let body = match &self.body {
            Body::Never(event) => format!("never {}", event.text()),
            Body::NeverBefore(event, needed) => {
                format!("never {} before {}", event.text(), chain(needed))
            }
            Body::Eventually(events) => format!("eventually {}", chain(events)),
            Body::AtMost(1, event) => format!("at most once {}", event.text()),
            Body::AtMost(count, event) => format!("at most {count} times {}", event.text()),
            Body::Always => "always p".to_owned(),
            Body::Response(trigger, events) => {
                format!("after {} eventually {}", trigger.text(), chain(events))
            }
        };
        scope + &body
    }
}

/// Steps and the states before them; the last state is that after the last step.
struct Run {
    steps: Vec<Vec<(char, u8)>>,
    /// Whether `p` holds.
    states: Vec<bool>,
    /// Where things are looked for: of a run round a cycle, what comes later has come before.
    horizon: usize,
}

impl Sentence {
    fn holds(&self, run: &Run, x: u8) -> bool {
        let mut starts = vec![0];
        for event in &self.opening {
            let first = starts.first().copied().unwrap_or(usize::MAX);
            let found = (first..run.horizon).filter(|&at| event.is(&run.steps[at], x));
            starts = found.map(|at| at + 1).collect();
        }
        starts.into_iter().all(|start| {
            let end = self.end.as_ref().and_then(|(end, _)| {
                (start..run.steps.len()).find(|&at| end.is(&run.steps[at], x))
            });
            match (&self.end, end) {
                (Some((_, false)), None) => true,
                (_, end) => self.body.holds(run, x, start, end),
            }
        })
    }
}

impl Body {
    fn holds(&self, run: &Run, x: u8, start: usize, end: Option<usize>) -> bool {
        let close = end.unwrap_or(run.steps.len());
        let is = |event: &Event, at: usize| event.is(&run.steps[at], x);
        let in_turn = |events: &[Event], from: usize| {
            let mut at = from;
            events.iter().all(|event| {
                let found = (at..close).find(|&it| is(event, it));
                at = found.map_or(at, |it| it + 1);
                found.is_some()
            })
        };
        match self {
            Body::Never(event) => (start..close).all(|at| !is(event, at)),
            Body::NeverBefore(event, needed) => (start..close).all(|at| {
                let mut from = start;
                !is(event, at)
                    || needed.iter().enumerate().all(|(index, needed_one)| {
                        let last = index + 1 == needed.len();
                        let until = if last { at + 1 } else { at };
                        let found = (from..until).find(|&it| is(needed_one, it));
                        from = found.map_or(from, |it| it + 1);
                        found.is_some()
                    })
            }),
            Body::Eventually(events) => in_turn(events, start),
            Body::AtMost(count, event) => {
                (start..close).filter(|&at| is(event, at)).count() <= *count
            }
            Body::Always => (start..=close).all(|at| run.states[at]),
            Body::Response(trigger, events) => (start..close.min(run.horizon.max(start)))
                .all(|at| !is(trigger, at) || in_turn(events, at + 1)),
        }
    }
}

/// All runs that end, and all that go round a cycle, of at most this many steps before something repeats.
fn runs(lts: &ExplicitLts, longest: usize) -> Vec<Run> {
    let mut found = Vec::new();
    let mut path: Vec<(StateId, String)> = Vec::new();
    walk(lts, lts.start(), longest, &mut path, &mut found);
    found
}

const ROUNDS: usize = 9;

fn walk(
    lts: &ExplicitLts,
    state: StateId,
    longest: usize,
    path: &mut Vec<(StateId, String)>,
    found: &mut Vec<Run>,
) {
    let leaving = lts.transitions(state);
    let ready = |state: StateId| {
        let mut labels = lts.transitions(state).iter();
        labels.any(|&(action, _)| lts.action(action).text(lts.terms()).starts_with('a'))
    };
    let run = |steps: Vec<(StateId, String)>, last: StateId, horizon: usize| Run {
        states: steps
            .iter()
            .map(|it| it.0)
            .chain([last])
            .map(ready)
            .collect(),
        steps: steps.iter().map(|it| actions(&it.1)).collect(),
        horizon,
    };
    if leaving.is_empty() {
        found.push(run(path.clone(), state, path.len()));
    }
    for from in 0..path.len() {
        if path[from].0 == state {
            let cycle = path[from..].to_vec();
            let mut steps = path[..from].to_vec();
            for _ in 0..ROUNDS {
                steps.extend(cycle.iter().cloned());
            }
            found.push(run(steps, state, from + 3 * cycle.len()));
        }
    }
    if path.len() == longest {
        return;
    }
    for &(action, target) in leaving {
        path.push((state, lts.action(action).text(lts.terms())));
        walk(lts, target, longest, path, found);
        path.pop();
    }
}

fn random_system(random: &mut Random, acyclic: bool) -> ExplicitLts {
    let states = if acyclic { 5 } else { 2 };
    let steps = 2 + random.below(if acyclic { 5 } else { 3 });
    let labels = [
        "a<1>", "a<2>", "b<1>", "b<2>", "c<1>", "c<2>", "m<1,2>", "n<1>", "tau",
    ];
    let lines = (0..steps).map(|_| {
        let (mut from, mut to) = (random.below(states), random.below(states));
        if acyclic {
            from = random.below(states - 1);
            to = from + 1 + random.below(states - from - 1);
        }
        format!("{from} {} {to}", random.pick(&labels))
    });
    let lines: Vec<String> = lines.collect();
    system(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

fn random_event(random: &mut Random, shared: bool) -> Event {
    let datum = if shared {
        Datum::Shared
    } else {
        *random.pick(&[Datum::Left, Datum::Any, Datum::Value(1), Datum::Value(2)])
    };
    let kind = *random.pick(&['a', 'b', 'c']);
    let mut parts = vec![(kind, datum)];
    if random.percent(20) {
        let other = *random.pick(&['a', 'b', 'c']);
        parts.push((other, datum));
    }
    Event(parts)
}

fn random_chain(random: &mut Random, shared: bool, longest: usize) -> Vec<Event> {
    let count = 1 + random.below(longest);
    (0..count).map(|_| random_event(random, shared)).collect()
}

/// Variables are shared by what happens and what is asked for, so that all sentences can be said.
fn random_sentence(random: &mut Random) -> Sentence {
    let shared = random.percent(50);
    let scope = random.below(5);
    let opening = match scope {
        0 | 1 => Vec::new(),
        3 => random_chain(random, shared, 1),
        _ => random_chain(random, shared, 2),
    };
    let end_shared = shared && random.percent(70);
    let end = match scope {
        0 | 2 => None,
        1 | 3 => Some((random_event(random, end_shared), false)),
        _ => Some((random_event(random, end_shared), true)),
    };
    // Without an opening, what is asked for needs a value from what happens.
    let opened = shared && !opening.is_empty();
    let body = match random.below(6) {
        0 => Body::Never(random_event(random, shared)),
        1 => Body::NeverBefore(
            random_event(random, shared),
            random_chain(random, shared, 2),
        ),
        2 => {
            let asked = opened || (end_shared && scope == 1);
            Body::Eventually(random_chain(random, asked, 2))
        }
        3 => Body::AtMost(1 + random.below(2), random_event(random, shared)),
        4 => Body::Always,
        _ => Body::Response(
            random_event(random, shared),
            random_chain(random, shared, 2),
        ),
    };
    let is_response = matches!(body, Body::Response(..));
    if is_response && opening.is_empty() && end.is_none() {
        return random_sentence(random);
    }
    Sentence { opening, end, body }
}

fn compare(random: &mut Random, acyclic: bool, longest: usize) -> bool {
    let lts = random_system(random, acyclic);
    let sentence = random_sentence(random);
    let text = sentence.text();
    let found = ask(&mut lts.clone(), RULES, &text, bounds());
    let mut expected = true;
    // Some runs that go wrong are long.
    for longest in [longest, longest + 3, longest + 6] {
        let runs = runs(&lts, longest);
        let says = |x: u8| runs.iter().all(|run| sentence.holds(run, x));
        expected = [1, 2, 3].into_iter().all(says);
        if !expected || found.verdict.word() == "holds" {
            break;
        }
    }
    let word = if expected { "holds" } else { "fails" };
    assert_eq!(found.verdict.word(), word, "{text}\n{lts:?}");
    expected
}

#[test]
fn sentences_mean_what_they_say_on_runs_that_end() {
    let mut random = Random::new(seed_from_env());
    let mut words = [0usize; 2];
    for _ in 0..2000 {
        words[usize::from(compare(&mut random, true, 10))] += 1;
    }
    assert!(words[0] > 200 && words[1] > 200, "{words:?}");
}

#[test]
fn sentences_mean_what_they_say_on_runs_round_cycles() {
    let mut random = Random::new(seed_from_env());
    let mut words = [0usize; 2];
    for _ in 0..200 {
        words[usize::from(compare(&mut random, false, 6))] += 1;
    }
    assert!(words[0] > 30 && words[1] > 30, "{words:?}");
}
