//! Which observations belong together.

use std::borrow::Cow;
use std::fmt;

use rustc_hash::FxHashMap;

use super::Observation;

/// What messages of one conversation agree on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Correlation {
    Session,
    /// The identity of the message.
    Id,
    /// A value of the data, by its path.
    Path(String),
}

impl Correlation {
    /// `session`, `id`, or a path whose parts `.` or `/` separates.
    pub fn named(text: &str) -> Correlation {
        match text {
            "session" => Correlation::Session,
            "id" => Correlation::Id,
            path => Correlation::Path(path.replace('/', ".")),
        }
    }

    /// What this observation has there; observations with the same text belong together.
    pub fn key<'o>(&self, observation: &'o Observation<'_>) -> Option<Cow<'o, str>> {
        match self {
            Correlation::Session => observation.session.as_deref().map(Cow::Borrowed),
            Correlation::Id => observation.id.as_deref().map(Cow::Borrowed),
            Correlation::Path(path) => observation.datum(path).map(|value| value.key()),
        }
    }
}

impl fmt::Display for Correlation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Correlation::Session => write!(f, "session"),
            Correlation::Id => write!(f, "id"),
            Correlation::Path(path) => write!(f, "{path}"),
        }
    }
}

/// The positions of the observations of each conversation, conversations in the order of their first observation.
///
/// Observations without a key form one conversation of their own, under `None`.
pub fn split(
    observations: &[Observation<'_>],
    by: &Correlation,
) -> Vec<(Option<String>, Vec<usize>)> {
    let mut known: FxHashMap<Option<Cow<'_, str>>, usize> = FxHashMap::default();
    let mut groups: Vec<(Option<String>, Vec<usize>)> = Vec::new();
    for (position, observation) in observations.iter().enumerate() {
        let key = by.key(observation);
        let name = key.as_deref().map(str::to_owned);
        let group = *known.entry(key).or_insert_with(|| {
            groups.push((name, Vec::new()));
            groups.len() - 1
        });
        groups[group].1.push(position);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::{Correlation, split};
    use crate::observation::{Datum, Number, Observation};
    use crate::stg::Direction;

    fn message(session: Option<&'static str>, order: i64) -> Observation<'static> {
        let mut message = Observation::new("Request", "c", "s", Direction::Receive)
            .with("order.number", Datum::Number(Number::from(order)));
        message.session = session.map(Into::into);
        message
    }

    #[test]
    fn interleaved_sessions_come_apart() {
        let log = [
            message(Some("b"), 1),
            message(Some("a"), 2),
            message(None, 1),
            message(Some("b"), 2),
        ];
        assert_eq!(
            split(&log, &Correlation::Session),
            [
                (Some("b".to_owned()), vec![0, 3]),
                (Some("a".to_owned()), vec![1]),
                (None, vec![2]),
            ]
        );
        assert_eq!(
            split(&log, &Correlation::Path("order.number".to_owned())),
            [
                (Some("1".to_owned()), vec![0, 2]),
                (Some("2".to_owned()), vec![1, 3]),
            ]
        );
    }
}
