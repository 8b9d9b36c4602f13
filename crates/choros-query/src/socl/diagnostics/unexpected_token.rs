//! A word or sign that fits nowhere.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0701",
    name: "unexpected-in-question",
    severity: Severity::Error,
    documentation: "\
## What it checks
A formula, a file of formulas or a set of abstraction rules follows its grammar.

## Why it matters
What cannot be read cannot be asked.
The other formulas and rules of the file are read, so that all mistakes are shown at once.

## Example
```
AG [ request(charge,$v ] true            // the ) is missing
```

## Reference
The languages of `.socl` and `.abs` files are in the book.
SocL: Fantechi, Gnesi, Lapadula, Mazzanti, Pugliese, Tiezzi, \"A Logical Verification Methodology for
Service-Oriented Computing\", definition 2.13.
",
};

/// `found` is `None` at the end of the text.
pub(crate) fn diagnostic(span: Span, expected: &str, found: Option<&str>) -> Diagnostic {
    let message = match found {
        Some(found) => format!("expected {expected}, found `{found}`"),
        None => format!("expected {expected}, but the text ends here"),
    };
    Diagnostic::new(&CODE, message, span, format!("expected {expected}"))
}
