//! Conditions over parameters and unknown values, and what a solver says about them.
//!
//! An unknown value is there for some value that satisfies the condition; one that nothing else speaks of any more is
//! *dead*, and the condition is written without it where that is possible.

use choros_data::{Op, Quantifier, Term, TermKind, Terms, Var};
use choros_smt::Satisfiability;
use rustc_hash::{FxHashMap, FxHashSet};

use super::walk::{Ground, Stopped};

/// Unknown values, and what was asked about conditions already.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    /// The unknown values that stand for values of a variable, numbered.
    numbered: FxHashMap<(Var, u32), Var>,
    /// Of each unknown value the variable that it was made for.
    made_for: FxHashMap<Var, Var>,
    possible: FxHashMap<Term, bool>,
    /// Conditions after `∃` over dead unknowns, without them.
    eliminated: FxHashMap<Term, Option<Term>>,
}

impl Conditions {
    /// An unknown value of a variable, by number.
    pub(crate) fn unknown(&mut self, variable: Var, number: u32, terms: &mut Terms) -> Var {
        if let Some(&known) = self.numbered.get(&(variable, number)) {
            return known;
        }
        let unknown = terms.fresh_variable(variable);
        self.numbered.insert((variable, number), unknown);
        self.made_for.insert(unknown, variable);
        unknown
    }

    /// An unknown value of a variable that none of `used` is.
    pub(crate) fn fresh(&mut self, variable: Var, used: &FxHashSet<Var>, terms: &mut Terms) -> Var {
        let mut number = 0;
        loop {
            let unknown = self.unknown(variable, number, terms);
            if !used.contains(&unknown) {
                return unknown;
            }
            number += 1;
        }
    }

    pub(crate) fn is_unknown(&self, variable: Var) -> bool {
        self.made_for.contains_key(&variable)
    }

    /// The variable whose value an unknown one is; a parameter is its own.
    pub(crate) fn made_for(&self, unknown: Var) -> Var {
        self.made_for.get(&unknown).copied().unwrap_or(unknown)
    }

    pub(crate) fn has_unknowns(&self, term: Term, terms: &Terms) -> bool {
        let variables = terms.free_variables(term);
        variables.iter().any(|it| self.is_unknown(*it))
    }

    /// Whether a condition can hold; what the solver cannot tell can.
    pub(crate) fn possible(
        &mut self,
        condition: Term,
        ground: &mut Ground<'_>,
    ) -> Result<bool, Stopped> {
        let condition = ground.terms.simplify(condition);
        if condition == Term::TRUE || condition == Term::FALSE {
            return Ok(condition == Term::TRUE);
        }
        if let Some(&known) = self.possible.get(&condition) {
            return Ok(known);
        }
        let differ = ground.redacted.differ(condition, ground.terms);
        let whole = ground.terms.and([condition, differ]);
        let parts = conjuncts(whole, ground.terms);
        let possible = match ground.terms.decide_box(&parts) {
            Some(decided) => decided,
            None => ground.solver.satisfiable(ground.terms, &[whole])? != Satisfiability::Unsat,
        };
        self.possible.insert(condition, possible);
        Ok(possible)
    }

    /// Whether one condition is known to follow from another.
    pub(crate) fn implied(
        &mut self,
        premise: Term,
        conclusion: Term,
        ground: &mut Ground<'_>,
    ) -> Result<bool, Stopped> {
        if premise == conclusion || conclusion == Term::TRUE {
            return Ok(true);
        }
        let negation = ground.terms.not(conclusion);
        let counter = ground.terms.and([premise, negation]);
        Ok(!self.possible(counter, ground)?)
    }

    /// One condition or the other.
    pub(crate) fn either(
        &mut self,
        one: Term,
        other: Term,
        ground: &mut Ground<'_>,
    ) -> Result<Term, Stopped> {
        let joined = ground.terms.or([one, other]);
        let joined = ground.terms.simplify(joined);
        let negation = ground.terms.not(joined);
        Ok(if self.possible(negation, ground)? {
            joined
        } else {
            Term::TRUE
        })
    }

    /// The condition without dead unknowns, as far as that is possible; `values` keep theirs alive.
    pub(crate) fn forget(
        &mut self,
        condition: Term,
        values: &[Term],
        ground: &mut Ground<'_>,
    ) -> Result<Term, Stopped> {
        if !self.has_unknowns(condition, ground.terms) {
            return Ok(condition);
        }
        let mut alive: FxHashSet<Var> = FxHashSet::default();
        for &value in values {
            alive.extend(ground.terms.free_variables(value));
        }
        let condition = self.drop_apart(condition, alive.clone(), ground)?;
        let dead: Vec<Var> = ground
            .terms
            .free_variables(condition)
            .into_iter()
            .filter(|it| self.is_unknown(*it) && !alive.contains(it))
            .collect();
        if dead.is_empty() || ground.terms.is_partial(condition) {
            return Ok(condition);
        }
        let exists = ground.terms.quantify(Quantifier::Exists, &dead, condition);
        if let Some(&known) = self.eliminated.get(&exists) {
            return Ok(known.unwrap_or(condition));
        }
        let without = ground.solver.eliminate(ground.terms, exists)?.term();
        let is_plain = !ground.terms.is_quantified(without);
        let without = is_plain.then(|| ground.terms.simplify(without));
        self.eliminated.insert(exists, without);
        Ok(without.unwrap_or(condition))
    }

    /// Drops conjuncts about unknowns that nothing else speaks of any more.
    fn drop_apart(
        &mut self,
        condition: Term,
        mut alive: FxHashSet<Var>,
        ground: &mut Ground<'_>,
    ) -> Result<Term, Stopped> {
        let parts = conjuncts(condition, ground.terms);
        let about: Vec<Vec<Var>> = parts
            .iter()
            .map(|&part| ground.terms.free_variables(part))
            .collect();
        // A part stays if it shares a variable with something that stays, or speaks of a parameter.
        let mut stays: Vec<bool> = about
            .iter()
            .map(|variables| {
                let mut variables = variables.iter();
                variables.any(|it| alive.contains(it) || !self.is_unknown(*it))
            })
            .collect();
        loop {
            for (variables, _) in about.iter().zip(&stays).filter(|(_, stays)| **stays) {
                alive.extend(variables);
            }
            let mut changed = false;
            for (stays, variables) in stays.iter_mut().zip(&about) {
                if !*stays && variables.iter().any(|it| alive.contains(it)) {
                    *stays = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let (mut keep, mut drop) = (Vec::new(), Vec::new());
        for (part, stays) in parts.into_iter().zip(stays) {
            if stays {
                keep.push(part)
            } else {
                drop.push(part)
            }
        }
        if drop.is_empty() {
            return Ok(condition);
        }
        let dropped = ground.terms.and(drop);
        match ground.solver.satisfiable(ground.terms, &[dropped])? {
            Satisfiability::Sat => Ok(ground.terms.and(keep)),
            Satisfiability::Unsat => Ok(Term::FALSE),
            Satisfiability::Unknown(_) => Ok(condition),
        }
    }

    /// The condition without unknowns: for some value of each.
    pub(crate) fn over_parameters(
        &mut self,
        condition: Term,
        ground: &mut Ground<'_>,
    ) -> Result<Term, Stopped> {
        let condition = self.forget(condition, &[], ground)?;
        let unknowns: Vec<Var> = ground
            .terms
            .free_variables(condition)
            .into_iter()
            .filter(|it| self.is_unknown(*it))
            .collect();
        if unknowns.is_empty() {
            return Ok(condition);
        }
        let exists = ground
            .terms
            .quantify(Quantifier::Exists, &unknowns, condition);
        Ok(ground.solver.eliminate(ground.terms, exists)?.term())
    }
}

/// The conjuncts of a formula.
pub(crate) fn conjuncts(formula: Term, terms: &Terms) -> Vec<Term> {
    match terms.kind(formula) {
        TermKind::Apply(Op::And, parts) => parts.to_vec(),
        _ => vec![formula],
    }
}
