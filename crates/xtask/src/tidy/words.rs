//! Words that sound translated do not come back: see `docs/style.md`.
//!
//! Checked are Markdown outside of code, string literals of the product, and doc comments.

use super::Finding;
use crate::Repository;
use crate::rust_code::{line_of, product_literals, words};

/// What not to write, and what to write instead.
const LIST: [(&str, &str); 36] = [
    ("nobody", "name the role or service, or write `no one`"),
    ("somebody", "name the role or service, or write `someone`"),
    ("anybody", "write `anyone`"),
    ("everybody", "name the roles, or write `everyone`"),
    ("anew", "write `again`"),
    ("mend", "write `fix`"),
    ("mends", "write `fixes`"),
    ("mended", "write `fixed`"),
    ("mending", "write `fixing`"),
    ("rubbish", "write `garbage`"),
    ("manners", "write `ways` or `kinds`"),
    ("looked at", "write `explored`, `examined` or `checked`"),
    ("to and fro", "write `back and forth` or `exchanged`"),
    ("sought for", "say what is searched"),
    ("so many seconds", "write `this many seconds`"),
    ("so many times", "write `this many times`"),
    ("so many states", "write `this many states`"),
    ("in the place of", "write `in place of` or `instead of`"),
    ("stands behind", "write `comes after`"),
    ("goes on behind", "write `continues after`"),
    ("cannot stand here", "write `unexpected`"),
    ("for ever", "write `forever`"),
    (
        "in vain",
        "write `without effect`, or say what waits forever",
    ),
    ("were not told", "write `do not learn`"),
    ("is not told", "write `does not learn`"),
    ("are not told", "write `do not learn`"),
    ("is told by", "write `is recognised by`"),
    ("told apart", "write `distinguished`"),
    ("tell apart", "write `distinguish`"),
    ("tells apart", "write `distinguishes`"),
    (
        "where nothing is said",
        "write `by default` or `unless it is given`",
    ),
    (
        "if nothing is said",
        "write `by default` or `unless it is given`",
    ),
    (
        "nothing else is said",
        "write `by default` or `unless it is given`",
    ),
    ("its one form", "write `its standard layout` or `formatted`"),
    ("and its like", "write `and similar ones`"),
    ("and their like", "write `and similar ones`"),
];
/// Files that quote these words, or that are history.
const QUOTES: [&str; 4] = [
    "docs/before-and-after.md",
    "docs/style.md",
    "CHANGELOG.md",
    "crates/xtask/src/tidy/words.rs",
];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let quotes = |path: &str| QUOTES.contains(&path);
    let pages = repository
        .files()
        .iter()
        .filter(|file| file.path.ends_with(".md") && !quotes(&file.path))
        .flat_map(|file| found(&file.path, &prose(&file.text)));
    let sources = repository.sources().filter(|(_, file)| !quotes(&file.path));
    let code = sources.flat_map(|(_, file)| {
        let mut findings = found(&file.path, &product_literals(&file.text));
        findings.extend(found(&file.path, &doc_comments(&file.text)));
        findings
    });
    pages.chain(code).collect()
}

fn found(path: &str, text: &str) -> Vec<Finding> {
    let lower = text.to_lowercase();
    let listed = LIST.iter().flat_map(|(word, instead)| {
        words(&lower, word).map(move |offset| (offset, format!("`{word}`: {instead}")))
    });
    listed
        .map(|(offset, message)| Finding::new(path, line_of(&lower, offset), message))
        .collect()
}

/// A page with the code in it left out, line by line.
fn prose(text: &str) -> String {
    let mut in_fence = false;
    text.lines()
        .map(|line| {
            let is_border = line.trim_start().starts_with("```");
            in_fence ^= is_border;
            if is_border || in_fence {
                "\n".to_owned()
            } else {
                line.split('`').step_by(2).collect::<String>() + "\n"
            }
        })
        .collect()
}

/// The doc comments of a file, with the other lines empty.
fn doc_comments(text: &str) -> String {
    text.lines()
        .map(|line| {
            let line = line.trim_start();
            if line.starts_with("///") || line.starts_with("//!") {
                line.split('`').step_by(2).collect::<String>() + "\n"
            } else {
                "\n".to_owned()
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    #[test]
    fn pages_literals_and_doc_comments() {
        let page = "Fine.\nNobody knows.\n```\nnobody\n```\n`nobody` is a name, nobodyelse too.\n";
        let code = "/// Mended `anew`.\n// mended\nfn f() { say(\"it cannot stand here\") }\n";
        let found = findings(
            check,
            [
                ("docs/a.md", page),
                ("docs/style.md", page),
                ("crates/choros-check/src/a.rs", code),
            ],
        );
        assert_eq!(
            found,
            [
                "docs/a.md:2: `nobody`: name the role or service, or write `no one`",
                "crates/choros-check/src/a.rs:3: `cannot stand here`: write `unexpected`",
                "crates/choros-check/src/a.rs:1: `mended`: write `fixed`",
            ]
        );
    }
}
