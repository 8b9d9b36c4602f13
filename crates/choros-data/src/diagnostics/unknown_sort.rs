//! A sort that no one declared.

use choros_base::{CodeInfo, Diagnostic, Severity, Span, nearest};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0010",
    name: "unknown-sort",
    severity: Severity::Error,
    documentation: "\
## What it checks
A sort is `Bool`, `Int`, `Real`, `String`, `Symbol`, `List(…)`, a record `{label: sort}`, or one that is declared.

## Why it matters
Values of an unknown sort could not be compared with anything.

## Example
```
variables x: Integer      // `Int`
```

## Reference
The sorts are described in the documentation of `choros-data`.
",
};

/// No sort has this name.
pub(crate) fn diagnostic<'a>(
    span: Span,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &CODE,
        format!("there is no sort `{name}`"),
        span,
        "unknown sort",
    );
    let known: Vec<&str> = known.into_iter().collect();
    let lower = name.to_lowercase();
    let synonym = SYNONYMS.iter().find(|(other, _)| *other == lower);
    match (nearest(name, known.iter().copied()), synonym) {
        (Some(similar), _) => {
            diagnostic.suggest("a sort with a similar name exists", span, similar)
        }
        (None, Some((_, own))) => {
            diagnostic.suggest(format!("it is called `{own}` here"), span, *own)
        }
        (None, None) => {
            let named: Vec<String> = known.iter().map(|it| format!("`{it}`")).collect();
            diagnostic.note(format!("the sorts are {}", named.join(", ")))
        }
    }
}

/// Types of other languages, and what they are called here.
const SYNONYMS: [(&str, &str); 15] = [
    ("boolean", "Bool"),
    ("date", "String"),
    ("datetime", "String"),
    ("decimal", "Real"),
    ("double", "Real"),
    ("float", "Real"),
    ("int32", "Int"),
    ("int64", "Int"),
    ("integer", "Int"),
    ("long", "Int"),
    ("money", "Real"),
    ("number", "Real"),
    ("str", "String"),
    ("text", "String"),
    ("uuid", "String"),
];
