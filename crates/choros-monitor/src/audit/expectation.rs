//! What a model allows next, in words and as events of a chart.

use choros_data::{Notation, Term, Terms, Var};
use choros_model::evidence::{Expected, StepEvent};
use choros_model::stg::{Direction, Role};
use rustc_hash::FxHashMap;

use super::alphabet::Alphabet;
use super::automaton::AutomatonEdge;
use super::conditions::conjuncts;
use super::walk::{SetId, Walk};

/// Something that may be seen next.
#[derive(PartialEq, Eq)]
pub(crate) struct Expectation {
    /// `Charged[payment,order](charged = 100) if …`.
    pub(crate) text: String,
    /// The message and its condition.
    pub(crate) expected: Expected,
}

impl Walk<'_> {
    /// What may be seen next, each once; of whole messages the end of a role, if one is given.
    pub(crate) fn expected(
        &self,
        set: SetId,
        role: Option<Role>,
        alphabet: &Alphabet,
        terms: &mut Terms,
    ) -> Vec<Expectation> {
        let mut found: Vec<Expectation> = Vec::new();
        for standing in self.standings(set) {
            let values = self.assignment(standing);
            for step in self.automaton().outgoing(standing.node) {
                let known = standing.condition;
                if let Some(next) = expectation(step, role, &values, known, alphabet, terms)
                    && !found.contains(&next)
                {
                    found.push(next);
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
    step: &AutomatonEdge,
    role: Option<Role>,
    values: &FxHashMap<Var, Term>,
    known: Term,
    alphabet: &Alphabet,
    terms: &mut Terms,
) -> Option<Expectation> {
    let (letter, direction) = step.seen?;
    let direction = match (direction, role) {
        (Direction::Interaction, Some(role)) if alphabet.letter(letter).from == role.0 => {
            Direction::Send
        }
        (Direction::Interaction, Some(_)) => Direction::Receive,
        (direction, _) => direction,
    };
    let mut text = alphabet.text(letter, terms);
    text.push_str(match (terms.notation, direction) {
        // Whose log it is shows which end it is.
        (Notation::Native, _) | (_, Direction::Interaction) => "",
        (_, Direction::Send) => "!",
        (_, Direction::Receive) => "?",
    });
    let mut fields: Vec<(String, String)> = Vec::new();
    for field in &step.fields {
        let value = match (field.test, field.keep) {
            (Some(test), _) => {
                let value = terms.substitute(test, values);
                let value = terms.simplify(value);
                plain(&terms.print(value))
            }
            (None, Some(_)) | (None, None) => "_".to_owned(),
        };
        let label = field.label.map(|label| terms.names.text(label));
        fields.push((label.unwrap_or_default().to_owned(), value));
    }
    if fields.iter().any(|(_, value)| value != "_") {
        let texts = fields.iter().map(|(label, value)| match label.as_str() {
            "" => value.clone(),
            label => format!("{label} = {value}"),
        });
        text.push_str(&format!("({})", texts.collect::<Vec<_>>().join(", ")));
    }
    let seen = alphabet.letter(letter);
    let name = |name| terms.names.text(name).to_owned();
    let event = StepEvent::Message {
        operation: name(seen.operation),
        from: name(seen.from),
        to: name(seen.to),
        direction,
        fields,
    };
    let guard = terms.substitute(step.guard, values);
    let guard = terms.simplify(guard);
    let otherwise = terms.not(guard);
    let mut is_possible = |part: Term| {
        let whole = terms.and([known, part]);
        let whole = terms.simplify(whole);
        let parts = conjuncts(whole, terms);
        whole != Term::FALSE && terms.decide_box(&parts) != Some(false)
    };
    // What is known already is not said again.
    let guard = match (is_possible(guard), is_possible(otherwise)) {
        (false, _) => Term::FALSE,
        (true, false) => Term::TRUE,
        (true, true) => guard,
    };
    let guard = match guard {
        Term::FALSE => return None,
        Term::TRUE => None,
        guard => Some(plain(&terms.print(guard))),
    };
    if let Some(guard) = &guard {
        text.push_str(&format!(" if {guard}"));
    }
    let expected = Expected { event, guard };
    Some(Expectation { text, expected })
}

/// A term in the names of the model: unknown values are called as the variables that they stand for.
fn plain(term: &str) -> String {
    let mut plain = String::with_capacity(term.len());
    let mut rest = term.chars().peekable();
    let mut is_quoted = false;
    while let Some(next) = rest.next() {
        is_quoted ^= next == '"';
        let is_number = rest.peek().is_some_and(char::is_ascii_digit);
        if next == '\'' && is_number && !is_quoted {
            while rest.next_if(char::is_ascii_digit).is_some() {}
        } else {
            plain.push(next);
        }
    }
    plain
}
