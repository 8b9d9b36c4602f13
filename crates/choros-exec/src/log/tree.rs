//! A JSON value as a tree, with every digit of its numbers, for forms that look at a record from several sides.

use std::borrow::Cow;

use choros_model::observation::{Datum, Number};

use super::json::{DEPTH_LIMIT, Scanner};
use super::problem::RecordFlaw;

/// A JSON value; its texts borrow from the record where they have no escapes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tree<'t> {
    Scalar(Datum<'t>),
    List(Vec<Tree<'t>>),
    Object(Vec<(Cow<'t, str>, Tree<'t>)>),
}

impl<'t> Tree<'t> {
    pub(crate) fn read(text: &'t str) -> Result<Tree<'t>, RecordFlaw> {
        let mut scanner = Scanner::new(text);
        scanner.blank();
        let value = value(&mut scanner, 0)?;
        scanner.end()?;
        Ok(value)
    }

    /// What is at a label; of several the last one, as JSON readers have it.
    pub(crate) fn get(&self, label: &str) -> Option<&Tree<'t>> {
        match self {
            Tree::Object(fields) => {
                let found = fields.iter().rev().find(|(known, _)| known == label);
                found.map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// What is at the first of several labels that has something other than null.
    pub(crate) fn first(&self, labels: &[&str]) -> Option<&Tree<'t>> {
        let mut found = labels.iter().filter_map(|label| self.get(label));
        found.find(|it| !matches!(it, Tree::Scalar(Datum::Null)))
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Tree::Scalar(datum) => datum.text(),
            _ => None,
        }
    }

    /// A word: a text that is not empty, or a number as it is written.
    pub(crate) fn word(&self) -> Option<String> {
        match self {
            Tree::Scalar(Datum::Number(number)) => Some(number.to_string()),
            other => other
                .text()
                .filter(|text| !text.is_empty())
                .map(str::to_owned),
        }
    }

    /// A number, or a text that is one.
    pub(crate) fn number(&self) -> Option<Number> {
        match self {
            Tree::Scalar(Datum::Number(number)) => Some(number.clone()),
            other => Number::parse(other.text()?.trim()).ok(),
        }
    }

    pub(crate) fn items(&self) -> &[Tree<'t>] {
        match self {
            Tree::List(items) => items,
            _ => &[],
        }
    }

    pub(crate) fn fields(&self) -> &[(Cow<'t, str>, Tree<'t>)] {
        match self {
            Tree::Object(fields) => fields,
            _ => &[],
        }
    }

    pub(crate) fn is_object(&self) -> bool {
        matches!(self, Tree::Object(_))
    }

    /// Its values by path, in the order of the text; a scalar is at `path` itself.
    pub(crate) fn flatten(&self, path: &str, values: &mut Vec<(String, Datum<'static>)>) {
        let below = |label: &str| {
            if path.is_empty() {
                label.to_owned()
            } else {
                format!("{path}.{label}")
            }
        };
        // No deeper than the tree was read.
        match self {
            Tree::Scalar(datum) => values.push((path.to_owned(), datum.clone().into_owned())),
            Tree::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    item.flatten(&below(&index.to_string()), values);
                }
            }
            Tree::Object(fields) => {
                for (label, value) in fields {
                    value.flatten(&below(label), values);
                }
            }
        }
    }
}

fn value<'t>(scanner: &mut Scanner<'t>, depth: usize) -> Result<Tree<'t>, RecordFlaw> {
    if depth > DEPTH_LIMIT {
        return Err(scanner.wrong("objects and lists are nested too deeply"));
    }
    match scanner.peek() {
        Some(b'{') => {
            let mut fields = Vec::new();
            let mut goes_on = scanner.begin(b'}');
            while goes_on {
                if scanner.peek() != Some(b'"') {
                    return Err(scanner.wrong("a label in quotes is missing"));
                }
                let label = scanner.string()?;
                scanner.colon()?;
                fields.push((label, value(scanner, depth + 1)?));
                goes_on = scanner.goes_on(b'}', "`,` or `}` is missing")?;
            }
            Ok(Tree::Object(fields))
        }
        Some(b'[') => {
            let mut items = Vec::new();
            let mut goes_on = scanner.begin(b']');
            while goes_on {
                items.push(value(scanner, depth + 1)?);
                goes_on = scanner.goes_on(b']', "`,` or `]` is missing")?;
            }
            Ok(Tree::List(items))
        }
        _ => scanner.scalar().map(Tree::Scalar),
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;
    use choros_model::observation::Datum;

    #[test]
    fn values_by_label_and_by_path() {
        let text = r#" {"a":{"b":[1.50,"x\n",null]},"c":"","a2":100000000000000000000000001} "#;
        let tree = Tree::read(text).expect("a tree");
        let a = tree.get("a").and_then(|a| a.get("b")).expect("a list");
        assert_eq!(a.items().len(), 3);
        assert_eq!(a.items()[1].text(), Some("x\n"));
        assert_eq!(tree.get("c").and_then(Tree::word), None);
        assert_eq!(
            tree.first(&["no", "a2"]).and_then(Tree::word).as_deref(),
            Some("100000000000000000000000001")
        );
        let mut values = Vec::new();
        tree.flatten("r", &mut values);
        let paths: Vec<&str> = values.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["r.a.b.0", "r.a.b.1", "r.a.b.2", "r.c", "r.a2"]);
        assert_eq!(values[2].1, Datum::Null);
    }

    #[test]
    fn what_is_not_a_value_is_refused_with_its_place() {
        for text in [
            "", "{", "{\"a\"1}", "[1,]", "{} 1", "nul", "{a:1}", "\"\\x\"",
        ] {
            assert!(Tree::read(text).is_err(), "{text}");
        }
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        assert!(Tree::read(&deep).is_err());
    }
}
