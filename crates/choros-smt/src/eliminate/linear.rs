//! Numbers as sums: `c·x + c₁·t₁ + … + k`.

use choros_data::{Op, Sort, Term, TermKind, Terms, Value, Var};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::mentions;

/// Sums nested deeper than this are left to the solver.
const MAX_NESTING: u32 = 64;

/// A sum in which one variable is set apart.
#[derive(Debug, Clone)]
pub(super) struct Linear {
    /// Of the variable.
    pub(super) coefficient: BigRational,
    /// Of other terms, each different.
    others: Vec<(BigRational, Term)>,
    constant: BigRational,
}

impl Linear {
    /// `left - right`, if it is linear in the variable.
    pub(super) fn difference(
        terms: &Terms,
        left: Term,
        right: Term,
        variable: Var,
    ) -> Option<Linear> {
        let mut sum = Linear {
            coefficient: BigRational::zero(),
            others: Vec::new(),
            constant: BigRational::zero(),
        };
        sum.add(terms, &BigRational::one(), left, variable, 0)?;
        sum.add(terms, &-BigRational::one(), right, variable, 0)?;
        Some(sum)
    }

    fn add(
        &mut self,
        terms: &Terms,
        factor: &BigRational,
        term: Term,
        variable: Var,
        depth: u32,
    ) -> Option<()> {
        if let Some(number) = number(terms, term) {
            self.constant += factor * number;
            return Some(());
        }
        match terms.kind(term) {
            TermKind::Variable(found) if found == variable => {
                self.coefficient += factor;
                return Some(());
            }
            _ if depth == MAX_NESTING => {}
            TermKind::Apply(Op::Add, operands) => {
                return operands.iter().try_for_each(|&operand| {
                    self.add(terms, factor, operand, variable, depth + 1)
                });
            }
            TermKind::Apply(Op::Subtract, &[left, right]) => {
                self.add(terms, factor, left, variable, depth + 1)?;
                return self.add(terms, &-factor, right, variable, depth + 1);
            }
            TermKind::Apply(Op::Negate, &[operand]) => {
                return self.add(terms, &-factor, operand, variable, depth + 1);
            }
            TermKind::Apply(Op::Multiply, &[left, right]) => {
                for (constant, other) in [(left, right), (right, left)] {
                    if let Some(constant) = number(terms, constant) {
                        return self.add(terms, &(factor * constant), other, variable, depth + 1);
                    }
                }
            }
            TermKind::Apply(Op::Divide, &[dividend, divisor]) => {
                if let Some(divisor) = number(terms, divisor)
                    && !divisor.is_zero()
                {
                    return self.add(terms, &(factor / divisor), dividend, variable, depth + 1);
                }
            }
            _ => {}
        }
        if mentions(terms, term, variable) {
            return None;
        }
        match self.others.iter_mut().find(|(_, known)| *known == term) {
            Some((coefficient, _)) => *coefficient += factor,
            None => self.others.push((factor.clone(), term)),
        }
        Some(())
    }

    /// Where the sum is zero: the variable equals `term`, or, on Int, `term / divisor`.
    pub(super) fn root(&self, terms: &mut Terms, sort: Sort) -> Option<Root> {
        if self.coefficient.is_zero() {
            return None;
        }
        let (factor, divisor) = match sort {
            Sort::REAL => (-BigRational::one() / &self.coefficient, BigRational::one()),
            _ => (-self.coefficient.signum(), self.coefficient.abs()),
        };
        Some(Root {
            term: self.without_variable(terms, sort, &factor),
            divisor: divisor.to_integer(),
        })
    }

    /// The sum without the variable, times a factor.
    pub(super) fn without_variable(
        &self,
        terms: &mut Terms,
        sort: Sort,
        factor: &BigRational,
    ) -> Term {
        let mut sum = Vec::new();
        for (coefficient, term) in &self.others {
            let coefficient = coefficient * factor;
            if coefficient.is_zero() {
                continue;
            }
            let coefficient = constant(terms, sort, &coefficient);
            sum.push(terms.arithmetic(Op::Multiply, coefficient, *term));
        }
        sum.push(constant(terms, sort, &(&self.constant * factor)));
        let sum = terms.arithmetic_of_many(Op::Add, &sum);
        terms.simplify(sum)
    }
}

/// A quotient of a term and a positive integer.
pub(super) struct Root {
    pub(super) term: Term,
    /// 1 on Real.
    pub(super) divisor: BigInt,
}

impl Root {
    /// The quotient, if it is whole for certain.
    pub(super) fn exact(&self) -> Option<Term> {
        self.divisor.is_one().then_some(self.term)
    }

    /// The largest integer that is not larger.
    pub(super) fn floor(&self, terms: &mut Terms) -> Term {
        if self.divisor.is_one() {
            return self.term;
        }
        let divisor = terms.constant(Value::Int(self.divisor.clone()));
        terms.arithmetic(Op::IntegerDivide, self.term, divisor)
    }

    /// The smallest integer that is not smaller.
    pub(super) fn ceiling(&self, terms: &mut Terms) -> Term {
        if self.divisor.is_one() {
            return self.term;
        }
        let divisor = terms.constant(Value::Int(self.divisor.clone()));
        let almost_one = terms.constant(Value::Int(&self.divisor - BigInt::one()));
        let raised = terms.arithmetic(Op::Add, self.term, almost_one);
        terms.arithmetic(Op::IntegerDivide, raised, divisor)
    }

    /// The condition that it is whole.
    pub(super) fn is_whole(&self, terms: &mut Terms) -> Term {
        if self.divisor.is_one() {
            return Term::TRUE;
        }
        let divisor = terms.constant(Value::Int(self.divisor.clone()));
        let rest = terms.arithmetic(Op::Modulo, self.term, divisor);
        let zero = terms.int(0);
        terms.equal(rest, zero)
    }
}

/// The quotient that `left == right` makes the variable equal to, if it is linear in it.
pub(super) fn solved(terms: &mut Terms, left: Term, right: Term, variable: Var) -> Option<Root> {
    let sort = terms.sort_of(left);
    if !sort.is_number() {
        return None;
    }
    Linear::difference(terms, left, right, variable)?.root(terms, sort)
}

/// Nought of the sort.
pub(super) fn zero(terms: &mut Terms, sort: Sort) -> Term {
    constant(terms, sort, &BigRational::zero())
}

fn number(terms: &Terms, term: Term) -> Option<BigRational> {
    match terms.value(term)? {
        Value::Int(value) => Some(BigRational::from_integer(value.clone())),
        Value::Real(value) => Some(value.clone()),
        _ => None,
    }
}

/// A number of the sort; on Int, all numbers that occur are whole.
fn constant(terms: &mut Terms, sort: Sort, number: &BigRational) -> Term {
    terms.constant(match sort {
        Sort::REAL => Value::Real(number.clone()),
        _ => Value::Int(number.to_integer()),
    })
}
