//! Choice and parallel side by side in Chor.

use choros_base::{CodeInfo, Diagnostic, Severity};

use super::MAX_FINDINGS;
use crate::ast::{Operator, ProcessKind, Processes};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0140",
    name: "mixed-operators",
    severity: Severity::Warning,
    documentation: "\
## What it checks
In Chor, `[]` and `|` are not mixed without parentheses.

## Why it matters
Choice and parallel have the same precedence there and are read from the left, which few readers expect: in other languages one of them binds tighter.

## Example
```
a[1,2] [] b[1,2] | c[2,1]           // here: (a[1,2] [] b[1,2]) | c[2,1]
```

## Reference
Nguyen's thesis, section 4.1.1: `;` binds strongest, the other two alike.
",
};

/// Finds the mixes.
pub(crate) fn check(processes: &Processes, diagnostics: &mut Vec<Diagnostic>) {
    for process in processes.all() {
        let ProcessKind::Chain(operator, operands) = &process.kind else {
            continue;
        };
        let other = match operator {
            Operator::Choice => Operator::Parallel,
            Operator::Parallel => Operator::Choice,
            _ => continue,
        };
        let unclear = operands
            .iter()
            .map(|&operand| processes.get(operand))
            .find(|operand| {
                !operand.parenthesised
                    && matches!(&operand.kind, ProcessKind::Chain(inner, _) if *inner == other)
            });
        if let Some(operand) = unclear {
            diagnostics.push(
                Diagnostic::new(
                    &CODE,
                    format!(
                        "`{}` and `{}` are mixed without parentheses; they are read from the left",
                        sign(other),
                        sign(*operator)
                    ),
                    operand.span,
                    format!("this is one operand of `{}`", sign(*operator)),
                )
                .note("parentheses make it clear"),
            );
        }
        if diagnostics.len() >= MAX_FINDINGS {
            return;
        }
    }
}

fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Choice => "[]",
        other => other.text(),
    }
}
