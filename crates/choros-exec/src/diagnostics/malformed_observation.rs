//! A record of a log that does not have the form of its format.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1021",
    name: "malformed-observation",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Every record of a log has the form that the log has: a line of JSON is one object, an element of XML is closed, a record of CSV has as many cells as there are headings.

## Why it matters
A damaged record is not judged, and a window that it would have answered may fail because it is missing. It is counted and reported with its line; the rest of the log is read. `--strict` ends the run at the first.

## Example
```
{\"by\":\"s\",\"dir\":\"recv\",\"from\":\"c\",\"to\":\"s\",\"op\":\"Requ
```

## Reference
Only the fields that properties use are parsed: garbage inside other values is not found.
",
};
