//! What streams and subjects are called.

/// The names of one stream of observations, and of one watch over it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    /// What all of them begin with.
    pub(super) stream: String,
    /// The watch; those who share it share the work.
    pub(super) watch: String,
}

/// What is kept of a watch, each under its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key<'k> {
    /// How far a partition was judged.
    Checkpoint(u32),
    /// A part of a state that is too long for one value.
    Part(&'k str),
    /// The properties of a version.
    Version(u32),
    /// Who works.
    Members,
    /// Up to which verdict of a partition others were told.
    Told(u32),
}

impl Names {
    /// The stream of a partition's entries.
    pub(super) fn entries(&self, partition: u32) -> String {
        format!("{}-obs-{partition}", self.stream)
    }

    pub(super) fn entry_subjects(&self, partition: u32) -> String {
        format!("{}.obs.{partition}.>", self.stream)
    }

    /// Where entries of one kind, or of one log, go.
    pub(super) fn entry_subject(&self, partition: u32, lane: &str) -> String {
        format!("{}.obs.{partition}.{lane}", self.stream)
    }

    /// The stream of a partition's verdicts.
    pub(super) fn verdicts(&self, partition: u32) -> String {
        format!("{}-{}-verdicts-{partition}", self.stream, self.watch)
    }

    pub(super) fn verdict_subject(&self, partition: u32) -> String {
        format!("{}.verdicts.{}.{partition}", self.stream, self.watch)
    }

    fn bucket_name(&self) -> String {
        format!("{}-{}", self.stream, self.watch)
    }

    /// The stream of values.
    pub(super) fn bucket(&self) -> String {
        format!("KV_{}", self.bucket_name())
    }

    pub(super) fn bucket_subjects(&self) -> String {
        format!("$KV.{}.>", self.bucket_name())
    }

    /// Where a value goes.
    pub(super) fn key(&self, key: Key<'_>) -> String {
        let key = match key {
            Key::Checkpoint(partition) => format!("checkpoint.{partition}"),
            Key::Part(part) => format!("part.{part}"),
            Key::Version(version) => format!("version.{version}"),
            Key::Members => "members".to_owned(),
            Key::Told(partition) => format!("told.{partition}"),
        };
        format!("$KV.{}.{key}", self.bucket_name())
    }
}
