//! A file that holds no model, where one is asked for.

use choros_base::{CodeInfo, Diagnostic, Severity};

use crate::FileKind;

pub(crate) static CODE: CodeInfo = CodeInfo {
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

/// `path` is of a kind that has no model.
pub(crate) fn diagnostic(path: &str, kind: FileKind) -> Diagnostic {
    let message = format!("`{path}` is a {} and holds no model", kind.words());
    let ask = match kind {
        FileKind::Formulas => {
            format!("`choros verify MODEL --formulas {path}` asks whether they hold")
        }
        FileKind::Rules => format!("`choros verify MODEL --rules {path}` uses them"),
        FileKind::Purpose => format!("`choros tests MODEL --purpose {path}` makes tests for it"),
        FileKind::Contract => format!("`choros tests MODEL --contracts {path}` uses them"),
        _ => format!("`choros check {path} --model MODEL` asks whether they fit a model"),
    };
    Diagnostic::without_place(&CODE, message).note(ask)
}
