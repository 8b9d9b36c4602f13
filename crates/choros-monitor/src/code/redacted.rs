//! Conditions over values of which some are not shown.
//!
//! Each part is evaluated to what it may be: true, false or undefined.
//! Of a redacted value nothing is known but which others it equals ([`pseudonym`]); every other operation on it may give
//! anything, and may be undefined.

use std::borrow::Cow;

use choros_data::Op;
use choros_model::observation::{Datum, pseudonym};

use super::{Code, Part, Slots, Truth};

/// What a part may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MayBe {
    true_: bool,
    false_: bool,
    undefined: bool,
}

impl MayBe {
    const ANYTHING: MayBe = MayBe {
        true_: true,
        false_: true,
        undefined: true,
    };

    fn known(truth: Option<bool>) -> MayBe {
        MayBe {
            true_: truth == Some(true),
            false_: truth == Some(false),
            undefined: truth.is_none(),
        }
    }

    fn not(self) -> MayBe {
        MayBe {
            true_: self.false_,
            false_: self.true_,
            ..self
        }
    }

    /// Strict: one undefined part makes the whole undefined.
    fn and(self, other: MayBe) -> MayBe {
        let is_defined = |it: MayBe| it.true_ || it.false_;
        MayBe {
            true_: self.true_ && other.true_,
            false_: self.false_ && is_defined(other) || other.false_ && is_defined(self),
            undefined: self.undefined || other.undefined,
        }
    }

    fn or(self, other: MayBe) -> MayBe {
        self.not().and(other.not()).not()
    }
}

/// The value of a part.
enum Value<'v> {
    Known(Cow<'v, Datum<'v>>),
    /// What stands for it, where it is a value of a message.
    Redacted(Option<&'v str>),
    Undefined,
}

impl Code {
    /// Whether some value that the condition speaks of was redacted.
    pub(super) fn is_redacted(&self, slots: Slots<'_>) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| match part {
            Part::Slot(place) => slots.get(*place).is_some_and(Datum::is_redacted),
            _ => false,
        })
    }

    /// Whether the condition is true, as far as redacted values let one say.
    pub(super) fn judge_redacted(&self, slots: Slots<'_>) -> Truth {
        let Some(last) = self.parts.len().checked_sub(1) else {
            return Truth::True;
        };
        let whole = self.may_be(last, slots);
        match (whole.true_, whole.false_ || whole.undefined) {
            (true, false) => Truth::True,
            (false, _) => Truth::False,
            (true, true) => Truth::Redacted,
        }
    }

    fn may_be<'v>(&'v self, part: usize, slots: Slots<'v>) -> MayBe {
        if !self.is_part_redacted(part, slots) {
            return MayBe::known(self.truth(part, slots));
        }
        let Part::Apply(op, arguments) = &self.parts[part] else {
            return MayBe::ANYTHING;
        };
        let parts = arguments.iter().map(|&it| self.may_be(it, slots));
        match op {
            Op::And => parts.fold(MayBe::known(Some(true)), MayBe::and),
            Op::Or => parts.fold(MayBe::known(Some(false)), MayBe::or),
            Op::Not => self.may_be(arguments[0], slots).not(),
            Op::Implies => {
                let premise = self.may_be(arguments[0], slots);
                premise.not().or(self.may_be(arguments[1], slots))
            }
            Op::Equal | Op::NotEqual => {
                let values = [0, 1].map(|it| self.redacted_value(arguments[it], slots));
                let equal = match values {
                    [Value::Undefined, _] | [_, Value::Undefined] => MayBe::known(None),
                    [Value::Redacted(Some(one)), Value::Redacted(Some(other))] => {
                        let equal = pseudonym::are_equal(one, other);
                        equal.map_or(MayBe::ANYTHING, |equal| MayBe::known(Some(equal)))
                    }
                    [Value::Known(one), Value::Known(other)] => {
                        let is_known = super::comparable(&one, &other);
                        MayBe::known(is_known.then(|| one.agrees(&other)))
                    }
                    _ => MayBe::ANYTHING,
                };
                if *op == Op::Equal { equal } else { equal.not() }
            }
            _ => {
                let values = arguments.iter();
                let mut values = values.map(|&it| self.redacted_value(it, slots));
                if values.any(|it| matches!(it, Value::Undefined)) && *op != Op::If {
                    MayBe::known(None)
                } else {
                    MayBe::ANYTHING
                }
            }
        }
    }

    fn redacted_value<'v>(&'v self, part: usize, slots: Slots<'v>) -> Value<'v> {
        if let Part::Slot(place) = &self.parts[part] {
            return match slots.get(*place) {
                Some(datum) if datum.is_redacted() => Value::Redacted(datum.text()),
                Some(datum) => Value::Known(Cow::Borrowed(datum)),
                None => Value::Undefined,
            };
        }
        if self.is_part_redacted(part, slots) {
            return Value::Redacted(None);
        }
        self.value(part, slots)
            .map_or(Value::Undefined, Value::Known)
    }

    fn is_part_redacted(&self, part: usize, slots: Slots<'_>) -> bool {
        match &self.parts[part] {
            Part::Constant(_) => false,
            Part::Slot(place) => slots.get(*place).is_some_and(Datum::is_redacted),
            Part::Apply(_, arguments) => arguments
                .iter()
                .any(|&argument| self.is_part_redacted(argument, slots)),
        }
    }
}
