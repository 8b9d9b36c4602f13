//! What a request gets as an answer, by the OTLP specification 1.

use std::convert::Infallible;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{ALLOW, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};

use super::{Shared, wire};
use crate::capture::coding::{EncodedBody, plain};

type Body = BoxBody<Bytes, Infallible>;

const JSON: &str = "application/json";
const PROTOBUF: &str = "application/x-protobuf";
const GRPC: &str = "application/grpc";
const GRPC_PATH: &str = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";

/// Why a request is refused, with the codes of HTTP and of gRPC.
struct Refusal {
    status: StatusCode,
    code: u8,
    message: String,
}

/// `INVALID_ARGUMENT`, `UNIMPLEMENTED`, `RESOURCE_EXHAUSTED`, `UNAVAILABLE`.
const INVALID: u8 = 3;
const UNIMPLEMENTED: u8 = 12;
const EXHAUSTED: u8 = 8;
const UNAVAILABLE: u8 = 14;

impl Refusal {
    fn new(status: StatusCode, code: u8, message: impl Into<String>) -> Refusal {
        Refusal {
            status,
            code,
            message: message.into(),
        }
    }

    fn malformed(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, INVALID, message)
    }
}

pub(super) async fn answered(request: Request<Incoming>, shared: &Shared) -> Response<Body> {
    shared.requests.fetch_add(1, Ordering::Relaxed);
    let content_type = text(request.headers(), &CONTENT_TYPE);
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    let kind = kind.to_ascii_lowercase();
    let result = if kind.starts_with(GRPC) {
        remote_call(request, shared).await
    } else {
        posted(request, &kind, shared).await
    };
    if result.is_err() {
        shared.refused.fetch_add(1, Ordering::Relaxed);
    }
    match (kind.as_str(), result) {
        (kind, result) if kind.starts_with(GRPC) => grpc_response(result.err()),
        (JSON, Ok(())) => response(StatusCode::OK, JSON, b"{}".to_vec()),
        (_, Ok(())) => response(StatusCode::OK, PROTOBUF, Vec::new()),
        (PROTOBUF, Err(refusal)) => {
            let mut body = vec![1 << 3, refusal.code, 2 << 3 | 2];
            let length = refusal.message.len().min(127);
            let length = (0..=length)
                .rev()
                .find(|it| refusal.message.is_char_boundary(*it));
            let message = &refusal.message[..length.unwrap_or(0)];
            body.push(message.len() as u8);
            body.extend_from_slice(message.as_bytes());
            response(refusal.status, PROTOBUF, body)
        }
        (_, Err(refusal)) => {
            let body = json!({ "code": refusal.code, "message": refusal.message });
            let mut response = response(refusal.status, JSON, body.to_string().into_bytes());
            if refusal.status == StatusCode::METHOD_NOT_ALLOWED {
                let allowed = HeaderValue::from_static("POST");
                response.headers_mut().insert(ALLOW, allowed);
            }
            response
        }
    }
}

/// OTLP over HTTP.
async fn posted(request: Request<Incoming>, kind: &str, shared: &Shared) -> Result<(), Refusal> {
    if request.uri().path() != "/v1/traces" {
        let path = request.uri().path().to_owned();
        let message = format!("`{path}` is not received here: send traces to /v1/traces");
        return Err(Refusal::new(StatusCode::NOT_FOUND, UNIMPLEMENTED, message));
    }
    if request.method() != Method::POST {
        let status = StatusCode::METHOD_NOT_ALLOWED;
        return Err(Refusal::new(
            status,
            UNIMPLEMENTED,
            "traces are sent with POST",
        ));
    }
    if kind != JSON && kind != PROTOBUF {
        let message = format!("the content type must be {JSON} or {PROTOBUF}");
        return Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            INVALID,
            message,
        ));
    }
    let encoding = text(request.headers(), &CONTENT_ENCODING);
    let body = collected(request, shared).await?;
    let body = unpacked(&encoding, &body, shared)?;
    let request = if kind == JSON {
        read_json(&body)?
    } else {
        wire::request(&body).map_err(Refusal::malformed)?
    };
    kept(request, shared)
}

/// OTLP over gRPC: one message after five bytes.
async fn remote_call(request: Request<Incoming>, shared: &Shared) -> Result<(), Refusal> {
    if request.uri().path() != GRPC_PATH {
        let message = "only traces are received here";
        return Err(Refusal::new(StatusCode::OK, UNIMPLEMENTED, message));
    }
    let encoding = text(request.headers(), &HeaderName::from_static("grpc-encoding"));
    let body = collected(request, shared).await?;
    let Some((&[packed, a, b, c, d], message)) = body.split_first_chunk::<5>() else {
        return Err(Refusal::malformed("the message of the call is missing"));
    };
    if message.len() as u64 != u64::from(u32::from_be_bytes([a, b, c, d])) {
        return Err(Refusal::malformed(
            "the message of the call has another length than it says",
        ));
    }
    let encoding = if packed == 0 { "" } else { &encoding };
    let message = unpacked(encoding, message, shared)?;
    kept(wire::request(&message).map_err(Refusal::malformed)?, shared)
}

async fn collected(request: Request<Incoming>, shared: &Shared) -> Result<Bytes, Refusal> {
    let body = Limited::new(request.into_body(), shared.limit);
    let read = tokio::time::timeout(shared.idle, body.collect()).await;
    let Ok(read) = read else {
        let status = StatusCode::REQUEST_TIMEOUT;
        return Err(Refusal::new(status, UNAVAILABLE, "the request has no end"));
    };
    match read {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => Err(too_long(shared)),
        Err(error) => Err(Refusal::malformed(error.to_string())),
    }
}

fn too_long(shared: &Shared) -> Refusal {
    let message = format!("a request must not be longer than {} bytes", shared.limit);
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, EXHAUSTED, message)
}

fn unpacked<'b>(
    encoding: &str,
    body: &'b [u8],
    shared: &Shared,
) -> Result<std::borrow::Cow<'b, [u8]>, Refusal> {
    plain(encoding, body, shared.limit).map_err(|error| match error {
        EncodedBody::TooLong => too_long(shared),
        EncodedBody::Unreadable(reason) => Refusal::malformed(reason),
    })
}

fn read_json(body: &[u8]) -> Result<Value, Refusal> {
    let value: Value = serde_json::from_slice(body)
        .map_err(|error| Refusal::malformed(format!("the body is not JSON: {error}")))?;
    let spans = value.get("resourceSpans").or(value.get("resource_spans"));
    let is_request = value.is_object() && spans.is_none_or(Value::is_array);
    if is_request {
        Ok(value)
    } else {
        Err(Refusal::malformed("`resourceSpans` must be a list"))
    }
}

fn kept(request: Value, shared: &Shared) -> Result<(), Refusal> {
    if shared.keep(request) {
        return Ok(());
    }
    // The client may send it again.
    let status = StatusCode::SERVICE_UNAVAILABLE;
    Err(Refusal::new(
        status,
        UNAVAILABLE,
        "the file cannot be written",
    ))
}

fn text(headers: &HeaderMap, name: &HeaderName) -> String {
    let value = headers.get(name).and_then(|it| it.to_str().ok());
    value.unwrap_or_default().to_owned()
}

fn response(status: StatusCode, kind: &'static str, body: Vec<u8>) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::from(body)).boxed());
    *response.status_mut() = status;
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// An empty message and the code after it.
fn grpc_response(refusal: Option<Refusal>) -> Response<Body> {
    let (code, message, body) = match refusal {
        None => (0, String::new(), vec![0; 5]),
        Some(refusal) => (refusal.code, refusal.message, Vec::new()),
    };
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", HeaderValue::from(u16::from(code)));
    if let Ok(message) = HeaderValue::from_str(&message.replace('%', "%25")) {
        trailers.insert("grpc-message", message);
    }
    let body = Full::new(Bytes::from(body)).with_trailers(async move { Some(Ok(trailers)) });
    let mut response = Response::new(body.boxed());
    let kind = HeaderValue::from_static(GRPC);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
