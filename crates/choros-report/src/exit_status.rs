//! What the process says with its exit code.

use choros_base::Severity;

use crate::{NamedResult, Report, VerdictKind};

/// The documented exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: holds, or produced what was asked for.
    Success,
    /// 1: fails, or has warnings that were denied.
    Fails,
    /// 2: bad input or usage.
    BadInput,
    /// 3: holds only under a condition.
    Conditional,
    /// 4: unknown or inconclusive.
    Unknown,
    /// 5: the world failed: no solver, no disk.
    World,
    /// 130: the user or a signal stopped it.
    Interrupted,
}

impl ExitStatus {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            ExitStatus::Success => 0,
            ExitStatus::Fails => 1,
            ExitStatus::BadInput => 2,
            ExitStatus::Conditional => 3,
            ExitStatus::Unknown => 4,
            ExitStatus::World => 5,
            ExitStatus::Interrupted => 130,
        }
    }

    /// The status of a report: with several reasons, the first of 5, 2, 1, 4, 3, 0.
    pub fn of(report: &Report) -> ExitStatus {
        if report.interrupted {
            return ExitStatus::Interrupted;
        }
        let rejected = report.outcomes.iter().any(|it| it.rejected.is_some());
        let refused = report.count(Severity::Error) > 0;
        let denied = report.diagnostics.iter().any(|it| report.denies(it));
        if report.world_failed.is_some() {
            ExitStatus::World
        } else if rejected || refused {
            ExitStatus::BadInput
        } else if denied {
            ExitStatus::Fails
        } else {
            let missing = |it: &NamedResult| !it.sizes.complete && it.sizes.stats.is_empty();
            match report.answer().map(|answer| answer.word) {
                // A bound kept something from being produced at all; what it only cut short was produced.
                None if report.outcomes.iter().any(missing) => ExitStatus::Unknown,
                None | Some(VerdictKind::Holds) => ExitStatus::Success,
                Some(VerdictKind::Fails) => ExitStatus::Fails,
                Some(VerdictKind::Unknown) => ExitStatus::Unknown,
                Some(VerdictKind::Conditional) => ExitStatus::Conditional,
            }
        }
    }
}
