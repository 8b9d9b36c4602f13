//! Links: which call can follow an answer, and with which of its values.

use crate::library::{At, Library};
use crate::lost::{LostList, Reason};
use crate::message::Message;
use crate::operation::{Answer, Link, Operation};

/// Turns the links of all answers into calls, none of which leads back to itself.
pub(crate) fn resolve(
    operations: &mut [Operation],
    library: &mut Library<'_>,
    lost: &mut LostList,
    root: At,
) {
    let mut found: Vec<(usize, usize, Link)> = Vec::new();
    for (number, operation) in operations.iter().enumerate() {
        lost.within.clone_from(&operation.request.name);
        for (place, answer) in operation.answers.iter().enumerate() {
            for (name, written) in &answer.written_links {
                let Some(at) = library.follow(*written) else {
                    continue;
                };
                match link(operations, library, root, at, &operation.request, answer) {
                    None => lost.note(at, name, Reason::Link),
                    Some(link) if leads_to(&found, link.target, number) => {
                        lost.note(at, name, Reason::LinkCycle)
                    }
                    Some(link) => {
                        let known = found.iter().any(|it| {
                            (it.0, it.1) == (number, place) && it.2.target == link.target
                        });
                        if known {
                            lost.note(at, name, Reason::Link);
                        } else {
                            found.push((number, place, link));
                        }
                    }
                }
            }
        }
    }
    lost.within.clear();
    for (operation, answer, link) in found {
        operations[link.target].is_linked = true;
        operations[operation].answers[answer].links.push(link);
    }
}

/// Whether links lead from one operation to another.
fn leads_to(links: &[(usize, usize, Link)], from: usize, to: usize) -> bool {
    let mut open = vec![from];
    let mut seen = Vec::new();
    while let Some(here) = open.pop() {
        if here == to {
            return true;
        }
        if !seen.contains(&here) {
            seen.push(here);
            let next = links.iter().filter(|it| it.0 == here);
            open.extend(next.map(|it| it.2.target));
        }
    }
    false
}

fn link(
    operations: &[Operation],
    library: &Library<'_>,
    root: At,
    at: At,
    request: &Message,
    answer: &Answer,
) -> Option<Link> {
    let target = match library.text_at(at, "operationId") {
        Some(id) => operations
            .iter()
            .position(|it| it.id.as_ref() == Some(&id))?,
        None => {
            let reference = library.text_at(at, "operationRef")?;
            let pointed = library.point(root, reference.strip_prefix('#')?).ok()?;
            operations.iter().position(|it| it.at == Some(pointed))?
        }
    };
    if library.raw(at, "requestBody").is_some() {
        return None;
    }
    let mut values = Vec::new();
    for (parameter, expression) in library.entries(library.raw(at, "parameters")?) {
        let expression = library.text(expression)?;
        let wanted = operations[target].request.fields.iter().find(|it| {
            let (_, name) = it.place.split_once('.').unwrap_or(("", &it.place));
            !it.place.starts_with("body") && (it.place == parameter || name == parameter)
        })?;
        let (message, place) = source(expression)?;
        let is_response = message == "response";
        let fields = if is_response {
            &answer.message.fields
        } else {
            &request.fields
        };
        let field = fields
            .iter()
            .find(|it| it.place == place && it.sort == wanted.sort)?;
        // What the answer carries under the same label takes the place of what the request had.
        if !is_response
            && answer
                .message
                .fields
                .iter()
                .any(|it| it.label == field.label)
        {
            return None;
        }
        values.push((wanted.label.clone(), field.label.clone()));
    }
    (!values.is_empty()).then_some(Link { target, values })
}

/// `$response.body#/id` as the message and the place that it names.
fn source(expression: &str) -> Option<(&str, String)> {
    let expression = expression.trim_start_matches('{').trim_end_matches('}');
    let (message, place) = expression.strip_prefix('$')?.split_once('.')?;
    let place = match place.strip_prefix("body#/") {
        Some(pointer) => format!("body.{}", pointer.replace('/', ".")),
        None => place.to_owned(),
    };
    matches!(message, "request" | "response").then_some((message, place))
}
