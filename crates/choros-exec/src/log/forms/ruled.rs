//! Records whose parts a binding places: `op = "event.kind"`, `session = "order.id"`.

use choros_bind::{Assumed, Content, Envelope, HttpExchange, LogRules, Part, PartSource};
use choros_model::observation::Datum;

use super::http::{Target, status, tree_body};
use super::named::side;
use crate::log::problem::RecordFlaw;
use crate::log::time::TimeForm;
use crate::log::tree::Tree;

/// The envelope that the rules make of a record.
pub(super) fn envelope(
    tree: &Tree<'_>,
    rules: &LogRules,
    line: u64,
) -> Result<Envelope, RecordFlaw> {
    let word = |part: Part| first(tree, rules, part).and_then(|it| it.word());
    let mut envelope = Envelope {
        line,
        by: word(Part::By),
        from: word(Part::From),
        to: word(Part::To),
        names: word(Part::Op).into_iter().collect(),
        topic: word(Part::Topic),
        assumed: Assumed {
            from: is_assumed(tree, rules, Part::From),
            to: is_assumed(tree, rules, Part::To),
            side: is_assumed(tree, rules, Part::Dir),
        },
        id: word(Part::Id),
        session: word(Part::Session),
        ..Envelope::default()
    };
    if let Some(direction) = word(Part::Dir) {
        let own = rules.directions.iter().find(|(it, _)| *it == direction);
        envelope.side = match own {
            Some((_, true)) => Some(choros_bind::Side::Sender),
            Some((_, false)) => Some(choros_bind::Side::Receiver),
            None => Some(side(&direction).ok_or_else(|| RecordFlaw::WrongType {
                field: "dir",
                found: format!("`{direction}`, neither send nor recv"),
            })?),
        };
    }
    if let Some(Tree::Scalar(written)) = first(tree, rules, Part::At)
        && written != Datum::Null
    {
        let named = rules.time.as_deref().and_then(TimeForm::named);
        let form = named.unwrap_or_default();
        let at = form
            .milliseconds(&written)
            .ok_or_else(|| RecordFlaw::WrongType {
                field: "at",
                found: format!(
                    "not a time in the form {} between 1970 and 9999: {written}",
                    form.name()
                ),
            })?;
        envelope.at = Some(at);
    }
    tree.flatten("", &mut envelope.attributes);
    match first(tree, rules, Part::Body) {
        Some(body) if !is_whole(rules) => tree_body(&body, &mut envelope.content),
        // Said to be the record, it is that without its other parts.
        Some(_) => {
            let is_part = |path: &str| {
                let sources = rules.parts.iter().flat_map(|(_, sources)| sources);
                sources
                    .into_iter()
                    .any(|it| matches!(it, PartSource::Path(part) if part == path))
            };
            let values = envelope.attributes.iter();
            let data = values.filter(|(path, _)| !is_part(path)).cloned();
            envelope.content.body = data.collect();
        }
        // What is not said to be elsewhere is the record itself.
        None if rules.part(Part::Body).is_empty() => {
            envelope.content.body.clone_from(&envelope.attributes);
        }
        None => {}
    }
    if let Some(headers) = first(tree, rules, Part::Headers) {
        for (name, value) in headers.fields() {
            let pair = (name.to_ascii_lowercase(), value.word().unwrap_or_default());
            envelope.content.headers.push(pair);
        }
    }
    if let Some(path) = word(Part::Path) {
        envelope.http = Some(exchange(tree, rules, &path, word(Part::Method)));
        envelope.ended.clone_from(&envelope.at);
    }
    Ok(envelope)
}

fn exchange(tree: &Tree<'_>, rules: &LogRules, path: &str, method: Option<String>) -> HttpExchange {
    let target = Target::parse(path);
    let code = match first(tree, rules, Part::Status) {
        Some(Tree::Scalar(code)) => status(&code),
        _ => None,
    };
    let mut response = Content::default();
    let body = first(tree, rules, Part::Response);
    if let Some(body) = &body {
        tree_body(body, &mut response);
    }
    let has_response = code.is_some() || body.is_some();
    HttpExchange {
        method,
        path: target.path,
        query: target.query,
        status: code,
        response: has_response.then_some(response),
        ..HttpExchange::default()
    }
}

/// Whether the rules say that the whole record is the body.
fn is_whole(rules: &LogRules) -> bool {
    matches!(rules.part(Part::Body), [PartSource::Path(path)] if path.is_empty())
}

/// Whether the rules say a part of every record, and this one says nothing else.
fn is_assumed(tree: &Tree<'_>, rules: &LogRules, part: Part) -> bool {
    let mut sources = rules.part(part).iter();
    let first = sources.find(|source| match source {
        PartSource::Value(_) => true,
        PartSource::Path(path) => at(tree, path).is_some(),
    });
    matches!(first, Some(PartSource::Value(_)))
}

/// What a part comes from: the first source that has a value.
fn first<'t>(tree: &Tree<'t>, rules: &LogRules, part: Part) -> Option<Tree<'t>> {
    rules.part(part).iter().find_map(|source| match source {
        PartSource::Value(value) => Some(Tree::Scalar(Datum::Untyped(value.clone().into()))),
        PartSource::Path(path) => at(tree, path).cloned(),
    })
}

/// What is at a path; a label may hold dots itself, as headings of CSV do.
fn at<'a, 't>(tree: &'a Tree<'t>, path: &str) -> Option<&'a Tree<'t>> {
    if path.is_empty() {
        return Some(tree);
    }
    if let Some(found) = tree.get(path) {
        return Some(found);
    }
    let mut inner = tree;
    for label in path.split('.') {
        inner = match inner {
            Tree::List(items) => items.get(label.parse::<usize>().ok()?)?,
            other => other.get(label)?,
        };
    }
    Some(inner)
}
