//! What a verdict needs and the logs do not have.
//!
//! A part that no record of its message has was never judged, and a record that was dropped may be the one that was
//! expected, or forbidden: a verdict that rests on either is open.

use choros_monitor::{MissingPart, Outcome, PartPresence, PropertyCounts};
use choros_query::property::{Property, Sense, Window};

/// Why a verdict on a property is open after all.
pub(super) fn doubt(
    property: &Property,
    counts: &PropertyCounts,
    absent: &MissingPart,
    is_lossy: bool,
) -> Option<String> {
    let outcome = counts.outcome();
    // What a window says when no message of the consequence validates it.
    let unmet = match property.sense {
        Sense::Expect => Outcome::Fail,
        Sense::Never => Outcome::Pass,
    };
    if outcome != Outcome::Inconclusive && absent.time {
        return Some("no record has a time, and its windows are in time".to_owned());
    }
    if let Some(part) = absent.context.first().filter(|_| outcome != Outcome::Fail) {
        return Some(nowhere(part));
    }
    if outcome == unmet
        && let Some(part) = absent.consequence.first()
    {
        return Some(nowhere(part));
    }
    // Dropped messages make windows in messages longer than they look, and contexts of several messages may have had
    // others between them.
    let in_time = matches!(property.window, Window::Milliseconds(_));
    let stands = outcome != unmet && in_time && property.context.len() == 1;
    if is_lossy && outcome != Outcome::Inconclusive && !stands {
        return Some("records may have been dropped: the log is lossy".to_owned());
    }
    let is_open = counts.redacted > 0 && outcome == Outcome::Inconclusive;
    is_open.then(|| redacted_words(counts.redacted))
}

fn nowhere(part: &PartPresence) -> String {
    let PartPresence { part, message, .. } = part;
    format!("no record of `{message}` has `{part}`")
}

/// Why windows that redacted values would decide are open.
fn redacted_words(windows: u64) -> String {
    match windows {
        1 => "a window depends on values that the log does not show".to_owned(),
        more => format!("{more} windows depend on values that the log does not show"),
    }
}
