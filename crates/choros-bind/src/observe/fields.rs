//! The data of a message: its fields by their names, and what else the body has.

use std::borrow::Cow;

use choros_model::observation::Datum;

use crate::{Fields, LogRules, PartSource, Place, ValuePath};

use super::matching::Fit;
use super::{Binder, Ends, Half, View};

type Data = Vec<(Cow<'static, str>, Datum<'static>)>;

impl Binder {
    /// The values of a message, and whether there may have been others; fields of the model that are not there are told.
    pub(super) fn data(
        &self,
        view: &View<'_>,
        fit: &Fit<'_>,
        ends: &Ends,
        rules: Option<&LogRules>,
        missing: &mut Vec<(String, String)>,
    ) -> (Data, bool) {
        let message = &fit.message;
        let known = self
            .vocabulary
            .called(&message.name)
            .find(|it| it.from == ends.from && it.to == ends.to);
        let fields = known.map_or(&[][..], |it| &it.fields);
        let before = missing.len();
        let mut data = self.all_data(view, fit, fields, rules, missing);
        if known.is_none() {
            add_parameters(&mut data, view, fit);
        }
        // Where bodies are not written down, a field that is missing may have been sent: then nothing is known, since a
        // message with some of its fields would be a wrong one. Without a model it is not known whether one is missing.
        let has_body = view.content().is_some_and(|it| !it.body.is_empty());
        if missing.len() > before && !has_body {
            return (Vec::new(), true);
        }
        (data, known.is_none() && !has_body)
    }

    fn all_data(
        &self,
        view: &View<'_>,
        fit: &Fit<'_>,
        fields: &[Option<String>],
        rules: Option<&LogRules>,
        missing: &mut Vec<(String, String)>,
    ) -> Data {
        let message = &fit.message;
        let mut data: Data = Vec::new();
        let named = match &message.fields {
            Fields::Listed(places) => {
                // By position: nothing else may stand between them.
                for (position, place) in places.iter().enumerate() {
                    let name = match fields.get(position).cloned().flatten() {
                        Some(name) => name,
                        None => format!("value{}", position + 1),
                    };
                    if !put(&mut data, &name, view, std::slice::from_ref(place)) {
                        missing.push((message.name.clone(), name));
                    }
                }
                return data;
            }
            Fields::Named(named) => named,
        };
        // What the body has under its own names, where no field was placed elsewhere.
        let body = view.content().map_or(&[][..], |it| &it.body);
        let is_placed = |path: &str| {
            named.iter().any(|(name, _)| {
                let rest = path.strip_prefix(&*name.replace('/', "."));
                rest.is_some_and(|it| it.is_empty() || it.starts_with('.'))
            })
        };
        for (path, value) in body {
            if !is_placed(path) {
                data.push((Cow::Owned(path.clone()), value.clone()));
            }
        }
        for (name, places) in named {
            if !put(&mut data, &name.replace('/', "."), view, places) {
                missing.push((message.name.clone(), name.clone()));
            }
        }
        for name in fields.iter().flatten() {
            let path = name.replace('/', ".");
            if named.iter().any(|(it, _)| it == name) || has(&data, &path) {
                continue;
            }
            let elsewhere = self.elsewhere(&path, view, message.request.is_some(), rules);
            if !elsewhere
                .iter()
                .any(|it| put(&mut data, &path, view, &[it.clone().into()]))
            {
                missing.push((message.name.clone(), name.clone()));
            }
        }
        data
    }

    /// Where a field stands that no one placed and the body does not have.
    fn elsewhere(
        &self,
        path: &str,
        view: &View<'_>,
        is_request: bool,
        rules: Option<&LogRules>,
    ) -> Vec<Place> {
        let mut places = Vec::new();
        if let Some(template) = rules.and_then(|it| it.fields.as_ref()) {
            places.extend(Place::parse(&template.replace("{field}", path)));
        }
        if is_request && view.half == Half::Request {
            places.push(Place::Path(path.to_owned()));
            places.push(Place::Query(path.to_owned()));
        }
        // What is said about an exchange is about its request, unless someone says otherwise.
        let sources = rules
            .map_or(&[][..], |it| &it.parts)
            .iter()
            .flat_map(|it| &it.1);
        let is_part = |it: &PartSource| matches!(it, PartSource::Path(source) if source == path);
        let is_data = view.envelope.is_data(path) && !sources.into_iter().any(is_part);
        if view.half == Half::Request && is_data {
            places.push(Place::Attribute(ValuePath::dotted(path)));
        }
        places
    }
}

/// Where no model says which fields a message has, all parameters of its request are data.
fn add_parameters(data: &mut Data, view: &View<'_>, fit: &Fit<'_>) {
    let (Half::Request, Fields::Named(named)) = (view.half, &fit.message.fields) else {
        return;
    };
    let is_taken = |place: &Place| {
        named
            .iter()
            .flat_map(|it| &it.1)
            .any(|it| it.place == *place)
    };
    let in_path = fit
        .parameters
        .iter()
        .map(|(name, _)| Place::Path(name.clone()));
    let query = view.envelope.http.iter().flat_map(|it| &it.query);
    let in_query = query.map(|(name, _)| Place::Query(name.clone()));
    for place in in_path.chain(in_query) {
        let (Place::Path(name) | Place::Query(name)) = &place else {
            continue;
        };
        if !is_taken(&place) && !has(data, name) {
            put(data, name, view, &[place.clone().into()]);
        }
    }
}

fn has(data: &Data, path: &str) -> bool {
    data.iter().any(|(known, _)| {
        let rest = known.strip_prefix(path);
        rest.is_some_and(|it| it.is_empty() || it.starts_with('.'))
    })
}

/// Puts the field where the first of its places has a value; whether one has.
fn put(data: &mut Data, name: &str, view: &View<'_>, places: &[crate::FieldPlace]) -> bool {
    for field in places {
        let found = view.all(&field.place);
        let mut computed = Vec::new();
        for (below, value) in &found {
            let Some(value) = field.computed(value) else {
                continue;
            };
            let path = match below.as_str() {
                "" => name.to_owned(),
                below => format!("{name}.{below}"),
            };
            computed.push((Cow::Owned(path), value));
        }
        if !computed.is_empty() {
            data.extend(computed);
            return true;
        }
    }
    false
}
