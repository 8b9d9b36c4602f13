//! What judges the entries of a partition.

use crate::entry::Entry;
use crate::verdict::Told;

/// Entries in, verdicts out: the same entries give the same verdicts in the same order, in every process and at every
/// time.
///
/// So a judge knows no clock, no chance and no order of a hash table; time is what entries say.
pub trait Judge {
    /// What it remembers between two entries.
    type State: Clone;
    type Verdict: Clone;

    /// Takes the next entry, and adds the verdicts that are known now.
    fn take(
        &mut self,
        entry: &Entry,
        verdicts: &mut Vec<Told<Self::Verdict>>,
    ) -> Result<(), Misfit>;

    fn save(&self) -> Self::State;

    /// Continues from a state; without one from the beginning.
    fn restore(&mut self, state: Option<&Self::State>) -> Result<(), Misfit>;
}

/// Something belongs to other properties, or to another version of this program; in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit(pub String);
