//! `FILE#name` with a name that the file does not have.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0903",
    name: "no-such-component",
    severity: Severity::Error,
    documentation: "\
## What it checks
`FILE#name` names a component that the file declares.

## Why it matters
Otherwise there is nothing to analyse.

## Example
```
choros explore shop.schora#vendro      // vendor
```

## Reference
`choros explore FILE` lists all components of a file.
",
};

/// The file has others.
pub fn diagnostic(path: &str, wanted: &str, similar: Option<&str>) -> Diagnostic {
    let diagnostic =
        Diagnostic::without_place(&CODE, format!("`{path}` has no component `{wanted}`"));
    match similar {
        Some(similar) => diagnostic.note(format!(
            "a component with a similar name exists: `{similar}`"
        )),
        None => diagnostic.note(format!("`choros explore {path}` lists its components")),
    }
}
