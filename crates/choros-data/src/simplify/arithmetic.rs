//! Comparisons, sums, products, differences.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::{Op, Sort, Term, TermKind, Terms, Value};

impl Terms {
    /// A comparison of simplified terms: the constant goes to the right, summands follow it.
    pub(super) fn simple_comparison(&mut self, op: Op, left: Term, right: Term) -> Term {
        let (mut op, mut left, mut right) = (op, left, right);
        // Each round moves one constant to the right or takes one operator off; a handful is plenty.
        for _ in 0..8 {
            if left == right {
                return match op {
                    Op::Equal | Op::LessEqual | Op::GreaterEqual => Term::TRUE,
                    _ => Term::FALSE,
                };
            }
            if let (Some(a), Some(b)) = (self.value(left), self.value(right)) {
                if let Some(truth) = compare_values(op, a, b) {
                    return self.bool(truth);
                }
                break;
            }
            if self.belongs_right(left, right) {
                (left, right) = (right, left);
                op = op.mirrored();
                continue;
            }
            if self.sort_of(left) == Sort::BOOL && right == Term::TRUE {
                return if op == Op::Equal {
                    left
                } else {
                    self.negation(left)
                };
            }
            if self.sort_of(left) == Sort::BOOL && right == Term::FALSE {
                return if op == Op::Equal {
                    self.negation(left)
                } else {
                    left
                };
            }
            match self.shifted(op, left, right) {
                Some((next_op, next_left, next_right)) => {
                    (op, left, right) = (next_op, next_left, next_right);
                }
                None => break,
            }
        }
        let (op, right) = self.without_unit_step(op, right);
        self.compare(op, left, right)
    }

    /// `x < y + 1` is `x <= y` on integers, and so on.
    fn without_unit_step(&mut self, op: Op, right: Term) -> (Op, Term) {
        if self.sort_of(right) != Sort::INT {
            return (op, right);
        }
        let TermKind::Apply(operator, arguments) = self.kind(right) else {
            return (op, right);
        };
        let Some((&last, rest)) = arguments.split_last() else {
            return (op, right);
        };
        // Simplified sums have their constant at the end.
        let step = match (operator, self.value(last)) {
            (Op::Add, Some(Value::Int(value))) => value.clone(),
            (Op::Subtract, Some(Value::Int(value))) => -value,
            _ => return (op, right),
        };
        let rest = rest.to_vec();
        let next = match (op, step.is_one(), (-&step).is_one()) {
            (Op::Less, true, _) => Op::LessEqual,
            (Op::GreaterEqual, true, _) => Op::Greater,
            (Op::LessEqual, _, true) => Op::Less,
            (Op::Greater, _, true) => Op::GreaterEqual,
            _ => return (op, right),
        };
        (next, self.arithmetic_of_many(Op::Add, &rest))
    }

    /// Constants belong to the right, and bare variables to the left of anything but variables.
    fn belongs_right(&self, left: Term, right: Term) -> bool {
        match (self.kind(left), self.kind(right)) {
            (TermKind::Constant(_), TermKind::Constant(_)) => false,
            (TermKind::Constant(_), _) => true,
            (_, TermKind::Constant(_)) => false,
            (TermKind::Variable(_), _) => false,
            (_, TermKind::Variable(_)) => true,
            _ => false,
        }
    }

    /// One step of `x + 1 < 5` to `x < 4`, `-x < 5` to `x > -5`, `2.0 * x < 5.0` to `x < 2.5`, `x - y < 0` to `x < y`.
    fn shifted(&mut self, op: Op, left: Term, right: Term) -> Option<(Op, Term, Term)> {
        let sort = self.sort_of(left);
        if !sort.is_number() {
            return None;
        }
        let constant = number(self.value(right)?)?;
        let TermKind::Apply(operator, arguments) = self.kind(left) else {
            return None;
        };
        let arguments = arguments.to_vec();
        match (operator, &arguments[..]) {
            (Op::Negate, &[inner]) => {
                let value = self.number_term(sort, -constant);
                Some((op.mirrored(), inner, value))
            }
            (Op::Subtract, &[a, b]) => {
                if let Some(shift) = self.value(b).and_then(number) {
                    let value = self.number_term(sort, constant + shift);
                    Some((op, a, value))
                } else if constant.is_zero() {
                    Some((op, a, b))
                } else if let Some(shift) = self.value(a).and_then(number) {
                    let value = self.number_term(sort, shift - constant);
                    Some((op.mirrored(), b, value))
                } else {
                    None
                }
            }
            (Op::Add, operands) => {
                let position = operands
                    .iter()
                    .position(|&term| self.value(term).is_some())?;
                let shift = self.value(operands[position]).and_then(number)?;
                let mut rest = operands.to_vec();
                rest.remove(position);
                let rest = self.arithmetic_of_many(Op::Add, &rest);
                let value = self.number_term(sort, constant - shift);
                Some((op, rest, value))
            }
            (Op::Multiply, operands) if sort == Sort::REAL => {
                let position = operands
                    .iter()
                    .position(|&term| self.value(term).is_some())?;
                let factor = self.value(operands[position]).and_then(number)?;
                if factor.is_zero() {
                    return None;
                }
                let mut rest = operands.to_vec();
                rest.remove(position);
                let rest = self.arithmetic_of_many(Op::Multiply, &rest);
                let op = if factor.is_negative() {
                    op.mirrored()
                } else {
                    op
                };
                let value = self.number_term(sort, constant / factor);
                Some((op, rest, value))
            }
            _ => None,
        }
    }

    /// Constants are gathered at the end of a sum and at the start of a product.
    pub(super) fn simple_sum_or_product(&mut self, op: Op, sort: Sort, arguments: &[Term]) -> Term {
        let neutral = match op {
            Op::Add => BigRational::zero(),
            _ => BigRational::one(),
        };
        let mut gathered = neutral.clone();
        let mut rest: Vec<Term> = Vec::new();
        let joined = self.arithmetic_of_many(op, arguments);
        let operands = match self.kind(joined) {
            TermKind::Apply(found, operands) if found == op => operands.to_vec(),
            _ => vec![joined],
        };
        for operand in operands {
            match self.value(operand).and_then(number) {
                Some(value) if op == Op::Add => gathered += value,
                Some(value) => gathered *= value,
                None => rest.push(operand),
            }
        }
        if rest.is_empty() || (op == Op::Multiply && gathered.is_zero()) {
            return self.number_term(sort, gathered);
        }
        if gathered != neutral {
            let constant = self.number_term(sort, gathered);
            match op {
                Op::Add => rest.push(constant),
                _ => rest.insert(0, constant),
            }
        }
        self.arithmetic_of_many(op, &rest)
    }

    pub(super) fn simple_difference(&mut self, sort: Sort, left: Term, right: Term) -> Term {
        if left == right {
            return self.number_term(sort, BigRational::zero());
        }
        match self.value(right).and_then(number) {
            Some(value) if value.is_zero() => left,
            Some(value) => {
                // `x + 3 - 1` is `x + 2`: let the sum gather both constants, unless that only turns `x - 1` into
                // `x + -1`.
                match self.kind(left) {
                    TermKind::Apply(Op::Add, _) => {
                        let constant = self.number_term(sort, -value);
                        self.simple_sum_or_product(Op::Add, sort, &[left, constant])
                    }
                    _ => self.arithmetic(Op::Subtract, left, right),
                }
            }
            None => self.arithmetic(Op::Subtract, left, right),
        }
    }

    /// A literal of a number sort; the value of an Int literal is integral because it comes from Int literals.
    pub(super) fn number_term(&mut self, sort: Sort, value: BigRational) -> Term {
        match sort {
            Sort::INT => self.constant(Value::Int(value.to_integer())),
            _ => self.constant(Value::Real(value)),
        }
    }
}

fn number(value: &Value) -> Option<BigRational> {
    match value {
        Value::Int(value) => Some(BigRational::from_integer(BigInt::clone(value))),
        Value::Real(value) => Some(value.clone()),
        _ => None,
    }
}

fn compare_values(op: Op, left: &Value, right: &Value) -> Option<bool> {
    let by_order = |op| match (number(left), number(right)) {
        (Some(a), Some(b)) => Some(match op {
            Op::Less => a < b,
            _ => a <= b,
        }),
        _ => None,
    };
    match op {
        Op::Equal => Some(left == right),
        Op::NotEqual => Some(left != right),
        Op::Less | Op::LessEqual => by_order(op),
        Op::Greater | Op::GreaterEqual => {
            let opposite = op.opposite()?;
            by_order(opposite).map(|truth| !truth)
        }
        _ => None,
    }
}
