//! A term that others would read differently.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

use super::MAX_FINDINGS;
use crate::ast::{Body, Operator, Process, ProcessKind, Processes, Script};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0107",
    name: "ambiguous-term",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Two mixes of operators need parentheses: `+` with `|`, and `[>` with any other binary operator.

## Why it matters
Here `+` binds tighter than `|`, and `[>` binds most loosely, as in the thesis that defines the language.
The SChorA tool gave `+` and `|` the same priority, from the left, and let `[>` bind tighter than guards; in most process algebras `|` binds tighter than `+`.
So the same text means different things to different readers.
There is no warning if all readings mean the same: a guard before a sequence, `[x > 0] |> A ; B`, applies only to the first step, with or without parentheses around the sequence.

## Example
```
A[a,b] | B[a,b] + C[a,b]          // here: A[a,b] | (B[a,b] + C[a,b])
[x > 0] |> A[a,b] [> B[a,b]       // here: ([x > 0] |> A[a,b]) [> B[a,b]
```

## Reference
Nguyen's thesis, section 3.1.2, for the priorities.
",
};

/// The terms of a script that others would read differently.
pub(crate) fn check(script: &Script, text: &str) -> Vec<Diagnostic> {
    script
        .components
        .iter()
        .filter_map(|component| match component.body {
            Body::Process(root) => Some(root),
            _ => None,
        })
        .flat_map(|root| script.processes.walk(root))
        .filter_map(|(_, process)| ambiguity(&script.processes, process, text))
        .take(MAX_FINDINGS)
        .collect()
}

fn ambiguity(processes: &Processes, process: &Process, text: &str) -> Option<Diagnostic> {
    let ProcessKind::Chain(operator, operands) = &process.kind else {
        return None;
    };
    let last = operands.len() - 1;
    let unclear: Vec<&Process> = operands
        .iter()
        .enumerate()
        .map(|(position, &id)| (position, processes.get(id)))
        .filter(|(position, operand)| {
            !operand.parenthesised
                && match (operator, &operand.kind) {
                    (Operator::Parallel, ProcessKind::Chain(inner, _)) => {
                        *inner == Operator::Choice
                    }
                    (Operator::Interruption, ProcessKind::Chain(..)) => true,
                    // A prefix at the very end has nothing after it that it could take in.
                    (Operator::Interruption, ProcessKind::Guarded(..) | ProcessKind::Loop(..)) => {
                        *position < last
                    }
                    _ => false,
                }
        })
        .map(|(_, operand)| operand)
        .collect();
    let first = unclear.first()?;
    let other = match &first.kind {
        ProcessKind::Chain(inner, _) => inner.text(),
        ProcessKind::Loop(..) => "*",
        _ => "|>",
    };
    let diagnostic = Diagnostic::new(
        &CODE,
        format!(
            "`{other}` and `{}` without parentheses can be read in two ways",
            operator.text()
        ),
        first.span,
        format!(
            "`{other}` binds tighter here: this is one operand of `{}`",
            operator.text()
        ),
    )
    .note("parentheses make it clear");
    Some(
        match with_parentheses(
            text,
            process.span,
            unclear.iter().map(|operand| operand.span),
        ) {
            Some(replacement) => {
                diagnostic.suggest("write it as Choros reads it", process.span, replacement)
            }
            None => diagnostic,
        },
    )
}

/// The text of `whole` with parentheses around each of `parts`; `None` when it is too long to be worth showing.
fn with_parentheses(text: &str, whole: Span, parts: impl Iterator<Item = Span>) -> Option<String> {
    const MAX_TEXT_LENGTH: usize = 2000;
    if whole.range().len() > MAX_TEXT_LENGTH {
        return None;
    }
    let mut out = String::new();
    let mut at = whole.range().start;
    for part in parts {
        let range = part.range();
        out.push_str(text.get(at..range.start)?);
        out.push('(');
        out.push_str(text.get(range.clone())?);
        out.push(')');
        at = range.end;
    }
    out.push_str(text.get(at..whole.range().end)?);
    Some(out)
}
