//! A graph that is not the view of one role, where one is tested.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0994",
    name: "not-one-role",
    severity: Severity::Error,
    documentation: "\
## What it checks
Symbolic tests are made for one service: all messages of its graph are sent or received by it.

## Why it matters
A tester plays the others.
A choreography shows all roles at once, so none of them is under test.

## Example
```
choros tests shop.chor#shop               // a choreography: name the service with --role vendor
```

## Reference
`choros project` shows what each role of a choreography does.
",
};

/// The component has no side of its own.
pub fn diagnostic(component: &str) -> Diagnostic {
    Diagnostic::without_place(
        &CODE,
        format!("`{component}` is not the view of one role, so there is no service to test"),
    )
    .note("of a choreography, `--role R` tests the projection on R")
}

/// No such role takes part.
pub fn no_partner(component: &str, role: &str, similar: Option<&str>) -> Diagnostic {
    let found =
        Diagnostic::without_place(&CODE, format!("`{role}` is not a partner of `{component}`"));
    match similar {
        Some(similar) => found.note(format!("there is a partner `{similar}`")),
        None => found,
    }
}
