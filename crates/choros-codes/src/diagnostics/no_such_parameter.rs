//! `--param` for something that is not a parameter.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0904",
    name: "no-such-parameter",
    severity: Severity::Error,
    documentation: "\
## What it checks
`--param name=value` names a parameter of a model: a variable that is free in its first state.

## Why it matters
A misspelt parameter would silently stay open.

## Example
```
choros check shipping.schora --param yo=3      // y0
```

## Reference
`choros check` lists the parameters of each component.
",
};

/// What the text of a value is called among the sources.
pub fn source_of(name: &str) -> String {
    format!("--param {name}")
}

/// Nothing has this parameter.
pub fn diagnostic(name: &str, similar: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::without_place(&CODE, format!("nothing has a parameter `{name}`"));
    match similar {
        Some(similar) => diagnostic.note(format!(
            "a parameter with a similar name exists: `{similar}`"
        )),
        None => diagnostic,
    }
}
