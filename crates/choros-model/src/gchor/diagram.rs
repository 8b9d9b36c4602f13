//! A g-choreography as a sequence diagram.

use choros_base::{Name, Names};

use super::{Form, Gchor, NodeId};
use crate::diagram::{Diagram, DiagramRow, Frame};

impl Gchor {
    /// The sequence diagram, with lifelines in the order of the text.
    ///
    /// It recurses along the tree, whose depth is bounded ([`Gchor::DEPTH_LIMIT`]).
    /// `None` for one that shares parts so often that the diagram would have more than `rows` rows.
    pub fn diagram(&self, name: &str, names: &Names, rows: usize) -> Option<Diagram> {
        let mut pen = Pen {
            gchor: self,
            names,
            most_rows: rows,
            diagram: Diagram {
                name: name.to_owned(),
                ..Diagram::default()
            },
        };
        if let Some(root) = self.root() {
            pen.node(root)?;
        }
        Some(pen.diagram)
    }
}

struct Pen<'a> {
    gchor: &'a Gchor,
    names: &'a Names,
    most_rows: usize,
    diagram: Diagram,
}

impl Pen<'_> {
    fn node(&mut self, id: NodeId) -> Option<()> {
        match self.gchor.form(id) {
            Form::Empty => Some(()),
            Form::Interaction(interaction) => {
                let from = self.diagram.role(self.names.text(interaction.from));
                let to = self.diagram.role(self.names.text(interaction.to));
                let text = self.names.text(interaction.message).to_owned();
                self.row(DiagramRow::Message { from, to, text })
            }
            Form::Sequence(parts) => parts.iter().try_for_each(|&part| self.node(part)),
            Form::Fork(parts) => self.sections(Frame::Parallel, String::new(), parts, ""),
            Form::Choice { decider, branches } => {
                let head = self.decides(*decider);
                self.sections(Frame::Alternatives, head, branches, "or")
            }
            Form::Repeat { controller, body } => {
                let head = self.decides(*controller);
                self.sections(Frame::Loop, head, std::slice::from_ref(body), "")
            }
        }
    }

    fn decides(&self, who: Option<Name>) -> String {
        who.map_or_else(String::new, |it| format!("{} decides", self.names.text(it)))
    }

    fn sections(&mut self, frame: Frame, head: String, parts: &[NodeId], next: &str) -> Option<()> {
        for (position, &part) in parts.iter().enumerate() {
            self.row(match position {
                0 => DiagramRow::Open(frame, head.clone()),
                _ => DiagramRow::Section(next.to_owned()),
            })?;
            self.node(part)?;
        }
        if parts.is_empty() {
            return Some(());
        }
        self.row(DiagramRow::Close)
    }

    fn row(&mut self, row: DiagramRow) -> Option<()> {
        self.diagram.rows.push(row);
        (self.diagram.rows.len() <= self.most_rows).then_some(())
    }
}
