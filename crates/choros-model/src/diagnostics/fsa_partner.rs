//! A machine talks to a partner that is not there.

use choros_base::{CodeInfo, Diagnostic, Severity, Span, nearest};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0831",
    name: "fsa-partner",
    severity: Severity::Error,
    documentation: "\
## What it checks
The partner of a transition is a machine of the file: its number, counted from 0 in the order of the blocks, or its name.

## Why it matters
A message to a machine that does not exist is never received; usually the number is off by one.

## Example
```
.outputs A
.state graph
0 2 ! hello 1
.marking 0
.end
.outputs B
.state graph
0 0 ? hello 1
.marking 0
.end
```
There are two machines, 0 and 1.

## Reference
The `.fsa` form of ChorGram numbers partners by their block, from 0.
",
};

/// No machine is called `partner`; `known` are.
pub(crate) fn diagnostic(span: Span, partner: &str, known: &[&str]) -> Diagnostic {
    let listed: Vec<String> = known
        .iter()
        .enumerate()
        .take(MAX_LISTED)
        .map(|(number, name)| format!("{number} is `{name}`"))
        .collect();
    let more = if known.len() > MAX_LISTED {
        ", …"
    } else {
        ""
    };
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("there is no machine `{partner}`"),
        span,
        "this transition is left out",
    )
    .note(format!("machines: {}{more}", listed.join(", ")));
    match nearest(partner, known.iter().copied()) {
        Some(near) => diagnostic.suggest("a machine with a similar name exists", span, near),
        None => diagnostic,
    }
}

/// A longer list helps no one.
const MAX_LISTED: usize = 10;
