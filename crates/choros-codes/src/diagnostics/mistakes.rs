//! A component that cannot be used because of mistakes in it.

use choros_base::{CodeInfo, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0907",
    name: "component-with-mistakes",
    severity: Severity::Error,
    documentation: "\
## What it checks
A command of a script names components that were read without mistakes.

## Why it matters
An answer about half a component would be wrong.
The mistakes themselves are reported where they are; commands about other components still run.

## Example
```
component shop chorD Request[b, end component
COMMANDS showStat shop
```

## Reference
`choros check` lists all mistakes of a file.
",
};

/// One line for a report.
pub fn message(component: &str) -> String {
    format!("`{component}` has mistakes")
}
