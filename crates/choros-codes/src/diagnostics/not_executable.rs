//! A model that a program cannot follow.

use choros_base::{CodeInfo, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0932",
    name: "not-executable",
    severity: Severity::Error,
    documentation: "\
## What it checks
Everything in the model can be computed by a program in the requested language, and each role can tell its state from what it receives.

## Why it matters
A program must decide each condition with the values it has. It cannot try infinitely many, and numbers in Rust programs have 64 bits. A role that receives the same message on two branches and must then continue differently would have to guess; `--repair` adds the missing messages.

## Example
```
component big chorD
    a[p,q].<x> ; ( [x > 99999999999999999999] |> b[p,q] + [x <= 99999999999999999999] |> c[p,q] )
end component
```
has no program in Rust, and one in Python.

## Reference
`choros help project`: `--skeleton`.
",
};

/// `language` by its title.
pub fn message(choreography: &str, reason: &str, language: &str) -> String {
    format!("`{choreography}` has no program in {language}: {reason}")
}
