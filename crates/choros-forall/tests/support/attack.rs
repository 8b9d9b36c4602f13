//! Certificates that were changed.

use choros_certify::{ForAllProof, RankPart, SetClaim};
use choros_data::{Sort, Term, Terms};

use super::Question;

/// A way to damage a certificate; whether it could.
pub(crate) type Damage = fn(&mut ForAllProof, &mut Terms) -> bool;

/// Ways that change everything of one kind.
pub(crate) const DAMAGES: &[(&str, Damage)] = &[
    ("nothing", |_, _| true),
    ("no ranks", |proof, _| {
        changed(proof, |claim| {
            let stages = claim.stages.iter_mut();
            stages.fold(false, |found, stage| {
                found | !std::mem::take(&mut stage.rank).is_empty()
            })
        })
    }),
    ("ranks upside down", |proof, terms| {
        changed(proof, |claim| {
            let mut found = false;
            for part in claim.stages.iter_mut().flat_map(|it| &mut it.rank) {
                match part {
                    RankPart::Number(number) | RankPart::Falling(number, _) => {
                        *number = terms.negate(*number);
                    }
                    RankPart::Places(places) => {
                        places.values_mut().for_each(|it| *it = 1_000 - *it);
                    }
                }
                found = true;
            }
            found
        })
    }),
    ("nothing helps", |proof, _| {
        changed(proof, |claim| {
            let stages = claim.stages.iter_mut();
            stages.fold(false, |found, stage| {
                found | !std::mem::take(&mut stage.helpful).is_empty()
            })
        })
    }),
    ("everything helps", |proof, _| {
        changed(proof, |claim| {
            let mut found = false;
            for helpful in claim.stages.iter_mut().flat_map(|it| &mut it.helpful) {
                found |= helpful.condition != Term::TRUE;
                helpful.condition = Term::TRUE;
            }
            found
        })
    }),
    ("another helps", |proof, _| {
        changed(proof, |claim| {
            let mut found = false;
            for helpful in claim.stages.iter_mut().flat_map(|it| &mut it.helpful) {
                helpful.assumption = u32::from(helpful.assumption == 0);
                found = true;
            }
            found
        })
    }),
    ("always the first turn", |proof, _| {
        changed(proof, |claim| {
            let mut found = false;
            for stage in &mut claim.stages {
                found |= std::mem::take(&mut stage.turn) != 0;
            }
            found
        })
    }),
    ("other turns", |proof, _| {
        changed(proof, |claim| {
            let most = claim.stages.iter().map(|it| it.turn).max().unwrap_or(0);
            claim
                .stages
                .iter_mut()
                .for_each(|it| it.turn = most - it.turn);
            most > 0
        })
    }),
    ("everything everywhere", |proof, _| {
        changed(proof, |claim| {
            let mut found = false;
            for set in claim.stages.iter_mut().flat_map(|it| &mut it.sets) {
                found |= set.condition != Term::TRUE;
                set.condition = Term::TRUE;
            }
            found
        })
    }),
    ("the opposite", |proof, terms| {
        changed(proof, |claim| {
            claim.truth = !claim.truth;
            for set in claim.stages.iter_mut().flat_map(|it| &mut it.sets) {
                set.condition = terms.not(set.condition);
            }
            true
        })
    }),
    ("true for false", |proof, _| {
        changed(proof, |claim| {
            claim.truth = !claim.truth;
            true
        })
    }),
    ("the last stage first", |proof, _| {
        changed(proof, |claim| {
            claim.stages.reverse();
            claim.stages.len() > 1
        })
    }),
    ("no choices", |proof, _| {
        changed(proof, |claim| {
            let sets = claim.stages.iter_mut().flat_map(|it| &mut it.sets);
            let mut found = false;
            for set in sets {
                found |= !std::mem::take(&mut set.witnesses).is_empty();
            }
            found
        })
    }),
    ("the first choice for all", |proof, _| {
        changed(proof, |claim| {
            let mut found = false;
            for set in claim.stages.iter_mut().flat_map(|it| &mut it.sets) {
                found |= set.witnesses.len() > 1;
                set.witnesses.truncate(1);
            }
            found
        })
    }),
    ("nothing against", |proof, _| {
        !std::mem::take(&mut proof.against).is_empty()
    }),
    ("other values against", |proof, terms| {
        let mut found = false;
        for value in proof
            .against
            .iter_mut()
            .flat_map(|it| it.values.iter_mut().flatten())
        {
            if terms.sort_of(*value) == Sort::INT {
                let other = terms.int(-1_000);
                found |= *value != other;
                *value = other;
            }
        }
        found
    }),
    ("no claims", |proof, _| {
        let parts = proof.parts.iter_mut();
        parts.fold(false, |found, part| {
            found | !std::mem::take(&mut part.claims).is_empty()
        })
    }),
    ("nothing assumed", |proof, _| {
        let parts = proof.parts.iter_mut();
        parts.fold(false, |found, part| {
            found | !std::mem::take(&mut part.known).is_empty()
        })
    }),
    ("false assumed", |proof, _| {
        let mut found = false;
        for (_, known) in proof.parts.iter_mut().flat_map(|it| &mut it.known) {
            *known = Term::FALSE;
            found = true;
        }
        found
    }),
];

/// Changes every claim; whether any could be.
fn changed(proof: &mut ForAllProof, mut change: impl FnMut(&mut SetClaim) -> bool) -> bool {
    let claims = proof.parts.iter_mut().flat_map(|it| &mut it.claims);
    let mut found = false;
    for claim in claims {
        found |= change(claim);
    }
    found
}

/// Conditions that are not those of a proof.
pub(crate) fn wrong_conditions(condition: Term, question: &mut Question) -> Vec<Term> {
    let terms = &mut question.terms;
    let mut wrong = vec![Term::TRUE, Term::FALSE, terms.not(condition)];
    wrong.retain(|&it| it != condition);
    wrong
}
