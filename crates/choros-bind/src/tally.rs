//! What became of the records of a log: how many are messages, and why others are not.

use std::collections::BTreeMap;

use crate::{NotBound, Sighting};

/// Counts of records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BindingTally {
    pub records: u64,
    /// Records that are messages, or whose request is one.
    pub bound: u64,
    /// Records that are not messages, as the binding says.
    pub ignored: u64,
    /// Messages by name.
    pub messages: BTreeMap<String, u64>,
    /// Why records, or their responses, are not messages, and how often.
    pub reasons: BTreeMap<String, u64>,
    /// Records that may well be messages and could not be told.
    pub gaps: u64,
    /// Messages of which no one says who saw them: who received them has no record of it.
    pub unattributed: u64,
    /// Messages whose record does not say at which end it was written, by the role that wrote it: sender, receiver.
    pub by_sender: u64,
    pub by_receiver: u64,
    /// Records that came before: what is delivered at least once may be written twice.
    pub repeated: u64,
    /// Attempts of requests that the transport sent again, beyond the one that counts.
    pub resent: u64,
    /// Fields that messages lacked: the message and the field.
    pub missing: BTreeMap<(String, String), u64>,
}

/// More different reasons than this are counted together.
const MOST_REASONS: usize = 50;

impl BindingTally {
    /// Messages of which there is no record of their receivers, as it seems: no one says who saw them, or all that wrote
    /// records wrote down what they sent.
    pub fn one_sided(&self) -> u64 {
        let sent = if self.by_receiver == 0 {
            self.by_sender
        } else {
            0
        };
        self.unattributed + sent
    }

    pub fn add(&mut self, sighting: &Sighting) {
        self.records += 1;
        self.bound += u64::from(!sighting.observations.is_empty());
        self.ignored += u64::from(sighting.ignored && sighting.observations.is_empty());
        for seen in &sighting.observations {
            let count = self.messages.entry(seen.operation.to_string());
            *count.or_default() += 1;
        }
        for missing in &sighting.missing {
            *self.missing.entry(missing.clone()).or_default() += 1;
        }
        if let Some(reason) = &sighting.not_bound {
            self.gaps += u64::from(reason.is_a_gap());
            let mut text = NotBound::text(reason);
            if self.reasons.len() >= MOST_REASONS && !self.reasons.contains_key(&text) {
                "other reasons".clone_into(&mut text);
            }
            *self.reasons.entry(text).or_default() += 1;
        }
    }
}
