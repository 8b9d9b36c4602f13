//! HTTP archives, as browsers and proxies save them: each entry is a request that the client sent and what came back.

use choros_bind::{Content, Envelope, HttpExchange, Side};

use super::cloud_events;
use super::http::{Target, open_body, status};
use crate::log::pieces::Pattern;
use crate::log::problem::RecordFlaw;
use crate::log::time::moment;
use crate::log::tree::Tree;

pub(super) const PATTERNS: &[Pattern] = &[&["log", "entries", "*"]];

/// Headers that tie messages of one conversation, where the client sends them.
const SESSIONS: [&str; 3] = ["x-session", "x-correlation-id", "x-request-id"];

pub(super) fn envelope(tree: &Tree<'_>, number: u64) -> Result<Envelope, RecordFlaw> {
    let request = tree.get("request").ok_or(RecordFlaw::Missing("request"))?;
    let url = request.get("url").and_then(Tree::text);
    let target = Target::parse(url.ok_or(RecordFlaw::Missing("request.url"))?);
    let at = match tree.get("startedDateTime").and_then(Tree::text) {
        None => None,
        Some(written) => Some(moment(written).ok_or_else(|| RecordFlaw::WrongType {
            field: "startedDateTime",
            found: format!("not a time between 1970 and 9999: {written}"),
        })?),
    };
    let took = tree.get("time").and_then(Tree::number);
    let ended = match (&at, took) {
        (Some(at), Some(took)) => Some(at.plus(&took)),
        _ => at.clone(),
    };
    let mut content = headers(request);
    if let Some(body) = request
        .get("postData")
        .and_then(|it| it.get("text")?.text())
    {
        open_body(body, &mut content);
    }
    let response = tree.get("response").filter(|it| it.is_object());
    let code = match response.and_then(|it| it.get("status")) {
        // A browser writes 0 for a request that got no answer.
        Some(Tree::Scalar(code)) => status(code).filter(|code| *code > 0),
        _ => None,
    };
    let response = response.filter(|_| code.is_some()).map(|response| {
        let mut content = headers(response);
        let body = response.get("content");
        let is_text = body.is_some_and(|it| it.get("encoding").is_none());
        if let Some(text) = body.and_then(|it| it.get("text")?.text()) {
            if is_text {
                open_body(text, &mut content);
            } else {
                content.closed = Some(text.to_owned());
            }
        }
        content
    });
    let session = SESSIONS.iter().find_map(|name| {
        let found = content.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone())
    });
    let mut attributes = Vec::new();
    for label in ["pageref", "serverIPAddress", "comment"] {
        if let Some(value) = tree.get(label) {
            value.flatten(label, &mut attributes);
        }
    }
    let mut envelope = Envelope {
        line: number,
        to: target.host,
        side: Some(Side::Sender),
        http: Some(HttpExchange {
            method: request.get("method").and_then(Tree::word),
            path: target.path,
            query: target.query,
            status: code,
            response,
            ..HttpExchange::default()
        }),
        at,
        ended,
        id: Some(format!("entry{number}")),
        session,
        content,
        attributes,
        ..Envelope::default()
    };
    cloud_events::binary(&mut envelope);
    Ok(envelope)
}

fn headers(tree: &Tree<'_>) -> Content {
    let mut content = Content::default();
    for header in tree.get("headers").map_or(&[][..], Tree::items) {
        let (name, value) = (header.get("name"), header.get("value"));
        if let (Some(name), Some(value)) = (name.and_then(Tree::text), value.and_then(Tree::text)) {
            content
                .headers
                .push((name.to_ascii_lowercase(), value.to_owned()));
        }
    }
    content
}
