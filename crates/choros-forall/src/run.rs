//! A run with values that shows why a formula fails.
//!
//! The sets that were found are the strategy: from a state in a set, a solver chooses values for a step that stays on
//! the way. What it finds is fired on the naive semantics before anyone sees it.

use choros_data::{Assignment, Term, Value, Var};
use choros_model::evidence::{Evidence, Step as Shown, StepEvent, Trace};
use choros_model::stg::NodeId as Place;
use choros_model::stg::run::{RunState, RunStep, fire, replay, start};
use choros_query::socl::{NodeId, NodeKind, Quantifier};

use crate::bounds::{Bounds, Side};
use crate::evaluate::{Evaluator, Instance, Path};
use crate::least::{Least, Sets};
use crate::problem::Problem;
use crate::readable::readable;
use crate::stop::Stop;
use crate::symbolic::{Step, Substitution};

/// Runs are not searched further than this many steps, nor in graphs with more edges than this.
const MAX_FRAMES: usize = 16;
const MAX_EDGES: usize = 400;

/// Where the run stands: a place, which may be the end, and the values.
#[derive(Clone)]
struct Here {
    place: usize,
    values: Assignment,
    /// Values of correlation variables.
    rigid: Substitution,
}

/// A run that refutes the formula for some parameters that satisfy a condition.
pub(crate) fn refutation(
    evaluator: &mut Evaluator<'_, '_>,
    condition: Term,
) -> Result<Evidence, Stop> {
    let stg = evaluator.graph.stg;
    let (outer, variables) = evaluator.for_all()?;
    let root = (evaluator.formula.root(), outer);
    let mut sought = stg.parameters(evaluator.prover.terms);
    let mut condition = condition;
    if !variables.is_empty() {
        let holds = evaluator.sets(root.0, &root.1)?.sets[evaluator.graph.initial()];
        let terms = &mut *evaluator.prover.terms;
        let fails = terms.not(holds.high);
        condition = terms.and([condition, fails]);
        sought.extend(&variables);
    }
    let mut values = evaluator
        .prover
        .solution(condition, &sought)?
        .unwrap_or_default();
    let mut rigid = Substitution::default();
    for &variable in &variables {
        if let Some(value) = values.remove(&variable) {
            rigid.insert(variable, evaluator.prover.terms.constant(value));
        }
    }
    let chosen = evaluator.chosen(&root.1, &rigid);
    let first = start(stg, values.clone());
    let mut search = Search {
        evaluator,
        steps: Vec::new(),
        ended: false,
    };
    let here = Here {
        place: first.node.index(),
        values: values.clone(),
        rigid,
    };
    let conclusion = search.shown(&root, false, here)? + &chosen;
    let steps = search.steps;
    let ended = search.ended;
    let terms = &*evaluator.prover.terms;
    let mut trace = match replay(stg, values, &steps, terms) {
        Ok((_, trace)) => trace,
        Err(_) => Trace::default(),
    };
    if ended {
        trace.steps.push(Shown {
            event: StepEvent::Termination,
            guard: None,
            bindings: Vec::new(),
            states: None,
            origin: None,
        });
    }
    trace.conclusion = conclusion;
    Ok(Evidence::Trace(trace))
}

struct Search<'e, 'a, 'p> {
    evaluator: &'e mut Evaluator<'a, 'p>,
    steps: Vec<RunStep>,
    ended: bool,
}

impl Search<'_, '_, '_> {
    /// Continues the run to where a sub-formula is seen to hold or to fail, and says what is there.
    fn shown(&mut self, instance: &Instance, truth: bool, here: Here) -> Result<String, Stop> {
        let formula = self.evaluator.formula;
        let kind = &formula.node(instance.0).kind;
        let solved = self.evaluator.sets(instance.0, &instance.1)?;
        match kind {
            NodeKind::Not(part) => {
                let part = self.evaluator.instance(*part, &instance.1);
                self.shown(&part, !truth, here)
            }
            NodeKind::And(parts) if !truth => self.one_of(parts, instance, truth, here),
            NodeKind::Or(parts) if truth => self.one_of(parts, instance, truth, here),
            NodeKind::Or(parts) if !truth && parts.len() == 1 => {
                self.one_of(parts, instance, truth, here)
            }
            NodeKind::Implies(_, right) if !truth => {
                let right = self.evaluator.instance(*right, &instance.1);
                self.shown(&right, truth, here)
            }
            NodeKind::Box(actions, part) if !truth => {
                self.one_step(actions, *part, instance, false, here)
            }
            NodeKind::Diamond(actions, part) | NodeKind::Next(Quantifier::Some, actions, part)
                if truth =>
            {
                self.one_step(actions, *part, instance, true, here)
            }
            NodeKind::Always(..) | NodeKind::Eventually(..) | NodeKind::Until(_) => {
                let Some(path) = &solved.path else {
                    return self.said(instance, truth, &here);
                };
                // The solution is what is to be shown, and one path suffices.
                if let (Some(fair), false, false) = (self.evaluator.fair, truth, path.dual)
                    && path.problem.quantifier == Quantifier::All
                {
                    // A run that ends is fair.
                    let none = vec![Term::FALSE; self.evaluator.graph.steps.len()];
                    let ends = self.evaluator.turn(&path.problem, fair, 0, &none);
                    return self.along(instance, truth, (&ends, true), here);
                }
                if path.dual == truth || path.problem.quantifier == Quantifier::All {
                    return self.said(instance, truth, &here);
                }
                self.along(instance, truth, (&path.problem, path.dual), here)
            }
            _ => self.said(instance, truth, &here),
        }
    }

    fn said(&mut self, instance: &Instance, truth: bool, here: &Here) -> Result<String, Stop> {
        let evaluator = &mut *self.evaluator;
        let names = evaluator.names;
        let text = evaluator.formula.print_part(instance.0, names, &|_| None);
        let label = if here.place == evaluator.graph.ended() {
            "after the end".to_owned()
        } else {
            let node = Place(here.place as u32);
            format!("at {}", evaluator.graph.stg.node(node).label)
        };
        let word = if truth { "holds" } else { "fails" };
        let mut said = format!("{text} {word} {label}");
        let solved = evaluator.solved.get(instance).cloned();
        if let Some(path) = solved.as_ref().and_then(|it| it.path.as_ref())
            && !truth
            && !path.dual
        {
            // The complement of a least solution: a set that some run, or every run, never has to leave.
            let set = path.solution[here.place].not(evaluator.prover.terms).low;
            // Texts and the like are those of the run; what the set says of numbers is what can be understood.
            let terms = &mut *evaluator.prover.terms;
            let mut known = here.rigid.clone();
            for variable in terms.free_variables(set) {
                if let (false, Some(value)) = (
                    terms.variable_sort(variable).is_number(),
                    here.values.get(&variable),
                ) {
                    known.insert(variable, terms.constant(value.clone()));
                }
            }
            let set = terms.substitute(set, &known);
            let set = terms.simplify(set);
            let set = readable(set, evaluator.graph.stg, evaluator.prover)?;
            let set = evaluator.prover.terms.print(set);
            let run = match evaluator.fair {
                Some(_) => "fair run",
                None => "run",
            };
            said.push_str(&match (path.problem.quantifier, set.as_str()) {
                (Quantifier::All, "true") => format!(": a {run} can avoid it, whatever the data"),
                (Quantifier::All, set) => format!(": where {set}, a {run} can avoid it"),
                (Quantifier::Some, _) => ": no run gets there".to_owned(),
            });
            if let (Quantifier::All, None) = (path.problem.quantifier, self.evaluator.fair)
                && let Some(step) = self.inside(path, here)?
            {
                said.push_str(&format!(", for example by {step}"));
            }
        }
        Ok(said)
    }

    /// A step after which what is sought can still be avoided.
    fn inside(&mut self, path: &Path, here: &Here) -> Result<Option<String>, Stop> {
        let graph = self.evaluator.graph;
        for (index, step) in graph.steps[here.place].iter().enumerate() {
            let (now, on) = path.problem.steps[here.place][index];
            let there = path.solution[step.target].high;
            let terms = &mut *self.evaluator.prover.terms;
            let there = terms.substitute(there, &step.after);
            let there = terms.and([on.high, there]);
            let reached = terms.or([now.high, there]);
            let wanted = terms.not(reached);
            if self.taken(step, wanted, here)?.is_some() {
                let terms = &*self.evaluator.prover.terms;
                let event = step
                    .edge
                    .map(|it| format!("`{}`", graph.stg.edge(it).event.shown(terms)));
                return Ok(Some(event.unwrap_or_else(|| "the end".to_owned())));
            }
        }
        Ok(None)
    }

    /// The first part that is so here.
    fn one_of(
        &mut self,
        parts: &[NodeId],
        instance: &Instance,
        truth: bool,
        here: Here,
    ) -> Result<String, Stop> {
        for &part in parts {
            let part = self.evaluator.instance(part, &instance.1);
            let solved = self.evaluator.sets(part.0, &part.1)?;
            let set = solved.sets[here.place];
            let set = if truth {
                set.low
            } else {
                set.not(self.evaluator.prover.terms).low
            };
            if self.holds(set, &here) {
                return self.shown(&part, truth, here);
            }
        }
        self.said(instance, truth, &here)
    }

    fn holds(&mut self, set: Term, here: &Here) -> bool {
        let terms = &mut *self.evaluator.prover.terms;
        let set = terms.substitute(set, &here.rigid);
        terms.evaluate_guard(set, &here.values) == Ok(true)
    }

    /// The formula at a state, over new values alone.
    fn here(&mut self, formula: Term, here: &Here) -> Term {
        let terms = &mut *self.evaluator.prover.terms;
        let mut values = here.rigid.clone();
        for variable in sorted(here.values.keys()) {
            let value = terms.constant(here.values[&variable].clone());
            values.insert(variable, value);
        }
        let formula = terms.substitute(formula, &values);
        terms.simplify(formula)
    }

    /// Takes a step with values that satisfy a formula over them, if there are some.
    fn taken(
        &mut self,
        step: &Step,
        wanted: Term,
        here: &Here,
    ) -> Result<Option<(Here, Option<RunStep>, Assignment)>, Stop> {
        let body = self.evaluator.prover.terms.and([step.condition, wanted]);
        let body = self.here(body, here);
        if body == Term::FALSE {
            return Ok(None);
        }
        let chosen = self.evaluator.prover.solution(body, &step.fresh)?;
        let Some(chosen) = chosen else {
            return Ok(None);
        };
        let Some(edge) = step.edge else {
            let end = Here {
                place: step.target,
                ..here.clone()
            };
            return Ok(Some((end, None, chosen)));
        };
        let bound: Option<Vec<Value>> = step
            .fresh
            .iter()
            .map(|it| chosen.get(it).cloned())
            .collect();
        let Some(bound_values) = bound else {
            return Ok(None);
        };
        let choice = RunStep { edge, bound_values };
        let state = RunState {
            node: Place(here.place as u32),
            values: here.values.clone(),
        };
        let stg = self.evaluator.graph.stg;
        Ok(fire(stg, &state, &choice, self.evaluator.prover.terms)
            .ok()
            .map(|fired| {
                let next = Here {
                    place: fired.state.node.index(),
                    values: fired.state.values,
                    rigid: here.rigid.clone(),
                };
                (next, Some(choice), chosen)
            }))
    }

    fn went(&mut self, choice: Option<RunStep>) {
        match choice {
            Some(choice) => self.steps.push(choice),
            None => self.ended = true,
        }
    }

    /// One step of an action formula after which the rest is so.
    fn one_step(
        &mut self,
        actions: &choros_query::socl::Actions,
        part: NodeId,
        instance: &Instance,
        truth: bool,
        here: Here,
    ) -> Result<String, Stop> {
        let graph = self.evaluator.graph;
        for step in &graph.steps[here.place] {
            for way in self.evaluator.onward(actions, part, step, &instance.1)? {
                let set = way.part.sets[step.target];
                let terms = &mut *self.evaluator.prover.terms;
                let set = if truth { set.low } else { set.not(terms).low };
                let then = terms.substitute(set, &way.values);
                let wanted = terms.and([way.condition, then]);
                let Some((mut next, choice, chosen)) = self.taken(step, wanted, &here)? else {
                    continue;
                };
                self.bind(&way.values, step, &here, &chosen, &mut next);
                self.went(choice);
                return self.shown(&way.instance, truth, next);
            }
        }
        self.said(instance, truth, &here)
    }

    /// Gives correlation variables the values that a step had for them.
    fn bind(
        &mut self,
        values: &Substitution,
        step: &Step,
        here: &Here,
        chosen: &Assignment,
        next: &mut Here,
    ) {
        let mut at = here.clone();
        at.values
            .extend(chosen.iter().map(|(&var, value)| (var, value.clone())));
        for variable in sorted(values.keys()) {
            if !step.after.contains_key(&variable) {
                let value = self.here(values[&variable], &at);
                next.rigid.insert(variable, value);
            }
        }
    }

    /// States from which so many steps lead to where something is shown, for each number of steps.
    fn frames(&mut self, problem: &Problem, here: &Here) -> Result<Option<Vec<Sets>>, Stop> {
        let evaluator = &mut *self.evaluator;
        let count = evaluator.graph.steps.len();
        let edges: usize = evaluator.graph.steps.iter().map(Vec::len).sum();
        let mut frames: Vec<Sets> = vec![(0..count).map(|it| (it, Term::FALSE)).collect()];
        while frames.len() <= MAX_FRAMES && edges <= MAX_EDGES {
            let mut next = Sets::default();
            let mut solved = vec![Bounds::FALSE; count];
            for place in 0..count {
                let mut least = Least {
                    problem,
                    graph: evaluator.graph,
                    known: evaluator.known,
                    prover: &mut *evaluator.prover,
                    solved: &mut solved,
                    layers: Vec::new(),
                    end: u64::MAX,
                    fair: None,
                };
                let before = &frames[frames.len() - 1];
                next.insert(place, least.equation(place, before, Side::Low, None)?);
            }
            frames.push(next);
            let set = frames[frames.len() - 1][&here.place];
            let terms = &mut *evaluator.prover.terms;
            let set = terms.substitute(set, &here.rigid);
            if terms.evaluate_guard(set, &here.values) == Ok(true) {
                return Ok(Some(frames));
            }
        }
        Ok(None)
    }

    /// A shortest path to where an operator over paths is settled.
    fn along(
        &mut self,
        instance: &Instance,
        truth: bool,
        (problem, dual): (&Problem, bool),
        from: Here,
    ) -> Result<String, Stop> {
        let graph = self.evaluator.graph;
        let kind = &self.evaluator.formula.node(instance.0).kind;
        let (last, right, left) = match kind {
            NodeKind::Always(_, part) => (None, None, Some(*part)),
            NodeKind::Eventually(_, last, right) => (last.as_ref(), Some(*right), None),
            NodeKind::Until(until) => (until.last.as_ref(), Some(until.right), Some(until.left)),
            _ => (None, None, None),
        };
        let Some(frames) = self.frames(problem, &from)? else {
            return self.said(instance, truth, &from);
        };
        let mut here = from;
        'walk: for before in frames[..frames.len() - 1].iter().rev() {
            if self.holds(problem.base[here.place].low, &here) {
                break;
            }
            for (index, step) in graph.steps[here.place].iter().enumerate() {
                let (now, on) = problem.steps[here.place][index];
                // A last step, and what is shown after it.
                if let (Some(last), Some(right), false) = (last, right, dual) {
                    for way in self.evaluator.onward(last, right, step, &instance.1)? {
                        let set = way.part.sets[step.target].low;
                        let terms = &mut *self.evaluator.prover.terms;
                        let then = terms.substitute(set, &way.values);
                        let wanted = terms.and([way.condition, then]);
                        let Some((mut then, choice, chosen)) = self.taken(step, wanted, &here)?
                        else {
                            continue;
                        };
                        self.bind(&way.values, step, &here, &chosen, &mut then);
                        self.went(choice);
                        return self.shown(&way.instance, truth, then);
                    }
                }
                if let Some((_, choice, _)) = self.taken(step, now.low, &here)? {
                    self.went(choice);
                    let names = self.evaluator.names;
                    let text = self
                        .evaluator
                        .formula
                        .print_part(instance.0, names, &|_| None);
                    let word = if truth { "holds" } else { "fails" };
                    return Ok(format!("{text} {word} with the last step"));
                }
                let terms = &mut *self.evaluator.prover.terms;
                let set = terms.substitute(before[&step.target], &step.after);
                let wanted = terms.and([on.low, set]);
                if let Some((then, choice, _)) = self.taken(step, wanted, &here)? {
                    self.went(choice);
                    here = then;
                    continue 'walk;
                }
            }
            break;
        }
        let part = if dual { left } else { right };
        match part {
            Some(part) if self.holds(problem.base[here.place].low, &here) => {
                let part = self.evaluator.instance(part, &instance.1);
                self.shown(&part, truth, here)
            }
            _ => self.said(instance, truth, &here),
        }
    }
}

/// Variables in an order that does not depend on chance.
fn sorted<'v>(variables: impl Iterator<Item = &'v Var>) -> Vec<Var> {
    let mut variables: Vec<Var> = variables.copied().collect();
    variables.sort_by_key(|it| it.index());
    variables
}
