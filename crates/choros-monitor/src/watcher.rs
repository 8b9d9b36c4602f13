//! What watches properties: one monitor, or several that share the observations.

use choros_model::observation::Observation;

use crate::census::{LogPresence, PartPresence};
use crate::monitor::{MissingPart, Monitor};
use crate::state::State;
use crate::verdict::{PropertyCounts, Remark, WindowVerdict};

/// Takes the observations of all logs one by one, and says at once what they mean.
pub trait Watcher {
    /// Takes one observation.
    fn observe(&mut self, seen: &Observation<'_>);

    /// No more observations will come.
    fn finish(&mut self);

    /// The verdicts that the last call made known, in order.
    fn verdicts(&self) -> &[WindowVerdict];

    /// What was strange about the observations that the last call judged.
    fn remarks(&self) -> &[Remark];

    /// The windows of each property so far.
    fn counts(&self) -> Vec<PropertyCounts>;

    /// How many observations were taken.
    fn observations(&self) -> u64;

    /// Whether something was observed by a service; without a name, by any.
    fn has_seen(&self, service: Option<&str>) -> bool;

    /// How many observations no property names.
    fn filtered(&self) -> u64;

    /// Messages that no property names, each with how often it was seen, sorted.
    fn unnamed(&self) -> Vec<(String, u64)>;

    /// What the log of each service holds.
    fn logs(&self) -> Vec<LogPresence>;

    /// How often the parts were there that properties name.
    fn presence(&self) -> Vec<PartPresence>;

    /// What a property needs and no record has.
    fn absent(&self, property: usize) -> MissingPart;

    /// How many windows of each property wait for their end.
    fn open_windows(&self) -> Vec<u64>;

    /// What is remembered, if it is one state.
    fn state(&self) -> Option<State>;

    /// Why it stopped watching, if it did.
    fn stopped(&self) -> Option<String> {
        None
    }
}

impl Watcher for Monitor {
    fn observe(&mut self, seen: &Observation<'_>) {
        Monitor::observe(self, seen);
    }

    fn finish(&mut self) {
        Monitor::finish(self);
    }

    fn verdicts(&self) -> &[WindowVerdict] {
        Monitor::verdicts(self)
    }

    fn remarks(&self) -> &[Remark] {
        Monitor::remarks(self)
    }

    fn counts(&self) -> Vec<PropertyCounts> {
        Monitor::counts(self).to_vec()
    }

    fn observations(&self) -> u64 {
        Monitor::observations(self)
    }

    fn has_seen(&self, service: Option<&str>) -> bool {
        Monitor::has_seen(self, service)
    }

    fn filtered(&self) -> u64 {
        Monitor::filtered(self)
    }

    fn unnamed(&self) -> Vec<(String, u64)> {
        Monitor::unnamed(self)
    }

    fn logs(&self) -> Vec<LogPresence> {
        Monitor::logs(self).collect()
    }

    fn presence(&self) -> Vec<PartPresence> {
        Monitor::presence(self)
    }

    fn absent(&self, property: usize) -> MissingPart {
        Monitor::absent(self, property)
    }

    fn open_windows(&self) -> Vec<u64> {
        Monitor::open_windows(self)
    }

    fn state(&self) -> Option<State> {
        Some(self.save())
    }
}
