//! The second stage: global properties over the verdicts of all partitions.
//!
//! What a global property says depends on how many windows of each local property passed and failed, and not on their
//! order (Table 4.2 of Nguyen's thesis); so partitions are heard in any order.
//! Each verdict counts once because each partition's verdicts are a sequence of which the stage remembers how far it
//! was heard.

use choros_monitor::{GlobalMonitor, GlobalVerdict, Outcome};
use choros_query::property::GlobalProperty;

/// How far the verdicts of each partition were heard.
pub type GlobalPosition = Vec<u64>;

/// A verdict that is not the next of its partition: the stage has missed some.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotNext {
    pub partition: usize,
    /// The one that is next.
    pub expected: u64,
    pub found: u64,
}

/// Hears the verdicts of all partitions.
#[derive(Debug, Clone)]
pub struct GlobalStage {
    monitor: GlobalMonitor,
    heard: GlobalPosition,
}

impl GlobalStage {
    pub fn new(properties: &[GlobalProperty], partitions: usize) -> GlobalStage {
        GlobalStage {
            monitor: GlobalMonitor::new(properties),
            heard: vec![0; partitions],
        }
    }

    /// Hears the verdict with this number of a partition, from 1; one that was heard before changes nothing.
    pub fn hear(
        &mut self,
        partition: usize,
        number: u64,
        (property, outcome): (&str, Outcome),
    ) -> Result<(), NotNext> {
        let heard = &mut self.heard[partition];
        if number <= *heard {
            return Ok(());
        }
        if number > *heard + 1 {
            return Err(NotNext {
                partition,
                expected: *heard + 1,
                found: number,
            });
        }
        *heard = number;
        self.monitor.hear(property, outcome);
        Ok(())
    }

    /// How far each partition was heard.
    pub fn heard(&self) -> &GlobalPosition {
        &self.heard
    }

    /// The verdict of a global property so far.
    pub fn verdict(&self, property: usize) -> GlobalVerdict {
        self.monitor.verdict(property)
    }
}

#[cfg(test)]
mod tests {
    use super::{GlobalStage, NotNext};
    use choros_base::{SourceMap, Span};
    use choros_monitor::Outcome;
    use choros_query::property::{GlobalProperty, Sense};
    use choros_testkit::{Random, seed_from_env};

    fn stage(partitions: usize) -> GlobalStage {
        let mut sources = SourceMap::new();
        let file = sources.add("g.prop", "");
        let property = GlobalProperty {
            name: "g".to_owned(),
            span: Span::new(file, 0, 0),
            when: vec!["a".to_owned()],
            sense: Sense::Expect,
            then: vec!["b".to_owned()],
        };
        GlobalStage::new(&[property], partitions)
    }

    #[test]
    fn partitions_are_heard_in_any_order_and_often() {
        let mut random = Random::new(seed_from_env());
        for _ in 0..200 {
            let outcomes = [Outcome::Pass, Outcome::Fail, Outcome::Inconclusive];
            let verdict =
                |random: &mut Random| (*random.pick(&["a", "b"]), *random.pick(&outcomes));
            let partition = |random: &mut Random| -> Vec<(&str, Outcome)> {
                (0..random.below(6)).map(|_| verdict(random)).collect()
            };
            let told: Vec<_> = (0..3).map(|_| partition(&mut random)).collect();
            let mut one = stage(3);
            for (partition, verdicts) in told.iter().enumerate() {
                for (number, verdict) in (1..).zip(verdicts) {
                    assert_eq!(one.hear(partition, number, *verdict), Ok(()));
                }
            }
            // Another order of partitions, and each verdict perhaps again after a restart.
            let mut other = stage(3);
            while other.heard() != one.heard() {
                let partition = random.below(3);
                let next = other.heard()[partition] as usize;
                let from = next - random.below(next + 1);
                let again = told[partition].iter().zip(1..).skip(from);
                for (verdict, number) in again.take(next + 1 - from) {
                    let heard = other.hear(partition, number, *verdict);
                    assert_eq!(heard, Ok(()));
                }
            }
            assert_eq!(one.verdict(0), other.verdict(0), "{told:?}");
        }
    }

    #[test]
    fn a_verdict_that_is_missed_is_missed_aloud() {
        let mut stage = stage(1);
        assert_eq!(stage.hear(0, 1, ("a", Outcome::Pass)), Ok(()));
        let missed = NotNext {
            partition: 0,
            expected: 2,
            found: 3,
        };
        assert_eq!(stage.hear(0, 3, ("b", Outcome::Pass)), Err(missed));
    }
}
