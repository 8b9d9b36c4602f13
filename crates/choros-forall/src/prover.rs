//! The solver, as the engine asks it: what is not proved is not so.

use choros_base::Budget;
use choros_data::{Assignment, Op, Quantifier, SortKind, Term, TermKind, Terms, Var};
use choros_model::Bound;
use choros_smt::{Elimination, Reason, Satisfiability, Solver, Truth};

use rustc_hash::FxHashMap;

use crate::bounds::Side;
use crate::counted::Counted;
use crate::linear::normal;
use crate::stop::Stop;

/// Terms and solver together, within a budget of questions.
pub(crate) struct Prover<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) solver: Counted<'a>,
    pub(crate) budget: Budget,
    /// Questions that the budget knows of.
    paid: u64,
    /// Formulas without quantifiers that were found for others, or that none was found.
    known: FxHashMap<Term, Option<Term>>,
    /// What could not be eliminated or decided, once.
    pub(crate) doubt: Option<String>,
    /// The bound that was met, if one was.
    pub(crate) met: Option<Bound>,
    /// Questions after which no more ranks are tried for a component, and the bound that it is a part of.
    effort: (u64, u64),
    /// The work after which searches end, and after which everything does.
    search: u64,
    all: u64,
    /// Whether a certificate is written, which nothing may be left out of.
    is_writing: bool,
}

/// Formulas with more parts than this are not worked on.
const MAX_PARTS: usize = 600;

/// Of the questions that may be asked, the ranks of one component may take this part, and no more than these.
const EFFORT_PART: u64 = 400;
const MAX_EFFORT: u64 = 100_000;

/// A question to us may take as much work as this many queries of the solver may at most.
const QUERIES: u64 = 8;

/// That a question took all the work that it may.
pub(crate) fn spent_work(allowed: u64) -> String {
    format!("the bound of {allowed} resource units for all queries to the solver was reached")
}

impl<'a> Prover<'a> {
    pub(crate) fn new(
        terms: &'a mut Terms,
        solver: &'a mut dyn Solver,
        budget: &Budget,
    ) -> Prover<'a> {
        let bound = budget.left();
        let all = solver.bound().saturating_mul(QUERIES);
        Prover {
            terms,
            solver: Counted::new(solver),
            search: all / 2,
            all,
            is_writing: false,
            budget: budget.part(bound),
            paid: 0,
            known: FxHashMap::default(),
            doubt: None,
            met: None,
            effort: ((bound / EFFORT_PART).min(MAX_EFFORT), bound),
        }
    }

    /// The number of questions at which a search that starts now ends.
    pub(crate) fn end_of_effort(&self) -> u64 {
        self.solver.asked().saturating_add(self.effort.0)
    }

    /// The work that a question may take, in the solver's resource units.
    pub(crate) fn allowed(&self) -> u64 {
        self.solver.bound().saturating_mul(QUERIES)
    }

    /// The bound to raise where there was too much work.
    pub(crate) fn more_work(&self) -> Bound {
        Bound::SolverBudget(Some(self.solver.bound().saturating_mul(10)))
    }

    /// A second search may take half of the work that is left after the first.
    pub(crate) fn search_again(&mut self) {
        let left = self.all.saturating_sub(self.solver.work());
        self.search = self.solver.work().saturating_add(left / 2);
    }

    /// Starts a part that has work of its own: so many parts in ten of what a question has.
    pub(crate) fn allow(&mut self, tenths: u64) {
        let more = self.allowed() / 10 * tenths;
        self.all = self.solver.work().saturating_add(more);
        self.search = self.all;
    }

    /// Starts to write the certificate of an answer, which has as much work again.
    pub(crate) fn write(&mut self) {
        self.allow(10);
        self.is_writing = true;
    }

    /// Whether a search has come to its end.
    pub(crate) fn is_tired(&mut self, end: u64) -> bool {
        if self.solver.work() > self.search {
            self.met = Some(self.more_work());
            self.doubt = Some(spent_work(self.allowed()));
            return true;
        }
        let tired = self.solver.asked() > end;
        if tired {
            let more = self.effort.1.saturating_mul(10);
            self.met.get_or_insert(Bound::States(Some(more)));
            let doubt = "there were more ranks to try";
            self.doubt.get_or_insert(doubt.to_owned());
        }
        tired
    }

    /// Whether all work is done that may be: then nothing is proved any more, and both sides stay as they are.
    pub(crate) fn is_spent(&mut self) -> bool {
        let spent = self.solver.work() > self.all;
        if spent {
            self.met = Some(self.more_work());
            self.doubt = Some(spent_work(self.allowed()));
        }
        spent
    }

    /// Spends what was asked since the last time; whether more may be asked.
    fn pay(&mut self) -> Result<bool, Stop> {
        self.budget.spend()?;
        if self.is_spent() {
            if !self.is_writing {
                return Ok(false);
            }
            return Err(Stop::Work {
                allowed: self.allowed(),
                bound: self.more_work(),
            });
        }
        while self.paid < self.solver.asked() {
            self.paid += 1;
            self.budget.spend()?;
        }
        Ok(true)
    }

    /// Whether it was proved that one formula implies another.
    pub(crate) fn implies(&mut self, premise: Term, conclusion: Term) -> Result<bool, Stop> {
        if premise == Term::FALSE || conclusion == Term::TRUE || premise == conclusion {
            return Ok(true);
        }
        if !self.pay()? {
            return Ok(false);
        }
        let truth = self.solver.implies(self.terms, premise, conclusion)?;
        if let Truth::Unknown(reason) = &truth {
            self.doubt.get_or_insert_with(|| reason.to_string());
            if let Reason::Resources(bound) = reason {
                let more = bound.saturating_mul(10);
                self.met.get_or_insert(Bound::SolverBudget(Some(more)));
            }
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
        if !self.pay()? {
            return Ok(None);
        }
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
        let (bound, body) = self.terms.by_leaves(bound, body);
        let body = self.terms.simplify(body);
        let is_sequence = |it: &Var| {
            let sort = self.terms.variable_sort(*it);
            matches!(self.terms.sort_kind(sort), SortKind::List(_))
        };
        if !bound.iter().any(is_sequence) {
            return self.without(quantifier, &bound, body, side);
        }
        // No solver eliminates lists, so as little as possible is asked of them at a time.
        let parts = match (quantifier, self.terms.kind(body)) {
            (Quantifier::Forall, TermKind::Apply(Op::And, parts))
            | (Quantifier::Exists, TermKind::Apply(Op::Or, parts)) => parts.to_vec(),
            _ => vec![body],
        };
        let mut found = Vec::with_capacity(parts.len());
        for part in parts {
            found.push(match self.other_list(quantifier, &bound, part) {
                Some(known) => known,
                None => {
                    let (bound, part) = self.terms.by_lengths(quantifier, &bound, part);
                    self.without(quantifier, &bound, part, side)?
                }
            });
        }
        Ok(match quantifier {
            Quantifier::Forall => self.terms.and(found),
            Quantifier::Exists => self.terms.or(found),
        })
    }

    /// Whether all lists are one certain list, which they are not, or some list is another one, which it is.
    fn other_list(&mut self, quantifier: Quantifier, bound: &[Var], part: Term) -> Option<Term> {
        let (op, answer) = match quantifier {
            Quantifier::Forall => (Op::Equal, Term::FALSE),
            Quantifier::Exists => (Op::NotEqual, Term::TRUE),
        };
        let sides = match self.terms.kind(part) {
            TermKind::Apply(found, &[left, right]) if found == op => [left, right],
            TermKind::Apply(Op::Not, &[inner]) if op == Op::NotEqual => {
                match self.terms.kind(inner) {
                    TermKind::Apply(Op::Equal, &[left, right]) => [left, right],
                    _ => return None,
                }
            }
            _ => return None,
        };
        let [left, right] = sides;
        let is_other = |one: Term, other: Term| {
            let variable = self.terms.as_variable(one);
            let list = variable.filter(|it| {
                let sort = self.terms.variable_sort(*it);
                bound.contains(it) && matches!(self.terms.sort_kind(sort), SortKind::List(_))
            });
            let free = self.terms.free_variables(other);
            list.is_some_and(|it| !free.contains(&it)) && !self.terms.is_partial(other)
        };
        (is_other(left, right) || is_other(right, left)).then_some(answer)
    }

    /// `exists bound. body` or `forall bound. body` without quantifiers, or a formula on the safe side of it.
    fn without(
        &mut self,
        quantifier: Quantifier,
        bound: &[Var],
        body: Term,
        side: Side,
    ) -> Result<Term, Stop> {
        let quantified = self.terms.quantify(quantifier, bound, body);
        if !self.terms.is_quantified(quantified) {
            return Ok(quantified);
        }
        let found = match self.known.get(&quantified).copied() {
            Some(known) => known,
            None if !self.pay()? => {
                return Ok(match side {
                    Side::Low => Term::FALSE,
                    Side::High => Term::TRUE,
                });
            }
            None => match self.solver.eliminate(self.terms, quantified)? {
                Elimination::Free(free) => Some(free),
                Elimination::Quantified(_) => None,
            },
        };
        self.known.insert(quantified, found);
        match found {
            Some(free) => Ok(free),
            None => {
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
        let formula = normal(formula, self.terms);
        let is_flat = !matches!(
            self.terms.kind(formula),
            TermKind::Apply(Op::And | Op::Or, _)
        );
        // What is too large is given up; making it smaller would cost more than all that came before.
        if is_flat || self.terms.postorder([formula]).len() > MAX_PARTS {
            return Ok(formula);
        }
        if !self.pay()? {
            return Ok(formula);
        }
        let lean = choros_conform::lean_formula(formula, known, self.terms, &mut self.solver)?;
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
