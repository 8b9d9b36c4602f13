//! The textbook monitor: the whole log in memory, every window examined from its beginning to its end.
//!
//! It says what section 4.2.2 of Nguyen's thesis says, with our extensions, and nothing about speed.
//! [`Monitor`](crate::Monitor) must agree with it on every log.

use choros_data::Terms;
use choros_model::observation::{Datum, Number, Observation};
use choros_query::property::{Properties, Property, Sense, Window};

use crate::agreement::{agree, key as key_of};
use crate::code::Truth;
use crate::pattern::{Match, Pattern, UnusableProperty, patterns};
use crate::{Config, Outcome};

/// One window of a property: the property's position, the position of the message that opened it, its outcome and the
/// position of the message that decided it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NaiveWindow {
    /// The position of the property.
    pub property: usize,
    /// The position of the message that opened it, in the whole log.
    pub opened: usize,
    /// What became of it.
    pub outcome: Outcome,
    /// The position of the message that decided it; none where the log ended first.
    pub decided: Option<usize>,
}

/// Judges logs that are all there; observations of one service must stand in the order in which they are judged.
pub fn judge(
    properties: &Properties,
    terms: &Terms,
    config: &Config,
    log: &[Observation<'_>],
) -> Result<Vec<NaiveWindow>, UnusableProperty> {
    let mut compiled = Vec::new();
    for property in &properties.local {
        compiled.push(patterns(property, terms)?);
    }
    let mut windows = Vec::new();
    for (number, property) in properties.local.iter().enumerate() {
        let (context, consequence) = &compiled[number];
        let mut services: Vec<&str> = log.iter().map(|seen| seen.by.as_ref()).collect();
        services.sort_unstable();
        services.dedup();
        for service in services {
            if property
                .service
                .as_deref()
                .is_some_and(|wanted| wanted != service)
            {
                continue;
            }
            let own = |seen: &Observation<'_>| seen.by == service;
            let related = |seen: &Observation<'_>| {
                !config.related_only
                    || properties.local.iter().zip(&compiled).any(
                        |(property, (context, consequence))| {
                            property
                                .service
                                .as_deref()
                                .is_none_or(|wanted| wanted == service)
                                && context
                                    .iter()
                                    .chain(consequence)
                                    .any(|pattern| pattern.head.names(seen))
                        },
                    )
            };
            let stream: Vec<usize> = (0..log.len())
                .filter(|&position| own(&log[position]) && related(&log[position]))
                .collect();
            for start in 0..stream.len() {
                let verdict = window(property, context, consequence, config, log, &stream, start);
                if let Some((outcome, decided)) = verdict {
                    windows.push(NaiveWindow {
                        property: number,
                        opened: stream[start],
                        outcome,
                        decided,
                    });
                }
            }
        }
    }
    windows.sort();
    Ok(windows)
}

/// The window that a message opens, if it opens one whose context is seen.
fn window(
    property: &Property,
    context: &[Pattern],
    consequence: &[Pattern],
    config: &Config,
    log: &[Observation<'_>],
    stream: &[usize],
    start: usize,
) -> Option<(Outcome, Option<usize>)> {
    let first = &log[stream[start]];
    let key = match &property.correlation {
        Some(correlation) => Some(key_of(correlation, first)?.into_owned()),
        None => None,
    };
    let agrees = |seen: &Observation<'_>| match &property.correlation {
        Some(correlation) => agree(key_of(correlation, seen).as_deref(), key.as_deref()),
        None => Truth::True,
    };
    // Whether a message that may be of the session may be one of those that count.
    let may_be_of_session = |seen: &Observation<'_>| {
        property.per_session
            && agree(seen.session.as_deref(), first.session.as_deref()) == Truth::Redacted
    };
    // What the window can see: everything after its beginning, or what is of its session.
    let rest: Vec<usize> = stream[start..]
        .iter()
        .copied()
        .filter(|&position| !property.per_session || log[position].session == first.session)
        .collect();
    let mut values: Vec<Datum<'static>> = Vec::new();
    let mut own = Vec::new();
    let mut is_redacted = false;
    for (number, pattern) in context.iter().enumerate() {
        let next = rest.get(number).copied();
        let before = stream[start..].iter().take_while(|it| Some(**it) != next);
        if let Some(&doubtful) = before.into_iter().find(|it| may_be_of_session(&log[**it])) {
            return Some((Outcome::Inconclusive, Some(doubtful)));
        }
        let seen = &log[next?];
        // The first message is of its own conversation, whatever its key is.
        let agrees = match number {
            0 => Truth::True,
            _ => agrees(seen),
        };
        if agrees == Truth::False || pattern.head.values(seen, &mut own) != Match::Values {
            return None;
        }
        match (agrees, pattern.judge(&values, &own)) {
            (_, Truth::False) => return None,
            (Truth::True, Truth::True) => {}
            _ => is_redacted = true,
        }
        values.append(&mut own);
    }
    let last = rest[context.len() - 1];
    let time = |upto: usize| -> Option<Number> {
        // The clock of the log: the largest time that was seen up to here.
        let times = stream.iter().filter(|&&position| position <= upto);
        times.filter_map(|&position| log[position].at.clone()).max()
    };
    let (mut met, mut unmet) = match property.sense {
        Sense::Expect => (Outcome::Pass, Outcome::Fail),
        Sense::Never => (Outcome::Fail, Outcome::Pass),
    };
    if is_redacted {
        (met, unmet) = (Outcome::Inconclusive, Outcome::Inconclusive);
    }
    let begun = log[last].at.clone().or_else(|| time(last));
    let mut counted = 0;
    for &position in &stream[stream.iter().position(|&it| it == last)? + 1..] {
        let seen = &log[position];
        let now = seen.at.clone().or_else(|| time(position));
        if let (Window::Milliseconds(length), Some(begun), Some(now)) =
            (property.window, &begun, &now)
        {
            let length = Number::from(i64::try_from(length).unwrap_or(i64::MAX));
            if *now > begun.plus(&length) {
                return Some((unmet, Some(position)));
            }
        }
        let in_stream = !property.per_session || seen.session == first.session;
        if may_be_of_session(seen) {
            return Some((Outcome::Inconclusive, Some(position)));
        }
        if !in_stream {
            continue;
        }
        counted += 1;
        let answers: Vec<Truth> = consequence
            .iter()
            .filter(|pattern| agrees(seen) != Truth::False && pattern.head.names(seen))
            .filter_map(|pattern| {
                let compared = pattern.head.values(seen, &mut own);
                (compared == Match::Values).then(|| match pattern.judge(&values, &own) {
                    Truth::True => agrees(seen),
                    other => other,
                })
            })
            .collect();
        if answers.contains(&Truth::True) {
            return Some((met, Some(position)));
        }
        if answers.contains(&Truth::Redacted) {
            unmet = Outcome::Inconclusive;
        }
        if property.window == Window::Messages(counted) {
            return Some((unmet, Some(position)));
        }
    }
    Some((
        if config.strict_end {
            unmet
        } else {
            Outcome::Inconclusive
        },
        None,
    ))
}
