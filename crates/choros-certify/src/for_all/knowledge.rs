//! Who knows what: the graph of a formula about what roles know.
//!
//! Each of its places is a node of the model with what these roles know there. They are numbered breadth-first, edges
//! in the order of the model.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use choros_base::{Name, Names};
use choros_data::{Term, Terms, Var};
use choros_model::stg::{Edge, Event, FieldValue, NodeId, Role, Stg, StgBuilder};
use choros_query::socl::{Formula, NodeKind, Operand, StateFormula};

use super::graph::OpenGraph;
use super::reading::{Datum, Environment, datum_of, part_of};
use crate::flaw::Flaw;

/// What the roles of a formula know, by place.
#[derive(Default)]
pub(super) struct Knowledge {
    roles: Vec<Role>,
    places: Vec<Known>,
}

/// The numbers of roles, each with a variable whose value it knows.
type Known = BTreeSet<(usize, usize)>;

/// A graph with more places than this is not built.
const MAX_PLACES: usize = 100_000;

/// The graph whose places say what the roles of a formula know; nothing if it is not about that.
pub(super) fn unfolded(
    stg: &Stg,
    formula: &Formula,
    names: &Names,
    terms: &mut Terms,
) -> Result<Option<(Stg, Knowledge)>, Flaw> {
    let mut roles: Vec<Role> = Vec::new();
    for (_, node) in formula.nodes() {
        if let NodeKind::State(state) = &node.kind
            && let StateFormula::Knows(role, _) = &**state
        {
            let role = role_of(stg, *role, names, terms)?;
            if !roles.contains(&role) {
                roles.push(role);
            }
        }
    }
    if roles.is_empty() {
        return Ok(None);
    }
    let mut start = Known::new();
    for parameter in stg.parameters(terms) {
        start.extend((0..roles.len()).map(|role| (role, parameter.index())));
    }
    let mut builder = StgBuilder::new(stg.name(), stg.ending());
    let mut numbers: BTreeMap<(usize, Known), NodeId> = BTreeMap::new();
    let mut places: Vec<Known> = Vec::new();
    let mut pending: VecDeque<(NodeId, NodeId)> = VecDeque::new();
    let first = builder.node(stg.node(stg.initial()).label.clone());
    numbers.insert((stg.initial().index(), start.clone()), first);
    places.push(start);
    pending.push_back((stg.initial(), first));
    while let Some((node, place)) = pending.pop_front() {
        let here = places[place.index()].clone();
        for (_, edge) in stg.outgoing(node) {
            let there = known_after(edge, &here, &roles, terms);
            let key = (edge.target.index(), there);
            let target = match numbers.get(&key) {
                Some(&known) => known,
                None => {
                    let new = builder.node(stg.node(edge.target).label.clone());
                    places.push(key.1.clone());
                    pending.push_back((edge.target, new));
                    numbers.insert(key, new);
                    new
                }
            };
            let edge = Edge {
                source: place,
                target,
                ..edge.clone()
            };
            builder.edge(terms, edge);
        }
        for ending in &stg.node(node).terminations {
            builder.terminate(terms, place, ending.guard, ending.origin);
        }
        if places.len() > MAX_PLACES {
            return Err(Flaw::open(
                "there are too many cases of who knows what",
                None,
            ));
        }
    }
    let unfolded = builder.finish_as_built(first);
    Ok(Some((unfolded, Knowledge { roles, places })))
}

fn role_of(stg: &Stg, name: Name, names: &Names, terms: &Terms) -> Result<Role, Flaw> {
    let text = names.text(name);
    let mut roles = stg.roles().into_iter();
    let found = roles.find(|role| terms.names.text(role.0) == text);
    found.ok_or_else(|| Flaw::open(format!("no role of the model is called `{text}`"), None))
}

/// What is known after an edge: a receiver learns the variables that a message carries; a new value is known to the
/// ends of the message that brings it, and a computed one to those of them who know all that it is computed from.
fn known_after(edge: &Edge, before: &Known, roles: &[Role], terms: &Terms) -> Known {
    let mut known = before.clone();
    let message = edge.event.message();
    let sees = |role: &Role| message.is_none_or(|it| it.from == *role || it.to == *role);
    if let Some(message) = message
        && let Some(receiver) = roles.iter().position(|it| *it == message.to)
    {
        for field in &message.fields {
            if let FieldValue::Free(term) = field.value {
                let carried = terms.as_variable(term);
                known.extend(carried.map(|it| (receiver, it.index())));
            }
        }
    }
    let is_chosen = matches!(edge.event, Event::Choose(_));
    for variable in edge.event.bound_variables() {
        let variable = variable.index();
        known.retain(|it| it.1 != variable);
        let learn = roles
            .iter()
            .enumerate()
            .filter(|it| !is_chosen && sees(it.1));
        known.extend(learn.map(|it| (it.0, variable)));
    }
    for update in &edge.updates {
        let variable = update.variable.index();
        let read = terms.free_variables(update.value);
        let can = |role: usize| read.iter().all(|it| known.contains(&(role, it.index())));
        let learn = roles.iter().enumerate();
        let learn = learn
            .filter(|it| sees(it.1) && can(it.0))
            .map(|it| (it.0, variable));
        let learn: Vec<(usize, usize)> = learn.collect();
        known.retain(|it| it.1 != variable);
        known.extend(learn);
    }
    known
}

/// When one of these variables has a value.
fn held(own: impl Iterator<Item = Var>, wanted: Term, terms: &mut Terms) -> Term {
    let sort = terms.sort_of(wanted);
    let mut some = Vec::new();
    for holder in own {
        if terms.variable_sort(holder) == sort {
            let holder = terms.var(holder);
            some.push(terms.equal(holder, wanted));
        }
    }
    terms.or(some)
}

impl OpenGraph<'_> {
    /// Where it is shown that a role knows something, or that it does not.
    pub(super) fn knows(
        &self,
        (role, what): (Name, Operand),
        environment: &Environment,
        truth: bool,
        place: u32,
        (names, terms): (&Names, &mut Terms),
    ) -> Result<Term, Flaw> {
        let role = role_of(&self.stg, role, names, terms)?;
        let Some(role) = self.known.roles.iter().position(|it| *it == role) else {
            return Err(Flaw::wrong("the graph does not say what this role knows"));
        };
        let mut here: Vec<&Known> = self.known.places.get(place as usize).into_iter().collect();
        if here.is_empty() {
            // What has ended: as it was at the node where it ended, whichever that is.
            let nodes = self.stg.nodes().iter().zip(&self.known.places);
            here.extend(
                nodes
                    .filter(|it| !it.0.terminations.is_empty())
                    .map(|it| it.1),
            );
        }
        let mut all = Vec::with_capacity(here.len());
        for known in here {
            let own = self.variables.iter().copied();
            let mut own = own.filter(|it| known.contains(&(role, it.index())));
            let shown = match what {
                Operand::Word(name) => {
                    let text = names.text(name);
                    let called = |it: &Var| terms.variable_text(*it) == text;
                    if !self.variables.iter().any(called) {
                        let text = format!("no variable of the model is called `{text}`");
                        return Err(Flaw::open(text, None));
                    }
                    terms.bool(own.any(|it| called(&it)))
                }
                Operand::Variable(variable) => match datum_of(environment, variable) {
                    Some(Datum::Term(wanted)) => held(own, wanted, terms),
                    Some(Datum::Text(_)) | None => {
                        let text = "the formula asks who knows a value of no sort";
                        return Err(Flaw::open(text, None));
                    }
                },
                Operand::Part(variable, path) => {
                    let wanted = part_of(environment, variable, names.text(path), terms)?;
                    held(own, wanted, terms)
                }
                Operand::Quoted(_) => {
                    return Err(Flaw::open("the formula asks who knows a text", None));
                }
            };
            all.push(if truth { shown } else { terms.not(shown) });
        }
        Ok(terms.and(all))
    }
}
