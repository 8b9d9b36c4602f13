//! A transition that can never fire.

use choros_base::{CodeInfo, Diagnostic, Severity, Span};
use choros_data::Terms;
use choros_model::stg::Stg;

use crate::{Contradiction, Liveness};

pub static CODE: CodeInfo = CodeInfo {
    code: "CH0301",
    name: "dead-transition",
    severity: Severity::Warning,
    documentation: "\
## What it checks
Every transition can fire in some run: on some way to its source, the guards along the way can hold together with its \
own guard, each guard speaking of the values that its variables had at that moment.

## Why it matters
A transition that can never fire was written for a case that its author thought possible.
Either the case cannot happen and the text misleads its readers, or a guard before it is wrong.

## Example
```
req[b,v].<x>; [x > 0] |> sell[v,w].x; ([x <= 0] |> error[w,v] + [x > 0] |> info[w,v])
```
`error[w,v]` is dead: `x > 0` held before `sell`, and `x` has not been bound since.
Had `x` been bound again in between, nothing would be dead.

## Reference
H. N. Nguyen, *A Symbolic Approach for the Verification and the Test of Service Choreographies*, 3.2.4; the algorithm \
used here is described, with the argument for its soundness, in the documentation of `choros-realize`.
",
};

/// The finding for one transition of a graph; `None` when it is not dead.
///
/// `what` is the transition in words, `own` its place, `guards` gives the place of an edge's guard.
pub fn diagnostic(
    stg: &Stg,
    terms: &Terms,
    what: &str,
    own: Option<Span>,
    liveness: &Liveness,
) -> Option<Diagnostic> {
    let contradictions: &[Contradiction] = match liveness {
        Liveness::Dead(contradictions) => contradictions,
        Liveness::Unreached => &[],
        Liveness::Live | Liveness::Undecided(_) => return None,
    };
    let message = format!("{what} can never happen in `{}`", stg.name());
    let reason = match (liveness, contradictions) {
        (Liveness::Unreached, _) => "no run gets here".to_owned(),
        (_, [only]) if only.sentences.iter().all(|it| it.edge.is_none()) => {
            "its own guard contradicts itself".to_owned()
        }
        (_, [_]) => "its guard contradicts what holds here".to_owned(),
        (_, many) => format!(
            "its guard contradicts what holds here, on each of {} ways",
            many.len()
        ),
    };
    let mut diagnostic = match own {
        Some(span) => Diagnostic::new(&CODE, message, span, reason),
        None => Diagnostic::without_place(&CODE, message).note(reason),
    };
    for contradiction in contradictions {
        let texts: Vec<String> = contradiction
            .sentences
            .iter()
            .map(|sentence| format!("`{}`", terms.print(sentence.formula)))
            .collect();
        diagnostic = diagnostic.note(format!("these cannot hold together: {}", texts.join(", ")));
        for sentence in &contradiction.sentences {
            let origin = sentence.edge.and_then(|edge| stg.edge(edge).origin);
            if let Some(span) = origin
                && own != Some(span)
                && !diagnostic.labels.iter().any(|label| label.span == span)
            {
                let text = terms.print(sentence.formula);
                diagnostic = diagnostic.label(span, format!("`{text}` holds from here on"));
            }
        }
    }
    Some(diagnostic)
}

/// The finding for a written step that has no transition, because what stands before it never ends.
pub fn unreached(stg: &Stg, what: &str, own: Span) -> Diagnostic {
    Diagnostic::new(
        &CODE,
        format!("{what} can never happen in `{}`", stg.name()),
        own,
        "no run gets here: what comes before it never ends",
    )
}
