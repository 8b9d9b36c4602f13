//! What a run leaves behind in its report, and how it is read back.

use choros_data::Terms;
use choros_model::stg::Operation;
use choros_report::{SavedConversation, SavedEvent, SavedHappening, SavedTiming};
use choros_symex::ServiceModel;
use choros_symex::driver::{ConversationEntry, TestOutcome, TestVerdict, Timing};

use crate::message::{read_message, save_message};

/// How time passes, in the form that is saved.
pub fn save_timing(timing: Timing) -> SavedTiming {
    SavedTiming {
        tick: timing.unit,
        tolerance: timing.tolerance,
        answer: timing.answer,
        quiet: timing.quiet,
    }
}

/// How time passed.
pub fn read_timing(saved: SavedTiming) -> Timing {
    Timing {
        unit: saved.tick,
        tolerance: saved.tolerance,
        answer: saved.answer,
        quiet: saved.quiet,
    }
}

/// The verdict with this word.
pub fn read_verdict(word: &str) -> TestVerdict {
    match word {
        "holds" => TestVerdict::Pass,
        "fails" | "fail" => TestVerdict::Fail,
        _ => TestVerdict::Inconclusive,
    }
}

/// What happened in a run.
pub fn save_conversation(outcome: &TestOutcome, terms: &Terms) -> SavedConversation {
    let name = |operation: Operation| terms.names.text(operation.0).to_owned();
    let event = |entry: &ConversationEntry| {
        let (at, what) = match entry {
            ConversationEntry::Sent { at, message } => {
                (at, SavedHappening::Sent(save_message(message, terms)))
            }
            ConversationEntry::Seen { at, message } => {
                (at, SavedHappening::Seen(save_message(message, terms)))
            }
            ConversationEntry::Refused {
                at,
                operation,
                reason,
            } => (
                at,
                SavedHappening::Refused {
                    op: name(*operation),
                    reason: reason.clone(),
                },
            ),
            ConversationEntry::Arrived { at, operation } => {
                (at, SavedHappening::Arrived(name(*operation)))
            }
            ConversationEntry::Malformed { at, reason } => {
                (at, SavedHappening::Malformed(reason.clone()))
            }
            ConversationEntry::Waited { at, ticks } => (at, SavedHappening::Waited(*ticks)),
        };
        SavedEvent { at: *at, what }
    };
    SavedConversation {
        why: outcome.reason.clone(),
        events: outcome.log.iter().map(event).collect(),
    }
}

/// What happened, with the sorts of the model; the error says which message does not fit it.
pub fn read_conversation(
    saved: &SavedConversation,
    model: &ServiceModel,
    terms: &mut Terms,
) -> Result<Vec<ConversationEntry>, String> {
    let mut log = Vec::new();
    for SavedEvent { at, what } in &saved.events {
        let at = *at;
        log.push(match what {
            SavedHappening::Sent(message) => ConversationEntry::Sent {
                at,
                message: read_message(message, model, terms)?,
            },
            SavedHappening::Seen(message) => ConversationEntry::Seen {
                at,
                message: read_message(message, model, terms)?,
            },
            SavedHappening::Refused { op, reason } => ConversationEntry::Refused {
                at,
                operation: Operation(terms.names.intern(op)),
                reason: reason.clone(),
            },
            SavedHappening::Arrived(op) => ConversationEntry::Arrived {
                at,
                operation: Operation(terms.names.intern(op)),
            },
            SavedHappening::Malformed(reason) => ConversationEntry::Malformed {
                at,
                reason: reason.clone(),
            },
            SavedHappening::Waited(ticks) => ConversationEntry::Waited { at, ticks: *ticks },
        });
    }
    Ok(log)
}
