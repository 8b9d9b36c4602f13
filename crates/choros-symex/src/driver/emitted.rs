//! What the service may say, in words.

use choros_data::{Term, Terms, Var};
use choros_model::evidence::StepEvent;
use choros_model::stg::Direction;

use super::branch::Emitted;
use super::message::heading;

impl Emitted {
    /// The message as a step of a chart; `_` is a value that the service chooses.
    pub(super) fn event(&self, terms: &Terms) -> StepEvent {
        let name = |name| terms.names.text(name).to_owned();
        let operation = match self.fault {
            Some(fault) => format!("{}#{}", name(self.operation.0), name(fault)),
            None => name(self.operation.0),
        };
        let value = |&term: &Term| {
            if terms.free_variables(term).is_empty() {
                terms.print(term)
            } else {
                "_".to_owned()
            }
        };
        let fields = self.payload.iter().map(|term| (String::new(), value(term)));
        StepEvent::Message {
            operation,
            from: name(self.from.0),
            to: name(self.to.0),
            direction: Direction::Send,
            fields: fields.collect(),
        }
    }

    /// The message; values that no one knows have short names, and what is known of them follows.
    pub(super) fn text(&self, conditions: &[Term], terms: &Terms) -> String {
        let mut text = heading(self.operation, [self.from, self.to], self.fault, terms);
        let mut unknown: Vec<Var> = Vec::new();
        for &term in &self.payload {
            for variable in terms.free_variables(term) {
                if !unknown.contains(&variable) {
                    unknown.push(variable);
                }
            }
        }
        let payload: Vec<String> = self.payload.iter().map(|&term| terms.print(term)).collect();
        if !payload.is_empty() {
            text.push_str(&format!("({})", payload.join(", ")));
        }
        let about = |condition: &Term| {
            let free = terms.free_variables(*condition);
            !free.is_empty() && free.iter().all(|it| unknown.contains(it))
        };
        let known = conditions.iter().copied().filter(about);
        let known: Vec<String> = known.map(|condition| terms.print(condition)).collect();
        if !known.is_empty() {
            text.push_str(&format!(" where {}", known.join(" and ")));
        }
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
        if !unknown.is_empty() && known.is_empty() {
            text.push_str(match unknown.len() {
                1 => " for any v",
                _ => " for any values",
            });
        }
        text
    }
}
