//! A mapping of an earlier version.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0976",
    name: "old-mapping",
    severity: Severity::Information,
    documentation: "\
## What it checks
The messages of a model are bound by a binding (`.bind.toml`), which all verbs read.

## Why it matters
Mappings in JSON were for one verb each and did not know each other. They are read as before; one binding says everything once.

## Example
```
choros bind --from shop.json --from capture.json > shop.bind.toml
choros drive shop.chor --binding shop.bind.toml
```

## Reference
The book's page on bindings.
",
};

pub fn diagnostic(path: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("{path} is a mapping of an earlier version")).note(
        format!("`choros bind --from {path}` writes it as a binding"),
    )
}
