//! The commands of all specs, with the files that their documents show.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A command of a document, and the files that are there.
#[derive(Clone)]
pub(crate) struct SpecCommand {
    pub(crate) document: PathBuf,
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) words: Vec<String>,
    /// The exit code that the document says.
    #[allow(dead_code, reason = "not every test asks for it")]
    pub(crate) exit: i32,
}

pub(crate) fn commands_of_specs() -> Vec<SpecCommand> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs");
    let mut documents = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).expect("the specs are there");
        for entry in entries.map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() {
                folders.push(entry)
            } else {
                documents.push(entry)
            }
        }
    }
    documents.sort();
    documents
        .iter()
        .flat_map(|document| commands_of(document))
        .collect()
}

fn commands_of(document: &Path) -> Vec<SpecCommand> {
    let text = std::fs::read_to_string(document).unwrap_or_default();
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut cases = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let block: Vec<&str> = lines
            .by_ref()
            .take_while(|line| !line.starts_with("```"))
            .collect();
        let mut info = info.split_whitespace();
        match (info.next(), info.next()) {
            (Some("console"), _) => {
                for (position, line) in block.iter().enumerate() {
                    let Some(words) = line.strip_prefix("$ choros ").and_then(split) else {
                        continue;
                    };
                    let said = block[position + 1..].iter();
                    let said = said.take_while(|line| !line.starts_with("$ "));
                    let exit = said.filter_map(|line| line.strip_prefix("? ")?.parse().ok());
                    cases.push(SpecCommand {
                        document: document.to_owned(),
                        files: files.clone(),
                        words,
                        exit: exit.last().unwrap_or(0),
                    });
                }
            }
            (Some(language), Some(name)) if language != "recipe" && language != "service" => {
                files.insert(name.to_owned(), block.join("\n") + "\n");
            }
            _ => {}
        }
    }
    cases
}

/// The words of a command; none if it has more of the shell in it than quotes.
fn split(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for it in command.chars() {
        match (it, quote) {
            (_, Some(mark)) if it == mark => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(it),
            ('\'' | '"', None) => {
                quote = Some(it);
                word.get_or_insert_default();
            }
            ('>' | '<' | '|' | '&' | ';' | '$' | '\\', None) => return None,
            (' ', None) => words.extend(word.take()),
            (_, None) => word.get_or_insert_default().push(it),
        }
    }
    words.extend(word);
    Some(words)
}
