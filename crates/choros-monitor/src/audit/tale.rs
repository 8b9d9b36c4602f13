//! Findings as evidence: sequence charts of what was seen.

use choros_model::Evidence;
use choros_model::evidence::{Departure, Step, StepEvent, Trace, WrongEvent};
use choros_model::observation::Observation;
use choros_model::stg::Direction;

use super::run::{Exchange, Run};

/// What is said of a message that the model does not allow.
pub(crate) const NOT_ALLOWED: &str = "is not allowed here";

/// A chart shows this many messages; of a longer log, those at its end.
const MAX_CHARTED: usize = 40;

/// What one role saw, up to `count` observations.
pub(crate) fn of_role(run: &Run<'_>, log: usize, count: usize, conclusion: String) -> Trace {
    let seen = &run.logs[log][..count];
    let steps = seen
        .iter()
        .map(|sighting| step(sighting.observation, sighting.observation.direction));
    trace(steps, count, conclusion)
}

/// Messages in an order.
pub(crate) fn of_messages(
    run: &Run<'_>,
    exchanges: &[Exchange],
    order: &[usize],
    conclusion: String,
) -> Trace {
    let steps = order.iter().filter_map(|&index| {
        let (log, position) = exchanges[index].places().next()?;
        let observation = run.logs[log][position].observation;
        Some(step(observation, exchanges[index].direction))
    });
    trace(steps, order.len(), conclusion)
}

fn trace(steps: impl Iterator<Item = Step>, count: usize, conclusion: String) -> Trace {
    let left_out = count.saturating_sub(MAX_CHARTED);
    let mut shown = Vec::new();
    if left_out > 0 {
        shown.push(plain(StepEvent::Other(format!(
            "… {left_out} messages before"
        ))));
    }
    shown.extend(steps.skip(left_out));
    Trace {
        steps: shown,
        conclusion,
        ..Trace::default()
    }
}

/// The trace, whose last step must not happen.
pub(crate) fn wrong_at_the_end(trace: Trace, departure: Departure) -> Trace {
    Trace {
        departure: Departure {
            wrong: WrongEvent::LastStep,
            ..departure
        },
        ..trace
    }
}

/// The evidence for an answer that is not known: what would be wrong may not be.
pub(crate) fn unclear(evidence: Evidence) -> Evidence {
    match evidence {
        Evidence::Trace(mut trace) if trace.departure.wrong == WrongEvent::LastStep => {
            trace.departure.wrong = WrongEvent::Unclear;
            trace.conclusion = trace
                .conclusion
                .replace(NOT_ALLOWED, "may not be allowed here");
            Evidence::Trace(trace)
        }
        other => other,
    }
}

fn step(observation: &Observation<'_>, direction: Direction) -> Step {
    plain(StepEvent::Message {
        operation: observation.operation.to_string(),
        from: observation.from.to_string(),
        to: observation.to.to_string(),
        direction,
        fields: observation
            .data
            .iter()
            .map(|(path, value)| (path.to_string(), value.to_string()))
            .collect(),
    })
}

fn plain(event: StepEvent) -> Step {
    Step {
        event,
        guard: None,
        bindings: Vec::new(),
        states: None,
        origin: None,
    }
}

/// `s2.log:7`, and the session where there are several.
pub(crate) fn place(file: &str, observation: &Observation<'_>, session: &str) -> String {
    let line = match observation.line {
        0 => String::new(),
        line => format!(":{line}"),
    };
    match session {
        "" => format!("{file}{line}"),
        session => format!("{file}{line} (session {session})"),
    }
}

/// `a`, `a or b`, `a, b or c`, `nothing more`.
pub(crate) fn alternatives(expected: &[String], may_end: bool) -> String {
    let mut words: Vec<String> = expected.to_vec();
    const MAX_NAMED: usize = 5;
    let more = words.len() > MAX_NAMED;
    words.truncate(MAX_NAMED);
    if more {
        words.push("others".to_owned());
    }
    if may_end {
        words.push("the end".to_owned());
    }
    match words.split_last() {
        None => "nothing more".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}
