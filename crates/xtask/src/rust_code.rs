//! Rust text reduced to what the compiler would see, at the same byte offsets.

/// The text with comments, the insides of literals and `#[cfg(test)]` items blanked out.
///
/// Every blanked byte becomes a space and line ends stay, so an offset or a line in the result
/// is the same place in the original.
pub(crate) fn product_code(text: &str) -> String {
    let mut code = without_comments_and_literals(text);
    blank_test_items(&mut code);
    // Only whole characters were replaced by spaces, byte for byte.
    String::from_utf8_lossy(&code).into_owned()
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

fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn without_comments_and_literals(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => line_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => block_comment_end(bytes, at),
            b'"' => {
                // The quotes stay, so that one still sees that there was a literal.
                let end = string_end(bytes, at);
                blank(&mut code, at + 1, end.saturating_sub(1));
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
        blank(&mut code, at, end);
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

/// Blanks the item after each `#[cfg(test)]`: up to its matching brace, or to its semicolon.
fn blank_test_items(code: &mut [u8]) {
    const MARK: &[u8] = b"#[cfg(test)]";
    let mut at = 0;
    while let Some(start) = find(code, at, MARK) {
        let end = item_end(code, start + MARK.len());
        blank(code, start, end);
        at = end;
    }
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
    fn words_are_whole() {
        let text = "unsafe_code unsafe (unsafe)";
        assert_eq!(words(text, "unsafe").collect::<Vec<_>>(), [12, 20]);
        assert_eq!(line_of("a\nb\nc", 4), 3);
    }
}
