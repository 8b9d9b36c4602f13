//! A pair of services that the proxy cannot stand between.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0981",
    name: "capture-route",
    severity: Severity::Error,
    documentation: "\
## What it checks
Each pair of services has an address to listen on, the address of the service, and two different names.

## Why it matters
The proxy writes down who sent what to whom; with a wrong name every line of the log would be wrong.

## Example
```
choros capture --listen 127.0.0.1:8001 --forward http://127.0.0.1:8080 --as c,s -o s.jsonl
```

## Reference
For several pairs, repeat `--listen`, `--forward` and `--as`; they belong together in the order in which they are
given.
",
};

/// The names are not two.
pub fn no_pair(names: &str) -> Diagnostic {
    diagnostic(format!(
        "`--as {names}` names no pair: expected two different names such as `c,s`"
    ))
}

/// There is nothing to listen on.
pub fn no_address(listen: &str) -> Diagnostic {
    diagnostic(format!(
        "`--listen {listen}` is not an address: expected `host:port` or `:port`"
    ))
}

/// What is wrong with it.
pub fn diagnostic(reason: String) -> Diagnostic {
    Diagnostic::without_place(&CODE, reason)
}
