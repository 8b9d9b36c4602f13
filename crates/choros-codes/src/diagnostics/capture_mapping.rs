//! A mapping file that the proxy cannot use.

use choros_base::{CodeInfo, Diagnostic, Severity};

/// The code.
pub static CODE: CodeInfo = CodeInfo {
    code: "CH0980",
    name: "capture-mapping",
    severity: Severity::Error,
    documentation: "\
## What it checks
The mapping of `choros capture` is one JSON object with the keys `op`, `id`, `session`, `redact` and `messages`, and
its rules of redaction are paths.

## Why it matters
A misspelt rule of redaction would let through what it was meant to hold back, so nothing is captured until the file
is understood whole.

## Example
```
{ \"session\": \"header.X-Session\",
  \"redact\": \"card, *.password\",
  \"messages\": { \"POST /quote\": { \"request\": \"Request\", \"response\": \"Response\" },
                \"GET /health\": { \"request\": null, \"response\": null } } }
```

## Reference
The chapter on capturing traffic in the book.
",
};

/// `path` names the file, or the option.
pub fn diagnostic(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("{path}: {reason}"))
}
