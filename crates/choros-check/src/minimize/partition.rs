//! Partitions, refined by what states show (S. Blom and S. Orzan: "Distributed branching bisimulation reduction of
//! state spaces", 2003).

use choros_model::lts::{ExplicitLts, Lts, StateId};
use rustc_hash::FxHashMap;

/// What a state shows of a partition: labels and classes it leads to, sorted.
pub(super) type Signature = Vec<(u32, u32)>;

/// Classes of states, numbered from 0.
pub(super) struct Partition {
    pub(super) classes: Vec<u32>,
    pub(super) count: usize,
}

impl Partition {
    /// States that have ended, and the others.
    pub(super) fn coarsest(system: &ExplicitLts) -> Partition {
        let ended: Vec<u32> = system
            .states()
            .map(|state| u32::from(system.ended(state)))
            .collect();
        Partition::renumbered(ended)
    }

    pub(super) fn class(&self, state: StateId) -> u32 {
        self.classes[state.index()]
    }

    /// Splits classes by signatures, until nothing is split.
    pub(super) fn refine(
        mut self,
        mut signatures: impl FnMut(&Partition) -> Vec<Signature>,
    ) -> Self {
        loop {
            let mut known: FxHashMap<(u32, Signature), u32> = FxHashMap::default();
            let shown = signatures(&self);
            let classes = shown
                .into_iter()
                .zip(&self.classes)
                .map(|(signature, &class)| {
                    let next = known.len() as u32;
                    *known.entry((class, signature)).or_insert(next)
                })
                .collect();
            let count = known.len();
            let is_stable = count == self.count;
            self = Partition { classes, count };
            if is_stable {
                return self;
            }
        }
    }

    fn renumbered(classes: Vec<u32>) -> Partition {
        let mut known: FxHashMap<u32, u32> = FxHashMap::default();
        let classes = classes
            .into_iter()
            .map(|class| {
                let next = known.len() as u32;
                *known.entry(class).or_insert(next)
            })
            .collect();
        Partition {
            classes,
            count: known.len(),
        }
    }
}
