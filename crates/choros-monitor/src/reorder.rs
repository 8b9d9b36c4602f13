//! Putting observations in order that come a little late.

use std::collections::BTreeMap;

use choros_model::observation::{Number, Observation};

/// Observations of one log that wait for earlier ones.
///
/// One is let go as soon as an observation was seen whose time is more than the slack later: nothing that keeps the
/// promise of the slack can still come before it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reorder {
    /// By time, then by arrival.
    waiting: BTreeMap<(Number, u64), Observation<'static>>,
    latest: Option<Number>,
    arrivals: u64,
}

impl Reorder {
    /// Takes one in; what may be judged now is put out in order.
    pub(crate) fn take(
        &mut self,
        seen: &Observation<'_>,
        slack: u64,
        ready: &mut Vec<Observation<'static>>,
    ) {
        let owned = seen.clone().into_owned();
        // What has no time stays where it came: right after the latest.
        let Some(at) = seen.at.clone().or_else(|| self.latest.clone()) else {
            ready.push(owned);
            return;
        };
        self.arrivals += 1;
        if self.latest.as_ref().is_none_or(|latest| *latest < at) {
            self.latest = Some(at.clone());
        }
        self.waiting.insert((at, self.arrivals), owned);
        let slack = Number::from(i64::try_from(slack).unwrap_or(i64::MAX));
        if let Some(latest) = &self.latest {
            let bound = latest.minus(&slack);
            self.release(&bound, ready);
        }
    }

    /// Lets those go that are not later than this.
    pub(crate) fn release(&mut self, bound: &Number, ready: &mut Vec<Observation<'static>>) {
        while let Some(entry) = self.waiting.first_entry() {
            if entry.key().0 > *bound {
                return;
            }
            ready.push(entry.remove());
        }
    }

    /// Lets all go.
    pub(crate) fn flush(&mut self) -> Vec<Observation<'static>> {
        std::mem::take(&mut self.waiting).into_values().collect()
    }

    /// Those that wait, in order.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Observation<'static>> {
        self.waiting.values()
    }
}
