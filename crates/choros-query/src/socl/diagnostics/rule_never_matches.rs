//! A rule that matches nothing in the model.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0712",
    name: "rule-never-matches",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Every abstraction rule matches some action or state of the model, as far as it was explored.

## Why it matters
A misspelt operation or a tuple of the wrong length makes a rule that is never used.
Formulas about its actions are then true or false for the wrong reason.

## Example
```
Action *.rentCarNotification,<fail,*,*,$id> -> responseFail(ra,$id)     // the message has three parts
```

## Reference
Fantechi et al., section 7.1, has such a rule; its verdicts do not depend on it.
The check is made when the whole model was explored.
",
};

/// `hint` says what would match instead, if anything.
pub fn diagnostic(span: Span, rule: &str, hint: Option<String>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("rule `{rule}` matches nothing in the model"),
        span,
        "never used",
    );
    match hint {
        Some(hint) => diagnostic.note(hint),
        None => diagnostic,
    }
}
