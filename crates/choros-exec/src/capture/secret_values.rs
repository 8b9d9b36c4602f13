//! Values that are secrets whatever the name of their field is.

use std::ops::Range;

/// The parts of a text that are secrets by their own form, in order and apart from each other: card numbers, JSON Web
/// Tokens, credentials after `Bearer` or `Basic`, passwords in addresses, private keys.
pub(super) fn spans(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    cards(text, &mut found);
    web_tokens(text, &mut found);
    credentials(text, &mut found);
    passwords_of_addresses(text, &mut found);
    if let Some(start) = text.find("-----BEGIN ")
        && text[start..].contains("PRIVATE KEY")
    {
        found.push(start..text.len());
    }
    super::scrub::apart(found)
}

/// Digits of a card, perhaps in groups with one space or hyphen between them.
fn cards(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut position = 0;
    while position < bytes.len() {
        if !bytes[position].is_ascii_digit() {
            position += 1;
            continue;
        }
        let groups = groups(bytes, position);
        position = groups.last().map_or(position + 1, |last| last.end);
        let mut first = 0;
        while first < groups.len() {
            let card = card_from(bytes, &groups[first..]);
            if let Some((count, range)) = card {
                found.push(range);
                first += count;
            } else {
                first += 1;
            }
        }
    }
}

/// The longest card number that the first groups make.
fn card_from(bytes: &[u8], groups: &[Range<usize>]) -> Option<(usize, Range<usize>)> {
    let mut digits = Vec::new();
    let mut longest = None;
    for (count, group) in groups.iter().enumerate() {
        digits.extend(bytes[group.clone()].iter().map(|byte| byte - b'0'));
        if digits.len() > 19 {
            break;
        }
        let range = groups[0].start..group.end;
        if stands_alone(bytes, &range) && is_card(&digits) {
            longest = Some((count + 1, range));
        }
    }
    longest
}

/// Runs of digits from here on, with single separators between them.
fn groups(bytes: &[u8], start: usize) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut position = start;
    loop {
        let begin = position;
        while bytes.get(position).is_some_and(u8::is_ascii_digit) {
            position += 1;
        }
        groups.push(begin..position);
        let separated = bytes
            .get(position)
            .is_some_and(|byte| matches!(byte, b' ' | b'-'));
        if !separated || !bytes.get(position + 1).is_some_and(u8::is_ascii_digit) {
            return groups;
        }
        position += 1;
    }
}

/// Digits inside a word or after a decimal point are no card number.
fn stands_alone(bytes: &[u8], range: &Range<usize>) -> bool {
    let digit = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let before = range.start.checked_sub(1).map(|at| bytes[at]);
    let after = bytes.get(range.end);
    let in_word = before.is_some_and(|byte| word(&byte)) || after.is_some_and(word);
    let in_fraction = before == Some(b'.') && digit(range.start.checked_sub(2));
    let has_fraction = after == Some(&b'.') && digit(Some(range.end + 1));
    !(in_word || in_fraction || has_fraction)
}

/// A number that an issuer of cards gives, with the check digit of Luhn (ISO/IEC 7812).
///
/// Without the ranges of issuers every tenth time in milliseconds would be one.
fn is_card(digits: &[u8]) -> bool {
    let number = |length: usize| {
        digits[..length]
            .iter()
            .fold(0u32, |sum, digit| sum * 10 + u32::from(*digit))
    };
    if !(13..=19).contains(&digits.len()) {
        return false;
    }
    let (two, four) = (number(2), number(4));
    let issued = match digits.len() {
        13 => two / 10 == 4,
        14 => matches!(two, 36 | 38 | 39) || (3000..=3059).contains(&four),
        15 => matches!(two, 34 | 37),
        16 => matches!(two, 35 | 50..=69) || two / 10 == 4 || (2221..=2720).contains(&four),
        17 | 18 => matches!(two, 50 | 56..=69),
        _ => two / 10 == 4 || matches!(two, 35 | 50 | 56..=69),
    };
    issued && luhn(digits)
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(
            |(position, digit)| match (position % 2, u32::from(*digit)) {
                (0, digit) => digit,
                (_, digit) if digit > 4 => 2 * digit - 9,
                (_, digit) => 2 * digit,
            },
        )
        .sum();
    sum.is_multiple_of(10)
}

/// `eyJ…` is `{"` in base 64: three parts with dots between them.
fn web_tokens(text: &str, found: &mut Vec<Range<usize>>) {
    let of_token =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let mut done = 0;
    for (start, _) in text.match_indices("eyJ") {
        // Looked through once: a body of nothing else must not take time in the square of its length.
        if start < done {
            continue;
        }
        let rest = &text[start..];
        let length = rest.find(|letter| !of_token(letter)).unwrap_or(rest.len());
        done = start + length;
        if rest[..length].matches('.').count() >= 2 {
            found.push(start..done);
        }
    }
}

/// What follows the name of a scheme of HTTP authentication.
fn credentials(text: &str, found: &mut Vec<Range<usize>>) {
    let small = text.to_ascii_lowercase();
    for scheme in ["bearer ", "basic "] {
        for (at, _) in small.match_indices(scheme) {
            let start = at + scheme.len();
            let rest = &text[start..];
            let end =
                |letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | ',' | ';');
            let length = rest.find(end).unwrap_or(rest.len());
            if is_random(&rest[..length]) {
                found.push(start..start + length);
            }
        }
    }
}

/// `https://user:password@host`.
fn passwords_of_addresses(text: &str, found: &mut Vec<Range<usize>>) {
    for (at, _) in text.match_indices("://") {
        let start = at + 3;
        let rest = &text[start..];
        let end = |letter: char| letter.is_whitespace() || matches!(letter, '/' | '?' | '#' | '"');
        let authority = &rest[..rest.find(end).unwrap_or(rest.len())];
        if let Some((user, _)) = authority.rsplit_once('@')
            && let Some((name, password)) = user.split_once(':')
            && !password.is_empty()
        {
            let from = start + name.len() + 1;
            found.push(from..from + password.len());
        }
    }
}

/// Whether a text was drawn and not written: it has digits or signs, capitals among small letters, or is very long.
pub fn is_random(text: &str) -> bool {
    let has = |kind: fn(&char) -> bool| text.chars().any(|letter| kind(&letter));
    let mixed = text
        .chars()
        .skip(1)
        .any(|letter| letter.is_ascii_uppercase())
        && has(char::is_ascii_lowercase);
    text.len() >= 6
        && (has(char::is_ascii_digit) || text.ends_with('=') || mixed || text.len() >= 24)
}

#[cfg(test)]
mod tests {
    use super::spans;

    fn secrets(text: &str) -> Vec<&str> {
        spans(text).into_iter().map(|span| &text[span]).collect()
    }

    /// Numbers that card issuers publish for tests, one per issuer and length.
    #[test]
    fn card_numbers() {
        for card in [
            "4111111111111111",
            "4222222222222",
            "5555555555554444",
            "2223003122003222",
            "378282246310005",
            "6011111111111117",
            "3530111333300000",
            "30569309025904",
            "4111 1111 1111 1111",
            "4111-1111-1111-1111",
        ] {
            assert_eq!(secrets(card), [card]);
            let among = format!("paid with {card}, 12/27");
            assert_eq!(secrets(&among), [card]);
        }
        assert_eq!(secrets("7 4111 1111 1111 1111 12"), ["4111 1111 1111 1111"]);
    }

    #[test]
    fn numbers_that_are_none() {
        for text in [
            "4111111111111112",
            "1377782250128",
            "1794783871717",
            "0.4111111111111111",
            "x4111111111111111",
            "4111111111111111.5",
            "41111111111111114111111111111111",
            "12",
            "",
        ] {
            assert_eq!(secrets(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn tokens_credentials_and_keys() {
        assert_eq!(secrets("Bearer abc123"), ["abc123"]);
        assert_eq!(secrets("basic dXNlcjpwYXNz"), ["dXNlcjpwYXNz"]);
        assert_eq!(
            secrets("a eyJhbGciOi.eyJzdWIi.c2ln, b"),
            ["eyJhbGciOi.eyJzdWIi.c2ln"]
        );
        assert_eq!(secrets("see https://bob:pw@host/x"), ["pw"]);
        let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----";
        assert_eq!(secrets(key), [key]);
        for text in [
            "basic training",
            "bearer of bad news",
            "http://host:80/a@b",
            "eyJhbG",
        ] {
            assert_eq!(secrets(text), [""; 0], "{text}");
        }
    }
}
