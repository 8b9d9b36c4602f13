//! What a model allows next, in words.

use choros_data::{Term, Terms, Var};
use choros_model::stg::Direction;
use rustc_hash::FxHashMap;

use super::alphabet::Alphabet;
use super::automaton::Step;
use super::walk::{SetId, Walk};

impl Walk<'_> {
    /// What may be seen next, in words, each once.
    pub(crate) fn expected(
        &self,
        set: SetId,
        alphabet: &Alphabet,
        terms: &mut Terms,
    ) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for standing in self.standings(set) {
            let values = self.assignment(standing);
            for step in self.automaton().outgoing(standing.node) {
                if let Some(text) = expectation(step, &values, alphabet, terms)
                    && !found.contains(&text)
                {
                    found.push(text);
                }
            }
            if found.len() > MAX_EXPECTED {
                break;
            }
        }
        found
    }
}

/// More are not listed.
const MAX_EXPECTED: usize = 5;

/// What a step lets an observer see, with the values that are known.
fn expectation(
    step: &Step,
    values: &FxHashMap<Var, Term>,
    alphabet: &Alphabet,
    terms: &mut Terms,
) -> Option<String> {
    let (letter, direction) = step.seen?;
    let mut text = alphabet.text(letter, terms);
    text.push_str(match direction {
        Direction::Interaction => "",
        Direction::Send => "!",
        Direction::Receive => "?",
    });
    let mut fields = Vec::new();
    for field in &step.fields {
        let value = match (field.test, field.keep) {
            (Some(test), _) => {
                let value = terms.substitute(test, values);
                let value = terms.simplify(value);
                terms.print(value)
            }
            (None, Some(_)) | (None, None) => "_".to_owned(),
        };
        fields.push(match field.label {
            Some(label) => format!("{} = {value}", terms.names.text(label)),
            None => value,
        });
    }
    if fields.iter().any(|field| !field.ends_with('_')) {
        text.push_str(&format!("({})", fields.join(", ")));
    }
    let guard = terms.substitute(step.guard, values);
    let guard = terms.simplify(guard);
    match guard {
        Term::TRUE => Some(text),
        Term::FALSE => None,
        guard => Some(format!("{text} if {}", terms.print(guard))),
    }
}
