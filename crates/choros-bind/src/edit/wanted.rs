//! What may be written at a place of a binding.

use choros_model::symbols::{SymbolKind, Wanted};

use super::keys::{What, entries};
use crate::{
    Format, HIDE_KEYS, IGNORE_KEYS, LOG_KEYS, MESSAGE_KEYS, OTHERS, Opening, PLACES, ROLE_KEYS,
    TIME_FORMS, TOP_KEYS, VALUE_KEYS,
};

const METHODS: [&str; 6] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];
/// What comes below a name in headers.
const TABLES_OF_MESSAGES: [&str; 3] = ["fields", "values", "when"];
const TABLES: [&str; 6] = ["roles", "messages", "ignore", "values", "hide", "logs"];

/// What fits at a byte of the text; nothing is known inside comments.
pub fn wanted(text: &str, offset: usize) -> Wanted {
    let before = &text[..offset.min(text.len())];
    let start = before.rfind('\n').map_or(0, |it| it + 1);
    let (above, line) = before.split_at(start);
    let header = last_header(above);
    let written = Line::of(line);
    if written.is_comment {
        return Wanted::default();
    }
    if let Some(inside) = line.trim_start().strip_prefix('[') {
        let mut path = keys(inside.trim_start_matches('['));
        path.pop();
        return in_header(&path);
    }
    let mut path = header;
    match written.keys {
        None => in_table(&path),
        Some(keys) => {
            path.extend(keys);
            match written.inner {
                // `fields = { id = "` asks for a place, `fields = { ` for a name.
                Some(inner) => match inner.rsplit([',', '{']).next().unwrap_or(inner) {
                    last if last.contains('=') => {
                        let key = last.split('=').next().unwrap_or(last);
                        path.extend(self::keys(key));
                        in_value(&path, written.is_quoted)
                    }
                    _ => in_table(&path),
                },
                None => in_value(&path, written.is_quoted),
            }
        }
    }
}

/// What is written of a line.
struct Line<'t> {
    /// The keys before `=`, if that is there.
    keys: Option<Vec<String>>,
    /// What comes after the first `{` of the value.
    inner: Option<&'t str>,
    is_quoted: bool,
    is_comment: bool,
}

impl<'t> Line<'t> {
    fn of(line: &'t str) -> Line<'t> {
        let mut quote = None;
        let mut equals = None;
        let mut brace = None;
        for (at, letter) in line.char_indices() {
            match (quote, letter) {
                (None, '"' | '\'') => quote = Some(letter),
                (Some(open), _) if open == letter => quote = None,
                (Some(_), _) => {}
                (None, '#') => {
                    return Line {
                        keys: None,
                        inner: None,
                        is_quoted: false,
                        is_comment: true,
                    };
                }
                (None, '=') if equals.is_none() => equals = Some(at),
                (None, '{') if brace.is_none() => brace = Some(at + 1),
                _ => {}
            }
        }
        Line {
            keys: equals.map(|at| keys(&line[..at])),
            inner: brace.filter(|_| equals.is_some()).map(|at| &line[at..]),
            is_quoted: quote.is_some(),
            is_comment: false,
        }
    }
}

/// The keys of the last header of a text.
fn last_header(text: &str) -> Vec<String> {
    let mut headers = entries(text).into_iter().rev();
    let last = headers.find(|it| matches!(it.what, What::Header(_)));
    let path = last.map_or_else(Vec::new, |it| it.path);
    path.into_iter().map(|it| it.text).collect()
}

fn keys(text: &str) -> Vec<String> {
    let parts = text.split('.').map(str::trim);
    parts
        .map(|it| it.trim_matches(['"', '\'']).to_owned())
        .collect()
}

fn words(words: &[&'static str]) -> Wanted {
    Wanted {
        words: words.to_vec(),
        ..Wanted::default()
    }
}

fn names(kind: SymbolKind, owner: Option<&str>) -> Wanted {
    Wanted {
        names: Some((kind, owner.map(str::to_owned))),
        ..Wanted::default()
    }
}

fn texts(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}

/// What comes after `[` and these keys.
fn in_header(path: &[String]) -> Wanted {
    match &texts(path)[..] {
        [] => words(&TABLES),
        ["roles"] => names(SymbolKind::Role, None),
        ["messages"] => names(SymbolKind::Message, None),
        ["messages", _] => words(&TABLES_OF_MESSAGES),
        ["messages", message, "values"] => names(SymbolKind::Field, Some(message)),
        ["values"] => names(SymbolKind::Field, None),
        _ => Wanted::default(),
    }
}

/// The keys of a table.
fn in_table(path: &[String]) -> Wanted {
    match &texts(path)[..] {
        [] => words(&TOP_KEYS),
        ["roles"] => names(SymbolKind::Role, None),
        ["roles", _] => words(&ROLE_KEYS),
        ["messages"] => names(SymbolKind::Message, None),
        ["messages", _] => words(&MESSAGE_KEYS),
        ["ignore", _] => words(&IGNORE_KEYS),
        ["messages", message, "fields" | "values"] => names(SymbolKind::Field, Some(message)),
        ["values"] => names(SymbolKind::Field, None),
        ["values", _] | ["messages", _, "values", _] => words(&VALUE_KEYS),
        ["hide"] => words(&HIDE_KEYS),
        ["logs"] => words(&LOG_KEYS),
        _ => Wanted::default(),
    }
}

/// The values of a key.
fn in_value(path: &[String], is_quoted: bool) -> Wanted {
    let mut wanted = match &texts(path)[..] {
        ["messages", _, "from" | "to"] => names(SymbolKind::Role, None),
        ["messages" | "ignore", _, "response"] => names(SymbolKind::Message, None),
        ["messages" | "ignore", _, "request"] => words(&METHODS),
        ["messages", _, "fields", ..] | ["session" | "id" | "op", ..] | ["hide", "noise"] => {
            words(&PLACES)
        }
        ["values", _, "format"] | ["messages", _, "values", _, "format"] => {
            words(&Format::ALL.map(Format::name))
        }
        ["logs", "open", ..] => words(&Opening::ALL.map(Opening::name)),
        ["messages", _, "dir"] => words(&["send", "recv"]),
        ["others"] => words(&OTHERS),
        ["logs", "time"] => words(&TIME_FORMS),
        ["logs", "lossy"] | ["hide", "keep-known-secrets"] => {
            return words(&["true", "false"]);
        }
        _ => Wanted::default(),
    };
    wanted.needs_quotes = !is_quoted;
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Wanted {
        let offset = text.find('^').expect("a mark");
        wanted(&text.replace('^', ""), offset)
    }

    #[test]
    fn keys_follow_their_tables() {
        assert_eq!(at("^").words, TOP_KEYS);
        assert_eq!(at("[roles.shop]\n^").words, ROLE_KEYS);
        assert_eq!(at("[messages.Ask]\nre^").words, MESSAGE_KEYS);
        assert_eq!(at("[ignore.health]\n^").words, IGNORE_KEYS);
        assert_eq!(at("[values.id]\n^").words, VALUE_KEYS);
        assert_eq!(at("[[logs]]\n^").words, LOG_KEYS);
        assert_eq!(at("[^").words, TABLES);
        assert_eq!(at("# [^"), Wanted::default());
        assert_eq!(
            at("[messages.Ask]\nnames = [\"a^"),
            Wanted {
                needs_quotes: false,
                ..Wanted::default()
            }
        );
    }

    #[test]
    fn names_come_from_the_model() {
        let field = |owner: Option<&str>| Some((SymbolKind::Field, owner.map(str::to_owned)));
        assert_eq!(at("[messages.^").names, Some((SymbolKind::Message, None)));
        assert_eq!(at("[messages.Ask.fields]\n^").names, field(Some("Ask")));
        assert_eq!(at("[messages.Ask]\nfields = { ^").names, field(Some("Ask")));
        assert_eq!(
            at("[messages.Ask]\nfields = { a = \"body.a\", ^").names,
            field(Some("Ask"))
        );
        assert_eq!(
            at("[messages.Ask]\nfrom = \"^").names,
            Some((SymbolKind::Role, None))
        );
        assert_eq!(at("[values.^").names, field(None));
        let place = at("[messages.Ask]\nfields = { a = \"^");
        assert_eq!((place.words, place.needs_quotes), (PLACES.to_vec(), false));
        assert!(at("[messages.Ask]\nfields = { a = ^").needs_quotes);
    }
}
