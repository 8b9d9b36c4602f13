//! What an API description says about patterns, cookies and headers of responses, driven against a service that checks
//! them.

mod support;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::Value;
use support::choros;

const DESCRIPTION: &str = r"
openapi: 3.1.0
info: { title: Jobs, version: '1' }
paths:
  /jobs:
    post:
      operationId: start
      parameters: [{ name: lang, in: cookie, required: true, schema: { type: string }, example: en }]
      requestBody:
        content:
          application/json:
            schema: { type: object, required: [code], properties: { code: { type: string, pattern: '^[A-Z]{3}-\d{2}$' } } }
      responses:
        '202':
          description: Started
          headers: { X-Job: { required: true, schema: { type: string } } }
          links: { result: { operationId: result, parameters: { job: $response.header.X-Job } } }
  /jobs/{job}:
    get:
      operationId: result
      parameters: [{ name: job, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: Done, content: { application/json: { schema: { type: object, required: [code], properties: { code: { type: string } } } } } }
";

/// How the service is wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// The response has no header.
    NoHeader,
}

fn is_code(text: &str) -> bool {
    let (letters, digits) = text.split_once('-').unwrap_or_default();
    letters.len() == 3
        && letters.bytes().all(|it| it.is_ascii_uppercase())
        && digits.len() == 2
        && digits.bytes().all(|it| it.is_ascii_digit())
}

async fn start(State(fault): State<Arc<Fault>>, headers: HeaderMap, body: String) -> Response {
    let body: Value = serde_json::from_str(&body).unwrap();
    let is_right = body["code"].as_str().is_some_and(is_code)
        && headers.get("cookie").is_some_and(|it| it == "lang=en");
    if !is_right {
        return StatusCode::BAD_REQUEST.into_response();
    }
    match *fault {
        Fault::NoHeader => StatusCode::ACCEPTED.into_response(),
        Fault::None => {
            let job = body["code"].as_str().unwrap().replace('-', "7");
            (StatusCode::ACCEPTED, [("x-job", job)]).into_response()
        }
    }
}

async fn result(Path(job): Path<String>) -> Response {
    match job.split_once('7') {
        Some((letters, digits)) if is_code(&format!("{letters}-{digits}")) => {
            let body = format!("{{\"code\":\"{letters}-{digits}\"}}");
            ([("content-type", "application/json")], body).into_response()
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Imports the description and drives the service; the exit code, and what was said.
fn drive(fault: Fault) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("jobs.yaml"), DESCRIPTION).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new()
        .route("/jobs", post(start))
        .route("/jobs/{job}", get(result))
        .with_state(Arc::new(fault));
    runtime.spawn(async move { axum::serve(listener, router).await });
    let run = |words: &[&str]| {
        let output = choros().current_dir(folder.path()).args(words).output();
        let output = output.unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        (output.status.code().unwrap(), said)
    };
    let (code, said) = run(&["import", "jobs.yaml", "-o", "jobs"]);
    assert_eq!(code, 0, "{said}");
    let target = format!("http://{address}");
    let binding = "jobs/jobs.bind.toml";
    let model = "jobs/jobs.chor#Start";
    run(&[
        "drive",
        model,
        "--role",
        "jobs",
        "--binding",
        binding,
        "--target",
        &target,
        "--answer-within",
        "2000",
    ])
}

#[test]
fn values_match_patterns_and_headers_are_read() {
    let (code, said) = drive(Fault::None);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn a_header_that_is_missing_is_found() {
    let (code, said) = drive(Fault::NoHeader);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("StartAccepted did not come"), "{said}");
}
