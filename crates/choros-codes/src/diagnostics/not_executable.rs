//! A model that a program cannot follow.

use choros_base::{CodeInfo, Severity};

/// The code.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH0932",
    name: "not-executable",
    severity: Severity::Error,
    documentation: "\
## What it checks
Everything in a model can be computed by a program of the language that was asked for, and a role can tell from what it
receives where it stands.

## Why it matters
A program has to decide each condition with the values at hand. It cannot look at infinitely many of them, and numbers
in Rust programs have 64 bits. A role that receives the same message on two branches and must then go on differently
would have to guess; `--repair` adds the messages that tell it.

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
