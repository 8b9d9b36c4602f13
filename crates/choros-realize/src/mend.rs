//! Additions that meet the criterion in force, and what becomes of the choreography with them.

use choros_model::Verdict;
use choros_model::stg::Stg;

use crate::realizability::{Criterion, Question};
use crate::semantic::{Semantic, Tools, semantic};
use crate::{Conditions, Repair, Stopped, repair};

/// A repair and what was found out about it.
#[derive(Debug, Clone)]
pub struct Mended {
    /// The additions.
    pub repair: Repair,
    /// Whether the projections of the repaired choreography conform to the original: yes, no, unknown.
    pub verified: &'static str,
    /// Why.
    pub reason: String,
    /// How small the set is known to be.
    pub minimal: Option<&'static str>,
    /// Among what it was looked for.
    pub minimal_among: &'static str,
}

/// More sets of additions than this are not tried.
const MOST_SETS: usize = 64;

/// More single messages than this are not tried.
const MOST_SINGLES: usize = 400;

/// No set can be smaller than one message where none does not do.
const WITHOUT_ANY: &str = "without any it fails";

/// Additions that meet the criterion in force; `None` when none were found.
pub(crate) fn mend(
    reachable: &Stg,
    found: &Conditions,
    before: &Semantic,
    asked: Question,
    tools: &mut Tools<'_>,
) -> Result<Option<Mended>, Stopped> {
    let whole = repair(
        reachable,
        asked.mode,
        found,
        tools.terms,
        tools.solver,
        tools.budget,
    )?;
    let Some(whole) = whole else { return Ok(None) };
    if asked.criterion == Criterion::Semantic {
        return smallest(reachable, &whole, before, asked, tools);
    }
    // What is missing if guards do not exclude each other is not among the additions.
    let settled = found.doubtful.is_empty();
    let minimal = whole.minimality.word().filter(|_| settled);
    let after = match whole.additions.is_empty() {
        true => before.clone(),
        false => semantic(reachable, &whole.stg, asked.mode, asked.effort, tools)?,
    };
    let (mut verified, mut reason) = verified(&after);
    if !settled && verified == "yes" {
        verified = "unknown";
        reason = format!("if guards exclude each other, which is not settled, {reason}");
    }
    if matches!(after.verdict, Verdict::Fails(_)) && !whole.additions.is_empty() {
        // A hidden addition may commit to a branch before the branch begins.
        let own = semantic(&whole.stg, &whole.stg, asked.mode, asked.effort, tools)?;
        if matches!(own.verdict, Verdict::Holds(_)) {
            reason = format!(
                "the roles do what the choreography with the additions says; with the additions hidden it is not \
                 quite the original: {reason}"
            );
        }
    }
    Ok(Some(Mended {
        repair: whole,
        verified,
        reason,
        minimal,
        minimal_among: match minimal {
            Some("proven") => "no fewer messages that mend broken conditions meet them all",
            _ => "none can be left out",
        },
    }))
}

/// The first of the smallest sets of these additions with which the projections conform, or else the first single
/// message with which they do.
fn smallest(
    reachable: &Stg,
    whole: &Repair,
    before: &Semantic,
    asked: Question,
    tools: &mut Tools<'_>,
) -> Result<Option<Mended>, Stopped> {
    let count = whole.additions.len();
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    for number in 0..count {
        // Powers of two grow fast: beyond the bound only small sets and the whole are left.
        let grown: Vec<Vec<usize>> = sets
            .iter()
            .filter(|set| count <= 6 || set.len() < 2)
            .map(|set| set.iter().copied().chain([number]).collect())
            .collect();
        sets.extend(grown);
    }
    sets.push((0..count).collect());
    sets.sort_by_key(Vec::len);
    sets.dedup();
    let exhaustive = count <= 6;
    let mut unsettled: Vec<String> = Vec::new();
    sets.truncate(MOST_SETS);
    let tried_sets = sets.len() - 1;
    for set in sets {
        let some = whole.only(&set, tools.terms);
        let after = match set.is_empty() {
            true => before.clone(),
            false => semantic(reachable, &some.stg, asked.mode, asked.effort, tools)?,
        };
        if matches!(after.verdict, Verdict::Holds(_)) {
            let (verified, reason) = verified(&after);
            return Ok(Some(Mended {
                // Without any the criterion is not met, so one is the least that could do.
                minimal: match (set.len(), exhaustive) {
                    (0 | 1, _) => Some("proven"),
                    (_, true) => Some("irreducible"),
                    (_, false) => None,
                },
                minimal_among: match set.len() {
                    0 | 1 => WITHOUT_ANY,
                    _ => "none can be left out",
                },
                repair: some,
                verified,
                reason,
            }));
        }
        if matches!(after.verdict, Verdict::Unknown(_)) {
            unsettled.push(after.reason);
        }
    }
    // The conditions look elsewhere: any message anywhere may do.
    let none = whole.only(&[], tools.terms);
    let singles = none.with_one_more(tools.terms);
    let count = singles.len();
    for one in singles.into_iter().take(MOST_SINGLES) {
        if let Err(spent) = tools.budget.spend() {
            unsettled.push(spent.to_string());
            break;
        }
        let after = semantic(reachable, &one.stg, asked.mode, asked.effort, tools)?;
        match after.verdict {
            Verdict::Unknown(_) => unsettled.push(after.reason.clone()),
            Verdict::Holds(_) => {
                let (verified, reason) = verified(&after);
                return Ok(Some(Mended {
                    repair: one,
                    verified,
                    reason,
                    minimal: Some("proven"),
                    minimal_among: WITHOUT_ANY,
                }));
            }
            _ => {}
        }
    }
    let tried = format!(
        "{tried_sets} sets of the messages that mend the conditions and {} single messages were tried, and the \
         projections conform with none of them",
        count.min(MOST_SINGLES)
    );
    let (verified, reason) = match unsettled.as_slice() {
        [] => ("no", tried),
        [first, ..] => {
            let number = unsettled.len();
            let doubt = format!("{tried}, except that {number} are not settled: {first}");
            ("unknown", doubt)
        }
    };
    Ok(Some(Mended {
        repair: none,
        verified,
        reason,
        minimal: None,
        minimal_among: "",
    }))
}

fn verified(after: &Semantic) -> (&'static str, String) {
    match after.verdict {
        Verdict::Holds(_) => ("yes", after.reason.clone()),
        Verdict::Fails(_) | Verdict::HoldsIf(..) => ("no", after.reason.clone()),
        Verdict::Unknown(_) => ("unknown", after.reason.clone()),
    }
}
