//! Verdicts on tests, counted.

use choros_model::Observed;

use crate::{Sizes, Stat, Stats};

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
