//! What answers rest on.

use std::collections::BTreeMap;

use choros_model::Observed;
use choros_model::evidence::{Departure, Evidence, Step, StepEvent, Table, Trace, WrongEvent};
use choros_model::observation::Observation;
use choros_model::stg::Direction;
use choros_monitor::{GlobalMonitor, Outcome, PropertyCounts, WindowVerdict};
use choros_query::property::{CandidateEvent, Property, Sense, Window, event_text};
use choros_report::Growth;
use choros_report::answers::{PropertyVerdict, WindowCounts};

/// What is known about a local property at the end of a run.
pub(super) struct Known<'k> {
    pub(super) property: &'k Property,
    pub(super) counts: &'k PropertyCounts,
    pub(super) samples: &'k BTreeMap<Outcome, Sample>,
    /// Why its verdict is open after all.
    pub(super) doubt: Option<String>,
    pub(super) is_watched: bool,
    pub(super) growth: Growth,
}

/// A window of a property, and the log that it is in.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub(super) window: WindowVerdict,
    pub(super) log: Option<String>,
}

/// The verdict on a local property.
pub(super) fn local_verdict(known: Known<'_>) -> PropertyVerdict {
    let Known {
        property, counts, ..
    } = known;
    let judgement = counts.outcome();
    let sample = known.samples.get(&judgement);
    let evidence = sample.map(|it| Evidence::Trace(window_trace(property, it)));
    let verdict = match (judgement, known.doubt) {
        (_, Some(reason)) => Observed::unknown(reason, evidence),
        (Outcome::Pass, None) => {
            Observed::holds(counts.pass, evidence, "no window of it was judged")
        }
        (Outcome::Fail, None) => Observed::Fails { evidence },
        (Outcome::Inconclusive, None) => {
            let reason = match counts.inconclusive {
                0 if !known.is_watched => match &property.service {
                    Some(service) => format!("no log of `{service}` is watched"),
                    None => "no log is watched".to_owned(),
                },
                0 => "its context was never seen".to_owned(),
                1 => "the log ends within its only window".to_owned(),
                more => format!("the log ends within all of its {more} windows"),
            };
            Observed::unknown(reason, evidence)
        }
    };
    PropertyVerdict {
        name: property.name.clone(),
        verdict,
        windows: Some(WindowCounts {
            pass: counts.pass.total(),
            fail: counts.fail,
            inconclusive: counts.inconclusive,
        }),
        growth: known.growth,
    }
}

/// The verdict on a global property: the verdicts it rests on, of which some may be open after all.
pub(super) fn global_verdict(
    monitor: &GlobalMonitor,
    number: usize,
    doubts: &BTreeMap<String, String>,
) -> PropertyVerdict {
    let property = &monitor.properties()[number];
    let judgement = monitor.verdict(number).outcome;
    let row = |part: &str, name: &String| {
        vec![
            part.to_owned(),
            name.clone(),
            if monitor.is_watched(name) {
                monitor.local(name).word().to_owned()
            } else {
                "not watched".to_owned()
            },
        ]
    };
    let word = match property.sense {
        Sense::Expect => "then",
        Sense::Never => "never",
    };
    let when = property.when.iter().map(|name| row("when", name));
    let then = property.then.iter().map(|name| row(word, name));
    let evidence = Some(Evidence::Table(Table {
        columns: ["part", "property", "verdict"].map(str::to_owned).to_vec(),
        rows: when.chain(then).collect(),
    }));
    let open = property
        .when
        .iter()
        .find(|name| monitor.local(name) != Outcome::Pass);
    // With all premises passed, only a consequence that no one watches leaves the answer open.
    let unwatched = match open {
        Some(name) => Some(name).filter(|name| !monitor.is_watched(name)),
        None => property.then.iter().find(|name| !monitor.is_watched(name)),
    };
    let mut parts = property.when.iter().chain(&property.then);
    let doubt = parts.find_map(|name| Some((name, doubts.get(name)?)));
    let verdict = match (judgement, doubt) {
        (Outcome::Pass | Outcome::Fail, Some((name, reason))) => {
            Observed::unknown(format!("`{name}` is open: {reason}"), evidence)
        }
        // It rests on the windows of its local properties.
        (Outcome::Pass, None) => Observed::holds(
            monitor.judging(number),
            evidence,
            "no window of its properties passed",
        ),
        (Outcome::Fail, None) => Observed::Fails { evidence },
        (Outcome::Inconclusive, _) => {
            let reason = match (unwatched, open) {
                (Some(name), _) => format!("no tester watches `{name}`"),
                (None, Some(name)) => {
                    format!("`{name}` does not pass, so that nothing follows")
                }
                (None, None) => "nothing was received".to_owned(),
            };
            Observed::unknown(reason, evidence)
        }
    };
    PropertyVerdict {
        name: property.name.clone(),
        verdict,
        windows: None,
        growth: Growth::default(),
    }
}

/// The observations of a window.
fn window_trace(property: &Property, sample: &Sample) -> Trace {
    Trace {
        steps: sample.window.window.iter().map(step).collect(),
        departure: departure(property, sample),
        conclusion: conclusion(property, sample),
        ..Trace::default()
    }
}

/// What was seen and must not be, or was to be seen and is missing.
fn departure(property: &Property, sample: &Sample) -> Departure {
    match (property.sense, sample.window.outcome) {
        (Sense::Never, Outcome::Fail) => Departure {
            wrong: WrongEvent::LastStep,
            ..Departure::default()
        },
        (Sense::Expect, Outcome::Fail) => Departure {
            expected: property
                .consequence
                .iter()
                .map(|it| pattern(it).into())
                .collect(),
            ..Departure::default()
        },
        _ => Departure::default(),
    }
}

/// The message that a pattern is about; the pattern as it is written where it asks for more than a message.
fn pattern(event: &CandidateEvent) -> StepEvent {
    let (Some(operation), Some(from), Some(to), None) =
        (&event.operation, &event.from, &event.to, &event.condition)
    else {
        return StepEvent::Other(event_text(event));
    };
    StepEvent::Message {
        operation: operation.clone(),
        from: from.clone(),
        to: to.clone(),
        direction: event.direction.unwrap_or(Direction::Interaction),
        fields: Vec::new(),
    }
}

fn conclusion(property: &Property, sample: &Sample) -> String {
    let verdict = &sample.window;
    let (service, first) = (&verdict.service, verdict.opened.line);
    let last = verdict.decided.line;
    // A line after the name of its log is a place that reports for machines understand.
    let place = match &sample.log {
        Some(log) => format!("log of `{service}`, {log}:{first} to {last}"),
        None => format!("log of `{service}`, lines {first} to {last}"),
    };
    let window = match property.window {
        Window::Messages(1) => "the next message".to_owned(),
        Window::Messages(count) => format!("the next {count} messages"),
        Window::Milliseconds(count) => format!("{count} ms"),
    };
    let words = match (property.sense, verdict.outcome) {
        (_, Outcome::Inconclusive) => format!("the log ends before {window} have been seen"),
        (Sense::Expect, Outcome::Pass) => "what was expected was seen".to_owned(),
        (Sense::Expect, Outcome::Fail) => {
            format!("what was expected was not seen within {window}")
        }
        (Sense::Never, Outcome::Pass) => format!("nothing forbidden was seen within {window}"),
        (Sense::Never, Outcome::Fail) => "something forbidden was seen".to_owned(),
    };
    format!("{words} ({place})")
}

pub(super) fn step(seen: &Observation<'_>) -> Step {
    Step {
        event: StepEvent::Message {
            operation: seen.operation.to_string(),
            from: seen.from.to_string(),
            to: seen.to.to_string(),
            direction: seen.direction,
            fields: seen
                .data
                .iter()
                .map(|(path, value)| (path.to_string(), value.to_string()))
                .collect(),
        },
        guard: None,
        bindings: Vec::new(),
        states: None,
        origin: None,
    }
}
