//! A generated file that stays as someone left it.

use choros_base::{CodeInfo, Diagnostic, FileFate, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0931",
    name: "edited-file",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A file that is about to be generated is not there yet, or is as it was generated before.

## Why it matters
Generated code is meant to be filled in, and is generated again when the model changes. Your edits must not be lost, so an edited file is left unchanged and may now be out of date.

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

/// What there is to say about a generated file that stays as it is.
pub fn kept_file(path: &str, fate: FileFate) -> Option<Diagnostic> {
    let why = match fate {
        FileFate::Written | FileFate::Unchanged => return None,
        FileFate::Edited => "it was edited since it was generated",
        FileFate::Foreign => "it is there and was not generated",
    };
    let finding = Diagnostic::without_place(&CODE, format!("`{path}` is left unchanged: {why}"));
    Some(finding.note("move it away to have it generated"))
}
