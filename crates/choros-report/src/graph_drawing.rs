//! A graph as it is drawn, whatever it was made from: plain text, no store of terms.

mod dot;

use choros_data::{Term, Terms};
use choros_model::lts::{ExplicitLts, Lts};
use choros_model::stg::{DotMarks, FreeVariables, NodeId, Stg, write_dot};

/// What the pictures of a graph show: a tree of text, SVG, Mermaid, DOT.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphDrawing {
    /// What stands over the picture.
    pub name: String,
    /// Who takes part, in order of first occurrence.
    pub roles: Vec<String>,
    /// Variables whose values are fixed before a run, with their sorts.
    pub parameters: Vec<String>,
    /// The nodes; edges name them by position.
    pub nodes: Vec<DrawnNode>,
    /// The edges, those of one source side by side and in their order.
    pub edges: Vec<DrawnEdge>,
    /// Where runs start.
    pub initial: usize,
    /// Its nodes are states of a machine or a model, and not positions in a tree or a text.
    pub is_state_chart: bool,
    /// The same for Graphviz; empty in the pictures of reports.
    pub dot: String,
}

const MAX_PICTURED_NODES: usize = 500;

impl GraphDrawing {
    /// What a reader should know if boxes stand for several states.
    pub(crate) fn folding(&self) -> Option<&'static str> {
        let is_folded = self.nodes.iter().any(|node| node.folded);
        is_folded.then_some("folded; --whole draws every state")
    }

    /// Who takes part, in words: `between b, v`, or `of s` where it is one alone.
    pub(crate) fn whose(&self) -> Option<String> {
        match self.roles.as_slice() {
            [] => None,
            [only] => Some(format!("of {only}")),
            several => Some(format!("between {}", several.join(", "))),
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DrawnNode {
    /// How people call it.
    pub label: String,
    /// Its free variables.
    pub variables: Vec<String>,
    /// When it may terminate.
    pub terminations: Vec<DrawnTermination>,
    /// Nothing leaves it and it does not terminate.
    pub stuck: bool,
    /// It stands for several states.
    pub folded: bool,
}

/// A way to terminate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DrawnTermination {
    /// The condition, where there is one.
    pub guard: Option<String>,
    /// It can never happen.
    pub dead: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DrawnEdge {
    /// Where it starts.
    pub source: usize,
    /// Where it leads.
    pub target: usize,
    /// The condition, where there is one.
    pub guard: Option<String>,
    /// What happens on it, printed.
    pub event: String,
    /// No one sees the event.
    pub silent: bool,
    /// Assignments.
    pub updates: Vec<String>,
    /// It can never happen.
    pub dead: bool,
}

impl GraphDrawing {
    /// The same with its text for Graphviz, for drawings that were put together by hand.
    #[must_use]
    pub fn with_dot(mut self) -> GraphDrawing {
        self.dot = dot::graph_dot(&self);
        self
    }

    /// Graphs for the pictures of a report; none of graphs that are too large to be examined.
    pub fn pictures(models: &[(&Stg, DotMarks)], terms: &Terms) -> Vec<GraphDrawing> {
        let small = models
            .iter()
            .filter(|(stg, _)| stg.nodes().len() <= MAX_PICTURED_NODES);
        small
            .map(|(stg, marks)| GraphDrawing::without_dot(stg, marks, terms))
            .map(GraphDrawing::folded)
            .collect()
    }

    /// The drawing of a symbolic graph; what is marked can never happen.
    pub fn of_stg(stg: &Stg, marks: &DotMarks, terms: &Terms) -> GraphDrawing {
        GraphDrawing {
            dot: write_dot(stg, marks, terms),
            ..GraphDrawing::without_dot(stg, marks, terms)
        }
    }

    /// Reports draw their pictures themselves, and most are printed without any: DOT would be made for nothing.
    fn without_dot(stg: &Stg, marks: &DotMarks, terms: &Terms) -> GraphDrawing {
        let free = FreeVariables::of(stg, terms);
        let nodes = stg
            .node_ids()
            .map(|node| drawn_node(stg, node, &free, marks, terms))
            .collect();
        let ids = stg.node_ids().flat_map(|node| stg.outgoing(node));
        let edges = ids
            .map(|(id, edge)| DrawnEdge {
                source: edge.source.index(),
                target: edge.target.index(),
                guard: guard_text(edge.guard, terms),
                event: edge.event.shown(terms),
                silent: edge.event.is_silent(),
                updates: edge
                    .updates
                    .iter()
                    .map(|update| {
                        let name = terms.variable_text(update.variable);
                        format!("{name} := {}", terms.print(update.value))
                    })
                    .collect(),
                dead: marks.edges.contains(&id),
            })
            .collect();
        GraphDrawing {
            name: stg.name().to_owned(),
            roles: stg
                .roles()
                .into_iter()
                .map(|role| terms.names.text(role.0).to_owned())
                .collect(),
            parameters: free
                .at(stg.initial())
                .into_iter()
                .map(|variable| {
                    let sort = terms.sort_text(terms.variable_sort(variable));
                    format!("{}: {sort}", terms.variable_text(variable))
                })
                .collect(),
            nodes,
            edges,
            initial: stg.initial().index(),
            is_state_chart: true,
            dot: String::new(),
        }
    }

    /// The drawing of a system of states.
    pub fn of_lts(name: &str, system: &ExplicitLts) -> GraphDrawing {
        let mut nodes: Vec<DrawnNode> = Vec::new();
        let mut edges: Vec<DrawnEdge> = Vec::new();
        for state in system.states() {
            let ended = system.ended(state);
            let leaving = system.transitions(state);
            nodes.push(DrawnNode {
                label: system.describe(state),
                variables: Vec::new(),
                terminations: if ended {
                    vec![DrawnTermination::default()]
                } else {
                    Vec::new()
                },
                stuck: leaving.is_empty() && !ended,
                folded: false,
            });
            edges.extend(leaving.iter().map(|&(action, target)| {
                let action = system.action(action);
                DrawnEdge {
                    source: state.index(),
                    target: target.index(),
                    event: action.text(system.terms()),
                    silent: *action == choros_model::lts::Action::Silent,
                    ..DrawnEdge::default()
                }
            }));
        }
        let mut drawing = GraphDrawing {
            name: name.to_owned(),
            nodes,
            edges,
            initial: system.start().index(),
            ..GraphDrawing::default()
        };
        drawing.dot = dot::graph_dot(&drawing);
        drawing
    }

    /// The edges of each node, by position.
    pub(crate) fn leaving(&self) -> Vec<Vec<usize>> {
        let mut leaving = vec![Vec::new(); self.nodes.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            leaving[edge.source].push(index);
        }
        leaving
    }
}

fn drawn_node(
    stg: &Stg,
    node: NodeId,
    free: &FreeVariables,
    marks: &DotMarks,
    terms: &Terms,
) -> DrawnNode {
    let terminations: Vec<DrawnTermination> = stg
        .node(node)
        .terminations
        .iter()
        .enumerate()
        .map(|(position, termination)| DrawnTermination {
            guard: guard_text(termination.guard, terms),
            dead: marks.terminations.contains(&(node, position)),
        })
        .collect();
    DrawnNode {
        label: stg.node(node).label.clone(),
        variables: free
            .names_at(node, terms)
            .into_iter()
            .map(str::to_owned)
            .collect(),
        stuck: stg.is_stuck(node),
        folded: false,
        terminations,
    }
}

fn guard_text(guard: Term, terms: &Terms) -> Option<String> {
    (guard != Term::TRUE).then(|| terms.print(guard))
}
