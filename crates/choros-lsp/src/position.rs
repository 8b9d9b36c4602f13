//! From bytes to the lines and columns of the protocol, and back.

use serde_json::{Value, json};

/// What a column counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, which every editor knows.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// What a client can count by that we like best; UTF-16 where it says nothing.
    pub(crate) fn negotiated(offered: &Value) -> Encoding {
        let offered = offered.as_array().map_or(&[][..], Vec::as_slice);
        let has = |name: &str| offered.iter().any(|it| it == name);
        match () {
            () if has("utf-8") => Encoding::Utf8,
            () if has("utf-32") && !has("utf-16") => Encoding::Utf32,
            () => Encoding::Utf16,
        }
    }

    /// Its name in the protocol.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
            Encoding::Utf32 => "utf-32",
        }
    }

    /// How many units a text has.
    pub(crate) fn length(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
            Encoding::Utf32 => text.chars().count(),
        }
    }

    /// How many units a character has.
    fn width(self, character: char) -> usize {
        match self {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }
}

/// Where the lines of a text begin.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// The lines of a text, which end with `\n`, `\r\n` or `\r`.
    pub(crate) fn of(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, &byte) in bytes.iter().enumerate() {
            let ends = byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
            if ends {
                starts.push(at + 1);
            }
        }
        Lines { starts }
    }

    /// The line of a byte.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// Line and column of a byte; one within a character counts as its start.
    pub(crate) fn position(&self, text: &str, offset: usize, encoding: Encoding) -> (usize, usize) {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line(offset);
        (line, encoding.length(&text[self.starts[line]..offset]))
    }

    /// The byte of a line and a column; what lies beyond a line is its end, beyond the text the end of that.
    pub(crate) fn offset(
        &self,
        text: &str,
        line: usize,
        column: usize,
        encoding: Encoding,
    ) -> usize {
        let Some(&start) = self.starts.get(line) else {
            return text.len();
        };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let mut left = column;
        let mut at = start;
        for character in text[start..end].chars() {
            let width = encoding.width(character);
            if left < width || character == '\n' || character == '\r' {
                break;
            }
            left -= width;
            at += character.len_utf8();
        }
        at
    }

    /// A position as the protocol writes it.
    pub(crate) fn to_json(&self, text: &str, offset: usize, encoding: Encoding) -> Value {
        let (line, character) = self.position(text, offset, encoding);
        json!({"line": line, "character": character})
    }

    /// A range as the protocol writes it.
    pub(crate) fn range(
        &self,
        text: &str,
        range: std::ops::Range<usize>,
        encoding: Encoding,
    ) -> Value {
        json!({
            "start": self.to_json(text, range.start, encoding),
            "end": self.to_json(text, range.end, encoding),
        })
    }

    /// The byte of a position that a client wrote; `None` where it wrote something else.
    pub(crate) fn read(&self, text: &str, position: &Value, encoding: Encoding) -> Option<usize> {
        let number = |key: &str| usize::try_from(position.get(key)?.as_u64()?).ok();
        let (line, column) = (number("line")?, number("character")?);
        Some(self.offset(text, line, column, encoding))
    }

    /// The bytes of a range that a client wrote; one that ends before it starts is empty.
    pub(crate) fn read_range(
        &self,
        text: &str,
        range: &Value,
        encoding: Encoding,
    ) -> Option<std::ops::Range<usize>> {
        let start = self.read(text, range.get("start")?, encoding)?;
        let end = self.read(text, range.get("end")?, encoding)?;
        Some(start..end.max(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "aé😀b\r\nc\rd\n";

    #[test]
    fn columns_count_what_was_agreed() {
        let lines = Lines::of(TEXT);
        let b = TEXT.find('b').expect("it is there");
        for (encoding, column) in [
            (Encoding::Utf8, 7),
            (Encoding::Utf16, 4),
            (Encoding::Utf32, 3),
        ] {
            assert_eq!(lines.position(TEXT, b, encoding), (0, column));
            assert_eq!(lines.offset(TEXT, 0, column, encoding), b);
        }
    }

    #[test]
    fn every_byte_that_begins_a_character_comes_back() {
        let lines = Lines::of(TEXT);
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for (offset, character) in TEXT.char_indices() {
                if character == '\n' && TEXT[..offset].ends_with('\r') {
                    continue;
                }
                let (line, column) = lines.position(TEXT, offset, encoding);
                assert_eq!(lines.offset(TEXT, line, column, encoding), offset);
            }
        }
    }

    #[test]
    fn what_lies_beyond_is_the_end() {
        let lines = Lines::of(TEXT);
        assert_eq!(lines.offset(TEXT, 0, 99, Encoding::Utf16), 8);
        assert_eq!(lines.offset(TEXT, 99, 0, Encoding::Utf16), TEXT.len());
        // In the middle of a pair of surrogates.
        assert_eq!(lines.offset(TEXT, 0, 3, Encoding::Utf16), 3);
        assert_eq!(lines.position(TEXT, 999, Encoding::Utf16), (3, 0));
    }

    #[test]
    fn utf_8_is_liked_best() {
        use serde_json::json;
        let agreed = |offered| Encoding::negotiated(&offered).name();
        assert_eq!(agreed(json!(["utf-16", "utf-8"])), "utf-8");
        assert_eq!(agreed(json!(["utf-32", "utf-16"])), "utf-16");
        assert_eq!(agreed(json!(["utf-32"])), "utf-32");
        assert_eq!(agreed(json!(null)), "utf-16");
        assert_eq!(agreed(json!("utf-8")), "utf-16");
    }
}
