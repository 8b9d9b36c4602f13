//! Patterns: regular expressions of XML Schema.
//!
//! Those of one restriction are alternatives; those of several restrictions, one based on the other, hold together.
//! A text is matched as a whole, and `^` and `$` are ordinary characters.
//! What the expressions of Rust do not have (`\i`, `\c`, blocks `\p{Is…}`) is not understood, and whoever asks is told.

use regex::Regex;
use regex_syntax::hir::literal::Extractor;

/// The patterns of one restriction.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// `pattern`, or `facet` for one that is not understood at all.
    pub what: &'static str,
    /// As they are written.
    pub texts: Vec<String>,
    /// All of them as one expression, if it is understood.
    expression: Option<Regex>,
    /// All texts that match, if there are few.
    words: Option<Vec<String>>,
}

/// More words than this are no help to a solver.
const MOST_WORDS: usize = 100;

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.texts == other.texts
    }
}

impl Eq for Pattern {}

impl Pattern {
    /// Alternatives.
    pub fn new(texts: Vec<String>) -> Pattern {
        let translated: Option<Vec<String>> = texts.iter().map(|it| translate(it)).collect();
        let whole = translated.map(|parts| format!("(?s:{})", parts.join("|")));
        let anchored = whole.as_ref().map(|it| format!("\\A(?:{it})\\z"));
        let expression = anchored.and_then(|it| Regex::new(&it).ok());
        let words = match &expression {
            Some(_) => whole.as_deref().and_then(all_words),
            None => None,
        };
        Pattern {
            what: "pattern",
            texts,
            expression,
            words,
        }
    }

    /// A facet that no value is held against.
    pub fn unchecked(facet: &str) -> Pattern {
        Pattern {
            what: "facet",
            texts: vec![facet.to_owned()],
            expression: None,
            words: None,
        }
    }

    /// Whether a text matches; `None` where the pattern is not understood.
    pub fn matches(&self, text: &str) -> Option<bool> {
        Some(self.expression.as_ref()?.is_match(text))
    }

    /// All texts that match, if there are few.
    pub fn words(&self) -> Option<&[String]> {
        self.words.as_deref()
    }
}

/// A pattern in the notation of Rust's expressions; `None` where it has something that they do not have.
fn translate(pattern: &str) -> Option<String> {
    let mut out = String::from("(?:");
    let mut depth = 0_usize;
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                let next = characters.next()?;
                if matches!(next, 'i' | 'I' | 'c' | 'C') {
                    return None;
                }
                if matches!(next, 'p' | 'P') {
                    let rest: String = characters.clone().take(3).collect();
                    if rest == "{Is" {
                        return None;
                    }
                }
                out.push('\\');
                out.push(next);
            }
            '[' => {
                depth += 1;
                out.push('[');
            }
            ']' => {
                depth = depth.checked_sub(1)?;
                out.push(']');
            }
            // `[a-z-[aeiou]]` is a subtraction.
            '-' if depth > 0 && characters.peek() == Some(&'[') => out.push_str("--"),
            '^' if depth > 0 && out.ends_with('[') => out.push('^'),
            '^' | '$' => {
                out.push('\\');
                out.push(character);
            }
            // Doubled, they mean something to Rust's classes.
            '&' | '~' if depth > 0 => {
                out.push('\\');
                out.push(character);
            }
            // Groups of XML Schema have no options.
            '(' if depth == 0 => {
                if characters.peek() == Some(&'?') {
                    return None;
                }
                out.push_str("(?:");
            }
            other => out.push(other),
        }
    }
    out.push(')');
    (depth == 0).then_some(out)
}

fn all_words(expression: &str) -> Option<Vec<String>> {
    let hir = regex_syntax::parse(expression).ok()?;
    let mut extractor = Extractor::new();
    extractor
        .limit_class(MOST_WORDS)
        .limit_repeat(MOST_WORDS)
        .limit_literal_len(1_000)
        .limit_total(MOST_WORDS);
    let found = extractor.extract(&hir);
    let literals = found.literals()?;
    literals
        .iter()
        .map(|it| match it.is_exact() {
            true => String::from_utf8(it.as_bytes().to_vec()).ok(),
            false => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> Option<bool> {
        Pattern::new(vec![pattern.to_owned()]).matches(text)
    }

    #[test]
    fn a_text_is_matched_as_a_whole() {
        assert_eq!(matches("b", "b"), Some(true));
        assert_eq!(matches("b", "ab"), Some(false));
        assert_eq!(matches("a|b", "b"), Some(true));
        assert_eq!(matches("[0-9]{3}", "123"), Some(true));
        assert_eq!(matches("[0-9]{3}", "1234"), Some(false));
        assert_eq!(matches("^a$", "^a$"), Some(true));
        assert_eq!(matches("[a-z-[aeiou]]+", "xyz"), Some(true));
        assert_eq!(matches("[a-z-[aeiou]]+", "xyza"), Some(false));
        assert_eq!(matches("[^a]", "b"), Some(true));
        assert_eq!(matches(".", "\n"), Some(true));
    }

    #[test]
    fn what_is_not_understood_is_not_guessed() {
        assert_eq!(matches("\\i\\c*", "a"), None);
        assert_eq!(matches("\\p{IsGreek}", "a"), None);
        assert_eq!(matches("[a", "a"), None);
    }

    #[test]
    fn few_words_are_listed() {
        let words = |pattern: &str| {
            let pattern = Pattern::new(vec![pattern.to_owned()]);
            pattern.words().map(<[String]>::to_vec)
        };
        assert_eq!(words("b"), Some(vec!["b".to_owned()]));
        assert_eq!(words("a|bc"), Some(vec!["a".to_owned(), "bc".to_owned()]));
        assert_eq!(words("a*"), None);
        assert_eq!(words("[a-z]{5}"), None);
    }
}
