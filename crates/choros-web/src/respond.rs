//! What is where.

use std::sync::Arc;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_TYPE, ETAG, HeaderValue, IF_MATCH, SEC_WEBSOCKET_ACCEPT,
    SEC_WEBSOCKET_KEY, UPGRADE,
};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::json;

use crate::files::Refused;
use crate::state::State;
use crate::{assets, checks, frames, gallery, socket};

type Answer = Response<Full<Bytes>>;

/// Nothing is loaded from elsewhere, no script stands in a page, and no one may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// A saved report is a page of its own: it has styles inside and nothing that runs.
const REPORT_POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
     frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const MAX_TEXT_BYTES: usize = 4 * 1024 * 1024;

/// Answers a request.
pub(crate) async fn respond(request: Request<Incoming>, state: Arc<State>) -> Answer {
    if let Err(reason) = checks::is_own(request.headers(), state.address) {
        return refused(StatusCode::FORBIDDEN, reason);
    }
    let path = request.uri().path().to_owned();
    let Some(path) = state.token.strip(&path) else {
        return refused(
            StatusCode::FORBIDDEN,
            "the address lacks the token that `choros serve` printed",
        );
    };
    let path = decoded(path);
    let is_get = request.method() == Method::GET;
    match path.split_once('/') {
        None if is_get && path == "socket" => upgrade(request, state),
        None if is_get && path == "verbs" => {
            let forms: Vec<_> = state.forms.iter().map(crate::Form::to_json).collect();
            text("application/json", json!(forms).to_string())
        }
        None if is_get && path == "files" => {
            let roots = [state.project.list(), state.gallery.list()];
            text("application/json", json!(roots).to_string())
        }
        None if is_get && path == "gallery" => text(
            "application/json",
            gallery::listing(state.examples).to_string(),
        ),
        Some(("answers", name)) if is_get => match state.answers.find(name) {
            Some(("text/html", page)) => {
                let mut answer = text("text/html; charset=utf-8", page);
                set(&mut answer, "content-security-policy", REPORT_POLICY);
                answer
            }
            Some((kind, found)) => text(kind, found),
            None => refused(StatusCode::NOT_FOUND, "there is no such answer any more"),
        },
        Some((root, file)) if state.root(root).is_some() => {
            let file = file.to_owned();
            let root = root.to_owned();
            file_answer(request, &state, &root, &file).await
        }
        _ if is_get => match assets::find(&path) {
            Some((kind, found)) => text(kind, found.to_owned()),
            None => refused(StatusCode::NOT_FOUND, "there is nothing here"),
        },
        _ => refused(StatusCode::METHOD_NOT_ALLOWED, "that cannot be done here"),
    }
}

async fn file_answer(request: Request<Incoming>, state: &State, root: &str, file: &str) -> Answer {
    let Some(root) = state.root(root) else {
        return refused(StatusCode::NOT_FOUND, "there is no such folder");
    };
    if request.method() == Method::GET {
        return match root.read(file) {
            Ok(read) => {
                let mut answer = text("text/plain; charset=utf-8", read.text);
                if let Ok(version) = HeaderValue::from_str(&format!("\"{}\"", read.version)) {
                    answer.headers_mut().insert(ETAG, version);
                }
                if read.is_cut {
                    set(&mut answer, "x-choros-cut", "yes");
                }
                if read.is_broken {
                    set(&mut answer, "x-choros-broken", "yes");
                }
                answer
            }
            Err(reason) => not_given(&reason),
        };
    }
    if request.method() != Method::PUT {
        return refused(StatusCode::METHOD_NOT_ALLOWED, "that cannot be done here");
    }
    let before = request
        .headers()
        .get(IF_MATCH)
        .and_then(|it| it.to_str().ok());
    let before = before.unwrap_or_default().trim_matches('"').to_owned();
    let body = Limited::new(request.into_body(), MAX_TEXT_BYTES)
        .collect()
        .await;
    let Ok(body) = body else {
        return refused(
            StatusCode::PAYLOAD_TOO_LARGE,
            "a text that long is not written here",
        );
    };
    match root.write(file, &body.to_bytes(), &before) {
        Ok(version) => text("application/json", json!({"version": version}).to_string()),
        Err(reason) => not_given(&reason),
    }
}

fn not_given(reason: &Refused) -> Answer {
    match reason {
        Refused::Outside => refused(
            StatusCode::FORBIDDEN,
            "that is not a file below the folder that this page shows",
        ),
        Refused::Changed => refused(
            StatusCode::CONFLICT,
            "the file was changed by someone else in the meantime",
        ),
        Refused::World(error) => {
            let status = match error.kind() {
                std::io::ErrorKind::NotFound => StatusCode::NOT_FOUND,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            };
            refused(status, &error.to_string())
        }
    }
}

/// Goes on as a WebSocket.
fn upgrade(mut request: Request<Incoming>, state: Arc<State>) -> Answer {
    let asks = request.headers().get(UPGRADE);
    let is_asked = asks.is_some_and(|it| it.as_bytes().eq_ignore_ascii_case(b"websocket"));
    let key = request.headers().get(SEC_WEBSOCKET_KEY);
    let key = key.and_then(|it| it.to_str().ok()).map(frames::accept);
    // A browser says where a socket is opened from; a request that does not is not from our page.
    let has_origin = request.headers().contains_key("origin");
    let (true, true, Some(key)) = (is_asked, has_origin, key) else {
        return refused(StatusCode::BAD_REQUEST, "here is a WebSocket for the page");
    };
    tokio::spawn(async move {
        if let Ok(stream) = hyper::upgrade::on(&mut request).await {
            socket::serve(stream, state).await;
        }
    });
    let mut answer = Response::new(Full::default());
    *answer.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = answer.headers_mut();
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    if let Ok(key) = HeaderValue::from_str(&key) {
        headers.insert(SEC_WEBSOCKET_ACCEPT, key);
    }
    answer
}

fn refused(status: StatusCode, reason: &str) -> Answer {
    let mut answer = text("text/plain; charset=utf-8", format!("{reason}\n"));
    *answer.status_mut() = status;
    answer
}

fn text(kind: &'static str, body: String) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(body)));
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        set(&mut answer, name, value);
    }
    answer
}

fn set(answer: &mut Answer, name: &'static str, value: &'static str) {
    answer
        .headers_mut()
        .insert(name, HeaderValue::from_static(value));
}

/// A path with its `%xx` read; what is not UTF-8 then names no file.
fn decoded(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut read = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = path.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        match code.and_then(|it| u8::from_str_radix(it, 16).ok()) {
            Some(byte) => {
                read.push(byte);
                at += 3;
            }
            None => {
                read.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(read).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn percents() {
        assert_eq!(decoded("a%20b/%c3%a4"), "a b/ä");
        assert_eq!(decoded("100%"), "100%");
        assert_eq!(decoded("%zz%4"), "%zz%4");
        assert_eq!(decoded("%ff"), "");
    }
}
