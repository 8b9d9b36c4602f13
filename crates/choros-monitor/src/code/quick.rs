//! Conditions over small whole numbers, without detours.
//!
//! Most conditions add, multiply and compare numbers that fit into 64 bits.
//! Such a condition is a straight line of steps over registers; where a value is anything else, or a result does not
//! fit, it says nothing, and the exact evaluation of `code.rs` is asked.

use choros_data::Op;
use choros_model::observation::Datum;

use super::{Part, Slots};

/// A condition that may be evaluated over small whole numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Quick {
    /// Each writes the register of its own number; the last one is the condition.
    steps: Vec<Step>,
}

/// What a register gets; truth values are 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Constant(i64),
    Slot(usize),
    Apply(Binary, u8, u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Binary {
    Add,
    Subtract,
    Multiply,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    And,
    Or,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Truth,
}

const REGISTERS: usize = 32;

impl Quick {
    /// The quick form of a condition, if it has one.
    pub(crate) fn new(parts: &[Part]) -> Option<Quick> {
        let mut quick = Quick { steps: Vec::new() };
        let mut registers: Vec<(u8, Kind)> = Vec::new();
        for part in parts {
            let register = match part {
                Part::Constant(value) => quick.push(Step::Constant(small(value)?), Kind::Number)?,
                Part::Slot(place) => quick.push(Step::Slot(*place), Kind::Number)?,
                Part::Apply(op, arguments) => {
                    let arguments: Vec<(u8, Kind)> =
                        arguments.iter().map(|&it| registers[it]).collect();
                    quick.apply(*op, &arguments)?
                }
            };
            registers.push(register);
        }
        let (last, kind) = *registers.last()?;
        let is_last = usize::from(last) + 1 == quick.steps.len();
        (kind == Kind::Truth && is_last).then_some(quick)
    }

    fn push(&mut self, step: Step, kind: Kind) -> Option<(u8, Kind)> {
        let register = u8::try_from(self.steps.len()).ok()?;
        self.steps.push(step);
        (self.steps.len() <= REGISTERS).then_some((register, kind))
    }

    fn apply(&mut self, op: Op, arguments: &[(u8, Kind)]) -> Option<(u8, Kind)> {
        use Kind::{Number, Truth};
        let (binary, takes, gives, is_swapped) = match op {
            Op::Add => (Binary::Add, Number, Number, false),
            Op::Subtract => (Binary::Subtract, Number, Number, false),
            Op::Multiply => (Binary::Multiply, Number, Number, false),
            Op::Equal => (Binary::Equal, Number, Truth, false),
            Op::NotEqual => (Binary::NotEqual, Number, Truth, false),
            Op::Less => (Binary::Less, Number, Truth, false),
            Op::LessEqual => (Binary::LessEqual, Number, Truth, false),
            Op::Greater => (Binary::Less, Number, Truth, true),
            Op::GreaterEqual => (Binary::LessEqual, Number, Truth, true),
            Op::And => (Binary::And, Truth, Truth, false),
            Op::Or => (Binary::Or, Truth, Truth, false),
            _ => return None,
        };
        if arguments.len() < 2
            || (takes != gives && arguments.len() > 2)
            || arguments.iter().any(|(_, kind)| *kind != takes)
        {
            return None;
        }
        let mut whole = arguments[0];
        for &(next, _) in &arguments[1..] {
            let (left, right) = if is_swapped {
                (next, whole.0)
            } else {
                (whole.0, next)
            };
            whole = self.push(Step::Apply(binary, left, right), gives)?;
        }
        Some(whole)
    }

    /// Whether the condition is true; none where it is not known this way.
    pub(crate) fn holds(&self, slots: Slots<'_>) -> Option<bool> {
        let mut registers = [0i64; REGISTERS];
        let mut last = 0;
        for (register, step) in self.steps.iter().enumerate() {
            last = match *step {
                Step::Constant(value) => value,
                Step::Slot(place) => small(slots.get(place)?)?,
                Step::Apply(binary, left, right) => {
                    let left = registers[usize::from(left) % REGISTERS];
                    let right = registers[usize::from(right) % REGISTERS];
                    match binary {
                        Binary::Add => left.checked_add(right)?,
                        Binary::Subtract => left.checked_sub(right)?,
                        Binary::Multiply => left.checked_mul(right)?,
                        Binary::Equal => i64::from(left == right),
                        Binary::NotEqual => i64::from(left != right),
                        Binary::Less => i64::from(left < right),
                        Binary::LessEqual => i64::from(left <= right),
                        Binary::And => left & right,
                        Binary::Or => left | right,
                    }
                }
            };
            registers[register % REGISTERS] = last;
        }
        Some(last == 1)
    }
}

fn small(value: &Datum<'_>) -> Option<i64> {
    match value {
        Datum::Number(number) => number.to_i64(),
        _ => None,
    }
}
