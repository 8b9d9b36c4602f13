//! A graph as text that reads like a program.
//!
//! What must follow is written line under line; where there is a choice, each branch is indented.
//! The order is that of a depth-first search from the initial node; a node that was written before is named and not
//! written again.

use crate::{GraphDrawing, Style, TextRole};

/// The picture, which ends with a line break.
pub fn graph_text(drawing: &GraphDrawing, style: &Style) -> String {
    let leaving = drawing.leaving();
    let mut events = drawing.edges.iter().map(|it| it.event.as_str());
    let has_arrows = events.any(|it| it.contains("-> ") || it.contains("<- "));
    let mut out = format!("{}\n", heading(drawing));
    let mut written = vec![false; drawing.nodes.len()];
    // What is indented too deeply begins again at the margin, as does what no run reaches.
    let mut sections = std::collections::VecDeque::from([drawing.initial]);
    let mut unreached = 0..drawing.nodes.len();
    loop {
        let section = match sections.pop_front() {
            Some(section) => section,
            None => match unreached.find(|&node| !written[node]) {
                Some(node) => node,
                None => return out,
            },
        };
        let sign = if section == drawing.initial {
            style.sign("●", "*")
        } else {
            style.sign("○", "o")
        };
        let start = node_text(drawing, section, style);
        out.push_str(&format!("{sign} {start}\n"));
        written[section] = true;
        let mut pending = branches(drawing, &leaving, section, "", 0, style);
        while let Some(branch) = pending.pop() {
            let corner = style.paint(TextRole::Faint, branch.corner);
            out.push_str(&format!("{}{corner}", branch.indent));
            let index = match branch.way {
                Way::Edge(index) => index,
                Way::Termination(node, index) => {
                    out.push_str(&termination_text(drawing, node, index, style));
                    continue;
                }
            };
            let edge = &drawing.edges[index];
            let target = node_text(drawing, edge.target, style);
            // `a -> b: Order -> 2` would be hard to read.
            let arrow = style.sign("─►", if has_arrows { "=>" } else { "->" });
            let event = edge_text(edge, style);
            // What leads on without an event, as in a g-choreography, needs no gap before the arrow.
            let gap = if event.is_empty() { "" } else { " " };
            out.push_str(&format!("{event}{gap}{arrow} {target}"));
            if edge.dead {
                out.push_str(&style.paint(TextRole::Bad, "  never"));
            }
            if written[edge.target] {
                out.push_str(&style.paint(TextRole::Faint, "  see above"));
            } else if branch.depth == MAX_NESTING {
                out.push_str(&style.paint(TextRole::Faint, "  see below"));
                written[edge.target] = true;
                sections.push_back(edge.target);
            } else {
                written[edge.target] = true;
                pending.extend(branches(
                    drawing,
                    &leaving,
                    edge.target,
                    &branch.rest,
                    branch.depth,
                    style,
                ));
            }
            out.push('\n');
        }
    }
}

/// Beyond this many choices within choices, indentation hides more than it shows.
const MAX_NESTING: usize = 24;

struct Branch {
    indent: String,
    corner: &'static str,
    /// The indentation of what follows.
    rest: String,
    depth: usize,
    way: Way,
}

enum Way {
    Edge(usize),
    Termination(usize, usize),
}

/// What leaves a node, last first, as a stack wants it.
fn branches(
    drawing: &GraphDrawing,
    leaving: &[Vec<usize>],
    node: usize,
    indent: &str,
    depth: usize,
    style: &Style,
) -> Vec<Branch> {
    let terminations = drawing.nodes[node].terminations.len();
    let edges = leaving[node].iter().map(|&index| Way::Edge(index));
    let ends = (0..terminations).map(|index| Way::Termination(node, index));
    let count = leaving[node].len() + terminations;
    let mut branches: Vec<Branch> = edges
        .chain(ends)
        .enumerate()
        .map(|(place, way)| {
            let (corner, line) = match (count, place + 1 == count) {
                (1, _) => ("", ""),
                (_, true) => (style.sign("└─ ", "`- "), "   "),
                (_, false) => (style.sign("├─ ", "|- "), style.sign("│  ", "|  ")),
            };
            Branch {
                indent: indent.to_owned(),
                corner,
                rest: format!("{indent}{}", style.paint(TextRole::Faint, line)),
                depth: depth + usize::from(count > 1),
                way,
            }
        })
        .collect();
    branches.reverse();
    branches
}

fn heading(drawing: &GraphDrawing) -> String {
    let mut text = drawing.name.clone();
    if let Some(roles) = drawing.whose() {
        text.push_str(&format!(" {roles}"));
    }
    if !drawing.parameters.is_empty() {
        text.push_str(&format!("; parameters {}", drawing.parameters.join(", ")));
    }
    if let Some(folding) = drawing.folding() {
        text.push_str(&format!("; {folding}"));
    }
    text
}

fn node_text(drawing: &GraphDrawing, node: usize, style: &Style) -> String {
    let node = &drawing.nodes[node];
    if node.folded {
        return style.paint(TextRole::Strong, &format!("({})", node.label));
    }
    let mut text = style.paint(TextRole::Strong, &node.label);
    if !node.variables.is_empty() {
        let variables = format!(" {{{}}}", node.variables.join(", "));
        text.push_str(&style.paint(TextRole::Faint, &variables));
    }
    if node.stuck {
        text.push_str(&style.paint(TextRole::Bad, "  stuck"));
    }
    text
}

fn edge_text(edge: &crate::DrawnEdge, style: &Style) -> String {
    let mut text = guard_text(edge.guard.as_deref(), style);
    if edge.silent {
        text.push_str(style.sign("τ", "tau"))
    } else {
        text.push_str(&edge.event)
    }
    if !edge.updates.is_empty() {
        text.push_str(&format!(" / {}", edge.updates.join("; ")));
    }
    text
}

fn termination_text(drawing: &GraphDrawing, node: usize, index: usize, style: &Style) -> String {
    let termination = &drawing.nodes[node].terminations[index];
    let guard = guard_text(termination.guard.as_deref(), style);
    let never = if termination.dead {
        style.paint(TextRole::Bad, "  never")
    } else {
        String::new()
    };
    format!("{guard}{}{never}\n", style.sign("√", "end"))
}

fn guard_text(guard: Option<&str>, style: &Style) -> String {
    match guard {
        None => String::new(),
        Some(guard) => format!(
            "{} ",
            style.paint(TextRole::Condition, &format!("[{guard}]"))
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DrawnEdge, DrawnNode, DrawnTermination};

    fn drawing(size: usize, edges: &[(usize, usize)]) -> GraphDrawing {
        GraphDrawing {
            name: "g".to_owned(),
            nodes: (0..size)
                .map(|index| DrawnNode {
                    label: index.to_string(),
                    ..DrawnNode::default()
                })
                .collect(),
            edges: edges
                .iter()
                .map(|&(source, target)| DrawnEdge {
                    source,
                    target,
                    event: format!("e{source}{target}"),
                    ..DrawnEdge::default()
                })
                .collect(),
            ..GraphDrawing::default()
        }
    }

    #[test]
    fn a_chain_is_written_line_under_line_and_a_choice_is_indented() {
        let mut drawing = drawing(5, &[(0, 1), (1, 2), (1, 3), (2, 4), (3, 1)]);
        drawing.nodes[4].terminations = vec![DrawnTermination::default()];
        assert_eq!(
            graph_text(&drawing, &Style::PLAIN),
            "g\n* 0\ne01 -> 1\n|- e12 -> 2\n|  e24 -> 4\n|  end\n`- e13 -> 3\n   e31 -> 1  see above\n"
        );
    }

    #[test]
    fn what_no_run_reaches_stands_at_the_end() {
        let drawing = drawing(3, &[(0, 1), (2, 1)]);
        assert_eq!(
            graph_text(&drawing, &Style::PLAIN),
            "g\n* 0\ne01 -> 1\no 2\ne21 -> 1  see above\n"
        );
    }

    #[test]
    fn choices_within_choices_do_not_leave_the_page() {
        // A comb of 3,000 teeth: without a limit, its text would have a million blanks.
        let edges: Vec<(usize, usize)> = (0..3_000)
            .flat_map(|index| [(2 * index, 2 * index + 1), (2 * index, 2 * index + 2)])
            .collect();
        let text = graph_text(&drawing(6_001, &edges), &Style::PLAIN);
        assert!(text.lines().all(|line| line.len() < 120));
        assert_eq!(text.matches(" -> ").count(), 6_000);
    }
}
