//! Patterns: regular expressions of XML Schema.
//!
//! Those of one restriction are alternatives; those of several restrictions, one based on the other, hold together.

use choros_data::RegularExpression;

use super::expression;

/// The patterns of one restriction.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// `pattern`, or what else it is that is not understood at all.
    pub what: &'static str,
    /// As they are written.
    pub texts: Vec<String>,
    /// All of them as one expression, if they are understood.
    expression: Option<RegularExpression>,
    /// All texts that match, if there are few.
    words: Option<Vec<String>>,
}

/// More words than this are no help to a solver.
const MAX_WORDS: usize = 100;

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.texts == other.texts
    }
}

impl Eq for Pattern {}

impl Pattern {
    /// Alternatives.
    pub fn new(texts: Vec<String>) -> Pattern {
        let all: Option<Vec<RegularExpression>> =
            texts.iter().map(|it| expression::read(it)).collect();
        let expression = all.map(RegularExpression::Choice);
        let words = expression.as_ref().and_then(|it| it.words(MAX_WORDS));
        Pattern {
            what: "pattern",
            texts,
            expression,
            words,
        }
    }

    /// Something that no value is held against.
    pub fn unchecked(what: &'static str, text: &str) -> Pattern {
        Pattern {
            what,
            texts: vec![text.to_owned()],
            expression: None,
            words: None,
        }
    }

    /// What the patterns mean; `None` where one is not understood.
    pub fn expression(&self) -> Option<&RegularExpression> {
        self.expression.as_ref()
    }

    /// Whether a text matches; `None` where a pattern is not understood.
    pub fn matches(&self, text: &str) -> Option<bool> {
        Some(self.expression.as_ref()?.matches(text))
    }

    /// All texts that match, if there are few.
    pub fn words(&self) -> Option<&[String]> {
        self.words.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_are_understood_together() {
        let patterns = |texts: &[&str]| Pattern::new(texts.iter().map(|&it| it.into()).collect());
        assert_eq!(patterns(&["a+", "b"]).matches("aa"), Some(true));
        assert_eq!(patterns(&["a+", "b"]).matches("ab"), Some(false));
        assert_eq!(patterns(&["a", "\\p{IsGothic}"]).matches("a"), None);
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
