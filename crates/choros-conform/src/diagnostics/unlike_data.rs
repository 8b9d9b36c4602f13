//! A message that carries other data in the implementation than in the specification.

use choros_base::{CodeInfo, Diagnostic, Severity};
use choros_data::Terms;
use choros_model::stg::{Edge, FieldValue, Message, Stg};

use crate::matching::{pair_fields, same_heading};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0404",
    name: "unlike-data",
    severity: Severity::Warning,
    documentation: "\
## What it checks
A message of the specification that occurs in the implementation occurs there at least once with as many fields, the \
same labels, and the same sorts, free where it is free and bound where it is bound.

## Why it matters
Two messages match only if their data do.
If they never can, the question is settled before any value matters, usually by a mistake: a forgotten field, a number here and a word there, a new value (`<x>`) here and a known one (`x`) there.

## Example
```
component spec chorD Result[m,c].<out> end component
component impl chorD Order[c,m].<x>; Result[m,c].x end component
conformance impl spec
```
The specification leaves the result open, the implementation fixes it.
`--allow-fixed` lets it.

## Reference
H. N. Nguyen, *A Symbolic Approach for the Verification and the Test of Service Choreographies*, Definition 4: free \
events match free ones, bound events bound ones.
",
};

/// The findings, one per message.
pub fn diagnostics(
    implementation: &Stg,
    specification: &Stg,
    allow_fixed: bool,
    terms: &Terms,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (operation, from, to) in specification.alphabet() {
        let of = |stg: &'_ Stg| -> Vec<Edge> {
            stg.edges()
                .iter()
                .filter(|edge| {
                    edge.event
                        .message()
                        .is_some_and(|it| (it.operation, it.from, it.to) == (operation, from, to))
                })
                .cloned()
                .collect()
        };
        let (own, others) = (of(implementation), of(specification));
        let fits = own.iter().any(|own| {
            others.iter().any(|other| {
                let pair = own.event.message().zip(other.event.message());
                pair.is_some_and(|(own, other)| fit(own, other, allow_fixed, terms))
            })
        });
        let (false, Some(own), Some(other)) = (fits, own.first(), others.first()) else {
            continue;
        };
        let message = format!(
            "`{}` in `{}` never matches `{}` in `{}`",
            own.event.shown(terms),
            implementation.name(),
            other.event.shown(terms),
            specification.name()
        );
        let mut diagnostic = Diagnostic::without_place(&CODE, message);
        for (edge, label) in [
            (own, "in the implementation"),
            (other, "in the specification"),
        ] {
            if let Some(span) = edge.origin {
                diagnostic = diagnostic.label(span, label);
            }
        }
        found.push(diagnostic.note(
            "number, labels and sorts of the fields must agree, a free field matches a free one and a bound field a \
             bound one (`--allow-fixed` lets a free field of the implementation match a bound one)",
        ));
    }
    found
}

fn fit(own: &Message, other: &Message, allow_fixed: bool, terms: &Terms) -> bool {
    let Some(fields) = pair_fields(own, other).filter(|_| same_heading(own, other)) else {
        return false;
    };
    fields
        .iter()
        .all(|(own, other)| match (own.value, other.value) {
            (FieldValue::Free(own), FieldValue::Free(other)) => {
                terms.sort_of(own) == terms.sort_of(other)
            }
            (FieldValue::Bind(own), FieldValue::Bind(other)) => {
                terms.variable_sort(own) == terms.variable_sort(other)
            }
            (FieldValue::Free(own), FieldValue::Bind(other)) => {
                allow_fixed && terms.sort_of(own) == terms.variable_sort(other)
            }
            (FieldValue::Bind(_), FieldValue::Free(_)) => false,
        })
}
