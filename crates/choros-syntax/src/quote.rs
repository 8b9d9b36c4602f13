//! Texts inside other languages.

use std::fmt::Write as _;

/// A literal in double quotes, with the escapes of JSON; our own languages write texts the same way.
pub fn json(text: &str) -> String {
    quoted(text, |character, out| match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        control if control.is_control() => {
            let _ = write!(out, "\\u{:04x}", u32::from(control));
        }
        other => out.push(other),
    })
}

/// A string of DOT; a line break in it is one in the drawing.
pub fn dot(text: &str) -> String {
    quoted(text, |character, out| match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => {}
        other => out.push(other),
    })
}

/// A text between tags of XML.
///
/// A carriage return would be read back as a line feed, so it is written as a reference; what no document of XML 1.0
/// may hold becomes a replacement sign.
pub fn xml_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        xml(character, &mut out);
    }
    out
}

/// The value of an attribute, to stand in double quotes.
///
/// White space other than blanks would be read back as blanks.
pub fn xml_attribute(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => out.push_str("&#xA;"),
            '\t' => out.push_str("&#x9;"),
            other => xml(other, &mut out),
        }
    }
    out
}

fn xml(character: char, out: &mut String) {
    match character {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\r' => out.push_str("&#xD;"),
        '\n' | '\t' => out.push(character),
        '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
        other => out.push(other),
    }
}

fn quoted(text: &str, write: impl Fn(char, &mut String)) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        write(character, &mut out);
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_or_change_a_text_is_escaped() {
        assert_eq!(json("a\"b\\\n\u{1}"), "\"a\\\"b\\\\\\n\\u0001\"");
        assert_eq!(dot("a\r\n\"b\""), "\"a\\n\\\"b\\\"\"");
        assert_eq!(
            xml_text("<a b=\"c\">&\r\n"),
            "&lt;a b=&quot;c&quot;&gt;&amp;&#xD;\n"
        );
        assert_eq!(xml_attribute("\"\t\u{1}<"), "&quot;&#x9;\u{fffd}&lt;");
    }
}
