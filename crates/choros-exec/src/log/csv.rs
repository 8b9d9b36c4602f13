//! Comma-separated values: the headings say which part of an observation a column is.

use super::problem::RecordFlaw;

/// The headings of a file, and the sign between its cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Headings {
    pub(super) names: Vec<String>,
    separator: char,
}

impl Headings {
    /// Reads the first line; the sign that occurs most separates cells.
    pub(super) fn read(line: &str) -> Result<Headings, RecordFlaw> {
        let line = line.trim_start_matches('\u{feff}');
        let mut separator = ',';
        for sign in [';', '\t'] {
            if line.matches(sign).count() > line.matches(separator).count() {
                separator = sign;
            }
        }
        let names = cells(line, separator)?;
        Ok(Headings { names, separator })
    }

    /// The path and the text of each cell of a record; empty cells are left out.
    pub(super) fn values(&self, record: &str) -> Result<Vec<(String, String)>, RecordFlaw> {
        let cells = cells(record, self.separator)?;
        if cells.len() != self.names.len() {
            return Err(RecordFlaw::Malformed {
                what: format!(
                    "it has {} cells where the headings are {}",
                    cells.len(),
                    self.names.len()
                ),
                offset: record.len(),
            });
        }
        let pairs = self.names.iter().cloned().zip(cells);
        Ok(pairs.filter(|(_, cell)| !cell.is_empty()).collect())
    }
}

/// A record that may continue over several lines: until all its quotes are closed.
#[derive(Debug, Default)]
pub(super) struct Pending {
    text: String,
    has_open_quote: bool,
}

impl Pending {
    /// Adds a line; whether the record is whole, or as long as one may be.
    pub(super) fn add(&mut self, line: &str, longest: usize) -> bool {
        self.text.push_str(line);
        // Each line is examined once, however many there are.
        let quotes = memchr::memchr_iter(b'"', line.as_bytes()).count();
        self.has_open_quote ^= quotes % 2 == 1;
        let is_whole = !self.has_open_quote || self.text.len() >= longest;
        if !is_whole {
            self.text.push('\n');
        }
        is_whole
    }

    pub(super) fn take(&mut self) -> String {
        std::mem::take(self).text
    }

    pub(super) fn clear(&mut self) {
        self.take();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

fn cells(record: &str, separator: char) -> Result<Vec<String>, RecordFlaw> {
    let mut cells = vec![String::new()];
    let mut characters = record.char_indices().peekable();
    let mut quoted = false;
    while let Some((offset, character)) = characters.next() {
        let Some(cell) = cells.last_mut() else { break };
        match (quoted, character) {
            (true, '"') => match characters.peek() {
                Some((_, '"')) => {
                    characters.next();
                    cell.push('"');
                }
                _ => quoted = false,
            },
            (true, _) => cell.push(character),
            (false, '"') if cell.is_empty() => quoted = true,
            (false, '"') => {
                return Err(RecordFlaw::Malformed {
                    what: "a quote within a cell that does not begin with one".to_owned(),
                    offset,
                });
            }
            (false, _) if character == separator => cells.push(String::new()),
            (false, _) => cell.push(character),
        }
    }
    if quoted {
        Err(RecordFlaw::Malformed {
            what: "a quote that is not closed".to_owned(),
            offset: record.len(),
        })
    } else {
        Ok(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::{Headings, Pending};

    #[test]
    fn cells_with_quotes() {
        let headings = Headings::read("op;data.note;at").unwrap();
        let values = headings.values("Request;\"a \"\"b\"\"; c\";").unwrap();
        assert_eq!(
            values,
            [
                ("op".to_owned(), "Request".to_owned()),
                ("data.note".to_owned(), "a \"b\"; c".to_owned()),
            ]
        );
        let mut pending = Pending::default();
        assert!(!pending.add("a,\"b", 100));
        assert!(!pending.add("\"\"c", 100));
        assert!(pending.add("d\"", 100));
        assert_eq!(pending.take(), "a,\"b\n\"\"c\nd\"");
        assert!(pending.add("a,\"b", 3) && !pending.is_empty());
        assert!(headings.values("a;b").is_err());
        assert!(headings.values("a;b\"c;d").is_err());
        assert!(headings.values("a;b;\"c").is_err());
    }
}
