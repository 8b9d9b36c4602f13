//! A field that is computed from what stands at a place: `body.cents / 100`.

use std::fmt;

use choros_model::observation::{Datum, Number};

use crate::Place;
use crate::place::leading_place;

/// A place, and what is done with the number that stands there, from left to right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPlace {
    pub place: Place,
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Plus(Number),
    Minus(Number),
    Times(Number),
    DividedBy(Number),
}

impl From<Place> for FieldPlace {
    fn from(place: Place) -> FieldPlace {
        FieldPlace {
            place,
            steps: Vec::new(),
        }
    }
}

impl FieldPlace {
    /// `body.cents / 100`; signs stand between spaces, since labels may have them.
    pub fn parse(text: &str) -> Result<FieldPlace, String> {
        let (place, rest) = leading_place(text);
        let place = Place::parse(place)?;
        let mut words = rest.split_whitespace();
        let mut steps = Vec::new();
        while let Some(sign) = words.next() {
            if !matches!(sign, "+" | "-" | "*" | "/") {
                return Err(format!(
                    "`{sign}` in `{text}`: expected `+`, `-`, `*` or `/` between spaces, then a number"
                ));
            }
            let number = words.next().and_then(|it| Number::parse(it).ok());
            let number = number
                .ok_or_else(|| format!("`{sign}` in `{text}` is not followed by a number"))?;
            let is_zero = number == Number::from(0);
            steps.push(match sign {
                "+" => Step::Plus(number),
                "-" => Step::Minus(number),
                _ if is_zero => {
                    return Err(format!("`{sign} 0` in `{text}` cannot be undone for sending"));
                }
                _ if matches!(steps.last(), Some(Step::Plus(_) | Step::Minus(_))) => {
                    return Err(format!(
                        "`{text}` can be read in two ways: multiply and divide first, then add and subtract"
                    ));
                }
                "*" => Step::Times(number),
                _ => Step::DividedBy(number),
            });
        }
        Ok(FieldPlace { place, steps })
    }

    /// The field's value, from what stands at the place; nothing where it is computed and that is not a number.
    pub fn computed(&self, found: &Datum<'static>) -> Option<Datum<'static>> {
        if self.steps.is_empty() || found.is_redacted() {
            return Some(found.clone());
        }
        // Computed fields are numbers; some logs quote them.
        let number = found
            .number()
            .or_else(|| Number::parse(found.text()?.trim()).ok());
        let mut steps = self.steps.iter();
        let value = steps.try_fold(number?, |value, step| step.done(&value))?;
        Some(Datum::Number(value))
    }

    /// What is to stand at the place so that the field has this value.
    pub fn undone(&self, value: &Number) -> Option<Number> {
        let mut steps = self.steps.iter().rev();
        steps.try_fold(value.clone(), |value, step| step.undone(&value))
    }
}

impl Step {
    fn done(&self, value: &Number) -> Option<Number> {
        match self {
            Step::Plus(by) => Some(value.plus(by)),
            Step::Minus(by) => Some(value.minus(by)),
            Step::Times(by) => Some(value.times(by)),
            Step::DividedBy(by) => value.divided_by(by),
        }
    }

    fn undone(&self, value: &Number) -> Option<Number> {
        match self {
            Step::Plus(by) => Some(value.minus(by)),
            Step::Minus(by) => Some(value.plus(by)),
            Step::Times(by) => value.divided_by(by),
            Step::DividedBy(by) => Some(value.times(by)),
        }
    }
}

impl fmt::Display for FieldPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.place)?;
        for step in &self.steps {
            match step {
                Step::Plus(by) => write!(f, " + {by}")?,
                Step::Minus(by) => write!(f, " - {by}")?,
                Step::Times(by) => write!(f, " * {by}")?,
                Step::DividedBy(by) => write!(f, " / {by}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use choros_model::observation::{Datum, Number};

    use super::FieldPlace;

    #[test]
    fn cents_are_exact() {
        let amount = FieldPlace::parse("body.cents / 100").unwrap();
        let cents = Datum::Number(Number::from(496));
        let euros = amount.computed(&cents).unwrap().number().unwrap();
        assert_eq!(euros.to_string(), "4.96");
        assert_eq!(amount.undone(&euros), Some(Number::from(496)));
        assert_eq!(amount.computed(&Datum::Text("much".into())), None);
        let quoted = Datum::Text("496".into());
        assert_eq!(amount.computed(&quoted).unwrap().number(), Some(euros));
        assert_eq!(amount.to_string(), "body.cents / 100");
        let spaced = r#"body["in \"cents\" "] / 100"#;
        assert_eq!(FieldPlace::parse(spaced).unwrap().to_string(), spaced);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, expected) in [
            ("body.a * 0", "cannot be undone"),
            ("body.a / b", "not followed by a number"),
            ("body.a + 1 * 2", "two ways"),
            ("body.a % 2", "expected `+`"),
            ("body.a /", "not followed by a number"),
            ("", "does not begin with"),
        ] {
            let error = FieldPlace::parse(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    proptest::proptest! {
        #[test]
        fn undoing_is_inverse(value: i32, times in 1i64..1000, plus: i32, by in 1i64..1000) {
            let text = format!("body.x * {times} / {by} + {plus}");
            let field = FieldPlace::parse(&text).unwrap();
            let value = Number::from(i64::from(value));
            let computed = field.computed(&Datum::Number(value.clone())).unwrap();
            proptest::prop_assert_eq!(field.undone(&computed.number().unwrap()), Some(value));
        }
    }
}
