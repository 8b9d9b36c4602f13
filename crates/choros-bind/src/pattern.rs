//! Names with a wildcard: `com.acme.shop.PlaceOrder.v*`.

use std::fmt;

/// A text in which `*` stands for any text, the empty one too.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pattern(String);

impl Pattern {
    pub fn new(text: impl Into<String>) -> Pattern {
        Pattern(text.into())
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether it stands for one text only.
    pub fn is_exact(&self) -> bool {
        !self.0.contains('*')
    }

    pub fn matches(&self, text: &str) -> bool {
        let Some((first, rest)) = self.0.split_once('*') else {
            return self.0 == text;
        };
        let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
        let Some(mut left) = text
            .strip_prefix(first)
            .and_then(|it| it.strip_suffix(last))
        else {
            return false;
        };
        for piece in middle.split('*') {
            match left.find(piece) {
                Some(at) => left = &left[at + piece.len()..],
                None => return false,
            }
        }
        true
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    /// As the definition has it: a star is any text.
    fn naive(pattern: &str, text: &str) -> bool {
        match pattern.split_once('*') {
            None => pattern == text,
            Some((first, rest)) => text.strip_prefix(first).is_some_and(|left| {
                (0..=left.len())
                    .filter(|&at| left.is_char_boundary(at))
                    .any(|at| naive(rest, &left[at..]))
            }),
        }
    }

    #[test]
    fn versions_of_an_event_are_one_name() {
        let pattern = Pattern::new("com.acme.*.PlaceOrder.v*");
        assert!(pattern.matches("com.acme.shop.PlaceOrder.v2"));
        assert!(!pattern.matches("com.acme.shop.PlaceOrders.v2"));
        assert!(!Pattern::new("ab*ba").matches("aba"));
    }

    proptest::proptest! {
        #[test]
        fn it_agrees_with_the_definition(pattern in "[ab*]{0,6}", text in "[ab]{0,8}") {
            proptest::prop_assert_eq!(Pattern::new(pattern.clone()).matches(&text), naive(&pattern, &text));
        }
    }
}
