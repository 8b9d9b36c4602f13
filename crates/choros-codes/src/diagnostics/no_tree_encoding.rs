//! A problem that has no tree encoding.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0990",
    name: "no-tree-encoding",
    severity: Severity::Error,
    documentation: "\
## What it checks
With `--smt2`, every variable has a type of fixed shape (truth values, numbers, strings, records of these), and the constraint uses no operation that the tree encoding lacks.

## Why it matters
The encoding creates one variable per leaf, so it has to know all leaves beforehand; a list can have any number of them.
The problem can still be solved without `--smt2`.

## Example
```
var xs: List(Int)
assert length(xs) == 2
```

## Reference
Bentakouk, *Symbolic Testing Approach of Composite Web Services*, section 4.2.5 and Algorithms 12 to 14.
",
};

/// `what` cannot be encoded.
pub fn diagnostic(path: &str, what: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{path}` has no tree encoding: {what}"))
}
