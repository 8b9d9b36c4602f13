//! A command that does not get what it needs.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use crate::ast::{Command, CommandKind, Mode};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0109",
    name: "command-arguments",
    severity: Severity::Error,
    documentation: "\
## What it checks
`showTime` takes no arguments; `showStat`, `showSTG` and `showReachableSTG` are followed by one or more components; `showRealizableSTG` and `projection` by one or more components and a communication mode; `conformance` by an implementation and a specification.

## Why it matters
The command cannot be carried out.
The other commands of the script are not affected.

## Example
```
COMMANDS
projection shop            // SYNC, ASYNC_SENDER, ASYNC_RECEIVER or ASYNC_DISJOINT is missing
conformance services       // conforms to what?
```

## Reference
Nguyen's thesis, Listing A.3.
",
};

/// What is wrong with the arguments of a command whose keyword stands at `span`.
pub(crate) fn check(kind: CommandKind, command: &Command, span: Span) -> Option<Diagnostic> {
    let count = command.arguments.len();
    let needed = match kind {
        CommandKind::ShowTime => (count > 0).then_some("no components"),
        CommandKind::Conformance => {
            (count != 2).then_some("two components: an implementation and a specification")
        }
        _ => (count == 0).then_some("one or more components"),
    };
    let modes = Mode::ALL.map(Mode::text).join(", ");
    let problem = match (needed, kind.has_mode(), command.mode) {
        (Some(needed), ..) => format!("`{}` takes {needed}", kind.text()),
        (None, true, None) => format!(
            "`{}` takes a communication mode after its components",
            kind.text()
        ),
        (None, false, Some(mode)) => format!(
            "`{}` takes no communication mode such as `{}`",
            kind.text(),
            mode.text()
        ),
        _ => return None,
    };
    let diagnostic = Diagnostic::new(&CODE, problem, span, "in this command");
    Some(if kind.has_mode() && command.mode.is_none() {
        diagnostic.note(format!("the modes are {modes}"))
    } else {
        diagnostic
    })
}
