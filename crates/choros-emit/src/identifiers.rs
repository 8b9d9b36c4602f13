//! Names of models as names of programs.

use std::collections::{BTreeMap, BTreeSet};

use crate::TargetLanguage;

/// How the words of a name are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NamingCase {
    /// `best_offer`: variables, functions, files.
    Snake,
    /// `BestOffer`: types.
    Camel,
}

impl NamingCase {
    /// A name in this case; it may still be a keyword.
    pub fn of(self, text: &str) -> String {
        match self {
            NamingCase::Snake => snake(text),
            NamingCase::Camel => camel(text),
        }
    }
}

/// Names of one scope of a program, all different and none of them a keyword.
///
/// The same name in the same case always becomes the same identifier.
#[derive(Debug, Clone)]
pub struct Identifiers {
    language: TargetLanguage,
    given: BTreeMap<(NamingCase, String), String>,
    taken: BTreeSet<String>,
}

impl Identifiers {
    /// A scope in which nothing is named yet.
    pub fn new(language: TargetLanguage) -> Self {
        Self {
            language,
            given: BTreeMap::new(),
            taken: BTreeSet::new(),
        }
    }

    /// Keeps names for what the program itself declares.
    pub fn reserve(&mut self, names: &[&str]) {
        self.taken.extend(names.iter().map(|&name| name.to_owned()));
    }

    /// The identifier of a name.
    pub fn name(&mut self, case: NamingCase, text: &str) -> String {
        if let Some(known) = self.given.get(&(case, text.to_owned())) {
            return known.clone();
        }
        let fresh = self.fresh(&case.of(text));
        self.given.insert((case, text.to_owned()), fresh.clone());
        fresh
    }

    /// An identifier like `stem` that names nothing else.
    pub fn fresh(&mut self, stem: &str) -> String {
        // A trailing underscore would do too, but not where more is put after it.
        let stem = match (
            self.language.reserved().contains(&stem),
            stem.chars().next(),
        ) {
            (false, _) => stem.to_owned(),
            (true, Some(first)) if first.is_ascii_uppercase() => format!("The{stem}"),
            (true, _) => format!("the_{stem}"),
        };
        let mut identifier = stem.clone();
        let mut count = 1;
        while self.taken.contains(&identifier) {
            count += 1;
            identifier = format!("{stem}_{count}");
        }
        self.taken.insert(identifier.clone());
        identifier
    }
}

/// Words: runs of letters and digits, parted before a capital letter that follows a small one.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for character in text.chars() {
        if !character.is_ascii_alphanumeric() {
            words.push(String::new());
            was_small = false;
            continue;
        }
        if character.is_ascii_uppercase() && was_small {
            words.push(String::new());
        }
        was_small = !character.is_ascii_uppercase();
        if let Some(word) = words.last_mut() {
            word.push(character);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn snake(text: &str) -> String {
    let name = words(text).join("_").to_ascii_lowercase();
    match name.chars().next() {
        None => "unnamed".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n{name}"),
        Some(_) => name,
    }
}

fn camel(text: &str) -> String {
    let name: String = words(text)
        .iter()
        .map(|word| {
            let (first, rest) = word.split_at(1);
            let rest = if word.bytes().any(|byte| byte.is_ascii_lowercase()) {
                rest.to_owned()
            } else {
                rest.to_ascii_lowercase()
            };
            first.to_ascii_uppercase() + &rest
        })
        .collect();
    match name.chars().next() {
        None => "Unnamed".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("N{name}"),
        Some(_) => name,
    }
}

#[cfg(test)]
mod tests {
    use super::{Identifiers, NamingCase};
    use crate::TargetLanguage;

    #[test]
    fn words_are_put_together() {
        let mut names = Identifiers::new(TargetLanguage::Rust);
        assert_eq!(names.name(NamingCase::Snake, "bestOffer"), "best_offer");
        assert_eq!(names.name(NamingCase::Camel, "best_offer"), "BestOffer");
        assert_eq!(
            names.name(NamingCase::Camel, "OK"),
            "TheOk",
            "not the `Ok` of results"
        );
        assert_eq!(names.name(NamingCase::Snake, "status@bank"), "status_bank");
        assert_eq!(names.name(NamingCase::Snake, "3rd"), "n3rd");
        assert_eq!(names.name(NamingCase::Snake, "→"), "unnamed");
    }

    #[test]
    fn names_are_different_and_no_keywords() {
        let mut names = Identifiers::new(TargetLanguage::Python);
        names.reserve(&["state"]);
        assert_eq!(names.name(NamingCase::Snake, "class"), "the_class");
        assert_eq!(names.name(NamingCase::Snake, "state"), "state_2");
        assert_eq!(names.name(NamingCase::Snake, "a b"), "a_b");
        assert_eq!(names.name(NamingCase::Snake, "a.b"), "a_b_2");
        assert_eq!(names.name(NamingCase::Snake, "a b"), "a_b", "as before");
    }
}
