//! What is known of a composition in which a queue was full.
//!
//! It lacks steps, but those that it has are real, so it may still be refuted: by a run that the choreography does not
//! have, by a difference that no further step could make good, or by something that is left behind where no queue can
//! be full any more.
//! That it conforms is never concluded from it.

use choros_base::Budget;
use choros_conform::{Setup, refutation};
use choros_data::{Term, Terms};
use choros_model::Evidence;
use choros_model::evidence::Trace;
use choros_model::stg::{Renaming, Stg};
use rustc_hash::FxHashMap;

use crate::beyond::beyond;
use crate::composition::Composition;
use crate::excess::excess;
use crate::stranded::{Stranded, stranded};
use crate::tools::Tools;
use crate::{AnalysisStop, Mode};

/// Why the projections do not conform, whatever the bound.
pub(crate) struct Refuted {
    pub(crate) reason: String,
    pub(crate) evidence: Evidence,
    /// Whether no other services could do better.
    pub(crate) nobody_could: bool,
}

pub(crate) struct Compared<'a> {
    pub(crate) mode: Mode,
    pub(crate) choreography: &'a Stg,
    /// The composition, with the choreography's names for parameters.
    pub(crate) implementation: &'a Stg,
    pub(crate) renaming: &'a Renaming,
    pub(crate) setup: &'a Setup,
    pub(crate) budget: &'a Budget,
}

/// Looks for a reason why the projections fail with queues of any length.
pub(crate) fn refuted(
    composition: &Composition,
    compared: &Compared<'_>,
    tools: &mut Tools<'_>,
) -> Result<Option<Refuted>, AnalysisStop> {
    let differ = |run: &Trace| format!("{NOT_AS_SAID}: {}", difference(run));
    if let Some(run) = excess(composition, compared.choreography, tools)? {
        return Ok(Some(Refuted {
            reason: differ(&run),
            evidence: Evidence::Trace(run),
            nobody_could: true,
        }));
    }
    let beyond = beyond(composition, compared.choreography, compared.mode);
    let run = refutation(
        compared.implementation,
        compared.choreography,
        &beyond,
        compared.setup,
        tools.terms,
        tools.solver,
        compared.budget,
    )?;
    if let Some(run) = run.map(of_roles) {
        return Ok(Some(Refuted {
            reason: differ(&run),
            evidence: Evidence::Trace(run),
            nobody_could: false,
        }));
    }
    let words: FxHashMap<_, _> = compared
        .renaming
        .variables
        .iter()
        .map(|(&old, &new)| (old, tools.terms.var(new)))
        .collect();
    let translate = |condition: Term, terms: &mut Terms| terms.substitute(condition, &words);
    let found = stranded(composition, compared.implementation, &translate, tools)?;
    Ok(match found {
        Stranded::Some(claim, evidence) => Some(Refuted {
            reason: format!("whatever the bound, {claim}"),
            evidence,
            nobody_could: false,
        }),
        Stranded::None | Stranded::Unsettled(..) => None,
    })
}

/// What is said of roles whose runs differ from those of the choreography.
pub(crate) const NOT_AS_SAID: &str = "run together, the roles do not do what the choreography says";

/// A run that distinguishes the roles from the choreography, with these words for the two sides.
pub(crate) fn of_roles(run: Trace) -> Trace {
    let words = run
        .conclusion
        .replace("the implementation (", "the roles (");
    Trace {
        conclusion: words.replace("the specification (", "the choreography ("),
        ..run
    }
}

/// What a distinguishing run shows, on one line.
pub(crate) fn difference(trace: &Trace) -> String {
    let steps = match trace.steps.len() {
        0 => "at once".to_owned(),
        1 => "after one step".to_owned(),
        many => format!("after {many} steps"),
    };
    if trace.conclusion.is_empty() {
        format!("they differ {steps}")
    } else {
        format!("{steps}, {}", trace.conclusion)
    }
}
