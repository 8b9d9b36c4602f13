//! Which message it is, whatever it carries.

use choros_base::Name;
use choros_data::{Sort, Terms};
use choros_model::stg::{FieldValue, Message, Operation, Role};

/// Which message it is, and what it looks like.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    pub(crate) operation: Operation,
    pub(crate) from: Role,
    pub(crate) to: Role,
    pub(crate) fault: Option<Name>,
    pub(crate) fields: Vec<(Option<Name>, Sort)>,
}

impl Shape {
    pub(crate) fn of(message: &Message, terms: &Terms) -> Shape {
        let fields = message.fields.iter().map(|field| {
            let sort = match field.value {
                FieldValue::Free(term) => terms.sort_of(term),
                FieldValue::Bind(variable) => terms.variable_sort(variable),
            };
            (field.label, sort)
        });
        Shape {
            operation: message.operation,
            from: message.from,
            to: message.to,
            fault: message.fault,
            fields: fields.collect(),
        }
    }

    /// The values of a message of the part, in the order of this shape; `None` where it looks otherwise.
    pub(crate) fn values(&self, message: &Message, terms: &Terms) -> Option<Vec<FieldValue>> {
        let other = Shape::of(message, terms);
        let same = (other.operation, other.from, other.to, other.fault)
            == (self.operation, self.from, self.to, self.fault);
        if !same || other.fields.len() != self.fields.len() {
            return None;
        }
        let labelled = self.fields.iter().any(|(label, _)| label.is_some());
        let places = self.fields.iter().enumerate().map(|(position, field)| {
            let place = if labelled {
                other.fields.iter().position(|it| it.0 == field.0)?
            } else {
                position
            };
            (other.fields[place] == *field).then_some(message.fields[place].value)
        });
        places.collect()
    }
}
