//! Fields of requests: found by their names alone, in JSON and in XML, because a document should show what a service
//! answers and not how it reads.

/// Replaces `{field}`, `{field + 2}`, `{field - 2}` and `{field * 2}` by what `find` knows; an error names what is
/// missing.
///
/// JSON has quotes after its braces, so both can stand in one text.
pub(super) fn fill(
    template: &str,
    find: impl Fn(&str) -> Option<String>,
) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let (before, behind) = rest.split_at(open);
        filled.push_str(before);
        match behind.find('}').and_then(|close| {
            let expression = Expression::read(&behind[1..close])?;
            Some((expression, &behind[close + 1..]))
        }) {
            Some((expression, after)) => {
                filled.push_str(&expression.value(&find)?);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = &behind[1..];
            }
        }
    }
    filled.push_str(rest);
    Ok(filled)
}

struct Expression<'t> {
    field: &'t str,
    operation: Option<(char, i64)>,
}

impl<'t> Expression<'t> {
    fn read(text: &'t str) -> Option<Expression<'t>> {
        let mut words = text.split_whitespace();
        let field = words.next().filter(|word| is_field(word))?;
        let operation = match (words.next(), words.next(), words.next()) {
            (None, ..) => None,
            (Some(sign @ ("+" | "-" | "*")), Some(number), None) => {
                Some((sign.chars().next()?, number.parse().ok()?))
            }
            _ => return None,
        };
        Some(Expression { field, operation })
    }

    fn value(&self, find: impl Fn(&str) -> Option<String>) -> Result<String, String> {
        let value = find(self.field).ok_or_else(|| format!("there is no `{}`", self.field))?;
        let Some((sign, number)) = self.operation else {
            return Ok(value);
        };
        let left: i64 = value
            .parse()
            .map_err(|_| format!("`{}` is {value}, and no number", self.field))?;
        let result = match sign {
            '+' => left.checked_add(number),
            '-' => left.checked_sub(number),
            _ => left.checked_mul(number),
        };
        result
            .map(|result| result.to_string())
            .ok_or_else(|| format!("`{}` is too large", self.field))
    }
}

/// A name, perhaps with `answer.` before it.
pub(super) fn is_field(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && word
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '.'))
}

/// The first member or element with this name; JSON as it stands there, XML without its tags.
pub(super) fn field(body: &str, name: &str) -> Option<String> {
    if body.trim_start().starts_with('<') {
        element(body, name)
    } else {
        member(body, name)
    }
}

/// What is between the tags of the first element with this local name; elements of one name do not hold each other.
pub(super) fn element(body: &str, name: &str) -> Option<String> {
    let mut rest = body;
    while let Some(open) = rest.find('<') {
        rest = &rest[open + 1..];
        let end = rest.find(['>', ' ', '/', '\n', '\t', '\r'])?;
        let tag = &rest[..end];
        if tag.rsplit(':').next() != Some(name) {
            continue;
        }
        let close = rest.find('>')?;
        if rest[..close].ends_with('/') {
            return Some(String::new());
        }
        let inner = &rest[close + 1..];
        return inner
            .find(&format!("</{tag}"))
            .map(|end| inner[..end].trim().to_owned());
    }
    None
}

fn member(body: &str, name: &str) -> Option<String> {
    let key = format!("\"{name}\"");
    let mut rest = body;
    while let Some(found) = rest.find(&key) {
        rest = rest[found + key.len()..].trim_start();
        if let Some(value) = rest.strip_prefix(':') {
            return Some(first_value(value.trim_start()).to_owned());
        }
    }
    None
}

/// The JSON value at the beginning of a text.
fn first_value(text: &str) -> &str {
    let (mut depth, mut is_quoted, mut is_escaped) = (0_usize, false, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '{' | '[' => depth += 1,
            ',' | '}' | ']' if depth == 0 => return text[..at].trim_end(),
            '}' | ']' => depth -= 1,
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_name() {
        let json = r#"{"a": {"b": [1, {"c": "x,\"y"}]}, "n": -3 , "last": true}"#;
        assert_eq!(field(json, "n").as_deref(), Some("-3"));
        assert_eq!(field(json, "c").as_deref(), Some(r#""x,\"y""#));
        assert_eq!(field(json, "b").as_deref(), Some(r#"[1, {"c": "x,\"y"}]"#));
        assert_eq!(field(json, "last").as_deref(), Some("true"));
        assert_eq!(field(json, "none"), None);
        let xml = r#"<?xml version="1.0"?><s:Body><m xmlns="u"><p:id> 7 </p:id><none/><q><id>8</id></q></m>"#;
        assert_eq!(field(xml, "id").as_deref(), Some("7"));
        assert_eq!(field(xml, "q").as_deref(), Some("<id>8</id>"));
        assert_eq!(field(xml, "none").as_deref(), Some(""));
        assert_eq!(field(xml, "Body"), None, "it is never closed");
        assert_eq!(field("<a><b", "b"), None);
    }

    #[test]
    fn braces_with_a_field_are_filled() {
        let find = |name: &str| (name == "value").then(|| "5".to_owned());
        assert_eq!(
            fill(r#"{"value": {value + 2}, "x": {}, "y": {value}}"#, find).as_deref(),
            Ok(r#"{"value": 7, "x": {}, "y": 5}"#)
        );
        assert_eq!(fill("{value * 3}{value - 9}", find).as_deref(), Ok("15-4"));
        assert_eq!(fill("{ {value", find).as_deref(), Ok("{ {value"));
        assert_eq!(fill("{other}", find), Err("there is no `other`".to_owned()));
        let word = |_: &str| Some("\"x\"".to_owned());
        assert!(fill("{value + 1}", word).is_err());
    }
}
