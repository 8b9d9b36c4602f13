//! A doc comment that only repeats the name it stands above costs a line and says nothing: leave it out, or say why.
//!
//! In the command line doc comments are the help that users read, so they are left alone there.

use super::Finding;
use crate::Repository;

/// Words that add nothing to a name.
const SMALL: [&str; 42] = [
    "a", "all", "an", "and", "any", "are", "as", "at", "be", "by", "every", "for", "from", "has",
    "have", "how", "if", "in", "into", "is", "it", "its", "of", "on", "one", "or", "self", "some",
    "that", "the", "their", "there", "they", "this", "to", "was", "were", "what", "which", "whose",
    "with", "who",
];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let sources = repository
        .sources()
        .filter(|(_, file)| !file.path.starts_with("crates/choros-cli/"));
    sources
        .flat_map(|(_, file)| {
            let lines: Vec<&str> = file.text.lines().map(str::trim_start).collect();
            repeated(&lines)
                .into_iter()
                .map(|(line, name)| {
                    let message = format!("the comment only repeats the name `{name}`");
                    Finding::new(&file.path, line, message)
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

/// The comments of one line that say no more than the name below, with their lines from 1.
fn repeated<'t>(lines: &[&'t str]) -> Vec<(usize, &'t str)> {
    let is_comment = |line: Option<&&str>| line.is_some_and(|it| it.starts_with("///"));
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(comment) = line.strip_prefix("/// ") else {
            continue;
        };
        let before = index.checked_sub(1).and_then(|it| lines.get(it));
        if is_comment(before) || is_comment(lines.get(index + 1)) {
            continue;
        }
        let below = lines[index + 1..]
            .iter()
            .find(|it| !it.starts_with("#["))
            .and_then(|it| name(it));
        if let Some(name) = below
            && says_no_more(comment, name)
        {
            found.push((index + 1, name));
        }
    }
    found
}

/// The name that a line declares.
fn name(line: &str) -> Option<&str> {
    const BEFORE: [&str; 14] = [
        "pub", "crate", "super", "in", "fn", "struct", "enum", "trait", "type", "const", "static",
        "mod", "unsafe", "mut",
    ];
    line.split(|it: char| !it.is_alphanumeric() && it != '_')
        .find(|word| !word.is_empty() && !BEFORE.contains(word))
}

fn says_no_more(comment: &str, name: &str) -> bool {
    let is_prose = |it: char| it.is_ascii_alphabetic() || " .,'".contains(it);
    let parts = parts(name);
    let mut said = comment
        .split(|it: char| !it.is_ascii_alphabetic())
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty() && !SMALL.contains(&word.as_str()))
        .peekable();
    comment.chars().all(is_prose)
        && said.peek().is_some()
        && said.all(|word| parts.iter().any(|part| are_alike(part, &word)))
}

/// The words of a name, in lower case.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let is_constant = !name.contains(|it: char| it.is_ascii_lowercase());
    for letter in name.chars() {
        if letter == '_' || (letter.is_ascii_uppercase() && !is_constant) {
            parts.push(String::new());
        }
        if letter != '_'
            && let Some(last) = parts.last_mut()
        {
            last.push(letter.to_ascii_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Whether two words differ in their endings only: `state` and `states`, `check` and `checked`.
fn are_alike(one: &str, other: &str) -> bool {
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b);
    let same = same.count();
    one == other || (same >= 3 && same + 3 >= one.len().max(other.len()))
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    #[test]
    fn what_says_more_than_the_name_stays() {
        let code = "/// The code.\npub static CODE: CodeInfo = 1;\n/// Its states.\n#[must_use]\npub fn states(&self) {}\n\
                    /// The line, from 1.\npub line: usize,\n/// As `--format` names it.\npub format: String,\n\
                    /// The edge.\n/// It is the last.\npub edge: Edge,\n/// Takes a state away.\nfn state() {}\n\
                    /// Adds a state.\nfn add_state() {}\n";
        let found = findings(
            check,
            [
                ("crates/choros-check/src/a.rs", code),
                ("crates/choros-cli/src/a.rs", code),
            ],
        );
        assert_eq!(
            found,
            [
                "crates/choros-check/src/a.rs:1: the comment only repeats the name `CODE`",
                "crates/choros-check/src/a.rs:3: the comment only repeats the name `states`",
                "crates/choros-check/src/a.rs:15: the comment only repeats the name `add_state`",
            ]
        );
    }
}
