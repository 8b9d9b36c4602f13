//! A binding proposed from logs: what the records are called, which of them are which messages, and where fields are.
//!
//! Nothing is guessed where two readings are equally good: then both are written into the file, and one is asked for.

mod answers;
mod assign;
mod control;
mod conversations;
mod fields;
mod kinds;
mod roles;
mod telling;
mod words;
mod write;

pub use control::Control;

use crate::toml_text::comment;
use crate::{Place, RankedEnvelope, Vocabulary};

use self::answers::Case;
use self::assign::{Assignment, assign};
use self::conversations::Conversations;
use self::fields::{FieldMatch, find_fields};
use self::kinds::{Kind, kinds};
use self::roles::Roles;

/// Records of a log from which a binding is proposed.
#[derive(Debug, Clone, Default)]
pub struct SampledLog {
    pub path: String,
    /// The name of its form.
    pub form: String,
    /// The role whose log it is, where that was said.
    pub own: Option<String>,
    pub records: Vec<RankedEnvelope>,
    /// The log has more records.
    pub is_cut: bool,
}

/// A record by the number of its log and its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RecordId {
    log: usize,
    record: usize,
}

/// A proposed binding.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proposal {
    /// The file.
    pub text: String,
    /// Roles and what logs call them.
    pub roles: Vec<(String, Vec<String>)>,
    /// Messages, what they look like, and how many records are one.
    pub messages: Vec<ProposedMessage>,
    /// What is missing, each in a sentence.
    pub missing: Vec<String>,
    /// What the logs do not have at all, so that it is not judged, each in a sentence.
    pub unseen: Vec<String>,
    /// What only a person can tell, each in a sentence.
    pub choices: Vec<String>,
    /// Kinds of records that are not messages, and how often they occur.
    pub others: Vec<(String, u64)>,
    pub records: u64,
    /// Records that became messages.
    pub bound: u64,
    /// Conversations, and how many of them follow the model as far as the order of messages goes.
    pub conversations: (u64, u64),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedMessage {
    pub name: String,
    /// In the words of the binding: `POST /orders`, `201 of PlaceOrder`.
    pub looks: Option<String>,
    pub count: u64,
}

impl Proposal {
    /// Names come from records: none of them ends a line, or says anything to a terminal.
    fn make_printable(&mut self) {
        let looks = self.messages.iter_mut().filter_map(|it| it.looks.as_mut());
        let names = self.roles.iter_mut().flat_map(|it| &mut it.1);
        let others = self.others.iter_mut().map(|it| &mut it.0);
        let sentences = self.missing.iter_mut().chain(&mut self.unseen);
        let sentences = sentences.chain(&mut self.choices);
        for text in looks.chain(names).chain(others).chain(sentences) {
            *text = comment(text).into_owned();
        }
    }

    /// Whether nothing is missing and nothing is asked.
    pub fn is_whole(&self) -> bool {
        self.missing.is_empty() && self.choices.is_empty()
    }
}

/// Everything that was found out.
struct Findings<'l> {
    vocabulary: &'l Vocabulary,
    logs: &'l [SampledLog],
    /// The logs as they were read.
    sampled: &'l [SampledLog],
    /// Where records say what they are called, if their form does not know it.
    op: Option<Place>,
    roles: Roles,
    kinds: Vec<Kind>,
    assignment: Assignment,
    fields: Vec<FieldMatch>,
    conversations: Conversations,
}

/// Proposes a binding of a model from records.
pub fn propose(
    model: &str,
    vocabulary: &Vocabulary,
    control: &Control,
    logs: &[SampledLog],
) -> Proposal {
    let exchanges = control.exchanges(vocabulary);
    let op = telling::telling_place(vocabulary, logs);
    let renamed = op.as_ref().map(|place| telling::renamed(logs, place));
    let sampled = logs;
    let logs = renamed.as_deref().unwrap_or(logs);
    let mut roles = Roles::find(vocabulary, logs);
    let mut kinds_found = kinds(logs, &roles);
    let mut assignment = assign(vocabulary, &exchanges, &kinds_found, logs);
    // Names that no role has may be known by the messages they take part in; then more is known about the kinds.
    if infer_roles(vocabulary, logs, &kinds_found, &assignment, &mut roles) {
        kinds_found = kinds(logs, &roles);
        assignment = assign(vocabulary, &exchanges, &kinds_found, logs);
    }
    let conversations = Conversations::find(vocabulary, logs, &kinds_found, &roles);
    let case = Case {
        vocabulary,
        control,
        exchanges: &exchanges,
        kinds: &kinds_found,
        conversations: &conversations,
        logs,
    };
    case.settle(&mut assignment);
    let fields = find_fields(vocabulary, &kinds_found, &assignment, &conversations, logs);
    let findings = Findings {
        vocabulary,
        logs,
        sampled,
        op,
        roles,
        kinds: kinds_found,
        assignment,
        fields,
        conversations,
    };
    write::written(model, control, &findings)
}

/// A name at one end of messages that only one role sends, or receives, is that role.
fn infer_roles(
    vocabulary: &Vocabulary,
    logs: &[SampledLog],
    kinds: &[Kind],
    assignment: &Assignment,
    roles: &mut Roles,
) -> bool {
    use std::collections::{BTreeMap, BTreeSet};
    let mut candidates: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (number, kind) in kinds.iter().enumerate() {
        let Some(message) = assignment.message_of(number) else {
            continue;
        };
        let message = &vocabulary.messages[message];
        for id in &kind.records {
            let envelope = &logs[id.log].records[id.record].envelope;
            for (name, role) in [(&envelope.from, &message.from), (&envelope.to, &message.to)] {
                if let Some(name) = name
                    && roles.unknown.contains_key(name)
                {
                    let known = candidates.entry(name.clone()).or_default();
                    known.insert(role.clone());
                }
            }
        }
    }
    let mut has_new = false;
    for (name, found) in candidates {
        if let [role] = &found.into_iter().collect::<Vec<_>>()[..] {
            roles.infer(&name, role);
            has_new = true;
        }
    }
    has_new
}

#[cfg(test)]
mod tests {
    use crate::{Content, Envelope, HttpExchange, RankedEnvelope};

    pub(super) fn request(method: &str, path: &str) -> RankedEnvelope {
        RankedEnvelope {
            envelope: Envelope {
                http: Some(HttpExchange {
                    method: Some(method.to_owned()),
                    path: path.to_owned(),
                    status: Some(200),
                    response: Some(Content::default()),
                    ..HttpExchange::default()
                }),
                ..Envelope::default()
            },
            start: 0,
            end: 1,
        }
    }
}
