//! Drawings of g-choreographies and of pomsets.

use choros_base::Names;
use choros_model::gchor::{Form, Gchor, NodeId};
use choros_model::pomset::Pomset;
use choros_syntax::quote;

use crate::{DrawnEdge, DrawnNode, DrawnTermination, GraphDrawing};

impl GraphDrawing {
    /// A g-choreography: interactions are nodes, `+` opens and closes choices, `|` forks, `repeat` loops.
    ///
    /// Recursion is as deep as the g-choreography nests.
    pub fn of_gchor(name: &str, gchor: &Gchor, names: &Names) -> GraphDrawing {
        let mut sketch = Sketch {
            gchor,
            names,
            nodes: Vec::new(),
            shapes: Vec::new(),
            edges: Vec::new(),
        };
        let start = sketch.node("start".to_owned(), Shape::Start);
        let last = match gchor.root() {
            Some(root) => sketch.draw(root, start),
            None => start,
        };
        let end = sketch.node("end".to_owned(), Shape::End);
        sketch.nodes[end].terminations = vec![DrawnTermination::default()];
        sketch.edge(last, end);
        sketch.finish(
            name,
            gchor
                .roles()
                .names()
                .iter()
                .map(|&it| names.text(it).to_owned())
                .collect(),
            start,
        )
    }

    /// Pomsets beside each other, each with its events and what is directly before what.
    pub fn of_pomsets(name: &str, pomsets: &[Pomset], names: &Names) -> GraphDrawing {
        let mut drawing = GraphDrawing {
            name: name.to_owned(),
            ..GraphDrawing::default()
        };
        let whole = match pomsets.len() {
            1 => "1 pomset".to_owned(),
            count => format!("{count} pomsets"),
        };
        drawing.nodes.push(DrawnNode {
            label: whole,
            ..DrawnNode::default()
        });
        for (number, pomset) in pomsets.iter().enumerate() {
            let head = drawing.nodes.len();
            drawing.nodes.push(DrawnNode {
                label: format!("pomset {}", number + 1),
                ..DrawnNode::default()
            });
            drawing.edges.push(plain(0, head));
            let first = drawing.nodes.len();
            let steps = pomset.steps();
            for event in pomset.events() {
                let role = names.text(event.subject());
                if !drawing.roles.iter().any(|known| known == role) {
                    drawing.roles.push(role.to_owned());
                }
                drawing.nodes.push(DrawnNode {
                    label: event.text(names),
                    ..DrawnNode::default()
                });
            }
            for event in 0..pomset.len() {
                if !steps.iter().any(|&(_, later)| later as usize == event) {
                    drawing.edges.push(plain(head, first + event));
                }
            }
            let between = steps
                .iter()
                .map(|&(earlier, later)| plain(first + earlier as usize, first + later as usize));
            drawing.edges.extend(between);
        }
        drawing.edges.sort_by_key(|edge| edge.source);
        drawing.with_dot()
    }
}

fn plain(source: usize, target: usize) -> DrawnEdge {
    DrawnEdge {
        source,
        target,
        ..DrawnEdge::default()
    }
}

/// How Graphviz draws a node.
#[derive(Clone, Copy)]
enum Shape {
    Start,
    End,
    Choice,
    Fork,
    Interaction,
}

impl Shape {
    fn dot(self) -> &'static str {
        match self {
            Shape::Start => "circle",
            Shape::End => "doublecircle",
            Shape::Choice => "diamond",
            Shape::Fork => "square",
            Shape::Interaction => "box",
        }
    }
}

struct Sketch<'a> {
    gchor: &'a Gchor,
    names: &'a Names,
    nodes: Vec<DrawnNode>,
    shapes: Vec<Shape>,
    edges: Vec<(usize, usize)>,
}

impl Sketch<'_> {
    fn node(&mut self, label: String, shape: Shape) -> usize {
        self.nodes.push(DrawnNode {
            label,
            ..DrawnNode::default()
        });
        self.shapes.push(shape);
        self.nodes.len() - 1
    }

    fn edge(&mut self, source: usize, target: usize) {
        self.edges.push((source, target));
    }

    /// Draws a part after a node; answers the node that it ends with.
    fn draw(&mut self, id: NodeId, from: usize) -> usize {
        match self.gchor.form(id).clone() {
            Form::Empty => from,
            Form::Interaction(interaction) => {
                let text = interaction.text(self.names);
                let node = self.node(text, Shape::Interaction);
                self.edge(from, node);
                node
            }
            Form::Sequence(parts) => parts.iter().fold(from, |at, &part| self.draw(part, at)),
            Form::Fork(parts) => self.block("|", Shape::Fork, &parts, from),
            Form::Choice { decider, branches } => {
                let label = match decider {
                    Some(decider) => format!("+ {}", self.names.text(decider)),
                    None => "+".to_owned(),
                };
                self.block(&label, Shape::Choice, &branches, from)
            }
            Form::Repeat { controller, body } => {
                let label = match controller {
                    Some(controller) => format!("repeat {}", self.names.text(controller)),
                    None => "repeat".to_owned(),
                };
                let head = self.node(label, Shape::Choice);
                self.edge(from, head);
                let last = self.draw(body, head);
                if last != head {
                    self.edge(last, head);
                }
                head
            }
        }
    }

    fn block(&mut self, label: &str, shape: Shape, parts: &[NodeId], from: usize) -> usize {
        let open = self.node(label.to_owned(), shape);
        self.edge(from, open);
        let ends: Vec<usize> = parts.iter().map(|&part| self.draw(part, open)).collect();
        let sign = label.get(..1).unwrap_or(label).to_owned();
        let close = self.node(sign, shape);
        for end in ends {
            self.edge(end, close);
        }
        close
    }

    fn finish(self, name: &str, roles: Vec<String>, initial: usize) -> GraphDrawing {
        let mut edges: Vec<DrawnEdge> = self
            .edges
            .iter()
            .map(|&(source, target)| plain(source, target))
            .collect();
        edges.sort_by_key(|edge| edge.source);
        let mut dot = format!("digraph {} {{\n", quote::dot(name));
        for (index, (node, shape)) in self.nodes.iter().zip(&self.shapes).enumerate() {
            let label = match shape {
                Shape::Start | Shape::End => "",
                _ => &node.label,
            };
            dot.push_str(&format!(
                "  {index} [label={}, shape=\"{}\"];\n",
                quote::dot(label),
                shape.dot()
            ));
        }
        for edge in &edges {
            dot.push_str(&format!("  {} -> {};\n", edge.source, edge.target));
        }
        dot.push_str("}\n");
        GraphDrawing {
            name: name.to_owned(),
            roles,
            nodes: self.nodes,
            edges,
            initial,
            dot,
            ..GraphDrawing::default()
        }
    }
}
