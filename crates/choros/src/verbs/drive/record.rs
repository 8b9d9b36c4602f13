//! What a run leaves behind in its report, and how it is read back.

use choros_data::{Sort, Terms, Value};
use choros_drive::{from_json, to_json};
use choros_model::interface::Side;
use choros_model::stg::{FieldValue, Operation, Role};
use choros_report::{
    SavedConversation, SavedDriving, SavedEvent, SavedHappening, SavedMessage, SavedTiming,
};
use choros_symex::driver::{ConcreteMessage, Entry, Outcome, TestVerdict, Timing};
use choros_symex::{Derived, Orchestration, Suite};

use super::DriveRequest;
use crate::verbs::symbolic::{SymbolicTesting, save_asked};
use crate::{Request, Settings};

/// How the service is driven.
pub(super) fn save_driving(
    derived: &Derived,
    suite: &Suite,
    (request, testing): (&Request, &SymbolicTesting),
    driving: &DriveRequest,
    (tempo, settings): (Timing, &Settings),
    terms: &Terms,
) -> SavedDriving {
    let mut asked = save_asked(derived, request, testing, terms);
    // Whom the tester plays is asked anew, and may be nobody by name.
    asked.played = testing.play.clone();
    SavedDriving {
        suite: asked,
        ends: suite.ends.iter().map(|end| end.0).collect(),
        kind: request.kind.map(|kind| kind.name().to_owned()),
        parameters: settings.parameters.iter().cloned().collect(),
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
pub(super) fn save_conversation(outcome: &Outcome, terms: &Terms) -> SavedConversation {
    let name = |operation: Operation| terms.names.text(operation.0).to_owned();
    let event = |entry: &Entry| {
        let (at, what) = match entry {
            Entry::Sent { at, message } => (at, SavedHappening::Sent(save(message, terms))),
            Entry::Seen { at, message } => (at, SavedHappening::Seen(save(message, terms))),
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

fn save(message: &ConcreteMessage, terms: &Terms) -> SavedMessage {
    let name = |name| terms.names.text(name).to_owned();
    SavedMessage {
        op: name(message.operation.0),
        from: name(message.from.0),
        to: name(message.to.0),
        fault: message.fault.map(name),
        data: message
            .values
            .iter()
            .map(|value| to_json(value, terms))
            .collect(),
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
                message: read(message, model, terms)?,
            },
            SavedHappening::Seen(message) => Entry::Seen {
                at,
                message: read(message, model, terms)?,
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

fn read(
    saved: &SavedMessage,
    model: &Orchestration,
    terms: &mut Terms,
) -> Result<ConcreteMessage, String> {
    let mut message = ConcreteMessage {
        operation: Operation(terms.names.intern(&saved.op)),
        from: Role(terms.names.intern(&saved.from)),
        to: Role(terms.names.intern(&saved.to)),
        fault: saved.fault.as_ref().map(|fault| terms.names.intern(fault)),
        values: Vec::new(),
    };
    let sorts = sorts(&message, saved.data.len(), model, terms);
    for (position, datum) in saved.data.iter().enumerate() {
        let value = match sorts.as_ref().and_then(|sorts| sorts.get(position)) {
            Some(&sort) => {
                from_json(datum, sort, terms).map_err(|reason| format!("{}: {reason}", saved.op))?
            }
            // The model has no such message, so what it carries is no matter.
            None => Value::text(datum.to_string()),
        };
        message.values.push(value);
    }
    Ok(message)
}

/// The sorts of a message's fields: of the graph, or of the interface where the graph does not have it.
fn sorts(
    message: &ConcreteMessage,
    count: usize,
    model: &Orchestration,
    terms: &Terms,
) -> Option<Vec<Sort>> {
    let alike = model.stg.messages().find(|it| {
        it.operation == message.operation
            && it.from == message.from
            && it.to == message.to
            && it.fault == message.fault
            && it.fields.len() == count
    });
    if let Some(alike) = alike {
        let fields = alike.fields.iter().map(|field| match field.value {
            FieldValue::Free(term) => terms.sort_of(term),
            FieldValue::Bind(variable) => terms.variable_sort(variable),
        });
        return Some(fields.collect());
    }
    let is_sent = message.from == model.interface.orchestrator;
    let partner = if is_sent { message.to } else { message.from };
    let signature = model
        .interface
        .operations
        .iter()
        .find(|one| one.partner == partner && one.operation == message.operation)?;
    let carried = match message.fault {
        Some(fault) => &signature.faults.iter().find(|(name, _)| *name == fault)?.1,
        None if is_sent == (signature.side == Side::Provided) => signature.output.as_ref()?,
        None => &signature.input,
    };
    Some(vec![carried.sort; count])
}
