//! Two logs of one role that tell of one session.

use choros_base::{CodeInfo, Diagnostic, Severity};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0972",
    name: "role-logged-twice",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A role may have several logs, one per instance, but each session is in only one of them.

## Why it matters
The order of records in two logs of one service is unknown, and the order is what is judged, so such a session cannot be judged.

## Example
```
choros audit order.pact --log 1=monday.jsonl --log 1=tuesday.jsonl
```

## Reference
Join logs that follow each other into one file, the older one first; or use `--order time` to order them by their clocks, or `--correlate` to separate sessions.
",
};

/// This many sessions are named.
const SHOWN_SESSIONS: usize = 3;

/// A session of which two logs tell.
#[derive(Debug, Clone, Copy)]
pub struct TwiceLogged<'a> {
    /// The logs.
    pub sources: [&'a str; 2],
    /// Empty where there is only one.
    pub session: &'a str,
    /// Who saw it.
    pub role: &'a str,
}

/// Sessions of which several logs tell.
pub fn diagnostics(torn: &[TwiceLogged<'_>]) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = torn.iter().take(SHOWN_SESSIONS).map(diagnostic).collect();
    if torn.len() > SHOWN_SESSIONS
        && let Some(last) = found.pop()
    {
        let others = torn.len() - SHOWN_SESSIONS;
        found.push(last.note(format!("so it is with {others} other sessions")));
    }
    found
}

fn diagnostic(torn: &TwiceLogged<'_>) -> Diagnostic {
    let [first, other] = torn.sources;
    let session = match torn.session {
        "" => "the only session".to_owned(),
        session => format!("session `{session}`"),
    };
    let role = torn.role;
    let message = format!("`{first}` and `{other}` both record what `{role}` saw of {session}");
    Diagnostic::without_place(&CODE, message)
        .note("put logs that follow each other into one file, the older one first, or choose --order time")
}
