//! String literals of SMT-LIB 2.6: `"` is doubled, and `\u{…}` stands for a character by its number.

/// The largest character SMT-LIB knows; ours go further.
const LARGEST: u32 = 0x2_FFFF;

/// The first of the characters at the end of SMT-LIB's that stand for others, beyond it, in regular expressions.
pub(crate) const RESERVED: char = '\u{2FF00}';

/// The text between the quotes, or the character that SMT-LIB does not have, or that stands for another.
///
/// Everything but printable ASCII is escaped, and so is the backslash: whatever follows it, it means itself.
pub(crate) fn escape(text: &str) -> Result<String, char> {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\u{5c}"),
            ' '..='~' => out.push(c),
            _ if c < RESERVED => out.push_str(&number(c)),
            _ => return Err(c),
        }
    }
    Ok(out)
}

/// One character by its number.
pub(crate) fn number(character: char) -> String {
    format!("\\u{{{:x}}}", u32::from(character))
}

/// The literal as it is written.
pub(crate) fn quote(text: &str) -> Result<String, char> {
    Ok(format!("\"{}\"", escape(text)?.replace('"', "\"\"")))
}

/// The string that the text between the quotes (`""` already read as `"`) stands for.
///
/// `None` when it names a number that is not a character of ours, half of a surrogate pair.
/// A backslash that begins none of `\ud₃d₂d₁d₀`, `\u{d₀}` … `\u{d₄d₃d₂d₁d₀}` stands for itself.
/// With `raw`, the text comes from a solver that escapes only what cannot be printed, not even the backslash: what looks
/// like an escape of a printable character is none. (The rest stays ambiguous; our evaluator finds wrong guesses.)
pub(crate) fn unescape(text: &str, raw: bool) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match escaped(rest) {
            Some((number, length)) if !raw || !(0x20..0x7f).contains(&number) => {
                out.push(char::from_u32(meant(number))?);
                rest = &rest[length..];
            }
            _ => {
                out.push('\\');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    Some(out)
}

/// What a number stands for in a solution: those that are reserved, for the first characters of private use.
fn meant(number: u32) -> u32 {
    match number.checked_sub(u32::from(RESERVED)) {
        Some(offset) => 0xF_0000 + offset,
        None => number,
    }
}

/// The number of the escape that `text` begins with, and its length.
fn escaped(text: &str) -> Option<(u32, usize)> {
    let body = text.strip_prefix("\\u")?;
    let (digits, length) = match body.strip_prefix('{') {
        Some(inner) => {
            let end = inner.find('}')?;
            (&inner[..end], "\\u{}".len() + end)
        }
        None => (body.get(..4)?, "\\uXXXX".len()),
    };
    let hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if !hexadecimal || digits.is_empty() || digits.len() > 5 {
        return None;
    }
    let number = u32::from_str_radix(digits, 16).ok()?;
    (number <= LARGEST).then_some((number, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn characters_beyond_smt_lib_are_refused() {
        assert_eq!(quote("a\u{10FFFF}"), Err('\u{10FFFF}'));
        assert_eq!(quote("\u{2FFFF}"), Err('\u{2FFFF}'));
        assert_eq!(quote("\u{2FEFF}"), Ok("\"\\u{2feff}\"".to_owned()));
    }

    #[test]
    fn a_backslash_means_itself_unless_it_begins_an_escape() {
        assert_eq!(unescape(r"\u{5c}u{41}", false), Some(r"\u{41}".to_owned()));
        assert_eq!(
            unescape(r"\x41 \u{110000} \u12 \u{}", false),
            Some(r"\x41 \u{110000} \u12 \u{}".to_owned())
        );
        assert_eq!(unescape(r"\u0041é\u{41}", false), Some("AéA".to_owned()));
        assert_eq!(unescape(r"\ud800", false), None);
        assert_eq!(unescape("\\u{é}", false), Some("\\u{é}".to_owned()));
        assert_eq!(unescape("\\uéé", false), Some("\\uéé".to_owned()));
    }

    #[test]
    fn from_a_solver_that_prints_backslashes_raw_only_the_unprintable_is_escaped() {
        assert_eq!(
            unescape(r"\u{41}\u{e9}\", true),
            Some("\\u{41}é\\".to_owned())
        );
    }

    proptest! {
        #[test]
        fn what_is_escaped_is_read_back(text in "[\u{0}-\u{2feff}]{0,12}") {
            let escaped = escape(&text).expect("within SMT-LIB's characters");
            prop_assert_eq!(unescape(&escaped, false), Some(text));
        }
    }
}
