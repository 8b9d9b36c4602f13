//! Spans that were exported twice: an exporter sends a batch again when nobody confirmed that it had arrived.
//!
//! A span has an identity of its own in its trace.
//! Two that say the same under one identity are one; two that say different things are left as they are, since either may
//! be right.

use std::collections::HashMap;

use choros_bind::Envelope;

use super::traces::Skeleton;

/// Leaves the first of spans that say the same.
pub(super) fn left_out(spans: &mut Vec<Skeleton>, envelopes: &mut Vec<Option<Envelope>>) {
    let mut first: HashMap<_, usize> = HashMap::new();
    let mut is_again = vec![false; spans.len()];
    for (at, span) in spans.iter().enumerate() {
        let Some(id) = span.id.as_deref() else {
            continue;
        };
        // Both ends of a call may have one identity, and services may number their spans alike.
        let key = (
            span.trace.as_deref(),
            id,
            span.kind,
            span.service.as_deref(),
        );
        let known = *first.entry(key).or_insert(at);
        is_again[at] = known != at
            && span.says_the_same(&spans[known])
            && says_the_same(envelopes[at].as_ref(), envelopes[known].as_ref());
    }
    let mut again = is_again.iter();
    spans.retain(|_| again.next() != Some(&true));
    let mut again = is_again.iter();
    envelopes.retain(|_| again.next() != Some(&true));
}

/// Whatever the lines are that they stand in.
fn says_the_same(one: Option<&Envelope>, other: Option<&Envelope>) -> bool {
    let content = |it: &Envelope| Envelope {
        line: 0,
        ..it.clone()
    };
    one.map(content) == other.map(content)
}
