//! A term of one sort where another is needed.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};

pub(crate) static CODE: CodeInfo = CodeInfo {
    code: "CH0002",
    name: "sort-mismatch",
    severity: Severity::Error,
    documentation: "\
## What it checks
Every operator gets operands of the sorts it is defined on, and every variable has one sort throughout its model.

## Why it matters
A comparison of a number with a string is never what was meant, and a solver must not see it.

## Example
```
[x < \"abc\"] |> Confirm[v,b]      // `<` compares numbers
```

## Reference
Numbers that nothing else constrains are Int in models and Real in properties; `/` divides Reals, `div` and `mod` Ints.
",
};

/// What is known of a sort and from where.
pub(crate) struct Known {
    /// The sort in words.
    pub(crate) sort: String,
    /// Where that was decided.
    pub(crate) span: Span,
    /// Why: `\`<\` compares numbers`.
    pub(crate) why: String,
}

/// Two sorts meet that do not fit.
pub(crate) fn diagnostic(found: &Known, earlier: Option<&Known>, needed: &Known) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(
        &CODE,
        format!("expected {}, found {}", needed.sort, found.sort),
        found.span,
        format!("this is {}", found.sort),
    );
    if let Some(earlier) = earlier
        && earlier.span != found.span
    {
        diagnostic = diagnostic.label(
            earlier.span,
            format!("it is {} because {}", earlier.sort, earlier.why),
        );
    }
    if needed.span == found.span {
        diagnostic.note(format!("{} is needed because {}", needed.sort, needed.why))
    } else {
        diagnostic.label(
            needed.span,
            format!("{} is needed because {}", needed.sort, needed.why),
        )
    }
}
