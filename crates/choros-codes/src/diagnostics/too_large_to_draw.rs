//! A graph that would make no readable picture.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0921",
    name: "too-large-to-draw",
    severity: Severity::Error,
    documentation: "\
## What it checks
A picture of all states is only drawn of a graph that can be laid out in a few seconds.

## Why it matters
No one reads a picture of many thousand states, and the time to draw it grows faster than the graph: lines
that pass many rows bend in each of them.

## Example
```
choros draw services.schora#all --whole -o all.svg    // 40,000 states
choros draw services.schora#all -o all.svg            // folded: groups of states are boxes
choros draw services.schora#all -o all.dot            // for a tool that draws large graphs
```

## Reference
K. Sugiyama, S. Tagawa, M. Toda, \"Methods for Visual Understanding of Hierarchical System Structures\" (1981).
",
};

/// The advice is in the refusal.
pub fn diagnostic(name: &str, refusal: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("`{name}`: {refusal}"))
}
