//! `.bind.toml`: how messages look outside.
//!
//! It has no form of its own: people line up comments and values as they like.

use choros_codes::diagnostics::no_model;
use choros_syntax::{Comments, Lexicon};

use super::{Language, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "bind",
    declares_integers: false,
    reader: Reader::NoModel(no_model::BINDING),
    formatter: None,
    lexicon: &LEXICON,
    inspect: None,
};

/// The words of bindings.
static LEXICON: Lexicon = Lexicon {
    comments: Comments {
        lines: &["#"],
        blocks: &[],
    },
    keywords: &[
        "schema",
        "model",
        "session",
        "id",
        "op",
        "others",
        "roles",
        "messages",
        "values",
        "hide",
        "logs",
        "address",
        "listen",
        "names",
        "headers",
        "request",
        "response",
        "status",
        "topic",
        "from",
        "to",
        "when",
        "fields",
        "format",
        "examples",
        "secret",
        "noise",
        "keep-known-secrets",
        "files",
        "form",
        "at",
        "time",
        "by",
        "dir",
        "send",
        "recv",
        "method",
        "path",
        "body",
        "open",
        "element",
        "lossy",
    ],
    values: &["true", "false"],
    ..Lexicon::EMPTY
};
