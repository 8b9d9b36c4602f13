//! The steps of a graph with open data, as the graph with values has them (`ValuedGraph` of `choros-model`).
//!
//! An edge can be taken with all values of the data that it brings, if its guard holds and its updates are defined.
//! Where a run may end, a step `end` leads to one more place, which keeps the values and has no steps.

use std::borrow::Cow;

use choros_base::{Name, Names};
use choros_data::{SortKind, Term, Terms, Var};
use choros_model::lts::Action;
use choros_model::stg::{Direction, Edge, Event, FieldValue, NodeId, Stg};
use choros_query::abstraction::{Abstraction, activity};
use rustc_hash::{FxHashMap, FxHashSet};

use super::knowledge::{Knowledge, unfolded};
use super::labels::{Label, Observed, actions_of, propositions_of};
use super::reading::Datum;
use crate::flaw::Flaw;
use crate::judgements::AskedFormula;

/// Values of variables.
pub(super) type Values = FxHashMap<Var, Term>;

/// One step, for all data that it brings.
pub(super) struct Step {
    /// What stands for the data, in the order of the event.
    pub(super) fresh: Vec<Var>,
    /// When it can be taken.
    pub(super) condition: Term,
    pub(super) target: u32,
    /// The values that change.
    pub(super) after: Values,
    pub(super) actions: Vec<Label>,
    /// What its being possible makes true of a state.
    pub(super) propositions: Vec<Label>,
}

/// A graph, step by step.
pub(super) struct OpenGraph<'a> {
    pub(super) stg: Cow<'a, Stg>,
    /// What the roles of the formula know.
    pub(super) known: Knowledge,
    /// By place.
    pub(super) steps: Vec<Vec<Step>>,
    /// The variables of the model.
    pub(super) variables: Vec<Var>,
    of_model: FxHashSet<Var>,
    /// The variables that have a value wherever a run comes to a place.
    written: Vec<Option<FxHashSet<Var>>>,
}

impl<'a> OpenGraph<'a> {
    pub(super) fn new(
        stg: &'a Stg,
        asked: &AskedFormula<'_>,
        names: &mut Names,
        terms: &mut Terms,
    ) -> Result<OpenGraph<'a>, Flaw> {
        let abstraction = asked.abstraction;
        let (stg, known) = match unfolded(stg, asked.formula, names, terms)? {
            Some((unfolded, known)) => (Cow::Owned(unfolded), known),
            None => (Cow::Borrowed(stg), Knowledge::default()),
        };
        let mut steps = Vec::with_capacity(stg.nodes().len() + 1);
        for node in stg.node_ids() {
            let mut here = Vec::new();
            for (_, edge) in stg.outgoing(node) {
                here.push(edge_step(edge, abstraction, names, terms)?);
            }
            let may_end = stg.termination(node, terms);
            if may_end != Term::FALSE {
                let end = Observed::plain(names.intern("end"));
                here.push(Step {
                    fresh: Vec::new(),
                    condition: may_end,
                    target: stg.nodes().len() as u32,
                    after: Values::default(),
                    actions: actions_of(&end, abstraction, names, terms)?,
                    propositions: propositions_of(&end, abstraction, names, terms)?,
                });
            }
            steps.push(here);
        }
        steps.push(Vec::new());
        let variables = stg.variables(terms);
        Ok(OpenGraph {
            steps,
            known,
            of_model: variables.iter().copied().collect(),
            variables,
            written: written(&stg, terms),
            stg,
        })
    }

    pub(super) fn initial(&self) -> u32 {
        self.stg.initial().0
    }

    /// How people call a place.
    pub(super) fn label(&self, place: u32) -> &str {
        match self.stg.nodes().get(place as usize) {
            Some(node) => &node.label,
            None => "the end",
        }
    }

    pub(super) fn is_variable(&self, variable: Var) -> bool {
        self.of_model.contains(&variable)
    }

    /// Whether a variable has a value wherever a run comes to a place.
    pub(super) fn has_value(&self, variable: Var, place: u32) -> bool {
        let here = self.written.get(place as usize).and_then(Option::as_ref);
        here.is_none_or(|here| here.contains(&variable))
    }
}

fn edge_step(
    edge: &Edge,
    abstraction: &Abstraction,
    names: &mut Names,
    terms: &mut Terms,
) -> Result<Step, Flaw> {
    let mut after = Values::default();
    let mut fresh = Vec::new();
    for variable in edge.event.bound_variables() {
        if let SortKind::Enumeration { constructors, .. } =
            terms.sort_kind(terms.variable_sort(variable))
            && constructors.is_empty()
        {
            return Err(Flaw::open("a message brings data of an empty sort", None));
        }
        let new = terms.fresh_variable(variable);
        fresh.push(new);
        let new = terms.var(new);
        after.insert(variable, new);
    }
    let observed = observed(edge, &fresh, names, terms);
    let accepts = edge.accepts(terms);
    let accepts = terms.substitute(accepts, &after);
    let condition = terms.and([edge.guard, accepts]);
    for update in &edge.updates {
        let value = terms.substitute(update.value, &after);
        after.insert(update.variable, value);
    }
    let (mut actions, mut propositions) = (Vec::new(), Vec::new());
    if let Some(observed) = observed {
        actions = actions_of(&observed, abstraction, names, terms)?;
        propositions = propositions_of(&observed, abstraction, names, terms)?;
    }
    Ok(Step {
        fresh,
        condition: terms.simplify(condition),
        target: edge.target.0,
        after,
        actions,
        propositions,
    })
}

/// What an observer sees of an edge.
fn observed(edge: &Edge, fresh: &[Var], names: &mut Names, terms: &mut Terms) -> Option<Observed> {
    let message = match &edge.event {
        Event::Silent | Event::Choose(_) => return None,
        Event::Message(message) => message,
        event @ (Event::Tick | Event::TickOf(_) | Event::Raise(_) | Event::Disturbance(_)) => {
            let text = event.text(terms);
            let action = Action::Named {
                name: terms.names.intern(&text),
                ends: None,
                direction: Direction::Interaction,
                arguments: Vec::new(),
            };
            let seen = activity(&action, terms, names)?;
            let data = seen.arguments.into_iter().flatten();
            return Some(Observed {
                partner: seen.partner,
                ends: seen.ends,
                operation: seen.operation,
                direction: seen.direction,
                data: data.map(Datum::Text).collect(),
            });
        }
    };
    let mut new = fresh.iter();
    let mut data = Vec::new();
    for field in &message.fields {
        data.push(Datum::Term(match field.value {
            FieldValue::Free(term) => term,
            FieldValue::Bind(_) => terms.var(*new.next()?),
        }));
    }
    let mut name = |name: Name| names.intern(terms.names.text(name));
    let (from, to) = (name(message.from.0), name(message.to.0));
    Some(Observed {
        partner: Some(to),
        ends: Some((from, to)),
        operation: name(message.operation.0),
        direction: message.direction,
        data,
    })
}

/// For each place, what every way to it has written; nothing for places without a way.
fn written(stg: &Stg, terms: &Terms) -> Vec<Option<FxHashSet<Var>>> {
    let count = stg.nodes().len();
    let mut found: Vec<Option<FxHashSet<Var>>> = vec![None; count + 1];
    found[stg.initial().index()] = Some(stg.parameters(terms).into_iter().collect());
    let mut pending = vec![stg.initial()];
    // What is written only gets less at each visit.
    let merge = |into: &mut Option<FxHashSet<Var>>, new: FxHashSet<Var>| match into {
        None => {
            *into = Some(new);
            true
        }
        Some(old) => {
            let before = old.len();
            old.retain(|it| new.contains(it));
            old.len() < before
        }
    };
    while let Some(node) = pending.pop() {
        let Some(here) = found[node.index()].clone() else {
            continue;
        };
        for (_, edge) in stg.outgoing(node) {
            let mut there = here.clone();
            there.extend(edge.event.bound_variables());
            there.extend(edge.updates.iter().map(|it| it.variable));
            if merge(&mut found[edge.target.index()], there) {
                pending.push(edge.target);
            }
        }
    }
    for index in 0..count {
        let ends = !stg.node(NodeId(index as u32)).terminations.is_empty();
        if let (true, Some(here)) = (ends, found[index].clone()) {
            merge(&mut found[count], here);
        }
    }
    found
}
