//! A run that someone chooses step by step, as the interpreters of CMC and SChorA let them.
//!
//! A walk is a function of its choices: going back is leaving out the last of them, and a run that was saved is taken
//! again by the same numbers.

use crate::evidence::{Binding, Configuration, Step, Trace};
use crate::lts::{ActionId, Lts, StateId, step_event};

/// Where a run stands, and what may follow.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// The run so far.
    pub run: Trace,
    /// Where each part stands, and what is under way between them.
    pub configuration: Configuration,
    /// What each role has sent or received, by the name of the variable.
    pub known: Vec<(String, Vec<Binding>)>,
    /// What may follow, in the order of the model.
    pub offers: Vec<WalkOption>,
    /// Whether the run may end here.
    pub may_end: bool,
    /// Why not all that may follow is known.
    pub cut: Option<String>,
}

/// A step that may follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkOption {
    pub event: String,
    /// The state that it leads to.
    pub target: String,
    /// The variables whose values are to be chosen, with their sorts.
    pub open_variables: Vec<(String, String)>,
    /// Values to choose, and what they are good for.
    pub proposals: Vec<Proposal>,
    /// Why it cannot be taken here; none where it can.
    pub refused: Option<String>,
}

/// Values for what an offer wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// What may happen after it with these values, or only with others.
    pub next: String,
    /// The values, printed; none where no values let it happen, or where that is not known.
    pub values: Result<Vec<Binding>, String>,
}

/// A choice that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedChoice {
    /// Which one, from 0.
    pub position: usize,
    /// Why.
    pub reason: String,
}

/// Goes through a system by the numbers of its steps, counted from 1.
pub fn walk(system: &mut dyn Lts, choices: &[usize]) -> Result<Walk, RefusedChoice> {
    let mut here = system.initial();
    let mut run = Trace::default();
    for (position, &choice) in choices.iter().enumerate() {
        let (offers, _) = follow(system, here);
        let chosen = choice.checked_sub(1).and_then(|it| offers.get(it));
        let &(action, target) = chosen.ok_or_else(|| RefusedChoice {
            position,
            reason: match offers.len() {
                0 => "nothing can follow there".to_owned(),
                count => format!("there is no step {choice}; the last is {count}"),
            },
        })?;
        run.steps.push(Step {
            event: step_event(system.action(action), system.terms()),
            guard: None,
            bindings: Vec::new(),
            states: Some((system.describe(here), system.describe(target))),
            origin: None,
        });
        here = target;
    }
    let (follow, cut) = follow(system, here);
    let offers = follow.into_iter().map(|(action, target)| WalkOption {
        event: system.action(action).text(system.terms()),
        target: system.describe(target),
        open_variables: Vec::new(),
        proposals: Vec::new(),
        refused: None,
    });
    Ok(Walk {
        run,
        offers: offers.collect(),
        configuration: system.configuration(here),
        known: Vec::new(),
        may_end: system.ended(here),
        cut,
    })
}

fn follow(system: &mut dyn Lts, state: StateId) -> (Vec<(ActionId, StateId)>, Option<String>) {
    let mut successors = Vec::new();
    let cut = match system.successors(state, &mut successors) {
        Ok(extent) => extent.cut_by().map(|it| it.reason.clone()),
        Err(stuck) => Some(stuck.reason),
    };
    (successors, cut)
}

#[cfg(test)]
mod tests {
    use choros_base::SourceMap;

    use super::*;
    use crate::lts::read_aut;

    fn coin() -> crate::lts::ExplicitLts {
        let mut sources = SourceMap::new();
        let text = "des (0, 3, 3)\n(0, \"coin\", 1)\n(1, \"tea\", 2)\n(1, \"coffee\", 0)\n";
        let file = sources.add("coin.aut", text);
        let (lts, found) = read_aut(file, text);
        assert!(found.is_empty(), "{found:?}");
        lts
    }

    #[test]
    fn choices_are_numbers() {
        let walk = walk(&mut coin(), &[1, 2, 1]).expect("three steps");
        assert_eq!(walk.run.steps.len(), 3);
        let events: Vec<&str> = walk.offers.iter().map(|it| it.event.as_str()).collect();
        assert_eq!(events, ["tea", "coffee"]);
    }

    #[test]
    fn a_number_that_is_not_there_is_refused() {
        let refused = walk(&mut coin(), &[1, 3]).expect_err("there is no third");
        assert_eq!(refused.position, 1);
        assert!(walk(&mut coin(), &[0]).is_err());
        let refused = walk(&mut coin(), &[1, 1, 1]).expect_err("tea is the end");
        assert_eq!(refused.reason, "nothing can follow there");
    }
}
