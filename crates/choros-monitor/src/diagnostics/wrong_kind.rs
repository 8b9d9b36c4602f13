//! A value of a kind that a condition cannot use.

use choros_base::{CodeInfo, Severity};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH1029",
    name: "wrong-kind",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A value that a condition uses as a number, a text or a truth value is one.

## Why it matters
Such a message does not validate its candidate event, whatever else its condition says: an answer may seem to be missing, and a forbidden message may go unseen.

## Example
```
{\"op\":\"Response\",\"data\":{\"fee\":\"six\"},…}      // where fee == 2 * weight
```

## Reference
In formats without types (XML, CSV) characters are read as what is asked for.
",
};
