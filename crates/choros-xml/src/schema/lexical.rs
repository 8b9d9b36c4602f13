//! Texts that types of XML Schema do not take, although to us they are texts like any other.
//!
//! A date is a text here, and a solver that does not know better makes up `a`.
//! A service may refuse such a message and be right, so the sender wants to know.

use choros_data::Value;
use jiff::civil::Date;

use super::simple::SimpleType;
use super::types::{Content, Shape, TypeId};
use super::{Pattern, Schema};

impl Schema {
    /// Why a service may take offence at a value that our conditions allow; nothing if it may not.
    pub fn doubt(&self, id: TypeId, value: &Value) -> Option<String> {
        let mut work = vec![(id, value)];
        while let Some((id, value)) = work.pop() {
            match (&self.get(id).shape, value) {
                (Shape::Simple(simple), value) => {
                    if let Some(doubt) = doubt_of_text(simple, value) {
                        return Some(doubt);
                    }
                }
                (Shape::Complex(complex), Value::Record { fields, .. }) => {
                    let attributes = complex.attributes.iter().map(|it| (it.holds, it.position));
                    let elements = match &complex.content {
                        Content::Elements { fields, .. } => &fields[..],
                        Content::Text(simple) => {
                            let text = fields.get(complex.attributes.len());
                            if let Some(doubt) = text.and_then(|it| doubt_of_text(simple, it)) {
                                return Some(doubt);
                            }
                            &[]
                        }
                    };
                    let elements = elements.iter().map(|it| (it.holds, it.position));
                    for (holds, position) in attributes.chain(elements) {
                        match fields.get(position) {
                            Some(Value::List { items, .. }) => {
                                work.extend(items.iter().map(|item| (holds, item)));
                            }
                            Some(value) => work.push((holds, value)),
                            None => {}
                        }
                    }
                }
                _ => {}
            }
        }
        None
    }
}

fn doubt_of_text(simple: &SimpleType, value: &Value) -> Option<String> {
    let Value::String(text) = value else {
        return simple.facets.patterns.first().map(unchecked);
    };
    if !is_lexical(&simple.builtin, text) {
        return Some(format!("`{text}` is not a valid `{}`", simple.builtin));
    }
    let unknown = |it: &&Pattern| it.matches(text).is_none();
    simple.facets.patterns.iter().find(unknown).map(unchecked)
}

fn unchecked(pattern: &Pattern) -> String {
    let texts = pattern.texts.join("|");
    format!(
        "whether it obeys the {} `{texts}` was not checked",
        pattern.what
    )
}

/// Whether a text is one of a built-in type; what is not known here is.
fn is_lexical(builtin: &str, text: &str) -> bool {
    let is_name = |text: &str, colon: bool| {
        let mut characters = text.chars();
        characters
            .next()
            .is_some_and(|it| it.is_alphabetic() || it == '_' || colon && it == ':')
            && characters.all(|it| {
                it.is_alphanumeric() || matches!(it, '_' | '-' | '.') || colon && it == ':'
            })
    };
    match builtin {
        "date" => zone_off(text).is_some_and(is_date),
        "time" => zone_off(text).is_some_and(is_time),
        "dateTime" => zone_off(text)
            .and_then(|text| text.split_once('T'))
            .is_some_and(|(date, time)| is_date(date) && is_time(time)),
        "gYear" => zone_off(text).is_some_and(|it| numbers(it, &[4]).is_some()),
        "gYearMonth" => zone_off(text).is_some_and(|it| {
            numbers(it, &[4, 2]).is_some_and(|found| (1..=12).contains(&found[1]))
        }),
        "duration" => is_duration(text),
        "hexBinary" => {
            text.len().is_multiple_of(2) && text.bytes().all(|it| it.is_ascii_hexdigit())
        }
        "base64Binary" => {
            let digits: String = text.chars().filter(|it| *it != ' ').collect();
            let body = digits.trim_end_matches('=');
            digits.len().is_multiple_of(4)
                && digits.len() - body.len() <= 2
                && body
                    .bytes()
                    .all(|it| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'/'))
        }
        "NCName" | "ID" | "IDREF" | "ENTITY" => is_name(text, false),
        "Name" | "QName" | "NOTATION" => is_name(text, true),
        "NMTOKEN" => is_name(&format!("_{text}"), true) && !text.is_empty(),
        "language" => text.split('-').enumerate().all(|(position, part)| {
            (1..=8).contains(&part.len())
                && part.bytes().all(|it| match position {
                    0 => it.is_ascii_alphabetic(),
                    _ => it.is_ascii_alphanumeric(),
                })
        }),
        "gMonth" | "gMonthDay" | "gDay" => text.starts_with("--"),
        _ => true,
    }
}

/// A date or time without its zone, if that is one.
fn zone_off(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_suffix('Z') {
        return Some(rest);
    }
    let (rest, zone) = match text
        .len()
        .checked_sub(6)
        .and_then(|at| text.split_at_checked(at))
    {
        Some((rest, zone)) if zone.starts_with(['+', '-']) && zone.contains(':') => (rest, zone),
        _ => return Some(text),
    };
    let (hours, minutes) = zone[1..].split_once(':')?;
    let (hours, minutes): (u8, u8) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours <= 14 && minutes < 60).then_some(rest)
}

fn is_date(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let Some(found) = numbers(text, &[4, 2, 2]) else {
        return false;
    };
    let (year, month, day) = (found[0], found[1], found[2]);
    // The calendar repeats every 400 years, and a year has as many digits as it needs.
    let (Ok(alike), Ok(month), Ok(day)) = (
        i16::try_from(year % 400 + 2000),
        i8::try_from(month),
        i8::try_from(day),
    ) else {
        return false;
    };
    year > 0 && Date::new(alike, month, day).is_ok()
}

fn is_time(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let parts: Vec<&str> = whole.split(':').collect();
    let [hours, minutes, seconds] = parts[..] else {
        return false;
    };
    let below = |text: &str, bound: u8| {
        text.len() == 2
            && text.bytes().all(|it| it.is_ascii_digit())
            && text.parse().is_ok_and(|it: u8| it < bound)
    };
    below(hours, 24)
        && below(minutes, 60)
        && below(seconds, 60)
        && !fraction.is_empty()
        && fraction.bytes().all(|it| it.is_ascii_digit())
}

/// Numbers with this many digits each, with `-` between them; the first may have more.
fn numbers(text: &str, lengths: &[usize]) -> Option<Vec<u32>> {
    let parts: Vec<&str> = text.split('-').collect();
    if parts.len() != lengths.len() {
        return None;
    }
    let mut found = Vec::new();
    for (position, (part, &length)) in parts.iter().zip(lengths).enumerate() {
        let fits = part.len() == length || position == 0 && part.len() > length;
        if !fits || !part.bytes().all(|it| it.is_ascii_digit()) {
            return None;
        }
        found.push(part.parse().ok()?);
    }
    Some(found)
}

fn is_duration(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let Some(rest) = text.strip_prefix('P') else {
        return false;
    };
    let (days, times) = match rest.split_once('T') {
        Some((days, times)) => (days, Some(times)),
        None => (rest, None),
    };
    let runs = |text: &str, units: &str| {
        let mut left = units.chars();
        let mut digits = false;
        for character in text.chars() {
            match character {
                '0'..='9' => digits = true,
                '.' if digits && units.ends_with('S') => {}
                unit if digits && left.any(|it| it == unit) => digits = false,
                _ => return false,
            }
        }
        !digits
    };
    runs(days, "YMD")
        && times.is_none_or(|times| !times.is_empty() && runs(times, "HMS"))
        && !(days.is_empty() && times.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_built_in_types() {
        for (builtin, right, wrong) in [
            (
                "date",
                &[
                    "2026-11-16",
                    "2024-02-29Z",
                    "-0044-03-15",
                    "12026-01-01+14:00",
                ][..],
                &[
                    "",
                    "a",
                    "2026-13-01",
                    "2026-02-29",
                    "16.11.2026",
                    "2026-11-16+15:00",
                ][..],
            ),
            (
                "dateTime",
                &["2026-11-16T05:12:32", "2026-11-16T05:12:32.5+01:00"],
                &[
                    "2026-11-16",
                    "2026-11-16T5:12:32",
                    "2026-11-16T25:00:00",
                    "T",
                ],
            ),
            (
                "time",
                &["00:00:00", "23:59:59.999Z"],
                &["", "24:60:00", "12"],
            ),
            (
                "duration",
                &["PT2H", "P1Y2M3DT4H5M6.7S"],
                &["", "P", "2H", "PT", "P1H"],
            ),
            ("hexBinary", &["", "0aFF"], &["0", "xy"]),
            ("base64Binary", &["", "aGk="], &["a", "a===", "?"]),
            ("NCName", &["a", "_b.c-1"], &["", "1a", "a:b", "a b"]),
            ("NMTOKEN", &["1a", "a:b"], &["", "a b"]),
            ("language", &["en", "de-CH-1996"], &["", "12", "a_b"]),
            ("string", &["", " anything <&>"], &[]),
        ] {
            for text in right {
                assert!(is_lexical(builtin, text), "{builtin}: {text}");
            }
            for text in wrong {
                assert!(!is_lexical(builtin, text), "{builtin}: {text}");
            }
        }
    }
}
