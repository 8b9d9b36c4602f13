//! Oracles as text: the success states of a test, beside its machines.
//!
//! ```yaml
//! success_states:
//!   B: [2, 5]
//!   C:
//!     - 3
//! order: [A, B, C]
//! ```
//!
//! The form is the small part of YAML that such files use: keys without indentation, lists in brackets or with dashes,
//! and maps in braces or indented; `#` begins a comment.
//! `order` is what participants the test has, and is not needed; `channels` may list channels `A-B` that must be empty
//! when the test has succeeded, where that is not all of them.

use choros_base::{Diagnostic, FileId, Name, Names, Span};
use choros_model::cfsm::{Cfsm, LocalState};

use crate::diagnostics::{oracle_line, oracle_state};
use crate::{TestMachine, WatchedChannels};

/// An oracle as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OracleFile {
    /// Participants and the names of their success states.
    pub states: Vec<(Word, Vec<Word>)>,
    /// All participants.
    pub order: Vec<Word>,
    /// Channels `A-B`, where not all must be empty.
    pub channels: Option<Vec<Word>>,
}

/// A word and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The text, without quotes.
    pub text: String,
    /// The place.
    pub span: Span,
}

/// The oracle in a text, and what is wrong with the text.
pub fn read_oracle(file: FileId, text: &str) -> (OracleFile, Vec<Diagnostic>) {
    let mut reader = Reader {
        file,
        oracle: OracleFile::default(),
        diagnostics: Vec::new(),
        section: Section::Outside,
    };
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        reader.line(line, offset);
        offset += line.len();
    }
    (reader.oracle, reader.diagnostics)
}

/// An oracle as text.
pub fn write_oracle(
    machines: &[TestMachine],
    order: &[Name],
    watched: &WatchedChannels,
    names: &Names,
) -> String {
    let mut out = "success_states:\n".to_owned();
    for test in machines {
        let mentioned = mentioned(&test.machine);
        let states: Vec<String> = test
            .success
            .iter()
            // A state that no transition mentions is not in the file of the machines either.
            .filter(|state| mentioned[state.index()])
            .map(|&state| test.machine.state_text(state, names))
            .collect();
        out.push_str(&format!(
            "  {}: [{}]\n",
            names.text(test.machine.participant()),
            states.join(", ")
        ));
    }
    let order: Vec<&str> = order.iter().map(|&it| names.text(it)).collect();
    out.push_str(&format!("order: [{}]\n", order.join(", ")));
    if let WatchedChannels::These(channels) = watched {
        let channels: Vec<String> = channels
            .iter()
            .map(|&(from, to)| format!("{}-{}", names.text(from), names.text(to)))
            .collect();
        out.push_str(&format!("channels: [{}]\n", channels.join(", ")));
    }
    out
}

fn mentioned(machine: &Cfsm) -> Vec<bool> {
    let mut mentioned = vec![false; machine.state_count()];
    mentioned[machine.initial().index()] = true;
    for (source, transition) in machine.transitions() {
        mentioned[source.index()] = true;
        mentioned[transition.target.index()] = true;
    }
    mentioned
}

impl OracleFile {
    /// The states of some machines that the oracle names, and what it names that is not there.
    pub fn resolve(
        &self,
        machines: &[Cfsm],
        names: &Names,
    ) -> (Vec<(Name, Vec<LocalState>)>, Vec<Diagnostic>) {
        let mut found = Vec::new();
        let mut diagnostics = Vec::new();
        for (participant, states) in &self.states {
            let machine = machines
                .iter()
                .find(|it| names.text(it.participant()) == participant.text);
            let Some(machine) = machine else {
                let known = machines.iter().map(|it| names.text(it.participant()));
                let known: Vec<&str> = known.collect();
                diagnostics.push(oracle_state::participant(
                    participant.span,
                    &participant.text,
                    &known,
                ));
                continue;
            };
            let mut own = Vec::new();
            for state in states {
                match machine.state_called(&state.text, names) {
                    Some(state) => own.push(state),
                    None => diagnostics.push(oracle_state::state(
                        state.span,
                        &state.text,
                        &participant.text,
                    )),
                }
            }
            found.push((machine.participant(), own));
        }
        (found, diagnostics)
    }

    /// The channels that must be empty.
    pub fn watched(&self, names: &Names) -> (WatchedChannels, Vec<Diagnostic>) {
        let Some(channels) = &self.channels else {
            return (WatchedChannels::All, Vec::new());
        };
        let mut diagnostics = Vec::new();
        let mut found = Vec::new();
        for channel in channels {
            let ends = channel.text.split_once('-');
            let ends =
                ends.and_then(|(from, to)| Some((names.get(from.trim())?, names.get(to.trim())?)));
            match ends {
                Some(ends) => found.push(ends),
                None => diagnostics.push(oracle_state::channel(channel.span, &channel.text)),
            }
        }
        (WatchedChannels::These(found), diagnostics)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Outside,
    States,
    Order,
    Channels,
    /// A key that means nothing here.
    Other,
}

struct Reader {
    file: FileId,
    oracle: OracleFile,
    diagnostics: Vec<Diagnostic>,
    section: Section,
}

impl Reader {
    fn line(&mut self, line: &str, offset: usize) {
        let without_comment = match line.find('#') {
            Some(at) if at == 0 || line[..at].ends_with([' ', '\t']) => &line[..at],
            _ => line,
        };
        let indent = without_comment.len() - without_comment.trim_start().len();
        let content = without_comment.trim();
        let start = offset + indent;
        if content.is_empty() || content == "---" {
            return;
        }
        if let Some(item) = content.strip_prefix('-').filter(|it| it.starts_with(' ')) {
            let words = self.words(item, start + 1);
            match self.list() {
                Some(list) => list.extend(words),
                None => self.wrong(start, content.len()),
            }
            return;
        }
        let Some((key, value)) = content.split_once(':') else {
            self.wrong(start, content.len());
            return;
        };
        let value_start = start + key.len() + 1;
        if indent == 0 {
            self.section = match key.trim() {
                "success_states" => Section::States,
                "order" => Section::Order,
                "channels" => {
                    self.oracle.channels.get_or_insert_default();
                    Section::Channels
                }
                _ => Section::Other,
            };
            self.top_value(value, value_start);
        } else if self.section == Section::States {
            self.participant(key, start, value, value_start);
        } else if self.section != Section::Other {
            self.wrong(start, content.len());
        }
    }

    /// What comes after a key without indentation.
    fn top_value(&mut self, value: &str, start: usize) {
        if self.section != Section::States {
            let words = self.words(value, start);
            if let Some(list) = self.list() {
                list.extend(words);
            }
            return;
        }
        // `{B: [1, 2], C: [3]}`: a participant ends at the bracket that closes its list.
        let inner = value.trim().trim_start_matches('{').trim_end_matches('}');
        let skipped = value.find(inner).unwrap_or(0);
        let mut at = start + skipped;
        for part in inner.split_inclusive(']') {
            let entry = part.trim_start_matches([',', ' ', '\t']);
            let entry_start = at + (part.len() - entry.len());
            at += part.len();
            if let Some((key, value)) = entry.split_once(':') {
                self.participant(key, entry_start, value, entry_start + key.len() + 1);
            } else if !entry.trim().is_empty() {
                self.wrong(entry_start, entry.trim_end().len());
            }
        }
    }

    fn participant(&mut self, key: &str, start: usize, value: &str, value_start: usize) {
        let states = self.words(value, value_start);
        for participant in self.words(key, start) {
            self.oracle.states.push((participant, states.clone()));
        }
    }

    /// The list that an item belongs to.
    fn list(&mut self) -> Option<&mut Vec<Word>> {
        match self.section {
            Section::States => self.oracle.states.last_mut().map(|(_, states)| states),
            Section::Order => Some(&mut self.oracle.order),
            Section::Channels => self.oracle.channels.as_mut(),
            Section::Outside | Section::Other => None,
        }
    }

    /// The words of a list in brackets, or a single word.
    fn words(&self, text: &str, start: usize) -> Vec<Word> {
        let mut words = Vec::new();
        let mut at = start;
        for part in text.split_inclusive([',', '[', ']', '{', '}']) {
            let word = part.trim_matches(|it: char| it.is_whitespace() || ",[]{}'\"".contains(it));
            if !word.is_empty() {
                let from = at + part.find(word).unwrap_or(0);
                words.push(Word {
                    text: word.to_owned(),
                    span: Span::new(self.file, from as u32, (from + word.len()) as u32),
                });
            }
            at += part.len();
        }
        words
    }

    fn wrong(&mut self, start: usize, length: usize) {
        if self.diagnostics.len() < MAX_WRONG_LINES {
            let span = Span::new(self.file, start as u32, (start + length) as u32);
            self.diagnostics.push(oracle_line::diagnostic(span));
        }
    }
}

/// More lines like those tell nothing new.
const MAX_WRONG_LINES: usize = 20;

#[cfg(test)]
mod tests {
    use choros_base::SourceMap;

    use super::*;

    fn read(text: &str) -> (OracleFile, Vec<Diagnostic>) {
        let mut map = SourceMap::new();
        let file = map.add("oracle.yaml", text);
        read_oracle(file, text)
    }

    fn states(oracle: &OracleFile) -> Vec<(&str, Vec<&str>)> {
        oracle
            .states
            .iter()
            .map(|(who, states)| {
                (
                    who.text.as_str(),
                    states.iter().map(|it| it.text.as_str()).collect(),
                )
            })
            .collect()
    }

    #[test]
    fn lists_in_brackets_with_dashes_and_in_braces() {
        let expected = vec![("B", vec!["2", "5"]), ("C", vec!["3"])];
        for text in [
            "success_states:\n  B: [2, 5]\n  C: [3]\norder: [A, B, C]\n",
            "# comment\nsuccess_states:\n  B:\n    - 2\n    - '5' # five\n  C:\n    - 3\norder:\n  - A\n  - B\n  - C\n",
            "order: [A, B, C]\nsuccess_states: {B: [2, 5], C: [3]}",
        ] {
            let (oracle, found) = read(text);
            assert!(found.is_empty(), "{found:?}");
            assert_eq!(states(&oracle), expected);
            assert_eq!(oracle.order.len(), 3);
            assert_eq!(oracle.channels, None);
        }
    }

    #[test]
    fn rubbish_is_told() {
        let (_, found) = read("nonsense\n- 3\nsuccess_states:\n- 4\n");
        assert_eq!(found.len(), 3);
    }
}
