//! Additions that meet the criterion in force, and what becomes of the choreography with them.
//!
//! By behaviour, every set of additions that is proposed has been tried: the projections of the choreography with them
//! do what the choreography says, the additions hidden.
//! Tried are, in this order,
//!
//! 1. every single message, those that fix a broken condition first;
//! 2. every pair, the same first;
//! 3. larger sets of messages that together fix the conditions.
//!
//! So a single message is smallest, and a pair is if all single messages were tried and none is unsettled.
//! Most of them fail in a way that a few steps show, which is looked for first ([`Doom`]).

use choros_base::StopReason;
use choros_data::Terms;
use choros_model::Verdict;
use choros_model::stg::Stg;

use crate::doomed::Doom;
use crate::question::{Criterion, Question};
use crate::repair::Insertion;
use crate::semantic::{SemanticAnswer, trial};
use crate::tools::Tools;
use crate::{AnalysisStop, Conditions, Effort, Mode, Repair, repair};

/// A repair and what was found out about it.
#[derive(Debug, Clone)]
pub struct FoundRepair {
    /// The additions.
    pub repair: Repair,
    /// Whether the projections of the repaired choreography do what the original says: yes, no, unknown.
    pub verified: &'static str,
    /// Why.
    pub reason: String,
    /// How small the set is known to be.
    pub minimal: Option<&'static str>,
    /// Among what it was looked for.
    pub minimal_among: &'static str,
}

/// More messages and pairs than this are not tried.
const MAX_TRIALS: usize = 1_000;

/// More of them than this are not put together and compared.
const MAX_COMPARED: usize = 500;

/// More single messages than this are not put together to pairs.
const MAX_SINGLES: usize = 1_500;

/// More sets of additions that fix the conditions are not tried.
const MAX_SETS: usize = 64;

/// The composition of a trial has no more states than this.
const MAX_STATES: u64 = 20_000;

/// Additions that meet the criterion in force; `None` when none were found.
pub(crate) fn mend(
    reachable: &Stg,
    found: &Conditions,
    before: &SemanticAnswer,
    asked: &Question,
    tools: &mut Tools<'_>,
) -> Result<Option<FoundRepair>, AnalysisStop> {
    if asked.criterion == Criterion::Semantic {
        return by_behaviour(reachable, found, before, asked, tools).map(Some);
    }
    let whole = repair(
        reachable,
        asked.mode,
        found,
        tools.terms,
        tools.solver,
        tools.budget,
    )?;
    let Some(whole) = whole else { return Ok(None) };
    // What is missing if guards do not exclude each other is not among the additions.
    let settled = found.doubtful.is_empty();
    let minimal = whole.minimality.word().filter(|_| settled);
    let after = if whole.additions.is_empty() {
        before.clone()
    } else {
        trial(reachable, &whole.stg, asked, tools)?
    };
    let (mut verified, mut reason) = verified(&after);
    if !settled && verified == "yes" {
        verified = "unknown";
        reason = format!("if guards exclude each other, which is not settled, {reason}");
    }
    if matches!(after.verdict, Verdict::Fails(_)) && !whole.additions.is_empty() {
        // A hidden addition may commit to a branch before the branch begins.
        let own = trial(&whole.stg, &whole.stg, asked, tools)?;
        if own.holds() {
            reason = format!(
                "the roles do what the choreography with the additions says; with the additions hidden it is not \
                 quite the original: {reason}"
            );
        }
    }
    Ok(Some(FoundRepair {
        repair: whole,
        verified,
        reason,
        minimal,
        minimal_among: match minimal {
            Some("proven") => "no smaller set of messages fixes all broken conditions",
            _ => "none can be left out",
        },
    }))
}

fn by_behaviour(
    reachable: &Stg,
    found: &Conditions,
    before: &SemanticAnswer,
    asked: &Question,
    tools: &mut Tools<'_>,
) -> Result<FoundRepair, AnalysisStop> {
    let nothing = Repair::nothing(reachable, tools.terms);
    match &before.verdict {
        Verdict::Holds(_) => {
            return Ok(FoundRepair {
                repair: nothing,
                verified: "yes",
                reason: "nothing is missing".to_owned(),
                minimal: Some("proven"),
                minimal_among: "nothing is missing",
            });
        }
        Verdict::Unknown(_) | Verdict::HoldsIf(..) => {
            return Ok(FoundRepair {
                repair: nothing,
                verified: "unknown",
                reason: format!(
                    "whether anything is missing is not settled: {}",
                    before.reason
                ),
                minimal: None,
                minimal_among: "",
            });
        }
        Verdict::Fails(_) => {}
    }
    let guide = repair(
        reachable,
        asked.mode,
        found,
        tools.terms,
        tools.solver,
        tools.budget,
    )?;
    let asked = Question {
        effort: Effort {
            states: asked.effort.states.min(MAX_STATES),
            ..asked.effort
        },
        ..asked.clone()
    };
    let mut search = Search {
        reachable,
        asked: &asked,
        doom: Doom::of(reachable, &asked, tools.terms).filter(|_| asked.mode != Mode::Peers),
        compared: 0,
        tried: [0; 3],
        unsettled: Vec::new(),
        left_out: false,
    };
    match search.run(&nothing, guide.as_ref(), tools) {
        Ok(Some(mended)) => Ok(mended),
        Ok(None) => Ok(search.in_vain(nothing)),
        // What was tried until then is worth saying.
        Err(AnalysisStop::Spent(StopReason::Cancelled)) => {
            search.unsettled.push("the run was stopped".to_owned());
            Ok(search.in_vain(nothing))
        }
        Err(stopped) => Err(stopped),
    }
}

struct Search<'a> {
    reachable: &'a Stg,
    asked: &'a Question,
    doom: Option<Doom<'a>>,
    /// How many sets were put together and compared.
    compared: usize,
    /// How many sets of one, two and more messages were tried.
    tried: [usize; 3],
    /// Why trials ended without an answer.
    unsettled: Vec<String>,
    /// Whether sets of one or two messages were not tried, because there are too many.
    left_out: bool,
}

impl Search<'_> {
    fn run(
        &mut self,
        nothing: &Repair,
        guide: Option<&Repair>,
        tools: &mut Tools<'_>,
    ) -> Result<Option<FoundRepair>, AnalysisStop> {
        let sets = guide.map_or(Vec::new(), |guide| subsets(guide.additions.len()));
        for set in sets.iter().filter(|set| set.len() == 1) {
            if let Some(mended) = self.guided(guide, set, tools)? {
                return Ok(Some(mended));
            }
        }
        let mut singles = nothing.with_one_more();
        self.left_out = singles.len() > MAX_SINGLES;
        singles.truncate(MAX_SINGLES);
        for single in &singles {
            let one = nothing.and(single, tools.terms);
            if let Some(mended) = self.attempt(&one, tools)? {
                return Ok(Some(mended));
            }
        }
        // From here on a single message is ruled out, unless some were unsettled or left out.
        for set in sets.iter().filter(|set| set.len() == 2) {
            if let Some(mended) = self.guided(guide, set, tools)? {
                return Ok(Some(mended));
            }
        }
        if let Some(mended) = self.pairs(nothing, &singles, tools)? {
            return Ok(Some(mended));
        }
        for set in sets.iter().filter(|set| set.len() > 2) {
            if let Some(mended) = self.guided(guide, set, tools)? {
                return Ok(Some(mended));
            }
        }
        Ok(None)
    }

    fn pairs(
        &mut self,
        nothing: &Repair,
        singles: &[Insertion],
        tools: &mut Tools<'_>,
    ) -> Result<Option<FoundRepair>, AnalysisStop> {
        let mut left = MAX_TRIALS.saturating_sub(self.tried[0]);
        for (position, first) in singles.iter().enumerate() {
            let one = nothing.and(first, tools.terms);
            for second in one.with_one_more() {
                // The same two messages the other way round, which is the same unless they are at one place.
                if !second.is_beside(first) && singles[..position].contains(&second) {
                    continue;
                }
                if left == 0 || self.compared >= MAX_COMPARED {
                    self.left_out = true;
                    return Ok(None);
                }
                left -= 1;
                let two = one.and(&second, tools.terms);
                if let Some(mended) = self.attempt(&two, tools)? {
                    return Ok(Some(mended));
                }
            }
        }
        Ok(None)
    }

    /// Some of the messages that fix the conditions.
    fn guided(
        &mut self,
        guide: Option<&Repair>,
        set: &[usize],
        tools: &mut Tools<'_>,
    ) -> Result<Option<FoundRepair>, AnalysisStop> {
        match guide {
            Some(guide) => {
                let some = guide.only(set, tools.terms);
                self.attempt(&some, tools)
            }
            None => Ok(None),
        }
    }

    fn attempt(
        &mut self,
        with: &Repair,
        tools: &mut Tools<'_>,
    ) -> Result<Option<FoundRepair>, AnalysisStop> {
        tools.budget.spend()?;
        let count = with.additions.len();
        let certain = self.unsettled.is_empty() && !self.left_out;
        self.tried[count.clamp(1, 3) - 1] += 1;
        if self.is_doomed(&with.stg, tools.terms) {
            return Ok(None);
        }
        self.compared += 1;
        let after = trial(self.reachable, &with.stg, self.asked, tools)?;
        if let Verdict::Unknown(_) = after.verdict {
            self.unsettled.push(after.reason.clone());
        }
        if !after.holds() {
            return Ok(None);
        }
        let (minimal, minimal_among) = match count {
            1 => (Some("proven"), "without any it fails"),
            2 if certain => (Some("proven"), "no single message does it"),
            _ => {
                if self.is_irreducible(with, tools)? {
                    (Some("irreducible"), "none can be left out")
                } else {
                    (None, "")
                }
            }
        };
        Ok(Some(FoundRepair {
            repair: with.clone(),
            verified: "yes",
            reason: after.reason,
            minimal,
            minimal_among,
        }))
    }

    fn is_doomed(&self, model: &Stg, terms: &Terms) -> bool {
        let doom = self.doom.as_ref();
        doom.is_some_and(|doom| doom.is_sealed(model, terms))
    }

    /// Whether it fails as soon as one of the additions is left out.
    fn is_irreducible(&self, with: &Repair, tools: &mut Tools<'_>) -> Result<bool, AnalysisStop> {
        for gone in 0..with.additions.len() {
            let kept: Vec<usize> = (0..with.additions.len()).filter(|&it| it != gone).collect();
            let fewer = with.only(&kept, tools.terms);
            if self.is_doomed(&fewer.stg, tools.terms) {
                continue;
            }
            let after = trial(self.reachable, &fewer.stg, self.asked, tools)?;
            if !matches!(after.verdict, Verdict::Fails(_)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Nothing was found.
    fn in_vain(self, nothing: Repair) -> FoundRepair {
        let [ones, twos, more] = self.tried;
        let mut reason = format!("none of {ones} single messages and {twos} pairs");
        if more > 0 {
            reason.push_str(&format!(
                ", nor any of {more} larger sets that fix the conditions,"
            ));
        }
        reason.push_str(" makes the projections do what the choreography says");
        if self.left_out {
            reason.push_str("; not all pairs were tried");
        }
        let verified = match self.unsettled.first() {
            None => "no",
            Some(first) => {
                let number = self.unsettled.len();
                reason.push_str(&format!("; {number} are not settled: {first}"));
                "unknown"
            }
        };
        FoundRepair {
            repair: nothing,
            verified,
            reason,
            minimal: None,
            minimal_among: "",
        }
    }
}

/// The positions of additions in sets, small ones first; of many additions only small sets and all of them.
fn subsets(count: usize) -> Vec<Vec<usize>> {
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    for number in 0..count {
        let grown: Vec<Vec<usize>> = sets
            .iter()
            .filter(|set| count <= 6 || set.len() < 2)
            .map(|set| set.iter().copied().chain([number]).collect())
            .collect();
        sets.extend(grown);
    }
    sets.sort_by_key(Vec::len);
    sets.retain(|set| !set.is_empty() && set.len() < count);
    sets.truncate(MAX_SETS);
    if count > 0 {
        sets.push((0..count).collect());
    }
    sets
}

fn verified(after: &SemanticAnswer) -> (&'static str, String) {
    match after.verdict {
        Verdict::Holds(_) => ("yes", after.reason.clone()),
        Verdict::Fails(_) | Verdict::HoldsIf(..) => ("no", after.reason.clone()),
        Verdict::Unknown(_) => ("unknown", after.reason.clone()),
    }
}
