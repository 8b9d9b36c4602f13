//! Whether something is all there is, or a bound cut it.

use choros_base::StopReason;

use super::NoSuccessors;
use crate::Bound;

/// How much of a whole is there.
///
/// A caller that unfolds a system gets one with each answer and has to pass it on: a part that looks like the whole is how a
/// wrong *holds* is made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[must_use = "what a bound cut off must not be forgotten"]
pub enum Extent {
    /// Nothing is missing.
    #[default]
    Whole,
    /// Something is missing.
    Cut(Cut),
}

/// Why something is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// In words.
    pub reason: String,
    /// The bound that was met, if one was.
    pub bound: Option<Bound>,
}

impl Extent {
    /// Whether nothing is missing.
    pub fn is_whole(&self) -> bool {
        *self == Extent::Whole
    }

    /// Why something is missing.
    pub fn cut_by(&self) -> Option<&Cut> {
        match self {
            Extent::Whole => None,
            Extent::Cut(cut) => Some(cut),
        }
    }

    /// Notes that something is missing; the first reason stays.
    pub fn cut(&mut self, cut: Cut) {
        if self.is_whole() {
            *self = Extent::Cut(cut);
        }
    }

    /// Notes what is missing of a part.
    pub fn include(&mut self, part: Extent) {
        if let Extent::Cut(cut) = part {
            self.cut(cut);
        }
    }
}

impl From<NoSuccessors> for Cut {
    fn from(stuck: NoSuccessors) -> Cut {
        Cut {
            reason: stuck.reason,
            bound: None,
        }
    }
}

impl From<StopReason> for Cut {
    fn from(spent: StopReason) -> Cut {
        Cut {
            reason: spent.to_string(),
            bound: match spent {
                StopReason::Steps(_) => Some(Bound::States(None)),
                StopReason::Cancelled => None,
            },
        }
    }
}
