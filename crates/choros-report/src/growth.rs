//! How verdicts come one after the other.

use crate::{Plot, VerdictKind};

/// Counts of verdicts during a run. A stream may never end, so only some moments are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Growth {
    seen: u64,
    counts: [u64; 3],
    /// After how many verdicts, and what the counts were then.
    kept: Vec<(u64, [u64; 3])>,
    /// Only every second, fourth, eighth … verdict is kept.
    thinned: u32,
}

/// At most this many moments are kept.
const MAX_KEPT: usize = 256;

impl Growth {
    /// Counts a verdict.
    pub fn add(&mut self, word: VerdictKind) {
        self.seen += 1;
        let place = match word {
            VerdictKind::Holds => 0,
            VerdictKind::Fails => 1,
            VerdictKind::Conditional | VerdictKind::Unknown => 2,
        };
        self.counts[place] += 1;
        if !self.seen.is_multiple_of(1 << self.thinned) {
            return;
        }
        self.kept.push((self.seen, self.counts));
        if self.kept.len() > MAX_KEPT {
            self.thinned += 1;
            let every = 1 << self.thinned;
            self.kept.retain(|(seen, _)| seen.is_multiple_of(every));
        }
    }

    /// The curves, with the last moment in any case.
    pub(crate) fn plot(&self) -> Option<Plot> {
        let mut moments = self.kept.clone();
        if moments.last().is_some_and(|last| last.0 < self.seen) {
            moments.push((self.seen, self.counts));
        }
        let curve = |place: usize| moments.iter().map(|it| (it.0, it.1[place])).collect();
        let curves = vec![
            ("pass", false, curve(0)),
            ("fail", true, curve(1)),
            ("inconclusive", false, curve(2)),
        ];
        Plot::of_verdicts("verdicts", "window", curves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_keeps_few_moments_and_its_end() {
        let mut growth = Growth::default();
        for verdict in 0..10_001 {
            growth.add(if verdict % 10 == 0 {
                VerdictKind::Fails
            } else {
                VerdictKind::Holds
            });
        }
        assert!(growth.kept.len() <= MAX_KEPT);
        let plot = growth.plot().expect("it grows");
        let last = |curve: usize| plot.curves[curve].points.last().copied();
        assert_eq!(last(0), Some((10_001.0, 9_000.0)));
        assert_eq!(last(1), Some((10_001.0, 1_001.0)));
        assert_eq!(plot.curves.len(), 2);
    }
}
