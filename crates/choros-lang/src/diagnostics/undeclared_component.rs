//! The name of a component that is not there.

use choros_base::{CodeInfo, Diagnostic, Severity, Span, nearest};

use super::quoted;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0101",
    name: "undeclared-component",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every component that a command or a composition names is declared in the script, before or after its use.

## Why it matters
The command has nothing to work on.
The other commands of the script are not affected.

## Example
```
DECLARATIONS
component shop chorD Request[b,v] end component
COMMANDS
showSTG shopping      // there is only `shop`
```

## Reference
Nguyen's thesis, Appendix A; Listing A.4 there has this mistake.
",
};

/// There is no component `name`.
pub(crate) fn diagnostic<'a>(
    span: Span,
    name: &str,
    declared: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("there is no component {}", quoted(name)),
        span,
        "not declared in this script",
    );
    match nearest(name, declared) {
        Some(similar) => diagnostic.suggest(
            "a component with a similar name exists",
            span,
            similar.to_owned(),
        ),
        None => diagnostic,
    }
}
