//! Can the roles realise it? The conditions, the projections put together, and what would fix it.

use choros_base::Budget;
use choros_data::Terms;
use choros_model::stg::Stg;
use choros_smt::Solver;

use crate::conditions::examine;
use crate::diagnostics::no_choreography;
use crate::independent::IndependentParts;
use crate::mend::mend;
use crate::question::Question;
use crate::reachability::contradiction::Oracle;
use crate::semantic::semantic;
use crate::timed::{is_timed, timed_realizability};
use crate::told::told;
use crate::tools::Tools;
use crate::{AnalysisStop, Awareness, Conditions, FoundRepair, SemanticAnswer, reachability};

/// What is known about the realizability of a choreography.
#[derive(Debug, Clone)]
pub struct Realizability {
    /// The choreography without its dead transitions; everything below is about it.
    pub reachable: Stg,
    /// How many transitions were dead.
    pub dead: usize,
    /// What the conditions say.
    pub conditions: Conditions,
    /// What the corrected conditions on branching say.
    pub told: Awareness,
    /// What the projections do, put together.
    pub semantic: SemanticAnswer,
    /// Where additions were asked for and found.
    pub mended: Option<FoundRepair>,
}

impl Realizability {
    /// Whether the additions were shown to do what the choreography says (yes, no, unknown), and why.
    pub fn verified(&self) -> (&'static str, &str) {
        match &self.mended {
            Some(mended) => (mended.verified, &mended.reason),
            None => ("no", "no additions were found that would fix it"),
        }
    }

    /// The choreography with additions, where these were found; without dead transitions.
    pub fn repaired(&self) -> &Stg {
        let mended = self.mended.as_ref();
        mended.map_or(&self.reachable, |it| &it.repair.stg)
    }
}

/// Judges a graph of interactions.
///
/// `budget` stops the work; how large the composition may become is part of the question.
pub fn realizability(
    stg: &Stg,
    asked: &Question,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Realizability, AnalysisStop> {
    no_choreography::refuse(stg, terms)?;
    let mut tools = Tools {
        terms,
        solver,
        budget,
    };
    if is_timed(stg) {
        return timed_realizability(stg, asked, &mut tools);
    }
    let parts = IndependentParts::of(stg, asked, &mut tools)?;
    let (reachable, dead) = match &parts {
        Some(parts) => parts.without_dead(stg, tools.terms),
        None => without_dead(stg, tools.terms, tools.solver, budget)?,
    };
    let mut oracle = Oracle::new(tools.solver);
    let (found, knowledge) = examine(
        &reachable,
        &[],
        asked.mode,
        tools.terms,
        &mut oracle,
        budget,
    )?;
    let told = told(
        &reachable,
        asked.mode,
        &asked.closing,
        &found.branchings,
        &knowledge,
        &mut tools,
    )?;
    let by_semantics = match &parts {
        Some(parts) => parts.semantic(asked, &mut tools)?,
        None => semantic(&reachable, asked, &mut tools)?,
    };
    let mended = if asked.repair {
        mend(&reachable, &found, &by_semantics, asked, &mut tools)?
    } else {
        None
    };
    Ok(Realizability {
        reachable,
        dead,
        conditions: found,
        told,
        semantic: by_semantics,
        mended,
    })
}

/// The graph without dead transitions and terminations, and how many transitions were dead.
pub fn without_dead(
    stg: &Stg,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<(Stg, usize), AnalysisStop> {
    let found = reachability(stg, terms, solver, budget)?;
    let alive = found.without_dead(stg, terms);
    let alive = alive.with_tick(stg.tick()).with_once(stg.once().to_vec());
    Ok((alive, found.dead_edges().count()))
}
