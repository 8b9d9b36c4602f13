//! An observation in the making: parts come in the order of the text, and may be missing.

use std::borrow::Cow;

use choros_model::observation::{Datum, Number, Observation};
use choros_model::stg::Direction;

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
    is_fault: bool,
    id: Option<Cow<'t, str>>,
    session: Option<Cow<'t, str>>,
    is_partial: bool,
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
            Target::Fault => {
                self.is_fault = match value {
                    Datum::Bool(is_fault) => is_fault,
                    value => word("fault", value)?.is_some_and(|it| it == "true"),
                }
            }
            Target::Id => self.id = word("id", value)?,
            Target::Session => self.session = word("session", value)?,
            // Whether a part was cut off, or why nothing could be read.
            Target::Truncated | Target::Unread => {
                self.is_partial |= !matches!(value, Datum::Null | Datum::Bool(false))
                    && !matches!(value.text(), Some("" | "false"));
            }
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
            Target::Fault => self.is_fault = text == "true",
            Target::Id => self.id = word,
            Target::Session => self.session = word,
            Target::Truncated | Target::Unread => {
                self.is_partial |= !matches!(text, "" | "false");
            }
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
        surroundings: &'t Surroundings,
        line: u64,
    ) -> Result<(Observation<'t>, Option<RecordFlaw>), RecordFlaw> {
        let operation = self.operation.ok_or(RecordFlaw::Missing("op"))?;
        let from = self.from.ok_or(RecordFlaw::Missing("from"))?;
        let to = self.to.ok_or(RecordFlaw::Missing("to"))?;
        let (from, to) = (surroundings.role(from), surroundings.role(to));
        let own = self.by.map(|by| surroundings.role(by));
        let service = surroundings.service.as_deref();
        let remark = match (&own, service) {
            (Some(own), Some(service)) if own != service => Some(RecordFlaw::OtherService {
                expected: service.to_owned(),
                found: own.clone().into_owned(),
            }),
            _ => None,
        };
        let by = service.map(Cow::Borrowed).or(own);
        let said = match self.direction {
            Some(text) => Some(sends(&text)?),
            None => None,
        };
        let direction = match said {
            Some(true) => Direction::Send,
            Some(false) => Direction::Receive,
            // A role at one end of a message did what that end does.
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
        let at = match self.at {
            Some(Datum::Null) | None => None,
            Some(value) => Some(time(&value)?),
        };
        let observation = Observation {
            line,
            at,
            by,
            direction,
            from,
            to,
            operation,
            is_fault: self.is_fault,
            id: self.id,
            session: self.session,
            data: self.data,
            is_partial: self.is_partial,
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

fn time(value: &Datum<'_>) -> Result<Number, RecordFlaw> {
    let form = TimeForm::default();
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

fn sends(text: &str) -> Result<bool, RecordFlaw> {
    match text {
        "send" | "sending" | "SEND" | "sent" => Ok(true),
        "recv" | "receive" | "reception" | "RECEIVE" | "received" => Ok(false),
        _ => Err(RecordFlaw::WrongType {
            field: "dir",
            found: format!("`{text}`, neither send nor recv"),
        }),
    }
}
