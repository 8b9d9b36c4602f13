//! A word that is not a command.

use choros_base::{CodeInfo, Diagnostic, Severity, Span, nearest};

use super::quoted;
use crate::ast::CommandKind;

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0108",
    name: "unknown-command",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every command after `COMMANDS` is one of `showTime`, `showStat`, `showSTG`, `showReachableSTG`, `showRealizableSTG`, `projection` and `conformance`.

## Why it matters
The command is not known.
The other commands of the script are not affected.

## Example
```
COMMANDS
showStats shop      // it is `showStat`
```

## Reference
Nguyen's thesis, Listing A.3.
",
};

/// `word` is not a command.
pub(crate) fn diagnostic(span: Span, word: &str) -> Diagnostic {
    let commands = CommandKind::ALL.map(CommandKind::text);
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("there is no command {}", quoted(word)),
        span,
        "not a command",
    );
    match nearest(word, commands) {
        Some(similar) => diagnostic.suggest(
            "a command with a similar name exists",
            span,
            similar.to_owned(),
        ),
        None => diagnostic.note(format!("the commands are {}", commands.join(", "))),
    }
}
