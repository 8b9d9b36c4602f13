//! Truth of sub-formulas in states, judgement by judgement.
//!
//! A judgement says that a temporal sub-formula, whose variables have values, is true or false in a state.
//! It is checked against the steps of that state, which the system itself gives, and against other judgements: about
//! smaller sub-formulas, or about the same one after a step.
//! Where going on forever would not do (an *until* that is true, a weak one that is false), the judgement after a step
//! must have a smaller rank.
//! Everything else, propositions and connectives, is computed here.
//!
//! **Why that is enough.**
//! By induction on sub-formulas.
//! An operator over paths is the least or the greatest solution of its equation.
//! Judgements without ranks are a set that is closed under the equation, so the greatest solution contains it; judgements
//! with ranks have a proof of finite depth, so they are in the least one.

use std::rc::Rc;

use choros_base::{Budget, Name, Names};
use choros_model::lts::{ActionId, Extent, Lts, StateId};
use choros_query::abstraction::{Abstraction, StateLabels, activity};
use choros_query::socl::{
    Actions, Arity, Bindings, Formula, GroundAction, NodeId, NodeKind, Quantifier, Variable,
    match_actions, match_atom,
};
use rustc_hash::FxHashMap;

use crate::flaw::Flaw;

/// A formula and how it is read.
#[derive(Debug, Clone, Copy)]
pub struct AskedFormula<'a> {
    pub formula: &'a Formula,
    /// What concrete actions and states mean.
    pub abstraction: &'a Abstraction,
    /// Where propositions come from.
    pub state_labels: StateLabels,
    /// How many arguments an action must name.
    pub arity: Arity,
    /// Steps that are assumed fair.
    pub fair: &'a [Actions],
}

/// What the truth of a formula rests on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Judgements {
    /// How states are reached: the number of an earlier one and the number of its step; the first is the initial state
    /// and not listed.
    pub states: Vec<(u32, u32)>,
    /// What is true or false in them.
    pub all: Vec<Judgement>,
}

/// A temporal sub-formula is true or false in a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The number of the state.
    pub state: u32,
    /// The sub-formula.
    pub node: NodeId,
    /// One per free variable of the sub-formula.
    pub values: Vec<Name>,
    /// Whether it is true.
    pub truth: bool,
    /// How far its reason is away; counts only where going on forever would not do.
    pub rank: u32,
}

/// Whether a formula has this truth value in the initial state, because of these judgements.
pub fn check_judgements(
    system: &mut dyn Lts,
    asked: &AskedFormula<'_>,
    claim: bool,
    proof: &Judgements,
    names: &mut Names,
    budget: &Budget,
) -> Result<(), Flaw> {
    if !asked.fair.is_empty() {
        return Err(Flaw::wrong("judgements say nothing about fairness"));
    }
    let mut checker = Checker {
        used: vec![false; asked.abstraction.rules().len()],
        asked: *asked,
        known: FxHashMap::default(),
        steps: FxHashMap::default(),
        labels: FxHashMap::default(),
        propositions: FxHashMap::default(),
        open: None,
        system,
        names,
    };
    let states = checker.reach(&proof.states)?;
    let count = asked.formula.nodes().count();
    for judgement in &proof.all {
        let Some(&state) = states.get(judgement.state as usize) else {
            return Err(Flaw::wrong(
                "a judgement is about a state that is not listed",
            ));
        };
        let node = judgement.node;
        if node.index() >= count || asked.formula.node(node).free.len() != judgement.values.len() {
            return Err(Flaw::wrong(
                "a judgement is about a sub-formula that is not there",
            ));
        }
        let key = (state, node, judgement.values.clone(), judgement.truth);
        let rank = checker.known.entry(key).or_insert(judgement.rank);
        *rank = judgement.rank.min(*rank);
    }
    for (at, judgement) in proof.all.iter().enumerate() {
        budget.spend().map_err(Flaw::spent)?;
        let state = states[judgement.state as usize];
        if !checker.is_right(state, judgement) {
            return Err(checker.doubt(format!("judgement {at} is not as it should be")));
        }
    }
    let root = asked.formula.root();
    if checker.shown(states[0], root, &Bindings::new(), claim) {
        Ok(())
    } else {
        Err(checker.doubt("the judgements do not show the claim".to_owned()))
    }
}

struct Checker<'a> {
    system: &'a mut dyn Lts,
    asked: AskedFormula<'a>,
    names: &'a mut Names,
    /// Judgements and their ranks.
    known: FxHashMap<(StateId, NodeId, Vec<Name>, bool), u32>,
    steps: FxHashMap<StateId, Option<Rc<[Step]>>>,
    labels: FxHashMap<ActionId, Rc<[GroundAction]>>,
    propositions: FxHashMap<StateId, Option<Rc<[GroundAction]>>>,
    /// Why the system could not say more, where it could not.
    open: Option<String>,
    /// Which rules matched, of which nothing is said here.
    used: Vec<bool>,
}

/// What leaves a state.
#[derive(Clone)]
struct Step {
    label: Rc<[GroundAction]>,
    action: ActionId,
    target: StateId,
}

/// An operator over paths.
struct OverPaths<'f> {
    quantifier: Quantifier,
    /// Whether going on forever, or to an end, is enough.
    weak: bool,
    left: Option<NodeId>,
    /// Which steps lead on; all, by default.
    steps: Option<&'f Actions>,
    target: Target<'f>,
}

enum Target<'f> {
    Nothing,
    State(NodeId),
    Step(&'f Actions, NodeId),
}

impl<'f> OverPaths<'f> {
    fn of(kind: &'f NodeKind) -> Option<OverPaths<'f>> {
        let target = |last: &'f Option<Actions>, right| match last {
            Some(actions) => Target::Step(actions, right),
            None => Target::State(right),
        };
        Some(match kind {
            NodeKind::Always(quantifier, part) => OverPaths {
                quantifier: *quantifier,
                weak: true,
                left: Some(*part),
                steps: None,
                target: Target::Nothing,
            },
            NodeKind::Eventually(quantifier, last, part) => OverPaths {
                quantifier: *quantifier,
                weak: false,
                left: None,
                steps: None,
                target: target(last, *part),
            },
            NodeKind::Until(until) => OverPaths {
                quantifier: until.quantifier,
                weak: until.weak,
                left: Some(until.left),
                steps: Some(&until.steps),
                target: target(&until.last, until.right),
            },
            _ => return None,
        })
    }
}

impl<'a> Checker<'a> {
    /// The states that are listed.
    fn reach(&mut self, listed: &[(u32, u32)]) -> Result<Vec<StateId>, Flaw> {
        let mut states = vec![self.system.initial()];
        for &(from, step) in listed {
            let Some(&from) = states.get(from as usize) else {
                return Err(Flaw::wrong(
                    "a state is reached from one that is listed later",
                ));
            };
            let steps = match self.steps(from) {
                Some(steps) => steps,
                None => return Err(self.doubt("a state cannot be reached".to_owned())),
            };
            match steps.get(step as usize) {
                Some(step) => states.push(step.target),
                None => {
                    return Err(Flaw::wrong(
                        "a state is reached by a step that is not there",
                    ));
                }
            }
        }
        Ok(states)
    }

    fn doubt(&self, text: String) -> Flaw {
        match &self.open {
            Some(reason) => Flaw::open(format!("{text}: {reason}"), None),
            None => Flaw::Wrong(text),
        }
    }

    /// All steps of a state; none where the system cannot tell them all.
    fn steps(&mut self, state: StateId) -> Option<Rc<[Step]>> {
        if let Some(known) = self.steps.get(&state) {
            return known.clone();
        }
        let mut found = Vec::new();
        let steps = match self.system.successors(state, &mut found) {
            Ok(Extent::Whole) => {
                let steps = found.into_iter().map(|(action, target)| Step {
                    label: self.label(action),
                    action,
                    target,
                });
                Some(steps.collect::<Vec<_>>().into())
            }
            Ok(Extent::Cut(cut)) => {
                self.open.get_or_insert(cut.reason);
                None
            }
            Err(stuck) => {
                self.open.get_or_insert(stuck.reason);
                None
            }
        };
        self.steps.insert(state, steps.clone());
        steps
    }

    fn label(&mut self, action: ActionId) -> Rc<[GroundAction]> {
        if let Some(known) = self.labels.get(&action) {
            return known.clone();
        }
        let taken = activity(self.system.action(action), self.system.terms(), self.names);
        let actions = taken.map(|it| self.asked.abstraction.actions(&it, &mut self.used));
        let label: Rc<[GroundAction]> = actions.unwrap_or_default().into();
        self.labels.insert(action, label.clone());
        label
    }

    /// What holds in a state.
    fn propositions(&mut self, state: StateId) -> Option<Rc<[GroundAction]>> {
        if let Some(known) = self.propositions.get(&state) {
            return known.clone();
        }
        let bearers: Option<Vec<ActionId>> = match self.asked.state_labels {
            StateLabels::Steps => self
                .steps(state)
                .map(|steps| steps.iter().map(|it| it.action).collect()),
            StateLabels::Model => {
                let mut found = Vec::new();
                match self.system.propositions(state, &mut found) {
                    Ok(()) => Some(found),
                    Err(stuck) => {
                        self.open.get_or_insert(stuck.reason);
                        None
                    }
                }
            }
        };
        let holding = bearers.map(|bearers| {
            let mut holding = Vec::new();
            for action in bearers {
                let taken = activity(self.system.action(action), self.system.terms(), self.names);
                if let Some(taken) = taken {
                    let abstraction = self.asked.abstraction;
                    holding.extend(abstraction.propositions(&taken, self.names, &mut self.used));
                }
            }
            Rc::from(holding)
        });
        self.propositions.insert(state, holding.clone());
        holding
    }

    /// Whether a sub-formula is known to have this truth value in a state.
    ///
    /// Formulas are no deeper than their reader allows.
    fn shown(&mut self, state: StateId, node: NodeId, values: &Bindings, truth: bool) -> bool {
        let formula: &'a Formula = self.asked.formula;
        match &formula.node(node).kind {
            NodeKind::Constant(value) => *value == truth,
            // Systems of states have no data.
            NodeKind::State(_) => false,
            NodeKind::Proposition(atom) => {
                let Some(holding) = self.propositions(state) else {
                    return false;
                };
                let arity = self.asked.arity;
                let value = |variable| value_of(values, variable);
                let mut holding = holding.iter();
                holding.any(|it| match_atom(atom, it, &value, arity).is_some()) == truth
            }
            NodeKind::Not(part) => self.shown(state, *part, values, !truth),
            NodeKind::And(parts) if truth => parts
                .iter()
                .all(|&part| self.shown(state, part, values, true)),
            NodeKind::And(parts) => parts
                .iter()
                .any(|&part| self.shown(state, part, values, false)),
            NodeKind::Or(parts) if truth => parts
                .iter()
                .any(|&part| self.shown(state, part, values, true)),
            NodeKind::Or(parts) => parts
                .iter()
                .all(|&part| self.shown(state, part, values, false)),
            NodeKind::Implies(left, right) if truth => {
                self.shown(state, *left, values, false) || self.shown(state, *right, values, true)
            }
            NodeKind::Implies(left, right) => {
                self.shown(state, *left, values, true) && self.shown(state, *right, values, false)
            }
            _ => self.judged(state, node, values, truth, None),
        }
    }

    /// Whether there is a judgement, with a rank below this one where one is given.
    fn judged(
        &self,
        state: StateId,
        node: NodeId,
        values: &Bindings,
        truth: bool,
        below: Option<u32>,
    ) -> bool {
        let free = self.asked.formula.node(node).free.iter();
        let values: Option<Vec<Name>> = free.map(|&it| value_of(values, it)).collect();
        let rank = values.and_then(|values| self.known.get(&(state, node, values, truth)));
        rank.is_some_and(|&rank| below.is_none_or(|below| rank < below))
    }

    /// Whether a judgement follows from the others.
    fn is_right(&mut self, state: StateId, judgement: &Judgement) -> bool {
        let formula: &'a Formula = self.asked.formula;
        let node = formula.node(judgement.node);
        let values: Bindings = node
            .free
            .iter()
            .copied()
            .zip(judgement.values.iter().copied())
            .collect();
        let truth = judgement.truth;
        if let Some(operator) = OverPaths::of(&node.kind) {
            return self.goes_on(state, &operator, judgement, &values);
        }
        let (NodeKind::Next(_, actions, part)
        | NodeKind::Diamond(actions, part)
        | NodeKind::Box(actions, part)) = &node.kind
        else {
            return false;
        };
        let Some(steps) = self.steps(state) else {
            return false;
        };
        let mut good =
            |step: &Step, truth: bool| self.is_good(step, actions, *part, &values, truth);
        match (&node.kind, truth) {
            (NodeKind::Next(Quantifier::All, ..), true) => {
                !steps.is_empty() && steps.iter().all(|step| good(step, true))
            }
            (NodeKind::Next(Quantifier::All, ..), false) => {
                steps.is_empty() || steps.iter().any(|step| good(step, false))
            }
            (NodeKind::Box(..), truth) => self.is_boxed(&steps, actions, *part, &values, truth),
            (_, true) => steps.iter().any(|step| good(step, true)),
            (_, false) => steps.iter().all(|step| good(step, false)),
        }
    }

    /// `[γ] φ`: every step that satisfies `γ`, in whatever way, leads to where `φ` holds.
    fn is_boxed(
        &mut self,
        steps: &[Step],
        actions: &Actions,
        part: NodeId,
        values: &Bindings,
        truth: bool,
    ) -> bool {
        let mut leading = |step: &Step| {
            let mut ways = self.ways(actions, &step.label, values).into_iter();
            if truth {
                ways.all(|way| self.shown(step.target, part, &way, true))
            } else {
                ways.any(|way| self.shown(step.target, part, &way, false))
            }
        };
        if truth {
            steps.iter().all(&mut leading)
        } else {
            steps.iter().any(&mut leading)
        }
    }

    /// Whether a step is known to satisfy `γ` and lead to where a part holds; or, with `false`, not to.
    fn is_good(
        &mut self,
        step: &Step,
        actions: &Actions,
        part: NodeId,
        values: &Bindings,
        truth: bool,
    ) -> bool {
        let mut ways = self.ways(actions, &step.label, values).into_iter();
        if truth {
            ways.any(|way| self.shown(step.target, part, &way, true))
        } else {
            ways.all(|way| self.shown(step.target, part, &way, false))
        }
    }

    /// The ways in which a label satisfies `γ`, each with all values.
    fn ways(&self, actions: &Actions, label: &[GroundAction], values: &Bindings) -> Vec<Bindings> {
        let value = |variable| value_of(values, variable);
        let mut ways = match_actions(actions, label, &value, self.asked.arity);
        for way in &mut ways {
            way.extend(values.iter().copied());
        }
        ways
    }

    /// One unfolding of an operator over paths.
    fn goes_on(
        &mut self,
        state: StateId,
        operator: &OverPaths<'_>,
        judgement: &Judgement,
        values: &Bindings,
    ) -> bool {
        let (truth, node) = (judgement.truth, judgement.node);
        let now = match operator.target {
            Target::State(right) => self.shown(state, right, values, truth),
            Target::Nothing | Target::Step(..) => !truth,
        };
        let left = match operator.left {
            Some(left) => self.shown(state, left, values, truth),
            None => truth,
        };
        match (truth, now, left) {
            (true, true, _) | (false, true, true) => return true,
            (true, false, false) | (false, false, _) => return false,
            (true, false, true) | (false, true, false) => {}
        }
        let Some(steps) = self.steps(state) else {
            return false;
        };
        if steps.is_empty() {
            return operator.weak == truth;
        }
        let below = (operator.weak != truth).then_some(judgement.rank);
        let mut fits = |step: &Step| {
            let leads = match operator.steps {
                Some(actions) => !self.ways(actions, &step.label, values).is_empty(),
                None => true,
            };
            let good = match operator.target {
                Target::Step(actions, right) => self.is_good(step, actions, right, values, truth),
                Target::Nothing | Target::State(_) => !truth,
            };
            let later = || self.judged(step.target, node, values, truth, below);
            if truth {
                good || leads && later()
            } else {
                good && (!leads || later())
            }
        };
        if (operator.quantifier == Quantifier::Some) == truth {
            steps.iter().any(&mut fits)
        } else {
            steps.iter().all(&mut fits)
        }
    }
}

fn value_of(values: &Bindings, variable: Variable) -> Option<Name> {
    let found = values.iter().find(|(other, _)| *other == variable);
    found.map(|it| it.1)
}
