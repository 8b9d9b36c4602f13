//! A binding that cannot be used.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0969",
    name: "unusable-binding",
    severity: Severity::Error,
    documentation: "\
## What it checks
A binding (`.bind.toml`) is TOML, has only keys that mean something, and each value is what its key asks for: places, requests, statuses, formats. If it names its model, roles, messages and fields are those of the model.

## Why it matters
A misspelt key would do nothing: records would not be recognised, a correct service would fail, or a log would contain what should be kept out of it.

## Example
```toml
[messages.PlaceOrder]
requst = \"POST /orders\"              # request
fields = { qty = \"bdy.quantity\" }    # body.quantity
```

## Reference
The book's page on bindings; docs/schema/binding.schema.json lists all keys.
",
};

/// A mistake at a place; `label` says what is wrong just there.
pub fn at(place: Span, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&CODE, message, place, label)
}

/// A key that is not known in a table; `whose` is the table as the user sees it.
pub fn unknown_key(whose: &str, key: &str, known: &[&str], place: Span) -> Diagnostic {
    let found = at(
        place,
        format!("{whose} has no key `{key}`"),
        "not known here",
    );
    match choros_base::nearest(key, known.iter().copied()) {
        Some(similar) => found.suggest(format!("did you mean `{similar}`?"), place, similar),
        None => found.note(format!("it has: {}", known.join(", "))),
    }
}

/// A name that is none of the known ones.
pub fn unknown_name(what: &str, name: &str, known: &[&str], place: Span) -> Diagnostic {
    let found = at(
        place,
        format!("the model has no {what} `{name}`"),
        "not in the model",
    );
    match choros_base::nearest(name, known.iter().copied()) {
        Some(similar) => found.suggest(format!("did you mean `{similar}`?"), place, similar),
        None if known.is_empty() => found,
        None => found.note(format!("it has: {}", known.join(", "))),
    }
}

/// A draft, where what is asked for would outlive it.
pub fn draft(path: &str, why: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{path}` is a draft: {why}"))
        .note("finish it, and remove `draft` from it")
}

/// It does not fit the model.
pub fn whole(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("{path}: {reason}"))
}
