//! Some statuses of responses: `201`, `4xx`; of remote calls, their codes from 0 to 16.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statuses {
    /// This one.
    One(u16),
    /// All of a class: `4xx`.
    Class(u16),
    /// All.
    All,
}

impl Statuses {
    /// `201`, `4xx`, or `*` for all; from `0` to `16` are the codes of remote calls.
    pub fn parse(text: &str) -> Option<Statuses> {
        match (text, text.strip_suffix("xx")) {
            ("*", _) => Some(Statuses::All),
            (_, Some(class)) => class
                .parse()
                .ok()
                .filter(|it| (1..=5).contains(it))
                .map(Statuses::Class),
            (status, None) => status
                .parse()
                .ok()
                .filter(|it| matches!(it, 0..=16 | 100..=599))
                .map(Statuses::One),
        }
    }

    pub fn has(self, status: u16) -> bool {
        match self {
            Statuses::One(known) => known == status,
            Statuses::Class(class) => status / 100 == class,
            Statuses::All => true,
        }
    }

    /// How much it says: one status more than a class, and a class more than all.
    pub fn exactness(self) -> u8 {
        match self {
            Statuses::One(_) => 2,
            Statuses::Class(_) => 1,
            Statuses::All => 0,
        }
    }

    /// Whether it has all statuses of another.
    pub fn covers(self, other: Statuses) -> bool {
        match (self, other) {
            (Statuses::All, _) => true,
            (Statuses::Class(class), Statuses::One(status)) => status / 100 == class,
            (one, other) => one == other,
        }
    }

    /// The one that is sent.
    pub fn example(self) -> u16 {
        match self {
            Statuses::One(status) => status,
            Statuses::Class(class) => class * 100,
            Statuses::All => 200,
        }
    }
}

impl fmt::Display for Statuses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Statuses::One(status) => write!(f, "{status}"),
            Statuses::Class(class) => write!(f, "{class}xx"),
            Statuses::All => write!(f, "*"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Statuses;

    #[test]
    fn a_class_has_a_hundred_statuses() {
        let refused = Statuses::parse("4xx").unwrap();
        assert!(refused.has(400) && refused.has(499));
        assert!(!refused.has(500) && !refused.has(399));
        assert!(Statuses::parse("5").unwrap().has(5));
        for text in ["", "xx", "6xx", "0xx", "17", "99", "600", "2x", "20x"] {
            assert_eq!(Statuses::parse(text), None, "{text}");
        }
    }
}
