//! A Markdown document as a test suite: sections, the files they hold, the transcripts they show.
//!
//! Only what a suite needs is understood: headings that start with `#`, fenced blocks, and the mark of a document
//! that asserts nothing on purpose.
//! A fence opens with three or more backticks or tildes, and closes with at least as many of the same.

use std::path::{Component, Path};

use crate::recipe::{self, Recipe};
use crate::service::{self, Service};
use crate::transcript::Transcript;

/// A document, cut into sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document {
    /// The sections that hold a file or a transcript, in order.
    pub(crate) sections: Vec<Section>,
    /// Whether it says that it has no commands.
    pub(crate) without_commands: bool,
}

/// What stands under one heading, up to the next one of any level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    /// The text of the heading; empty before the first one.
    pub(crate) title: String,
    /// Its files and transcripts, in order.
    pub(crate) items: Vec<Item>,
}

/// A fenced block that means something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Item {
    /// To be written into the folder of the document.
    File {
        /// Its path there.
        name: String,
        /// What is in it.
        content: Content,
    },
    /// To be started, and stopped at the end of the section.
    Service {
        /// The variable with its address.
        name: String,
        /// What it does.
        service: Service,
    },
    /// Commands and what they print.
    Transcript(Transcript),
}

/// What is in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// What stands in the block.
    Text(String),
    /// What the block describes.
    Recipe(Recipe),
}

impl Content {
    /// The bytes of the file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        match self {
            Content::Text(text) => text.clone().into_bytes(),
            Content::Recipe(recipe) => recipe.bake(),
        }
    }
}

/// Something that makes a document no suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Malformed {
    /// The line, from 1.
    pub(crate) line: usize,
    /// What is wrong.
    pub(crate) message: String,
}

/// Marks a document that is meant to have no commands.
pub(crate) const WITHOUT_COMMANDS: &str = "<!-- no commands -->";

impl Document {
    /// Reads a document.
    pub(crate) fn read(text: &str) -> Result<Document, Malformed> {
        let lines: Vec<&str> = text.lines().collect();
        let mut document = Document {
            sections: vec![Section::new("")],
            without_commands: false,
        };
        let mut index = 0;
        while index < lines.len() {
            let line = lines[index];
            if let Some(fence) = Fence::opening(line) {
                let closing = lines[index + 1..]
                    .iter()
                    .position(|line| fence.is_closed_by(line))
                    .map(|offset| index + 1 + offset)
                    .ok_or_else(|| Malformed {
                        line: index + 1,
                        message: "this block is never closed".to_owned(),
                    })?;
                let item = read_block(&fence, index, &lines[index + 1..closing])?;
                if let (Some(item), Some(section)) = (item, document.sections.last_mut()) {
                    section.items.push(item);
                }
                index = closing;
            } else if let Some(title) = heading(line) {
                document.sections.push(Section::new(title));
            } else if line.trim() == WITHOUT_COMMANDS {
                document.without_commands = true;
            }
            index += 1;
        }
        document
            .sections
            .retain(|section| !section.items.is_empty());
        Ok(document)
    }
}

impl Section {
    fn new(title: &str) -> Section {
        Section {
            title: title.to_owned(),
            items: Vec::new(),
        }
    }

    pub(crate) fn transcripts(&self) -> impl Iterator<Item = &Transcript> {
        self.items.iter().filter_map(|item| match item {
            Item::Transcript(transcript) => Some(transcript),
            Item::File { .. } | Item::Service { .. } => None,
        })
    }
}

/// The line that opens a block.
struct Fence<'a> {
    sign: char,
    length: usize,
    info: &'a str,
}

impl<'a> Fence<'a> {
    fn opening(line: &'a str) -> Option<Fence<'a>> {
        let rest = without_indentation(line)?;
        let sign = rest
            .chars()
            .next()
            .filter(|&sign| sign == '`' || sign == '~')?;
        let length = fence_length(rest, sign);
        let info = rest[length..].trim();
        (length >= 3 && !info.contains(sign)).then_some(Fence { sign, length, info })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        without_indentation(line).is_some_and(|rest| {
            let length = fence_length(rest, self.sign);
            length >= self.length && rest[length..].trim().is_empty()
        })
    }
}

/// How many times `sign` stands at the beginning; signs are ASCII, so this is also a length in bytes.
pub(crate) fn fence_length(text: &str, sign: char) -> usize {
    text.chars()
        .take_while(|&character| character == sign)
        .count()
}

/// More than three spaces make an indented block, in which nothing is special.
fn without_indentation(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(' ');
    (line.len() - rest.len() <= 3).then_some(rest)
}

fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    ((1..=6).contains(&level) && rest.starts_with(' ')).then(|| rest.trim())
}

/// What a block means; `opening` is the index of its first line.
fn read_block(fence: &Fence, opening: usize, lines: &[&str]) -> Result<Option<Item>, Malformed> {
    let malformed = |message: String| Malformed {
        line: opening + 1,
        message,
    };
    let words: Vec<&str> = fence.info.split_whitespace().collect();
    match words[..] {
        ["console"] => Transcript::read(opening, lines).map(|it| Some(Item::Transcript(it))),
        ["console", ..] => Err(malformed("a transcript has no file name".to_owned())),
        [service::LANGUAGE, name] => {
            if !service::is_variable(name) {
                return Err(malformed(format!("`{name}` is not a name such as `BANK`")));
            }
            let service = Service::read(lines).map_err(|(offset, message)| Malformed {
                line: opening + 2 + offset,
                message,
            })?;
            Ok(Some(Item::Service {
                name: name.to_owned(),
                service,
            }))
        }
        [_, _, extra, ..] => Err(malformed(format!("`{extra}` after the name of a file"))),
        [language, name] => {
            let is_inside = Path::new(name)
                .components()
                .all(|component| matches!(component, Component::Normal(_)));
            if !is_inside {
                return Err(malformed(format!("`{name}` is outside the folder")));
            }
            let content = if language == recipe::LANGUAGE {
                let recipe = Recipe::read(lines).map_err(|(offset, message)| Malformed {
                    line: opening + 2 + offset,
                    message,
                })?;
                Content::Recipe(recipe)
            } else {
                Content::Text(lines.iter().flat_map(|line| [line, "\n"]).collect())
            };
            Ok(Some(Item::File {
                name: name.to_owned(),
                content,
            }))
        }
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Document {
        Document::read(text).expect("a document")
    }

    fn refused(text: &str) -> (usize, String) {
        let malformed = Document::read(text).expect_err("no document");
        (malformed.line, malformed.message)
    }

    #[test]
    fn sections_hold_what_stands_under_their_heading() {
        let document = read(
            "# Title\nprose\n## First `one`\n```schora a.schora\nx\n\n```\n### Second\n````console\n$ choros a\n```\n````\n",
        );
        assert_eq!(
            document
                .sections
                .iter()
                .map(|section| section.title.as_str())
                .collect::<Vec<_>>(),
            ["First `one`", "Second"]
        );
        assert_eq!(
            document.sections[0].items,
            [Item::File {
                name: "a.schora".to_owned(),
                content: Content::Text("x\n\n".to_owned())
            }]
        );
        let transcript = document.sections[1]
            .transcripts()
            .next()
            .expect("a transcript");
        assert_eq!(transcript.steps[0].expected, ["```"]);
    }

    #[test]
    fn blocks_without_a_file_name_are_only_shown() {
        let document = read("```text\n# no heading\n```\n~~~~\n```console\n$ nothing\n```\n~~~~\n");
        assert!(document.sections.is_empty());
    }

    #[test]
    fn a_block_of_a_file_may_be_a_recipe() {
        let document = read("```recipe a\n3 * \"(\"\n```\n");
        let [Item::File { name, content }] = &document.sections[0].items[..] else {
            panic!("no file");
        };
        assert_eq!((name.as_str(), content.bytes()), ("a", b"(((".to_vec()));
    }

    #[test]
    fn a_document_may_say_that_it_has_no_commands() {
        assert!(read("# A\n<!-- no commands -->\n").without_commands);
        assert!(!read("```text\n<!-- no commands -->\n```\n").without_commands);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        assert_eq!(
            refused("a\n```text\n"),
            (2, "this block is never closed".to_owned())
        );
        assert_eq!(
            refused("```schora ../a\n```\n"),
            (1, "`../a` is outside the folder".to_owned())
        );
        assert_eq!(refused("```schora /a\n```\n").0, 1);
        assert_eq!(
            refused("```console a\n$ choros\n```\n").1,
            "a transcript has no file name"
        );
        assert_eq!(
            refused("```schora a b\n```\n").1,
            "`b` after the name of a file"
        );
        assert_eq!(refused("\n```recipe a\n\n3 * x\n```\n").0, 4);
        assert_eq!(refused("\n```service A\non /a\n  shout\n```\n").0, 4);
        assert_eq!(refused("```service a\n```\n").0, 1);
    }
}
