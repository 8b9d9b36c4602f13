//! A transition of a purpose that no run of the model takes.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1211",
    name: "unfulfilled-purpose",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Every transition of a test purpose, except `*`, is on some run of the model, within the bound on depth.

## Why it matters
The symbolic traces of a purpose should be traces of the model: no test can ask for something that no run does.

## Example
```
T0 -> T1: USER.select?s
T1 -> T2: [s.offerCode > 0 and s.offerCode < 0] tau     // no run gets here
```

## Reference
Bentakouk, \"Symbolic Testing Approach of Composite Web Services\", section 3.3.3: consistency of a purpose with its model.
`--depth` raises the bound.
",
};

/// No run within the bound takes the transition.
pub fn diagnostic(span: Span, depth: u32, complete: bool) -> Diagnostic {
    let (message, label) = if complete {
        (
            "no run of the model takes this transition of the purpose".to_owned(),
            "whatever the data",
        )
    } else {
        (
            format!(
                "no run of the model with at most {depth} events takes this transition of the purpose"
            ),
            "`--depth` raises the bound",
        )
    };
    Diagnostic::new(&CODE, message, span, label)
}
