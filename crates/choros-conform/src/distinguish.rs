//! A run that shows the difference.
//!
//! Where a pair is not related for some values, its formula became false at some moment of the iteration from above,
//! because of formulas that other pairs had before.
//! Going from moment to earlier moment, one finds a challenge, then an answer that does not help, and so on, until a
//! challenge has no answer at all.
//! What comes out is replayed on the naive semantics before anyone is told of it.

use std::collections::VecDeque;

use choros_certify::{ChoiceNames, MAX_SILENT, silent_paths};
use choros_data::{Assignment, Quantifier, Term, Terms, Value, Var};
use choros_model::evidence::{Binding, Trace};
use choros_model::stg::run::{RunState, RunStep, fire, replay, start};
use choros_model::stg::{EdgeId, NodeId, Stg};
use choros_smt::{Satisfiability, Solver, SolverError, Truth};

use crate::above::{Above, then_formula};
use crate::clauses::{Challenge, Clause, Reply, System, Then};
use crate::fold::Fold;
use crate::formula::Substitution;
use crate::pairs::Pairs;
use crate::replay::{chooses, constants, unanswered};

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

/// A challenge that is not answered, or an answer that does not help for some new values.
pub(crate) struct Culprit {
    pub(crate) challenge: Challenge,
    pub(crate) time: u64,
    answer: Option<(Then, Assignment)>,
}

/// What became of an answer that chooses values.
enum Chosen {
    /// It cannot be given.
    Impossible,
    /// It can, and does not help; for example with these values.
    Fails(Box<(Then, Assignment)>),
    /// It may help.
    Helps,
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

    /// Why the pair was not related at the earliest moment at which it was not, before `time`.
    pub(crate) fn culprit(
        &mut self,
        system: &mut System<'_>,
        pairs: &Pairs,
        above: &Above,
        time: u64,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Option<Culprit>, SolverError> {
        let pair = (self.left.node, self.right.node);
        let Some(id) = pairs.id(pair) else {
            return Ok(None);
        };
        let values = self.values();
        let mut moment = None;
        for &(at, formula) in &above.versions[id as usize] {
            if at < time && truth(formula, &values, terms, solver)? == Some(false) {
                moment = Some(at);
                break;
            }
        }
        let Some(moment) = moment else {
            return Ok(None);
        };
        let here = pairs.equal[id as usize].substitution();
        let mut later: Option<Culprit> = None;
        for clause in system.clauses(pair, terms) {
            if clause.cut || truth(clause.premise, &values, terms, solver)? != Some(true) {
                continue;
            }
            let Some(answers) =
                self.failing(&clause, pairs, above, (moment, &here), terms, solver)?
            else {
                continue;
            };
            let several = answers.len() > 1;
            let challenge = clause.challenge;
            match answers.into_iter().next() {
                None => {
                    return Ok(Some(Culprit {
                        challenge,
                        time: moment,
                        answer: None,
                    }));
                }
                Some(answer) => {
                    if later.is_none() {
                        self.others |= several;
                        later = Some(Culprit {
                            challenge,
                            time: moment,
                            answer: Some(answer),
                        });
                    }
                }
            }
        }
        Ok(later)
    }

    /// The answers that can be given, each with new values for which it does not help; `None` when one helps.
    fn failing(
        &self,
        clause: &Clause,
        pairs: &Pairs,
        above: &Above,
        (moment, here): (u64, &Substitution),
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Option<Vec<(Then, Assignment)>>, SolverError> {
        let values = self.values();
        let mut failing = Vec::new();
        for reply in &clause.answers {
            if !reply.chosen.is_empty() {
                match self.failing_choice(reply, pairs, above, (moment, here), terms, solver)? {
                    Chosen::Impossible => {}
                    Chosen::Fails(answer) => failing.push(*answer),
                    Chosen::Helps => return Ok(None),
                }
                continue;
            }
            if truth(reply.condition, &values, terms, solver)? != Some(true) {
                continue;
            }
            let Some(then) = &reply.then else {
                return Ok(None);
            };
            let related = |pair: u32| above.before(pair, moment);
            let rest = then_formula(then, here, pairs, &related, terms);
            let rest = fixed(rest, &values, terms);
            let wrong = terms.not(rest);
            let wrong = terms.simplify(wrong);
            match solver.satisfiable(terms, &[wrong])? {
                Satisfiability::Sat => {
                    let Some(brought) = solver.model(terms, &then.bound) else {
                        return Ok(None);
                    };
                    failing.push((then.clone(), brought));
                }
                Satisfiability::Unsat | Satisfiability::Unknown(_) => return Ok(None),
            }
        }
        Ok(Some(failing))
    }

    /// The same for an answer on the way to which values are chosen: whether it fails for all of them.
    fn failing_choice(
        &self,
        reply: &Reply,
        pairs: &Pairs,
        above: &Above,
        (moment, here): (u64, &Substitution),
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Chosen, SolverError> {
        let values = self.values();
        let condition = fixed(reply.condition, &values, terms);
        if solver.satisfiable(terms, &[condition])? == Satisfiability::Unsat {
            return Ok(Chosen::Impossible);
        }
        let Some(then) = &reply.then else {
            return Ok(Chosen::Helps);
        };
        let related = |pair: u32| above.before(pair, moment);
        let rest = then_formula(then, here, pairs, &related, terms);
        let rest = fixed(rest, &values, terms);
        let always = terms.quantify(Quantifier::Forall, &then.bound, rest);
        if solver.satisfiable(terms, &[condition, always])? != Satisfiability::Unsat {
            return Ok(Chosen::Helps);
        }
        let wrong = terms.not(rest);
        if solver.satisfiable(terms, &[condition, wrong])? != Satisfiability::Sat {
            return Ok(Chosen::Helps);
        }
        let mut asked = reply.chosen.clone();
        asked.extend(&then.bound);
        Ok(match solver.model(terms, &asked) {
            Some(brought) => Chosen::Fails(Box::new((then.clone(), brought))),
            None => Chosen::Helps,
        })
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

/// Whether a formula is true for these values, if that can be told.
fn truth(
    formula: Term,
    values: &Assignment,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<bool>, SolverError> {
    if let Ok(truth) = terms.evaluate_guard(formula, values) {
        return Ok(Some(truth));
    }
    let formula = fixed(formula, values, terms);
    Ok(match solver.valid(terms, formula)? {
        Truth::True => Some(true),
        Truth::False => match solver.satisfiable(terms, &[formula])? {
            Satisfiability::Unsat => Some(false),
            _ => None,
        },
        Truth::Unknown(_) => None,
    })
}

/// A formula with values in place of variables.
fn fixed(formula: Term, values: &Assignment, terms: &mut Terms) -> Term {
    let mut constants = Substitution::default();
    for variable in terms.free_variables(formula) {
        if let Some(value) = values.get(&variable) {
            let value = value.clone();
            constants.insert(variable, terms.constant(value));
        }
    }
    let formula = terms.substitute(formula, &constants);
    terms.simplify(formula)
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

/// The silent steps from where the implementation stands to the situation in which it answers.
fn silent_path(
    system: &System<'_>,
    from: &RunState,
    then: &Then,
    values: &Assignment,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<Vec<RunStep>>, SolverError> {
    let (node, changed) = &then.from;
    if *node == from.node && changed.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let mut wanted = Assignment::default();
    for variable in system.left_free.at(*node) {
        let value = match changed.get(&variable) {
            Some(&term) => terms.evaluate(term, values).ok(),
            None => from.values.get(&variable).cloned(),
        };
        let Some(value) = value else {
            return Ok(None);
        };
        wanted.insert(variable, value);
    }
    if chooses(system.left, from) {
        return chosen_path(system, from, *node, &wanted, terms, solver);
    }
    let arrived = |situation: &RunState| {
        situation.node == *node
            && system
                .left_free
                .at(*node)
                .iter()
                .all(|variable| situation.values.get(variable) == wanted.get(variable))
    };
    let mut seen = vec![from.clone()];
    let mut work: VecDeque<(RunState, Vec<RunStep>)> = VecDeque::from([(from.clone(), Vec::new())]);
    while let Some((situation, path)) = work.pop_front() {
        if arrived(&situation) {
            return Ok(Some(path));
        }
        for (edge, it) in system.left.outgoing(situation.node) {
            if !it.event.is_silent() || seen.len() > MAX_SILENT {
                continue;
            }
            let choice = RunStep {
                edge,
                bound_values: Vec::new(),
            };
            if let Ok(fired) = fire(system.left, &situation, &choice, terms)
                && !seen.contains(&fired.state)
            {
                seen.push(fired.state.clone());
                let mut path = path.clone();
                path.push(choice);
                work.push_back((fired.state, path));
            }
        }
    }
    Ok(None)
}

/// The same where silent steps choose values: a path for which a solver finds some.
fn chosen_path(
    system: &System<'_>,
    from: &RunState,
    node: NodeId,
    wanted: &Assignment,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<Vec<RunStep>>, SolverError> {
    let start = constants(from, terms);
    let names = &mut ChoiceNames::default();
    let paths = silent_paths(system.left, from.node, &start, names, terms);
    for path in paths.all.iter().filter(|path| path.node == node) {
        let mut conditions = path.way.conditions.clone();
        #[expect(clippy::iter_over_hash_type, reason = "a conjunction has no order")]
        for (variable, value) in wanted {
            let held = match path.way.values.get(variable) {
                Some(&held) => held,
                None => terms.var(*variable),
            };
            let value = terms.constant(value.clone());
            conditions.push(terms.equal(held, value));
        }
        let condition = terms.and(conditions);
        if solver.satisfiable(terms, &[condition])? != Satisfiability::Sat {
            continue;
        }
        let all: Vec<Var> = path.way.steps.iter().flat_map(|it| it.1.clone()).collect();
        let Some(values) = solver.model(terms, &all) else {
            continue;
        };
        let choices = path.way.steps.iter().map(|(edge, brought)| {
            let brought: Option<Vec<Value>> =
                brought.iter().map(|it| values.get(it).cloned()).collect();
            Some(RunStep {
                edge: *edge,
                bound_values: brought?,
            })
        });
        return Ok(choices.collect());
    }
    Ok(None)
}
