//! What the service may say instead of what a test has it say.

use choros_data::{Assignment, Term};
use choros_emit::symbolic::OtherAnswer;
use choros_model::stg::{Operation, Role};
use choros_smt::Satisfiability;
use choros_symex::driver::ConcreteMessage;
use choros_symex::{SymbolicMessage, TreeLabel};

use super::Writer;
use super::branches::Standing;
use super::leaves::{Form, constant, place};

impl Writer<'_> {
    /// Other answers to a call that the model allows, with what must stand in them.
    pub(super) fn others(
        &mut self,
        standings: Vec<Standing>,
        (operation, from): (Operation, Role),
    ) -> Result<Vec<OtherAnswer>, String> {
        let mut others = Vec::new();
        for standing in standings {
            let label = self.tree.node(standing.node).label.clone();
            let Some(TreeLabel::Message(message)) = label else {
                continue;
            };
            if message.to != from || !self.codec.answers(operation, message.operation()) {
                return Err(self.elsewhere(&message));
            }
            let known = [
                &self.tree.solved_condition(standing.node)[..],
                &standing.known,
            ]
            .concat();
            let Some(awaited) = self.possible(&message, &known) else {
                continue;
            };
            let reply = self.codec.reply(&awaited, self.terms)?;
            let mut expected = Vec::new();
            let name = self.terms.names.text(awaited.operation.0).to_owned();
            for (path, value) in self.codec.constants(&name) {
                expected.push((path.replace('.', "/"), constant(value)));
            }
            let (leaves, _) = self.parts(&message, &awaited);
            for leaf in leaves {
                let place = place(&leaf, &awaited, Form::Reply, self.codec, self.terms);
                let value = self.terms.constant(leaf.value.clone());
                if let Some((path, text)) = place
                    && leaf.lists.is_empty()
                    && self.is_known(&known, leaf.term, value)
                {
                    expected.push((path, leaf.expected(text)));
                }
            }
            others.push(OtherAnswer {
                about: message.head.text(self.terms),
                status: (reply.status != 200).then_some(reply.status),
                expected,
            });
        }
        Ok(others)
    }

    /// Refuses where the service may say something else than it says here.
    pub(super) fn only(
        &self,
        message: &SymbolicMessage,
        others: &[Standing],
    ) -> Result<(), String> {
        for standing in others {
            if let Some(TreeLabel::Message(other)) = &self.tree.node(standing.node).label
                && (other.head, other.to) != (message.head, message.to)
            {
                return Err(self.elsewhere(other));
            }
        }
        Ok(())
    }

    fn elsewhere(&self, other: &SymbolicMessage) -> String {
        let text = other.head.text(self.terms);
        format!("the service may also say {text} there, which only `choros drive` can follow")
    }

    /// One of the messages that a node of the tree stands for.
    fn possible(&mut self, message: &SymbolicMessage, known: &[Term]) -> Option<ConcreteMessage> {
        let mut variables = Vec::new();
        let fields = message.fields.iter().map(|field| field.value);
        for term in fields.chain(known.iter().copied()) {
            for variable in self.terms.free_variables(term) {
                if !variables.contains(&variable) {
                    variables.push(variable);
                }
            }
        }
        let answer = self.solver.satisfiable(self.terms, known);
        let mut values = match answer {
            Ok(Satisfiability::Sat) => self.solver.model(self.terms, &variables)?,
            _ => Assignment::default(),
        };
        self.concrete(message, &mut values).ok()
    }
}
