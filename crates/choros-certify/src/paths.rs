//! The silent paths of a graph, one by one.
//!
//! The search does not use this: checker, replay and the run that is shown do.
//! Values that silent steps choose are variables; those that a path still holds are numbered in the order in which its
//! variables hold them, and what was asked of the others is an existential condition.
//! So going round a loop that chooses leads to the same path again.

use choros_data::{Quantifier, Sort, Term, Terms, Var};
use choros_model::stg::{EdgeId, Event, NodeId, Stg};
use rustc_hash::FxHashMap;

/// Values of variables in terms of those at the start of the path.
pub type PathValues = FxHashMap<Var, Term>;

/// More silent situations than this are not searched.
pub const MAX_SILENT: usize = 2_000;

/// A silent path: where it ends, under which conditions, with which values.
#[derive(Debug, Clone)]
pub struct SilentPath {
    /// Where it ends.
    pub node: NodeId,
    /// Chosen values that variables hold.
    pub chosen: Vec<Var>,
    /// In terms of the values at the start and of `chosen`.
    pub conditions: Vec<Term>,
    /// The variables it changed.
    pub values: PathValues,
    /// How it goes.
    pub way: PathSteps,
}

/// The steps of a path, with a variable of its own for each choice.
#[derive(Debug, Clone, Default)]
pub struct PathSteps {
    /// The edges, each with the variables of its choices.
    pub steps: Vec<(EdgeId, Vec<Var>)>,
    /// What the guards ask.
    pub conditions: Vec<Term>,
    /// The variables it changed.
    pub values: PathValues,
}

/// Some silent paths, the empty one first.
pub struct Paths {
    /// The paths.
    pub all: Vec<SilentPath>,
    /// Whether these are all.
    pub complete: bool,
}

/// Variables for choices, by what they are used for, sort and number.
#[derive(Debug, Default)]
pub struct ChoiceNames {
    known: FxHashMap<(Use, Sort, usize), Var>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Use {
    /// A value that is held.
    Held,
    /// A value that is chosen just now.
    New,
    /// The choices of a way, in their order.
    Way,
}

/// More silent paths than this are not followed.
const MAX_PATHS: usize = 1_024;

/// The silent paths from a node, where variables have some values.
///
/// A path that arrives where an earlier one did with the same values and under no fewer conditions is not followed.
pub fn silent_paths(
    stg: &Stg,
    start: NodeId,
    values: &PathValues,
    names: &mut ChoiceNames,
    terms: &mut Terms,
) -> Paths {
    let mut paths = vec![SilentPath {
        node: start,
        chosen: Vec::new(),
        conditions: Vec::new(),
        values: values.clone(),
        way: PathSteps {
            values: values.clone(),
            ..PathSteps::default()
        },
    }];
    let mut next = 0;
    while next < paths.len() && paths.len() < MAX_PATHS {
        for (id, edge) in stg.outgoing(paths[next].node) {
            if !edge.event.is_silent() {
                continue;
            }
            let Some(path) = paths[next].extended(stg, id, names, terms) else {
                continue;
            };
            let known = paths.iter().any(|known| {
                known.node == edge.target
                    && known.values == path.values
                    && known
                        .conditions
                        .iter()
                        .all(|it| path.conditions.contains(it))
            });
            if !known {
                paths.push(path);
            }
        }
        next += 1;
    }
    Paths {
        complete: next == paths.len(),
        all: paths,
    }
}

impl SilentPath {
    /// The path with one more step; nothing when its guard is plainly false.
    fn extended(
        &self,
        stg: &Stg,
        id: EdgeId,
        names: &mut ChoiceNames,
        terms: &mut Terms,
    ) -> Option<SilentPath> {
        let edge = stg.edge(id);
        let guard = terms.substitute(edge.guard, &self.values);
        if terms.simplify(guard) == Term::FALSE {
            return None;
        }
        let mut next = self.clone();
        next.node = edge.target;
        let mut there = self.chosen.clone();
        next.require(guard);
        let way_guard = terms.substitute(edge.guard, &self.way.values);
        next.way.conditions.push(way_guard);
        let mut brought = Vec::new();
        if let Event::Choose(variables) = &edge.event {
            let before: usize = self.way.steps.iter().map(|it| it.1.len()).sum();
            for (position, &variable) in variables.iter().enumerate() {
                let new = names.at(Use::New, position, variable, terms);
                there.push(new);
                next.values.insert(variable, terms.var(new));
                let own = names.at(Use::Way, before + position, variable, terms);
                brought.push(own);
                next.way.values.insert(variable, terms.var(own));
            }
            let accepts = edge.accepts(terms);
            let accepted = terms.substitute(accepts, &next.values);
            next.require(accepted);
            let accepted = terms.substitute(accepts, &next.way.values);
            next.way.conditions.push(accepted);
        }
        for update in &edge.updates {
            let value = terms.substitute(update.value, &next.values);
            next.values.insert(update.variable, value);
            let value = terms.substitute(update.value, &next.way.values);
            next.way.values.insert(update.variable, value);
        }
        next.way.steps.push((id, brought));
        if !there.is_empty() {
            next.settle(&there, names, terms);
        }
        Some(next)
    }

    fn require(&mut self, condition: Term) {
        if condition != Term::TRUE && !self.conditions.contains(&condition) {
            self.conditions.push(condition);
        }
    }

    /// Numbers the choices that are held and closes what is asked of the others.
    fn settle(&mut self, there: &[Var], names: &mut ChoiceNames, terms: &mut Terms) {
        let mut holders: Vec<Var> = self.values.keys().copied().collect();
        holders.sort_unstable_by_key(|variable| variable.index());
        let mut renamed = PathValues::default();
        self.chosen.clear();
        for holder in holders {
            for old in terms.free_variables(self.values[&holder]) {
                if there.contains(&old) && !renamed.contains_key(&old) {
                    let new = names.at(Use::Held, self.chosen.len(), old, terms);
                    self.chosen.push(new);
                    renamed.insert(old, terms.var(new));
                }
            }
        }
        let lost: Vec<Var> = there
            .iter()
            .copied()
            .filter(|it| !renamed.contains_key(it))
            .collect();
        let (about, rest): (Vec<Term>, Vec<Term>) = self.conditions.iter().partition(|&&part| {
            let free = terms.free_variables(part);
            lost.iter().any(|it| free.contains(it))
        });
        self.conditions = rest;
        if !about.is_empty() {
            let about = terms.and(about);
            self.conditions
                .push(terms.quantify(Quantifier::Exists, &lost, about));
        }
        for condition in &mut self.conditions {
            *condition = terms.substitute(*condition, &renamed);
        }
        #[expect(clippy::iter_over_hash_type, reason = "each value on its own")]
        for value in self.values.values_mut() {
            *value = terms.substitute(*value, &renamed);
        }
    }
}

impl ChoiceNames {
    fn at(&mut self, of: Use, number: usize, like: Var, terms: &mut Terms) -> Var {
        let sort = terms.variable_sort(like);
        *self
            .known
            .entry((of, sort, number))
            .or_insert_with(|| terms.fresh_variable(like))
    }
}
