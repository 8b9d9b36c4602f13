//! A field of an action that the message does not have.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0733",
    name: "unknown-field",
    severity: Severity::Error,
    documentation: "\
## What it checks
The names of fields in an action of a formula are those of the messages with its name, each is given once, and they are
at the same place in all of these messages.
Only messages of graphs have names of fields, and only where no abstraction rules make other actions of them.

## Why it matters
A field that does not exist cannot have a value.

## Example
```
AG [ Charge(amonut = $a) where $a < 0 ] false      // amount
```

## Reference
The chapter on formulas of the book.
",
};

/// No message with this name has the field.
pub(crate) fn diagnostic(
    span: Span,
    message: &str,
    field: &str,
    similar: Option<&str>,
) -> Diagnostic {
    let found = wrong(span, format!("`{message}` has no field `{field}`"));
    match similar {
        Some(similar) => found.note(format!("it has `{similar}`")),
        None => found,
    }
}

/// A datum is given twice, or there are more than the message has.
pub(crate) fn twice(span: Span, message: &str) -> Diagnostic {
    wrong(
        span,
        format!("a field of `{message}` is given twice, or it has fewer"),
    )
}

/// Messages with one name have the field at different places.
pub(crate) fn several(span: Span, message: &str) -> Diagnostic {
    let text = format!("messages called `{message}` have these fields at different places");
    wrong(span, text).note("use positions and `*`")
}

/// The model, or what abstraction rules make of it, has no names of fields.
pub fn nowhere(span: Span) -> Diagnostic {
    wrong(
        span,
        "the actions of this model have no names of fields".to_owned(),
    )
    .note("use positions and `*`; only graphs without abstraction rules have names of fields")
}

fn wrong(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(&CODE, message, span, "in this action")
}
