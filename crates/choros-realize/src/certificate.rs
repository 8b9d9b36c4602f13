//! What an answer rests on, for others to check: the projections put together once more, and a relation, an attack or a
//! run.
//!
//! Projecting and putting together say what the question *is*, so the checker does that again ([`Assembly::of`]);
//! the rest is checked by `choros-certify`.
//! Nothing is taken apart, arranged or left out here: where an answer needs that, there is no certificate.

use choros_base::Budget;
use choros_certify::{
    AssembledProjections, ConformanceProof, Obligation, RealizationProof, Sides, ValuedRun,
    check_realization, sides,
};
use choros_conform::{Setup, conformance, conformance_proof};
use choros_data::{Term, Terms};
use choros_model::stg::{NodeId, Stg, rename};
use choros_smt::Solver;
use rustc_hash::FxHashMap;

use crate::composition::{Act, Composition};
use crate::feasible::shortest_run;
use crate::question::Question;
use crate::semantic::MAX_CHANGES;
use crate::shared::Shared;
use crate::stranded::{ended_receivers, idle, waiting};
use crate::timed::is_timed;
use crate::tools::Tools;
use crate::{AnalysisStop, Criterion, Mode, project, without_dead};

/// Projections put together, and what has to be examined.
#[derive(Debug, Clone)]
pub struct Assembly {
    /// The graph.
    pub stg: Stg,
    /// Parameters that all roles know.
    pub shared: Vec<String>,
    /// Whether a known value answers where the choreography leaves it open.
    pub allow_fixed: bool,
    /// What must not wait, be reached, or be full.
    pub assembled: AssembledProjections,
}

/// What an answer about a choreography rests on.
#[derive(Debug)]
pub struct AnswerProof {
    /// The projections put together.
    pub assembly: Assembly,
    /// What shows the answer.
    pub proof: RealizationProof,
    /// How many messages a queue could hold.
    pub bound: usize,
}

/// What the answer to a question rests on, with the queues that are asked for or else with short ones; or why it has no
/// certificate.
pub fn settled(
    choreography: &Stg,
    asked: &Question,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<AnswerProof, String> {
    let (_, dead) =
        without_dead(choreography, terms, solver, budget).map_err(|stopped| stopped.to_string())?;
    if dead > 0 {
        return Err(
            "some transitions can never happen for any data, which is not checked".to_owned(),
        );
    }
    let mut asked = asked.clone();
    let mut first = None;
    for bound in [asked.effort.bound, 1] {
        asked.effort.bound = bound;
        let assembly = Assembly::of(choreography, &asked, terms, solver, budget);
        let found = assembly.and_then(|assembly| {
            let proof = assembly.proof(choreography, terms, solver, budget)?;
            Ok(AnswerProof {
                assembly,
                proof,
                bound,
            })
        });
        match found {
            Ok(found) => return Ok(found),
            Err(reason) => first = first.or(Some(reason)),
        }
    }
    Err(first.unwrap_or_default())
}

impl Assembly {
    /// Projects and puts together, or says why that is not certified.
    pub fn of(
        choreography: &Stg,
        asked: &Question,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<Assembly, String> {
        if asked.criterion == Criterion::Conditions {
            return Err(
                "the conditions are read off the choreography, so checking them is asking again"
                    .to_owned(),
            );
        }
        if is_timed(choreography) {
            return Err("answers about roles that measure time are not certified yet".to_owned());
        }
        if asked.mode == Mode::Peers {
            return Err(
                "answers per role rest on all pairs of runs that look alike to a role, so checking them is asking again"
                    .to_owned(),
            );
        }
        let part = budget.part(asked.effort.states);
        let projections = project(choreography, asked.mode, terms, solver, &part)
            .map_err(|stopped| stopped.to_string())?;
        let composition = Composition::of(
            &projections,
            asked.mode,
            &asked.closing,
            asked.effort,
            budget,
            terms,
        )
        .map_err(|spent| spent.to_string())?;
        if composition.arranged.is_some() {
            return Err(
                "a queue was full, and that longer ones change nothing is an argument about all runs, which is not checked"
                    .to_owned(),
            );
        }
        let shared = Shared::of(choreography, &composition.stg, terms)?;
        let words: FxHashMap<_, _> = shared
            .renaming
            .variables
            .iter()
            .map(|(&old, &new)| (old, terms.var(new)))
            .collect();
        let stg = rename(&composition.stg, &shared.renaming, terms);
        let crowded = stg
            .node_ids()
            .filter(|&it| asked.mode == Mode::Disjoint && composition.in_flight(it) > 1);
        let mut forbidden: Vec<(NodeId, Term)> = crowded.map(|it| (it, Term::TRUE)).collect();
        let translate = |condition: Term, terms: &mut Terms| terms.substitute(condition, &words);
        for (id, condition, _) in ended_receivers(&composition, &stg, &translate, terms) {
            forbidden.push((stg.edge(id).source, condition));
        }
        Ok(Assembly {
            shared: shared.names,
            // A reception shows a value that was chosen before.
            allow_fixed: asked.mode == Mode::Receiver,
            assembled: AssembledProjections {
                forbidden,
                refused: composition.refused.clone(),
                expectations: expectations(&composition, &stg, &words, terms),
            },
            stg,
        })
    }

    /// The two sides that are compared.
    pub fn sides<'a>(&'a self, choreography: &'a Stg, terms: &mut Terms) -> Sides<'a> {
        sides(&self.stg, choreography, &self.shared, terms)
    }

    /// What the answer rests on, checked; or why it has no certificate.
    pub fn proof(
        &self,
        choreography: &Stg,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<RealizationProof, String> {
        let setup = Setup {
            shared: self.shared.clone(),
            allow_fixed: self.allow_fixed,
            most_changes: MAX_CHANGES,
        };
        let mut candidates = Vec::new();
        {
            let mut tools = Tools {
                terms,
                solver,
                budget,
            };
            candidates.extend(
                self.crowded(choreography, &mut tools)
                    .map_err(|stopped| stopped.to_string())?,
            );
            if candidates.is_empty() {
                let found = conformance(
                    &self.stg,
                    choreography,
                    &setup,
                    tools.terms,
                    tools.solver,
                    budget,
                );
                let found = found.map_err(|error| error.to_string())?;
                let graphs = (&self.stg, choreography);
                let solver = &mut *tools.solver;
                let proof = conformance_proof(&found, graphs, &setup, tools.terms, solver, budget)?;
                if matches!(proof, ConformanceProof::Relation { .. }) {
                    candidates.extend(
                        self.stranded(choreography, &mut tools)
                            .map_err(|stopped| stopped.to_string())?,
                    );
                }
                candidates.insert(0, RealizationProof::Compared(proof));
            }
        }
        let sides = self.sides(choreography, terms);
        for proof in candidates {
            let checked = check_realization(
                &proof,
                &sides,
                &self.assembled,
                self.allow_fixed,
                terms,
                solver,
                budget,
            );
            if checked.map_err(|error| error.to_string())?.is_ok() {
                return Ok(proof);
            }
        }
        Err("what was found could not be confirmed step by step".to_owned())
    }

    /// A run to a node that must not be reached.
    fn crowded(
        &self,
        choreography: &Stg,
        tools: &mut Tools<'_>,
    ) -> Result<Option<RealizationProof>, AnalysisStop> {
        let mut goals: FxHashMap<NodeId, Term> = FxHashMap::default();
        for &(node, data) in &self.assembled.forbidden {
            let before = goals.get(&node).copied().unwrap_or(Term::FALSE);
            goals.insert(node, tools.terms.or([before, data]));
        }
        let run = self.run(choreography, &goals, tools)?;
        Ok(run.map(RealizationProof::Forbidden))
    }

    /// Runs to where something waits that no edge ends, one for each such thing.
    fn stranded(
        &self,
        choreography: &Stg,
        tools: &mut Tools<'_>,
    ) -> Result<Vec<RealizationProof>, AnalysisStop> {
        let mut found = Vec::new();
        for (waits, expectation) in self.assembled.expectations.iter().enumerate() {
            let lost = self.never_ending(expectation);
            let goals = lost.map(|node| (node, expectation.waits[node.index()]));
            let goals = goals.filter(|it| it.1 != Term::FALSE).collect();
            let run = self.run(choreography, &goals, tools)?;
            found.extend(run.map(|run| RealizationProof::Stranded { run, waits }));
        }
        Ok(found)
    }

    /// The nodes from which no edge ends a waiting.
    fn never_ending(&self, expectation: &Obligation) -> impl Iterator<Item = NodeId> + use<> {
        let mut can = vec![false; self.stg.nodes().len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (index, edge) in self.stg.edges().iter().enumerate() {
                let ends = expectation.ends[index] || can[edge.target.index()];
                if ends && edge.guard != Term::FALSE && !can[edge.source.index()] {
                    can[edge.source.index()] = true;
                    changed = true;
                }
            }
        }
        let all = (0..can.len() as u32).map(NodeId);
        all.filter(move |it| !can[it.index()])
    }

    fn run(
        &self,
        choreography: &Stg,
        goals: &FxHashMap<NodeId, Term>,
        tools: &mut Tools<'_>,
    ) -> Result<Option<ValuedRun>, AnalysisStop> {
        if goals.is_empty() {
            return Ok(None);
        }
        // With the names that the check uses.
        let left = self.sides(choreography, tools.terms).left.into_owned();
        let Some(found) = shortest_run(&left, goals, tools)? else {
            return Ok(None);
        };
        let values = found.values(&left, tools)?;
        Ok(values.map(|(parameters, choices)| ValuedRun {
            parameters,
            choices,
        }))
    }
}

/// What must not wait forever: what stands first in each channel, and each role.
fn expectations(
    composition: &Composition,
    stg: &Stg,
    words: &FxHashMap<choros_data::Var, Term>,
    terms: &mut Terms,
) -> Vec<Obligation> {
    let acts: Vec<Option<Act>> = stg
        .edges()
        .iter()
        .map(|edge| composition.act(edge).map(|it| it.0))
        .collect();
    let ends = |wanted: &dyn Fn(Act) -> bool| -> Vec<bool> {
        acts.iter().map(|act| act.is_some_and(wanted)).collect()
    };
    let mut all = Vec::new();
    for (channel, &(from, to)) in composition.channels.iter().enumerate() {
        let (from, to) = (terms.names.text(from.0), terms.names.text(to.0));
        let waits = stg
            .node_ids()
            .map(|node| match composition.waiting(node, channel).next() {
                Some(_) => Term::TRUE,
                None => Term::FALSE,
            });
        all.push(Obligation {
            what: format!("a message from {from} to {to}"),
            waits: waits.collect(),
            ends: ends(&|act| act == Act::Taking(channel)),
        });
    }
    for (index, &role) in composition.roles.iter().enumerate() {
        let part = &composition.parts[index];
        let meets = composition.channels.is_empty();
        let what = format!("`{}`", terms.names.text(role.0));
        let mut at = |when: &dyn Fn(NodeId, &mut Terms) -> Term| -> Vec<Term> {
            let places: Vec<Term> = part
                .stg
                .node_ids()
                .map(|place| {
                    let condition = when(place, terms);
                    terms.substitute(condition, words)
                })
                .collect();
            stg.node_ids()
                .map(|node| places[composition.place(node, index).index()])
                .collect()
        };
        let waits = at(&|place, terms| waiting(part, place, meets, terms));
        let idles = at(&|place, terms| idle(part, place, meets, terms));
        all.push(Obligation {
            what: what.clone(),
            waits,
            ends: ends(&|act| composition.moves(act, role)),
        });
        if idles.iter().any(|&it| it != Term::FALSE) {
            all.push(Obligation {
                what,
                waits: idles,
                ends: vec![true; stg.edges().len()],
            });
        }
    }
    all
}
