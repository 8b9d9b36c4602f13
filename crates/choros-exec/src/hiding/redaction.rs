//! Rules for what must never be written.

use std::fmt;

/// Rules for fields whose values are replaced before anything is written.
///
/// A rule is a path of field names; `*` stands for one name.
/// It covers every field whose path *ends* with it, wherever it is nested, and everything below that field: `card`
/// covers `card`, `payment.card` and `card.number`; `*.password` covers `login.password`, but not a `password` at the
/// top.
/// Case does not matter, since a rule that misses for a capital letter leaks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redaction {
    rules: Vec<Vec<String>>,
}

impl Redaction {
    /// Reads rules separated by commas; the texts that are none are returned apart.
    pub fn parse(text: &str) -> Result<Redaction, Vec<String>> {
        let (mut rules, mut wrong) = (Vec::new(), Vec::new());
        for rule in text
            .split(',')
            .map(str::trim)
            .filter(|rule| !rule.is_empty())
        {
            let names: Vec<String> = rule.split('.').map(|name| name.to_lowercase()).collect();
            if !choros_bind::is_redaction_rule(rule) {
                wrong.push(rule.to_owned())
            } else {
                rules.push(names)
            }
        }
        if wrong.is_empty() {
            Ok(Redaction { rules })
        } else {
            Err(wrong)
        }
    }

    /// Adds the rules of another.
    pub fn extend(&mut self, other: Redaction) {
        self.rules.extend(other.rules);
    }

    /// Whether the value at this path must not be written.
    pub fn covers(&self, path: &str) -> bool {
        if self.rules.is_empty() {
            return false;
        }
        let path = path.to_lowercase();
        let names: Vec<&str> = path.split('.').filter(|name| !is_position(name)).collect();
        self.rules.iter().any(|rule| {
            (rule.len()..=names.len()).any(|end| {
                rule.iter()
                    .zip(&names[end - rule.len()..end])
                    .all(|(pattern, name)| pattern == "*" || pattern == name)
            })
        })
    }
}

impl fmt::Display for Redaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, rule) in self.rules.iter().enumerate() {
            let comma = if position == 0 { "" } else { ", " };
            write!(f, "{comma}{}", rule.join("."))?;
        }
        Ok(())
    }
}

/// Elements of a list are numbered in paths; rules speak of names alone.
fn is_position(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::Redaction;

    #[test]
    fn a_name_is_covered_wherever_it_is_nested_and_so_is_all_below_it() {
        let rules = Redaction::parse("card, *.password").unwrap();
        for path in [
            "card",
            "payment.card",
            "Card",
            "card.number",
            "cards.0.card.cvc",
            "a.password",
        ] {
            assert!(rules.covers(path), "{path}");
        }
        for path in ["discard", "card_type", "password", "amount"] {
            assert!(!rules.covers(path), "{path}");
        }
    }

    #[test]
    fn what_is_no_rule_is_named() {
        assert_eq!(
            Redaction::parse("card, a..b, *, x.*, two words"),
            Err(["a..b", "*", "x.*", "two words"]
                .map(str::to_owned)
                .to_vec())
        );
        assert_eq!(Redaction::parse(" , ").unwrap().to_string(), "");
    }
}
