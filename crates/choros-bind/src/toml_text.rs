//! Keys and values as TOML writes them, each on one line.

use std::borrow::Cow;

/// A text in quotes, never over several lines: it may stand in a comment.
pub(crate) fn quoted(text: &str) -> String {
    match &*key(text) {
        bare if bare == text => format!("\"{text}\""),
        quoted => quoted.to_owned(),
    }
}

/// A key, in quotes if it needs them.
pub(crate) fn key(text: &str) -> String {
    toml_edit::Key::new(text).display_repr().into_owned()
}

/// A text in a comment: what would end the line, or may not stand in it, as escapes.
pub(crate) fn comment(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let letters = text.chars().map(|it| match it {
        it if it.is_control() => it.escape_default().to_string(),
        it => it.to_string(),
    });
    Cow::Owned(letters.collect())
}

/// A value, or a list of them.
pub(crate) fn one_or_list(values: &[String]) -> String {
    match values {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    }
}

/// A text, or a list of them.
pub(crate) fn texts(texts: impl Iterator<Item = String>) -> String {
    let texts: Vec<String> = texts.map(|it| quoted(&it)).collect();
    one_or_list(&texts)
}
