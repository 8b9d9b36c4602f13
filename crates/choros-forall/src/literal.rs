//! Literals of formulas as values of a sort.
//!
//! A formula that is asked about samples compares texts: `1` is the integer 1 and the string `1`.
//! Here a literal is the value of the term's sort that is printed so, and where there is none it equals nothing.

use choros_data::{Sort, SortKind, Term, Terms, Value};
use num_bigint::BigInt;
use num_rational::BigRational;

use crate::stop::Stop;

/// The value of a sort that is written so; `None` where there is none.
pub(crate) fn literal(text: &str, sort: Sort, terms: &mut Terms) -> Result<Option<Term>, Stop> {
    let value = match terms.sort_kind(sort).clone() {
        SortKind::String => return Ok(Some(terms.text(text))),
        SortKind::Bool => text.parse().ok().map(Value::Bool),
        SortKind::Int => text.parse::<BigInt>().ok().map(Value::Int),
        SortKind::Real => number(text).map(Value::Real),
        SortKind::Uninterpreted(_) => Some(Value::Atom {
            sort,
            name: terms.names.intern(text),
        }),
        SortKind::Enumeration { constructors, .. } => constructors
            .iter()
            .position(|&it| terms.names.text(it) == text)
            .map(|index| Value::Constructor {
                sort,
                index: index as u32,
            }),
        SortKind::Record(_) | SortKind::List(_) => {
            let sort = terms.sort_text(sort);
            return Err(Stop::Unsupported(format!(
                "the formula compares `{text}` with a datum of sort {sort}"
            )));
        }
    };
    // Samples are compared as they are printed: `01` is not how 1 is.
    let value = value.filter(|value| terms.print_value(value) == text);
    Ok(value.map(|value| terms.constant(value)))
}

/// A decimal number.
pub(crate) fn number(text: &str) -> Option<BigRational> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let scale = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
    Some(BigRational::new(digits, scale))
}
