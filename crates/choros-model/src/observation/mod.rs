//! What services were seen to do: one observation per message that one of them sent or received.
//!
//! Nguyen's thesis, section 4.1.4, has observations as tuples of act, identity, time, sender, receiver and message;
//! ours add the session and keep the data by path, so that messages can be structured (Definition 11).

mod correlation;
mod datum;
mod number;
pub mod pseudonym;

pub use correlation::{Correlation, split};
pub use datum::Datum;
pub use num_rational::BigRational as Rational;
pub use number::{NotANumber, Number};

use std::borrow::Cow;

use choros_data::{Notation, Terms};

use crate::Judgeable;
use crate::stg::Direction;

/// One message as one service saw it.
///
/// It borrows from the line it was read from where it can: a monitor looks at millions of them and keeps few.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation<'t> {
    /// Where it stands: the line of its log, from 1; 0 when it came from no log.
    pub line: u64,
    /// When, in milliseconds; compared within one log only, unless a global clock is asked for.
    pub at: Option<Number>,
    /// The service whose log this is.
    pub by: Cow<'t, str>,
    /// What that service did: [`Direction::Send`] or [`Direction::Receive`].
    pub direction: Direction,
    /// Sender.
    pub from: Cow<'t, str>,
    /// Receiver.
    pub to: Cow<'t, str>,
    pub operation: Cow<'t, str>,
    /// It refuses the message with its identity: an error status, a SOAP fault.
    pub is_fault: bool,
    /// Ties a send to its receive.
    pub id: Option<Cow<'t, str>>,
    /// Separates instances of a conversation.
    pub session: Option<Cow<'t, str>>,
    /// The values by path (`weight`, `country.code`, `items.0.price`), in the order of the text.
    ///
    /// A reader that was asked for some paths only gives those.
    pub data: Vec<(Cow<'t, str>, Datum<'t>)>,
    /// Not all of its data were written down: what is not in `data` may have been in the message.
    pub is_partial: bool,
}

impl Judgeable for Observation<'_> {}

impl<'t> Observation<'t> {
    /// A message without data, seen by who sent it.
    pub fn sent(
        operation: impl Into<Cow<'t, str>>,
        from: impl Into<Cow<'t, str>>,
        to: impl Into<Cow<'t, str>>,
    ) -> Self {
        Self::new(operation, from, to, Direction::Send)
    }

    /// A message without data, seen by who received it.
    pub fn received(
        operation: impl Into<Cow<'t, str>>,
        from: impl Into<Cow<'t, str>>,
        to: impl Into<Cow<'t, str>>,
    ) -> Self {
        Self::new(operation, from, to, Direction::Receive)
    }

    /// A message without data that one of its ends saw.
    pub fn new(
        operation: impl Into<Cow<'t, str>>,
        from: impl Into<Cow<'t, str>>,
        to: impl Into<Cow<'t, str>>,
        direction: Direction,
    ) -> Self {
        let (from, to) = (from.into(), to.into());
        let by = match direction {
            Direction::Receive => to.clone(),
            Direction::Send | Direction::Interaction => from.clone(),
        };
        Observation {
            line: 0,
            at: None,
            by,
            direction,
            from,
            to,
            operation: operation.into(),
            is_fault: false,
            id: None,
            session: None,
            data: Vec::new(),
            is_partial: false,
        }
    }

    /// The same with one more value.
    #[must_use]
    pub fn with(mut self, path: impl Into<Cow<'t, str>>, value: impl Into<Datum<'t>>) -> Self {
        self.data.push((path.into(), value.into()));
        self
    }

    /// The value at a path; of several the last one, as JSON readers have it.
    pub fn datum(&self, path: &str) -> Option<&Datum<'t>> {
        self.data
            .iter()
            .rev()
            .find(|(known, _)| known == path)
            .map(|(_, value)| value)
    }

    /// A copy that borrows from nothing.
    pub fn into_owned(self) -> Observation<'static> {
        Observation {
            line: self.line,
            at: self.at,
            by: Cow::Owned(self.by.into_owned()),
            direction: self.direction,
            from: Cow::Owned(self.from.into_owned()),
            to: Cow::Owned(self.to.into_owned()),
            operation: Cow::Owned(self.operation.into_owned()),
            is_fault: self.is_fault,
            id: self.id.map(|id| Cow::Owned(id.into_owned())),
            session: self.session.map(|session| Cow::Owned(session.into_owned())),
            data: self
                .data
                .into_iter()
                .map(|(path, value)| (Cow::Owned(path.into_owned()), value.into_owned()))
                .collect(),
            is_partial: self.is_partial,
        }
    }

    /// The message as it is written in properties: `Request[c,s]?(weight = 3)`.
    pub fn text(&self) -> String {
        let sign = match self.direction {
            Direction::Send => "!",
            Direction::Receive => "?",
            Direction::Interaction => "",
        };
        let data: Vec<String> = self
            .data
            .iter()
            .map(|(path, value)| format!("{path} = {value}"))
            .collect();
        let data = if data.is_empty() {
            String::new()
        } else {
            format!("({})", data.join(", "))
        };
        format!("{}[{},{}]{sign}{data}", self.operation, self.from, self.to)
    }

    /// The message in the notation of the files that a run is about.
    pub fn shown(&self, terms: &Terms) -> String {
        if terms.notation == Notation::Calculus {
            return self.text();
        }
        let data = self.data.iter();
        let data: Vec<String> = data
            .map(|(path, value)| format!("{path} = {value}"))
            .collect();
        let heading = format!("{} -> {}: {}", self.from, self.to, self.operation);
        if data.is_empty() {
            heading
        } else {
            format!("{heading}({})", data.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Datum, Number, Observation};
    use crate::stg::Direction;

    #[test]
    fn a_message_reads_as_in_a_property() {
        let request = Observation::new("Request", "c", "s", Direction::Receive)
            .with("weight", Datum::Number(Number::from(3)))
            .with("country.name", Datum::Text("France".into()));
        assert_eq!(request.by, "s");
        assert_eq!(
            request.text(),
            "Request[c,s]?(weight = 3, country.name = \"France\")"
        );
    }

    #[test]
    fn the_last_of_two_values_counts() {
        let twice = Observation::new("Request", "c", "s", Direction::Send)
            .with("weight", Datum::Number(Number::from(3)))
            .with("weight", Datum::Number(Number::from(4)));
        assert_eq!(twice.by, "c");
        assert_eq!(twice.datum("weight"), Some(&Datum::Number(Number::from(4))));
        assert_eq!(twice.datum("price"), None);
    }
}
