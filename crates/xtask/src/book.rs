//! The book, with a page per verb, per option and per diagnostic, which the command itself describes.
//!
//! These pages are made when the book is built and are not in the repository: so they say what the command says.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::RepositoryError;

/// Where the book is in the repository.
const BOOK: &str = "docs/book";

/// Writes the sources of the book into a folder, and replaces what was there: the chapters, and pages made by asking `choros`.
pub fn write_book(root: &Path, choros: &Path, target: &Path) -> Result<(), RepositoryError> {
    let in_target = |error: std::io::Error| in_folder(target, &error);
    if target.exists() {
        std::fs::remove_dir_all(target).map_err(in_target)?;
    }
    copy(&root.join(BOOK).join("src"), &target.join("src")).map_err(in_target)?;
    let settings = root.join(BOOK).join("book.toml");
    std::fs::copy(settings, target.join("book.toml")).map_err(in_target)?;
    let ask = |words: &[&str]| ask(choros, words);
    let pages = pages(&ask)?;
    let summary = target.join("src/SUMMARY.md");
    let mut contents = std::fs::read_to_string(&summary).map_err(in_target)?;
    contents.push_str("\n# Reference\n\n");
    for page in &pages {
        let indent = match page.part {
            Part::Heading => "",
            Part::Entry => "  ",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(contents, "{indent}- [{}]({})", page.title, page.path);
        let place = target.join("src").join(&page.path);
        let folder = place.parent().map_or_else(PathBuf::new, PathBuf::from);
        std::fs::create_dir_all(folder).map_err(in_target)?;
        std::fs::write(place, &page.text).map_err(in_target)?;
    }
    std::fs::write(summary, contents).map_err(in_target)
}

/// A page that is made.
struct Page {
    part: Part,
    title: String,
    path: String,
    text: String,
}

/// Where a page stands in the list of contents.
enum Part {
    Heading,
    Entry,
}

fn pages(
    ask: &impl Fn(&[&str]) -> Result<String, RepositoryError>,
) -> Result<Vec<Page>, RepositoryError> {
    let verbs = verbs(&ask(&["--help"])?);
    let mut pages = vec![heading(
        "Every verb",
        "verbs",
        "What each verb does, with its options and examples, as `choros help VERB` prints it.",
    )];
    let mut options: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for verb in &verbs {
        let help = ask(&["help", verb])?;
        for (option, meaning) in described_options(&help) {
            let meanings = options.entry(option).or_default();
            meanings.entry(meaning).or_default().insert(verb.clone());
        }
        pages.push(Page {
            part: Part::Entry,
            title: format!("`choros {verb}`"),
            path: format!("reference/verbs/{verb}.md"),
            text: format!("# `choros {verb}`\n\n~~~text\n{}\n~~~\n", help.trim_end()),
        });
    }
    pages.push(heading(
        "Every option",
        "options",
        "What each option means, and which verbs have it.",
    ));
    pages.extend(
        options
            .into_iter()
            .map(|(option, meanings)| option_page(&option, meanings)),
    );
    pages.push(heading(
        "Every diagnostic",
        "diagnostics",
        "What each finding means, as `choros explain CODE` prints it.",
    ));
    for line in ask(&["explain"])?.lines() {
        let Some((code, name)) = line.split_once("  ") else {
            continue;
        };
        pages.push(Page {
            part: Part::Entry,
            title: format!("{code}: {name}"),
            path: format!("reference/diagnostics/{code}.md"),
            text: format!("# {}", ask(&["explain", code])?),
        });
    }
    Ok(pages)
}

fn heading(title: &str, name: &str, text: &str) -> Page {
    Page {
        part: Part::Heading,
        title: title.to_owned(),
        path: format!("reference/{name}.md"),
        text: format!("# {title}\n\n{text}\n"),
    }
}

fn option_page(option: &str, meanings: BTreeMap<String, BTreeSet<String>>) -> Page {
    let mut text = format!("# `--{option}`\n");
    for (meaning, verbs) in meanings {
        let verbs: Vec<String> = verbs
            .iter()
            .map(|verb| format!("[`{verb}`](../verbs/{verb}.md)"))
            .collect();
        let _ = write!(
            text,
            "\nFor {}:\n\n~~~text\n{meaning}\n~~~\n",
            verbs.join(", ")
        );
    }
    Page {
        part: Part::Entry,
        title: format!("`--{option}`"),
        path: format!("reference/options/{option}.md"),
        text,
    }
}

/// The verbs that the help lists.
fn verbs(help: &str) -> Vec<String> {
    help.lines()
        .skip_while(|line| *line != "Questions:")
        .skip(1)
        .map_while(|line| line.strip_prefix("  "))
        .filter(|line| line.starts_with(|it: char| it.is_ascii_lowercase()))
        .filter_map(|line| line.split(' ').next())
        .filter(|verb| *verb != "help")
        .map(str::to_owned)
        .collect()
}

/// The options of a verb by their long names, each with its lines of the help.
fn described_options(help: &str) -> Vec<(String, String)> {
    let mut options: Vec<(String, String)> = Vec::new();
    let lines = help.lines().skip_while(|line| *line != "Options:").skip(1);
    for line in lines.take_while(|line| line.is_empty() || line.starts_with("  ")) {
        let words = line.trim_start();
        let begins = line.len() - words.len() <= 6 && words.starts_with('-');
        let name = words
            .split([' ', ',', '=', '['])
            .find_map(|word| word.strip_prefix("--"));
        match (begins, name, options.last_mut()) {
            (true, Some(name), _) => options.push((name.to_owned(), words.to_owned())),
            (_, _, Some((_, text))) => {
                text.push('\n');
                text.push_str(line.strip_prefix("      ").unwrap_or(words).trim_end());
            }
            _ => {}
        }
    }
    for (_, text) in &mut options {
        text.truncate(text.trim_end().len());
    }
    options
}

fn ask(choros: &Path, words: &[&str]) -> Result<String, RepositoryError> {
    let output = Command::new(choros).args(words).output().map_err(|error| {
        RepositoryError::new(format!("cannot run {}: {error}", choros.display()))
    })?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(RepositoryError::new(format!(
            "failed: choros {}",
            words.join(" ")
        )))
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else if target.extension().is_some_and(|it| it == "md") {
            let text = std::fs::read_to_string(entry.path())?;
            std::fs::write(target, with_absolute_inclusions(&text, from))?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// What a chapter includes from elsewhere is found from wherever the chapter is copied to.
fn with_absolute_inclusions(text: &str, folder: &Path) -> String {
    let inclusion = "{{#include ";
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    text.replace(
        &format!("{inclusion}../"),
        &format!("{inclusion}{}/../", folder.display()),
    )
}

fn in_folder(folder: &Path, error: &std::io::Error) -> RepositoryError {
    RepositoryError::new(format!(
        "cannot write the book to {}: {error}",
        folder.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_told_by_their_long_names() {
        let help = "\
Options:
      --as <KIND>
          Reads the model as this kind

          [possible values: chor, gc]

  -o, --output <FILE>
          Writes to a file

Examples:
  choros draw a.chor --as chor
";
        assert_eq!(
            described_options(help),
            [
                (
                    "as".to_owned(),
                    "--as <KIND>\n    Reads the model as this kind\n\n    [possible values: chor, gc]".to_owned()
                ),
                (
                    "output".to_owned(),
                    "-o, --output <FILE>\n    Writes to a file".to_owned()
                ),
            ]
        );
    }

    #[test]
    fn verbs_are_those_of_the_menu() {
        let help = "Questions:\n  check  Is it sound?\n         Mistakes\n  help   Print this\n\nOptions:\n  -h\n";
        assert_eq!(verbs(help), ["check"]);
    }
}
