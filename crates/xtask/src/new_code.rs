//! Which diagnostic code is free?

use std::collections::BTreeSet;

use crate::Repository;
use crate::rust_code::product_literals;

/// The next free code of each range of a hundred that is in use.
///
/// Numbers are never used again, so it is the one after the highest that code or a document mentions; in a range that is
/// used to its end, the first that none does.
pub fn new_codes(repository: &Repository) -> Vec<String> {
    let mut known: BTreeSet<u32> = BTreeSet::new();
    for file in repository.files() {
        let text = match file.path.as_str() {
            path if path.ends_with(".rs") => product_literals(&file.text),
            path if path.ends_with(".md") => file.text.clone(),
            _ => continue,
        };
        known.extend(text.match_indices("CH").filter_map(|(at, _)| {
            let digits = text.get(at + 2..at + 6)?;
            digits.bytes().all(|it| it.is_ascii_digit()).then_some(())?;
            digits.parse::<u32>().ok()
        }));
    }
    let ranges: BTreeSet<u32> = known.iter().map(|code| code / 100).collect();
    let free = |range: &u32| {
        let mut numbers = range * 100 + 1..range * 100 + 100;
        let after = numbers.clone().rfind(|code| known.contains(code))? + 1;
        let is_within = numbers.contains(&after);
        if is_within {
            Some(after)
        } else {
            numbers.find(|code| !known.contains(code))
        }
    };
    let codes = ranges.iter().filter_map(free);
    codes.map(|code| format!("CH{code:04}")).collect()
}

#[cfg(test)]
mod tests {
    use super::new_codes;
    use crate::Repository;

    #[test]
    fn a_range_that_is_used_to_its_end() {
        let repository = Repository::from_texts([("specs/b.md", "CH0901 CH0999")]);
        assert_eq!(new_codes(&repository), ["CH0902"]);
    }

    #[test]
    fn the_code_after_the_highest_of_each_range() {
        let repository = Repository::from_texts([
            ("crates/choros/src/a.rs", "const A: &str = \"CH0903\";"),
            ("specs/b.md", "error[CH0907], CH0101, CHOICE"),
        ]);
        assert_eq!(new_codes(&repository), ["CH0102", "CH0908"]);
    }
}
