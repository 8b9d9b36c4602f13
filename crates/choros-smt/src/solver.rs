//! The one interface that engines see.

use choros_data::{Assignment, Sort, SortKind, Term, Terms, Value, Var};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

use crate::{Elimination, Limits, Reason, Satisfiability, SolverError};

/// A stack of asserted formulas and the questions one may ask about them.
///
/// Formulas are *closed* ([`Terms::close`]): where an operation is undefined they say so themselves.
/// One solver serves one store of terms for its whole life.
/// Object-safe, so that the façade can choose at run time.
pub trait Solver {
    /// What answers, with its version: `z3 4.8.12`.
    fn name(&self) -> String;

    /// The bounds of each query from now on.
    fn set_limits(&mut self, limits: Limits);

    /// The resource units that one query may use.
    fn bound(&self) -> u64;

    /// The resource units that all queries so far have used; an estimate if the solver does not count them.
    fn spent(&self) -> u64;

    /// Opens a level: what is asserted from here on goes away with the matching [`Solver::pop`].
    fn push(&mut self);

    /// Closes the level opened last; without one, nothing happens.
    fn pop(&mut self);

    /// Adds a formula to the level opened last.
    fn assert(&mut self, formula: Term);

    /// Whether the asserted formulas and the assumptions can be true together.
    fn check_assuming(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
    ) -> Result<Satisfiability, SolverError>;

    /// Values that satisfied the last query, one per variable that occurred in it.
    ///
    /// They outlive the level they were found in, until the next query.
    fn solution(&self) -> Option<&Assignment>;

    /// After *unsat*: positions of assumptions that are contradictory together with what is asserted.
    ///
    /// Small ones are irreducible: without any one of them the contradiction goes away or can no longer be shown.
    fn unsat_core(&self) -> Option<&[usize]>;

    /// An equivalent formula without quantifiers, if one can be found and proved equivalent.
    ///
    /// What is asserted plays no part in it.
    fn eliminate(&mut self, terms: &mut Terms, formula: Term) -> Result<Elimination, SolverError>;

    /// Whether the asserted formulas can be true together.
    fn check(&mut self, terms: &mut Terms) -> Result<Satisfiability, SolverError> {
        self.check_assuming(terms, &[])
    }

    /// Values of these variables that satisfied the last query; a variable that does not matter gets some value.
    fn model(&self, terms: &mut Terms, variables: &[Var]) -> Option<Assignment> {
        let solution = self.solution()?;
        let mut model = Assignment::default();
        for &variable in variables {
            let value = match solution.get(&variable) {
                Some(value) => value.clone(),
                None => some_value(terms, terms.variable_sort(variable))?,
            };
            model.insert(variable, value);
        }
        Some(model)
    }

    /// Whether these formulas can be true together with what is asserted.
    fn satisfiable(
        &mut self,
        terms: &mut Terms,
        formulas: &[Term],
    ) -> Result<Satisfiability, SolverError> {
        self.push();
        for &formula in formulas {
            self.assert(formula);
        }
        let answer = self.check(terms);
        self.pop();
        answer
    }

    /// Whether the formula is true for all values that satisfy what is asserted.
    ///
    /// After [`Truth::False`] the solution is a counterexample.
    fn valid(&mut self, terms: &mut Terms, formula: Term) -> Result<Truth, SolverError> {
        let negation = terms.not(formula);
        Ok(self.satisfiable(terms, &[negation])?.into())
    }

    /// Whether `premise` implies `conclusion`, given what is asserted.
    fn implies(
        &mut self,
        terms: &mut Terms,
        premise: Term,
        conclusion: Term,
    ) -> Result<Truth, SolverError> {
        if premise == conclusion {
            return Ok(Truth::True);
        }
        let negation = terms.not(conclusion);
        Ok(self.satisfiable(terms, &[premise, negation])?.into())
    }

    /// Whether both are true for the same values, given what is asserted.
    fn equivalent(
        &mut self,
        terms: &mut Terms,
        left: Term,
        right: Term,
    ) -> Result<Truth, SolverError> {
        match self.implies(terms, left, right)? {
            Truth::True => self.implies(terms, right, left),
            // A difference in one direction settles it; a doubt does not, the other direction may still differ.
            Truth::False => Ok(Truth::False),
            Truth::Unknown(reason) => match self.implies(terms, right, left)? {
                Truth::False => Ok(Truth::False),
                _ => Ok(Truth::Unknown(reason)),
            },
        }
    }
}

/// Whether something is so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Truth {
    /// It is, for all values.
    True,
    /// It is not; the solution of the query is a counterexample.
    False,
    /// The solver could not tell.
    Unknown(Reason),
}

impl From<Satisfiability> for Truth {
    /// Reads the answer to a *negated* question.
    fn from(answer: Satisfiability) -> Truth {
        match answer {
            Satisfiability::Unsat => Truth::True,
            Satisfiability::Sat => Truth::False,
            Satisfiability::Unknown(reason) => Truth::Unknown(reason),
        }
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn name(&self) -> String {
        (**self).name()
    }
    fn set_limits(&mut self, limits: Limits) {
        (**self).set_limits(limits);
    }
    fn bound(&self) -> u64 {
        (**self).bound()
    }
    fn spent(&self) -> u64 {
        (**self).spent()
    }
    fn push(&mut self) {
        (**self).push();
    }
    fn pop(&mut self) {
        (**self).pop();
    }
    fn assert(&mut self, formula: Term) {
        (**self).assert(formula);
    }
    fn check_assuming(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
    ) -> Result<Satisfiability, SolverError> {
        (**self).check_assuming(terms, assumptions)
    }
    fn solution(&self) -> Option<&Assignment> {
        (**self).solution()
    }
    fn unsat_core(&self) -> Option<&[usize]> {
        (**self).unsat_core()
    }
    fn eliminate(&mut self, terms: &mut Terms, formula: Term) -> Result<Elimination, SolverError> {
        (**self).eliminate(terms, formula)
    }
}

/// Some value of a sort; none of an enumeration without constructors.
pub fn some_value(terms: &mut Terms, sort: Sort) -> Option<Value> {
    Some(match terms.sort_kind(sort).clone() {
        SortKind::Bool => Value::Bool(false),
        SortKind::Int => Value::Int(BigInt::zero()),
        SortKind::Real => Value::Real(BigRational::zero()),
        SortKind::String => Value::text(""),
        SortKind::Uninterpreted(name) => {
            let stem = terms.names.text(name).to_owned();
            Value::Atom {
                sort,
                name: terms.names.intern(&format!("{stem}'0")),
            }
        }
        SortKind::Enumeration { constructors, .. } => {
            if constructors.is_empty() {
                return None;
            }
            Value::Constructor { sort, index: 0 }
        }
        SortKind::Record(fields) => Value::Record {
            sort,
            fields: fields
                .iter()
                .map(|&(_, field)| some_value(terms, field))
                .collect::<Option<_>>()?,
        },
        SortKind::List(_) => Value::List {
            sort,
            items: Vec::new(),
        },
    })
}
