//! The solver, as the engine asks it: what is not proved is not so.

use choros_base::Budget;
use choros_data::{Assignment, Op, Quantifier, Term, TermKind, Terms, Var};
use choros_smt::{Elimination, Satisfiability, Solver, Truth};

use crate::bounds::Side;
use crate::stop::Stop;

/// Terms and solver together, within a budget of questions.
pub(crate) struct Prover<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) solver: &'a mut dyn Solver,
    pub(crate) budget: &'a Budget,
    /// What could not be eliminated or decided, once.
    pub(crate) doubt: Option<String>,
}

/// Formulas with more parts than this are not worked on.
const MAX_PARTS: usize = 1_500;

impl Prover<'_> {
    /// Whether it was proved that one formula implies another.
    pub(crate) fn implies(&mut self, premise: Term, conclusion: Term) -> Result<bool, Stop> {
        if premise == Term::FALSE || conclusion == Term::TRUE || premise == conclusion {
            return Ok(true);
        }
        self.budget.spend()?;
        let truth = self.solver.implies(self.terms, premise, conclusion)?;
        if let Truth::Unknown(reason) = &truth {
            self.doubt.get_or_insert_with(|| reason.to_string());
        }
        Ok(truth == Truth::True)
    }

    /// Whether a formula is known to have no solution.
    pub(crate) fn is_empty(&mut self, formula: Term) -> Result<bool, Stop> {
        self.implies(formula, Term::FALSE)
    }

    /// Values that satisfy a formula, if some are found.
    pub(crate) fn solution(
        &mut self,
        formula: Term,
        variables: &[Var],
    ) -> Result<Option<Assignment>, Stop> {
        self.budget.spend()?;
        let answer = self.solver.satisfiable(self.terms, &[formula])?;
        Ok(match answer {
            Satisfiability::Sat => self.solver.model(self.terms, variables),
            _ => None,
        })
    }

    /// `exists bound. body` or `forall bound. body` without quantifiers, or a formula on the safe side of it.
    pub(crate) fn eliminate(
        &mut self,
        quantifier: Quantifier,
        bound: &[Var],
        body: Term,
        side: Side,
    ) -> Result<Term, Stop> {
        let body = self.terms.simplify(body);
        let quantified = self.terms.quantify(quantifier, bound, body);
        if !self.terms.is_quantified(quantified) {
            return Ok(quantified);
        }
        self.budget.spend()?;
        match self.solver.eliminate(self.terms, quantified)? {
            Elimination::Free(free) => Ok(free),
            Elimination::Quantified(_) => {
                let text = self.terms.print(quantified);
                let text: String = text.chars().take(120).collect();
                self.doubt.get_or_insert_with(|| {
                    format!("no quantifier-free form of `{text}` was found")
                });
                Ok(match side {
                    Side::Low => Term::FALSE,
                    Side::High => Term::TRUE,
                })
            }
        }
    }

    /// An equivalent formula that is smaller, where `known` holds.
    pub(crate) fn lean(&mut self, formula: Term, known: Term) -> Result<Term, Stop> {
        let formula = self.terms.simplify(formula);
        if !matches!(
            self.terms.kind(formula),
            TermKind::Apply(Op::And | Op::Or, _)
        ) {
            return Ok(formula);
        }
        self.budget.spend()?;
        let lean = choros_conform::lean_formula(formula, known, self.terms, self.solver)?;
        Ok(lean)
    }

    /// Whether a formula is too large to work with.
    pub(crate) fn is_too_large(&mut self, formula: Term) -> bool {
        let large = self.terms.postorder([formula]).len() > MAX_PARTS;
        if large {
            self.doubt
                .get_or_insert_with(|| "the formulas grew too large".to_owned());
        }
        large
    }
}
