//! A message: its fields, their places and what their values must satisfy.

use choros_syntax::quote;

use crate::enumerations::Enumerations;
use crate::library::At;
use crate::lost::{LostList, Reason};
use crate::names::{self, GivenNames};
use crate::pattern;
use crate::schema::{Basic, FORMATS, Limit, ListShape, Literal, Scalar, Shape, Way};

/// A message of the model.
#[derive(Debug, Default)]
pub(crate) struct Message {
    pub(crate) name: String,
    pub(crate) fields: Vec<Field>,
    /// Places with the only value that they have.
    pub(crate) constants: Vec<(String, String)>,
}

/// A field of a message.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) label: String,
    /// Where the binding finds it.
    pub(crate) place: String,
    pub(crate) sort: String,
    /// Conditions on its value, with `{}` in place of its variable.
    pub(crate) conditions: Vec<String>,
    pub(crate) format: Option<String>,
    pub(crate) examples: Vec<String>,
}

/// Messages have no more fields than these.
const MOST_FIELDS: usize = 200;

/// Examples of a field that the binding gets.
const MOST_EXAMPLES: usize = 5;

/// Makes the fields of a message from shapes.
pub(crate) struct Flattening<'a> {
    pub(crate) message: Message,
    pub(crate) labels: GivenNames,
    pub(crate) enumerations: &'a mut Enumerations,
    pub(crate) lost: &'a mut LostList,
    pub(crate) way: Way,
}

impl Flattening<'_> {
    /// Adds the fields of a value at a place.
    ///
    /// Objects become a field per leaf, because formats, limits and places are about leaves; lists stay lists, unless
    /// their items say more than their types.
    pub(crate) fn add(&mut self, label: &str, place: &str, shape: &Shape, at: At) {
        if self.message.fields.len() >= MOST_FIELDS {
            self.lost.note(at, label, Reason::TooLarge);
            return;
        }
        match shape {
            Shape::Unknown => {}
            Shape::Scalar(scalar) => self.add_scalar(label, place, scalar, at),
            Shape::List(list) => self.add_list(label, place, list, at),
            Shape::Object(properties) => {
                if properties.is_empty() && !label.is_empty() && self.way == Way::Request {
                    self.lost.note(at, label, Reason::EmptyObject);
                }
                for property in properties {
                    let Some(place) = place_below(place, &property.name) else {
                        self.lost.note(property.at, &property.name, Reason::Place);
                        continue;
                    };
                    let below = match label {
                        "" => property.name.clone(),
                        label => format!("{label}_{}", property.name),
                    };
                    self.add(&below, &place, &property.shape, property.at);
                }
            }
        }
    }

    fn add_scalar(&mut self, label: &str, place: &str, scalar: &Scalar, at: At) {
        let label = if label.is_empty() { "value" } else { label };
        if let ([only], true) = (scalar.values.as_slice(), place.starts_with("body."))
            && let Some(constant) = toml_literal(only)
        {
            self.message.constants.push((place.to_owned(), constant));
            return;
        }
        let listed = self.enumerations.sort(scalar, label);
        let is_listed = listed.is_some();
        let sort = listed.unwrap_or_else(|| basic_sort(scalar.basic).to_owned());
        let mut conditions = Vec::new();
        let mut unfit = false;
        if !is_listed && !scalar.values.is_empty() {
            let equal = scalar.values.iter().map(|it| {
                let literal = model_literal(it, scalar.basic)?;
                Some(format!("{{}} == {literal}"))
            });
            match equal.collect::<Option<Vec<String>>>() {
                Some(all) if all.len() == 1 => conditions.extend(all),
                Some(all) => conditions.push(format!("({})", all.join(" or "))),
                None => unfit = true,
            }
        }
        let has_values = !conditions.is_empty();
        // Of listed texts, those that keep the limits are the type.
        let limits = if is_listed { &[][..] } else { &scalar.limits };
        for limit in limits {
            match condition(limit, scalar.basic) {
                Some(condition) => conditions.push(condition),
                None => unfit = true,
            }
        }
        if unfit {
            self.lost.note(at, label, Reason::BadNumber);
        }
        if self.way == Way::Response && !conditions.is_empty() {
            let why = if has_values {
                Reason::ResponseValues
            } else {
                Reason::ResponseLimit
            };
            self.lost.note(at, label, why);
            conditions.clear();
        }
        let is_text = scalar.basic == Basic::String && !is_listed;
        let known = |it: &String| is_text && FORMATS.contains(&it.as_str());
        let format = scalar.format.clone().filter(known);
        if scalar.format.is_some() && format.is_none() && !is_listed {
            let what = format!(
                "format {} of {label}",
                scalar.format.as_deref().unwrap_or_default()
            );
            self.lost.note(at, &what, Reason::Format);
        }
        let mut examples = scalar.examples.clone();
        examples.dedup();
        // Values of a format are new in every run; an example is one that may be taken.
        examples.retain(|_| is_text && format.is_none());
        examples.truncate(MOST_EXAMPLES);
        if let Some((pattern, at)) = scalar.pattern.as_ref().filter(|_| is_text) {
            let why = if format.is_some() {
                Reason::PatternOfFormat
            } else {
                if examples.is_empty() {
                    examples = matching(pattern, &scalar.limits);
                }
                match examples.as_slice() {
                    [] => Reason::Pattern,
                    _ if self.way == Way::Response => Reason::ResponseLimit,
                    _ => Reason::PatternValues,
                }
            };
            self.lost.note(*at, &format!("pattern of {label}"), why);
        }
        let label = self.labels.give(&names::field_name(label));
        self.message.fields.push(Field {
            label,
            place: place.to_owned(),
            sort,
            conditions,
            format,
            examples,
        });
    }

    fn add_list(&mut self, label: &str, place: &str, list: &ListShape, at: At) {
        let fits_one = list.least.unwrap_or(0) <= 1 && list.most.unwrap_or(1) >= 1;
        if self.way == Way::Request && fits_one && says_more(&list.item) {
            self.lost.note(at, label, Reason::OneItem);
            self.add(label, &format!("{place}.0"), &list.item, at);
            return;
        }
        let label = if label.is_empty() { "items" } else { label };
        let Some(item) = self.record_sort(&list.item, label) else {
            self.lost.note(at, label, Reason::RecordLabels);
            return;
        };
        let mut conditions = Vec::new();
        let least = list.least.filter(|it| *it > 0);
        conditions.extend(least.map(|it| format!("length({{}}) >= {it}")));
        conditions.extend(list.most.map(|it| format!("length({{}}) <= {it}")));
        if says_more(&list.item) {
            self.lost.note(at, label, Reason::ItemLimit);
        }
        if self.way == Way::Response && !conditions.is_empty() {
            self.lost.note(at, label, Reason::ResponseLimit);
            conditions.clear();
        }
        let label = self.labels.give(&names::field_name(label));
        self.message.fields.push(Field {
            label,
            place: place.to_owned(),
            sort: format!("List({item})"),
            conditions,
            format: None,
            examples: Vec::new(),
        });
    }

    /// The type of a value within a list.
    fn record_sort(&mut self, shape: &Shape, label: &str) -> Option<String> {
        match shape {
            Shape::Unknown => None,
            Shape::Scalar(scalar) => {
                let listed = self.enumerations.sort(scalar, label);
                Some(listed.unwrap_or_else(|| basic_sort(scalar.basic).to_owned()))
            }
            Shape::List(list) => Some(format!("List({})", self.record_sort(&list.item, label)?)),
            Shape::Object(properties) => {
                let mut fields = Vec::new();
                for property in properties {
                    if !names::is_name(&property.name) {
                        return None;
                    }
                    let sort = self.record_sort(&property.shape, &property.name)?;
                    fields.push(format!("{}: {sort}", property.name));
                }
                (!fields.is_empty()).then(|| format!("{{{}}}", fields.join(", ")))
            }
        }
    }
}

/// Texts that match a pattern and have a length within the limits.
fn matching(pattern: &str, limits: &[Limit]) -> Vec<String> {
    let mut least = 0;
    let mut most = None;
    for limit in limits {
        match limit {
            Limit::LengthAtLeast(bound) => least = least.max(*bound),
            Limit::LengthAtMost(bound) => most = Some(most.unwrap_or(*bound).min(*bound)),
            _ => {}
        }
    }
    pattern::texts(pattern, least, most, MOST_EXAMPLES)
}

/// Whether a schema says more than a type.
fn says_more(shape: &Shape) -> bool {
    match shape {
        Shape::Unknown => false,
        Shape::Scalar(it) => {
            !it.limits.is_empty()
                || it.format.is_some()
                || it.pattern.is_some()
                || !it.examples.is_empty()
                || !it.values.is_empty()
        }
        Shape::List(list) => list.least.is_some() || list.most.is_some() || says_more(&list.item),
        Shape::Object(properties) => properties.iter().any(|it| says_more(&it.shape)),
    }
}

/// The place of something with this name; none for what a request cannot name as it is: a parameter or header with
/// quotes or spaces.
pub(crate) fn place_below(place: &str, key: &str) -> Option<String> {
    let is_plain = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-');
    if !key.is_empty() && key.bytes().all(is_plain) {
        return Some(format!("{place}.{key}"));
    }
    let is_strange = |it: char| it == '"' || it.is_whitespace() || it.is_control();
    let is_body = place.starts_with("body");
    let has_place = is_body || place != "header" && !key.contains(is_strange);
    let escaped = || key.replace('\\', "\\\\").replace('"', "\\\"");
    has_place.then(|| format!("{place}[\"{}\"]", escaped()))
}

fn basic_sort(basic: Basic) -> &'static str {
    match basic {
        Basic::Bool => "Bool",
        Basic::Int => "Int",
        Basic::Real => "Real",
        Basic::String => "String",
    }
}

fn condition(limit: &Limit, basic: Basic) -> Option<String> {
    let is_text = basic == Basic::String;
    let compared = |sign: &str, bound: &str| Some(format!("{{}} {sign} {}", number(bound, basic)?));
    match limit {
        Limit::LengthAtLeast(bound) if is_text => Some(format!("length({{}}) >= {bound}")),
        Limit::LengthAtMost(bound) if is_text => Some(format!("length({{}}) <= {bound}")),
        Limit::AtLeast(bound) => compared(">=", bound),
        Limit::Above(bound) => compared(">", bound),
        Limit::AtMost(bound) => compared("<=", bound),
        Limit::Below(bound) => compared("<", bound),
        Limit::MultipleOf(factor) if basic == Basic::Int => {
            let factor =
                number(factor, basic).filter(|it| it.parse::<u64>().is_ok_and(|it| it > 0))?;
            Some(format!("{{}} mod {factor} == 0"))
        }
        _ => None,
    }
}

/// A number as the language writes one of a type; none where it has none.
fn number(text: &str, basic: Basic) -> Option<String> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i32 = exponent.trim_start_matches('+').parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |it: &str| it.bytes().all(|byte| byte.is_ascii_digit());
    if exponent.abs() > 40
        || whole.is_empty()
        || !is_digits(whole)
        || !is_digits(fraction)
        || text.len() > 60
    {
        return None;
    }
    let digits = format!("{whole}{fraction}");
    let point = whole.len() as i32 + exponent;
    let (whole, fraction) = if point <= 0 {
        (
            "0".to_owned(),
            format!("{}{digits}", "0".repeat(-point as usize)),
        )
    } else if point as usize >= digits.len() {
        let zeros = "0".repeat(point as usize - digits.len());
        (format!("{digits}{zeros}"), String::new())
    } else {
        let (whole, fraction) = digits.split_at(point as usize);
        (whole.to_owned(), fraction.to_owned())
    };
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let fraction = fraction.trim_end_matches('0');
    match basic {
        Basic::Int if fraction.is_empty() => Some(format!("{sign}{whole}")),
        Basic::Real if fraction.is_empty() => Some(format!("{sign}{whole}.0")),
        Basic::Real => Some(format!("{sign}{whole}.{fraction}")),
        _ => None,
    }
}

/// A value in a condition.
fn model_literal(literal: &Literal, basic: Basic) -> Option<String> {
    match (literal, basic) {
        (Literal::Text(text), Basic::String) => Some(quote::json(text)),
        (Literal::Bool(truth), Basic::Bool) => Some(truth.to_string()),
        (Literal::Number(text), Basic::Int | Basic::Real) => number(text, basic),
        _ => None,
    }
}

/// A value in the binding.
fn toml_literal(literal: &Literal) -> Option<String> {
    match literal {
        Literal::Null => None,
        Literal::Bool(truth) => Some(truth.to_string()),
        Literal::Number(text) => number(text, Basic::Int).or_else(|| number(text, Basic::Real)),
        Literal::Text(text) => Some(quote::json(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_type() {
        let cases = [
            ("1", Basic::Int, Some("1")),
            ("1.0", Basic::Int, Some("1")),
            ("0.5", Basic::Int, None),
            ("0.50", Basic::Real, Some("0.5")),
            ("-0", Basic::Real, Some("-0.0")),
            ("1e3", Basic::Int, Some("1000")),
            ("12e-1", Basic::Real, Some("1.2")),
            ("1e-3", Basic::Real, Some("0.001")),
            ("1e999", Basic::Real, None),
            ("-", Basic::Int, None),
            ("1.2.3", Basic::Real, None),
        ];
        for (text, basic, expected) in cases {
            assert_eq!(number(text, basic).as_deref(), expected, "{text}");
        }
    }
}
