//! Strong bisimilarity: a state shows each label with the class it leads to.

use choros_model::lts::ExplicitLts;

use super::partition::{Partition, Signature};

pub(super) fn partition(system: &ExplicitLts) -> Partition {
    Partition::coarsest(system).refine(|partition| {
        system
            .states()
            .map(|state| {
                let mut signature: Signature = system
                    .transitions(state)
                    .iter()
                    .map(|&(action, target)| (action.0, partition.class(target)))
                    .collect();
                signature.sort_unstable();
                signature.dedup();
                signature
            })
            .collect()
    })
}
