//! Regular expressions for solvers, whose alphabet is smaller than ours.
//!
//! SMT-LIB's characters end at U+2FFFF, ours at U+10FFFF, and its numbers U+D800 to U+DFFF are none of ours.
//! An answer is right for our alphabet if no class tells the characters beyond U+2FFFF apart from some below that occur
//! nowhere else: a text with some of the former can then be written with as many of the latter, and belongs to the same
//! expressions.
//! There are two kinds beyond the border, because the characters of names in XML end with U+EFFFF: those up to there are
//! like U+2FA20 to U+2FEFF, where nothing is assigned; the rest, for private use, are like U+2FF00 to U+2FFFF, which no
//! constant may have ([`literal::RESERVED`]) and which are read as U+F0000 and so on in solutions.
//! Of each kind a class must have all or nothing; expressions that name something there are not translated.

use std::fmt::Write;

use choros_data::{RegularExpression, Term, Terms, Value};

use crate::Reason;
use crate::literal;

/// The first of the characters that no class may distinguish.
const ALIKE: char = '\u{2FA20}';
/// The first of the other kind.
const PRIVATE: char = '\u{F0000}';
/// A solver unfolds repetitions; beyond this many it does nothing else.
const MAX_REPEATED: u32 = 2_000;

/// The expression that a constant writes, over the alphabet of solvers.
pub(crate) fn translated(terms: &Terms, constant: Term) -> Result<RegularExpression, Reason> {
    let Some(Value::String(text)) = terms.value(constant) else {
        return Err(Reason::Inexpressible(
            "a regular expression that is not a constant".to_owned(),
        ));
    };
    let unreadable = || Reason::Inexpressible(format!("the regular expression `{text}`"));
    narrowed(&RegularExpression::read(text).ok_or_else(unreadable)?).ok_or_else(unreadable)
}

/// The same texts, as far as they have characters of solvers only; nothing where that is not enough.
fn narrowed(expression: &RegularExpression) -> Option<RegularExpression> {
    let all = |parts: &[RegularExpression]| parts.iter().map(narrowed).collect::<Option<Vec<_>>>();
    Some(match expression {
        RegularExpression::Class(ranges) => RegularExpression::Class(narrowed_class(ranges)?),
        RegularExpression::Sequence(parts) => RegularExpression::Sequence(all(parts)?),
        RegularExpression::Choice(parts) => RegularExpression::Choice(all(parts)?),
        RegularExpression::Repeat(part, least, most) => {
            if (*most).unwrap_or(*least) > MAX_REPEATED {
                return None;
            }
            RegularExpression::Repeat(Box::new(narrowed(part)?), *least, *most)
        }
    })
}

fn narrowed_class(ranges: &[(char, char)]) -> Option<Vec<(char, char)>> {
    let mut known: Vec<(char, char)> = Vec::new();
    for &(low, high) in ranges.iter().filter(|range| range.0 < ALIKE) {
        let high = high.min('\u{2FA1F}');
        // Between the two halves are numbers that are not characters.
        if low <= '\u{D7FF}' && high >= '\u{E000}' {
            known.extend([(low, '\u{D7FF}'), ('\u{E000}', high)]);
        } else {
            known.push((low, high));
        }
    }
    let kinds = [
        (ALIKE, '\u{EFFFF}', (ALIKE, '\u{2FEFF}')),
        (PRIVATE, char::MAX, (literal::RESERVED, '\u{2FFFF}')),
    ];
    for (low, high, alike) in kinds {
        match ranges.iter().find(|it| it.0 <= high && it.1 >= low) {
            None => {}
            Some(range) if range.0 <= low && range.1 >= high => match known.last_mut() {
                // Every range more is more work for a solver.
                Some(last) if u32::from(last.1) + 1 == u32::from(alike.0) => last.1 = alike.1,
                _ => known.push(alike),
            },
            Some(_) => return None,
        }
    }
    Some(known)
}

/// In SMT-LIB 2.6.
pub(crate) fn text(expression: &RegularExpression) -> String {
    let mut out = String::new();
    write(expression, &mut out);
    out
}

fn write(expression: &RegularExpression, out: &mut String) {
    let several =
        |operator: &str, none: &str, parts: &[RegularExpression], out: &mut String| match parts {
            [] => out.push_str(none),
            [only] => write(only, out),
            parts => {
                out.push_str(operator);
                for part in parts {
                    out.push(' ');
                    write(part, out);
                }
                out.push(')');
            }
        };
    match expression {
        RegularExpression::Class(ranges) => {
            let range = |&(low, high): &(char, char)| {
                let sign = |it: char| match literal::quote(&it.to_string()) {
                    Ok(literal) => literal,
                    Err(reserved) => format!("\"{}\"", literal::number(reserved)),
                };
                format!("(re.range {} {})", sign(low), sign(high))
            };
            match &ranges[..] {
                [] => out.push_str("re.none"),
                [only] => out.push_str(&range(only)),
                ranges => {
                    let all: Vec<String> = ranges.iter().map(range).collect();
                    let _ = write!(out, "(re.union {})", all.join(" "));
                }
            }
        }
        RegularExpression::Sequence(parts) => several("(re.++", "(str.to_re \"\")", parts, out),
        RegularExpression::Choice(parts) => several("(re.union", "re.none", parts, out),
        RegularExpression::Repeat(part, least, most) => {
            let mut inner = String::new();
            write(part, &mut inner);
            let _ = match (least, most) {
                (0, None) => write!(out, "(re.* {inner})"),
                (least, None) => write!(out, "(re.++ ((_ re.^ {least}) {inner}) (re.* {inner}))"),
                (least, Some(most)) => write!(out, "((_ re.loop {least} {most}) {inner})"),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(notation: &str) -> Option<String> {
        narrowed(&RegularExpression::read(notation).expect(notation)).map(|it| text(&it))
    }

    #[test]
    fn expressions_as_solvers_write_them() {
        for (notation, expected) in [
            ("[]", "re.none"),
            ("()", "(str.to_re \"\")"),
            ("[a-z]{0,}", "(re.* (re.range \"a\" \"z\"))"),
            ("[a]{2,3}", "((_ re.loop 2 3) (re.range \"a\" \"a\"))"),
            (
                "([a]|[b][c])",
                "(re.union (re.range \"a\" \"a\") (re.++ (re.range \"b\" \"b\") (re.range \"c\" \"c\")))",
            ),
        ] {
            assert_eq!(script(notation).as_deref(), Some(expected), "{notation}");
        }
    }

    #[test]
    fn what_the_alphabet_of_solvers_cannot_tell_apart() {
        let but_a = script("[\\u{0}-`b-\\u{10ffff}]").expect("all beyond the border");
        assert!(
            but_a.contains("\\u{2ffff}") && but_a.contains("\\u{d7ff}"),
            "{but_a}"
        );
        assert_eq!(script("[\\u{30000}]"), None);
        assert_eq!(script("[a-\\u{30000}]"), None);
        assert_eq!(script("[\\u{30000}-\\u{10ffff}]"), None);
        let names = script("[a\\u{10000}-\\u{effff}]").expect("one kind");
        assert!(
            names.contains("\\u{2feff}") && !names.contains("\\u{2ffff}"),
            "{names}"
        );
        assert_eq!(script("[\\u{10000}-\\u{efffe}]"), None);
        assert_eq!(script("[a]{1,3000}"), None);
    }
}
