//! The graph of a process, compared with the rules of Figure 3.2 of Nguyen's thesis written down as they are printed:
//! on pairs that associate to the left, by recursion, with every state a whole term.

mod support;

use std::collections::HashMap;
use std::rc::Rc;

use choros_base::Budget;
use proptest::prelude::*;
use support::random::{GUARDS, Random, Tree};
use support::{Script, listing};

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Naive {
    Zero,
    One,
    Act(usize),
    Sequence(Rc<Naive>, Rc<Naive>),
    Choice(Rc<Naive>, Rc<Naive>),
    Parallel(Rc<Naive>, Rc<Naive>),
    Interruption(Rc<Naive>, Rc<Naive>),
    Guarded(usize, Rc<Naive>),
    Loop(usize, Rc<Naive>),
}

/// A conjunction; the numbers of guards, negative for negated ones, each once.
type Guard = Vec<i32>;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Label {
    Tick,
    Event(usize),
}

fn naive(tree: &Tree) -> Rc<Naive> {
    Rc::new(match tree {
        Tree::Skip => Naive::One,
        Tree::Event(event) => Naive::Act(*event),
        Tree::Chain(operator, operands) => {
            let pair: fn(Rc<Naive>, Rc<Naive>) -> Naive = match *operator {
                ";" => Naive::Sequence,
                "+" => Naive::Choice,
                "|" => Naive::Parallel,
                _ => Naive::Interruption,
            };
            let first = naive(&operands[0]);
            return operands[1..]
                .iter()
                .fold(first, |left, right| Rc::new(pair(left, naive(right))));
        }
        Tree::Prefix("|>", guard, inner) => Naive::Guarded(*guard, naive(inner)),
        Tree::Prefix(_, guard, inner) => Naive::Loop(*guard, naive(inner)),
    })
}

fn and(a: &Guard, b: &Guard) -> Guard {
    let mut both = a.clone();
    both.extend(b.iter().filter(|literal| !a.contains(literal)));
    both
}

fn steps(term: &Rc<Naive>) -> Vec<(Guard, Label, Rc<Naive>)> {
    let mut out = Vec::new();
    let positive = |guard: &usize| vec![*guard as i32 + 1];
    match &**term {
        Naive::Zero => {}
        Naive::One => out.push((vec![], Label::Tick, Rc::new(Naive::Zero))),
        Naive::Act(event) => out.push((vec![], Label::Event(*event), Rc::new(Naive::One))),
        Naive::Sequence(a, b) => {
            for (guard, label, after) in steps(a) {
                match label {
                    Label::Event(_) => {
                        out.push((guard, label, Rc::new(Naive::Sequence(after, b.clone()))));
                    }
                    Label::Tick => {
                        for (other, label, after) in steps(b) {
                            out.push((and(&guard, &other), label, after));
                        }
                    }
                }
            }
        }
        Naive::Choice(a, b) => {
            out.extend(steps(a));
            out.extend(steps(b));
        }
        Naive::Parallel(a, b) => {
            let (left, right) = (steps(a), steps(b));
            for (guard, label, after) in &left {
                if *label != Label::Tick {
                    let after = Rc::new(Naive::Parallel(after.clone(), b.clone()));
                    out.push((guard.clone(), label.clone(), after));
                }
            }
            for (guard, label, after) in &right {
                if *label != Label::Tick {
                    let after = Rc::new(Naive::Parallel(a.clone(), after.clone()));
                    out.push((guard.clone(), label.clone(), after));
                }
            }
            for (guard, label, _) in &left {
                for (other, other_label, _) in &right {
                    if (label, other_label) == (&Label::Tick, &Label::Tick) {
                        out.push((and(guard, other), Label::Tick, Rc::new(Naive::Zero)));
                    }
                }
            }
        }
        Naive::Interruption(a, b) => {
            for (guard, label, after) in steps(a) {
                match label {
                    Label::Event(_) => {
                        let after = Rc::new(Naive::Interruption(after, b.clone()));
                        out.push((guard, label, after));
                    }
                    Label::Tick => out.push((guard, label, after)),
                }
            }
            out.extend(steps(b));
        }
        Naive::Guarded(guard, a) => {
            for (other, label, after) in steps(a) {
                out.push((and(&positive(guard), &other), label, after));
            }
        }
        Naive::Loop(guard, a) => {
            for (other, label, after) in steps(a) {
                if label != Label::Tick {
                    let after = Rc::new(Naive::Sequence(after, term.clone()));
                    out.push((and(&positive(guard), &other), label, after));
                }
            }
            out.push((
                vec![-(*guard as i32) - 1],
                Label::Tick,
                Rc::new(Naive::Zero),
            ));
        }
    }
    out
}

/// The reachable part, numbered depth first in the order of the rules, one line per transition; `None` if it is large.
fn explore(initial: Rc<Naive>, most: usize) -> Option<Vec<String>> {
    fn visit(
        term: Rc<Naive>,
        numbers: &mut HashMap<Rc<Naive>, usize>,
        lines: &mut Vec<(usize, String)>,
        most: usize,
    ) -> bool {
        let own = numbers[&term];
        for (guard, label, after) in steps(&term) {
            let known = numbers.contains_key(&after);
            let fresh = numbers.len() + 1;
            let target = *numbers.entry(after.clone()).or_insert(fresh);
            let event = match label {
                Label::Tick => "√".to_owned(),
                Label::Event(event) => format!("{event} {target}"),
            };
            let line = (own, format!("{own} {guard:?} {event}"));
            if !lines.contains(&line) {
                lines.push(line);
            }
            if lines.len() > most || (!known && !visit(after, numbers, lines, most)) {
                return false;
            }
        }
        true
    }
    let mut numbers = HashMap::from([(initial.clone(), 1)]);
    let mut lines = Vec::new();
    visit(initial, &mut numbers, &mut lines, most).then(|| {
        let mut lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
        lines.sort();
        lines
    })
}

/// The lines of our graph in the same notation.
fn lowered(text: &str) -> Vec<String> {
    let mut script = Script::process(text);
    let errors: Vec<String> = script.findings();
    assert_eq!(errors, [""; 0], "{text}");
    let stg = script.stg("c");
    let mut lines: Vec<String> = Vec::new();
    for line in listing(&stg, &script.terms) {
        let (source, rest) = line.split_once(" -[").unwrap_or((&line, ""));
        let (guard, action) = rest.split_once("] ").unwrap_or((rest, ""));
        let guard: Vec<i32> = match guard {
            "true" => vec![],
            _ => guard.split(" and ").map(literal).collect(),
        };
        let action = match action.split_once("-> ") {
            None => "√".to_owned(),
            Some((event, target)) => {
                let event = ["A", "B"].iter().position(|name| event.starts_with(name));
                format!("{} {target}", event.map_or(usize::MAX, |it| it))
            }
        };
        lines.push(format!("{source} {guard:?} {action}"));
    }
    lines.sort();
    lines
}

fn literal(text: &str) -> i32 {
    let number = |text: &str| GUARDS.iter().position(|guard| *guard == text);
    // The complement of `p > 0` is written `p <= 0`.
    let positive = text.replace("<=", ">");
    let sign = if text == positive { 1 } else { -1 };
    number(&positive).map_or(0, |it| sign * (it as i32 + 1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn graphs_are_those_of_the_rules(seed in any::<u64>(), leaves in 1usize..9) {
        let mut random = Random(seed);
        let tree = Tree::random(&mut random, leaves, 2, 3);
        if let Some(expected) = explore(naive(&tree), 300) {
            prop_assert_eq!(lowered(&tree.text()), expected, "{}", tree.text());
        }
    }
}

#[test]
fn a_loop_is_found_again_behind_its_body() {
    // `(A ; [p > 0] * A) ; B`: the published size of the loop example depends on the association.
    let text = "A[a,b] ; [p > 0] * A[a,b] ; B[b,a].<x>";
    let mut script = Script::process(text);
    assert_eq!(script.stg("c").counts().states, 4);
    assert_eq!(script.stg("c").counts().transitions, 4);
}

#[test]
fn the_body_of_a_loop_adds_no_empty_iteration() {
    let mut script = Script::process("[p > 0] * (skip + A[a,b])");
    let stg = script.stg("c");
    assert_eq!(
        listing(&stg, &script.terms),
        [
            "1 -[p > 0] A[a,b]-> 2",
            "1 -[p <= 0] √",
            "2 -[p > 0] A[a,b]-> 2",
            "2 -[p <= 0] √",
        ]
    );
}

#[test]
fn a_repeated_message_keeps_its_places() {
    let text = "(A[a,b] ; B[a,b]) + (A[a,b] ; C[a,b])";
    let mut script = Script::process(text);
    let stg = script.stg("c");
    let places: Vec<usize> = stg
        .outgoing(stg.initial())
        .filter_map(|(_, edge)| Some(edge.origin?.range().start))
        .collect();
    let shown: Vec<(u32, u32)> = places
        .iter()
        .map(|&at| {
            let file = script.sources.files().next().map(|(_, file)| file);
            file.map_or((0, 0), |file| file.line_column(at as u32))
        })
        .collect();
    let column = |nth: usize| {
        let whole = format!("DECLARATIONS component c chorD {text} end component");
        let at = whole.match_indices("A[a,b]").nth(nth);
        (1, at.map_or(0, |(at, _)| at as u32 + 1))
    };
    assert_eq!(shown, [column(0), column(1)]);
}

#[test]
fn interleavings_stop_at_the_budget() {
    let events: Vec<String> = (0..40).map(|number| format!("m{number}[a,b]")).collect();
    let mut script = Script::process(&events.join(" | "));
    let result = script.lower("c", &Budget::steps(20_000));
    assert_eq!(
        result.err().map(|reason| reason.to_string()),
        Some("the graph is too large: the bound of 20000 steps was reached".to_owned())
    );
}

#[test]
fn a_budget_is_a_bound_on_states() {
    // The cube of nine events has 512 nodes.
    let events: Vec<String> = (0..9).map(|number| format!("m{number}[a,b]")).collect();
    let mut script = Script::process(&events.join(" | "));
    let enough = script.lower("c", &Budget::steps(512));
    assert_eq!(enough.map(|it| it.stg.nodes().len()), Ok(512));
    let mut script = Script::process(&events.join(" | "));
    assert!(script.lower("c", &Budget::steps(511)).is_err());
}
