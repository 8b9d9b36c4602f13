//! A text some parts of which are bold.

use crate::metrics::wrap;

/// Pieces of a text, each bold or not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Rich {
    pub(crate) pieces: Vec<(String, bool)>,
}

impl Rich {
    pub(crate) fn plain(text: &str) -> Rich {
        let mut rich = Rich::default();
        rich.push(text, false);
        rich
    }

    /// The text after a word.
    pub(crate) fn after(&self, word: &str) -> Rich {
        let mut whole = Rich::plain(word);
        whole.push(" ", false);
        for (piece, bold) in &self.pieces {
            whole.push(piece, *bold);
        }
        whole
    }

    pub(crate) fn push(&mut self, text: &str, bold: bool) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some((last, same)) if *same == bold => last.push_str(text),
            _ => self.pieces.push((text.to_owned(), bold)),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Without weights.
    pub(crate) fn text(&self) -> String {
        self.pieces.iter().map(|(text, _)| text.as_str()).collect()
    }

    /// In lines of about this many characters, broken at blanks; what is far too long ends with an ellipsis.
    pub(crate) fn wrapped(&self, columns: usize, most_lines: usize) -> Vec<Rich> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut words = self.words().into_iter();
        let lines = wrap(&self.text(), columns, most_lines);
        let rich_line = |line: String| {
            let mut rich = Rich::default();
            for (place, word) in line.split(' ').enumerate() {
                // What was cut off has lost its weight.
                let weights = words.next().unwrap_or_default();
                let weight = |place: usize| weights.get(place).copied().unwrap_or(false);
                if place > 0 {
                    let before = rich.pieces.last().is_some_and(|(_, bold)| *bold);
                    rich.push(" ", before && weight(0));
                }
                for (place, character) in word.chars().enumerate() {
                    rich.push(character.encode_utf8(&mut [0; 4]), weight(place));
                }
            }
            rich
        };
        lines.into_iter().map(rich_line).collect()
    }

    /// The weight of each character of each word.
    fn words(&self) -> Vec<Vec<bool>> {
        let mut words = Vec::new();
        let mut word = Vec::new();
        for (text, bold) in &self.pieces {
            for character in text.chars() {
                if !character.is_whitespace() {
                    word.push(*bold);
                } else if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
        }
        words.push(word);
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_weights() {
        let mut rich = Rich::plain("Charged(id = 1, ");
        rich.push("charged = 101", true);
        rich.push(")", false);
        let lines = rich.wrapped(16, 4);
        let texts: Vec<String> = lines.iter().map(Rich::text).collect();
        assert_eq!(texts, ["Charged(id = 1,", "charged = 101)"]);
        assert_eq!(lines[0].pieces, [("Charged(id = 1,".to_owned(), false)]);
        let second = [("charged = 101".to_owned(), true), (")".to_owned(), false)];
        assert_eq!(lines[1].pieces, second);
    }
}
