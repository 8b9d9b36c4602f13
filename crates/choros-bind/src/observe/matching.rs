//! Exactly one message must fit.

use std::borrow::Cow;

use crate::{Envelope, HttpExchange, MessageBinding};

use super::ends::{Ends, Named};
use super::{Binder, Half, NotBound, View};

/// A message that fits.
#[derive(Debug, Clone)]
pub(super) struct Fit<'b> {
    pub(super) message: Cow<'b, MessageBinding>,
    pub(super) ends: Ends,
    /// The parameters of the path.
    pub(super) parameters: Parameters,
}

/// How much a message says about a record: what says more is meant.
///
/// First the way by which it is recognised, then how exactly, then how much else is asked for.
type Rank = (u8, i64, usize);

/// The parameters of a path.
type Parameters = Vec<(String, String)>;

/// Why a message does not fit, and how near it came.
struct Misfit {
    near: u8,
    why: String,
}

impl Binder {
    /// The message that a record is, or the request of an exchange.
    pub(super) fn call(&self, envelope: &Envelope, own: Option<&str>) -> Result<Fit<'_>, NotBound> {
        let mut fits: Vec<(Rank, &MessageBinding, Parameters)> = Vec::new();
        let mut nearest: Option<(u8, String, String)> = None;
        for message in &self.messages {
            match self.recognised(message, envelope) {
                Ok((rank, parameters)) => fits.push((rank, message, parameters)),
                Err(misfit) => {
                    if nearest
                        .as_ref()
                        .is_none_or(|(near, ..)| misfit.near > *near)
                    {
                        nearest = Some((misfit.near, message.name.clone(), misfit.why));
                    }
                }
            }
        }
        if fits.is_empty() {
            if (self.messages.is_empty() || self.binding.others_by_name)
                && let Some(name) = envelope.names.first()
            {
                return self.as_it_says(name, envelope, own);
            }
            // What shares nothing with the record is not near.
            let nearest = nearest.filter(|(near, ..)| *near > 0);
            return Err(NotBound::NoMessage(
                nearest.map(|(_, name, why)| (name, why)),
            ));
        }
        let named = self.named(envelope, own)?;
        let mut with_ends = Vec::new();
        let mut astray = None;
        for (rank, message, parameters) in fits {
            let ends = self.ends(message, &named);
            match ends.as_slice() {
                [] if self.knows_ends(message) => {
                    let why = self.other_ends(message, &named);
                    astray = Some(NotBound::NoMessage(Some((message.name.clone(), why))));
                }
                [] => astray = Some(NotBound::NoEnds(message.name.clone())),
                _ => with_ends.push((rank, message, parameters, ends)),
            }
        }
        let best = with_ends.iter().map(|it| it.0).max();
        with_ends.retain(|it| Some(it.0) == best);
        let mut left = with_ends.into_iter();
        match (left.next(), left.next(), astray) {
            (None, _, Some(reason)) => Err(reason),
            (None, _, None) => Err(NotBound::NoMessage(None)),
            (Some((_, message, parameters, ends)), None, _) => match <[Ends; 1]>::try_from(ends) {
                Ok([ends]) => Ok(Fit {
                    message: Cow::Borrowed(message),
                    ends,
                    parameters,
                }),
                Err(_) => Err(NotBound::NoEnds(message.name.clone())),
            },
            (Some(first), Some(second), _) => {
                let mut names = vec![first.1.name.clone(), second.1.name.clone()];
                names.extend(left.map(|it| it.1.name.clone()));
                Err(NotBound::Ambiguous(names))
            }
        }
    }

    /// Without any message to compare with, a record is what it calls itself.
    fn as_it_says(
        &self,
        name: &str,
        envelope: &Envelope,
        own: Option<&str>,
    ) -> Result<Fit<'_>, NotBound> {
        let message = MessageBinding::new(name);
        let ends = self.ends(&message, &self.named(envelope, own)?).pop();
        Ok(Fit {
            ends: ends.ok_or_else(|| NotBound::NoEnds(name.to_owned()))?,
            message: Cow::Owned(message),
            parameters: Vec::new(),
        })
    }

    fn other_ends(&self, message: &MessageBinding, named: &Named) -> String {
        let known = self.vocabulary.called(&message.name);
        let mut known: Vec<String> = known.map(|it| format!("{} → {}", it.from, it.to)).collect();
        if known.is_empty() {
            let or = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
            known.push(format!("{} → {}", or(&message.from), or(&message.to)));
        }
        format!(
            "that goes {}, and this {}",
            known.join(" or "),
            named.text()
        )
    }

    /// Whether a record looks like a message, no matter who sent it.
    fn recognised(
        &self,
        message: &MessageBinding,
        envelope: &Envelope,
    ) -> Result<(Rank, Parameters), Misfit> {
        let (way, how, parameters) = match (&envelope.http, &message.request) {
            (Some(http), Some(_)) => {
                let (fixed, parameters) = requested(message, http)?;
                (3, fixed, parameters)
            }
            (Some(_), None) if !message.response.is_empty() && message.names.is_empty() => {
                return Err(Misfit {
                    near: 0,
                    why: "it is a response".to_owned(),
                });
            }
            _ => self.called(message, envelope)?,
        };
        let view = View::new(envelope, Half::Request, &parameters);
        let is_answer_too = message.response.contains(&message.name);
        let asked = if is_answer_too && message.request.is_some() && envelope.http.is_some() {
            0
        } else {
            conditions(message, &view)?
        };
        Ok(((way, how, asked), parameters))
    }

    /// By its name, or by its topic.
    fn called(
        &self,
        message: &MessageBinding,
        envelope: &Envelope,
    ) -> Result<(u8, i64, Parameters), Misfit> {
        let topic = match (&message.topic, &envelope.topic) {
            (Some(wanted), Some(topic)) if !wanted.matches(topic) => {
                return Err(Misfit {
                    near: 1,
                    why: format!("it goes through `{wanted}`, not `{topic}`"),
                });
            }
            (Some(_), Some(_)) => true,
            _ => false,
        };
        for (position, name) in envelope.names.iter().enumerate() {
            let is_own = *name == message.name;
            let mut patterns = message.names.iter().filter(|it| it.matches(name));
            let exact = is_own || patterns.clone().any(|it| it.is_exact());
            if exact || patterns.next().is_some() {
                // The most telling name stands first.
                let how = 2 * -(position as i64) + i64::from(exact);
                return Ok((2, how, Vec::new()));
            }
        }
        if topic && message.names.is_empty() {
            return Ok((1, 0, Vec::new()));
        }
        let called = match envelope.names.first() {
            Some(name) => format!("the record is called `{name}`"),
            None => "the record has no name".to_owned(),
        };
        let own = std::iter::once(message.name.as_str());
        let wanted: Vec<&str> = own
            .chain(message.names.iter().map(|it| it.text()))
            .collect();
        let is_near = |name: &String| {
            let last = name.rsplit(['.', '/', ':']).next().unwrap_or(name);
            choros_base::nearest(last, wanted.iter().copied()).is_some()
        };
        Err(Misfit {
            near: u8::from(topic || envelope.names.iter().any(is_near)),
            why: called,
        })
    }

    /// What the response of an exchange is; nothing where there is none, or it is not a message of its own.
    pub(super) fn answer(
        &self,
        envelope: &Envelope,
        call: &Fit<'_>,
    ) -> Option<Result<Fit<'_>, NotBound>> {
        let http = envelope.http.as_ref()?;
        if http.status.is_none() && http.response.is_none() {
            return None;
        }
        let ends = call.ends.reversed();
        let is_known = |message: &MessageBinding| {
            let mut known = self.vocabulary.called(&message.name).peekable();
            known.peek().is_none() || known.any(|it| it.from == ends.from && it.to == ends.to)
        };
        let mut answers = self
            .messages
            .iter()
            .filter(|it| it.response.contains(&call.message.name) && is_known(it))
            .peekable();
        answers.peek()?;
        let mut nearest: Option<(u8, String, String)> = None;
        let mut best: Vec<(usize, &MessageBinding)> = Vec::new();
        for message in answers {
            match answered(message, http, envelope, &call.parameters) {
                Ok(rank) => best.push((rank, message)),
                Err(misfit) => {
                    if nearest
                        .as_ref()
                        .is_none_or(|(near, ..)| misfit.near > *near)
                    {
                        nearest = Some((misfit.near, message.name.clone(), misfit.why));
                    }
                }
            }
        }
        let most = best.iter().map(|it| it.0).max();
        best.retain(|it| Some(it.0) == most);
        Some(match &best[..] {
            [] => Err(NotBound::NoAnswer(
                call.message.name.clone(),
                nearest.map(|(_, name, why)| (name, why)),
            )),
            [(_, message)] => Ok(Fit {
                message: Cow::Borrowed(message),
                ends,
                parameters: call.parameters.clone(),
            }),
            several => {
                let names = several.iter().map(|it| it.1.name.clone());
                Err(NotBound::Ambiguous(names.collect()))
            }
        })
    }
}

/// How exactly a path is the one of a message, and its parameters.
fn requested(message: &MessageBinding, http: &HttpExchange) -> Result<(i64, Parameters), Misfit> {
    let Some(request) = &message.request else {
        return Err(Misfit {
            near: 0,
            why: "it is not a request".to_owned(),
        });
    };
    let method = match (&request.method, &http.method) {
        (Some(wanted), Some(given)) => wanted.eq_ignore_ascii_case(given),
        _ => true,
    };
    // A slash at the end means the same resource in most logs and to most servers.
    let shorter = http.path.strip_suffix('/').filter(|it| !it.is_empty());
    let matched = request.path.matched(&http.path);
    let matched = matched.or_else(|| request.path.matched(shorter?));
    match matched {
        Some(parameters) if method => Ok((request.path.fixed() as i64, parameters)),
        Some(_) => Err(Misfit {
            near: 2,
            why: format!(
                "the request is a {}, not a {}",
                http.method.as_deref().unwrap_or("?"),
                request.method()
            ),
        }),
        None => Err(Misfit {
            near: u8::from(first_part(&http.path) == first_part(request.path.text())),
            why: format!("`{}` is not `{}`", http.path, request.path),
        }),
    }
}

fn first_part(path: &str) -> &str {
    let mut parts = path.split('/').filter(|it| !it.is_empty());
    parts.next().unwrap_or_default()
}

/// How many conditions a record fulfils; or the first that it does not.
fn conditions(message: &MessageBinding, view: &View<'_>) -> Result<usize, Misfit> {
    for (place, wanted) in &message.when {
        match view.get(place) {
            Some(found) if found.agrees(wanted) => {}
            Some(found) => {
                return Err(Misfit {
                    near: 3,
                    why: format!("`{place}` is {found}, not {wanted}"),
                });
            }
            None => {
                return Err(Misfit {
                    near: 3,
                    why: format!("there is no `{place}`"),
                });
            }
        }
    }
    Ok(message.when.len())
}

/// How much a message says about a response; or why it is another.
fn answered(
    message: &MessageBinding,
    http: &HttpExchange,
    envelope: &Envelope,
    parameters: &[(String, String)],
) -> Result<usize, Misfit> {
    match http.status {
        Some(status) if !message.has_status(status) => {
            return Err(Misfit {
                near: 1,
                why: format!("the status is {status}"),
            });
        }
        None if !message.status.is_empty() => {
            return Err(Misfit {
                near: 1,
                why: "the status was not written down".to_owned(),
            });
        }
        _ => {}
    }
    let view = View::new(envelope, Half::Response, parameters);
    let asked = conditions(message, &view)?;
    Ok(asked + usize::from(!message.status.is_empty()))
}
