//! What a safety formula forbids, as an automaton over the steps of all sessions.
//!
//! `AG`, `[γ]`, *and*, and the negations of `EF` and `<γ>` say that no run begins with certain steps.
//! The automaton is nondeterministic: it guesses which part of the formula is violated, and comes to a bad state on
//! some run iff the formula does not hold.
//! Data of actions are not examined: an action that may match does, so no violation is missed.

use choros_base::Names;
use choros_query::socl::{Actions, Formula, NodeId, NodeKind, Quantifier};

/// What a formula sees of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen<'a> {
    Nothing,
    /// An action of this name.
    Action(&'a str),
}

/// The automaton.
#[derive(Debug, Clone, Default)]
pub struct Observer {
    /// Where it starts: all of these at once.
    pub start: Vec<usize>,
    /// States in which something that is forbidden has happened.
    pub bad: Vec<usize>,
    states: Vec<State>,
}

#[derive(Debug, Clone, Default)]
struct State {
    /// Whether it stays here whatever happens.
    stays: bool,
    /// Steps that lead on.
    edges: Vec<(Actions, usize)>,
    /// States that it is in as well.
    with: Vec<usize>,
}

impl Observer {
    /// The automaton of a formula; none for one that forbids no beginnings of runs.
    pub fn of(formula: &Formula) -> Option<Observer> {
        let mut observer = Observer::default();
        let start = observer.state(false);
        observer.forbid(formula, formula.root(), true, start)?;
        observer.start = observer.closure(start);
        Some(observer)
    }

    /// How many states it has.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether it has no state; none has.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Where it may be after a step.
    pub fn after(&self, state: usize, step: Seen<'_>, names: &Names) -> Vec<usize> {
        let mut found = Vec::new();
        if self.states[state].stays {
            found.extend(self.closure(state));
        }
        for (actions, target) in &self.states[state].edges {
            if may_match(actions, step, names).0 {
                found.extend(self.closure(*target));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn state(&mut self, stays: bool) -> usize {
        self.states.push(State {
            stays,
            ..State::default()
        });
        self.states.len() - 1
    }

    fn closure(&self, state: usize) -> Vec<usize> {
        let mut found = vec![state];
        let mut next = 0;
        while next < found.len() {
            for &other in &self.states[found[next]].with {
                if !found.contains(&other) {
                    found.push(other);
                }
            }
            next += 1;
        }
        found
    }

    /// Adds what makes a part of the formula false, or true if it stands under a negation, from this state on.
    // Formulas nest only as deep as their parser allows.
    fn forbid(&mut self, formula: &Formula, part: NodeId, positive: bool, at: usize) -> Option<()> {
        match (&formula.node(part).kind, positive) {
            (NodeKind::Constant(value), _) => {
                if *value != positive {
                    self.bad.push(at);
                }
                Some(())
            }
            (NodeKind::Not(inner), _) => self.forbid(formula, *inner, !positive, at),
            (NodeKind::And(parts), true) | (NodeKind::Or(parts), false) => {
                for &part in parts {
                    self.forbid(formula, part, positive, at)?;
                }
                Some(())
            }
            (NodeKind::Always(Quantifier::All, inner), true)
            | (NodeKind::Eventually(Quantifier::Some, None, inner), false) => {
                let next = self.state(true);
                self.states[at].with.push(next);
                self.forbid(formula, *inner, positive, next)
            }
            (NodeKind::Box(actions, inner), true)
            | (NodeKind::Diamond(actions, inner), false)
            | (NodeKind::Next(Quantifier::Some, actions, inner), false) => {
                let next = self.state(false);
                self.states[at].edges.push((actions.clone(), next));
                self.forbid(formula, *inner, positive, next)
            }
            (NodeKind::Eventually(Quantifier::Some, Some(actions), inner), false) => {
                let always = self.state(true);
                self.states[at].with.push(always);
                let next = self.state(false);
                self.states[always].edges.push((actions.clone(), next));
                self.forbid(formula, *inner, positive, next)
            }
            _ => None,
        }
    }
}

/// Whether a step may match, and whether it may fail to, for some data.
fn may_match(actions: &Actions, step: Seen<'_>, names: &Names) -> (bool, bool) {
    match actions {
        Actions::Constant(value) => (*value, !*value),
        Actions::Silent => (step == Seen::Nothing, step != Seen::Nothing),
        Actions::Atom(atom) => {
            let same = step == Seen::Action(names.text(atom.kind));
            let about_data = !atom.arguments.is_empty() || !atom.conditions.is_empty();
            (same, !same || about_data)
        }
        Actions::Not(inner) => {
            let (yes, no) = may_match(inner, step, names);
            (no, yes)
        }
        Actions::And(parts) => parts.iter().fold((true, false), |(yes, no), part| {
            let one = may_match(part, step, names);
            (yes && one.0, no || one.1)
        }),
        Actions::Or(parts) => parts.iter().fold((false, true), |(yes, no), part| {
            let one = may_match(part, step, names);
            (yes || one.0, no && one.1)
        }),
    }
}
