//! What passes through as messages of a binding.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use choros_bind::{
    Binder, BindingTally, Content, Envelope, HttpExchange, Place, ResponseName, Side, Sighting,
};
use choros_model::observation::Observation;
use hyper::{HeaderMap, StatusCode};

use super::exchange::{CapturedMessage, ResponseHead, is_fault};
use super::reading::{Reading, form};
use super::redactor::{Cover, Redactor};

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
    ///
    /// Nothing that must not be written gets into the envelope, so that it is not an identity or a name either.
    pub(super) fn message(
        &self,
        heard: &CapturedMessage<'_>,
        (client, service): (&str, &str),
        headers: &HeaderMap,
        reading: &mut Reading,
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
            body: std::mem::take(&mut reading.data),
            closed: None,
        };
        let element = reading.operation.as_deref();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut is_counted = true;
        let sighting = match heard.response {
            None => {
                let request = request(heard, (client, service), content, element, redactor);
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
                http.response_name = self.response_name(heard, response, element);
                let sighting = self.binder.observe(&exchange, None, None);
                let mut observations = sighting.observations.into_iter();
                // The request was told when it passed; an answer that is no message, or to none, is nothing to tell of.
                let request = (!sighting.ignored).then(|| observations.next()).flatten();
                let mut answer = observations.next();
                if let (Some(answer), Some(request)) = (&mut answer, &request) {
                    // A response seldom repeats where the identity stands; then the request's counts.
                    answer.id = answer.id.take().or_else(|| request.id.clone());
                }
                is_counted = answer.is_some() || request.is_some() && sighting.not_bound.is_some();
                Sighting {
                    observations: answer.into_iter().collect(),
                    ..sighting
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
        let binding = &self.binder.binding;
        for (word, places) in [
            (&mut seen.session, &binding.session),
            (&mut seen.id, &binding.id),
        ] {
            let is_secret = |place: &Place| match place {
                Place::Path(name) => redactor.covers(name) != Cover::Nothing,
                _ => false,
            };
            if let Some(text) = word.as_deref().filter(|_| places.iter().any(is_secret)) {
                *word = Some(redactor.pseudonym(text).into());
            }
        }
        Some(seen)
    }

    /// What a response calls itself; nothing where it only says that the request arrived.
    fn response_name(
        &self,
        heard: &CapturedMessage<'_>,
        response: &ResponseHead,
        element: Option<&str>,
    ) -> Option<ResponseName> {
        let status = response.status;
        let acknowledges = matches!(
            status,
            StatusCode::OK | StatusCode::ACCEPTED | StatusCode::NO_CONTENT
        );
        if heard.body.passed == 0 && acknowledges && self.binder.goes_by_name() {
            return None;
        }
        Some(match element {
            Some(element) => ResponseName::Own(element.to_owned()),
            None if status == StatusCode::SWITCHING_PROTOCOLS => ResponseName::After("Upgrade"),
            None if is_fault(status) => ResponseName::After("Fault"),
            None => ResponseName::After("Response"),
        })
    }
}

fn request(
    heard: &CapturedMessage<'_>,
    (client, service): (&str, &str),
    content: Content,
    element: Option<&str>,
    redactor: &Redactor,
) -> Envelope {
    let target = heard.request.target.as_str();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let path = shown_path(path, redactor);
    let query = form(query).into_iter().map(|(name, mut value)| {
        redactor.datum(&name, &mut value);
        (name, value.key().into_owned())
    });
    let last = path.rsplit('/').find(|it| !it.is_empty()).unwrap_or("/");
    let names = element.into_iter().chain([last]);
    Envelope {
        from: Some(client.to_owned()),
        to: Some(service.to_owned()),
        side: Some(Side::Sender),
        names: names.map(str::to_owned).collect(),
        http: Some(HttpExchange {
            method: Some(heard.request.method.to_string()),
            query: query.collect(),
            path,
            ..HttpExchange::default()
        }),
        content,
        ..Envelope::default()
    }
}

/// A path without secrets in its parts.
fn shown_path(path: &str, redactor: &Redactor) -> String {
    let mut before = None;
    let mut shown = Vec::new();
    for part in path.split('/') {
        if part.is_empty() {
            shown.push(String::new());
        } else {
            shown.push(redactor.segment(before, part));
            before = Some(part);
        }
    }
    shown.join("/")
}
