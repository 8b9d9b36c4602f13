//! What the truth of a formula rests on, for others to check.
//!
//! The values that the evaluation found are taken as they are; of what they rest on, one reason is kept for each.
//! Where a reason must not continue forever, its rank is its distance from where nothing more is needed.

use std::collections::VecDeque;

use choros_base::Names;
use choros_certify::{AskedFormula, Judgement, Judgements, check_judgements};
use choros_query::socl::{Arity, Formula, NodeKind, Quantifier};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::abstract_labels::AbstractLabels;
use crate::evaluate::{Evaluator, FormulaValue, InstanceId, Shape, Target};
use crate::unfolding::UnfoldedLts;

/// Whether the formula holds, and what that rests on, checked; nothing where it is not known.
pub fn judgements(
    graph: &mut UnfoldedLts<'_>,
    labels: &mut AbstractLabels,
    names: &mut Names,
    formula: &Formula,
    arity: Arity,
) -> Option<(bool, Judgements)> {
    let mut evaluator = Evaluator::new(graph, labels, names, formula, arity);
    let truth = match evaluator.run().value {
        FormulaValue::True => true,
        FormulaValue::False => false,
        FormulaValue::Open => return None,
    };
    let root = evaluator.root();
    let mut collector = Collector {
        evaluator,
        known: FxHashSet::default(),
        all: Vec::new(),
        ranks: FxHashMap::default(),
    };
    collector.need(root, 0, truth);
    let mut next = 0;
    while next < collector.all.len() {
        let (instance, state, truth) = collector.all[next];
        collector.reasons(instance, state, truth);
        next += 1;
    }
    let proof = collector.finish();
    let asked = AskedFormula {
        formula,
        abstraction: labels.abstraction(),
        state_labels: labels.state_labels,
        arity,
        fair: &[],
    };
    let (system, budget) = graph.given();
    let checked = check_judgements(system, &asked, truth, &proof, names, budget);
    checked.is_ok().then_some((truth, proof))
}

struct Collector<'a, 'l> {
    evaluator: Evaluator<'a, 'l>,
    known: FxHashSet<(InstanceId, u32, bool)>,
    /// Temporal sub-formulas, states, and whether they are true there.
    all: Vec<(InstanceId, u32, bool)>,
    ranks: FxHashMap<(InstanceId, u32, bool), u32>,
}

/// A step of an operator over paths.
struct PathStep {
    target: u32,
    label: u32,
    good: FormulaValue,
    leads: bool,
}

impl Collector<'_, '_> {
    /// Judgements with the states they are about, in breadth-first order.
    fn finish(self) -> Judgements {
        let graph = &self.evaluator.graph;
        let mut came: Vec<Option<(u32, u32)>> = vec![None; graph.found() as usize];
        for state in 0..graph.expanded() {
            for (number, position) in graph.steps(state).enumerate() {
                let target = graph.step(position).1;
                if target != 0 {
                    came[target as usize].get_or_insert((state, number as u32));
                }
            }
        }
        let mut wanted = vec![false; came.len()];
        for &(_, state, _) in &self.all {
            let mut state = state;
            while !std::mem::replace(&mut wanted[state as usize], true) {
                match came[state as usize] {
                    Some((from, _)) => state = from,
                    None => break,
                }
            }
        }
        let mut numbers = vec![0; came.len()];
        let mut states = Vec::new();
        for (state, came) in came.iter().enumerate() {
            if let (true, Some((from, step))) = (wanted[state], came) {
                states.push((numbers[*from as usize], *step));
                numbers[state] = states.len() as u32;
            }
        }
        let instances = &self.evaluator.instances;
        let all = self.all.iter().map(|key| {
            let instance = instances.get(key.0);
            Judgement {
                state: numbers[key.1 as usize],
                node: instance.node,
                values: instance.values.clone(),
                truth: key.2,
                rank: self.ranks.get(key).copied().unwrap_or_default(),
            }
        });
        Judgements {
            all: all.collect(),
            states,
        }
    }

    fn has(&mut self, instance: InstanceId, state: u32, truth: bool) -> bool {
        self.evaluator.value(instance, state) == FormulaValue::of(truth)
    }

    /// Takes note of what an answer rests on: temporal sub-formulas themselves, of others their parts.
    fn need(&mut self, instance: InstanceId, state: u32, truth: bool) {
        let formula = self.evaluator.formula;
        let found = self.evaluator.instances.get(instance);
        let parts = found.parts.clone();
        match (&formula.node(found.node).kind, truth) {
            (NodeKind::Constant(_) | NodeKind::Proposition(_) | NodeKind::State(_), _) => {}
            (NodeKind::Not(_), _) => self.need(parts[0], state, !truth),
            (NodeKind::And(_), true) | (NodeKind::Or(_), false) => {
                for part in parts {
                    self.need(part, state, truth);
                }
            }
            (NodeKind::And(_), false) | (NodeKind::Or(_), true) => {
                let one = parts.into_iter().find(|&part| self.has(part, state, truth));
                if let Some(one) = one {
                    self.need(one, state, truth);
                }
            }
            (NodeKind::Implies(..), true) => {
                if self.has(parts[0], state, false) {
                    self.need(parts[0], state, false)
                } else {
                    self.need(parts[1], state, true)
                }
            }
            (NodeKind::Implies(..), false) => {
                self.need(parts[0], state, true);
                self.need(parts[1], state, false);
            }
            _ => {
                if self.known.insert((instance, state, truth)) {
                    self.all.push((instance, state, truth));
                }
            }
        }
    }

    /// What a judgement rests on.
    fn reasons(&mut self, instance: InstanceId, state: u32, truth: bool) {
        let formula = self.evaluator.formula;
        if let Some(shape) = self.evaluator.instances.shape(formula, instance) {
            return self.over_paths(instance, shape, state, truth);
        }
        let node = self.evaluator.instances.get(instance).node;
        let steps = self.path_steps(instance, state, true);
        let wanted = FormulaValue::of(truth);
        let every = match &formula.node(node).kind {
            NodeKind::Box(..) => return self.boxed(instance, &steps, truth),
            NodeKind::Next(Quantifier::All, ..) => truth,
            _ => !truth,
        };
        for step in steps.iter().filter(|it| every || it.good == wanted) {
            self.need_good(instance, step, truth);
            if !every {
                break;
            }
        }
    }

    fn boxed(&mut self, instance: InstanceId, steps: &[PathStep], truth: bool) {
        for step in steps {
            for &then in self.evaluator.after(instance, step.label).iter() {
                if truth || self.has(then, step.target, false) {
                    self.need(then, step.target, truth);
                    if !truth {
                        return;
                    }
                }
            }
        }
    }

    /// Why a step is good, or is not.
    fn need_good(&mut self, instance: InstanceId, step: &PathStep, truth: bool) {
        for &then in self.evaluator.after(instance, step.label).iter() {
            if !truth || self.has(then, step.target, true) {
                self.need(then, step.target, truth);
                if truth {
                    return;
                }
            }
        }
    }

    fn path_steps(&mut self, instance: InstanceId, state: u32, by_step: bool) -> Vec<PathStep> {
        let mut steps = Vec::new();
        if !self.evaluator.is_expanded(state) {
            return steps;
        }
        for position in self.evaluator.graph.steps(state) {
            let label = self.evaluator.label(position);
            let target = self.evaluator.graph.step(position).1;
            let good = if by_step {
                self.evaluator.is_good(instance, label, target)
            } else {
                FormulaValue::False
            };
            let leads = self.evaluator.leads_on(instance, label);
            steps.push(PathStep {
                target,
                label,
                good,
                leads,
            });
        }
        steps
    }

    fn over_paths(&mut self, instance: InstanceId, shape: Shape, state: u32, truth: bool) {
        let ranked = shape.weak != truth;
        let key = (instance, state, truth);
        if ranked && !self.ranks.contains_key(&key) {
            self.rank(instance, shape, state, truth);
        }
        let below = ranked.then(|| self.ranks.get(&key).copied().unwrap_or_default());
        if let Some(reason) = self.at_once(shape, state, truth) {
            return self.need_all(&reason, state, truth);
        }
        if let (Target::State(right), false) = (shape.target, truth) {
            self.need(right, state, false);
        }
        if let (Some(left), true) = (shape.left, truth) {
            self.need(left, state, true);
        }
        let steps = self.path_steps(instance, state, shape.target == Target::Step);
        let any = (shape.quantifier == Quantifier::Some) == truth;
        for step in &steps {
            let later = step.leads && self.comes(instance, step.target, truth, below);
            let fits = if truth {
                step.good == FormulaValue::True || later
            } else {
                step.good == FormulaValue::False && (!step.leads || later)
            };
            if any && !fits {
                continue;
            }
            if step.good == FormulaValue::of(truth) && shape.target == Target::Step {
                self.need_good(instance, step, truth);
            }
            if step.leads && !(truth && step.good == FormulaValue::True) {
                self.need(instance, step.target, truth);
            }
            if any {
                return;
            }
        }
    }

    fn need_all(&mut self, parts: &[InstanceId], state: u32, truth: bool) {
        for &part in parts {
            self.need(part, state, truth);
        }
    }

    /// Whether the same is known after a step, with a smaller rank where one is asked for.
    fn comes(&mut self, instance: InstanceId, state: u32, truth: bool, below: Option<u32>) -> bool {
        match below {
            None => self.has(instance, state, truth),
            Some(below) => {
                let rank = self.ranks.get(&(instance, state, truth));
                rank.is_some_and(|&rank| rank < below)
            }
        }
    }

    /// The parts that settle an operator over paths where it stands, if they do.
    fn at_once(&mut self, shape: Shape, state: u32, truth: bool) -> Option<Vec<InstanceId>> {
        let right = match shape.target {
            Target::State(right) => Some(right),
            Target::Nothing | Target::Step => None,
        };
        if truth {
            right
                .filter(|&right| self.has(right, state, true))
                .map(|right| vec![right])
        } else {
            let left = shape.left.filter(|&left| self.has(left, state, false))?;
            Some(right.into_iter().chain([left]).collect())
        }
    }

    /// The ranks of all states that may matter for one: the distance from where nothing more is needed.
    fn rank(&mut self, instance: InstanceId, shape: Shape, start: u32, truth: bool) {
        let any = (shape.quantifier == Quantifier::Some) == truth;
        let mut found: FxHashSet<u32> = [start].into_iter().collect();
        let mut order = vec![start];
        let mut before: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut missing: FxHashMap<u32, usize> = FxHashMap::default();
        let mut settled = VecDeque::new();
        let mut next = 0;
        while next < order.len() {
            let state = order[next];
            next += 1;
            let mut needs = Vec::new();
            let mut done = self.at_once(shape, state, truth).is_some();
            if !done {
                let steps = self.path_steps(instance, state, shape.target == Target::Step);
                let mut good = 0;
                for step in &steps {
                    match (truth, step.good, step.leads) {
                        (true, FormulaValue::True, _) | (false, FormulaValue::False, false) => {
                            good += 1
                        }
                        (true, _, true) | (false, FormulaValue::False, true)
                            if self.has(instance, step.target, truth) =>
                        {
                            needs.push(step.target);
                        }
                        _ => {}
                    }
                }
                needs.sort_unstable();
                needs.dedup();
                done = if any { good > 0 } else { needs.is_empty() };
            }
            if done {
                settled.push_back((state, 0));
                continue;
            }
            missing.insert(state, if any { 1 } else { needs.len() });
            for target in needs {
                before.entry(target).or_default().push(state);
                if found.insert(target) {
                    order.push(target);
                }
            }
        }
        while let Some((state, rank)) = settled.pop_front() {
            self.ranks.entry((instance, state, truth)).or_insert(rank);
            for &waiting in before.get(&state).into_iter().flatten() {
                let Some(count) = missing.get_mut(&waiting).filter(|it| **it > 0) else {
                    continue;
                };
                *count -= 1;
                if *count == 0 {
                    settled.push_back((waiting, rank + 1));
                }
            }
        }
    }
}
