//! Do two machines of one participant do the same?
//!
//! Two machines have the same language when they have the same sequences of actions.
//! Languages are closed under prefixes, so it is enough to go through both at once, by sets of states, until one can
//! do what the other cannot.

use choros_base::{Budget, Names, StopReason};
use choros_model::cfsm::{Cfsm, LocalAction, LocalState};
use rustc_hash::FxHashSet;

/// A sequence of actions after which one machine can do what the other cannot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What both can do.
    pub word: Vec<LocalAction>,
    /// What only one can do then.
    pub action: LocalAction,
    /// Whether that is the first machine.
    pub only_in_first: bool,
}

impl Difference {
    /// What the original does and its mutant does not, or the other way round.
    pub fn text(&self, original: &Cfsm, names: &Names) -> String {
        let text = |action: LocalAction| action.text(original.participant(), names);
        let word: Vec<String> = self.word.iter().map(|&it| text(it)).collect();
        let after = if word.is_empty() {
            "at the start".to_owned()
        } else {
            format!("after {}", word.join(" "))
        };
        let action = text(self.action);
        let (who, not) = if self.only_in_first {
            ("the machine", "the mutant")
        } else {
            ("the mutant", "the machine")
        };
        let mut sentence = format!("{after} {who} does {action} and {not} does not");
        sentence.push_str(match (self.action.is_output(), self.only_in_first) {
            (false, false) => {
                ": it waits for one more message, and no test expects anything from it after that; only an acknowledgement would show it"
            }
            (true, true) => ": a component may do less than it may, as long as the others get on",
            (true, false) | (false, true) => ": the others accept both, so no test can detect it",
        });
        sentence
    }
}

/// A shortest difference of the languages of two machines; none if they have the same.
///
/// The budget is spent by the pair of sets, of which machines that are not deterministic may have very many.
pub fn difference(
    first: &Cfsm,
    second: &Cfsm,
    budget: &Budget,
) -> Result<Option<Difference>, StopReason> {
    let start = (vec![first.initial()], vec![second.initial()]);
    let mut seen: FxHashSet<(Vec<LocalState>, Vec<LocalState>)> = FxHashSet::default();
    seen.insert(start.clone());
    // Pairs of sets with the pair and the action they were first reached by.
    let mut pairs = vec![(start, None::<(usize, LocalAction)>)];
    let mut at = 0;
    while at < pairs.len() {
        budget.spend()?;
        let (left, right) = pairs[at].0.clone();
        let (ours, theirs) = (actions(first, &left), actions(second, &right));
        let missing = |some: &[LocalAction], other: &[LocalAction]| {
            some.iter().copied().find(|action| !other.contains(action))
        };
        let found = missing(&ours, &theirs)
            .map(|action| (action, true))
            .or_else(|| missing(&theirs, &ours).map(|action| (action, false)));
        if let Some((action, only_in_first)) = found {
            let mut word = Vec::new();
            let mut back = at;
            while let Some((before, action)) = pairs[back].1 {
                word.push(action);
                back = before;
            }
            word.reverse();
            return Ok(Some(Difference {
                word,
                action,
                only_in_first,
            }));
        }
        for action in ours {
            let next = (after(first, &left, action), after(second, &right, action));
            if seen.insert(next.clone()) {
                pairs.push((next, Some((at, action))));
            }
        }
        at += 1;
    }
    Ok(None)
}

/// What a set of states offers, in the order of the machine.
fn actions(machine: &Cfsm, states: &[LocalState]) -> Vec<LocalAction> {
    let mut all = Vec::new();
    for &state in states {
        for transition in machine.outgoing(state) {
            if !all.contains(&transition.action) {
                all.push(transition.action);
            }
        }
    }
    all
}

/// Where an action leads from a set of states, in the order of states.
fn after(machine: &Cfsm, states: &[LocalState], action: LocalAction) -> Vec<LocalState> {
    let mut targets: Vec<LocalState> = states
        .iter()
        .flat_map(|&state| machine.outgoing(state))
        .filter(|transition| transition.action == action)
        .map(|transition| transition.target)
        .collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}
