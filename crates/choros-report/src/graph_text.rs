//! A graph as a tree of text.
//!
//! The tree is the depth-first spanning tree from the initial node, edges in their order; a node that was drawn before
//! is named and not drawn again.

use choros_data::Terms;
use choros_model::stg::{EdgeId, FreeVariables, NodeId, Stg};

use crate::{Paint, Style};

/// What is to be pointed at.
#[derive(Debug, Clone, Default)]
pub struct GraphMarks {
    /// Edges that can never fire.
    pub dead: Vec<EdgeId>,
}

/// The picture, which ends with a line break.
pub fn graph_text(stg: &Stg, terms: &Terms, marks: &GraphMarks, style: &Style) -> String {
    let free = FreeVariables::of(stg, terms);
    let mut out = String::new();
    let heading = heading(stg, terms);
    out.push_str(&format!("{heading}\n"));
    let mut drawn = vec![false; stg.nodes().len()];
    drawn[stg.initial().0 as usize] = true;
    let start = node_text(stg, stg.initial(), &free, terms, style);
    out.push_str(&format!("{} {start}\n", style.sign("●", "*")));
    let mut pending: Vec<Branch> = branches(stg, stg.initial(), String::new());
    while let Some(branch) = pending.pop() {
        let (corner, line) = match branch.last {
            true => (style.sign("└─ ", "`- "), "   "),
            false => (style.sign("├─ ", "|- "), style.sign("│  ", "|  ")),
        };
        let corner = style.paint(Paint::Faint, corner);
        let Way::Edge(id) = branch.way else {
            let Way::Termination(node, index) = branch.way else {
                continue;
            };
            let guard = stg.node(node).terminations[index].guard;
            let guard = guard_text(guard, terms, style);
            let sign = style.sign("√", "end");
            out.push_str(&format!("{}{corner}{guard}{sign}\n", branch.indent));
            continue;
        };
        let edge = stg.edge(id);
        let mut label = guard_text(edge.guard, terms, style);
        label.push_str(&edge.event.text(terms));
        if !edge.updates.is_empty() {
            let updates: Vec<String> = edge
                .updates
                .iter()
                .map(|update| {
                    let name = terms.variable_text(update.variable);
                    format!("{name} := {}", terms.print(update.value))
                })
                .collect();
            label.push_str(&format!(" / {}", updates.join("; ")));
        }
        let target = node_text(stg, edge.target, &free, terms, style);
        let arrow = style.sign("─►", "->");
        let known = std::mem::replace(&mut drawn[edge.target.0 as usize], true);
        let mut remark = String::new();
        if marks.dead.contains(&id) {
            remark.push_str(&style.paint(Paint::Bad, "  never"));
        }
        if known {
            remark.push_str(&style.paint(Paint::Faint, "  see above"));
        }
        out.push_str(&format!(
            "{}{corner}{label} {arrow} {target}{remark}\n",
            branch.indent
        ));
        if !known {
            // A chain is drawn without stepping to the right, or it would leave the page.
            let children = branches(stg, edge.target, String::new());
            let indent = match children.len() {
                1 if branch.last => branch.indent,
                _ => format!("{}{}", branch.indent, style.paint(Paint::Faint, line)),
            };
            pending.extend(children.into_iter().map(|child| Branch {
                indent: indent.clone(),
                ..child
            }));
        }
    }
    out
}

struct Branch {
    indent: String,
    last: bool,
    way: Way,
}

enum Way {
    Edge(EdgeId),
    Termination(NodeId, usize),
}

/// What leaves a node, last first, as a stack wants it.
fn branches(stg: &Stg, node: NodeId, indent: String) -> Vec<Branch> {
    let ends = (0..stg.node(node).terminations.len()).map(|index| Way::Termination(node, index));
    let edges = stg.outgoing(node).map(|(id, _)| Way::Edge(id));
    let mut ways: Vec<Branch> = edges
        .chain(ends)
        .map(|way| Branch {
            indent: indent.clone(),
            last: false,
            way,
        })
        .collect();
    if let Some(last) = ways.last_mut() {
        last.last = true;
    }
    ways.reverse();
    ways
}

fn heading(stg: &Stg, terms: &Terms) -> String {
    let roles: Vec<&str> = stg
        .roles()
        .into_iter()
        .map(|role| terms.names.text(role.0))
        .collect();
    let parameters: Vec<&str> = stg
        .parameters(terms)
        .into_iter()
        .map(|variable| terms.variable_text(variable))
        .collect();
    let mut text = stg.name().to_owned();
    if !roles.is_empty() {
        text.push_str(&format!(" between {}", roles.join(", ")));
    }
    if !parameters.is_empty() {
        text.push_str(&format!("; parameters {}", parameters.join(", ")));
    }
    text
}

fn node_text(
    stg: &Stg,
    node: NodeId,
    free: &FreeVariables,
    terms: &Terms,
    style: &Style,
) -> String {
    let variables: Vec<&str> = free
        .at(node, terms)
        .into_iter()
        .map(|variable| terms.variable_text(variable))
        .collect();
    let label = style.paint(Paint::Strong, &stg.node(node).label);
    match variables.is_empty() {
        true => label,
        false => format!(
            "{label} {}",
            style.paint(Paint::Faint, &format!("{{{}}}", variables.join(", ")))
        ),
    }
}

fn guard_text(guard: choros_data::Term, terms: &Terms, style: &Style) -> String {
    match guard {
        choros_data::Term::TRUE => String::new(),
        guard => {
            let text = format!("[{}]", terms.print(guard));
            format!("{} ", style.paint(Paint::Condition, &text))
        }
    }
}
