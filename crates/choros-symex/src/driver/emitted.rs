//! What the service may say, in words.

use choros_data::{Term, Terms, Var};
use choros_model::evidence::{Expected, StepEvent};
use choros_model::stg::Direction;

use super::branch::Emitted;
use super::message::heading;

impl Emitted {
    /// The message as a step of a chart; `_` is a value that the service chooses.
    pub(super) fn expected(&self, conditions: &[Term], terms: &Terms) -> Expected {
        let name = |name| terms.names.text(name).to_owned();
        let operation = match self.fault {
            Some(fault) => format!("{}#{}", name(self.operation.0), name(fault)),
            None => name(self.operation.0),
        };
        let known = self.known(conditions, terms);
        let value = |&term: &Term| match known {
            None if !terms.free_variables(term).is_empty() => "_".to_owned(),
            _ => self.shortened(terms.print(term), terms),
        };
        let fields = self.payload.iter().map(|term| (String::new(), value(term)));
        let event = StepEvent::Message {
            operation,
            from: name(self.from.0),
            to: name(self.to.0),
            direction: Direction::Send,
            fields: fields.collect(),
        };
        Expected {
            event,
            guard: known,
        }
    }

    /// The message; values that no one knows have short names, and what is known of them follows.
    pub(super) fn text(&self, conditions: &[Term], terms: &Terms) -> String {
        let mut text = heading(self.operation, [self.from, self.to], self.fault, terms);
        let payload: Vec<String> = self.payload.iter().map(|&term| terms.print(term)).collect();
        if !payload.is_empty() {
            text.push_str(&format!("({})", payload.join(", ")));
        }
        let mut text = self.shortened(text, terms);
        match (self.known(conditions, terms), self.unknown(terms).len()) {
            (Some(known), _) => text.push_str(&format!(" where {known}")),
            (None, 0) => {}
            (None, 1) => text.push_str(" for any v"),
            (None, _) => text.push_str(" for any values"),
        }
        text
    }

    /// The values that no one knows.
    fn unknown(&self, terms: &Terms) -> Vec<Var> {
        let mut unknown: Vec<Var> = Vec::new();
        for &term in &self.payload {
            for variable in terms.free_variables(term) {
                if !unknown.contains(&variable) {
                    unknown.push(variable);
                }
            }
        }
        unknown
    }

    /// What is known of them.
    fn known(&self, conditions: &[Term], terms: &Terms) -> Option<String> {
        let unknown = self.unknown(terms);
        let about = |condition: &Term| {
            let free = terms.free_variables(*condition);
            !free.is_empty() && free.iter().all(|it| unknown.contains(it))
        };
        let known = conditions.iter().copied().filter(about);
        let known: Vec<String> = known.map(|condition| terms.print(condition)).collect();
        (!known.is_empty()).then(|| self.shortened(known.join(" and "), terms))
    }

    /// A text with short names for the values that no one knows.
    fn shortened(&self, mut text: String, terms: &Terms) -> String {
        let unknown = self.unknown(terms);
        let names = unknown.iter().enumerate().map(|(number, &variable)| {
            let name = match unknown.len() {
                1 => "v".to_owned(),
                _ => format!("v{}", number + 1),
            };
            (terms.variable_text(variable), name)
        });
        let mut names: Vec<(&str, String)> = names.collect();
        // The longest first: one may begin with another.
        names.sort_by_key(|(long, _)| std::cmp::Reverse(long.len()));
        for (long, short) in names {
            text = text.replace(long, &short);
        }
        text
    }
}
