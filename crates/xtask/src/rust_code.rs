//! Rust text reduced to what the compiler would see, at the same byte offsets.

use std::ops::Range;

/// The text with comments, the insides of literals and `#[cfg(test)]` items blanked out.
///
/// Every blanked byte becomes a space and line ends stay, so an offset or a line in the result
/// is the same place in the original.
pub(crate) fn product_code(text: &str) -> String {
    let mut code = without_comments(text, Literals::Blanked);
    for item in test_items(&code) {
        blank(&mut code, item.start, item.end);
    }
    // Only whole characters were replaced by spaces, byte for byte.
    String::from_utf8_lossy(&code).into_owned()
}

/// The literals of product code alone, at their offsets.
pub(crate) fn product_literals(text: &str) -> String {
    let code = without_comments(text, Literals::Blanked);
    let mut literals = without_comments(text, Literals::Kept);
    for (byte, is_code) in literals.iter_mut().zip(&code) {
        if *is_code != b' ' && *byte == *is_code && *byte != b'\n' && *byte != b'"' {
            *byte = b' ';
        }
    }
    for item in test_items(&code) {
        blank(&mut literals, item.start, item.end);
    }
    String::from_utf8_lossy(&literals).into_owned()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Literals {
    Kept,
    Blanked,
}

/// Offsets at which `word` stands as a word of its own.
pub(crate) fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(word)
        .filter(move |(start, _)| {
            let before = text[..*start].chars().next_back();
            let after = text[start + word.len()..].chars().next();
            !before.is_some_and(is_word_character) && !after.is_some_and(is_word_character)
        })
        .map(|(start, _)| start)
}

/// The line number, from 1, of an offset.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count()
        + 1
}

/// A path that code mentions.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UsedPath {
    /// Its words: `crate`, `model`, `Stg`.
    pub(crate) path: Vec<String>,
    /// The name that a `use` gives it.
    pub(crate) imports: Option<String>,
    /// Where it begins.
    pub(crate) offset: usize,
}

/// The paths of `use` declarations, and those elsewhere that begin with `crate`, `super` or `self`.
pub(crate) fn use_paths(code: &str) -> Vec<UsedPath> {
    let mut paths = Vec::new();
    let mut declarations = Vec::new();
    for offset in words(code, "use") {
        let start = offset + "use".len();
        let Some(length) = code[start..].find(';') else {
            continue;
        };
        let text = &code[start..start + length];
        let mut tree = UseTree {
            text,
            at: 0,
            offset,
        };
        tree.read(&[], &mut paths);
        declarations.push(offset..start + length);
    }
    for first in ["crate", "super", "self"] {
        for offset in words(code, first) {
            let is_declared = declarations.iter().any(|it| it.contains(&offset));
            let path = plain_path(&code[offset..]);
            if !is_declared && path.len() > 1 && !code[..offset].ends_with("::") {
                paths.push(UsedPath {
                    path,
                    imports: None,
                    offset,
                });
            }
        }
    }
    paths
}

/// Words with `::` between them.
fn plain_path(text: &str) -> Vec<String> {
    let mut path = Vec::new();
    let mut rest = text;
    loop {
        let end = rest.find(|it| !is_word_character(it)).unwrap_or(rest.len());
        if end == 0 {
            return path;
        }
        path.push(rest[..end].to_owned());
        match rest[end..].strip_prefix("::") {
            Some(after) => rest = after,
            None => return path,
        }
    }
}

/// What stands between `use` and `;`.
struct UseTree<'t> {
    text: &'t str,
    at: usize,
    offset: usize,
}

impl UseTree<'_> {
    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, what: &str) -> bool {
        self.skip_space();
        let is_there = self.text[self.at..].starts_with(what);
        if is_there {
            self.at += what.len();
        }
        is_there
    }

    fn word(&mut self) -> String {
        self.skip_space();
        let rest = &self.text[self.at..];
        let end = rest.find(|it| !is_word_character(it)).unwrap_or(rest.len());
        self.at += end;
        rest[..end].to_owned()
    }

    fn read(&mut self, prefix: &[String], paths: &mut Vec<UsedPath>) {
        let mut path = prefix.to_vec();
        self.take("::");
        loop {
            if self.take("{") {
                while !self.take("}") && self.at < self.text.len() {
                    self.read(&path, paths);
                    self.take(",");
                }
                return;
            }
            let is_glob = self.take("*");
            let word = self.word();
            if word.is_empty() && !is_glob {
                // No Rust; continue instead of looping.
                self.at += self.text[self.at..]
                    .chars()
                    .next()
                    .map_or(0, char::len_utf8);
                return;
            }
            let is_self = word == "self" && !path.is_empty();
            if !is_glob && !is_self {
                path.push(word);
            }
            if self.take("::") {
                continue;
            }
            let mut imports = path.last().filter(|_| !is_glob).cloned();
            if self.take("as ") {
                imports = Some(self.word());
            }
            paths.push(UsedPath {
                path,
                imports,
                offset: self.offset,
            });
            return;
        }
    }
}

fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn without_comments(text: &str, literals: Literals) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let is_comment = bytes[at] == b'/';
        let end = match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => line_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => block_comment_end(bytes, at),
            b'"' => {
                // The quotes stay, so that one still sees that there was a literal.
                let end = string_end(bytes, at);
                if literals == Literals::Blanked {
                    blank(&mut code, at + 1, end.saturating_sub(1));
                }
                at = end;
                continue;
            }
            b'r' => match raw_string_end(bytes, at) {
                Some(end) => end,
                None => {
                    at += 1;
                    continue;
                }
            },
            b'\'' => match character_end(bytes, at) {
                Some(end) => end,
                // A lifetime.
                None => {
                    at += 1;
                    continue;
                }
            },
            _ => {
                at += 1;
                continue;
            }
        };
        if is_comment || literals == Literals::Blanked {
            blank(&mut code, at, end);
        }
        at = end;
    }
    code
}

fn blank(code: &mut [u8], start: usize, end: usize) {
    let end = end.min(code.len());
    if start >= end {
        return;
    }
    for byte in &mut code[start..end] {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    find(bytes, from, b"\n").unwrap_or(bytes.len())
}

/// Block comments nest.
fn block_comment_end(bytes: &[u8], from: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = from;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    at
}

fn string_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    // As if a quote followed the text: the caller leaves the last byte alone.
    bytes.len() + 1
}

/// The end of `r"…"`, `r#"…"#` and so on; `None` when this `r` begins no raw string.
fn raw_string_end(bytes: &[u8], from: usize) -> Option<usize> {
    let previous = from.checked_sub(1).map(|before| bytes[before]);
    // `br"…"` and `cr"…"` begin with another letter; any other word ending in r is a name.
    if let Some(previous) = previous
        && (previous.is_ascii_alphanumeric() || previous == b'_')
        && !matches!(previous, b'b' | b'c')
    {
        return None;
    }
    let hashes = bytes[from + 1..]
        .iter()
        .take_while(|byte| **byte == b'#')
        .count();
    let quote = from + 1 + hashes;
    if bytes.get(quote) != Some(&b'"') {
        return None;
    }
    let mut closing = vec![b'"'];
    closing.extend(std::iter::repeat_n(b'#', hashes));
    let end = find(bytes, quote + 1, &closing).map_or(bytes.len(), |start| start + closing.len());
    Some(end)
}

/// The end of a character literal; `None` when the quote begins a lifetime.
fn character_end(bytes: &[u8], from: usize) -> Option<usize> {
    if bytes.get(from + 1) == Some(&b'\\') {
        // `'\''` and `'\\'`: the escaped byte may itself be the quote.
        return find(bytes, from + 3, b"'").map(|quote| quote + 1);
    }
    // One character, of up to four bytes, then the quote.
    let length = bytes[from + 1..]
        .iter()
        .take(5)
        .position(|byte| *byte == b'\'')?;
    let inside = std::str::from_utf8(&bytes[from + 1..from + 1 + length]).ok()?;
    (inside.chars().count() == 1).then_some(from + length + 2)
}

fn find(bytes: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    bytes
        .get(from..)?
        .windows(wanted.len())
        .position(|window| window == wanted)
        .map(|offset| from + offset)
}

/// The items after each `#[cfg(test)]`: up to the matching brace, or to the semicolon.
fn test_items(code: &[u8]) -> Vec<Range<usize>> {
    const MARK: &[u8] = b"#[cfg(test)]";
    let mut items = Vec::new();
    let mut at = 0;
    while let Some(start) = find(code, at, MARK) {
        at = item_end(code, start + MARK.len());
        items.push(start..at);
    }
    items
}

fn item_end(code: &[u8], from: usize) -> usize {
    let mut depth = 0_usize;
    for (offset, byte) in code[from..].iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return from + offset + 1;
                }
            }
            b';' if depth == 0 => return from + offset + 1,
            _ => {}
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squeezed(text: &str) -> String {
        let code = product_code(text);
        assert_eq!(code.len(), text.len(), "offsets must stay");
        code.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_go() {
        assert_eq!(squeezed("a // unsafe\nb"), "a b");
        assert_eq!(squeezed("a /* x /* unsafe */ y */ b"), "a b");
        assert_eq!(squeezed("a /* never closed"), "a");
    }

    #[test]
    fn literals_go() {
        assert_eq!(squeezed(r#"a("un\"safe") + b"#), r#"a(" ") + b"#);
        assert_eq!(squeezed(r##"a(r#"un"safe"#) + b"##), "a( ) + b");
        assert_eq!(squeezed("for x"), "for x");
        assert_eq!(squeezed("a('\"') \"x\" b"), "a( ) \" \" b");
        assert_eq!(squeezed(r"a('\'') b"), "a( ) b");
        assert_eq!(squeezed("a('é') b"), "a( ) b");
        assert_eq!(squeezed("a(\"never closed é"), "a(\"");
    }

    #[test]
    fn lifetimes_stay() {
        assert_eq!(squeezed("&'static str, &'a u8"), "&'static str, &'a u8");
    }

    #[test]
    fn test_items_go() {
        assert_eq!(
            squeezed("fn a() {}\n#[cfg(test)]\nmod tests { fn b() { c(\"}\") } }\nfn d() {}"),
            "fn a() {} fn d() {}"
        );
        assert_eq!(squeezed("#[cfg(test)]\nmod tests;\nfn d() {}"), "fn d() {}");
    }

    #[test]
    fn paths_that_are_used() {
        let code = "use crate::a::{self, B as C, d::*};\nfn f() { super::g(); x.self_made() }";
        let found: Vec<(String, Option<String>)> = use_paths(code)
            .into_iter()
            .map(|it| (it.path.join("::"), it.imports))
            .collect();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            found,
            [
                ("crate::a".to_owned(), some("a")),
                ("crate::a::B".to_owned(), some("C")),
                ("crate::a::d".to_owned(), None),
                ("super::g".to_owned(), None),
            ]
        );
    }

    #[test]
    fn literals_alone() {
        let text = "// no\nf(\"yes\", x) r#\"too\"# #[cfg(test)] mod t { g(\"no\") }";
        let literals = product_literals(text);
        assert_eq!(literals.len(), text.len(), "offsets must stay");
        let squeezed: Vec<&str> = literals.split_whitespace().collect();
        assert_eq!(squeezed, ["\"yes\"", "r#\"too\"#"]);
    }

    #[test]
    fn words_are_whole() {
        let text = "unsafe_code unsafe (unsafe)";
        assert_eq!(words(text, "unsafe").collect::<Vec<_>>(), [12, 20]);
        assert_eq!(line_of("a\nb\nc", 4), 3);
    }
}
