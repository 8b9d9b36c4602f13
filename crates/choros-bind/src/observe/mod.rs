//! Which messages of a model a record is.

mod ends;
mod fields;
mod matching;
mod view;

use std::borrow::Cow;

use choros_model::observation::Observation;
use choros_model::stg::Direction;

use crate::{Binding, Envelope, LogRules, MessageBinding, Part, Place, Vocabulary};

pub use ends::Ends;
pub use view::{Half, View};

use self::matching::Fit;

/// A binding with the words of its model: turns envelopes into observations.
#[derive(Debug, Clone, Default)]
pub struct Binder {
    pub binding: Binding,
    pub vocabulary: Vocabulary,
    /// The messages of the binding, then those of the model that it does not mention.
    messages: Vec<MessageBinding>,
}

/// What a record is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sighting {
    /// None, one, or the two of an exchange; where the request is ignored, only its response.
    pub observations: Vec<Observation<'static>>,
    /// The record, or its request, is not a message of the model, as the binding says.
    pub ignored: bool,
    /// Fields of these messages that the record does not have: the message, and the field.
    pub missing: Vec<(String, String)>,
    /// Why it, or its response, is not a message.
    pub not_bound: Option<NotBound>,
}

/// Why a record is not a message of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotBound {
    /// No message fits; the nearest, and why it does not.
    NoMessage(Option<(String, String)>),
    /// The request is this message, and what came back is none of its answers; the nearest, and why it is not it.
    NoAnswer(String, Option<(String, String)>),
    /// These fit, and nothing tells which it is.
    Ambiguous(Vec<String>),
    /// Who takes part in it is not a role: the name in the record.
    NoRole(String),
    /// The message fits, and nothing says who sends it to whom.
    NoEnds(String),
    /// What is closed in it could not be opened: where, and why.
    NotOpened(String, String),
    /// Whether it happened as it is written is not known: why.
    Doubtful(&'static str),
}

impl NotBound {
    /// Whether it may well be a message, so that its log lacks something.
    pub fn is_a_gap(&self) -> bool {
        !matches!(self, NotBound::NoMessage(_))
    }

    /// In words.
    pub fn text(&self) -> String {
        match self {
            NotBound::NoMessage(None) => "no message is bound to it".to_owned(),
            NotBound::NoMessage(Some((name, why))) => format!("nearest is `{name}`, but {why}"),
            NotBound::NoAnswer(call, nearest) => {
                let nearest = nearest.as_ref();
                let nearest =
                    nearest.map(|(name, why)| format!("; nearest is `{name}`, but {why}"));
                let nearest = nearest.unwrap_or_default();
                format!("what answers `{call}` is not one of its answers{nearest}")
            }
            NotBound::Ambiguous(names) => {
                let names: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
                format!(
                    "it may be {}: nothing tells which; add `status`, `when` or `names`",
                    names.join(" or ")
                )
            }
            NotBound::NoRole(name) => {
                format!("`{name}` is not a role: add it to `names` of the role it stands for")
            }
            NotBound::NoEnds(name) => {
                format!("it is `{name}`, but nothing tells who sends it to whom")
            }
            NotBound::NotOpened(place, why) => format!("`{place}` cannot be opened: {why}"),
            NotBound::Doubtful(why) => (*why).to_owned(),
        }
    }
}

impl Binder {
    pub fn new(binding: Binding, vocabulary: Vocabulary) -> Binder {
        let mut messages = binding.messages.clone();
        for known in &vocabulary.messages {
            if !messages.iter().any(|it| it.name == known.name) {
                messages.push(MessageBinding::new(&known.name));
            }
        }
        Binder {
            binding,
            vocabulary,
            messages,
        }
    }

    /// The messages that a record is, in its own order: the request, then the response.
    ///
    /// `own` is the role whose log it is, where that is known; `rules` are those of the log.
    pub fn observe(
        &self,
        envelope: &Envelope,
        rules: Option<&LogRules>,
        own: Option<&str>,
    ) -> Sighting {
        let mut opened;
        let mut envelope = envelope;
        let closed = rules.map_or(&[][..], |it| &it.open);
        if !(closed.is_empty() && self.binding.hide.noise.is_empty()) {
            opened = envelope.clone();
            for (place, opening) in closed {
                if let Err(why) = view::open(&mut opened, place, *opening) {
                    return Sighting::not(NotBound::NotOpened(place.to_string(), why));
                }
            }
            for place in &self.binding.hide.noise {
                view::remove(&mut opened, place);
            }
            envelope = &opened;
        }
        let mut renamed;
        let none = View::new(envelope, Half::Request, &[]);
        if let Some(name) = self.binding.op.iter().find_map(|it| none.get(it)) {
            renamed = envelope.clone();
            renamed.names.insert(0, name.key().into_owned());
            envelope = &renamed;
        }
        let call = match self.call(envelope, own) {
            Ok(call) => call,
            Err(reason) => return Sighting::not(reason),
        };
        let mut sighting = Sighting {
            ignored: call.is_ignored,
            ..Sighting::default()
        };
        if let (Some(ends), false) = (&call.ends, call.is_ignored) {
            let view = View::new(envelope, Half::Request, &call.parameters);
            let request = self.observation(&view, &call, ends, rules, &mut sighting.missing);
            sighting.observations.push(request);
        }
        let view = View::new(envelope, Half::Response, &call.parameters);
        let mut answer = match self.answer(envelope, &call) {
            None => None,
            Some(Ok(answer)) => Some(answer),
            Some(Err(reason)) => {
                sighting.not_bound = Some(reason);
                None
            }
        };
        let is_wrong = matches!(&sighting.not_bound, Some(NotBound::NoAnswer(..)));
        let is_bound = answer.is_some();
        answer = answer.or_else(|| self.answer_as_it_says(envelope, &call, is_wrong));
        if let Some((answer, ends)) = answer.as_ref().and_then(|it| Some((it, it.ends.as_ref()?))) {
            let mut response = self.observation(&view, answer, ends, rules, &mut sighting.missing);
            let status = envelope.http.as_ref().and_then(|it| it.status);
            response.is_fault = !is_bound && status.is_some_and(|it| (400..600).contains(&it));
            sighting.observations.push(response);
        }
        self.share_session(&mut sighting.observations);
        sighting
    }

    /// One end of a message.
    fn observation(
        &self,
        view: &View<'_>,
        fit: &Fit<'_>,
        ends: &Ends,
        rules: Option<&LogRules>,
        missing: &mut Vec<(String, String)>,
    ) -> Observation<'static> {
        let envelope = view.envelope;
        let is_response = view.half == Half::Response;
        let at = if is_response {
            envelope.ended.clone().or_else(|| envelope.at.clone())
        } else {
            envelope.at.clone()
        };
        let found = |places: &[Place]| {
            let value = places.iter().find_map(|it| view.get(it))?;
            let text = value.key().into_owned();
            (!text.is_empty()).then_some(text)
        };
        let own_id = found(&self.binding.id);
        let id = own_id.or_else(|| {
            // Both ends of a response have one identity, which is not that of the request.
            let id = envelope.id.as_ref()?;
            Some(if is_response {
                format!("{id}/response")
            } else {
                id.clone()
            })
        });
        // What the log's rules say about sessions has come with the envelope.
        let session = found(&self.binding.session).or_else(|| envelope.session.clone());
        let (data, is_partial) = self.data(view, fit, ends, rules, missing);
        Observation {
            line: envelope.line,
            at,
            by: Cow::Owned(ends.by().to_owned()),
            direction: if ends.sends {
                Direction::Send
            } else {
                Direction::Receive
            },
            from: Cow::Owned(ends.from.clone()),
            to: Cow::Owned(ends.to.clone()),
            operation: Cow::Owned(fit.message.name.clone()),
            is_fault: false,
            id: id.map(Cow::Owned),
            session: session.map(Cow::Owned),
            data,
            is_partial,
        }
    }

    /// A request that creates something does not know its name yet; its response does.
    fn share_session(&self, observations: &mut [Observation<'static>]) {
        if let [request, response] = observations {
            if self.binding.session.is_empty() {
                return;
            }
            match (&request.session, &response.session) {
                (None, Some(known)) => request.session = Some(known.clone()),
                (Some(known), None) => response.session = Some(known.clone()),
                _ => {}
            }
        }
    }

    /// Whether the records of a log say by themselves what they are, without rules for their parts.
    pub fn has_rules_for(&self, path: &str) -> bool {
        let rules = self.binding.log_rules(path);
        rules.is_some_and(|it| !it.part(Part::Op).is_empty() || !it.part(Part::Path).is_empty())
    }
}

impl Sighting {
    fn not(reason: NotBound) -> Sighting {
        Sighting {
            not_bound: Some(reason),
            ..Sighting::default()
        }
    }
}
