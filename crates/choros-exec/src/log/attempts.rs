//! Calls of which several records of one end tell: an HTTP client follows a redirect, a library or a mesh sends a request
//! again, and the caller wrote down one call.
//!
//! The receiver has received several requests then, and is not at fault for that; neither is the caller.
//! Where the records show it, the call counts once: all attempts but the last were answered in a way after which clients
//! ask again by themselves, or not at all, and all of them say the same.
//! The call was received when the first attempt was, and answered as the last attempt was.
//! Where they do not show it, no one knows who did what: the conversation is left out, and so is one in which two records
//! of the same thing contradict each other.
//! If only the records in doubt were left out, someone would be blamed for what they would explain.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use choros_bind::{Attempt, NotBound, Sighting};
use choros_model::observation::Observation;

/// What a record is, before all records of its log are known.
#[derive(Debug)]
pub(super) struct Held {
    /// The place of the message, or of the request.
    pub(super) start: u64,
    /// The place of the response.
    pub(super) end: u64,
    /// The conversation that the record itself names.
    pub(super) session: Option<String>,
    pub(super) status: Option<u16>,
    pub(super) attempt: Option<Attempt>,
    pub(super) is_contradicted: bool,
    /// Someone is known to have seen the message.
    pub(super) is_told: bool,
    /// The record says who wrote it and not at which end.
    pub(super) lacks_side: bool,
    pub(super) sighting: Sighting,
}

const CONTRADICTED: &str = "two records have the same identity and contradict each other";
const UNEXPLAINED: &str =
    "several requests came in by one call, and nothing shows that it was sent again";
const BESIDE: &str = "another record of its conversation is in doubt";

/// Leaves attempts of one call as one, and marks what is in doubt; how many attempts are left out.
pub(super) fn settle(held: &mut Vec<Held>, doubtful: &mut HashSet<String>) -> u64 {
    let before = held.len();
    let mut calls: BTreeMap<(String, bool, String), Vec<usize>> = BTreeMap::new();
    for (at, record) in held.iter().enumerate() {
        let Some(attempt) = &record.attempt else {
            continue;
        };
        // Who only passes a call on may have sent it to several receivers, and each of them received it once.
        let by = match record.request() {
            Some(seen) if !attempt.is_inner => seen.by.to_string(),
            None if !attempt.is_inner => continue,
            _ => String::new(),
        };
        let call = (attempt.call.clone(), attempt.is_inner, by);
        calls.entry(call).or_default().push(at);
    }
    let mut is_left_out = vec![false; held.len()];
    let mut reasons: BTreeMap<usize, &'static str> = BTreeMap::new();
    for ((_, is_inner, _), mut attempts) in calls {
        attempts.sort_by_key(|&at| held[at].start);
        let [first, .., last] = attempts[..] else {
            continue;
        };
        let (earlier, _) = attempts.split_at(attempts.len() - 1);
        let is_resent = earlier.iter().all(|&at| is_sent_again(held[at].status))
            && attempts.iter().all(|&at| held[at].agrees(&held[last]));
        if is_resent {
            earlier.iter().for_each(|&at| is_left_out[at] = true);
            is_left_out[last] = is_inner;
            held[last].start = held[first].start;
            let at = held[first].request().and_then(|it| it.at.clone());
            if let (Some(at), Some(seen)) = (at, held[last].sighting.observations.first_mut()) {
                seen.at = Some(at);
            }
        } else if is_inner || is_one_request(&attempts, held) {
            reasons.extend(attempts.iter().map(|&at| (at, UNEXPLAINED)));
        }
    }
    for (at, record) in held.iter().enumerate() {
        if record.is_contradicted && !is_left_out[at] {
            reasons.insert(at, CONTRADICTED);
        }
    }
    for &at in reasons.keys() {
        doubtful.extend(held[at].sessions().map(str::to_owned));
    }
    for (at, record) in held.iter_mut().enumerate() {
        let beside = record.sessions().any(|it| doubtful.contains(it));
        let reason = reasons.get(&at).copied().or(beside.then_some(BESIDE));
        if let Some(reason) = reason {
            record.sighting = Sighting {
                not_bound: Some(NotBound::Doubtful(reason)),
                ..Sighting::default()
            };
        }
    }
    let mut left_out = is_left_out.iter();
    held.retain(|_| left_out.next() != Some(&true));
    (before - held.len()) as u64
}

impl Held {
    /// The request, or the message; none if it is none of the model's.
    fn request(&self) -> Option<&Observation<'static>> {
        let seen = self.sighting.observations.first();
        seen.filter(|_| !self.sighting.ignored)
    }

    /// The conversations that it may belong to.
    fn sessions(&self) -> impl Iterator<Item = &str> {
        let seen = self.sighting.observations.iter();
        let named = seen.filter_map(|it| it.session.as_deref());
        named.chain(self.session.as_deref())
    }

    /// Whether nothing in the request contradicts that of another record.
    fn agrees(&self, other: &Held) -> bool {
        let (Some(one), Some(other)) = (self.request(), other.request()) else {
            return true;
        };
        let agrees = |(path, value): &(Cow<'_, str>, _)| {
            other.datum(path).is_none_or(|known| known == value)
        };
        one.operation == other.operation
            && (&one.from, &one.to) == (&other.from, &other.to)
            && one.data.iter().all(agrees)
    }
}

/// Whether the same message came in twice, or the call is known to be one request.
fn is_one_request(attempts: &[usize], held: &[Held]) -> bool {
    let mut known = HashSet::new();
    attempts.iter().any(|&at| {
        let is_one = held[at]
            .attempt
            .as_ref()
            .is_some_and(|it| it.is_one_request);
        let operation = held[at].request().map(|it| &*it.operation);
        is_one || !known.insert(operation)
    })
}

/// Whether clients ask again by themselves after such an answer (RFC 9110, chapter 15): it sends them elsewhere, it asks
/// for a proof of identity, or it says that the request may do better later. 14 is `UNAVAILABLE` of remote calls.
fn is_sent_again(status: Option<u16>) -> bool {
    matches!(
        status,
        None | Some(
            14 | 301 | 302 | 303 | 307 | 308 | 401 | 407 | 408 | 421 | 425 | 429 | 500..=599
        )
    )
}

#[cfg(test)]
mod tests;
