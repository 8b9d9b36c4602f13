//! Why a pair is not related: a challenge, and what is wrong with each answer to it.

use choros_data::{Assignment, Quantifier, Term, Terms};
use choros_smt::{Satisfiability, Solver, SolverError, Truth};

use super::Walk;
use crate::above::{Above, then_formula};
use crate::clauses::{Challenge, Clause, Reply, System, Then};
use crate::formula::Substitution;
use crate::pairs::Pairs;

/// A challenge that is not answered, or an answer that does not help for some new values.
pub(crate) struct Culprit {
    pub(crate) challenge: Challenge,
    pub(crate) time: u64,
    pub(super) answer: Option<(Then, Assignment)>,
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

impl Walk {
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
