//! One pass over a JSON text that takes what a plan names and skips the rest.
//!
//! No value is built for what is skipped: its strings and brackets must match, and nothing more is asked of it.
//! That is what makes a million lines per second possible, and it means that garbage between the brackets of a value
//! that no property names goes unnoticed.

use std::borrow::Cow;

use choros_model::observation::{Datum, NotANumber, Number};
use memchr::memchr2;

use super::draft::Draft;
use super::plan::{Hint, LabelTarget, Plan};
use super::problem::RecordFlaw;

/// Objects and lists may be nested so deeply where something is taken from them.
pub(super) const DEPTH_LIMIT: usize = 64;
/// Strings up to this length are looked through byte by byte.
const SHORT: usize = 24;

/// Reads the object of one line into a draft.
pub(super) fn read<'t>(
    text: &'t str,
    plan: &'t Plan,
    draft: &mut Draft<'t>,
) -> Result<(), RecordFlaw> {
    let mut scanner = Scanner::new(text);
    scanner.blank();
    if scanner.peek() != Some(b'{') {
        return Err(scanner.wrong("an object begins with `{`, which is missing"));
    }
    scanner.value(plan, Some(0), None, draft, 0)?;
    scanner.end()
}

/// Whether a text is one JSON value as far as a skipping reader sees; for tests.
pub fn check(text: &str) -> Result<(), RecordFlaw> {
    let mut scanner = Scanner::new(text);
    scanner.blank();
    scanner.skip()?;
    scanner.end()
}

pub(super) struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    position: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Scanner {
            text,
            bytes: text.as_bytes(),
            position: 0,
        }
    }

    /// One that begins within a text.
    pub(super) fn at(text: &'t str, position: usize) -> Self {
        Scanner {
            position,
            ..Scanner::new(text)
        }
    }

    /// How much was read.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    #[inline]
    pub(super) fn blank(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.position += 1;
        }
    }

    pub(super) fn wrong(&self, what: &str) -> RecordFlaw {
        let what = if self.position >= self.bytes.len() {
            format!("{what}: the text ends")
        } else {
            what.to_owned()
        };
        RecordFlaw::Malformed {
            what,
            offset: self.position,
        }
    }

    pub(super) fn end(&mut self) -> Result<(), RecordFlaw> {
        self.blank();
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.wrong("unexpected text after the value")),
        }
    }

    /// A value: taken where the plan has a node, or where everything below `path` is data.
    fn value(
        &mut self,
        plan: &'t Plan,
        node: Option<usize>,
        path: Option<&str>,
        draft: &mut Draft<'t>,
        depth: usize,
    ) -> Result<(), RecordFlaw> {
        let path = match node {
            Some(node) if plan.at(node).everything => Some(""),
            _ => path,
        };
        if node.is_none() && path.is_none() {
            return self.skip();
        }
        if depth > DEPTH_LIMIT {
            return Err(self.wrong("objects and lists are nested too deeply"));
        }
        match self.peek() {
            Some(b'{') => {
                self.no_part(plan, node, "an object")?;
                self.object(plan, node, path, draft, depth)
            }
            Some(b'[') => {
                self.no_part(plan, node, "a list")?;
                self.list(plan, node, path, draft, depth)
            }
            first => {
                let targets = node.map_or(&[][..], |node| &plan.at(node).targets);
                if let ([only], None) = (targets, path) {
                    match first {
                        Some(b'"') => {
                            let start = self.position + 1;
                            if let Some(end) = self.short_string_end(start) {
                                draft.put_text(plan, *only, &self.text[start..end]);
                                return Ok(());
                            }
                        }
                        _ => {
                            if let Some(value) = self.small() {
                                return draft.put_small(plan, *only, value);
                            }
                        }
                    }
                }
                let value = self.scalar()?;
                for &target in targets {
                    draft.put(plan, target, value.clone())?;
                }
                if let Some(path) = path.filter(|path| !path.is_empty()) {
                    draft.data.push((Cow::Owned(path.to_owned()), value));
                }
                Ok(())
            }
        }
    }

    /// Parts of an observation are not objects or lists.
    fn no_part(&self, plan: &Plan, node: Option<usize>, found: &str) -> Result<(), RecordFlaw> {
        let targets = node.map_or(&[][..], |node| &plan.at(node).targets);
        match targets.iter().find_map(|target| target.part()) {
            None => Ok(()),
            Some(field) => Err(RecordFlaw::WrongType {
                field,
                found: found.to_owned(),
            }),
        }
    }

    fn object(
        &mut self,
        plan: &'t Plan,
        node: Option<usize>,
        path: Option<&str>,
        draft: &mut Draft<'t>,
        depth: usize,
    ) -> Result<(), RecordFlaw> {
        let mut hint = Hint::default();
        let mut goes_on = self.begin(b'}');
        while goes_on {
            let (child, label) = self.label(plan, node, path.is_some(), &mut hint)?;
            let below = path.map(|path| join(path, &label));
            self.value(plan, child, below.as_deref(), draft, depth + 1)?;
            goes_on = self.goes_on(b'}', "`,` or `}` is missing")?;
        }
        Ok(())
    }

    /// A colon and the blanks around it.
    #[inline]
    pub(super) fn colon(&mut self) -> Result<(), RecordFlaw> {
        self.blank();
        if self.peek() != Some(b':') {
            return Err(self.wrong("`:` is missing"));
        }
        self.position += 1;
        self.blank();
        Ok(())
    }

    /// A label and its colon: the node that it leads to, and the label itself if it is wanted.
    #[inline]
    fn label(
        &mut self,
        plan: &Plan,
        node: Option<usize>,
        is_wanted: bool,
        hint: &mut Hint,
    ) -> Result<(Option<usize>, Cow<'t, str>), RecordFlaw> {
        if self.peek() != Some(b'"') {
            return Err(self.wrong("a label in quotes is missing"));
        }
        let known = match node {
            Some(node) => plan.child_at(node, &self.bytes[self.position + 1..], hint),
            None => LabelTarget::Unknown,
        };
        let (child, label) = match known {
            LabelTarget::Known(child, length) if !is_wanted => {
                self.position += length + 2;
                (Some(child), Cow::Borrowed(""))
            }
            _ => {
                let label = self.string()?;
                let is_plain = known == LabelTarget::Unknown && matches!(label, Cow::Borrowed(_));
                let child = if is_plain {
                    None
                } else {
                    node.and_then(|node| plan.child(node, &label))
                };
                (child, label)
            }
        };
        self.colon()?;
        Ok((child, label))
    }

    fn list(
        &mut self,
        plan: &'t Plan,
        node: Option<usize>,
        path: Option<&str>,
        draft: &mut Draft<'t>,
        depth: usize,
    ) -> Result<(), RecordFlaw> {
        let mut goes_on = self.begin(b']');
        let mut index = 0usize;
        while goes_on {
            let label = index.to_string();
            let child = node.and_then(|node| plan.child(node, &label));
            let below = path.map(|path| join(path, &label));
            self.value(plan, child, below.as_deref(), draft, depth + 1)?;
            goes_on = self.goes_on(b']', "`,` or `]` is missing")?;
            index += 1;
        }
        Ok(())
    }

    /// Enters an object or a list; false if it is empty, and then it is left already.
    #[inline]
    pub(super) fn begin(&mut self, close: u8) -> bool {
        self.position += 1;
        self.blank();
        let is_empty = self.peek() == Some(close);
        self.position += usize::from(is_empty);
        !is_empty
    }

    /// Whether another part follows; otherwise the object or list is left.
    #[inline]
    pub(super) fn goes_on(&mut self, close: u8, missing: &str) -> Result<bool, RecordFlaw> {
        self.blank();
        match self.peek() {
            Some(b',') => {
                self.position += 1;
                self.blank();
                Ok(true)
            }
            Some(byte) if byte == close => {
                self.position += 1;
                Ok(false)
            }
            _ => Err(self.wrong(missing)),
        }
    }

    pub(super) fn scalar(&mut self) -> Result<Datum<'t>, RecordFlaw> {
        match self.peek() {
            Some(b'"') => Ok(Datum::Text(self.string()?)),
            Some(b'-' | b'0'..=b'9') => {
                let start = self.position;
                let token = self.token();
                Number::parse(token).map(Datum::Number).map_err(|error| {
                    self.position = start;
                    self.wrong(match error {
                        NotANumber::Form => "this is not a number",
                        NotANumber::TooLong => NotANumber::TOO_LONG,
                    })
                })
            }
            Some(_) => {
                let start = self.position;
                match self.token() {
                    "true" => Ok(Datum::Bool(true)),
                    "false" => Ok(Datum::Bool(false)),
                    "null" => Ok(Datum::Null),
                    _ => {
                        self.position = start;
                        Err(self.wrong("this is not a value"))
                    }
                }
            }
            None => Err(self.wrong("a value is missing")),
        }
    }

    /// A whole number of few digits without a sign, which most numbers are; nothing is read of any other.
    #[inline]
    fn small(&mut self) -> Option<i64> {
        let mut value = 0i64;
        for (count, byte) in self.bytes[self.position..].iter().enumerate() {
            match byte {
                b'0'..=b'9' if count < 18 => value = value * 10 + i64::from(byte - b'0'),
                byte if ends_token(*byte) && count > 0 => {
                    self.position += count;
                    return Some(value);
                }
                _ => return None,
            }
        }
        None
    }

    /// Up to the next sign or blank.
    fn token(&mut self) -> &'t str {
        let start = self.position;
        let rest = &self.bytes[start..];
        let length = rest.iter().position(|byte| ends_token(*byte));
        self.position = start + length.unwrap_or(rest.len());
        &self.text[start..self.position]
    }

    /// A string; it is copied only where it has escapes.
    pub(super) fn string(&mut self) -> Result<Cow<'t, str>, RecordFlaw> {
        let start = self.position + 1;
        let end = self.string_end(start)?;
        let inner = &self.text[start..end.at];
        if end.has_escapes {
            unescape(inner).map(Cow::Owned).ok_or_else(|| {
                self.position = start;
                self.wrong("a string has an escape that does not exist")
            })
        } else {
            Ok(Cow::Borrowed(inner))
        }
    }

    /// Goes after the quote that closes a string without escapes, which begins at `start`, if it comes soon.
    ///
    /// Most strings are short: looking at byte after byte is faster than setting up a search.
    #[inline]
    fn short_string_end(&mut self, start: usize) -> Option<usize> {
        let few = self.bytes[start..].iter().take(SHORT);
        for (offset, byte) in few.enumerate() {
            match byte {
                b'"' => {
                    self.position = start + offset + 1;
                    return Some(start + offset);
                }
                b'\\' => return None,
                _ => {}
            }
        }
        None
    }

    /// Goes after the quote that closes a string, which begins at `start`.
    fn string_end(&mut self, start: usize) -> Result<StringEnd, RecordFlaw> {
        if let Some(at) = self.short_string_end(start) {
            return Ok(StringEnd {
                at,
                has_escapes: false,
            });
        }
        let mut from = start;
        loop {
            let Some(offset) = memchr2(b'"', b'\\', &self.bytes[from..]) else {
                self.position = self.bytes.len();
                return Err(self.wrong("a string is not closed"));
            };
            let at = from + offset;
            if self.bytes[at] == b'"' {
                self.position = at + 1;
                return Ok(StringEnd {
                    at,
                    has_escapes: from > start,
                });
            }
            from = (at + 2).min(self.bytes.len());
        }
    }

    /// Any value, without looking into it.
    pub(super) fn skip(&mut self) -> Result<(), RecordFlaw> {
        match self.peek() {
            Some(b'"') => self.skip_string(),
            Some(b'{' | b'[') => self.skip_nested(),
            Some(_) => {
                if self.token().is_empty() {
                    Err(self.wrong("a value is missing"))
                } else {
                    Ok(())
                }
            }
            None => Err(self.wrong("a value is missing")),
        }
    }

    fn skip_string(&mut self) -> Result<(), RecordFlaw> {
        self.string_end(self.position + 1).map(|_| ())
    }

    /// Brackets must match in number; which one closes which is not examined.
    fn skip_nested(&mut self) -> Result<(), RecordFlaw> {
        let mut open = 0usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.skip_string()?;
                    continue;
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' => {
                    open -= 1;
                    if open == 0 {
                        self.position += 1;
                        return Ok(());
                    }
                }
                _ => {}
            }
            self.position += 1;
        }
        Err(self.wrong("a bracket is not closed"))
    }
}

/// Where a string ends: its closing quote.
struct StringEnd {
    at: usize,
    has_escapes: bool,
}

/// Whether a number or a word cannot continue with this byte.
pub(super) fn ends_token(byte: u8) -> bool {
    matches!(
        byte,
        b',' | b'}' | b']' | b':' | b'{' | b'[' | b'"' | b' ' | b'\t' | b'\r' | b'\n'
    )
}

pub(super) fn join(path: &str, label: &str) -> String {
    if path.is_empty() {
        label.to_owned()
    } else {
        format!("{path}.{label}")
    }
}

fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(position) = rest.find('\\') {
        out.push_str(&rest[..position]);
        let mut characters = rest[position + 1..].chars();
        let sign = characters.next()?;
        rest = characters.as_str();
        out.push(match sign {
            '"' | '\\' | '/' => sign,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let (first, after) = four(rest)?;
                rest = after;
                match first {
                    0xD800..=0xDBFF => {
                        let (second, after) = four(rest.strip_prefix("\\u")?)?;
                        rest = after;
                        let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
                        char::from_u32(0x10000 + ((first - 0xD800) << 10) + low)?
                    }
                    _ => char::from_u32(first)?,
                }
            }
            _ => return None,
        });
    }
    out.push_str(rest);
    Some(out)
}

fn four(text: &str) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(4)?;
    let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hexadecimal.then_some(())?;
    Some((u32::from_str_radix(digits, 16).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::super::mapping::Mapping;
    use super::super::plan::{Plan, WantedValues};
    use super::{Draft, check, read, unescape};
    use choros_model::observation::Datum;

    #[test]
    fn escapes_of_json() {
        assert_eq!(
            unescape(r#"a\"b\\\/\u00e9\ud83d\ude00\n"#).unwrap(),
            "a\"b\\/é😀\n"
        );
        for text in [r"\x", r"\u12", r"\ud83d", r"\ud83dx", r"\ud83dA"] {
            assert_eq!(unescape(text), None, "{text}");
        }
    }

    #[test]
    fn what_a_skipping_reader_sees() {
        for text in ["{}", " [1, {\"a\": \"}\"}] ", "\"\\\"\"", "-1.5e3", "null"] {
            assert!(check(text).is_ok(), "{text}");
        }
        for text in ["", "{", "{\"a\": [1}", "\"a", "{} {}", "[\"\\\""] {
            assert!(check(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_what_is_wanted_is_taken() {
        let wanted = WantedValues::Paths(vec!["country.code".to_owned(), "items.1".to_owned()]);
        let plan = Plan::new(Some(&Mapping::NATIVE), &wanted);
        let text =
            r#"{"op":"R","data":{"weight":3,"country":{"name":"F","code":33},"items":[7,"x"]}}"#;
        let mut draft = Draft::default();
        read(text, &plan, &mut draft).unwrap();
        let data: Vec<(String, String)> = draft
            .data
            .iter()
            .map(|(path, value)| (path.to_string(), value.to_string()))
            .collect();
        assert_eq!(
            data,
            [
                ("country.code".to_owned(), "33".to_owned()),
                ("items.1".to_owned(), "\"x\"".to_owned()),
            ]
        );
    }

    #[test]
    fn everything_can_be_taken() {
        let plan = Plan::new(Some(&Mapping::NATIVE), &WantedValues::All);
        let text = r#"{"data":{"a":{"b":[true,null]},"c":"d"},"other":1}"#;
        let mut draft = Draft::default();
        read(text, &plan, &mut draft).unwrap();
        let paths: Vec<&str> = draft.data.iter().map(|(path, _)| path.as_ref()).collect();
        assert_eq!(paths, ["a.b.0", "a.b.1", "c"]);
        assert_eq!(draft.data[1].1, Datum::Null);
    }

    #[test]
    fn depth_is_limited() {
        let plan = Plan::new(Some(&Mapping::NATIVE), &WantedValues::All);
        for text in [r#"{"op":{"a":1}}"#, r#"{"at":[1]}"#] {
            assert!(read(text, &plan, &mut Draft::default()).is_err(), "{text}");
        }
        let deep = format!("{{\"data\":{}1{}}}", "[".repeat(200), "]".repeat(200));
        assert!(read(&deep, &plan, &mut Draft::default()).is_err());
        let skipped = format!(
            "{{\"op\":\"x\",\"other\":{}1{}}}",
            "[".repeat(100_000),
            "]".repeat(100_000)
        );
        assert!(read(&skipped, &plan, &mut Draft::default()).is_ok());
    }
}
