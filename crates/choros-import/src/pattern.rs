//! Texts that match a `pattern` of JSON Schema.
//!
//! A pattern is a regular expression of ECMAScript; what that shares with the syntax of the `regex` crates is
//! understood, and nothing else: look-around, back references, boundaries of words and flags are not.
//! A pattern need not match a text as a whole, but a text that it matches as a whole is one that matches.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind, Look};

/// Texts of this length at least and at most that match, no more than `count`; none where the pattern is not
/// understood or no such text was found.
pub(crate) fn texts(pattern: &str, least: u64, most: Option<u64>, count: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let parse = || {
        ParserBuilder::new()
            .nest_limit(50)
            .build()
            .parse(pattern)
            .ok()
    };
    let Some(hir) = is_common(pattern).then(parse).flatten() else {
        return found;
    };
    // Repetitions of a few characters look best; where the length needs it, there are more.
    let needed = usize::try_from(least).unwrap_or(usize::MAX).min(LONGEST);
    let extras = [2, 1, 0].into_iter().chain(3..24).chain([needed]);
    for extra in extras {
        for round in 0..4 * count as u64 {
            if found.len() >= count {
                return found;
            }
            let mut draft = Draft {
                text: String::new(),
                is_over: false,
                extra,
                number: round.wrapping_mul(0x9e37_79b9_7f4a_7c15),
                steps: 0,
            };
            let is_match = draft.write(&hir);
            let length = draft.text.chars().count() as u64;
            let fits = length >= least && most.is_none_or(|most| length <= most);
            if is_match && fits && !found.contains(&draft.text) {
                found.push(draft.text);
            }
        }
    }
    found
}

/// Longer texts are not made.
const LONGEST: usize = 2_000;

/// A text that is being written.
struct Draft {
    text: String,
    /// `$` was there: nothing may follow.
    is_over: bool,
    /// How often more than necessary what can be repeated is.
    extra: usize,
    /// Chooses characters and alternatives.
    number: u64,
    steps: usize,
}

impl Draft {
    /// Writes a text of an expression; false if that is not possible in this way.
    ///
    /// The parser refuses what is nested more than fifty deep, so the recursion ends there.
    fn write(&mut self, hir: &Hir) -> bool {
        self.steps += 1;
        if self.steps > 20 * LONGEST || self.text.len() > 4 * LONGEST {
            return false;
        }
        match hir.kind() {
            HirKind::Empty => true,
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0);
                text.is_ok_and(|text| self.put(text))
            }
            HirKind::Class(Class::Unicode(class)) => {
                let Some(character) = self.character(class) else {
                    return false;
                };
                self.put(character.encode_utf8(&mut [0; 4]))
            }
            HirKind::Class(Class::Bytes(_)) => false,
            HirKind::Look(Look::Start) => self.text.is_empty(),
            HirKind::Look(Look::End) => {
                self.is_over = true;
                true
            }
            HirKind::Look(_) => false,
            HirKind::Repetition(repetition) => {
                let wanted = repetition.min as usize + self.extra;
                let most = repetition.max.map_or(usize::MAX, |most| most as usize);
                (0..wanted.min(most)).all(|_| self.write(&repetition.sub))
            }
            HirKind::Capture(capture) => self.write(&capture.sub),
            HirKind::Concat(parts) => parts.iter().all(|part| self.write(part)),
            HirKind::Alternation(parts) => {
                let chosen = self.chosen(parts.len());
                self.write(&parts[chosen])
            }
        }
    }

    fn put(&mut self, text: &str) -> bool {
        self.text.push_str(text);
        !self.is_over
    }

    /// A number below a bound, another one each time.
    fn chosen(&mut self, bound: usize) -> usize {
        self.number = self.number.wrapping_mul(6_364_136_223_846_793_005);
        self.number = self.number.wrapping_add(1_442_695_040_888_963_407);
        (self.number >> 33) as usize % bound.max(1)
    }

    /// A letter or a digit, if the class has one; otherwise a sign that can be seen.
    ///
    /// They are of ASCII, where `\d` and `\w` are the same in all notations.
    fn character(&mut self, class: &ClassUnicode) -> Option<char> {
        let has = |it: &char| {
            let mut ranges = class.iter();
            ranges.any(|range| range.start() <= *it && *it <= range.end())
        };
        let plain = (' '..='~').filter(|it| it.is_ascii_alphanumeric());
        let mut candidates: Vec<char> = plain.filter(has).collect();
        if candidates.is_empty() {
            candidates = (' '..='~').filter(has).collect();
        }
        if candidates.is_empty() {
            let starts = class.iter().map(|range| range.start());
            candidates = starts.filter(|it| !it.is_control()).collect();
        }
        let chosen = self.chosen(candidates.len());
        candidates.get(chosen).copied()
    }
}

/// Whether a pattern has only what means the same in both notations, as far as that is not an error in one.
fn is_common(pattern: &str) -> bool {
    let mut rest = pattern.chars().peekable();
    let mut in_class = false;
    while let Some(sign) = rest.next() {
        let next = rest.peek().copied();
        match sign {
            '\\' => {
                let is_known = next.is_some_and(|it| {
                    "dDwWsSnrtfvuxpP".contains(it)
                        || it.is_ascii_punctuation() && !"<>".contains(it)
                });
                if !is_known {
                    return false;
                }
                rest.next();
            }
            // Empty classes, nested ones and operations on classes are others in each notation.
            '[' if in_class => return false,
            '[' => {
                in_class = true;
                if next == Some('^') {
                    rest.next();
                }
                if rest.peek() == Some(&']') {
                    return false;
                }
            }
            ']' => in_class = false,
            '&' | '~' | '-' if in_class && next == Some(sign) => return false,
            '(' if !in_class && next == Some('?') => {
                rest.next();
                let kind = rest.next();
                let is_name = kind == Some('<') && !matches!(rest.peek(), Some('=' | '!'));
                if kind != Some(':') && !is_name {
                    return false;
                }
            }
            '{' if !in_class && next == Some(',') => return false,
            _ => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use choros_testkit::{fuzz, seed_from_env};
    use regex::Regex;

    use super::texts;

    #[test]
    fn what_is_made_matches() {
        for pattern in [
            "^[A-Z]{2}-[0-9]{4}$",
            "[a-z]+",
            "^\\d{3}[- ]?\\w*$",
            "^(?:red|green|[0-9a-f]{6})$",
            "^a|b$",
            "^(?<year>\\d{4})-(0[1-9]|1[0-2])$",
            "\\.\\/[^a-z0-9]{2}\\u0041",
            "^[\\w.+-]+@[\\w-]+\\.[a-z]{2,6}$",
            "^$",
            "^\\p{Lu}é[äöü]$",
        ] {
            let made = texts(pattern, 0, None, 5);
            assert!(!made.is_empty(), "{pattern}");
            let regex = Regex::new(pattern).expect("a pattern");
            for text in &made {
                assert!(regex.is_match(text), "{pattern}: {text:?}");
            }
        }
        assert_eq!(texts("^[A-Z]{2}-[0-9]{4}$", 0, None, 5).len(), 5);
    }

    #[test]
    fn lengths_are_kept() {
        let made = texts("^[a-z]+$", 40, Some(42), 3);
        assert!(!made.is_empty() && made.iter().all(|it| (40..=42).contains(&it.len())));
        let made = texts("^[a-z]*$", 0, Some(1), 3);
        assert!(!made.is_empty() && made.iter().all(|it| it.len() <= 1));
        assert!(texts("^[a-z]{5}$", 6, None, 3).is_empty());
    }

    #[test]
    fn what_is_not_understood_gives_nothing() {
        for pattern in [
            "(?=a)a",
            "(?!a)b",
            "(?<=a)b",
            "(a)\\1",
            "\\bword\\b",
            "(?i)a",
            "[[a]",
            "[]",
            "[^]",
            "[a&&b]",
            "a{,3}",
            "\\A",
            "(",
            "[z-a]",
            "$a",
            "a^",
            "\\<",
            "\\cA",
            "(?P<n>a)",
            "\\",
        ] {
            assert!(texts(pattern, 0, None, 3).is_empty(), "{pattern}");
        }
        assert!(texts(&"(".repeat(100_000), 0, None, 3).is_empty());
        assert!(texts("(){1000000000}a{1000000}", 0, None, 3).is_empty());
    }

    #[test]
    fn whatever_the_pattern_what_is_made_matches() {
        let corpus = [
            "^[A-Z]{2}-[0-9]{4}$",
            "(?:a|b)*c?\\d+",
            "^[^x]\\w{2,}$|^\\.$",
            "(?<n>é+)",
        ];
        fuzz(seed_from_env(), 500, &corpus, |pattern| {
            let made = texts(pattern, 0, Some(50), 3);
            if let Ok(regex) = Regex::new(pattern) {
                for text in made {
                    assert!(regex.is_match(&text), "{pattern}: {text:?}");
                }
            }
        });
    }
}
