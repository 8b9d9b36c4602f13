//! Which paths of a record of our own forms are which part of an observation.

/// How records of a log become observations.
///
/// Paths are labels separated by dots; in XML, attributes begin with `@`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mapping {
    /// Where the time is.
    pub(super) at: &'static str,
    /// Where the service is whose log it is.
    pub(super) by: &'static str,
    pub(super) direction: &'static str,
    pub(super) from: &'static str,
    pub(super) to: &'static str,
    pub(super) operation: &'static str,
    pub(super) fault: &'static str,
    pub(super) id: &'static str,
    pub(super) session: &'static str,
    /// Where `capture` says that a part of a body was not kept, and why one could not be read.
    pub(super) truncated: &'static str,
    pub(super) unread: &'static str,
    /// Under which path the data are; the empty path is the whole record.
    pub(super) data: &'static str,
}

impl Mapping {
    /// The native form of JSON Lines, and the headings of CSV.
    pub(super) const NATIVE: Mapping = Mapping {
        at: "at",
        by: "by",
        direction: "dir",
        from: "from",
        to: "to",
        operation: "op",
        fault: "fault",
        id: "id",
        session: "session",
        truncated: "truncated",
        unread: "unread",
        data: "data",
    };

    /// Prop-tester's stream of messages.
    pub(super) const MESSAGES: Mapping = Mapping {
        at: "@tstamp",
        by: "@by",
        direction: "@direction",
        from: "@source",
        to: "@destination",
        operation: "@name",
        fault: "@fault",
        id: "@id",
        session: "@session",
        truncated: "@truncated",
        unread: "@unread",
        data: "",
    };
}
