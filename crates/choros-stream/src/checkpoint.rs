//! What is kept of a partition: how far it was judged, and by whom.

/// How far a partition was judged; written as one value, by compare-and-set.
///
/// All verdicts on the entries up to `sequence` are among the first `told` of the partition's verdicts, and no others
/// are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint<S> {
    /// Which stream it is about.
    pub incarnation: String,
    /// The last entry that was judged; 0 for none.
    pub sequence: u64,
    /// How many verdicts were told.
    pub told: u64,
    /// What the judge remembered; none at the beginning.
    pub state: Option<S>,
    /// The process that writes it; none if it gave the partition back.
    pub owner: Option<String>,
}
