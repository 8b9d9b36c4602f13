//! TextMate grammars from the lexicons of the languages.
//!
//! Editors colour a text by them until the language server answers, and in places that have no server, such as a page.
//! The lexicons are read as text, so that this crate stays quick to build: a table that is not written as a literal is
//! an error here.

use crate::{File, Repository, RepositoryError};

/// A language: its extension, the static that is its lexicon, and the files that hold that and what it names.
const LANGUAGES: [(&str, &str, &[&str]); 13] = [
    (
        "chor",
        "LEXICON",
        &["crates/choros-lang/src/chor/symbols.rs", EXPRESSIONS],
    ),
    (
        "schora",
        "LEXICON",
        &["crates/choros-lang/src/symbols.rs", EXPRESSIONS],
    ),
    (
        "pact",
        "PACT_LEXICON",
        &["crates/choros-lang/src/symbols.rs", EXPRESSIONS],
    ),
    (
        "gc",
        "LEXICON",
        &[
            "crates/choros-lang/src/gchor/symbols.rs",
            "crates/choros-lang/src/gchor/token.rs",
        ],
    ),
    (
        "fsa",
        "LEXICON",
        &["crates/choros-model/src/cfsm/fsa/symbols.rs"],
    ),
    (
        "cows",
        "LEXICON",
        &[
            "crates/choros-cows/src/syntax/symbols.rs",
            "crates/choros-cows/src/syntax/token.rs",
            "crates/choros-cows/src/syntax/read.rs",
        ],
    ),
    ("socl", "LEXICON", QUESTIONS),
    ("abs", "RULES_LEXICON", QUESTIONS),
    (
        "prop",
        "LEXICON",
        &["crates/choros-query/src/property/symbols.rs", EXPRESSIONS],
    ),
    (
        "stg",
        "LEXICON",
        &["crates/choros-model/src/stg/text/symbols.rs", EXPRESSIONS],
    ),
    ("tp", "LEXICON", PURPOSES),
    ("contract", "LEXICON", PURPOSES),
    (
        "solve",
        "LEXICON",
        &["crates/choros-solve/src/lexicon.rs", EXPRESSIONS],
    ),
];

const QUESTIONS: &[&str] = &[
    "crates/choros-query/src/questions/symbols.rs",
    "crates/choros-query/src/socl/token.rs",
];

const PURPOSES: &[&str] = &["crates/choros-query/src/purpose/symbols.rs", EXPRESSIONS];

/// What the languages with expressions have in common.
const EXPRESSIONS: &str = "crates/choros-data/src/syntax/lexicon.rs";

/// Where the grammar of a language is.
fn path(extension: &str) -> String {
    format!("editors/grammars/{extension}.tmLanguage.json")
}

/// The grammars that the lexicons make, by path.
pub fn grammars(repository: &Repository) -> Result<Vec<(String, String)>, RepositoryError> {
    let mut made = Vec::new();
    for (extension, name, paths) in LANGUAGES {
        let files = paths.iter().map(|path| {
            let file = repository.file(path);
            file.ok_or_else(|| RepositoryError::new(format!("there is no `{path}`")))
        });
        let files = files.collect::<Result<Vec<&File>, RepositoryError>>()?;
        let lexicon = Lexicon::read(name, &files)
            .ok_or_else(|| RepositoryError::new(format!("no table `{name}` in `{}`", paths[0])))?;
        made.push((path(extension), lexicon.grammar(extension)));
    }
    Ok(made)
}

/// What a grammar needs of a lexicon.
#[derive(Debug, Default)]
struct Lexicon {
    lines: Vec<String>,
    blocks: Vec<String>,
    keywords: Vec<String>,
    values: Vec<String>,
    sorts: Vec<String>,
    sigils: Vec<String>,
}

impl Lexicon {
    fn read(name: &str, files: &[&File]) -> Option<Lexicon> {
        let start = format!("static {name}: Lexicon = Lexicon {{");
        let text = &files.first()?.text;
        let text = &text[text.find(&start)? + start.len()..];
        let text = &text[..text.find("\n};")?];
        // What is left out is as in the table that all languages with expressions have in common, or empty.
        let common = if text.contains("..EXPRESSIONS") {
            let start = "const EXPRESSIONS: Lexicon = Lexicon {";
            let common = files.iter().find_map(|file| file.text.split_once(start));
            common?.1.split_once("\n};")?.0
        } else {
            ""
        };
        let list = |key: &str| -> Option<Vec<String>> {
            let key = format!("{key}: ");
            let own = text.split_once(&key).or_else(|| common.split_once(&key));
            own.map_or(Some(Vec::new()), |(_, rest)| strings(rest, files))
        };
        let comments = match text.find("comments: COMMENTS") {
            Some(_) => {
                let file = files.iter().find_map(|file| {
                    let at = file.text.find("const COMMENTS: Comments = Comments {")?;
                    Some(&file.text[at..])
                })?;
                &file[..file.find("};")?]
            }
            None if text.contains("comments: ") => text,
            None => common,
        };
        let of_comments = |key: &str| {
            let at = comments.find(&format!("{key}: "))?;
            strings(&comments[at + key.len() + 2..], files)
        };
        Some(Lexicon {
            lines: of_comments("lines")?,
            blocks: of_comments("blocks")?,
            keywords: [list("keywords")?, list("operators")?].concat(),
            values: list("values")?,
            sorts: list("sorts")?,
            sigils: list("sigils")?,
        })
    }

    fn grammar(&self, extension: &str) -> String {
        let scope = |kind: &str| format!("{kind}.{extension}");
        let mut patterns = Vec::new();
        for line in &self.lines {
            patterns.push(matching(
                &scope("comment.line"),
                &format!("{}.*$", escaped(line)),
            ));
        }
        for pair in self.blocks.chunks(2) {
            if let [open, close] = pair {
                patterns.push(format!(
                    "{{ \"name\": {}, \"begin\": {}, \"end\": {} }}",
                    quoted(&scope("comment.block")),
                    quoted(&escaped(open)),
                    quoted(&escaped(close)),
                ));
            }
        }
        patterns.push(format!(
            "{{ \"name\": {}, \"begin\": \"\\\"\", \"end\": \"\\\"|$\", \"patterns\": [{}] }}",
            quoted(&scope("string.quoted.double")),
            matching(&scope("constant.character.escape"), "\\\\."),
        ));
        for (words, kind) in [
            (&self.keywords, "keyword.control"),
            (&self.values, "constant.language"),
            (&self.sorts, "support.type"),
        ] {
            if !words.is_empty() {
                let words: Vec<String> = words.iter().map(|it| escaped(it)).collect();
                let pattern = format!("\\b({})\\b", words.join("|"));
                patterns.push(matching(&scope(kind), &pattern));
            }
        }
        for sigil in &self.sigils {
            let pattern = format!("{}\\w+", escaped(sigil));
            patterns.push(matching(&scope("variable.other"), &pattern));
        }
        patterns.push(matching(
            &scope("constant.numeric"),
            "\\b[0-9]+(\\.[0-9]+)?\\b",
        ));
        format!(
            "{{\n  \"comment\": \"Written by cargo xtask grammars: do not edit.\",\n  \"name\": \"Choros {extension}\",\n  \"scopeName\": \"source.{extension}\",\n  \"fileTypes\": [\"{extension}\"],\n  \"patterns\": [\n    {}\n  ]\n}}\n",
            patterns.join(",\n    ")
        )
    }
}

/// The strings and characters of a list, or of the constant that is named instead of one.
fn strings(text: &str, files: &[&File]) -> Option<Vec<String>> {
    let text = text.trim_start_matches('&');
    if !text.starts_with('[') {
        let end = text.find(|it: char| !(it.is_ascii_uppercase() || it == '_'))?;
        let start = format!("const {}: ", &text[..end]);
        let definition = files.iter().find_map(|file| {
            let at = file.text.find(&start)?;
            let rest = &file.text[at..];
            Some(&rest[rest.find("= [")? + 2..])
        })?;
        return strings(definition, files);
    }
    // No string of a lexicon holds a bracket but the comments of `.gc`.
    let mut found = Vec::new();
    let mut rest = &text[1..];
    loop {
        let next = rest.find(['"', '\'', ']'])?;
        let sign = rest[next..].chars().next()?;
        rest = &rest[next + 1..];
        if sign == ']' {
            return Some(found);
        }
        let end = rest.find(sign)?;
        found.push(rest[..end].to_owned());
        rest = &rest[end + 1..];
    }
}

fn matching(name: &str, pattern: &str) -> String {
    format!(
        "{{ \"name\": {}, \"match\": {} }}",
        quoted(name),
        quoted(pattern)
    )
}

/// A text as a regular expression that fits just it.
fn escaped(text: &str) -> String {
    let special = |it: char| "\\^$.|?*+()[]{}-/".contains(it);
    let mut out = String::new();
    for character in text.chars() {
        if special(character) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lexicon_is_read_with_what_it_names() {
        let table = "pub static LEXICON: Lexicon = Lexicon {\n    comments: COMMENTS,\n    keywords: &KEYWORDS,\n    sigils: &['$'],\n    ..Lexicon::EMPTY\n};\n";
        let others = "const COMMENTS: Comments = Comments {\n    lines: &[\"..\"],\n    blocks: &[(\"[[\", \"]]\")],\n};\npub(super) const KEYWORDS: [&str; 2] = [\"let\", \"in\"];\n";
        let file = |text: &str| File {
            path: String::new(),
            text: text.to_owned(),
        };
        let (table, others) = (file(table), file(others));
        let lexicon = Lexicon::read("LEXICON", &[&table, &others]).expect("it is there");
        assert_eq!(lexicon.keywords, ["let", "in"]);
        assert_eq!(lexicon.blocks, ["[[", "]]"]);
        assert_eq!(lexicon.sigils, ["$"]);
        let grammar = lexicon.grammar("x");
        assert!(
            grammar.contains(r#""begin": "\\[\\[", "end": "\\]\\]""#),
            "{grammar}"
        );
        assert!(
            grammar.contains(r#""match": "\\b(let|in)\\b""#),
            "{grammar}"
        );
        assert!(Lexicon::read("OTHER", &[&table]).is_none());
    }
}
