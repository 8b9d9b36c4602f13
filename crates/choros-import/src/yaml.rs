//! YAML 1.2, from the events of its parser.
//!
//! An alias is the number of the value that it names, so a text of nested aliases does not grow.

use std::collections::BTreeMap;

use choros_base::{FileId, Span};
use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::document::{Builder, Document, NodeId, Unreadable, Value};

pub(crate) fn read(file: FileId, text: &str) -> Result<Document, Unreadable> {
    let places = Places::of(file, text);
    let mut builder = Builder::new();
    let mut anchors: BTreeMap<usize, NodeId> = BTreeMap::new();
    let mut documents = 0;
    for event in Parser::new_from_str(text.trim_start_matches('\u{feff}')) {
        let (event, span) = event.map_err(|error| Unreadable {
            span: places.point(error.marker().index()),
            reason: error.info().to_owned(),
        })?;
        let span = places.span(span.start.index(), span.end.index());
        let unreadable = |reason: &str| Unreadable {
            span,
            reason: reason.to_owned(),
        };
        match event {
            Event::DocumentStart(_) => {
                documents += 1;
                if documents > 1 {
                    return Err(unreadable("the file has a second document"));
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                if builder.wants_key() {
                    builder.key(text.into_owned());
                    continue;
                }
                let is_plain = style == ScalarStyle::Plain && tag.is_none();
                let value = if is_plain {
                    plain(&text)
                } else {
                    Value::Text(text.into_owned())
                };
                let id = builder.scalar(span, value)?;
                if anchor > 0 {
                    anchors.insert(anchor, id);
                }
            }
            Event::SequenceStart(..) | Event::MappingStart(..) if builder.wants_key() => {
                return Err(unreadable("a key is a list or a mapping"));
            }
            Event::SequenceStart(anchor, _) => builder.begin(span, false, anchor)?,
            Event::MappingStart(anchor, _) => builder.begin(span, true, anchor)?,
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some((id, anchor)) = builder.end()?
                    && anchor > 0
                {
                    anchors.insert(anchor, id);
                }
            }
            Event::Alias(_) if builder.wants_key() => {
                return Err(unreadable("a key is an alias"));
            }
            Event::Alias(anchor) => match anchors.get(&anchor) {
                Some(&id) => builder.place(id),
                None => return Err(unreadable("an alias names a value that contains it")),
            },
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
    }
    builder.finish(places.point(0))
}

/// What a word without quotes is in the core schema of YAML 1.2.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ if is_number(text) => Value::Number(text.trim_start_matches('+').to_owned()),
        _ => Value::Text(text.to_owned()),
    }
}

/// A decimal number with digits on both sides of its dot.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let digits = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && digits(fraction) && digits(exponent)
}

/// From the characters that the parser counts to bytes.
struct Places {
    file: FileId,
    length: usize,
    /// The byte at every so many characters; empty if all are ASCII.
    marks: Vec<usize>,
    text: String,
}

/// How many characters are between two marks.
const STRIDE: usize = 256;

impl Places {
    fn of(file: FileId, text: &str) -> Places {
        let marks = if text.is_ascii() {
            Vec::new()
        } else {
            let starts = text.trim_start_matches('\u{feff}').char_indices();
            starts.map(|(byte, _)| byte).step_by(STRIDE).collect()
        };
        Places {
            file,
            length: text.len(),
            marks,
            text: text.to_owned(),
        }
    }

    fn byte(&self, character: usize) -> usize {
        if self.marks.is_empty() {
            return character.min(self.length);
        }
        let skipped = self.length - self.text.trim_start_matches('\u{feff}').len();
        let mark = (character / STRIDE).min(self.marks.len() - 1);
        let start = skipped + self.marks[mark];
        let rest = &self.text[start..];
        let inner = rest.char_indices().nth(character - mark * STRIDE);
        start + inner.map_or(rest.len(), |(byte, _)| byte)
    }

    fn point(&self, character: usize) -> Span {
        self.span(character, character)
    }

    fn span(&self, start: usize, end: usize) -> Span {
        let start = self.byte(start);
        let end = self.byte(end).max(start);
        Span::new(self.file, start as u32, end as u32)
    }
}
