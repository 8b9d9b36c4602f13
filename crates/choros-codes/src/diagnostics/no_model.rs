//! A file that holds no model, where one is asked for.

use choros_base::{CodeInfo, Diagnostic, Severity};

/// The code.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH0963",
    name: "no-model",
    severity: Severity::Error,
    documentation: "\
## What it checks
A verb that looks into models gets files with models.

## Why it matters
Properties say what is asked of a model or a log; they have no states of their own.

## Example
```
choros explore shipping.prop
```

## Reference
`choros check shipping.prop --model shipping.stg` asks whether properties fit a model.
",
};

/// `path` holds something else; `hint` says what that is for, `FILE` standing for the path.
pub fn diagnostic(path: &str, words: &str, hint: &str) -> Diagnostic {
    let message = format!("`{path}` is a {words} and holds no model");
    Diagnostic::without_place(&CODE, message).note(hint.replace("FILE", path))
}
