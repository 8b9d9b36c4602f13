//! States of monitors, as they are saved.

use std::borrow::Cow;

use choros_exec::feed::FileProgress;
use choros_exec::log::LogPosition;
use choros_model::Judging;
use choros_model::observation::{Datum, Number, Observation};
use choros_model::stg::Direction;
use choros_monitor::{LogState, Mark, PropertyCounts, State, WindowState};
use choros_report::{
    SavedDatum, SavedInput, SavedLog, SavedMark, SavedMonitor, SavedObservation, SavedWindow,
};

/// What is saved of a state.
pub(super) fn saved(
    state: &State,
    properties: &str,
    inputs: &[(String, FileProgress)],
    verdict_bytes: u64,
) -> SavedMonitor {
    SavedMonitor {
        schema: 0,
        properties: properties.to_owned(),
        sequence: state.sequence,
        observations: state.observations,
        verdict_bytes,
        inputs: inputs
            .iter()
            .map(|(path, reached)| SavedInput {
                path: path.clone(),
                bytes: reached.position.bytes,
                lines: reached.position.lines,
                beginning: reached.beginning.map(|number| format!("{number:016x}")),
            })
            .collect(),
        counts: state
            .counts
            .iter()
            .map(|counts| [counts.pass.total(), counts.fail, counts.inconclusive])
            .collect(),
        redacted: if state.counts.iter().any(|counts| counts.redacted > 0) {
            state.counts.iter().map(|counts| counts.redacted).collect()
        } else {
            Vec::new()
        },
        logs: state.logs.iter().map(saved_log).collect(),
    }
}

/// How far a log was read.
pub(super) fn reached(input: &SavedInput) -> FileProgress {
    let number = |digits: &String| u64::from_str_radix(digits, 16).ok();
    FileProgress {
        position: LogPosition {
            bytes: input.bytes,
            lines: input.lines,
        },
        beginning: input.beginning.as_ref().and_then(number),
    }
}

/// The state that was saved.
pub(super) fn restored(saved: &SavedMonitor) -> State {
    State {
        sequence: saved.sequence,
        observations: saved.observations,
        counts: saved
            .counts
            .iter()
            .enumerate()
            .map(|(number, &[pass, fail, inconclusive])| PropertyCounts {
                pass: Judging::resumed(pass),
                fail,
                inconclusive,
                redacted: saved.redacted.get(number).copied().unwrap_or(0),
            })
            .collect(),
        logs: saved.logs.iter().map(restored_log).collect(),
    }
}

fn saved_log(log: &LogState) -> SavedLog {
    SavedLog {
        service: log.service.clone(),
        position: log.position,
        clock: log.clock.as_ref().map(ToString::to_string),
        last: saved_mark(&log.last),
        recent: log
            .recent
            .iter()
            .map(|(position, seen)| (*position, saved_observation(seen)))
            .collect(),
        waiting: log.waiting.iter().map(saved_observation).collect(),
        census: log.census.clone(),
        windows: log
            .windows
            .iter()
            .map(|window| SavedWindow {
                property: window.property as u64,
                opened: saved_mark(&window.opened),
                position: window.position,
                matched: window.matched as u64,
                values: window.values.iter().map(saved_datum).collect(),
                redacted_context: window.redacted_context,
                redacted_answer: window.redacted_answer,
                key: window.key.clone(),
                session: window.session.clone(),
                counted: window.counted,
                last_position: window.last_position,
                last_time: window.last_time.as_ref().map(ToString::to_string),
            })
            .collect(),
    }
}

fn restored_log(log: &SavedLog) -> LogState {
    LogState {
        service: log.service.clone(),
        position: log.position,
        clock: number(&log.clock),
        last: restored_mark(&log.last),
        recent: log
            .recent
            .iter()
            .map(|(position, seen)| (*position, restored_observation(seen)))
            .collect(),
        waiting: log.waiting.iter().map(restored_observation).collect(),
        census: log.census.clone(),
        windows: log
            .windows
            .iter()
            .map(|window| WindowState {
                property: usize::try_from(window.property).unwrap_or(usize::MAX),
                opened: restored_mark(&window.opened),
                position: window.position,
                matched: usize::try_from(window.matched).unwrap_or(usize::MAX),
                values: window.values.iter().map(restored_datum).collect(),
                redacted_context: window.redacted_context,
                redacted_answer: window.redacted_answer,
                key: window.key.clone(),
                session: window.session.clone(),
                counted: window.counted,
                last_position: window.last_position,
                last_time: number(&window.last_time),
            })
            .collect(),
    }
}

pub(super) fn saved_mark(mark: &Mark) -> SavedMark {
    SavedMark {
        line: mark.line,
        at: mark.at.as_ref().map(ToString::to_string),
    }
}

fn restored_mark(mark: &SavedMark) -> Mark {
    Mark {
        line: mark.line,
        at: number(&mark.at),
    }
}

pub(super) fn saved_observation(seen: &Observation<'_>) -> SavedObservation {
    SavedObservation {
        line: seen.line,
        at: seen.at.as_ref().map(ToString::to_string),
        by: seen.by.to_string(),
        sends: seen.direction != Direction::Receive,
        from: seen.from.to_string(),
        to: seen.to.to_string(),
        op: seen.operation.to_string(),
        id: seen.id.as_ref().map(ToString::to_string),
        session: seen.session.as_ref().map(ToString::to_string),
        data: seen
            .data
            .iter()
            .map(|(path, value)| (path.to_string(), saved_datum(value)))
            .collect(),
        is_partial: seen.is_partial,
        is_fault: seen.is_fault,
    }
}

pub(super) fn restored_observation(seen: &SavedObservation) -> Observation<'static> {
    Observation {
        line: seen.line,
        at: number(&seen.at),
        by: Cow::Owned(seen.by.clone()),
        direction: if seen.sends {
            Direction::Send
        } else {
            Direction::Receive
        },
        from: Cow::Owned(seen.from.clone()),
        to: Cow::Owned(seen.to.clone()),
        operation: Cow::Owned(seen.op.clone()),
        is_fault: seen.is_fault,
        id: seen.id.clone().map(Cow::Owned),
        session: seen.session.clone().map(Cow::Owned),
        data: seen
            .data
            .iter()
            .map(|(path, value)| (Cow::Owned(path.clone()), restored_datum(value)))
            .collect(),
        is_partial: seen.is_partial,
    }
}

fn saved_datum(value: &Datum<'_>) -> SavedDatum {
    match value {
        Datum::Null => SavedDatum::Null,
        Datum::Bool(value) => SavedDatum::Bool(*value),
        Datum::Number(value) => {
            let value = value.rational();
            SavedDatum::Number(value.numer().to_string(), value.denom().to_string())
        }
        Datum::Text(text) => SavedDatum::Text(text.to_string()),
        Datum::Untyped(text) => SavedDatum::Untyped(text.to_string()),
    }
}

fn restored_datum(value: &SavedDatum) -> Datum<'static> {
    match value {
        SavedDatum::Null => Datum::Null,
        SavedDatum::Bool(value) => Datum::Bool(*value),
        SavedDatum::Number(numerator, denominator) => {
            let parsed = (Number::parse(numerator), Number::parse(denominator));
            match parsed {
                (Ok(numerator), Ok(denominator)) => numerator
                    .divided_by(&denominator)
                    .map_or(Datum::Null, Datum::Number),
                _ => Datum::Null,
            }
        }
        SavedDatum::Text(text) => Datum::Text(Cow::Owned(text.clone())),
        SavedDatum::Untyped(text) => Datum::Untyped(Cow::Owned(text.clone())),
    }
}

fn number(text: &Option<String>) -> Option<Number> {
    text.as_ref().and_then(|text| Number::parse(text).ok())
}
