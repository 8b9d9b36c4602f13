//! Exactly one message must fit.

use std::borrow::Cow;

use crate::{Envelope, HttpExchange, MessageBinding, RequestPattern, ResponseName};

use super::ends::{Ends, Named};
use super::{Binder, Half, NotBound, View};

/// A message that fits.
#[derive(Debug, Clone)]
pub(super) struct Fit<'b> {
    pub(super) message: Cow<'b, MessageBinding>,
    /// Who sends it to whom; of a request that is not a message, it may not be known.
    pub(super) ends: Option<Ends>,
    /// The parameters of the path.
    pub(super) parameters: Parameters,
    /// It is not a message of the model, as the binding says.
    pub(super) is_ignored: bool,
}

/// How much a message says about a record: what says more is meant.
///
/// First the way by which it is recognised, then how exactly, then how much else is asked for.
type Rank = (u8, i64, usize);

/// How much an answer says: whether it names its request, how exactly, how much else it asks for, how exact its status
/// is.
type AnswerRank = (bool, i64, usize, u8);

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
        let mut fits: Vec<Candidate<'_>> = Vec::new();
        let mut nearest = Nearest::default();
        let ignored = self.binding.ignored.iter().map(|it| (it, true));
        let messages = self.messages.iter().map(|it| (it, false));
        for (message, is_ignored) in messages.chain(ignored) {
            match self.recognized(message, is_ignored, envelope) {
                Ok((rank, parameters)) => fits.push(Candidate {
                    rank,
                    message,
                    parameters,
                    is_ignored,
                    ends: Vec::new(),
                }),
                Err(misfit) if !is_ignored => nearest.add(message, misfit),
                Err(_) => {}
            }
        }
        let best = fits.iter().map(|it| it.rank).max();
        if let [only] = &*fits
            .iter()
            .filter(|it| Some(it.rank) == best)
            .collect::<Vec<_>>()
            && only.is_ignored
        {
            // Anyone may ask for what is not a message.
            let ends = self
                .named(envelope, own)
                .map(|it| self.ends(only.message, &it));
            let ends = ends.unwrap_or_default();
            return Ok(Fit {
                message: Cow::Borrowed(only.message),
                ends: <[Ends; 1]>::try_from(ends).ok().map(|[it]| it),
                parameters: only.parameters.clone(),
                is_ignored: true,
            });
        }
        if fits.is_empty() {
            if self.goes_by_name()
                && let Some(name) = envelope.names.first()
            {
                return self.as_it_says(name, envelope, own);
            }
            // What shares nothing with the record is not near.
            return Err(NotBound::NoMessage(nearest.said()));
        }
        let named = self.named(envelope, own)?;
        let mut astray = None;
        fits.retain_mut(|fit| {
            fit.ends = self.ends(fit.message, &named);
            match fit.ends.as_slice() {
                _ if fit.is_ignored => {}
                [] if self.knows_ends(fit.message) => {
                    let why = self.other_ends(fit.message, &named);
                    astray = Some(NotBound::NoMessage(Some((fit.message.name.clone(), why))));
                }
                [] => astray = Some(NotBound::NoEnds(fit.message.name.clone())),
                _ => {}
            }
            fit.is_ignored || !fit.ends.is_empty()
        });
        let best = fits.iter().map(|it| it.rank).max();
        fits.retain(|it| Some(it.rank) == best);
        let mut left = fits.into_iter();
        match (left.next(), left.next(), astray) {
            (None, _, Some(reason)) => Err(reason),
            (None, _, None) => Err(NotBound::NoMessage(None)),
            (Some(fit), None, _) => match <[Ends; 1]>::try_from(fit.ends) {
                Err(_) if !fit.is_ignored => Err(NotBound::NoEnds(fit.message.name.clone())),
                ends => Ok(Fit {
                    message: Cow::Borrowed(fit.message),
                    ends: ends.ok().map(|[it]| it),
                    parameters: fit.parameters,
                    is_ignored: fit.is_ignored,
                }),
            },
            (Some(first), Some(second), _) => {
                let mut names = vec![first.message.name.clone(), second.message.name.clone()];
                names.extend(left.map(|it| it.message.name.clone()));
                Err(NotBound::Ambiguous(names))
            }
        }
    }

    /// Whether a record that no message fits is what it calls itself.
    pub fn goes_by_name(&self) -> bool {
        self.messages.is_empty() || self.binding.others_by_name
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
        let ends = ends.ok_or_else(|| NotBound::NoEnds(name.to_owned()))?;
        Ok(Fit {
            ends: Some(ends),
            message: Cow::Owned(message),
            parameters: Vec::new(),
            is_ignored: false,
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
    fn recognized(
        &self,
        message: &MessageBinding,
        is_ignored: bool,
        envelope: &Envelope,
    ) -> Result<(Rank, Parameters), Misfit> {
        let has_names = !message.names.is_empty() || message.topic.is_some();
        let (way, how, parameters) = match (&envelope.http, &message.request) {
            (Some(http), Some(_)) => {
                let (fixed, parameters) = requested(message, http)?;
                (3, fixed, parameters)
            }
            (Some(_), None) if message.is_response() && message.names.is_empty() => {
                return Err(Misfit {
                    near: 0,
                    why: "it is a response".to_owned(),
                });
            }
            // Whatever fulfils the conditions, such as the header of a test: nothing says more.
            _ if is_ignored && !has_names && !message.when.is_empty() => (4, 0, Vec::new()),
            (None, Some(_)) if is_ignored && !has_names => {
                return Err(Misfit {
                    near: 0,
                    why: "it is a request".to_owned(),
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
        let ends = call.ends.as_ref().map(Ends::reversed);
        let is_known = |message: &MessageBinding| {
            let mut known = self.vocabulary.called(&message.name).peekable();
            let Some(ends) = &ends else { return true };
            known.peek().is_none() || known.any(|it| it.from == ends.from && it.to == ends.to)
        };
        let ignored = self.binding.ignored.iter().map(|it| (it, true));
        let messages = self.messages.iter().map(|it| (it, false));
        let answers = messages.chain(ignored).filter_map(|(message, is_ignored)| {
            let named = message
                .response
                .contains(&call.message.name)
                .then_some((true, 0));
            let how = named.or_else(|| {
                let fits =
                    |it: &&RequestPattern| it.matched(http.method.as_deref(), &http.path).is_some();
                let exactness = message.answers.iter().filter(fits).map(|it| it.exactness());
                exactness.max().map(|it| (false, it))
            });
            Some((message, is_ignored, how.filter(|_| is_known(message))?))
        });
        let mut answers = answers.peekable();
        answers.peek()?;
        let mut nearest = Nearest::default();
        let mut best: Vec<(AnswerRank, &MessageBinding, bool)> = Vec::new();
        for (message, is_ignored, (is_named, how)) in answers {
            match answered(message, http, envelope, &call.parameters) {
                Ok((asked, status)) => {
                    best.push(((is_named, how, asked, status), message, is_ignored));
                }
                Err(misfit) if !is_ignored => nearest.add(message, misfit),
                Err(_) => {}
            }
        }
        let most = best.iter().map(|it| it.0).max();
        best.retain(|it| Some(it.0) == most);
        match &best[..] {
            [] if call.is_ignored => None,
            [] => Some(Err(NotBound::NoAnswer(
                call.message.name.clone(),
                nearest.said(),
            ))),
            [(_, _, true)] => None,
            [(_, message, false)] if ends.is_none() => {
                Some(Err(NotBound::NoEnds(message.name.clone())))
            }
            [(_, message, false)] => Some(Ok(Fit {
                message: Cow::Borrowed(message),
                ends,
                parameters: call.parameters.clone(),
                is_ignored: false,
            })),
            several => {
                let names = several.iter().map(|it| it.1.name.clone());
                Some(Err(NotBound::Ambiguous(names.collect())))
            }
        }
    }

    /// The response of an exchange as it calls itself, if no message fits it.
    ///
    /// An answer that is none of those that are bound is not lost where it has a name, or whoever got it would be blamed
    /// for what follows.
    pub(super) fn answer_as_it_says(
        &self,
        envelope: &Envelope,
        call: &Fit<'_>,
        is_wrong: bool,
    ) -> Option<Fit<'static>> {
        let http = envelope.http.as_ref()?;
        let name = http.response_name.as_ref()?;
        if call.is_ignored || !(is_wrong || self.goes_by_name()) {
            return None;
        }
        let view = View::new(envelope, Half::Response, &call.parameters);
        let said = self.binding.op.iter().find_map(|it| view.get(it));
        let name = match (said, name) {
            (Some(said), _) => said.key().into_owned(),
            (None, ResponseName::Own(name)) => name.clone(),
            (None, ResponseName::After(ending)) => format!("{}{ending}", call.message.name),
        };
        Some(Fit {
            message: Cow::Owned(MessageBinding::new(name)),
            ends: call.ends.as_ref().map(Ends::reversed),
            parameters: call.parameters.clone(),
            is_ignored: false,
        })
    }
}

/// A message that may fit.
struct Candidate<'b> {
    rank: Rank,
    message: &'b MessageBinding,
    parameters: Parameters,
    is_ignored: bool,
    ends: Vec<Ends>,
}

/// The message that comes nearest to a record that none fits.
#[derive(Default)]
struct Nearest<'b>(Option<(&'b MessageBinding, Misfit)>);

impl<'b> Nearest<'b> {
    fn add(&mut self, message: &'b MessageBinding, misfit: Misfit) {
        if self
            .0
            .as_ref()
            .is_none_or(|(_, known)| misfit.near > known.near)
        {
            self.0 = Some((message, misfit));
        }
    }

    /// Its name, and why it is not the record.
    fn said(self) -> Option<(String, String)> {
        let (message, misfit) = self.0.filter(|(_, misfit)| misfit.near > 0)?;
        Some((message.name.clone(), misfit.why))
    }
}

/// How exactly a request is one of those of a message, and the parameters of its path.
fn requested(message: &MessageBinding, http: &HttpExchange) -> Result<(i64, Parameters), Misfit> {
    let method = http.method.as_deref();
    let matched = message.requests().filter_map(|request| {
        let parameters = request.matched(method, &http.path)?;
        Some((request.exactness(), parameters))
    });
    if let Some(best) = matched.max_by_key(|(exactness, _)| *exactness) {
        return Ok(best);
    }
    let Some(request) = &message.request else {
        return Err(Misfit {
            near: 0,
            why: "it is not a request".to_owned(),
        });
    };
    if request.matched(None, &http.path).is_some() {
        return Err(Misfit {
            near: 2,
            why: format!(
                "the request is a {}, not a {}",
                method.unwrap_or("?"),
                request.method()
            ),
        });
    }
    Err(Misfit {
        near: u8::from(first_part(&http.path) == first_part(request.path.text())),
        why: format!("`{}` is not `{}`", http.path, request.path),
    })
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
) -> Result<(usize, u8), Misfit> {
    let exactness = match http.status {
        Some(status) => message.status_exactness(status).ok_or_else(|| Misfit {
            near: 1,
            why: format!("the status is {status}"),
        })?,
        None if !message.status.is_empty() => {
            return Err(Misfit {
                near: 1,
                why: "the status was not written down".to_owned(),
            });
        }
        None => 0,
    };
    let mut asked = usize::from(!message.status.is_empty());
    if let Some(ResponseName::Own(name)) = &http.response_name {
        let is_it = *name == message.name || message.names.iter().any(|it| it.matches(name));
        if !is_it && !message.names.is_empty() {
            return Err(Misfit {
                near: 2,
                why: format!("the response is called `{name}`"),
            });
        }
        asked += usize::from(is_it);
    }
    let view = View::new(envelope, Half::Response, parameters);
    asked += conditions(message, &view)?;
    Ok((asked, exactness))
}
