//! Are machines that talk safe, and how is that known?
//!
//! *Safe* means: from every configuration that can be reached, every message can still be received, every machine that
//! waits can still move, and where nothing follows, all have ended and nothing is under way (Definition 3.1 of Coto's
//! thesis, and eventual reception and progress of Lange and Yoshida).
//! What is found wrong in a configuration is wrong whatever was left out, since the configuration is reached.
//! That nothing is wrong needs one of the proofs of [`Proof`]; without one it is not known.

use choros_base::Budget;
use choros_model::cfsm::{DeadKind, Reduction, Survey, System, survey_with};

use crate::compatibility::graph::Steps;
use crate::compatibility::{
    Compatibility, IncompatibleConfiguration, Waiting, all_come_home, compatibility,
    compatible_without_bound,
};

/// What is known of the safety of a system.
#[derive(Debug, Clone)]
pub struct Safety {
    /// The configurations that were examined.
    pub found: Survey,
    /// Over queues, when all orders of steps were examined: compatibility within the bound.
    pub compatible: Option<Compatibility>,
    /// Configurations in which someone waits forever while others continue.
    pub waiting: Vec<IncompatibleConfiguration>,
    /// Why it is safe, where it is.
    pub proof: Result<Proof, Gap>,
}

/// How safety was proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// All configurations were examined, and no channel was ever full: more places change nothing.
    Everything,
    /// Independent steps were examined in few orders, no channel was full where that mattered, and all runs end
    /// properly.
    AllRunsEnd,
    /// Channels were full, but the machines are deterministic and directed, safe and exhaustive within the bound (Lange
    /// and Yoshida 2019), so they are safe whatever the bound.
    Exhaustive,
}

/// Why safety is not proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gap {
    /// Something is wrong.
    Unsafe,
    /// Configurations are left to be examined.
    Stopped(String),
    /// A channel was full.
    Bound,
    /// Independent steps were examined in few orders, and some runs never end: what waits meanwhile was not seen.
    Endless,
}

impl Proof {
    /// One word for reports that are read by programs.
    pub fn word(self) -> &'static str {
        match self {
            Proof::Everything => "all-configurations",
            Proof::AllRunsEnd => "all-runs-end",
            Proof::Exhaustive => "exhaustive-within-bound",
        }
    }
}

/// Looks for what is wrong, and for a proof that nothing is.
pub fn safety(system: &mut System<'_>, reduction: Reduction, budget: &Budget) -> Safety {
    let found = survey_with(system, reduction, budget);
    let full = reduction == Reduction::None && found.stopped.is_none();
    let (compatible, breaches) = if !full {
        (None, [None, None])
    } else if all_come_home(system, &found) {
        (compatible_without_bound(system), [None, None])
    } else {
        waits(system, &found)
    };
    // Where a channel was full, a wait may come from the bound alone.
    let waiting: Vec<IncompatibleConfiguration> = if found.bound_reached {
        Vec::new()
    } else {
        breaches.into_iter().flatten().collect()
    };
    let is_unsafe = found.unsafe_count() > 0
        || found.unspecified.0 > 0
        || found.orphans.0 > 0
        || !waiting.is_empty();
    let proof = match (&found.stopped, reduction) {
        _ if is_unsafe => Err(Gap::Unsafe),
        (Some(stopped), _) => Err(Gap::Stopped(stopped.clone())),
        (None, _) if found.bound_reached => match &compatible {
            Some(it) if it.beyond_the_bound() => Ok(Proof::Exhaustive),
            _ => Err(Gap::Bound),
        },
        (None, Reduction::None) => Ok(Proof::Everything),
        (None, Reduction::Persistent) => {
            if all_end(system, &found) {
                Ok(Proof::AllRunsEnd)
            } else {
                Err(Gap::Endless)
            }
        }
    };
    Safety {
        found,
        compatible,
        waiting,
        proof,
    }
}

/// Who waits forever, by looking for it from every configuration.
fn waits(
    system: &mut System<'_>,
    found: &Survey,
) -> (
    Option<Compatibility>,
    [Option<IncompatibleConfiguration>; 2],
) {
    let compatible = compatibility(system, found);
    let breaches = match &compatible {
        Some(it) => [it.reception.clone(), it.progress.clone()],
        None => {
            let steps = Steps::of(system, found.states);
            let waiting = Waiting::of(system, &steps);
            [waiting.reception, waiting.progress]
        }
    };
    (compatible, breaches)
}

/// Whether all runs of a system that was examined in few orders end, and properly.
fn all_end(system: &mut System<'_>, found: &Survey) -> bool {
    found.dead.iter().all(|it| it.kind == DeadKind::Ended) && system.runs_end(found.states)
}
