//! The definitions to the letter, on a system that is all there: the oracle of random tests.
//!
//! Every sub-formula is evaluated in all states for one assignment of its variables, and fixpoints are iterated until
//! nothing changes.
//! Derived operators are replaced by what they are defined as.

use choros_base::{Name, Names};
use choros_model::lts::{ActionId, ExplicitLts, Lts};
use choros_query::abstraction::{Abstraction, StateLabels, activity};
use choros_query::socl::{
    Actions, Arity, Formula, GroundAction, NodeId, NodeKind, Quantifier, Variable, match_actions,
    match_atom,
};

/// Values of variables.
pub type Values = Vec<(Variable, Name)>;

/// A system whose labels are abstract.
pub struct Naive<'a> {
    formula: &'a Formula,
    arity: Arity,
    /// Steps of each state: actions and target.
    steps: Vec<Vec<(Vec<GroundAction>, usize)>>,
    propositions: Vec<Vec<GroundAction>>,
    /// Steps that are assumed fair.
    fair: Vec<Actions>,
}

impl<'a> Naive<'a> {
    /// Applies the rules to everything.
    pub fn new(
        lts: &ExplicitLts,
        abstraction: &Abstraction,
        state_labels: StateLabels,
        names: &mut Names,
        formula: &'a Formula,
        arity: Arity,
    ) -> Self {
        let mut used = vec![false; abstraction.rules().len()];
        let mut steps = Vec::new();
        let mut propositions = Vec::new();
        for state in lts.states() {
            let mut leaving = Vec::new();
            let mut ready: Vec<ActionId> = Vec::new();
            for &(action, target) in lts.transitions(state) {
                let made = match activity(lts.action(action), lts.terms(), names) {
                    Some(activity) => abstraction.actions(&activity, &mut used),
                    None => Vec::new(),
                };
                leaving.push((made, target.index()));
                ready.push(action);
            }
            if state_labels == StateLabels::Model {
                ready.clear();
                let mut system = lts.clone();
                // An explicit system knows all its propositions.
                let _ = system.propositions(state, &mut ready);
            }
            let mut holding = Vec::new();
            for action in ready {
                if let Some(activity) = activity(lts.action(action), lts.terms(), names) {
                    holding.extend(abstraction.propositions(&activity, names, &mut used));
                }
            }
            steps.push(leaving);
            propositions.push(holding);
        }
        Self {
            formula,
            arity,
            steps,
            propositions,
            fair: Vec::new(),
        }
    }

    /// Only paths that are fair to these steps count.
    #[must_use]
    pub fn assuming_fair(mut self, fair: &[Actions]) -> Self {
        self.fair = fair.to_vec();
        self
    }

    /// The states in which a sub-formula holds, its free variables having these values.
    pub fn states(&self, node: NodeId, values: &Values) -> Vec<bool> {
        let all = 0..self.steps.len();
        let not = |states: Vec<bool>| states.into_iter().map(|it| !it).collect::<Vec<bool>>();
        match &self.formula.node(node).kind {
            NodeKind::Constant(value) => vec![*value; all.len()],
            NodeKind::State(_) => unreachable!("systems of states have no data"),
            NodeKind::Proposition(atom) => all
                .map(|state| {
                    self.propositions[state].iter().any(|closed| {
                        match_atom(atom, closed, &|it| value_of(values, it), self.arity).is_some()
                    })
                })
                .collect(),
            NodeKind::Not(part) => not(self.states(*part, values)),
            NodeKind::And(parts) => {
                let parts: Vec<Vec<bool>> =
                    parts.iter().map(|&it| self.states(it, values)).collect();
                all.map(|state| parts.iter().all(|part| part[state]))
                    .collect()
            }
            NodeKind::Or(parts) => {
                let parts: Vec<Vec<bool>> =
                    parts.iter().map(|&it| self.states(it, values)).collect();
                all.map(|state| parts.iter().any(|part| part[state]))
                    .collect()
            }
            NodeKind::Implies(left, right) => {
                let (left, right) = (self.states(*left, values), self.states(*right, values));
                all.map(|state| !left[state] || right[state]).collect()
            }
            NodeKind::Next(Quantifier::Some, actions, part) | NodeKind::Diamond(actions, part) => {
                let good = self.good(actions, *part, values);
                all.map(|state| good[state].contains(&true)).collect()
            }
            NodeKind::Next(Quantifier::All, actions, part) => {
                let good = self.good(actions, *part, values);
                all.map(|state| !good[state].is_empty() && !good[state].contains(&false))
                    .collect()
            }
            // `[γ] φ` is `not EX {γ} not φ`.
            NodeKind::Box(actions, part) => all
                .map(|state| {
                    self.steps[state].iter().all(|(label, target)| {
                        self.ways(actions, label, values)
                            .iter()
                            .all(|way| self.states(*part, way)[*target])
                    })
                })
                .collect(),
            // `AG φ` is `not EF not φ`, and `EF φ` is `φ or E[true {tt} U {tt} φ]`.
            NodeKind::Always(Quantifier::All, part) => {
                let fails = not(self.states(*part, values));
                let good = self.reaching(&Actions::Constant(true), &fails, values);
                let later = self.path(&Path {
                    quantifier: Quantifier::Some,
                    weak: false,
                    left: vec![true; all.len()],
                    leads: self.leads(&Actions::Constant(true), values),
                    good,
                });
                all.map(|state| !fails[state] && !later[state]).collect()
            }
            NodeKind::Always(Quantifier::Some, part) => self.path(&Path {
                quantifier: Quantifier::Some,
                weak: true,
                left: self.states(*part, values),
                leads: self.leads(&Actions::Constant(true), values),
                good: self.steps.iter().map(|it| vec![false; it.len()]).collect(),
            }),
            NodeKind::Eventually(quantifier, actions, part) => {
                let truth = vec![true; all.len()];
                let every = Actions::Constant(true);
                self.until(
                    *quantifier,
                    false,
                    truth,
                    &every,
                    actions.as_ref(),
                    *part,
                    values,
                )
            }
            NodeKind::Until(until) => self.until(
                until.quantifier,
                until.weak,
                self.states(until.left, values),
                &until.steps,
                until.last.as_ref(),
                until.right,
                values,
            ),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "an until has that many parts")]
    fn until(
        &self,
        quantifier: Quantifier,
        weak: bool,
        left: Vec<bool>,
        steps: &Actions,
        last: Option<&Actions>,
        right: NodeId,
        values: &Values,
    ) -> Vec<bool> {
        let leads = self.leads(steps, values);
        match last {
            Some(last) => self.path(&Path {
                quantifier,
                weak,
                left,
                leads,
                good: self.good(last, right, values),
            }),
            // `E[φ {χ} U φ']` is `φ' or E[φ {χ} U {χ} φ']`.
            None => {
                let now = self.states(right, values);
                let good = self.reaching(steps, &now, values);
                let later = self.path(&Path {
                    quantifier,
                    weak,
                    left,
                    leads,
                    good,
                });
                now.iter()
                    .zip(later)
                    .map(|(now, later)| *now || later)
                    .collect()
            }
        }
    }

    fn path(&self, path: &Path) -> Vec<bool> {
        let count = self.steps.len();
        let mut current = vec![path.weak; count];
        loop {
            let next: Vec<bool> = (0..count)
                .map(|state| {
                    let step = |(index, (_, target)): (usize, &(Vec<GroundAction>, usize))| {
                        path.good[state][index] || (path.leads[state][index] && current[*target])
                    };
                    let mut steps = self.steps[state].iter().enumerate().map(step);
                    let final_state = self.steps[state].is_empty();
                    path.left[state]
                        && match path.quantifier {
                            _ if final_state => path.weak,
                            Quantifier::Some => steps.any(|it| it),
                            Quantifier::All => steps.all(|it| it),
                        }
                })
                .collect();
            if next == current {
                break;
            }
            current = next;
        }
        let is_endless = path.weak == (path.quantifier == Quantifier::Some);
        if self.fair.is_empty() || !is_endless {
            return current;
        }
        // Where some fair path stays on the way: with `E` one that never needs an end, with `A` one that never has a
        // good step.
        let goes = |state: usize, index: usize| {
            let bad = path.weak || !path.good[state][index];
            path.left[state] && path.leads[state][index] && bad
        };
        let settled = |state: usize| {
            let last = self.steps[state].is_empty();
            let good = &path.good[state];
            if path.weak {
                path.left[state] && (last || good.contains(&true))
            } else {
                let mut steps = good.iter().zip(&path.leads[state]);
                !path.left[state] || last || steps.any(|(good, leads)| !good && !leads)
            }
        };
        let endless = self.fair_forever(&goes);
        let start: Vec<bool> = (0..count).map(|it| endless[it] || settled(it)).collect();
        let reached = self.reaching_by(&goes, start);
        reached.into_iter().map(|it| it == path.weak).collect()
    }

    /// The states from which steps lead to these.
    fn reaching_by(&self, goes: &dyn Fn(usize, usize) -> bool, mut set: Vec<bool>) -> Vec<bool> {
        loop {
            let mut changed = false;
            for state in 0..set.len() {
                let mut steps = self.steps[state].iter().enumerate();
                if !set[state] && steps.any(|(index, (_, to))| goes(state, index) && set[*to]) {
                    set[state] = true;
                    changed = true;
                }
            }
            if !changed {
                return set;
            }
        }
    }

    /// The states with an endless fair path of these steps: the largest set from each state of which, for each
    /// assumption, such steps lead to a state of the set without a step of the assumption, or by such a step into it
    /// (Emerson and Lei).
    fn fair_forever(&self, goes: &dyn Fn(usize, usize) -> bool) -> Vec<bool> {
        let is = |fair: &Actions, label: &[GroundAction]| {
            !match_actions(fair, label, &|_| None, self.arity).is_empty()
        };
        let mut set = vec![true; self.steps.len()];
        loop {
            let before = set.clone();
            for fair in &self.fair {
                let idle = |state: usize| !self.steps[state].iter().any(|(it, _)| is(fair, it));
                let now: Vec<bool> = (0..set.len())
                    .map(|state| {
                        let mut steps = self.steps[state].iter().enumerate();
                        steps.any(|(index, (label, to))| {
                            let met = idle(*to) || is(fair, label);
                            goes(state, index) && set[*to] && met
                        })
                    })
                    .collect();
                let reached = self.reaching_by(goes, now);
                for (one, reached) in set.iter_mut().zip(reached) {
                    *one &= reached;
                }
            }
            if set == before {
                return set;
            }
        }
    }

    fn ways(&self, actions: &Actions, label: &[GroundAction], values: &Values) -> Vec<Values> {
        match_actions(actions, label, &|it| value_of(values, it), self.arity)
            .into_iter()
            .map(|mut way| {
                way.extend(values.iter().copied());
                way
            })
            .collect()
    }

    fn good(&self, actions: &Actions, part: NodeId, values: &Values) -> Vec<Vec<bool>> {
        self.each_step(|label, target| {
            self.ways(actions, label, values)
                .iter()
                .any(|way| self.states(part, way)[target])
        })
    }

    fn reaching(&self, actions: &Actions, into: &[bool], values: &Values) -> Vec<Vec<bool>> {
        self.each_step(|label, target| {
            !self.ways(actions, label, values).is_empty() && into[target]
        })
    }

    fn leads(&self, actions: &Actions, values: &Values) -> Vec<Vec<bool>> {
        self.each_step(|label, _| !self.ways(actions, label, values).is_empty())
    }

    fn each_step(&self, holds: impl Fn(&[GroundAction], usize) -> bool) -> Vec<Vec<bool>> {
        self.steps
            .iter()
            .map(|steps| {
                steps
                    .iter()
                    .map(|(label, target)| holds(label, *target))
                    .collect()
            })
            .collect()
    }
}

struct Path {
    quantifier: Quantifier,
    weak: bool,
    left: Vec<bool>,
    leads: Vec<Vec<bool>>,
    good: Vec<Vec<bool>>,
}

fn value_of(values: &Values, variable: Variable) -> Option<Name> {
    values
        .iter()
        .find(|(other, _)| *other == variable)
        .map(|it| it.1)
}
