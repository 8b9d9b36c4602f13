//! What verdicts say of the sizes beside them.

use choros_model::{Help, Observed, Verdict};

use crate::{Sizes, Stat, Stats};

/// Whether a bound cut something off: a question may also be open although all of it was examined.
pub(super) fn is_cut(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(unknown) if unknown.help != Help::NoBound)
}

/// One test that passed, failed or was inconclusive.
pub(super) fn sizes(verdict: &Observed) -> Sizes {
    let stat = match verdict {
        Observed::Holds { .. } | Observed::HoldsIf { .. } | Observed::Empty { .. } => Stat::Pass,
        Observed::Fails { .. } => Stat::Fail,
        Observed::Unknown(_) => Stat::Inconclusive,
    };
    Sizes {
        stats: Stats::default().with(stat, 1),
        complete: true,
    }
}
