//! Written steps that no run comes to, because what stands before them never ends.
//!
//! The rules only ever look at what can happen next, so such a step leaves no trace in the graph.
//! Here guards are ignored: a step that only guards keep from happening is an edge, and an engine finds it dead.
//!
//! A term *ends* if it may tick, whatever its guards say: the least solution of
//!
//! ```text
//! 1, α, [φ]*A, repeat A   end
//! A;B and A|B             end if both do
//! A+B, A[>B and A[>>B     end if one does
//! [φ]|>A and loop X {A}   end if A does
//! ```

use choros_base::Span;

use super::store::{EventId, Form, ProcessTerm, Spine, Store};

/// The steps of a term that is stored whole, and nothing else, which no run comes to, in the order of the text.
pub(super) fn unreached(store: &Store, initial: ProcessTerm) -> Vec<(EventId, Span)> {
    let ends = ends(store);
    let mut reached = vec![false; store.len()];
    let mut work = vec![initial];
    while let Some(term) = work.pop() {
        if std::mem::replace(&mut reached[term.index()], true) {
            continue;
        }
        match store.form(term) {
            Form::Skip(_) | Form::Act(..) | Form::List(..) => {}
            Form::Guarded(_, a) | Form::Loop(_, a, _) | Form::Repeat(a, _) => work.push(a),
            Form::Timeout(timer, _, a) => {
                let timer = store.timer(timer);
                let answers = timer.late.iter().map(|it| it.1);
                work.extend([a, timer.otherwise].into_iter().chain(answers));
            }
            Form::Late(_, a) | Form::Sent(_, _, _, a) | Form::Again(_, a) => work.push(a),
            Form::Parallel(a, b) | Form::Beside(a, b) | Form::Until(a, b) => work.extend([a, b]),
            Form::Choice(list) => work.extend(store.elements(list)),
            Form::Recursion(number) => work.extend(store.body(number)),
            Form::Spine(Spine::Interruption, a, list) => {
                work.push(a);
                work.extend(store.elements(list));
            }
            Form::Spine(Spine::Sequence, a, list) => {
                let mut goes_on = ends[a.index()];
                work.push(a);
                for element in store.elements(list) {
                    if !goes_on {
                        break;
                    }
                    work.push(element);
                    goes_on = ends[element.index()];
                }
            }
        }
    }
    let mut steps: Vec<(EventId, Span)> = store
        .terms()
        .filter(|term| !reached[term.index()])
        .filter_map(|term| match store.form(term) {
            Form::Act(event, Some(span)) => Some((event, span)),
            _ => None,
        })
        .collect();
    // A choreography that is included twice may be reached in one place.
    let written = |term: ProcessTerm| match store.form(term) {
        Form::Act(_, span) => span,
        _ => None,
    };
    let seen: Vec<Span> = store
        .terms()
        .filter(|term| reached[term.index()])
        .filter_map(written)
        .collect();
    steps.retain(|(_, span)| !seen.contains(span));
    steps.sort_by_key(|(_, span)| span.range().start);
    steps.dedup_by_key(|(_, span)| *span);
    steps
}

/// Which terms end.
fn ends(store: &Store) -> Vec<bool> {
    let mut ends = vec![false; store.len()];
    loop {
        let mut changed = false;
        // Operands are stored before what they are part of, so that only recursions need another round.
        for term in store.terms() {
            let of = |operand: ProcessTerm| ends[operand.index()];
            let now = match store.form(term) {
                Form::Skip(_) | Form::Act(..) | Form::Loop(..) | Form::Repeat(..) => true,
                Form::Guarded(_, a)
                | Form::Late(_, a)
                | Form::Sent(_, _, _, a)
                | Form::Again(_, a) => of(a),
                Form::Timeout(timer, _, a) => of(a) || of(store.timer(timer).otherwise),
                Form::Parallel(a, b) | Form::Beside(a, b) => of(a) && of(b),
                Form::Until(a, b) => of(a) || of(b),
                Form::Choice(list) => store.elements(list).into_iter().any(of),
                Form::Recursion(number) => store.body(number).is_some_and(of),
                Form::Spine(Spine::Sequence, a, list) => {
                    of(a) && store.elements(list).into_iter().all(of)
                }
                Form::Spine(Spine::Interruption, a, list) => {
                    of(a) || store.elements(list).into_iter().any(of)
                }
                Form::List(..) => false,
            };
            changed |= now != std::mem::replace(&mut ends[term.index()], now);
        }
        if !changed {
            return ends;
        }
    }
}
