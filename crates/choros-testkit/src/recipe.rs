//! Recipes: files that no Markdown block could show, such as a long line or bytes that are not text.
//!
//! Each line of a recipe is a literal `"…"` with the escapes `\n`, `\r`, `\t`, `\"`, `\\` and `\xHH`, or a repetition
//! `100000 * "("`.
//! The file is what the lines stand for, one after the other, with nothing between them.

/// The word that says that a block is a recipe.
pub(crate) const LANGUAGE: &str = "recipe";

/// A file before it is made: documents are read far more often than such files are needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Recipe {
    /// Bytes, and how many times they come.
    pieces: Vec<(Vec<u8>, usize)>,
}

impl Recipe {
    /// Reads a recipe; an error names the line, from 0.
    pub(crate) fn read(lines: &[&str]) -> Result<Recipe, (usize, String)> {
        let mut pieces = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let (times, literal) = match line.split_once('*') {
                Some((times, literal)) if !times.contains('"') => {
                    let times = times
                        .trim()
                        .parse::<usize>()
                        .map_err(|_| (index, format!("`{}` is not a number", times.trim())))?;
                    (times, literal)
                }
                _ => (1, *line),
            };
            let piece = unescape(literal.trim()).map_err(|message| (index, message))?;
            if piece.len().saturating_mul(times) > MAX_BYTES {
                return Err((index, format!("more than {MAX_BYTES} bytes")));
            }
            pieces.push((piece, times));
        }
        Ok(Recipe { pieces })
    }

    /// The bytes of the file.
    pub(crate) fn bake(&self) -> Vec<u8> {
        let pieces = self
            .pieces
            .iter()
            .map(|(piece, times)| piece.repeat(*times));
        pieces.collect::<Vec<_>>().concat()
    }
}

/// A slip of the keyboard must not fill the disk.
const MAX_BYTES: usize = 100_000_000;

fn unescape(literal: &str) -> Result<Vec<u8>, String> {
    let inner = literal
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .ok_or_else(|| format!("`{literal}` is not in quotes"))?;
    let mut bytes = Vec::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if character == '"' {
            return Err("a quote within the text needs a backslash".to_owned());
        }
        if character != '\\' {
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        match characters.next() {
            Some('n') => bytes.push(b'\n'),
            Some('r') => bytes.push(b'\r'),
            Some('t') => bytes.push(b'\t'),
            Some('"') => bytes.push(b'"'),
            Some('\\') => bytes.push(b'\\'),
            Some('x') => {
                let digits: String = characters.by_ref().take(2).collect();
                let byte = u8::from_str_radix(&digits, 16)
                    .map_err(|_| format!("`\\x{digits}` is not a byte"))?;
                bytes.push(byte);
            }
            other => return Err(format!("`\\{}` means nothing", other.unwrap_or(' '))),
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_put_one_after_the_other() {
        let bytes = Recipe::read(&["\"a*\\r\\n\"", "", "3 * \"[x]\"", "\"\\xff\\x00\\\"\\\\\""])
            .map(|recipe| recipe.bake());
        assert_eq!(bytes, Ok(b"a*\r\n[x][x][x]\xff\0\"\\".to_vec()));
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        for (line, message) in [
            ("x * \"a\"", "`x` is not a number"),
            ("3 * a", "`a` is not in quotes"),
            ("\"a", "`\"a` is not in quotes"),
            ("\"a\"b\"", "a quote within the text needs a backslash"),
            ("\"\\q\"", "`\\q` means nothing"),
            ("\"\\xg0\"", "`\\xg0` is not a byte"),
            ("99999999999 * \"ab\"", "more than 100000000 bytes"),
        ] {
            assert_eq!(Recipe::read(&["\"\"", line]), Err((1, message.to_owned())));
        }
    }
}
