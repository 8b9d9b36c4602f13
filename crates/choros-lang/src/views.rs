//! Whose view a component is: a choreography's, or that of one role (Table 3.1 of Nguyen's thesis).

use choros_base::{Diagnostic, Name, Names, Span};
use choros_model::stg::Direction;
use choros_model::stg::label::{EventSyntax, MessageSyntax};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{Body, Component, ProcessKind, Script};
use crate::diagnostics::{MAX_FINDINGS, mixed_views, role_played_twice, several_roles};
use crate::resolve::{ComponentId, Resolution};

/// What is odd about who does what.
pub(crate) fn check(script: &Script, resolution: &Resolution, names: &Names) -> Vec<Diagnostic> {
    let views: Vec<View> = script
        .components
        .iter()
        .map(|component| view(script, component))
        .collect();
    let mut diagnostics = Vec::new();
    for (component, view) in script.components.iter().zip(&views) {
        let name = names.text(component.name.name);
        if let (Some(global), Some(local)) = (view.interaction, view.one_sided) {
            diagnostics.push(mixed_views::diagnostic(name, global, local));
        }
        if let [(first, at), (other, there), ..] = view.roles[..] {
            diagnostics.push(several_roles::diagnostic(
                name,
                (names.text(first), at),
                (names.text(other), there),
            ));
        }
        if diagnostics.len() >= MAX_FINDINGS {
            break;
        }
    }
    played_twice(script, resolution, names, &views, &mut diagnostics);
    diagnostics.truncate(MAX_FINDINGS);
    diagnostics
}

/// Whose view the events of a component are.
#[derive(Default)]
struct View {
    /// The first interaction.
    interaction: Option<Span>,
    /// The first sending or reception.
    one_sided: Option<Span>,
    /// Who sends and receives, each with the first place.
    roles: Vec<(Name, Span)>,
}

fn view(script: &Script, component: &Component) -> View {
    let mut view = View::default();
    let mut seen = FxHashSet::default();
    for message in messages(script, component) {
        let role = match message.direction {
            Direction::Interaction => {
                view.interaction.get_or_insert(message.span);
                continue;
            }
            Direction::Send => message.from.0,
            Direction::Receive => message.to.0,
        };
        view.one_sided.get_or_insert(message.span);
        if seen.insert(role) {
            view.roles.push((role, message.span));
        }
    }
    view
}

fn messages<'a>(script: &'a Script, component: &'a Component) -> Vec<&'a MessageSyntax> {
    let events: Vec<&EventSyntax> = match &component.body {
        Body::Process(root) => script
            .processes
            .walk(*root)
            .filter_map(|(_, process)| match &process.kind {
                ProcessKind::Event(event) => Some(event),
                _ => None,
            })
            .collect(),
        Body::Graph(graph) => graph
            .transitions
            .iter()
            .filter_map(|transition| Some(&transition.label.as_ref()?.event))
            .collect(),
        Body::Composition(_) => Vec::new(),
    };
    events
        .into_iter()
        .filter_map(|event| match event {
            EventSyntax::Message(message) => Some(message),
            _ => None,
        })
        .collect()
}

/// Compositions of compositions can repeat the same parts over and over; looking stops here.
const MAX_PARTS: usize = 100_000;

fn played_twice(
    script: &Script,
    resolution: &Resolution,
    names: &Names,
    views: &[View],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut left = MAX_PARTS;
    for component in &script.components {
        let Body::Composition(references) = &component.body else {
            continue;
        };
        // Which role is played by which component, and through which part of this composition.
        let mut players: FxHashMap<Name, (ComponentId, Span)> = FxHashMap::default();
        for reference in references {
            let Some(direct) = resolution.component(reference.name) else {
                continue;
            };
            let parts = resolution.parts_within(script, direct, &mut left);
            if left == 0 || diagnostics.len() >= MAX_FINDINGS {
                return;
            }
            for part in parts.unwrap_or_default() {
                for &(role, _) in &views[part.0].roles {
                    let player = (part, reference.span);
                    let &mut (first, at) = players.entry(role).or_insert(player);
                    if (first, at) != player {
                        let name = |id: ComponentId| names.text(script.components[id.0].name.name);
                        diagnostics.push(role_played_twice::diagnostic(
                            names.text(role),
                            (name(first), at),
                            (name(part), reference.span),
                        ));
                    }
                }
            }
        }
    }
}
