//! What a run leaves behind in its report, and how it is read back.

use choros_data::Terms;
use choros_model::stg::Operation;
use choros_report::{
    SavedConversation, SavedDriving, SavedEvent, SavedHappening, SavedSymbolicSuite, SavedTiming,
};
use choros_symex::Orchestration;
use choros_symex::driver::{Entry, TestOutcome, TestVerdict, Timing};

use super::DriveRequest;
use crate::verbs::symbolic::{read_message, save_message};

/// How the service is driven.
pub(super) fn save_driving(
    suite: SavedSymbolicSuite,
    driving: &DriveRequest,
    tempo: Timing,
) -> SavedDriving {
    SavedDriving {
        suite,
        target: driving.target.clone(),
        mapping: driving.mapping.clone(),
        mock_partners: driving.mock_partners,
        mock_at: driving.mock_at.clone(),
        adaptive: driving.adaptive,
        timeout_verdict: driving.on_timeout().word().to_owned(),
        tempo: SavedTiming {
            tick: tempo.unit,
            tolerance: tempo.tolerance,
            answer: tempo.answer,
            quiet: tempo.quiet,
        },
    }
}

/// How time passed.
pub(super) fn saved_tempo(saved: SavedTiming) -> Timing {
    Timing {
        unit: saved.tick,
        tolerance: saved.tolerance,
        answer: saved.answer,
        quiet: saved.quiet,
    }
}

/// The verdict with this word.
pub(super) fn verdict(word: &str) -> TestVerdict {
    match word {
        "holds" => TestVerdict::Pass,
        "fails" | "fail" => TestVerdict::Fail,
        _ => TestVerdict::Inconclusive,
    }
}

/// What happened in a run.
pub(super) fn save_conversation(outcome: &TestOutcome, terms: &Terms) -> SavedConversation {
    let name = |operation: Operation| terms.names.text(operation.0).to_owned();
    let event = |entry: &Entry| {
        let (at, what) = match entry {
            Entry::Sent { at, message } => (at, SavedHappening::Sent(save_message(message, terms))),
            Entry::Seen { at, message } => (at, SavedHappening::Seen(save_message(message, terms))),
            Entry::Refused {
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
            Entry::Arrived { at, operation } => (at, SavedHappening::Arrived(name(*operation))),
            Entry::Malformed { at, reason } => (at, SavedHappening::Malformed(reason.clone())),
            Entry::Waited { at, ticks } => (at, SavedHappening::Waited(*ticks)),
        };
        SavedEvent { at: *at, what }
    };
    SavedConversation {
        why: outcome.reason.clone(),
        events: outcome.log.iter().map(event).collect(),
    }
}

/// What happened, with the sorts of the model; the error says which message does not fit it.
pub(super) fn read_conversation(
    saved: &SavedConversation,
    model: &Orchestration,
    terms: &mut Terms,
) -> Result<Vec<Entry>, String> {
    let mut log = Vec::new();
    for SavedEvent { at, what } in &saved.events {
        let at = *at;
        log.push(match what {
            SavedHappening::Sent(message) => Entry::Sent {
                at,
                message: read_message(message, model, terms)?,
            },
            SavedHappening::Seen(message) => Entry::Seen {
                at,
                message: read_message(message, model, terms)?,
            },
            SavedHappening::Refused { op, reason } => Entry::Refused {
                at,
                operation: Operation(terms.names.intern(op)),
                reason: reason.clone(),
            },
            SavedHappening::Arrived(op) => Entry::Arrived {
                at,
                operation: Operation(terms.names.intern(op)),
            },
            SavedHappening::Malformed(reason) => Entry::Malformed {
                at,
                reason: reason.clone(),
            },
            SavedHappening::Waited(ticks) => Entry::Waited { at, ticks: *ticks },
        });
    }
    Ok(log)
}
