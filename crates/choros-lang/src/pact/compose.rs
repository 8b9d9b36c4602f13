//! Parallel processes of different roles are a composition (Figure 4.3 of Nguyen's thesis).
//!
//! There, a sending and a reception of one channel that are first actions of the two sides of `|` synchronise into the
//! interaction, and the composition of Example 8 has the traces of its choreography: so they *must* synchronise, as in
//! the product of graphs.
//! Within one role, `|` only interleaves, because no role sends to itself.

use choros_base::{Name, Names};
use choros_model::stg::Direction;
use choros_model::stg::label::EventSyntax;

use crate::ast::{Body, Component, Operator, ProcessId, ProcessKind, Reference, Script};

/// Replaces each definition `P | Q` of several roles by one definition per role and their composition.
pub(super) fn part(script: &mut Script, names: &mut Names) {
    let mut components = Vec::new();
    for component in std::mem::take(&mut script.components) {
        let Some(parts) = parts(script, &component) else {
            components.push(component);
            continue;
        };
        let mut references = Vec::new();
        for (role, part) in parts {
            let text = format!("{}.{}", names.text(component.name.name), names.text(role));
            let name = Reference {
                name: names.intern(&text),
                span: script.processes.get(part).span,
            };
            references.push(name);
            components.push(Component {
                name,
                body: Body::Process(part),
                span: name.span,
            });
        }
        components.push(Component {
            body: Body::Composition(references),
            ..component
        });
    }
    script.components = components;
}

/// The parallel processes of a definition with the role of each, if they have one each and not all the same.
fn parts(script: &Script, component: &Component) -> Option<Vec<(Name, ProcessId)>> {
    let Body::Process(root) = component.body else {
        return None;
    };
    let ProcessKind::Chain(Operator::Parallel, operands) = &script.processes.get(root).kind else {
        return None;
    };
    let parts: Option<Vec<(Name, ProcessId)>> = operands
        .iter()
        .map(|&operand| Some((role(script, operand)?, operand)))
        .collect();
    parts.filter(|parts| parts.iter().any(|&(role, _)| role != parts[0].0))
}

/// The role that all events of a process belong to.
fn role(script: &Script, process: ProcessId) -> Option<Name> {
    let mut found = None;
    for (_, process) in script.processes.walk(process) {
        let ProcessKind::Event(EventSyntax::Message(message)) = &process.kind else {
            continue;
        };
        let role = match message.direction {
            Direction::Interaction => return None,
            Direction::Send => message.from.0,
            Direction::Receive => message.to.0,
        };
        if *found.get_or_insert(role) != role {
            return None;
        }
    }
    found
}
