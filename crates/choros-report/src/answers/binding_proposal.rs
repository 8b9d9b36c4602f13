//! How do the messages of a model look in these logs?

use choros_data::Terms;

use super::Present;
use crate::{Answer, Block, NamedResult};

/// The answer of `bind`: a file, and what is left to do in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BindingProposal {
    /// The model that is bound.
    pub model: String,
    /// The binding, as TOML with comments.
    pub text: String,
    /// It goes to a file, so that it need not be shown.
    pub is_written: bool,
    /// Messages and what they look like; none for those that were not found.
    pub messages: Vec<(String, Option<String>, u64)>,
    /// Records, and how many of them are messages.
    pub records: (u64, u64),
    /// Conversations, and how many of them follow the order of the model.
    pub conversations: (u64, u64),
    /// Kinds of records that are no message.
    pub others: Vec<(String, u64)>,
    /// What the logs do not have at all, so that it is not judged.
    pub unseen: Vec<String>,
    /// What only a person can tell.
    pub choices: Vec<String>,
    /// What was not found.
    pub missing: Vec<String>,
    /// It comes from mappings of earlier versions, and not from records.
    pub is_translation: bool,
}

impl Present for BindingProposal {
    const VERB: &'static str = "bind";

    fn outcomes(self, _: &Terms) -> Vec<NamedResult> {
        let mut blocks = Vec::new();
        let mut line = |text: String| blocks.push(Block::Line(text));
        let (records, bound) = self.records;
        let (conversations, follow) = self.conversations;
        if !self.is_translation {
            line(format!(
                "{bound} of {records} records are messages of the model"
            ));
            line(format!(
                "{follow} of {conversations} conversations follow its order, as far as they go"
            ));
        }
        for (name, looks, count) in &self.messages {
            match looks {
                Some(looks) => line(format!("{name}: {looks} ({count})")),
                None => line(format!("{name}: not found")),
            }
        }
        for (kind, count) in &self.others {
            line(format!("no message: {kind} ({count})"));
        }
        for unseen in &self.unseen {
            line(format!("not in the logs: {unseen}"));
        }
        for open in self.choices.iter().chain(&self.missing) {
            line(format!("to do: {open}"));
        }
        if !self.is_written {
            blocks.push(Block::Picture {
                format: "text",
                text: self.text,
            });
        }
        let open = self.choices.len() + self.missing.len();
        let answer = (open > 0).then(|| {
            let things = if open == 1 {
                "1 thing is"
            } else {
                &format!("{open} things are")
            };
            Answer::unknown(format!("{things} left to do in the binding"))
        });
        vec![NamedResult {
            name: self.model,
            answer,
            blocks,
            ..NamedResult::default()
        }]
    }
}
