//! A generated file that stays as somebody left it.

use choros_base::{CodeInfo, Diagnostic, Severity};

/// The code.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH0931",
    name: "edited-file",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A file that is about to be generated is not there yet, or is as it was generated before.

## Why it matters
Generated code is there to be filled in, and generated anew when the model changes. What somebody wrote must not be lost
by that, so such a file stays as it is, and may now be behind the model.

## Example
```
choros project shop.chor#Shop --skeleton rust -o shop
$EDITOR shop/buyer.rs
choros project shop.chor#Shop --skeleton rust -o shop      // buyer.rs stays
```
To get the new text, move the file away, or generate into another folder and compare.

## Reference
The file `.choros-generated` in the folder holds a fingerprint of each file as it was generated.
",
};

/// `was_generated`: it is one of ours that was edited.
pub fn diagnostic(path: &str, was_generated: bool) -> Diagnostic {
    let why = if was_generated {
        "it was edited since it was generated"
    } else {
        "it is there and was not generated"
    };
    Diagnostic::without_place(&CODE, format!("`{path}` stays as it is: {why}"))
        .note("move it away to have it generated")
}
