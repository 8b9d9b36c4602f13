//! One property, ready to be watched.

use choros_model::observation::{Correlation, Observation};
use choros_query::property::{Property, Sense, Window};

use crate::heads::Heads;
use crate::pattern::Pattern;
use crate::verdict::Outcome;

/// A property, ready to be watched.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    pub(crate) service: Option<String>,
    /// Each with the number of its head.
    pub(crate) context: Vec<(usize, Pattern)>,
    pub(crate) consequence: Vec<(usize, Pattern)>,
    pub(crate) correlation: Option<Correlation>,
    pub(crate) window: Window,
    pub(crate) per_session: bool,
    pub(crate) sense: Sense,
}

impl Watch {
    pub(crate) fn new(
        property: &Property,
        context: Vec<Pattern>,
        consequence: Vec<Pattern>,
        heads: &mut Heads,
    ) -> Watch {
        let mut numbered = |patterns: Vec<Pattern>| -> Vec<(usize, Pattern)> {
            let patterns = patterns.into_iter();
            patterns
                .map(|pattern| (heads.add(&pattern.head), pattern))
                .collect()
        };
        Watch {
            service: property.service.clone(),
            context: numbered(context),
            consequence: numbered(consequence),
            correlation: property.correlation.clone(),
            window: property.window,
            per_session: property.per_session,
            sense: property.sense,
        }
    }

    pub(crate) fn names(&self, seen: &Observation<'_>, heads: &Heads) -> bool {
        let mut patterns = self.context.iter().chain(&self.consequence);
        patterns.any(|(head, _)| heads.names(*head, seen))
    }

    pub(crate) fn met(&self) -> Outcome {
        match self.sense {
            Sense::Expect => Outcome::Pass,
            Sense::Never => Outcome::Fail,
        }
    }

    /// The outcome of a window in which no consequence was seen.
    pub(crate) fn unmet(&self) -> Outcome {
        match self.sense {
            Sense::Expect => Outcome::Fail,
            Sense::Never => Outcome::Pass,
        }
    }

    pub(crate) fn needs_time(&self) -> bool {
        matches!(self.window, Window::Milliseconds(_))
    }

    /// How many messages a window holds, where that is known.
    pub(crate) fn size(&self) -> Option<usize> {
        match self.window {
            Window::Messages(count) => usize::try_from(count).ok()?.checked_add(self.context.len()),
            Window::Milliseconds(_) => None,
        }
    }
}
