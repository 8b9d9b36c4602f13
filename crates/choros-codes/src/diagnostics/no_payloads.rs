//! A file that was to say what messages carry, and cannot.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0870",
    name: "no-payloads",
    severity: Severity::Error,
    documentation: "\
## What it checks
The file of `--payloads` is a model with data.

## Why it matters
Machines and g-choreographies know messages by name only, so they cannot say which fields a message has.

## Example
```
choros tests atm.gc --payloads atm.fsa --emit python -o tests
```

## Reference
A choreography in the native language (`.chor`) declares fields with their types, and conditions on them.
",
};

/// `words` say what is missing.
pub fn diagnostic(path: &str, words: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{path}` is a {words}, which does not say what messages carry"),
    )
    .note("a choreography in the native language (`.chor`) does")
}
