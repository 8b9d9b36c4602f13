//! A run that shows the difference.
//!
//! Where a pair is not related for some values, its formula became false at some moment of the iteration from above,
//! because of formulas that other pairs had before.
//! Going from moment to earlier moment, one finds a challenge, then an answer that does not help, and so on, until a
//! challenge has no answer at all.
//! What comes out is replayed on the naive semantics before anyone is told of it.

mod culprit;
mod silent_path;

use choros_data::{Assignment, Term, Terms, Value, Var};
use choros_model::evidence::{Binding, Trace};
use choros_model::stg::run::{RunState, RunStep, fire, replay, start};
use choros_model::stg::{EdgeId, Stg};
use choros_smt::{Satisfiability, Solver, SolverError};

use self::silent_path::silent_path;
use crate::above::Above;
use crate::clauses::{Challenge, System, Then};
use crate::fold::Fold;
use crate::pairs::Pairs;
use crate::replay::unanswered;

/// A run of both sides to a challenge without answer, for parameters that satisfy `about`.
pub(crate) fn distinguish(
    system: &mut System<'_>,
    pairs: &Pairs,
    above: &Above,
    about: Term,
    fold: Option<&Fold<'_>>,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<Trace>, SolverError> {
    let Some(values) = first_values(system, pairs, above, about, terms, solver)? else {
        return Ok(None);
    };
    let only = |stg: &Stg, terms: &Terms| -> Assignment {
        stg.parameters(terms)
            .into_iter()
            .filter_map(|variable| Some((variable, values.get(&variable)?.clone())))
            .collect()
    };
    let (left_start, right_start) = (only(system.left, terms), only(system.right, terms));
    let mut walk = Walk {
        left: start(system.left, left_start.clone()),
        right: start(system.right, right_start.clone()),
        left_choices: Vec::new(),
        right_choices: Vec::new(),
        others: false,
    };
    let mut time = u64::MAX;
    // Time descends, so this ends; the bound is for the case that our own book-keeping is wrong.
    for _ in 0..above.versions.len() * 64 + 64 {
        let Some(culprit) = walk.culprit(system, pairs, above, time, terms, solver)? else {
            return Ok(None);
        };
        time = culprit.time;
        let answered = match culprit.answer {
            Some((then, brought)) => walk.advance(system, &then, &brought, terms, solver)?,
            None => Advance::Stuck,
        };
        match answered {
            Advance::Done => {}
            Advance::Stuck => {
                return walk.conclude(
                    system,
                    culprit.challenge,
                    (left_start, right_start),
                    fold,
                    terms,
                    solver,
                );
            }
            Advance::Lost => return Ok(None),
        }
    }
    Ok(None)
}

pub(crate) struct Walk {
    pub(crate) left: RunState,
    pub(crate) right: RunState,
    left_choices: Vec<RunStep>,
    right_choices: Vec<RunStep>,
    /// Some answers were left aside.
    pub(crate) others: bool,
}

enum Advance {
    Done,
    /// The answer cannot take what was brought.
    Stuck,
    /// What was found cannot be followed: no trace.
    Lost,
}

impl Walk {
    /// A walk that begins in the middle.
    pub(crate) fn at(left: RunState, right: RunState) -> Walk {
        Walk {
            left,
            right,
            left_choices: Vec::new(),
            right_choices: Vec::new(),
            others: false,
        }
    }

    fn values(&self) -> Assignment {
        let mut values = self.left.values.clone();
        values.extend(self.right.values.clone());
        values
    }

    /// Takes the steps of an answer on both sides.
    fn advance(
        &mut self,
        system: &mut System<'_>,
        then: &Then,
        brought: &Assignment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Advance, SolverError> {
        let mut known = self.values();
        known.extend(brought.clone());
        let Some(path) = silent_path(system, &self.left, then, &known, terms, solver)? else {
            return Ok(Advance::Lost);
        };
        let (mut left, mut choices) = (self.left.clone(), self.left_choices.clone());
        for choice in path {
            match fire(system.left, &left, &choice, terms) {
                Ok(fired) => left = fired.state,
                Err(_) => return Ok(Advance::Lost),
            }
            choices.push(choice);
        }
        let data = then.right.and_then(|right| system.data(then, right, terms));
        let own = match &data {
            Some(data) => data.left.clone(),
            None => {
                let bound = system.left.edge(then.left).event.bound_variables();
                let new = then.bound.iter().map(|&it| terms.var(it));
                bound.zip(new).collect()
            }
        };
        let Some(choice) = choice(system.left, then.left, &own, &known, terms) else {
            return Ok(Advance::Lost);
        };
        match fire(system.left, &left, &choice, terms) {
            Ok(fired) => left = fired.state,
            Err(_) => return Ok(Advance::Lost),
        }
        choices.push(choice);
        if let (Some(right), Some(data)) = (then.right, &data) {
            let Some(choice) = self::choice(system.right, right, &data.right, &known, terms) else {
                return Ok(Advance::Lost);
            };
            match fire(system.right, &self.right, &choice, terms) {
                Ok(fired) => self.right = fired.state,
                Err(_) => return Ok(Advance::Stuck),
            }
            self.right_choices.push(choice);
        }
        self.left = left;
        self.left_choices = choices;
        Ok(Advance::Done)
    }

    /// The run as evidence, if the naive semantics agrees.
    ///
    /// A run of unfolded graphs is replayed on those that they come from.
    fn conclude(
        mut self,
        system: &System<'_>,
        mut challenge: Challenge,
        (left_start, right_start): (Assignment, Assignment),
        fold: Option<&Fold<'_>>,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Option<Trace>, SolverError> {
        let folded;
        let system = match fold {
            Some(fold) => {
                self.left.node = fold.left.nodes[self.left.node.index()];
                self.right.node = fold.right.nodes[self.right.node.index()];
                for choice in &mut self.left_choices {
                    choice.edge = fold.left.edges[choice.edge.index()];
                }
                for choice in &mut self.right_choices {
                    choice.edge = fold.right.edges[choice.edge.index()];
                }
                challenge = fold.challenge(challenge);
                folded = System::new(fold.sides, system.allows_fixed(), terms);
                &folded
            }
            None => system,
        };
        let left = replay(system.left, left_start, &self.left_choices, terms);
        let right = replay(system.right, right_start, &self.right_choices, terms);
        let (Ok((left, mut trace)), Ok((right, other))) = (left, right) else {
            return Ok(None);
        };
        if left != self.left || right != self.right {
            return Ok(None);
        }
        if !unanswered(system, challenge, &left, &right, terms, solver)? {
            return Ok(None);
        }
        trace.start.extend(other.start);
        trace
            .start
            .sort_by(|a: &Binding, b| a.variable.cmp(&b.variable));
        trace.conclusion = self.conclusion(system, challenge, terms);
        trace.departure = self.departure(system, challenge, terms);
        Ok(Some(trace))
    }
}

/// Values of the parameters that satisfy `about` and for which the initial pair is not related.
pub(crate) fn first_values(
    system: &System<'_>,
    pairs: &Pairs,
    above: &Above,
    about: Term,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<Assignment>, SolverError> {
    let live = system.live(system.initial());
    let wrong = terms.not(above.now(0));
    if solver.satisfiable(terms, &[about, wrong])? != Satisfiability::Sat {
        return Ok(None);
    }
    let Some(mut values) = solver.model(terms, &live) else {
        return Ok(None);
    };
    for &(variable, value) in &pairs.equal[0].known {
        if let Ok(value) = terms.evaluate(value, &values) {
            values.insert(variable, value);
        }
    }
    Ok(Some(values))
}

/// The choice of an edge with the values that its event binds.
fn choice(
    stg: &Stg,
    edge: EdgeId,
    data: &[(Var, Term)],
    values: &Assignment,
    terms: &Terms,
) -> Option<RunStep> {
    let mut brought: Vec<Value> = Vec::new();
    for variable in stg.edge(edge).event.bound_variables() {
        let (_, term) = data.iter().find(|(bound, _)| *bound == variable)?;
        brought.push(terms.evaluate(*term, values).ok()?);
    }
    Some(RunStep {
        edge,
        bound_values: brought,
    })
}
