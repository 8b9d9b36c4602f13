//! The axum middleware of the book's chapter on `capture`, in front of a service.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::routing::post;
use choros_exec::log::{LogFormat, LogOptions, LogReader, NextRecord as Found};

#[allow(missing_docs, unreachable_pub)]
#[rustfmt::skip]
#[path = "../../../examples/middleware/observe.rs"]
mod observe;

#[test]
fn an_axum_application() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let observer = observe::Observer {
        log: Arc::new(Mutex::new(std::fs::File::create(&path).unwrap())),
        count: Arc::new(AtomicU64::new(0)),
    };
    let quote = |body: String| async move {
        let weight: serde_json::Value = serde_json::from_str(&body).unwrap();
        format!("{{\"fee\": {}}}", 3 * weight["weight"].as_i64().unwrap())
    };
    let app = Router::new()
        .route("/quote/Request", post(quote))
        .route("/ping", post(|| async { "pong" }))
        .layer(axum::middleware::from_fn_with_state(
            observer,
            observe::observe,
        ));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let address = listener.local_addr().unwrap();
    runtime.spawn(async move { axum::serve(listener, app).await });
    let ask = |path: &str, body: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(ask("/quote/Request", "{\"weight\": 5}").ends_with("{\"fee\": 15}"));
    assert!(ask("/ping", "no JSON").ends_with("pong"));
    drop(runtime);

    let log = std::fs::File::open(&path).unwrap();
    let mut reader = LogReader::new(Box::new(log), LogOptions::new(LogFormat::JsonLines));
    let mut seen = Vec::new();
    loop {
        match reader.next() {
            Found::Observation(observation, None) => {
                let id = observation.id.as_deref().unwrap_or_default();
                seen.push(format!("{} {id}", observation.text()));
            }
            Found::End => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(
        seen,
        [
            "Request[c,s]?(weight = 5) 0",
            "RequestResponse[s,c]!(fee = 15) 0",
            "ping[c,s]? 1",
            "pingResponse[s,c]! 1",
        ]
    );
}
