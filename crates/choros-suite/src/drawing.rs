//! Trees and products as pictures.

use choros_data::{Term, Terms};
use choros_model::stg::Event;
use choros_report::{DrawnEdge, DrawnNode, DrawnTermination, GraphDrawing};
use choros_symex::{EdgeLabel, Graph, Tree, TreeCut, TreeLabel};

/// A tree; where a node is included in another, an edge that says so leads there.
pub fn tree_drawing(name: &str, graph: &Graph, tree: &Tree, terms: &Terms) -> GraphDrawing {
    let mut nodes = Vec::with_capacity(tree.nodes.len());
    let mut edges = Vec::new();
    for id in tree.ids() {
        let node = tree.node(id);
        let more = match node.cut {
            TreeCut::Bound | TreeCut::UndecidedStep | TreeCut::Stopped => " …",
            TreeCut::Not | TreeCut::Included { .. } => "",
        };
        let ended = node.label == Some(TreeLabel::End);
        nodes.push(DrawnNode {
            label: format!("{}: {}{more}", id.0, graph.state(node.state).label),
            terminations: if ended {
                vec![DrawnTermination::default()]
            } else {
                Vec::new()
            },
            stuck: !ended && node.cut == TreeCut::Not && node.children.is_empty(),
            ..DrawnNode::default()
        });
        for &child in &node.children {
            let below = tree.node(child);
            edges.push(DrawnEdge {
                source: id.index(),
                target: child.index(),
                guard: (below.condition != Term::TRUE).then(|| terms.print(below.condition)),
                event: below
                    .label
                    .as_ref()
                    .map(|label| label.text(terms))
                    .unwrap_or_default(),
                silent: below.label == Some(TreeLabel::Silent),
                ..DrawnEdge::default()
            });
        }
        if let TreeCut::Included { by, same_branch } = node.cut {
            let event = if same_branch {
                "included in its branch"
            } else {
                "included in"
            };
            edges.push(DrawnEdge {
                source: id.index(),
                target: by.index(),
                event: event.to_owned(),
                ..DrawnEdge::default()
            });
        }
    }
    GraphDrawing {
        name: name.to_owned(),
        nodes,
        edges,
        initial: 0,
        ..GraphDrawing::default()
    }
    .with_dot()
}

/// A tree in Aldebaran's form.
pub fn tree_aut(tree: &Tree, terms: &Terms) -> String {
    let mut lines = String::new();
    let mut count = 0;
    for id in tree.ids() {
        for &child in &tree.node(id).children {
            let label = tree
                .node(child)
                .label
                .as_ref()
                .map(|label| label.text(terms))
                .unwrap_or_default();
            lines.push_str(&format!("({}, {}, {})\n", id.0, quoted(&label), child.0));
            count += 1;
        }
    }
    format!("des (0, {count}, {})\n{lines}", tree.nodes.len())
}

/// A product, or a model with its ends as edges.
pub fn graph_drawing(graph: &Graph, terms: &Terms) -> GraphDrawing {
    let nodes = graph
        .states
        .iter()
        .map(|state| DrawnNode {
            label: state.label.clone(),
            ..DrawnNode::default()
        })
        .collect();
    let edges = graph
        .edges()
        .iter()
        .map(|edge| DrawnEdge {
            source: edge.source.index(),
            target: edge.target.index(),
            guard: (edge.guard != Term::TRUE).then(|| terms.print(edge.guard)),
            event: label_text(&edge.label, terms),
            silent: edge.label.is_silent(),
            updates: edge
                .updates
                .iter()
                .map(|update| {
                    let name = terms.variable_text(update.variable);
                    format!("{name} := {}", terms.print(update.value))
                })
                .collect(),
            dead: false,
        })
        .collect();
    GraphDrawing {
        name: graph.name.clone(),
        nodes,
        edges,
        initial: graph.initial.index(),
        ..GraphDrawing::default()
    }
    .with_dot()
}

/// A graph in Aldebaran's form.
pub fn graph_aut(graph: &Graph, terms: &Terms) -> String {
    let mut lines = String::new();
    for edge in graph.edges() {
        let mut label = label_text(&edge.label, terms);
        if edge.guard != Term::TRUE {
            label = format!("[{}] {label}", terms.print(edge.guard));
        }
        lines.push_str(&format!(
            "({}, {}, {})\n",
            edge.source.0,
            quoted(&label),
            edge.target.0
        ));
    }
    format!(
        "des ({}, {}, {})\n{lines}",
        graph.initial.0,
        graph.edges().len(),
        graph.states.len()
    )
}

fn label_text(label: &EdgeLabel, terms: &Terms) -> String {
    match label {
        EdgeLabel::Silent => "tau".to_owned(),
        EdgeLabel::Choose(chosen) => Event::Choose(chosen.clone()).text(terms),
        EdgeLabel::Tick => "tick".to_owned(),
        EdgeLabel::Raise(fault) => format!("raise {}", terms.names.text(*fault)),
        EdgeLabel::Message(message) => message.text(terms),
        EdgeLabel::End => "√".to_owned(),
        EdgeLabel::Accept => "#".to_owned(),
    }
}

/// Labels of the form are in double quotes and know no escapes.
fn quoted(label: &str) -> String {
    format!("\"{}\"", label.replace('"', "'"))
}
