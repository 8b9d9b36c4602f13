//! What passes through as messages of a binding.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use choros_bind::{Binder, BindingTally, Content, Envelope, HttpExchange, Side, Sighting};
use choros_model::observation::{Datum, Observation};
use hyper::HeaderMap;

use super::exchange::{CapturedMessage, is_fault, kind};
use super::reading::form;
use super::redactor::Redactor;

/// A binding, and the requests whose responses have not come yet.
pub(super) struct BoundCapture {
    binder: Binder,
    /// By the number of their exchange.
    open: Mutex<BTreeMap<u64, Envelope>>,
    tally: Mutex<BindingTally>,
}

/// Requests that wait for their responses; older ones are forgotten.
const MOST_OPEN: usize = 10_000;

impl BoundCapture {
    pub(super) fn new(binder: Binder) -> BoundCapture {
        BoundCapture {
            binder,
            open: Mutex::default(),
            tally: Mutex::default(),
        }
    }

    /// What became of what passed.
    pub(super) fn tally(&self) -> BindingTally {
        let tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.clone()
    }

    /// The message that passed, seen by its sender; none if it is not a message of the services.
    pub(super) fn message(
        &self,
        heard: &CapturedMessage<'_>,
        (client, service): (&str, &str),
        headers: &HeaderMap,
        body: Vec<(String, Datum<'static>)>,
        redactor: &Redactor,
    ) -> Option<Observation<'static>> {
        let content = Content {
            headers: headers
                .iter()
                .filter_map(|(name, value)| {
                    let text = value.to_str().ok()?.to_owned();
                    Some((name.to_string(), redactor.header(name.as_str(), text)))
                })
                .collect(),
            body,
            closed: None,
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut is_counted = true;
        let sighting = match heard.response {
            None => {
                let request = request(heard, (client, service), content);
                let sighting = self.binder.observe(&request, None, None);
                if open.len() >= MOST_OPEN {
                    open.pop_first();
                }
                open.insert(heard.number, request);
                sighting
            }
            Some(response) => {
                let mut exchange = open.remove(&heard.number)?;
                let http = exchange.http.as_mut()?;
                http.status = Some(response.status.as_u16());
                http.response = Some(content);
                let sighting = self.binder.observe(&exchange, None, None);
                // The request was told when it passed; an answer that is no message, or to none, is nothing to tell of.
                is_counted = sighting.observations.len() > 1
                    || !sighting.observations.is_empty() && sighting.not_bound.is_some();
                let mut observations = sighting.observations.into_iter();
                let request = observations.next();
                let answer = observations.next().or_else(|| {
                    // A wrong answer is not lost, or its receiver would be blamed for what follows.
                    let request = request.filter(|_| sighting.not_bound.is_some())?;
                    let name = format!("{}{}", request.operation, kind(response.status));
                    let mut answer =
                        Observation::sent(name, request.to.clone(), request.from.clone());
                    answer.session = request.session;
                    answer.is_fault = is_fault(response.status);
                    Some(answer)
                });
                Sighting {
                    observations: answer.into_iter().collect(),
                    missing: sighting.missing,
                    not_bound: sighting.not_bound,
                }
            }
        };
        drop(open);
        if is_counted {
            let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.add(&sighting);
        }
        let mut seen = sighting.observations.into_iter().next()?;
        // Places outside of the body are data only now.
        for (path, value) in &mut seen.data {
            redactor.datum(path, value);
        }
        let hidden = |text: &str| redactor.segment(None, text).into();
        seen.session = seen.session.as_deref().map(hidden);
        Some(seen)
    }
}

fn request(
    heard: &CapturedMessage<'_>,
    (client, service): (&str, &str),
    content: Content,
) -> Envelope {
    let target = heard.request.target.as_str();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let query = form(query).into_iter();
    let last = path.rsplit('/').find(|it| !it.is_empty());
    Envelope {
        from: Some(client.to_owned()),
        to: Some(service.to_owned()),
        side: Some(Side::Sender),
        names: last.map(str::to_owned).into_iter().collect(),
        http: Some(HttpExchange {
            method: Some(heard.request.method.to_string()),
            path: path.to_owned(),
            query: query
                .map(|(name, value)| (name, value.key().into_owned()))
                .collect(),
            ..HttpExchange::default()
        }),
        content,
        ..Envelope::default()
    }
}
