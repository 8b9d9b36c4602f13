//! A path of a mapping at which no record has anything.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH1032",
    name: "absent-path",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A path that a mapping names for time, identity, session or data has a value in some record, and so has a part of a message that a property names.

## Why it matters
A misspelt path gives observations without that part, so it cannot be checked:
a message that must not come would go unseen, and one that must would be missed.

## Example
```
{\"data\": \"value.paylod\"}      // the records have value.payload
```

## Reference
Answers that need the part are *unknown*.
",
};

/// No record of this log has anything at this path.
pub fn diagnostic(log: &str, part: &str, path: &str, records: usize) -> Diagnostic {
    let records = match records {
        1 => "its only record".to_owned(),
        records => format!("any of its {records} records"),
    };
    Diagnostic::without_place(
        &CODE,
        format!("`{log}` has no {part} at `{path}` in {records}"),
    )
}

/// No record of a message has a part that properties name.
pub fn of_message(message: &str, part: &str, records: u64) -> Diagnostic {
    let records = match records {
        1 => "its only record".to_owned(),
        records => format!("any of its {records} records"),
    };
    Diagnostic::without_place(
        &CODE,
        format!("`{message}` has no `{part}` in {records}, and a property names it"),
    )
}
