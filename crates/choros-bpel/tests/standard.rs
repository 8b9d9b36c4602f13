//! The reader and the rules against the text of the standard.
//!
//! Random processes with links, compensation, event handlers, `forEach` and correlation are written as documents, read,
//! unfolded and run with the numbers 0 and 1.
//! Beside it a second reading carries out the same process as the standard tells it, with statuses of links, completed
//! scopes and counters of its own.
//! Both must have the same traces of messages, ends and faults.

mod direct;

use std::collections::{BTreeMap, BTreeSet};

use choros_base::{Budget, MemorySources, SourceMap, has_errors};
use choros_bpel::calculus::{Activity, unfold};
use choros_bpel::process::{Options, read_process};
use choros_data::{SortKind, Term, Terms, Value};
use choros_model::lts::{Action, Extent, Lts, ValuedGraph};
use choros_model::stg::{Stg, Update};
use choros_testkit::{Random, rounds, seed_from_env};
use choros_xml::document::Library;
use direct::Made;

/// States with their steps; what is silent has no label.
type Graph = Vec<Vec<(Option<String>, usize)>>;

const MOST: usize = 6_000;

/// The graph of the process as it is read.
fn read(made: &Made) -> Option<Graph> {
    let mut files = MemorySources::default();
    files.add("s.wsdl", made.wsdl());
    let mut sources = SourceMap::new();
    let mut library = Library::new(&files, &mut sources);
    let mut terms = Terms::new();
    let document = library.add("p.bpel", made.text().into())?;
    let read = read_process(&mut library, &mut terms, &document, Options::default());
    let findings: Vec<_> = library.diagnostics.iter().map(|it| &it.message).collect();
    assert!(
        !has_errors(&library.diagnostics),
        "{findings:?}\n{}",
        made.text()
    );
    let mut process = read?.process;
    let budget = Budget::steps(MOST as u64);
    let stg = unfold(&mut terms, &process, "P", &budget).ok()?.graph;
    // What has no value yet is guarded, so any value will do.
    let open = stg.parameters(&terms);
    let updates: Vec<Update> = open
        .into_iter()
        .map(|variable| {
            let sort = terms.variable_sort(variable);
            let value = any_value(&mut terms, sort);
            Update { variable, value }
        })
        .collect();
    if !updates.is_empty() {
        let body = process.root;
        process.root = process.add(Activity::Begin { updates, body }, None);
    }
    let stg = unfold(&mut terms, &process, "P", &budget).ok()?.graph;
    run(&stg, &terms)
}

fn any_value(terms: &mut Terms, sort: choros_data::Sort) -> Term {
    match terms.sort_kind(sort).clone() {
        SortKind::Int => terms.int(0),
        SortKind::Record(fields) => {
            let parts: Vec<Term> = fields.iter().map(|it| any_value(terms, it.1)).collect();
            terms.record(sort, &parts)
        }
        _ => Term::FALSE,
    }
}

fn run(stg: &Stg, terms: &Terms) -> Option<Graph> {
    let bound = stg.edges().iter().flat_map(|it| it.event.bound_variables());
    let numbers = vec![Value::int(0), Value::int(1)];
    let domains = bound.map(|it| (it, numbers.clone())).collect();
    let mut view = ValuedGraph::new(stg, terms, domains).expect("all have values");
    let mut graph = Graph::new();
    let mut numbers = BTreeMap::from([(view.initial(), 0)]);
    let mut order = vec![view.initial()];
    while graph.len() < order.len() {
        if order.len() > MOST {
            return None;
        }
        let mut found = Vec::new();
        let extent = view
            .successors(order[graph.len()], &mut found)
            .expect("all have values");
        assert_eq!(extent, Extent::Whole);
        let mut steps = Vec::new();
        for (action, target) in found {
            let label = match view.action(action) {
                Action::Silent => None,
                Action::Named {
                    name, arguments, ..
                } => {
                    let name = view.terms().names.text(*name).replace('"', "");
                    match arguments.first() {
                        Some(value) => Some(format!("{name}({})", view.terms().print_value(value))),
                        None => Some(name),
                    }
                }
                other => panic!("{other:?}"),
            };
            let next = numbers.len();
            let id = *numbers.entry(target).or_insert_with(|| {
                order.push(target);
                next
            });
            steps.push((label, id));
        }
        graph.push(steps);
    }
    Some(graph)
}

/// The graph of the process as the standard tells it.
fn told(made: &Made) -> Option<Graph> {
    let mut graph = Graph::new();
    let mut numbers = BTreeMap::from([(made.begin(), 0)]);
    let mut order = vec![made.begin()];
    while graph.len() < order.len() {
        if order.len() > MOST {
            return None;
        }
        let mut steps = Vec::new();
        for (label, target) in made.steps_of(&order[graph.len()].clone()) {
            let next = numbers.len();
            let id = *numbers.entry(target.clone()).or_insert_with(|| {
                order.push(target);
                next
            });
            steps.push((label, id));
        }
        graph.push(steps);
    }
    Some(graph)
}

/// The states that silent steps lead to.
fn silently(graph: &Graph, states: BTreeSet<usize>) -> BTreeSet<usize> {
    let mut found = states.clone();
    let mut work: Vec<usize> = states.into_iter().collect();
    while let Some(state) = work.pop() {
        for (label, target) in &graph[state] {
            if label.is_none() && found.insert(*target) {
                work.push(*target);
            }
        }
    }
    found
}

fn labels<'g>(graph: &'g Graph, states: &BTreeSet<usize>) -> BTreeSet<&'g str> {
    let steps = states.iter().flat_map(|&it| &graph[it]);
    steps.filter_map(|it| it.0.as_deref()).collect()
}

fn after(graph: &Graph, states: &BTreeSet<usize>, label: &str) -> BTreeSet<usize> {
    let steps = states.iter().flat_map(|&it| &graph[it]);
    let targets = steps.filter(|it| it.0.as_deref() == Some(label));
    silently(graph, targets.map(|it| it.1).collect())
}

/// A shortest trace after which the two differ, and what each does then.
fn difference(read: &Graph, told: &Graph) -> Option<String> {
    let start = |graph| silently(graph, BTreeSet::from([0]));
    let mut work = vec![(start(read), start(told), String::new())];
    let mut known = BTreeSet::new();
    let mut at = 0;
    while at < work.len() && at < MOST {
        let (left, right, trace) = work[at].clone();
        at += 1;
        let (own, other) = (labels(read, &left), labels(told, &right));
        if own != other {
            return Some(format!("after{trace}: read {own:?}, told {other:?}"));
        }
        for label in own {
            let next = (after(read, &left, label), after(told, &right, label));
            if known.insert(next.clone()) {
                work.push((next.0, next.1, format!("{trace} {label}")));
            }
        }
    }
    None
}

#[test]
fn processes_do_what_the_standard_tells() {
    let seed = seed_from_env();
    let (mut compared, mut made_of) = (0, BTreeMap::<&str, usize>::new());
    for round in 0..rounds(200) {
        let mut random = Random::new(seed.wrapping_add(round as u64));
        let made = Made::random(&mut random);
        let (Some(read), Some(told)) = (read(&made), told(&made)) else {
            continue;
        };
        compared += 1;
        let text = made.text();
        for what in [
            "<source ",
            "<compensate",
            "<onEvent",
            "<forEach",
            "initiate",
        ] {
            *made_of.entry(what).or_default() += usize::from(text.contains(what));
        }
        if let Some(difference) = difference(&read, &told) {
            panic!("round {round}: {difference}\n{text}");
        }
    }
    assert!(
        compared > rounds(200) / 3,
        "only {compared} were small enough"
    );
    assert!(
        made_of.len() == 5 && made_of.values().all(|&it| it > compared / 20),
        "{made_of:?} of {compared}"
    );
}
