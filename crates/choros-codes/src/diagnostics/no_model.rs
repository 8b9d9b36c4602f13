//! A file that holds no model, where one is asked for.

use choros_base::{CodeInfo, Diagnostic, Severity};

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

pub const PROPERTIES: &str = "`choros check FILE --model MODEL` asks whether they fit a model";
/// What abstraction rules are for.
pub const RULES: &str = "`choros verify MODEL --rules FILE` uses them";
pub const FORMULAS: &str = "`choros verify MODEL --formulas FILE` asks whether they hold";
/// What a test purpose is for.
pub const PURPOSE: &str = "`choros tests MODEL --purpose FILE` makes tests for it";
pub const BINDING: &str = "`choros check FILE` compares it with the model that it names";
pub const CONTRACTS: &str = "`choros tests MODEL --contracts FILE` uses them";

/// `path` holds something else; `hint` says what that is for, `FILE` standing for the path.
pub fn diagnostic(path: &str, words: &str, hint: &str) -> Diagnostic {
    let message = format!("`{path}` is a {words} and holds no model");
    Diagnostic::without_place(&CODE, message).note(hint.replace("FILE", path))
}

/// Who asks whether formulas hold.
pub fn formulas_are_asked(path: &str) -> String {
    format!("`choros verify MODEL --formulas {path}` asks whether they hold")
}

/// Who uses abstraction rules.
pub fn rules_are_used(path: &str) -> String {
    format!("`choros verify MODEL --rules {path}` uses them")
}
