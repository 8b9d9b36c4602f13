//! `⟦G⟧`, by making every pomset: the definition itself (Coto's thesis, section 2.1.2).

use choros_base::{Budget, StopReason};
use choros_model::gchor::{Form, Gchor};
use choros_model::pomset::{Pomset, without_copies};
use num_bigint::BigUint;

/// The pomsets of a g-choreography without loops, up to isomorphism, in the order of branches.
///
/// Each event that is made takes a step of the budget.
/// A loop counts as left at once.
pub fn pomsets(gchor: &Gchor, budget: &Budget) -> Result<Vec<Pomset>, StopReason> {
    let mut known: Vec<Vec<Pomset>> = Vec::with_capacity(gchor.len());
    for id in gchor.ids() {
        let own = match gchor.form(id) {
            Form::Empty | Form::Repeat { .. } => vec![Pomset::empty()],
            Form::Interaction(interaction) => vec![Pomset::interaction(*interaction)],
            Form::Choice { branches, .. } => {
                let branches = branches.iter().map(|it| known[it.index()].iter());
                let all: Vec<Pomset> = branches.flatten().cloned().collect();
                spend(&all, budget)?;
                all
            }
            Form::Sequence(parts) | Form::Fork(parts) => {
                let is_fork = matches!(gchor.form(id), Form::Fork(_));
                let mut all = vec![Pomset::empty()];
                for part in parts {
                    let mut longer = Vec::new();
                    let next = &known[part.index()];
                    for mut pomset in all {
                        for (position, more) in next.iter().enumerate() {
                            // The last one may be changed in place: long sequences without choices stay cheap.
                            let mut whole = if position + 1 == next.len() {
                                std::mem::take(&mut pomset)
                            } else {
                                pomset.clone()
                            };
                            more.events().iter().try_for_each(|_| budget.spend())?;
                            if is_fork {
                                whole.add_parallel(more)
                            } else {
                                whole.append(more)
                            }
                            longer.push(whole);
                        }
                    }
                    spend(&longer, budget)?;
                    all = longer;
                }
                all
            }
        };
        known.push(own);
    }
    let whole = gchor.root().map(|root| known.swap_remove(root.index()));
    Ok(without_copies(
        whole.unwrap_or_else(|| vec![Pomset::empty()]),
    ))
}

/// In how many ways the choices of a g-choreography without loops can be resolved.
///
/// That is the number of its pomsets when it is well-formed and every choice has its decider: the decider of a choice begins differently in each branch,
/// and no interaction belongs to two threads.
/// Otherwise some of the ways may give the same pomset.
pub fn resolutions(gchor: &Gchor) -> BigUint {
    let mut known: Vec<BigUint> = Vec::with_capacity(gchor.len());
    for id in gchor.ids() {
        let parts = gchor.form(id).parts().iter().map(|it| &known[it.index()]);
        let own = match gchor.form(id) {
            Form::Choice { .. } => parts.sum(),
            Form::Repeat { .. } => BigUint::from(1_u8),
            _ => parts.product(),
        };
        known.push(own);
    }
    let whole = gchor.root().map(|root| known.swap_remove(root.index()));
    whole.unwrap_or_else(|| BigUint::from(1_u8))
}

fn spend(pomsets: &[Pomset], budget: &Budget) -> Result<(), StopReason> {
    pomsets.iter().try_for_each(|_| budget.spend())
}
