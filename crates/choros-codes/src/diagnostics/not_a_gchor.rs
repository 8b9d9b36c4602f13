//! An option for g-choreographies on something else.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0951",
    name: "not-a-g-choreography",
    severity: Severity::Error,
    documentation: "\
## What it checks
`--pomsets` and `--unfold` are asked of g-choreographies, `.gc`.

## Why it matters
Other models have no pomsets, and an option that is silently ignored looks like an answer.

## Example
```
choros explore shop.chor --pomsets
```

## Reference
The book, chapter on g-choreographies.
",
};

/// The option means nothing for this file.
pub fn diagnostic(path: &str, option: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{option}` is for g-choreographies, and `{path}` is not a `.gc` file"),
    )
}
