//! Who knows what: `knows(role, x)`.
//!
//! A role knows a variable if the value that it has now is known to it: it sent or received the message that brought
//! the value, or a later one that carries it, or it is an end of the interaction that computed the value from what the
//! role knows.
//! That is the meaning of data connectedness (3.4.2 and Algorithm 4 of Nguyen's thesis), per run instead of on all
//! ways to a node: nodes are split by what the roles know there.

use choros_data::{Terms, Var};
use choros_model::stg::{Edge, Event, FieldValue, NodeId as Place, Role, Stg, StgBuilder};
use choros_query::socl::{Formula, NodeKind, StateFormula};
use rustc_hash::FxHashMap;

use crate::stop::Stop;

/// Graphs grow to no more nodes than this.
const MAX_NODES: usize = 20_000;

/// What is asked about, and what is so at each node.
#[derive(Debug, Default)]
pub(crate) struct Knowledge {
    /// Roles with the variables that they may know.
    pub(crate) pairs: Vec<(Role, Var)>,
    /// For each node, which pairs are so.
    pub(crate) nodes: Vec<Vec<bool>>,
}

/// The graph whose nodes say what the roles of a formula know; nothing if it asks for nothing.
pub(crate) fn split(
    stg: &Stg,
    formula: &Formula,
    names: &choros_base::Names,
    terms: &mut Terms,
) -> Result<Option<(Stg, Knowledge)>, Stop> {
    let mut roles: Vec<Role> = Vec::new();
    for (_, node) in formula.nodes() {
        if let NodeKind::State(state) = &node.kind
            && let StateFormula::Knows(role, _) = &**state
        {
            let found = role_named(stg, names.text(*role), terms)?;
            if !roles.contains(&found) {
                roles.push(found);
            }
        }
    }
    if roles.is_empty() {
        return Ok(None);
    }
    let variables = stg.variables(terms);
    let each = roles
        .iter()
        .flat_map(|&role| variables.iter().map(move |&it| (role, it)));
    let pairs: Vec<(Role, Var)> = each.collect();
    let parameters = stg.parameters(terms);
    let start: Vec<bool> = pairs.iter().map(|it| parameters.contains(&it.1)).collect();
    let mut builder = StgBuilder::new(stg.name(), stg.ending());
    let mut ids: FxHashMap<(Place, Vec<bool>), Place> = FxHashMap::default();
    let mut nodes: Vec<Vec<bool>> = Vec::new();
    let mut pending: Vec<(Place, Vec<bool>)> = Vec::new();
    let mut edges: Vec<Edge> = Vec::new();
    let mut enter = |place: Place, known: Vec<bool>, pending: &mut Vec<(Place, Vec<bool>)>| {
        if let Some(&id) = ids.get(&(place, known.clone())) {
            return id;
        }
        let id = builder.node(stg.node(place).label.clone());
        ids.insert((place, known.clone()), id);
        nodes.push(known.clone());
        pending.push((place, known));
        id
    };
    let initial = enter(stg.initial(), start, &mut pending);
    let mut next = 0;
    while next < pending.len() {
        let (place, known) = pending[next].clone();
        let source = Place(next as u32);
        next += 1;
        for (_, edge) in stg.outgoing(place) {
            let after = after(edge, &known, &pairs, terms);
            let target = enter(edge.target, after, &mut pending);
            edges.push(Edge {
                source,
                target,
                ..edge.clone()
            });
        }
        if pending.len() > MAX_NODES {
            let text = format!("there are more than {MAX_NODES} cases of who knows what");
            return Err(Stop::Unsupported(text));
        }
    }
    for edge in edges {
        builder.edge(terms, edge);
    }
    for (index, (place, _)) in pending.iter().enumerate() {
        for ending in &stg.node(*place).terminations {
            builder.terminate(terms, Place(index as u32), ending.guard, ending.origin);
        }
    }
    let split = builder.finish_as_built(initial);
    Ok(Some((split, Knowledge { pairs, nodes })))
}

fn role_named(stg: &Stg, name: &str, terms: &Terms) -> Result<Role, Stop> {
    let mut roles = stg.roles().into_iter();
    let found = roles.find(|it| terms.names.text(it.0) == name);
    found.ok_or_else(|| Stop::Unsupported(format!("no role of the model is called `{name}`")))
}

/// What is known after an edge.
fn after(edge: &Edge, before: &[bool], pairs: &[(Role, Var)], terms: &Terms) -> Vec<bool> {
    let mut known = before.to_vec();
    let message = edge.event.message();
    if let Some(message) = message {
        // What a field carries was read before anything is bound.
        for field in &message.fields {
            if let FieldValue::Free(term) = field.value
                && let Some(variable) = terms.as_variable(term)
            {
                let receiver = pairs.iter().position(|it| *it == (message.to, variable));
                if let Some(place) = receiver {
                    known[place] = true;
                }
            }
        }
    }
    let is_end = |role: Role| match (&edge.event, message) {
        (Event::Choose(_), _) => false,
        (_, Some(message)) => role == message.from || role == message.to,
        (_, None) => true,
    };
    for variable in edge.event.bound_variables() {
        for (place, (role, other)) in pairs.iter().enumerate() {
            if *other == variable {
                known[place] = is_end(*role);
            }
        }
    }
    for update in &edge.updates {
        let read = terms.free_variables(update.value);
        for (place, (role, other)) in pairs.iter().enumerate() {
            if *other == update.variable {
                let knows = |it: Var| {
                    let mine = pairs.iter().position(|pair| *pair == (*role, it));
                    mine.is_none_or(|place| known[place])
                };
                let all = read.iter().all(|&it| knows(it));
                known[place] = all && (message.is_none() || is_end(*role));
            }
        }
    }
    known
}
