//! Messages about which a file of payloads says nothing.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0962",
    name: "unmentioned-message",
    severity: Severity::Warning,
    documentation: "\
## What it checks
The model of `--payloads` has every message of the model that is tested.

## Why it matters
A message it does not have is emitted without fields, and tests send it empty.
Often one of the two models has a name that the other spells differently.

## Example
```
choros tests atm.gc --payloads bank.chor --emit python -o tests
```
warns of `withdraw` when `bank.chor` calls the message `Withdraw`.

## Reference
You can also write fields into the emitted file of types; it is kept when tests are emitted again.
",
};

/// Messages of the model that the file does not mention.
pub fn diagnostic(path: &str, messages: &[&str]) -> Diagnostic {
    let names: Vec<String> = messages.iter().map(|name| format!("`{name}`")).collect();
    Diagnostic::without_place(
        &CODE,
        format!("`{path}` does not say what {} carries", names.join(", ")),
    )
}
