//! One variable for each thing that a variable is used for.
//!
//! A variable that is bound again, and not read in between, is two variables with one name.
//! Here each gets a name of its own, which changes nothing but names: a *web* is all places of the graph where a
//! variable is read with a value that may come from the same binding, directly or through others.
//! So steps that bind the same name on different branches do not stand in each other's way
//! ([`alike`](super::alike)).

use choros_data::{Term, Terms, Var};
use choros_model::stg::{Edge, Event, FieldValue, FreeVariables, NodeId, Stg, StgBuilder};
use rustc_hash::{FxHashMap, FxHashSet};

/// The graph with a variable for each web, and the conditions beside its edges; parameters keep their names.
pub(super) fn by_webs(
    stg: &Stg,
    expected: &[Term],
    live: &FreeVariables,
    terms: &mut Terms,
) -> (Stg, Vec<Term>) {
    let webs = Webs::of(stg, live, terms);
    let mut builder = StgBuilder::new(stg.name(), stg.ending());
    for node in stg.node_ids() {
        let new = builder.node(stg.node(node).label.clone());
        for termination in &stg.node(node).terminations {
            let guard = terms.substitute(termination.guard, &webs.at[node.index()]);
            builder.terminate(terms, new, guard, termination.origin);
        }
    }
    let mut conditions = Vec::with_capacity(expected.len());
    for (edge, &expected) in stg.edges().iter().zip(expected) {
        conditions.push(terms.substitute(expected, &webs.at[edge.source.index()]));
        let edge = webs.edge(edge, terms);
        builder.edge(terms, edge);
    }
    (builder.finish_as_built(stg.initial()), conditions)
}

/// For each node, what its variables are called now.
struct Webs {
    at: Vec<FxHashMap<Var, Term>>,
}

impl Webs {
    fn of(stg: &Stg, live: &FreeVariables, terms: &mut Terms) -> Webs {
        // A variable at a node is in one web with itself after each edge that leaves it alone.
        let mut numbers: FxHashMap<(NodeId, Var), usize> = FxHashMap::default();
        let mut all: Vec<(NodeId, Var)> = Vec::new();
        // What a run begins with comes first, so that it keeps its name.
        let others = stg.node_ids().filter(|&node| node != stg.initial());
        for node in std::iter::once(stg.initial()).chain(others) {
            for variable in live.at(node) {
                numbers.insert((node, variable), all.len());
                all.push((node, variable));
            }
        }
        let mut leaders: Vec<usize> = (0..all.len()).collect();
        for edge in stg.edges() {
            let written = written(edge);
            for variable in live.at(edge.target) {
                if written.contains(&variable) {
                    continue;
                }
                let target = numbers[&(edge.target, variable)];
                if let Some(&source) = numbers.get(&(edge.source, variable)) {
                    unite(&mut leaders, source, target);
                }
            }
        }
        let mut used: FxHashSet<String> = stg
            .variables(terms)
            .into_iter()
            .map(|variable| terms.variable_text(variable).to_owned())
            .collect();
        let mut first: FxHashSet<Var> = FxHashSet::default();
        let mut names: FxHashMap<usize, Term> = FxHashMap::default();
        let mut at = vec![FxHashMap::default(); stg.nodes().len()];
        for (number, &(node, variable)) in all.iter().enumerate() {
            let leader = find(&mut leaders, number);
            let name = match names.get(&leader) {
                Some(&name) => name,
                None => {
                    let own = if first.insert(variable) {
                        variable
                    } else {
                        another(variable, &mut used, terms)
                    };
                    let name = terms.var(own);
                    names.insert(leader, name);
                    name
                }
            };
            at[node.index()].insert(variable, name);
        }
        Webs { at }
    }

    /// An edge under the names of its webs: what it reads by those before it, what it writes by those after it.
    fn edge(&self, edge: &Edge, terms: &mut Terms) -> Edge {
        let (before, after) = (&self.at[edge.source.index()], &self.at[edge.target.index()]);
        let name_after = |variable: Var, terms: &Terms| {
            let name = after.get(&variable);
            name.and_then(|&it| terms.as_variable(it))
                .unwrap_or(variable)
        };
        let mut edge = edge.clone();
        edge.guard = terms.substitute(edge.guard, before);
        let mut now = before.clone();
        let mut write = |variable: Var, terms: &mut Terms| {
            let name = name_after(variable, terms);
            let term = terms.var(name);
            now.insert(variable, term);
            name
        };
        match &mut edge.event {
            Event::Message(message) => {
                for field in &mut message.fields {
                    field.value = match field.value {
                        FieldValue::Free(term) => FieldValue::Free(terms.substitute(term, before)),
                        FieldValue::Bind(variable) => FieldValue::Bind(write(variable, terms)),
                    };
                }
            }
            Event::Choose(chosen) => {
                for variable in chosen {
                    *variable = write(*variable, terms);
                }
            }
            _ => {}
        }
        for update in &mut edge.updates {
            update.value = terms.substitute(update.value, &now);
            let name = name_after(update.variable, terms);
            let term = terms.var(name);
            now.insert(update.variable, term);
            update.variable = name;
        }
        edge
    }
}

fn written(edge: &Edge) -> FxHashSet<Var> {
    let updated = edge.updates.iter().map(|update| update.variable);
    edge.event.bound_variables().chain(updated).collect()
}

/// A variable of the same sort with a name that can be written down.
fn another(variable: Var, used: &mut FxHashSet<String>, terms: &mut Terms) -> Var {
    let stem = terms.variable_text(variable).to_owned();
    let mut number = 2;
    let mut name = format!("{stem}_{number}");
    while !used.insert(name.clone()) {
        number += 1;
        name = format!("{stem}_{number}");
    }
    let name = terms.names.intern(&name);
    terms.variable(name, terms.variable_sort(variable))
}

fn find(leaders: &mut [usize], mut number: usize) -> usize {
    while leaders[number] != number {
        leaders[number] = leaders[leaders[number]];
        number = leaders[number];
    }
    number
}

/// The earlier of two leads both.
fn unite(leaders: &mut [usize], one: usize, other: usize) {
    let (one, other) = (find(leaders, one), find(leaders, other));
    leaders[one.max(other)] = one.min(other);
}
