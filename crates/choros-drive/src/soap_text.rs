//! The text of a body that says it is XML.

use crate::DecodeError;

/// What a body says, whatever characters it is written in; what may be right and is not read here is unclear.
pub(crate) fn body_text(body: &[u8], content_type: Option<&str>) -> Result<String, DecodeError> {
    let kind = content_type.unwrap_or("of no type");
    let lower = kind.to_ascii_lowercase();
    if lower.starts_with("multipart/") {
        let reason = format!("the body is {kind}: messages with attachments (MTOM) are not read");
        return Err(DecodeError::Unclear(reason));
    }
    if !lower.contains("xml") {
        return Err(DecodeError::Wrong(format!("the body is {kind}, not XML")));
    }
    if body.is_empty() {
        return Err(DecodeError::Wrong("the body is empty".to_owned()));
    }
    let text = match charset(body, &lower).as_str() {
        "utf-8" | "us-ascii" | "ascii" => std::str::from_utf8(body)
            .map(str::to_owned)
            .map_err(|_| DecodeError::Wrong("the body is not in UTF-8".to_owned()))?,
        "iso-8859-1" | "latin1" => body.iter().copied().map(char::from).collect(),
        "utf-16be" => wide(body, u16::from_be_bytes)?,
        "utf-16" | "utf-16le" => wide(body, u16::from_le_bytes)?,
        other => {
            let reason = format!("the body is in the characters of `{other}`, which are not read");
            return Err(DecodeError::Unclear(reason));
        }
    };
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// What a mark at the beginning says, or the header, or the declaration of XML, in this order (RFC 7303, 3).
fn charset(body: &[u8], content_type: &str) -> String {
    let value = |text: &str| {
        let text = text.trim_start_matches([' ', '=']);
        let quote = text.chars().next().filter(|it| matches!(it, '"' | '\''));
        let text = text.trim_start_matches(['"', '\'']);
        let end = match quote {
            Some(quote) => text.find(quote),
            None => text.find([';', ' ']),
        };
        text[..end.unwrap_or(text.len())].to_ascii_lowercase()
    };
    match body {
        [0xfe, 0xff, ..] => return "utf-16be".to_owned(),
        [0xff, 0xfe, ..] => return "utf-16le".to_owned(),
        [0xef, 0xbb, 0xbf, ..] => return "utf-8".to_owned(),
        _ => {}
    }
    if let Some((_, said)) = content_type.split_once("charset") {
        return value(said);
    }
    let beginning = String::from_utf8_lossy(&body[..body.len().min(200)]);
    let declaration = beginning
        .strip_prefix("<?xml")
        .and_then(|rest| rest.split_once("?>"))
        .map_or("", |(declaration, _)| declaration);
    match declaration.split_once("encoding") {
        Some((_, said)) => value(said),
        None => "utf-8".to_owned(),
    }
}

fn wide(body: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, DecodeError> {
    let wrong = || DecodeError::Wrong("the body is not in UTF-16".to_owned());
    if !body.len().is_multiple_of(2) {
        return Err(wrong());
    }
    let units = body.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units)
        .collect::<Result<String, _>>()
        .map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_read_as_they_are_said_to_be() {
        let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xfc</a>";
        let text = body_text(latin, Some("text/xml")).expect("text");
        assert!(text.ends_with("<a>ü</a>"), "{text}");
        let said = body_text(b"<a>\xfc</a>", Some("text/xml; charset=\"iso-8859-1\""));
        assert_eq!(said, Ok("<a>ü</a>".to_owned()));
        let mut wide = vec![0xff, 0xfe];
        wide.extend("<a>ü</a>".encode_utf16().flat_map(u16::to_le_bytes));
        assert_eq!(
            body_text(&wide, Some("text/xml; charset=utf-16")),
            Ok("<a>ü</a>".to_owned())
        );
        let marked = "\u{feff}<a/>".as_bytes();
        assert_eq!(
            body_text(marked, Some("application/soap+xml")),
            Ok("<a/>".to_owned())
        );
    }

    #[test]
    fn what_is_wrong_and_what_is_not_read_are_told_apart() {
        let attached = "multipart/related; type=\"application/xop+xml\"; boundary=a";
        assert!(matches!(
            body_text(b"--a", Some(attached)),
            Err(DecodeError::Unclear(_))
        ));
        let strange = "text/xml; charset=koi8-r";
        assert!(matches!(
            body_text(b"<a/>", Some(strange)),
            Err(DecodeError::Unclear(_))
        ));
        for (body, kind) in [
            (&b"<a>\xfc</a>"[..], Some("text/xml; charset=utf-8")),
            (b"<a/>", Some("text/html")),
            (b"<a/>", None),
            (b"", Some("text/xml")),
        ] {
            assert!(
                matches!(body_text(body, kind), Err(DecodeError::Wrong(_))),
                "{kind:?}"
            );
        }
    }
}
