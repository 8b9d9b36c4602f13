//! The interpreter of the crate against one that follows the rules literally.

mod naive;
mod random_terms;

use std::collections::BTreeMap;

use choros_base::{Budget, SourceMap};
use choros_cows::syntax::parse;
use choros_cows::{CowsLts, Options, read};
use choros_model::lts::explore;
use choros_testkit::{Random, seed_from_env};
use random_terms::random_term;

/// A graph of states with labels.
#[derive(Debug, Default)]
struct Graph {
    transitions: Vec<Vec<(String, usize)>>,
}

/// More states than these are too many to compare term by term.
const MAX_STATES: usize = 25;

/// Trying everything takes too long for larger terms.
const MAX_PARTS: usize = 8;

/// Copies of nested replications are recognised by trying all subsets of their parts: with this many messages in a term
/// that takes minutes.
const MOST_MESSAGES: usize = 32;

fn ours(text: &str, options: Options) -> Option<Graph> {
    let file = SourceMap::new().add("random.cows", text);
    let (_, program, diagnostics) = read(file, text);
    let program = program.unwrap_or_else(|| panic!("{text}\n{diagnostics:?}"));
    let mut system = CowsLts::new(&program, options);
    let found = explore(&mut system, &Budget::steps(MAX_STATES as u64));
    found.complete().then(|| Graph {
        transitions: found
            .lts
            .states()
            .map(|state| {
                let leaving = found.lts.transitions(state).iter();
                leaving
                    .map(|&(action, target)| {
                        let label = &found.lts.actions()[action.index()];
                        (
                            label.text(choros_model::lts::Lts::terms(&found.lts)),
                            target.index(),
                        )
                    })
                    .collect()
            })
            .collect(),
    })
}

fn naives(text: &str, options: Options) -> Option<Graph> {
    let file = SourceMap::new().add("random.cows", text);
    let (specification, _) = parse(file, text);
    let mut fresh = 0;
    let first = naive::term_of(&specification)?;
    let mut states = vec![naive::State::new(&first, &mut fresh)];
    let mut graph = Graph::default();
    while graph.transitions.len() < states.len() {
        let state = states[graph.transitions.len()].term.clone();
        let mut leaving: Vec<(String, usize)> = Vec::new();
        for (label, next) in naive::steps(&state, options.has_best_match, &mut fresh) {
            if naive::length(&next) > MOST_MESSAGES {
                return None;
            }
            let next = naive::State::new(&next, &mut fresh);
            if next.size() > MAX_PARTS {
                return None;
            }
            let known = states.iter().position(|state| state.is(&next));
            let target = known.unwrap_or_else(|| {
                states.push(next);
                states.len() - 1
            });
            if !leaving.contains(&(label.clone(), target)) {
                leaving.push((label, target));
            }
        }
        graph.transitions.push(leaving);
        if states.len() > MAX_STATES {
            return None;
        }
    }
    Some(graph)
}

/// Classes of states, refined by what leaves them until nothing changes, as often as there are states.
fn shape(graph: &Graph) -> Vec<String> {
    let mut colours: Vec<usize> = vec![0; graph.transitions.len()];
    let mut views: Vec<String> = Vec::new();
    for _ in 0..graph.transitions.len().min(12) {
        views = graph
            .transitions
            .iter()
            .zip(&colours)
            .map(|(leaving, colour)| {
                let mut seen: Vec<String> = leaving
                    .iter()
                    .map(|(label, target)| format!("{label}>{}", colours[*target]))
                    .collect();
                seen.sort();
                format!("{colour}:{}", seen.join(" "))
            })
            .collect();
        let mut sorted = views.clone();
        sorted.sort();
        sorted.dedup();
        let table: BTreeMap<String, usize> = sorted
            .into_iter()
            .enumerate()
            .map(|(number, view)| (view, number))
            .collect();
        colours = views.iter().map(|view| table[view]).collect();
    }
    let mut first = vec![views.first().cloned().unwrap_or_default()];
    views.sort();
    first.extend(views);
    first
}

fn compare(text: &str, options: Options) -> bool {
    // The twin is slow: it is asked only about small graphs.
    let Some(ours) = ours(text, options) else {
        return false;
    };
    let Some(naives) = naives(text, options) else {
        return false;
    };
    assert_eq!(
        (ours.transitions.len(), shape(&ours)),
        (naives.transitions.len(), shape(&naives)),
        "the graphs differ: {text}"
    );
    true
}

#[test]
fn random_terms_have_the_same_graphs() {
    let mut random = Random::new(seed_from_env());
    let mut compared = 0;
    for _ in 0..300 {
        let size = 3 + random.below(9);
        let text = random_term(&mut random, size);
        let options = Options {
            has_best_match: random.percent(70),
            most_bytes: None,
        };
        compared += usize::from(compare(&text, options));
    }
    assert!(compared > 120, "only {compared} graphs were small enough");
}

#[test]
fn the_facts_of_the_paper_hold_for_the_twin() {
    let facts = [
        ("p.o!<v> | [X] ( p.o?<X> | p.o1?<X>. [Y] p.o2?<X,Y> )", 2, 1),
        ("[k] ( kill(k) | p.o!<v> ) | p.o?<v>", 2, 1),
        ("[k] kill(k) | p.o!<v> | p.o?<v>", 4, 4),
        ("[k] ( kill(k) | { p.o!<v> } ) | p.o?<v>", 3, 2),
        ("[k] ( kill(k) | p.o!<a> ) | q.r!<b> | [X] q.r?<X>", 4, 4),
        ("p.o!<v> | [X] p.o?<X>. a.b!<> | p.o?<v>. c.d!<>", 2, 1),
        ("p.o!<v> | * [X] p.o?<X>. a.b!<> | p.o?<v>. c.d!<>", 2, 1),
        (
            "p.o!<v> | [X] p.o?<X>. a.b!<X> | [Y] p.o?<Y>. c.d!<Y>",
            3,
            2,
        ),
        ("p.o!<v> | [X] ( p.o?<X> | q.r!<X> ) | [Z] q.r?<Z>", 3, 2),
        ("[n#] ( p.o!<n> | n.m?<>. nil ) | [X] p.o?<X>. X.m!<>", 3, 2),
        ("* [X] p.o?<X>. p.o!<X> | p.o!<a>", 1, 1),
        ("[k] kill(k) | [k] kill(k)", 3, 2),
        ("[k] ( kill(k) | [j] ( kill(j) | p.o!<> ) ) | p.o?<>", 3, 3),
        ("p.o!<a,b> | [X] p.o?<X>", 1, 0),
        (
            "* [Id] s.req?<Id>. s.fin?<Id>. c.done!<Id> | s.req!<a> | s.req!<b> | s.fin!<b>",
            6,
            7,
        ),
    ];
    for (text, states, transitions) in facts {
        let Some(graph) = naives(text, Options::default()) else {
            panic!("{text}");
        };
        let count: usize = graph.transitions.iter().map(Vec::len).sum();
        assert_eq!(
            (graph.transitions.len(), count),
            (states, transitions),
            "{text}"
        );
        assert!(compare(text, Options::default()), "{text}");
    }
}

/// Private names that are connected in a ring, a line and a star, in several orders: renaming in the order of
/// occurrence would tell some of them apart.
#[test]
fn symmetric_terms_are_one_state() {
    let texts = [
        "* [X] s.a?<X>. [n#] [m#] ( n.o!<m> | m.o!<n> | n.o?<X>. nil ) | s.a!<p> | s.a!<p>",
        "* s.a?<>. [n#] ( s.b!<n> | [X] s.c?<n,X>. s.d!<X,n> ) | s.a!<> | s.a!<> | * [X] [Y] s.b?<X>. s.b?<Y>. s.c!<X,Y>",
        "[X] [Y] [Z] ( p.o!<X,Y> | p.o!<Y,Z> | p.o!<Z,X> | q.o?<X>. nil | q.o?<Y>. nil | q.o?<Z>. nil ) | q.o!<a>",
    ];
    for text in texts {
        assert!(compare(text, Options::default()), "{text}");
    }
}
