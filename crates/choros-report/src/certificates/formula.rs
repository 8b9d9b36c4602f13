//! Judgements about formulas as they are saved.

use choros_base::{Name, Names};
use choros_certify::{Judgement, Judgements};
use choros_query::socl::{Formula, NodeId};

use super::{ProofMistake, malformed};
use crate::certificate_file::{
    SavedClaim, SavedEvidence, SavedJudgement, SavedJudgements, SavedProof,
};

impl SavedJudgements {
    /// Judgements about a formula.
    pub fn of(
        formula: &Formula,
        holds: bool,
        proof: &Judgements,
        names: &Names,
    ) -> SavedJudgements {
        let mut judgements: Vec<(&Judgement, Vec<(u32, u32)>)> = Vec::new();
        let mut sorted: Vec<&Judgement> = proof.all.iter().collect();
        let key = |it: &Judgement| (it.node, it.values.clone(), it.truth);
        // Ordered by the texts of values, because the order of names is that of their first use.
        sorted.sort_by_cached_key(|it| {
            let values: Vec<&str> = it.values.iter().map(|&name| names.text(name)).collect();
            (it.node, values, it.truth, it.state)
        });
        for judgement in sorted {
            let place = (judgement.state, judgement.rank);
            match judgements.last_mut() {
                Some((same, states)) if key(same) == key(judgement) => states.push(place),
                _ => judgements.push((judgement, vec![place])),
            }
        }
        let judgements = judgements.into_iter().map(|(it, states)| SavedJudgement {
            part: it.node.0,
            values: it
                .values
                .iter()
                .map(|&name| names.text(name).to_owned())
                .collect(),
            holds: it.truth,
            states,
        });
        SavedJudgements {
            formula: formula.print(names),
            holds,
            states: proof.states.clone(),
            judgements: judgements.collect(),
        }
    }

    /// What is judged about this formula.
    pub fn read(&self, formula: &Formula, names: &mut Names) -> Result<Judgements, ProofMistake> {
        if self.formula != formula.print(names) {
            return Err(ProofMistake::Foreign(format!(
                "it is about the formula `{}`",
                self.formula
            )));
        }
        let mut all = Vec::new();
        for judgement in &self.judgements {
            let values: Vec<Name> = judgement.values.iter().map(|it| names.intern(it)).collect();
            all.extend(judgement.states.iter().map(|&(state, rank)| Judgement {
                state,
                node: NodeId(judgement.part),
                values: values.clone(),
                truth: judgement.holds,
                rank,
            }));
        }
        Ok(Judgements {
            states: self.states.clone(),
            all,
        })
    }
}

impl SavedProof {
    /// A proof about formulas: the claim is that all of them hold, or that one does not.
    pub fn of_formulas(formulas: Vec<SavedJudgements>) -> SavedProof {
        SavedProof {
            claim: claim(&formulas),
            evidence: SavedEvidence::Judgements { formulas },
        }
    }

    /// The judgements about this many formulas.
    pub fn formulas(&self, count: usize) -> Result<&[SavedJudgements], ProofMistake> {
        let SavedEvidence::Judgements { formulas } = &self.evidence else {
            return Err(malformed("its evidence is not about formulas"));
        };
        if formulas.len() != count {
            return Err(malformed(
                "its number of formulas differs from the question",
            ));
        }
        if claim(formulas) == self.claim {
            Ok(formulas)
        } else {
            Err(malformed(
                "its formulas show a different verdict than it claims",
            ))
        }
    }
}

fn claim(formulas: &[SavedJudgements]) -> SavedClaim {
    if formulas.iter().all(|it| it.holds) {
        SavedClaim::Holds
    } else {
        SavedClaim::Fails
    }
}
