//! A mapping that cannot be used.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0966",
    name: "unusable-mapping",
    severity: Severity::Error,
    documentation: "\
## What it checks
A mapping can be read, is one JSON object, and has only keys that mean something; rules of redaction are paths.

## Why it matters
A misspelt key would do nothing: observations would be wrong, a correct service would fail, or a log would contain what should be kept out of it.

## Example
```
{ \"operation\": \"message.name\" }      // of logs it is \"op\", of a driven service \"operations\"
```

## Reference
Mappings in JSON are the old form of bindings: `choros bind --from FILE` translates one, and the book's page on bindings has the keys.
",
};

/// What was given is not a rule of redaction.
pub fn no_redaction(wrong: &[String]) -> Diagnostic {
    let reason = format!(
        "these are not rules of redaction: {}; expected paths such as `card` or `*.password`",
        wrong.join(", ")
    );
    diagnostic("--redact", &reason)
}

/// It hides values under a key that is gone after a restart.
pub fn forgetful(path: &str) -> Diagnostic {
    let reason = "`redact` cannot be used with --state: hidden values cannot be compared with those of an earlier run";
    diagnostic(path, reason)
}

/// `path` names the file, or the option.
pub fn diagnostic(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(&CODE, format!("{path}: {reason}"))
}
