//! One step for steps that a role cannot distinguish.
//!
//! What a role sees of a message is its operation, its partner and its values, never the names of the variables that
//! keep them: `t?<x>` on one branch and `t?<y>` on another are one reception, after which the role may stand on either.
//! The one step does what both did: it keeps the value under both names, and carries out the updates of both.
//!
//! Let `E1`, `E2`, … be what the steps write, as terms over the values before the step and over what it receives, each
//! cut down to what is read afterwards.
//! The one step writes all of them at once.
//! That is what each of them does for a reader on its own branch, if no two write different terms to one
//! variable, and none writes a variable whose old value is read on the branch of another.
//! Where that is not so, other names may help ([`webs`](super::webs)); if they do not, because ways meet again and
//! read either value under one name, the steps stay apart.

use choros_data::{Term, Terms, Var};
use choros_model::stg::{Edge, Event, FieldValue, FreeVariables, Update};
use rustc_hash::FxHashMap;

/// What one step does for several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) event: Event,
    pub(super) updates: Vec<Update>,
}

impl Label {
    pub(super) fn of(edge: &Edge) -> Label {
        Label {
            event: edge.event.clone(),
            updates: edge.updates.clone(),
        }
    }

    /// Whether it leaves the variables of a condition alone.
    pub(super) fn keeps(&self, condition: Term, terms: &Terms) -> bool {
        let read = terms.free_variables(condition);
        let updated = self.updates.iter().map(|update| update.variable);
        let mut written = self.event.bound_variables().chain(updated);
        !written.any(|variable| read.contains(&variable))
    }
}

/// For each edge, a number that it shares with those that look the same to the role.
pub(super) fn looks(edges: &[Edge], terms: &mut Terms) -> Vec<u32> {
    let mut numbers: FxHashMap<(Event, Vec<Update>), u32> = FxHashMap::default();
    let mut looks = Vec::with_capacity(edges.len());
    for edge in edges {
        let Label {
            mut event,
            mut updates,
        } = Label::of(edge);
        // What happens inside the role has no other look than what it does.
        if let Event::Message(message) = &mut event {
            updates.clear();
            for (position, field) in message.fields.iter_mut().enumerate() {
                if let FieldValue::Bind(variable) = &mut field.value {
                    let place = terms.names.intern(&position.to_string());
                    *variable = terms.variable(place, terms.variable_sort(*variable));
                }
            }
        }
        let next = numbers.len() as u32;
        looks.push(*numbers.entry((event, updates)).or_insert(next));
    }
    looks
}

/// One step for edges that look the same; `None` where it cannot do what each of them does.
pub(super) fn one_for_all(
    edges: &[&Edge],
    live: &FreeVariables,
    terms: &mut Terms,
) -> Option<Label> {
    let first = Label::of(edges[0]);
    if edges.iter().all(|&edge| Label::of(edge) == first) {
        return Some(first);
    }
    let holes = bound(edges[0]).map(|it| it.1);
    let holes: Vec<Var> = holes.map(|it| terms.fresh_variable(it)).collect();
    let effects: Vec<Vec<(Var, Term)>> = edges
        .iter()
        .map(|edge| effect(edge, &holes, terms))
        .collect();
    let mut written: Vec<(Var, Term)> = Vec::new();
    for (edge, effect) in edges.iter().zip(&effects) {
        for &(variable, value) in effect {
            if !live.contains(edge.target, variable) {
                continue;
            }
            match written.iter().find(|it| it.0 == variable) {
                None => written.push((variable, value)),
                Some(other) if other.1 == value => {}
                Some(_) => return None,
            }
        }
    }
    let stays_read = |variable: Var| {
        let mut branches = edges.iter().zip(&effects);
        branches.any(|(edge, effect)| {
            let is_written = effect.iter().any(|it| it.0 == variable);
            !is_written && live.contains(edge.target, variable)
        })
    };
    if written.iter().any(|it| stays_read(it.0)) {
        return None;
    }
    // What is received is kept in one of the variables that get it; if no one reads it, where it does no harm.
    let mut event = edges[0].event.clone();
    let mut binders: Vec<Var> = Vec::with_capacity(holes.len());
    for (position, &hole) in holes.iter().enumerate() {
        let value = terms.var(hole);
        let reader = written.iter().find(|it| it.1 == value).map(|it| it.0);
        let bound_here = edges.iter().filter_map(|edge| bound(edge).nth(position));
        let idle = bound_here.map(|it| it.1).find(|it| {
            !edges.iter().any(|edge| live.contains(edge.target, *it)) && !binders.contains(it)
        });
        let binder = reader.or(idle).unwrap_or(hole);
        let field = bound(edges[0]).nth(position)?.0;
        if let Event::Message(message) = &mut event {
            message.fields[field].value = FieldValue::Bind(binder);
        }
        written.retain(|it| it.0 != binder);
        binders.push(binder);
    }
    // A variable is written after all that read its old value.
    let reads_any = |value: Term, variables: &[Var], terms: &Terms| {
        let read = terms.free_variables(value);
        read.into_iter().any(|it| variables.contains(&it))
    };
    if written.iter().any(|it| reads_any(it.1, &binders, terms)) {
        return None;
    }
    let mut received = FxHashMap::default();
    for (&hole, &binder) in holes.iter().zip(&binders) {
        received.insert(hole, terms.var(binder));
    }
    let mut updates = Vec::with_capacity(written.len());
    while !written.is_empty() {
        let next = written.iter().position(|&(variable, _)| {
            let mut others = written.iter().filter(|it| it.0 != variable);
            !others.any(|it| reads_any(it.1, &[variable], terms))
        })?;
        let (variable, value) = written.remove(next);
        let value = terms.substitute(value, &received);
        updates.push(Update { variable, value });
    }
    Some(Label { event, updates })
}

/// The fields that an edge binds, with their variables.
fn bound(edge: &Edge) -> impl Iterator<Item = (usize, Var)> {
    let message = edge.event.message();
    let fields = message.map_or(&[][..], |message| &message.fields);
    let fields = fields.iter().enumerate();
    fields.filter_map(|(position, field)| match field.value {
        FieldValue::Bind(variable) => Some((position, variable)),
        FieldValue::Free(_) => None,
    })
}

/// What an edge writes, as terms over what was there before and over what it receives.
fn effect(edge: &Edge, holes: &[Var], terms: &mut Terms) -> Vec<(Var, Term)> {
    let mut written: Vec<(Var, Term)> = Vec::new();
    let write = |variable: Var, value: Term, written: &mut Vec<(Var, Term)>| {
        written.retain(|it| it.0 != variable);
        written.push((variable, value));
    };
    for ((_, variable), &hole) in bound(edge).zip(holes) {
        let value = terms.var(hole);
        write(variable, value, &mut written);
    }
    for update in &edge.updates {
        let so_far = written.iter().copied().collect();
        let value = terms.substitute(update.value, &so_far);
        write(update.variable, value, &mut written);
    }
    written
}
