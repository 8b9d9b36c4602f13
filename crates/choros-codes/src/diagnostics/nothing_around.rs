//! `--around` with a name that the picture does not have.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0923",
    name: "nothing-around",
    severity: Severity::Error,
    documentation: "\
## What it checks
`--around NAME` names a state, a message or a role of the model that is drawn.

## Why it matters
Otherwise the part to draw is unknown.

## Example
```
choros draw shop.chor --around Chrage      // Charge
```

## Reference
`choros draw FILE` shows the names of messages and roles; `--style graph` shows the names of states.
",
};

/// The picture has other names.
pub fn diagnostic(
    drawn: &str,
    wanted: &str,
    similar: Option<&str>,
    known: &[String],
) -> Diagnostic {
    let message = format!("`{drawn}` has no message, role or state `{wanted}`");
    let diagnostic = Diagnostic::without_place(&CODE, message);
    match similar {
        Some(similar) => diagnostic.note(format!("a similar name exists: `{similar}`")),
        None if known.is_empty() => diagnostic,
        None => {
            let named = known.iter().take(MOST_NAMES).map(|it| format!("`{it}`"));
            let named: Vec<String> = named.collect();
            let more = match known.len().saturating_sub(MOST_NAMES) {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            diagnostic.note(format!("it has {}{more}", named.join(", ")))
        }
    }
}

/// More names make a list that no one reads.
const MOST_NAMES: usize = 12;
