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
