//! Sessions that differ by a field, or share a variable, that is not there.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0905",
    name: "no-such-session-name",
    severity: Severity::Error,
    documentation: "\
## What it checks
`--by FIELD` names a field of some message, and `--sharing NAME` a variable of the model; so do `by` and `sharing` of `sessions` in a `.chor` file.

## Why it matters
With a misspelt name, sessions would look alike, or share nothing.

## Example
```
choros realize saga.chor --sessions 2 --by ID      // id
```

## Reference
The chapter on sessions in the book.
",
};

/// No message has this field.
pub fn field(model: &str, name: &str, similar: Option<&str>) -> Diagnostic {
    let message =
        format!("no message of `{model}` has a field `{name}`, by which sessions are to differ");
    advised(message, "field", similar)
}

/// No variable is called so.
pub fn variable(model: &str, name: &str, similar: Option<&str>) -> Diagnostic {
    let message = format!("`{model}` has no variable `{name}` that sessions could share");
    advised(message, "variable", similar)
}

fn advised(message: String, what: &str, similar: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::without_place(&CODE, message);
    match similar {
        Some(similar) => {
            diagnostic.note(format!("a {what} with a similar name exists: `{similar}`"))
        }
        None => diagnostic,
    }
}
