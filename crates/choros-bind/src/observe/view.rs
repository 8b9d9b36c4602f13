//! What stands where in one half of an envelope.

use std::borrow::Cow;

use choros_model::observation::{Datum, Number};

use crate::template::numbered;
use crate::{Content, Envelope, Opening, Place, ValuePath};

/// The request of an exchange, or the message itself; or the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    Request,
    Response,
}

/// One half of an envelope, with the parameters of its path.
#[derive(Debug, Clone, Copy)]
pub struct View<'e> {
    pub envelope: &'e Envelope,
    pub half: Half,
    parameters: &'e [(String, String)],
}

impl<'e> View<'e> {
    pub fn new(envelope: &'e Envelope, half: Half, parameters: &'e [(String, String)]) -> View<'e> {
        View {
            envelope,
            half,
            parameters,
        }
    }

    /// Headers and body; none where a response was not written down.
    pub fn content(&self) -> Option<&'e Content> {
        match (self.half, &self.envelope.http) {
            (Half::Request, _) => Some(&self.envelope.content),
            (Half::Response, Some(http)) => http.response.as_ref(),
            (Half::Response, None) => None,
        }
    }

    /// The value at a place, if one without parts is there.
    pub fn get(&self, place: &Place) -> Option<Cow<'e, Datum<'static>>> {
        let untyped = |text: &str| Cow::Owned(Datum::Untyped(text.to_owned().into()));
        let named = |list: &[(String, String)], name: &str| {
            let found = list.iter().rev().find(|(it, _)| it == name);
            found.map(|(_, text)| untyped(text))
        };
        let at = |values: &'e [(String, Datum<'static>)], path: &ValuePath| {
            let found = values.iter().rev().find(|(it, _)| it == path.text());
            found.map(|(_, value)| Cow::Borrowed(value))
        };
        match place {
            Place::Body(path) => at(&self.content()?.body, path),
            Place::Path(name) => named(self.parameters, name).or_else(|| {
                let part = numbered(&self.envelope.http.as_ref()?.path, name.parse().ok()?)?;
                Some(untyped(&part))
            }),
            Place::Query(name) => named(&self.envelope.http.as_ref()?.query, name),
            Place::Header(name) => named(&self.content()?.headers, name),
            Place::Status => {
                let status = self.envelope.http.as_ref()?.status?;
                Some(Cow::Owned(Datum::Number(Number::from(i64::from(status)))))
            }
            Place::Attribute(path) | Place::Record(path) => at(&self.envelope.attributes, path),
        }
    }

    /// All values at a place and below it, by their paths from there.
    pub fn all(&self, place: &Place) -> Vec<(String, Datum<'static>)> {
        let below = |values: &[(String, Datum<'static>)], path: &ValuePath| {
            let mut found = Vec::new();
            for (known, value) in values {
                let rest = if path.text().is_empty() {
                    Some(known.as_str())
                } else {
                    known.strip_prefix(path.text()).and_then(|rest| match rest {
                        "" => Some(""),
                        rest => rest.strip_prefix('.'),
                    })
                };
                if let Some(rest) = rest {
                    found.push((rest.to_owned(), value.clone()));
                }
            }
            found
        };
        match place {
            Place::Body(path) => self
                .content()
                .map_or_else(Vec::new, |it| below(&it.body, path)),
            Place::Attribute(path) | Place::Record(path) => below(&self.envelope.attributes, path),
            place => {
                let value = self.get(place).map(|it| (String::new(), it.into_owned()));
                value.into_iter().collect()
            }
        }
    }
}

/// Opens what is closed at a place; where nothing is, there is nothing to open.
pub(super) fn open(envelope: &mut Envelope, place: &Place, how: Opening) -> Result<(), String> {
    let (values, path) = match place {
        Place::Body(path) if path.text().is_empty() => {
            open_body(&mut envelope.content, how)?;
            if let Some(response) = envelope.http.as_mut().and_then(|it| it.response.as_mut()) {
                open_body(response, how)?;
            }
            return Ok(());
        }
        Place::Body(path) => {
            if let Some(response) = envelope.http.as_mut().and_then(|it| it.response.as_mut()) {
                open_at(&mut response.body, path, how)?;
            }
            (&mut envelope.content.body, path)
        }
        Place::Attribute(path) | Place::Record(path) => (&mut envelope.attributes, path),
        _ => return Err("only bodies, attributes and records are opened".to_owned()),
    };
    open_at(values, path, how)
}

fn open_body(content: &mut Content, how: Opening) -> Result<(), String> {
    let whole = ValuePath::default();
    if let Some(closed) = content.closed.take() {
        content.body = how.open(&closed)?;
        return Ok(());
    }
    open_at(&mut content.body, &whole, how)
}

fn open_at(
    values: &mut Vec<(String, Datum<'static>)>,
    path: &ValuePath,
    how: Opening,
) -> Result<(), String> {
    let Some(at) = values.iter().position(|(it, _)| it == path.text()) else {
        return Ok(());
    };
    let (path, text) = match &values[at] {
        (path, Datum::Text(text) | Datum::Untyped(text)) => (path.clone(), text.clone()),
        _ => return Ok(()),
    };
    let opened = how.open(&text)?;
    let below = |inner: String| match (path.as_str(), inner.as_str()) {
        ("", _) => inner,
        (path, "") => path.to_owned(),
        (path, inner) => format!("{path}.{inner}"),
    };
    let opened = opened
        .into_iter()
        .map(|(inner, value)| (below(inner), value));
    values.splice(at..=at, opened.collect::<Vec<_>>());
    Ok(())
}

/// Removes what stands at a place and below it.
pub(super) fn remove(envelope: &mut Envelope, place: &Place) {
    let keep = |known: &str, path: &ValuePath| {
        let rest = known.strip_prefix(path.text());
        !(path.text().is_empty() || rest.is_some_and(|it| it.is_empty() || it.starts_with('.')))
    };
    let response = envelope.http.as_mut().and_then(|it| it.response.as_mut());
    let contents = std::iter::once(&mut envelope.content).chain(response);
    match place {
        Place::Body(path) => {
            for content in contents {
                content.body.retain(|(known, _)| keep(known, path));
            }
        }
        Place::Header(name) => {
            for content in contents {
                content.headers.retain(|(known, _)| known != name);
            }
        }
        Place::Query(name) => {
            if let Some(http) = &mut envelope.http {
                http.query.retain(|(known, _)| known != name);
            }
        }
        Place::Attribute(path) | Place::Record(path) => {
            envelope.attributes.retain(|(known, _)| keep(known, path));
        }
        Place::Path(_) | Place::Status => {}
    }
}
