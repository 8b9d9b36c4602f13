//! Global properties: what the verdicts on several logs say together.
//!
//! Definitions 16 and 17 and Table 4.2 of Nguyen's thesis.
//! No clock and no merged log is needed: the logs are a set, and only the outcomes of local properties count.
//!
//! Table 4.2 takes for granted that every log is there: a property of which nothing is heard has not passed.
//! Where no one watches the log, that is not known, and so neither is what rests on it.

use choros_model::{Judgeable, Judging};
use choros_query::property::{GlobalProperty, Sense};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::verdict::{Outcome, PropertyCounts};

/// Watches global properties over verdicts, wherever they come from.
#[derive(Debug, Clone, Default)]
pub struct GlobalMonitor {
    properties: Vec<GlobalProperty>,
    heard: FxHashMap<String, PropertyCounts>,
    unwatched: FxHashSet<String>,
}

/// The verdict of a global property at some moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GlobalVerdict {
    /// What it is.
    pub outcome: Outcome,
    /// No verdict that may still come changes it.
    pub is_final: bool,
}

/// A window that a tester judged, somewhere.
struct Heard;

impl Judgeable for Heard {}

impl GlobalMonitor {
    /// A monitor that has heard nothing.
    pub fn new(properties: &[GlobalProperty]) -> GlobalMonitor {
        GlobalMonitor {
            properties: properties.to_vec(),
            heard: FxHashMap::default(),
            unwatched: FxHashSet::default(),
        }
    }

    /// Says that no one watches any local property, until it is watched or heard of.
    pub fn forget_all(&mut self) {
        let names = self.properties.iter();
        let names = names.flat_map(|it| it.when.iter().chain(&it.then)).cloned();
        self.unwatched = names.collect();
    }

    /// Says that a local property is watched.
    pub fn watch(&mut self, property: &str) {
        self.unwatched.remove(property);
    }

    /// Whether someone watches a local property.
    pub fn is_watched(&self, property: &str) -> bool {
        !self.unwatched.contains(property)
    }

    pub fn properties(&self) -> &[GlobalProperty] {
        &self.properties
    }

    /// Hears a verdict of one window of a local property.
    pub fn hear(&mut self, property: &str, outcome: Outcome) {
        self.watch(property);
        match self.heard.get_mut(property) {
            Some(counts) => {
                counts.add(&Heard, outcome);
            }
            None => {
                let mut counts = PropertyCounts::default();
                counts.add(&Heard, outcome);
                self.heard.insert(property.to_owned(), counts);
            }
        }
    }

    /// Hears all verdicts of a local property at once.
    pub fn hear_all(&mut self, property: &str, counts: &PropertyCounts) {
        let known = self.heard.entry(property.to_owned()).or_default();
        known.pass.add(counts.pass);
        known.fail += counts.fail;
        known.inconclusive += counts.inconclusive;
        known.redacted += counts.redacted;
    }

    /// The outcome of a local property so far.
    pub fn local(&self, property: &str) -> Outcome {
        self.heard
            .get(property)
            .map_or(Outcome::Inconclusive, PropertyCounts::outcome)
    }

    /// The windows that passed of all local properties that a global one is about.
    pub fn judging(&self, property: usize) -> Judging {
        let property = &self.properties[property];
        let mut judging = Judging::default();
        for name in property.when.iter().chain(&property.then) {
            if let Some(counts) = self.heard.get(name) {
                judging.add(counts.pass);
            }
        }
        judging
    }

    /// The verdict of a global property so far.
    pub fn verdict(&self, property: usize) -> GlobalVerdict {
        let property = &self.properties[property];
        let passes = |name: &String| self.local(name) == Outcome::Pass;
        let fails = |name: &String| self.local(name) == Outcome::Fail;
        if !property.when.iter().all(passes) {
            return GlobalVerdict {
                outcome: Outcome::Inconclusive,
                // A property that has failed never passes again.
                is_final: property.when.iter().any(fails),
            };
        }
        let (some, none) = match property.sense {
            Sense::Expect => (Outcome::Pass, Outcome::Fail),
            Sense::Never => (Outcome::Fail, Outcome::Pass),
        };
        let is_watched = |name: &String| self.is_watched(name);
        GlobalVerdict {
            outcome: if property.then.iter().any(passes) {
                some
            } else if property.then.iter().all(is_watched) {
                none
            } else {
                // One that is not watched may have passed.
                Outcome::Inconclusive
            },
            is_final: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GlobalMonitor, GlobalProperty, Outcome, Sense};
    use choros_base::SourceMap;

    fn property(sense: Sense) -> GlobalProperty {
        let mut sources = SourceMap::new();
        let file = sources.add("g.prop", "");
        GlobalProperty {
            name: "g".to_owned(),
            span: choros_base::Span::new(file, 0, 0),
            when: vec!["a".to_owned(), "b".to_owned()],
            sense,
            then: vec!["c".to_owned(), "d".to_owned()],
        }
    }

    /// What no one watches may have passed: a missing log never makes a property fail, or hold.
    #[test]
    fn logs_that_nobody_watches() {
        for sense in [Sense::Expect, Sense::Never] {
            let mut monitor = GlobalMonitor::new(&[property(sense)]);
            monitor.forget_all();
            monitor.hear("a", Outcome::Pass);
            monitor.hear("b", Outcome::Pass);
            monitor.hear("c", Outcome::Fail);
            assert_eq!(monitor.verdict(0).outcome, Outcome::Inconclusive);
            let mut watched = monitor.clone();
            watched.watch("d");
            assert_ne!(watched.verdict(0).outcome, Outcome::Inconclusive);
            // One that passes is enough, no matter what else is not watched.
            let mut monitor = GlobalMonitor::new(&[property(sense)]);
            monitor.forget_all();
            for name in ["a", "b", "c"] {
                monitor.hear(name, Outcome::Pass);
            }
            assert_ne!(monitor.verdict(0).outcome, Outcome::Inconclusive);
        }
    }

    /// Table 4.2, row by row, for both senses.
    #[test]
    fn table_4_2() {
        use Outcome::{Fail, Inconclusive, Pass};
        for (a, b, c, d, positive, negative) in [
            (Pass, Pass, Pass, Fail, Pass, Fail),
            (Pass, Pass, Inconclusive, Pass, Pass, Fail),
            (Pass, Pass, Fail, Inconclusive, Fail, Pass),
            (Pass, Pass, Inconclusive, Inconclusive, Fail, Pass),
            (Pass, Fail, Pass, Pass, Inconclusive, Inconclusive),
            (Inconclusive, Pass, Fail, Fail, Inconclusive, Inconclusive),
        ] {
            for (sense, expected) in [(Sense::Expect, positive), (Sense::Never, negative)] {
                let mut monitor = GlobalMonitor::new(&[property(sense)]);
                for (name, outcome) in [("a", a), ("b", b), ("c", c), ("d", d)] {
                    monitor.hear(name, outcome);
                }
                assert_eq!(
                    monitor.verdict(0).outcome,
                    expected,
                    "{a:?} {b:?} {c:?} {d:?}"
                );
            }
        }
    }
}
