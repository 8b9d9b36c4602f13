//! What is shown about projections that were put together, as it is saved.

use choros_certify::{RealizationProof, Sides, ValuedRun};
use choros_data::Terms;
use choros_model::stg::EdgeId;
use choros_model::stg::run::RunStep;

use super::conformance::{ValueReader, are_these, saved_graphs, saved_values, typed};
use super::{ProofMistake, malformed};
use crate::certificate_file::{SavedClaim, SavedEvidence, SavedProof};

impl SavedProof {
    /// A proof about projections that were put together.
    pub fn of_realization(
        proof: &RealizationProof,
        sides: &Sides<'_>,
        terms: &Terms,
    ) -> SavedProof {
        let (run, waits) = match proof {
            RealizationProof::Compared(compared) => {
                return SavedProof::of_conformance(compared, sides, terms);
            }
            RealizationProof::Stranded { run, waits } => (run, Some(*waits)),
            RealizationProof::Forbidden(run) => (run, None),
        };
        let steps = run.choices.iter();
        SavedProof {
            claim: SavedClaim::Fails,
            evidence: SavedEvidence::Run {
                graphs: saved_graphs(sides, terms),
                values: saved_values(&run.parameters, terms),
                steps: steps
                    .map(|it| (it.edge.0, typed(&it.bound_values, terms)))
                    .collect(),
                waits,
            },
        }
    }

    /// The proof about projections that were put together and the choreography.
    pub fn realization(
        &self,
        sides: &Sides<'_>,
        terms: &mut Terms,
    ) -> Result<RealizationProof, ProofMistake> {
        let SavedEvidence::Run {
            graphs,
            values,
            steps,
            waits,
        } = &self.evidence
        else {
            return Ok(RealizationProof::Compared(self.conformance(sides, terms)?));
        };
        if self.claim != SavedClaim::Fails {
            return Err(malformed("a run can only show that it fails"));
        }
        are_these(graphs, sides, terms)?;
        let mut reader = ValueReader::new(sides, terms);
        let parameters = reader.of_left(values)?;
        let mut choices = Vec::with_capacity(steps.len());
        for (edge, brought) in steps {
            choices.push(RunStep {
                edge: EdgeId(*edge),
                bound_values: reader.values(brought)?,
            });
        }
        let run = ValuedRun {
            parameters,
            choices,
        };
        Ok(match *waits {
            Some(waits) => RealizationProof::Stranded { run, waits },
            None => RealizationProof::Forbidden(run),
        })
    }
}
