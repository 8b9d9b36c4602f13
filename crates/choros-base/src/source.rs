//! Texts, and places in them.

use std::sync::Arc;

/// All texts of a run, in the order in which they were read.
#[derive(Debug, Default, Clone)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

/// One text with its name (a path, or `<formula>` for text from the command line).
#[derive(Debug, Clone)]
pub struct SourceFile {
    name: String,
    text: Arc<str>,
    line_starts: Vec<u32>,
}

/// Index of a file in its [`SourceMap`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// A half-open range of bytes in one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    file: FileId,
    start: u32,
    end: u32,
}

/// A single byte position in one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub file: FileId,
    /// Byte offset from its start.
    pub offset: u32,
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under a name.
    ///
    /// Offsets are 32 bits wide: a text of 4 GiB or more is cut, which callers prevent by refusing such files.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let text: Arc<str> = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes()
                .enumerate()
                .take(u32::MAX as usize - 1)
                .filter(|&(_, byte)| byte == b'\n')
                .map(|(index, _)| index as u32 + 1),
        );
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile {
            name: name.into(),
            text,
            line_starts,
        });
        id
    }

    /// The file after an id of this map.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files with their ids.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files
            .iter()
            .enumerate()
            .map(|(index, file)| (FileId(index as u32), file))
    }

    /// The text a span covers; empty when the span does not fall on character boundaries.
    pub fn text_of(&self, span: Span) -> &str {
        self.file(span.file)
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// Line and column, both from 1, the column counted in characters.
    pub fn line_column(&self, position: Position) -> (u32, u32) {
        self.file(position.file).line_column(position.offset)
    }

    /// `file:line:column`, the form that editors and terminals turn into a link.
    pub fn locate(&self, span: Span) -> String {
        let (line, column) = self.line_column(span.start());
        format!("{}:{line}:{column}", self.file(span.file).name)
    }
}

impl SourceFile {
    /// The name under which the text was added.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Line and column, both from 1, the column counted in characters.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self
            .text
            .as_bytes()
            .get(start..end)
            .unwrap_or(&[])
            .iter()
            // UTF-8 continuation bytes do not start a character.
            .filter(|&&byte| byte & 0xC0 != 0x80)
            .count();
        (line as u32 + 1, column as u32 + 1)
    }
}

impl Span {
    /// The bytes `start..end` of a file.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Self {
            file,
            start,
            end: end.max(start),
        }
    }

    /// The file it lies in.
    pub fn file(self) -> FileId {
        self.file
    }

    /// Its first byte.
    pub fn start(self) -> Position {
        Position {
            file: self.file,
            offset: self.start,
        }
    }

    /// The byte offsets it covers.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The smallest span that covers both; `self` alone when they lie in different files.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The empty span just after this one.
    pub fn after(self) -> Span {
        Span {
            start: self.end,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_not_bytes() {
        let mut map = SourceMap::new();
        let file = map.add("a", "é x\r\ny");
        assert_eq!(map.file(file).line_column(3), (1, 3));
        assert_eq!(map.file(file).line_column(6), (2, 1));
    }

    #[test]
    fn offsets_past_the_end_are_on_the_last_line() {
        let mut map = SourceMap::new();
        let file = map.add("a", "x\ny");
        assert_eq!(map.file(file).line_column(999), (2, 2));
    }

    #[test]
    fn an_empty_text_has_one_line() {
        let mut map = SourceMap::new();
        let file = map.add("a", "");
        assert_eq!(map.file(file).line_column(0), (1, 1));
    }
}
