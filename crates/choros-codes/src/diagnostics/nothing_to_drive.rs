//! A model without a path to drive.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1250",
    name: "nothing-to-drive",
    severity: Severity::Error,
    documentation: "\
## What it checks
There is at least one path of the model that a tester can follow.

## Why it matters
A run without tests says nothing about the service.

## Example
```
choros drive loan.bpel -k 1        no path of one event reaches an end: raise the bound
```

## Reference
Bentakouk, Section 3.4.1: the length of paths.
",
};

/// `model` is what has no path.
pub fn diagnostic(model: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{model}` has no path that can be driven"))
        .note("raise the bound with `--depth`, or add `--incomplete`")
}
