//! Simple types: built-in ones and their restrictions, and the texts of their values.

use std::sync::Arc;

use choros_data::{Sort, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::facets::Facets;

/// A built-in type, restricted by facets.
#[derive(Debug, Clone)]
pub struct SimpleType {
    /// The built-in type it comes from: `int`, `date`.
    pub builtin: Arc<str>,
    /// What kind of values it has.
    pub primitive: Primitive,
    /// What happens to white space before a text is read.
    pub whitespace: Whitespace,
    /// What its values obey.
    pub facets: Facets,
}

/// The kinds of values that our sorts distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Primitive {
    /// `Bool`.
    Boolean,
    /// `Int`.
    Integer,
    /// `Real`, written with a decimal point.
    Decimal,
    /// `Real`, written with an exponent if it likes; infinities and *not a number* have no value.
    Float,
    /// `String`: everything else.
    Text,
}

/// What happens to white space before a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whitespace {
    /// Nothing.
    Preserve,
    /// Each becomes a blank.
    Replace,
    /// Runs become one blank, those at the ends go.
    Collapse,
}

impl SimpleType {
    /// The names of the built-in types.
    pub const NAMES: [&'static str; 43] = [
        "anySimpleType",
        "anyURI",
        "base64Binary",
        "boolean",
        "byte",
        "date",
        "dateTime",
        "decimal",
        "double",
        "duration",
        "ENTITY",
        "float",
        "gDay",
        "gMonth",
        "gMonthDay",
        "gYear",
        "gYearMonth",
        "hexBinary",
        "ID",
        "IDREF",
        "int",
        "integer",
        "language",
        "long",
        "Name",
        "NCName",
        "negativeInteger",
        "NMTOKEN",
        "nonNegativeInteger",
        "nonPositiveInteger",
        "normalizedString",
        "NOTATION",
        "positiveInteger",
        "QName",
        "short",
        "string",
        "time",
        "token",
        "unsignedByte",
        "unsignedInt",
        "unsignedLong",
        "unsignedShort",
        "anyType",
    ];

    /// A built-in type of XML Schema by its local name.
    pub fn built_in(name: &str) -> Option<SimpleType> {
        let int = |low: Option<i128>, high: Option<i128>| {
            let mut facets = Facets::default();
            let bound = |value: i128| (BigRational::from_integer(value.into()), true);
            facets.low = low.map(bound);
            facets.high = high.map(bound);
            (Primitive::Integer, Whitespace::Collapse, facets)
        };
        let text = |whitespace| (Primitive::Text, whitespace, Facets::default());
        let (primitive, whitespace, facets) = match name {
            "boolean" => (Primitive::Boolean, Whitespace::Collapse, Facets::default()),
            "integer" => int(None, None),
            "long" => int(Some(i64::MIN.into()), Some(i64::MAX.into())),
            "int" => int(Some(i32::MIN.into()), Some(i32::MAX.into())),
            "short" => int(Some(i16::MIN.into()), Some(i16::MAX.into())),
            "byte" => int(Some(i8::MIN.into()), Some(i8::MAX.into())),
            "nonNegativeInteger" => int(Some(0), None),
            "positiveInteger" => int(Some(1), None),
            "nonPositiveInteger" => int(None, Some(0)),
            "negativeInteger" => int(None, Some(-1)),
            "unsignedLong" => int(Some(0), Some(u64::MAX.into())),
            "unsignedInt" => int(Some(0), Some(u32::MAX.into())),
            "unsignedShort" => int(Some(0), Some(u16::MAX.into())),
            "unsignedByte" => int(Some(0), Some(u8::MAX.into())),
            "decimal" => (Primitive::Decimal, Whitespace::Collapse, Facets::default()),
            "double" | "float" => (Primitive::Float, Whitespace::Collapse, Facets::default()),
            "string" | "anySimpleType" => text(Whitespace::Preserve),
            "normalizedString" => text(Whitespace::Replace),
            "token" | "language" | "NMTOKEN" | "Name" | "NCName" | "ID" | "IDREF" | "ENTITY"
            | "QName" | "anyURI" | "date" | "time" | "dateTime" | "duration" | "gYear"
            | "gYearMonth" | "gMonth" | "gMonthDay" | "gDay" | "hexBinary" | "base64Binary"
            | "NOTATION" => text(Whitespace::Collapse),
            _ => return None,
        };
        Some(SimpleType {
            builtin: name.into(),
            primitive,
            whitespace,
            facets,
        })
    }

    /// The sort of its values.
    pub fn sort(&self) -> Sort {
        match self.primitive {
            Primitive::Boolean => Sort::BOOL,
            Primitive::Integer => Sort::INT,
            Primitive::Decimal | Primitive::Float => Sort::REAL,
            Primitive::Text => Sort::STRING,
        }
    }

    /// The value of a text, facets not examined; the error says what is expected.
    pub fn read(&self, text: &str) -> Result<Value, String> {
        let text = self.normalise(text);
        let expected = || Err(format!("`{text}` is not a value of `{}`", self.builtin));
        match self.primitive {
            Primitive::Boolean => match &*text {
                "true" | "1" => Ok(Value::Bool(true)),
                "false" | "0" => Ok(Value::Bool(false)),
                _ => expected(),
            },
            Primitive::Integer => match read_integer(&text) {
                Some(value) => Ok(Value::Int(value)),
                None => expected(),
            },
            Primitive::Decimal => match read_decimal(&text) {
                Some(value) => Ok(Value::Real(value)),
                None => expected(),
            },
            Primitive::Float => match read_float(&text) {
                Some(value) => Ok(Value::Real(value)),
                None => expected(),
            },
            Primitive::Text => Ok(Value::text(text)),
        }
    }

    /// The text of a value; the error says why it has none.
    pub fn write(&self, value: &Value) -> Result<String, String> {
        match (self.primitive, value) {
            (Primitive::Boolean, Value::Bool(value)) => Ok(value.to_string()),
            (Primitive::Integer, Value::Int(value)) => Ok(value.to_string()),
            (Primitive::Decimal | Primitive::Float, Value::Real(value)) => {
                decimal_text(value).ok_or_else(|| format!("{value} has no finite decimal notation"))
            }
            (Primitive::Text, Value::String(text)) => {
                if let Some(bad) = text.chars().find(|&it| !is_xml_character(it)) {
                    return Err(format!("the character {bad:?} cannot be written in XML"));
                }
                if *self.normalise(text) != **text {
                    return Err(format!(
                        "{text:?} has white space that `{}` does not keep",
                        self.builtin
                    ));
                }
                Ok(text.to_string())
            }
            _ => Err(format!("the value is none of `{}`", self.builtin)),
        }
    }

    fn normalise(&self, text: &str) -> String {
        let is_blank = |it: char| matches!(it, ' ' | '\t' | '\n' | '\r');
        match self.whitespace {
            Whitespace::Preserve => text.to_owned(),
            Whitespace::Replace => text.replace(is_blank, " "),
            Whitespace::Collapse => text
                .split(is_blank)
                .filter(|word| !word.is_empty())
                .collect::<Vec<_>>()
                .join(" "),
        }
    }
}

/// Whether XML 1.0 can hold it.
pub fn is_xml_character(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// Numbers with more digits than this are refused: arithmetic on them would take forever.
const MAX_DIGITS: usize = 1000;

pub(crate) fn read_integer(text: &str) -> Option<BigInt> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty()
        || digits.len() > MAX_DIGITS
        || !digits.bytes().all(|it| it.is_ascii_digit())
    {
        return None;
    }
    let value: BigInt = digits.parse().ok()?;
    Some(if text.starts_with('-') { -value } else { value })
}

pub(crate) fn read_decimal(text: &str) -> Option<BigRational> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    if whole.is_empty() && fraction.is_empty() || unsigned.len() > MAX_DIGITS {
        return None;
    }
    let digits = format!("{whole}{fraction}");
    if !digits.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let numerator: BigInt = digits.parse().ok()?;
    let denominator = BigInt::from(10u8).pow(fraction.len() as u32);
    let value = BigRational::new(numerator, denominator);
    Some(if text.starts_with('-') { -value } else { value })
}

fn read_float(text: &str) -> Option<BigRational> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let mantissa = read_decimal(mantissa)?;
    let exponent: i32 = exponent.parse().ok()?;
    if exponent.unsigned_abs() as usize > MAX_DIGITS {
        return None;
    }
    let power = BigRational::from_integer(BigInt::from(10u8).pow(exponent.unsigned_abs()));
    Some(if exponent < 0 {
        mantissa / power
    } else {
        mantissa * power
    })
}

/// The decimal notation of a rational: `12.2`; `None` when it would not end.
pub fn decimal_text(value: &BigRational) -> Option<String> {
    let ten = BigInt::from(10u8);
    let mut places = 0usize;
    let mut scale = BigInt::one();
    // The denominator divides a power of ten iff its only prime factors are 2 and 5.
    let mut rest = value.denom().clone();
    for factor in [2u8, 5] {
        let factor = BigInt::from(factor);
        let mut count = 0;
        while (&rest % &factor).is_zero() {
            rest /= &factor;
            count += 1;
        }
        places = places.max(count);
    }
    if !rest.is_one() || places > MAX_DIGITS {
        return None;
    }
    for _ in 0..places {
        scale *= &ten;
    }
    let scaled = (value * BigRational::from_integer(scale)).to_integer();
    let digits = scaled.abs().to_string();
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let sign = if scaled.is_negative() { "-" } else { "" };
    Some(if fraction.is_empty() {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{fraction}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rational(numerator: i64, denominator: i64) -> BigRational {
        BigRational::new(numerator.into(), denominator.into())
    }

    #[test]
    fn every_name_is_built_in() {
        for name in SimpleType::NAMES {
            assert!(
                name == "anyType" || SimpleType::built_in(name).is_some(),
                "{name}"
            );
        }
    }

    #[test]
    fn decimals_are_exact() {
        assert_eq!(decimal_text(&rational(61, 5)).as_deref(), Some("12.2"));
        assert_eq!(decimal_text(&rational(-1, 8)).as_deref(), Some("-0.125"));
        assert_eq!(decimal_text(&rational(30, 1)).as_deref(), Some("30"));
        assert_eq!(decimal_text(&rational(1, 3)), None);
        assert_eq!(read_decimal("12.20"), Some(rational(61, 5)));
        assert_eq!(read_decimal("-.5"), Some(rational(-1, 2)));
        assert_eq!(read_decimal("."), None);
        assert_eq!(read_decimal("1e5"), None);
        assert_eq!(read_float("1.5e-1"), Some(rational(3, 20)));
        assert_eq!(read_float("INF"), None);
    }

    #[test]
    fn numbers_of_any_length_are_read_or_refused() {
        let long = "9".repeat(100_000);
        assert_eq!(read_integer(&long), None);
        assert_eq!(read_decimal(&long), None);
        assert_eq!(read_float("1e999999999"), None);
    }

    #[test]
    fn white_space_is_treated_as_the_type_says() {
        let token = SimpleType::built_in("token").expect("built in");
        assert_eq!(token.read("  a \n b "), Ok(Value::text("a b")));
        let string = SimpleType::built_in("string").expect("built in");
        assert_eq!(string.read(" a\n"), Ok(Value::text(" a\n")));
        let int = SimpleType::built_in("int").expect("built in");
        assert_eq!(int.read("\n 12 "), Ok(Value::int(12)));
    }
}
