//! An observation in the making: parts come in the order of the text, and may be missing.

use std::borrow::Cow;

use choros_model::observation::{Datum, Number, Observation};
use choros_model::stg::Direction;

use super::hidden::HiddenFields;
use super::mapping::{Mapping, PartSource};
use super::plan::{Plan, Target};
use super::problem::RecordFlaw;
use super::time::TimeForm;

/// What is known of an observation so far.
#[derive(Debug, Default)]
pub(super) struct Draft<'t> {
    at: Option<Datum<'t>>,
    by: Option<Cow<'t, str>>,
    direction: Option<Cow<'t, str>>,
    from: Option<Cow<'t, str>>,
    to: Option<Cow<'t, str>>,
    operation: Option<Cow<'t, str>>,
    id: Option<Cow<'t, str>>,
    session: Option<Cow<'t, str>>,
    pub(super) data: Vec<(Cow<'t, str>, Datum<'t>)>,
}

/// What is known from outside the log.
#[derive(Debug, Clone, Default)]
pub(super) struct Surroundings {
    /// Whose log it is.
    pub(super) service: Option<String>,
    /// Addresses and the roles they stand for.
    pub(super) names: Vec<(String, String)>,
}

impl<'t> Draft<'t> {
    /// Puts a value where it belongs.
    pub(super) fn put(
        &mut self,
        plan: &'t Plan,
        target: Target,
        value: Datum<'t>,
    ) -> Result<(), RecordFlaw> {
        match target {
            Target::At => self.at = Some(value),
            Target::By => self.by = word("by", value)?,
            Target::Direction => self.direction = word("dir", value)?,
            Target::From => self.from = word("from", value)?,
            Target::To => self.to = word("to", value)?,
            Target::Operation => self.operation = word("op", value)?,
            Target::Id => self.id = word("id", value)?,
            Target::Session => self.session = word("session", value)?,
            Target::Data(number) => self.put_data(plan, number, value),
        }
        Ok(())
    }

    /// Puts a text where it belongs; what most values are goes there without detours.
    #[inline]
    pub(super) fn put_text(&mut self, plan: &'t Plan, target: Target, text: &'t str) {
        let word = if text.is_empty() {
            None
        } else {
            Some(Cow::Borrowed(text))
        };
        match target {
            Target::At => self.at = Some(Datum::Text(Cow::Borrowed(text))),
            Target::By => self.by = word,
            Target::Direction => self.direction = word,
            Target::From => self.from = word,
            Target::To => self.to = word,
            Target::Operation => self.operation = word,
            Target::Id => self.id = word,
            Target::Session => self.session = word,
            Target::Data(number) => self.put_data(plan, number, Datum::Text(Cow::Borrowed(text))),
        }
    }

    /// Puts a whole number where it belongs.
    #[inline]
    pub(super) fn put_small(
        &mut self,
        plan: &'t Plan,
        target: Target,
        value: i64,
    ) -> Result<(), RecordFlaw> {
        let value = Datum::Number(Number::from(value));
        match target {
            Target::At => self.at = Some(value),
            Target::Data(number) => self.put_data(plan, number, value),
            _ => return self.put(plan, target, value),
        }
        Ok(())
    }

    fn put_data(&mut self, plan: &'t Plan, number: u32, value: Datum<'t>) {
        let path = &plan.paths[number as usize];
        self.data.push((Cow::Borrowed(path.as_str()), value));
    }

    /// Puts a value that stands at a flat path.
    pub(super) fn put_at(
        &mut self,
        plan: &'t Plan,
        path: &'t str,
        value: Datum<'t>,
    ) -> Result<(), RecordFlaw> {
        let (node, below) = plan.find(path);
        if let Some(node) = node {
            for &target in &plan.at(node).targets {
                self.put(plan, target, value.clone())?;
            }
        }
        if let Some(below) = below
            && !below.is_empty()
            && node.is_none_or(|node| plan.at(node).targets.is_empty())
        {
            self.data.push((Cow::Borrowed(below), value));
        }
        Ok(())
    }

    /// The observation, and a remark where it says to be in the wrong log.
    pub(super) fn finish(
        self,
        mapping: &'t Mapping,
        surroundings: &'t Surroundings,
        line: u64,
    ) -> Result<(Observation<'t>, Option<RecordFlaw>), RecordFlaw> {
        let given = |found: Option<Cow<'t, str>>, source: &'t Option<PartSource>| match source {
            Some(PartSource::Value(value)) => Some(Cow::Borrowed(value.as_str())),
            _ => found,
        };
        let operation =
            given(self.operation, &mapping.operation).ok_or(RecordFlaw::Missing("op"))?;
        let fixed = if mapping.messages.is_empty() {
            None
        } else {
            mapping.fixed(&operation)
        };
        let fixed_from = fixed.and_then(|fixed| fixed.from.as_deref());
        let fixed_to = fixed.and_then(|fixed| fixed.to.as_deref());
        let from = match fixed_from {
            Some(from) => Cow::Borrowed(from),
            None => given(self.from, &mapping.from).ok_or(RecordFlaw::Missing("from"))?,
        };
        let to = match fixed_to {
            Some(to) => Cow::Borrowed(to),
            None => given(self.to, &mapping.to).ok_or(RecordFlaw::Missing("to"))?,
        };
        let (from, to) = (surroundings.role(from), surroundings.role(to));
        let own = given(self.by, &mapping.by).map(|by| surroundings.role(by));
        let service = surroundings.service.as_deref();
        let remark = match (&own, service) {
            (Some(own), Some(service)) if own != service => Some(RecordFlaw::OtherService {
                expected: service.to_owned(),
                found: own.clone().into_owned(),
            }),
            _ => None,
        };
        let by = service.map(Cow::Borrowed).or(own);
        let said = match fixed.and_then(|fixed| fixed.sends) {
            Some(sends) => Some(sends),
            None => match given(self.direction, &mapping.direction) {
                Some(text) => Some(sends(&text, mapping)?),
                None => None,
            },
        };
        let direction = match said {
            Some(true) => Direction::Send,
            Some(false) => Direction::Receive,
            // Whoever stands at one end of a message did what that end does.
            None => match &by {
                Some(by) if *by == from => Direction::Send,
                Some(by) if *by == to => Direction::Receive,
                _ => return Err(RecordFlaw::Missing("dir")),
            },
        };
        let by = by.unwrap_or_else(|| match direction {
            Direction::Receive => to.clone(),
            _ => from.clone(),
        });
        let at = match given_time(self.at, mapping) {
            Some(value) => Some(time(&value, mapping.time)?),
            None => None,
        };
        let (mut data, mut id, mut session) = (
            self.data,
            given(self.id, &mapping.id),
            given(self.session, &mapping.session),
        );
        if let Some(hidden) = &mapping.hidden {
            hidden.data(&mapping.data, &mut data);
            id = named(hidden, id, &mapping.id);
            session = named(hidden, session, &mapping.session);
        }
        let observation = Observation {
            line,
            at,
            by,
            direction,
            from,
            to,
            operation,
            id,
            session,
            data,
        };
        Ok((observation, remark))
    }
}

impl Surroundings {
    fn role<'t>(&'t self, name: Cow<'t, str>) -> Cow<'t, str> {
        match self.names.iter().find(|(address, _)| *address == name) {
            Some((_, role)) => Cow::Borrowed(role.as_str()),
            None => name,
        }
    }
}

/// A name that the record gives, without what must not be shown.
fn named<'t>(
    hidden: &HiddenFields,
    found: Option<Cow<'t, str>>,
    source: &Option<PartSource>,
) -> Option<Cow<'t, str>> {
    match source {
        Some(PartSource::Path(path)) => found.map(|word| hidden.word(path, word)),
        _ => found,
    }
}

fn given_time<'t>(found: Option<Datum<'t>>, mapping: &'t Mapping) -> Option<Datum<'t>> {
    match &mapping.at {
        Some(PartSource::Value(value)) => Some(Datum::Untyped(Cow::Borrowed(value.as_str()))),
        _ => match found {
            Some(Datum::Null) | None => None,
            found => found,
        },
    }
}

fn time(value: &Datum<'_>, form: TimeForm) -> Result<Number, RecordFlaw> {
    form.milliseconds(value)
        .ok_or_else(|| RecordFlaw::WrongType {
            field: "at",
            found: format!(
                "not a time in the form {} between 1970 and 9999: {value}",
                form.name()
            ),
        })
}

/// A word; numbers are read as words too, since sessions often are numbers.
fn word<'t>(field: &'static str, value: Datum<'t>) -> Result<Option<Cow<'t, str>>, RecordFlaw> {
    match value {
        Datum::Text(text) | Datum::Untyped(text) => Ok((!text.is_empty()).then_some(text)),
        Datum::Null => Ok(None),
        Datum::Number(number) => Ok(Some(Cow::Owned(number.to_string()))),
        other => Err(RecordFlaw::WrongType {
            field,
            found: other.kind().to_owned(),
        }),
    }
}

fn sends(text: &str, mapping: &Mapping) -> Result<bool, RecordFlaw> {
    if let Some((_, sends)) = mapping
        .direction_words
        .iter()
        .find(|(word, _)| word == text)
    {
        return Ok(*sends);
    }
    match text {
        "send" | "sending" | "SEND" | "sent" => Ok(true),
        "recv" | "receive" | "reception" | "RECEIVE" | "received" => Ok(false),
        _ => Err(RecordFlaw::WrongType {
            field: "dir",
            found: format!("`{text}`, neither send nor recv"),
        }),
    }
}
