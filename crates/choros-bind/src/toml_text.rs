//! Keys and values as TOML writes them.

/// A text in quotes.
pub(crate) fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string().trim().to_owned()
}

/// A key, in quotes if it needs them.
pub(crate) fn key(text: &str) -> String {
    let is_bare = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
    if !text.is_empty() && text.chars().all(is_bare) {
        text.to_owned()
    } else {
        quoted(text)
    }
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
