//! Candidate events, ready to be compared with messages.

use choros_data::{Term, Terms, Var};
use choros_model::observation::{Datum, Observation, pseudonym};
use choros_model::stg::Direction;
use choros_query::property::{CandidateEvent, Part, Property};
use rustc_hash::FxHashMap;

use crate::code::{Code, Slots, Truth};
use crate::kind::{ValueKind, kinds};

/// A candidate event whose variables are numbered places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// Which message, and which of its values.
    pub(crate) head: Head,
    code: Option<Code>,
    /// The first place that this event fills.
    first_slot: usize,
}

/// Which message, and which of its values: what properties of one service often share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) operation: Option<String>,
    from: Option<String>,
    to: Option<String>,
    direction: Option<Direction>,
    bindings: Vec<Bound>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Bound {
    part: Part,
    /// What its value must be.
    kind: Option<ValueKind>,
}

/// How a message compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Match {
    /// It is another message, or lacks a value.
    No,
    /// It is this message and has the values; the condition is still open.
    Values,
    /// A value has a kind that the condition cannot use.
    WrongKind(usize, ValueKind),
}

/// Why a property cannot be monitored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusableProperty(pub String);

/// The patterns of a property, the context first; the places of its variables are numbered from 0 in the context, and
/// continue in each alternative of the consequence.
pub(crate) fn patterns(
    property: &Property,
    terms: &Terms,
) -> Result<(Vec<Pattern>, Vec<Pattern>), UnusableProperty> {
    let conditions: Vec<Term> = property
        .events()
        .filter_map(|event| event.condition.as_ref()?.term)
        .collect();
    let kinds = kinds(&conditions, terms);
    let mut slots: FxHashMap<Var, usize> = FxHashMap::default();
    let mut next = 0;
    let mut made =
        |event: &CandidateEvent, next: &mut usize| -> Result<Pattern, UnusableProperty> {
            let first_slot = *next;
            let mut bindings = Vec::new();
            for binding in &event.bindings {
                let Some(var) = binding.var else {
                    return Err(UnusableProperty(format!(
                        "`{}` has mistakes",
                        property.name
                    )));
                };
                slots.insert(var, *next);
                *next += 1;
                bindings.push(Bound {
                    part: binding.part.clone(),
                    kind: kinds.get(&var).copied(),
                });
            }
            let code = match &event.condition {
                None => None,
                Some(condition) => {
                    let code = condition
                        .term
                        .and_then(|term| Code::new(term, terms, &slots));
                    Some(code.ok_or_else(|| {
                        UnusableProperty(format!(
                            "`{}` cannot be evaluated: {}",
                            property.name, condition.text
                        ))
                    })?)
                }
            };
            Ok(Pattern {
                head: Head {
                    operation: event.operation.clone(),
                    from: event.from.clone(),
                    to: event.to.clone(),
                    direction: event.direction,
                    bindings,
                },
                code,
                first_slot,
            })
        };
    let mut context = Vec::new();
    for event in &property.context {
        context.push(made(event, &mut next)?);
    }
    let mut consequence = Vec::new();
    for event in &property.consequence {
        let mut own = next;
        consequence.push(made(event, &mut own)?);
    }
    Ok((context, consequence))
}

impl Head {
    /// Whether it is this message: operation, roles and direction.
    pub(crate) fn names(&self, seen: &Observation<'_>) -> bool {
        let is = |wanted: &Option<String>, found: &str| {
            wanted.as_ref().is_none_or(|wanted| wanted == found)
        };
        is(&self.operation, &seen.operation)
            && self
                .direction
                .is_none_or(|direction| direction == seen.direction)
            && is(&self.from, &seen.from)
            && is(&self.to, &seen.to)
    }

    /// Compares a message and takes its values, in the order of places.
    pub(crate) fn values(&self, seen: &Observation<'_>, out: &mut Vec<Datum<'static>>) -> Match {
        out.clear();
        if !self.names(seen) {
            return Match::No;
        }
        for (position, bound) in self.bindings.iter().enumerate() {
            let text = |text: &str| Datum::Text(text.to_owned().into());
            let unseen = || seen.is_partial.then(|| text(pseudonym::UNSEEN));
            let value = match &bound.part {
                Part::Data(path) => {
                    let value = seen.datum(path).cloned().map(Datum::into_owned);
                    value.or_else(unseen)
                }
                Part::At => seen.at.clone().map(Datum::Number),
                Part::Id => seen.id.as_deref().map(text),
                Part::Session => seen.session.as_deref().map(text),
                Part::From => Some(text(&seen.from)),
                Part::To => Some(text(&seen.to)),
                Part::Operation => Some(text(&seen.operation)),
            };
            let Some(value) = value else { return Match::No };
            if let Some(kind) = bound.kind
                && !kind.takes(&value)
                // A pseudonym is a text, whatever it stands for.
                && !value.is_redacted()
            {
                return Match::WrongKind(position, kind);
            }
            out.push(value);
        }
        Match::Values
    }

    /// The parts that values are taken from.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.bindings.iter().map(|bound| &bound.part)
    }

    /// The message, as properties write it.
    pub(crate) fn message(&self) -> String {
        let sign = match self.direction {
            Some(Direction::Send) => "!",
            Some(Direction::Receive) => "?",
            Some(Direction::Interaction) | None => "",
        };
        let names = [&self.operation, &self.from, &self.to];
        let [operation, from, to] = names.map(|it| it.as_deref().unwrap_or("any"));
        format!("{operation}[{from},{to}]{sign}")
    }

    /// The part that a value was taken from, in words.
    pub(crate) fn part(&self, position: usize) -> String {
        self.bindings
            .get(position)
            .map_or_else(String::new, |bound| bound.part.text())
    }
}

impl Pattern {
    /// Whether the condition is true of the values known before and those of this message.
    pub(crate) fn judge(&self, before: &[Datum<'static>], own: &[Datum<'static>]) -> Truth {
        let slots = Slots {
            before,
            own,
            first: self.first_slot,
        };
        let truth = self
            .code
            .as_ref()
            .map_or(Truth::True, |code| code.judge(slots));
        // A value that was not written down may not have been there.
        let is_unseen = |it: &Datum<'_>| matches!(it, Datum::Text(it) if it == pseudonym::UNSEEN);
        match truth {
            Truth::True if own.iter().any(is_unseen) => Truth::Redacted,
            truth => truth,
        }
    }
}
