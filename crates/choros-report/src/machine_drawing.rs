//! Drawings of machines and of the systems they form.

use choros_base::Names;
use choros_model::cfsm::{Cfsm, LocalAction, System};
use choros_model::lts::{Lts, StateId};
use choros_syntax::quote;

use crate::{DrawnEdge, DrawnNode, DrawnTermination, GraphDrawing};

impl GraphDrawing {
    /// The drawing of one machine; states that nothing leaves are where it ends.
    pub fn of_machine(machine: &Cfsm, names: &Names) -> GraphDrawing {
        let mut roles = vec![names.text(machine.participant()).to_owned()];
        let partners = machine.partners();
        roles.extend(partners.iter().map(|&it| names.text(it).to_owned()));
        let nodes = machine
            .states()
            .map(|state| DrawnNode {
                label: machine.state_text(state, names),
                terminations: if machine.is_final(state) {
                    vec![DrawnTermination::default()]
                } else {
                    Vec::new()
                },
                ..DrawnNode::default()
            })
            .collect();
        let edges = machine
            .transitions()
            .map(|(source, transition)| DrawnEdge {
                source: source.index(),
                target: transition.target.index(),
                event: label(transition.action, names),
                ..DrawnEdge::default()
            })
            .collect();
        let drawing = GraphDrawing {
            name: names.text(machine.participant()).to_owned(),
            roles,
            nodes,
            edges,
            initial: machine.initial().index(),
            is_state_chart: true,
            ..GraphDrawing::default()
        };
        drawing.with_dot()
    }

    /// The drawing of all configurations that a system has seen and been asked about: the states of the machines,
    /// and below them what waits in the channels.
    ///
    /// Configurations are the numbers `0..system.seen()`; what none of them follows, and is not an end, is stuck.
    pub fn of_system(name: &str, system: &mut System<'_>) -> GraphDrawing {
        let mut nodes = Vec::new();
        let mut edges = Vec::new();
        let mut moves = Vec::new();
        let mut next = 0;
        while next < system.seen() {
            let state = StateId(next as u32);
            moves.clear();
            system.moves(state, &mut moves);
            let ended = moves.is_empty() && system.ended(state);
            nodes.push(DrawnNode {
                label: configuration_label(system, state),
                terminations: if ended {
                    vec![DrawnTermination::default()]
                } else {
                    Vec::new()
                },
                stuck: moves.is_empty() && !ended,
                ..DrawnNode::default()
            });
            edges.extend(moves.iter().map(|step| DrawnEdge {
                source: next,
                target: step.target.index(),
                event: system.action(step.action).text(system.terms()),
                ..DrawnEdge::default()
            }));
            next += 1;
        }
        let names = system.names();
        let mut drawing = GraphDrawing {
            name: name.to_owned(),
            roles: system
                .machines()
                .iter()
                .map(|machine| names.text(machine.participant()).to_owned())
                .collect(),
            nodes,
            edges,
            ..GraphDrawing::default()
        };
        drawing.dot = system_dot(&drawing);
        drawing
    }
}

/// The drawing for Graphviz, as ChorGram marks it: what is stuck is filled.
fn system_dot(drawing: &GraphDrawing) -> String {
    let mut out = format!("digraph {} {{\n", quote::dot(&drawing.name));
    for (index, node) in drawing.nodes.iter().enumerate() {
        let look = match (node.terminations.is_empty(), node.stuck) {
            (false, _) => ", peripheries=2",
            (true, true) => ", style=filled, fillcolor=\"#f4b6b6\", color=\"#b00020\"",
            (true, false) => "",
        };
        out.push_str(&format!(
            "  {index} [label={}{look}];\n",
            quote::dot(&node.label)
        ));
    }
    out.push_str("  __start [style=invis, shape=point];\n  __start -> 0;\n");
    for edge in &drawing.edges {
        let label = quote::dot(&edge.event);
        out.push_str(&format!(
            "  {} -> {} [label={label}];\n",
            edge.source, edge.target
        ));
    }
    out.push_str("}\n");
    out
}

/// `2•3•1`, and what waits: `C→A[quit]`.
fn configuration_label(system: &System<'_>, state: StateId) -> String {
    let configuration = system.configuration(state);
    let states: Vec<&str> = configuration
        .parts
        .iter()
        .map(|(_, state)| state.as_str())
        .collect();
    let mut label = states.join("•");
    for (channel, waiting) in &configuration.channels {
        label.push_str(&format!(" {channel}[{}]", waiting.join(",")));
    }
    label
}

/// What a machine does, as a role of the native language writes it: `-> seller: Order`, `<- seller: Bill`.
fn label(action: LocalAction, names: &Names) -> String {
    let arrow = if action.is_output() { "->" } else { "<-" };
    let (partner, message) = (names.text(action.partner), names.text(action.message));
    format!("{arrow} {partner}: {message}")
}
