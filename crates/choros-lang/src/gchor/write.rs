//! A g-choreography as a `.gc` file, whatever it was made from.

use choros_base::{Budget, Names, StopReason};
use choros_model::gchor::{Form, Gchor, NodeId};

/// The text of a g-choreography, which reads back as the same; parts that nodes share are written out each time.
///
/// Each line takes a step of the budget.
pub fn write_gchor(gchor: &Gchor, names: &Names, budget: &Budget) -> Result<String, StopReason> {
    let mut writer = Writer {
        gchor,
        names,
        budget,
        out: String::new(),
    };
    match gchor.root() {
        None => writer.out.push_str("(o)"),
        Some(root) => writer.node(root, 0)?,
    }
    writer.out.push('\n');
    Ok(writer.out)
}

struct Writer<'a> {
    gchor: &'a Gchor,
    names: &'a Names,
    budget: &'a Budget,
    out: String,
}

impl Writer<'_> {
    fn begin(&mut self, indent: usize) -> Result<(), StopReason> {
        self.budget.spend()?;
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str(&"    ".repeat(indent));
        Ok(())
    }

    /// Recursion is as deep as the tree, which [`Gchor::DEPTH_LIMIT`] bounds.
    fn node(&mut self, id: NodeId, indent: usize) -> Result<(), StopReason> {
        match self.gchor.form(id) {
            Form::Empty => {
                self.begin(indent)?;
                self.out.push_str("(o)");
            }
            Form::Interaction(interaction) => {
                self.begin(indent)?;
                self.out.push_str(&interaction.text(self.names));
            }
            Form::Sequence(parts) => {
                if parts.is_empty() {
                    self.begin(indent)?;
                    self.out.push_str("(o)");
                } else {
                    for (position, &part) in parts.iter().enumerate() {
                        if position > 0 {
                            self.out.push(';');
                        }
                        self.node(part, indent)?;
                    }
                }
            }
            Form::Fork(parts) => match &self.threads(parts)[..] {
                [] => {
                    self.begin(indent)?;
                    self.out.push_str("(o)");
                }
                [only] => self.node(*only, indent)?,
                several => self.block("{".to_owned(), several, "|", indent)?,
            },
            Form::Choice { decider, branches } => {
                let head = self.head("sel", *decider);
                self.block(head, branches, "+", indent)?;
            }
            Form::Repeat { controller, body } => {
                let head = self.head("repeat", *controller);
                self.block(head, &[*body], "", indent)?;
            }
        }
        Ok(())
    }

    /// The threads of a fork; a fork in it is the same fork.
    fn threads(&self, parts: &[NodeId]) -> Vec<NodeId> {
        let mut threads = Vec::new();
        let mut open: Vec<NodeId> = parts.iter().rev().copied().collect();
        while let Some(part) = open.pop() {
            match self.gchor.form(part) {
                Form::Fork(inner) => open.extend(inner.iter().rev()),
                _ => threads.push(part),
            }
        }
        threads
    }

    fn head(&self, keyword: &str, who: Option<choros_base::Name>) -> String {
        match who {
            Some(who) => format!("{keyword} {} {{", self.names.text(who)),
            None => format!("{keyword} {{"),
        }
    }

    fn block(
        &mut self,
        head: String,
        parts: &[NodeId],
        sign: &str,
        indent: usize,
    ) -> Result<(), StopReason> {
        self.begin(indent)?;
        self.out.push_str(&head);
        for (position, &part) in parts.iter().enumerate() {
            if position > 0 {
                self.begin(indent)?;
                self.out.push_str(sign);
            }
            self.node(part, indent + 1)?;
        }
        self.begin(indent)?;
        self.out.push('}');
        Ok(())
    }
}
