//! Traces that continue each other: a consumer may begin a trace of its own, with a link to that of the producer.
//!
//! The conversation is called as the first of these traces.
//! If a trace continues several others, as one does in which messages were fetched together, no one says which of them
//! its parts belong to: it is then a conversation of its own, rather than one of two that have nothing to do with it.

use std::collections::HashMap;

use choros_bind::Envelope;

use super::span::SpanKind;
use super::traces::Skeleton;

/// Whoever continues more traces than this, one after the other, is taken as it is.
const FARTHEST: usize = 64;

/// Which trace each trace continues.
pub(super) struct Conversations {
    /// None where it continues several.
    before: HashMap<String, Option<String>>,
}

impl Conversations {
    pub(super) fn new(spans: &[Skeleton]) -> Conversations {
        let mut before: HashMap<String, Option<String>> = HashMap::new();
        for span in spans.iter().filter(|it| it.kind == SpanKind::Consumer) {
            let (Some(own), Some(linked)) = (&span.trace, &span.link_trace) else {
                continue;
            };
            if own == linked || span.link.is_none() {
                continue;
            }
            let known = before
                .entry(own.clone())
                .or_insert_with(|| Some(linked.clone()));
            if known.as_ref() != Some(linked) {
                *known = None;
            }
        }
        Conversations { before }
    }

    /// Calls the conversation of a message as its first trace.
    pub(super) fn name(&self, envelope: &mut Envelope) {
        let Some(mut trace) = envelope.session.as_ref() else {
            return;
        };
        for _ in 0..FARTHEST {
            match self.before.get(trace) {
                Some(Some(before)) => trace = before,
                _ => break,
            }
        }
        envelope.session = Some(trace.clone());
    }
}
