//! JSON with places.
//!
//! YAML reads most of it, but not the escapes of characters beyond 16 bits, nor tabs everywhere.

use choros_base::{FileId, Span};

use crate::document::{Builder, Document, Unreadable, Value};

pub(crate) fn read(file: FileId, text: &str) -> Result<Document, Unreadable> {
    let mut reader = Reader {
        file,
        text,
        at: 0,
        builder: Builder::new(),
    };
    reader.skip();
    if text[reader.at..].starts_with('\u{feff}') {
        reader.at += '\u{feff}'.len_utf8();
    }
    reader.value()?;
    loop {
        reader.skip();
        if reader.builder.depth() == 0 {
            break;
        }
        match reader.peek() {
            Some(b',') => {
                reader.at += 1;
                reader.skip();
                reader.entry()?;
            }
            Some(b'}' | b']') => {
                reader.at += 1;
                reader.builder.end()?;
            }
            _ => return Err(reader.expected("`,` or the end of the list or object")),
        }
    }
    if reader.at < text.len() {
        return Err(reader.expected("the end of the file"));
    }
    let whole = reader.span(0);
    reader.builder.finish(whole)
}

struct Reader<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
    builder: Builder,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start as u32, self.at.max(start) as u32)
    }

    fn expected(&self, what: &str) -> Unreadable {
        Unreadable {
            span: self.span(self.at),
            reason: format!("expected {what}"),
        }
    }

    /// A value, with its key within an object.
    fn entry(&mut self) -> Result<(), Unreadable> {
        if self.builder.wants_key() {
            self.key()?;
        }
        self.value()
    }

    fn key(&mut self) -> Result<(), Unreadable> {
        if self.peek() != Some(b'"') {
            return Err(self.expected("a key in quotes"));
        }
        let key = self.string()?;
        self.skip();
        if self.peek() != Some(b':') {
            return Err(self.expected("`:`"));
        }
        self.at += 1;
        self.builder.key(key);
        Ok(())
    }

    /// A value, or the beginning of a list or object and its first entry.
    fn value(&mut self) -> Result<(), Unreadable> {
        loop {
            self.skip();
            let start = self.at;
            let value = match self.peek() {
                Some(bracket @ (b'{' | b'[')) => {
                    self.at += 1;
                    let span = self.span(start);
                    self.builder.begin(span, bracket == b'{', 0)?;
                    self.skip();
                    match self.peek() {
                        Some(b'}' | b']') => {
                            self.at += 1;
                            self.builder.end()?;
                            return Ok(());
                        }
                        Some(_) if bracket == b'[' => continue,
                        _ => {
                            self.key()?;
                            continue;
                        }
                    }
                }
                Some(b'"') => Value::Text(self.string()?),
                Some(b'-' | b'0'..=b'9') => {
                    let rest = &self.text[self.at..];
                    let end = rest
                        .find(|it: char| !matches!(it, '-' | '+' | '.' | 'e' | 'E' | '0'..='9'));
                    self.at += end.unwrap_or(rest.len());
                    Value::Number(self.text[start..self.at].to_owned())
                }
                _ => self.word()?,
            };
            let span = self.span(start);
            self.builder.scalar(span, value)?;
            return Ok(());
        }
    }

    fn word(&mut self) -> Result<Value, Unreadable> {
        let words = [
            ("null", Value::Null),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
        ];
        for (word, value) in words {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.expected("a value"))
    }

    /// A text in quotes, at its first quote.
    fn string(&mut self) -> Result<String, Unreadable> {
        let start = self.at;
        self.at += 1;
        let mut found = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(end) = rest.find(['"', '\\']) else {
                let span = Span::new(self.file, start as u32, start as u32 + 1);
                let reason = "the text has no closing quote".to_owned();
                return Err(Unreadable { span, reason });
            };
            found.push_str(&rest[..end]);
            self.at += end;
            if self.peek() == Some(b'"') {
                self.at += 1;
                return Ok(found);
            }
            self.at += 1;
            let escaped = self.text[self.at..].chars().next();
            let simple = match escaped {
                Some(it @ ('"' | '\\' | '/')) => it,
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('u') => {
                    found.push(self.unicode()?);
                    continue;
                }
                _ => return Err(self.expected("an escape such as `\\n`")),
            };
            found.push(simple);
            self.at += 1;
        }
    }

    /// `u00e9`, and the second half of a pair.
    fn unicode(&mut self) -> Result<char, Unreadable> {
        let first = self.unit()?;
        let is_high = (0xd800..0xdc00).contains(&first);
        let code = if is_high && self.text[self.at..].starts_with("\\u") {
            self.at += 1;
            let second = self.unit()?;
            0x1_0000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff)
        } else {
            first
        };
        Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn unit(&mut self) -> Result<u32, Unreadable> {
        let digits = self.text.get(self.at + 1..self.at + 5);
        let code = digits.and_then(|it| u32::from_str_radix(it, 16).ok());
        let code = code.ok_or_else(|| self.expected("four hexadecimal digits"))?;
        self.at += 5;
        Ok(code)
    }
}
