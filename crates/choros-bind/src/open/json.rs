//! The values of a JSON text by path, numbers with all their digits.

use choros_model::observation::{Datum, Number};

use super::Opened;

/// Objects and lists within each other.
const DEEPEST: usize = 128;

/// All values that have no parts, by path.
pub(super) fn values(text: &str) -> Result<Opened, String> {
    let mut scanner = Scanner {
        text,
        at: 0,
        found: Vec::new(),
    };
    match scanner.document() {
        Some(()) => Ok(scanner.found),
        None => Err(format!("it is not JSON: byte {}", scanner.at)),
    }
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    found: Opened,
}

/// What is open around a value: its path so far, and which element of a list is next.
struct Level {
    path: usize,
    next: Option<usize>,
}

impl<'t> Scanner<'t> {
    fn document(&mut self) -> Option<()> {
        let mut path = String::new();
        let mut levels: Vec<Level> = Vec::new();
        loop {
            // A value is due here.
            self.skip();
            match self.peek()? {
                open @ (b'{' | b'[') => {
                    self.at += 1;
                    let next = (open == b'[').then_some(0);
                    if levels.len() == DEEPEST {
                        return None;
                    }
                    let level = Level {
                        path: path.len(),
                        next,
                    };
                    levels.push(level);
                    self.skip();
                    let close = if open == b'[' { b']' } else { b'}' };
                    if self.peek()? != close {
                        self.label(levels.last_mut()?, &mut path)?;
                        continue;
                    }
                }
                _ => {
                    let value = self.simple()?;
                    self.found.push((path.clone(), value));
                }
            }
            // A value is complete here.
            loop {
                self.skip();
                let Some(level) = levels.last_mut() else {
                    return (self.at == self.text.len()).then_some(());
                };
                path.truncate(level.path);
                let close = if level.next.is_some() { b']' } else { b'}' };
                match self.peek()? {
                    b',' => {
                        self.at += 1;
                        let mut level = levels.pop()?;
                        self.label(&mut level, &mut path)?;
                        levels.push(level);
                        break;
                    }
                    byte if byte == close => {
                        self.at += 1;
                        levels.pop();
                    }
                    _ => return None,
                }
            }
        }
    }

    /// Appends the label of what comes next.
    fn label(&mut self, level: &mut Level, path: &mut String) -> Option<()> {
        let label = match &mut level.next {
            Some(number) => {
                *number += 1;
                (*number - 1).to_string()
            }
            None => {
                self.skip();
                let label = self.string()?;
                self.skip();
                if self.peek()? != b':' {
                    return None;
                }
                self.at += 1;
                label
            }
        };
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&label);
        Some(())
    }

    fn simple(&mut self) -> Option<Datum<'static>> {
        if self.peek()? == b'"' {
            return Some(Datum::Text(self.string()?.into()));
        }
        let rest = &self.text[self.at..];
        let end = rest.find(|it: char| !(it.is_ascii_alphanumeric() || "+-.".contains(it)));
        let word = &rest[..end.unwrap_or(rest.len())];
        let value = match word {
            "null" => Datum::Null,
            "true" => Datum::Bool(true),
            "false" => Datum::Bool(false),
            _ if Number::is_json(word) => match Number::parse(word) {
                Ok(number) => Datum::Number(number),
                // A number that is too long to compute with is still told from others.
                Err(_) => Datum::Untyped(word.to_owned().into()),
            },
            _ => return None,
        };
        self.at += word.len();
        Some(value)
    }

    fn string(&mut self) -> Option<String> {
        if self.peek()? != b'"' {
            return None;
        }
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let end = rest.find(|it: char| it == '"' || it == '\\' || it < ' ')?;
            text.push_str(&rest[..end]);
            self.at += end;
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(text);
                }
                b'\\' => {
                    self.at += 1;
                    text.push(self.escape()?);
                }
                _ => return None,
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        let byte = self.peek()?;
        self.at += 1;
        Some(match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.unit()?;
                let second = self.text[self.at..].starts_with("\\u");
                if !(0xd800..0xdc00).contains(&first) || !second {
                    return Some(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                let before = self.at;
                self.at += 2;
                let low = self.unit()?;
                if !(0xdc00..0xe000).contains(&low) {
                    self.at = before;
                    return Some(char::REPLACEMENT_CHARACTER);
                }
                let both = 0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00);
                char::from_u32(both).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return None,
        })
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        if !digits.bytes().all(|it| it.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::values;

    fn shown(text: &str) -> String {
        let found = values(text).unwrap();
        let shown: Vec<String> = found
            .iter()
            .map(|(path, value)| format!("{path}={value}"))
            .collect();
        shown.join(" ")
    }

    #[test]
    fn values_have_their_paths() {
        assert_eq!(
            shown(
                r#" {"a": {"b": [1, {"c": "x\u00e9\ud83d\ude00"}], "d": []}, "e": null, "f": 1.50} "#
            ),
            "a.b.0=1 a.b.1.c=\"xé😀\" e=null f=1.5"
        );
        assert_eq!(shown("7"), "=7");
        assert_eq!(shown("{}"), "");
    }

    #[test]
    fn what_is_not_json() {
        for text in [
            "",
            "{",
            "{]",
            "[1,]",
            "{\"a\" 1}",
            "{\"a\":}",
            "tru",
            "01",
            "1 2",
            "\"\\x\"",
            "[1",
            "\"a\nb\"",
            "{\"a\":1,}",
            "[}",
            "\"\\u12",
        ] {
            assert!(values(text).is_err(), "{text}");
        }
        assert!(values(&"[".repeat(100_000)).is_err());
    }

    proptest::proptest! {
        #[test]
        fn nothing_makes_it_panic(text in "[\\[\\]{}\":,a1\\\\u .-]{0,40}") {
            let _ = values(&text);
        }
    }
}
