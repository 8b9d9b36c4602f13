//! The receiver of traces, over HTTP and gRPC, by requests as exporters send them.
#![cfg(feature = "network")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use choros_exec::Redaction;
use choros_exec::otlp::{OtlpReceiver, OtlpSettings};
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper_util::rt::{TokioExecutor, TokioIo};

const LIMIT: usize = 10_000;

fn receiver(output: &Path) -> OtlpReceiver {
    OtlpReceiver::start(OtlpSettings {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        output,
        append: false,
        limit: LIMIT,
        redaction: Redaction::parse("iban").expect("a rule"),
        usual_secrets: true,
        idle: Duration::from_secs(5),
    })
    .expect("a receiver")
}

/// The status and the body of what comes back.
fn post(address: SocketAddr, head: &str, body: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let length = body.len();
    let head =
        format!("{head}\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("a head");
    // Who is refused early may not be heard to the end.
    let _ = stream.write_all(body);
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    let all = String::from_utf8_lossy(&all).into_owned();
    let status = all.split(' ').nth(1).and_then(|it| it.parse().ok());
    let body = all.split("\r\n\r\n").nth(1).unwrap_or_default();
    (status.unwrap_or(0), body.to_owned())
}

const SPAN: &str = r#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"01","spanId":"02","name":"pay",
    "attributes":[{"key":"http.request.header.authorization","value":{"stringValue":"Bearer S3cr3tS3cr3t"}},
    {"key":"iban","value":{"stringValue":"DE00"}},{"key":"qty","value":{"intValue":"3"}}]}]}]}]}"#;

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).expect("memory");
    encoder.finish().expect("memory")
}

/// A request with one span, in the wire format.
fn wire() -> Vec<u8> {
    let span = [field(1, &[0xab; 16]), field(2, &[1; 8]), field(5, b"ask")].concat();
    field(1, &field(2, &field(2, &span)))
}

/// A field of the wire format that has a length of any size.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut all = vec![number << 3 | 2];
    let mut length = bytes.len();
    while length > 127 {
        all.push((length & 127) as u8 | 128);
        length >>= 7;
    }
    all.push(length as u8);
    all.extend_from_slice(bytes);
    all
}

/// A span with an attribute that is a list of lists of lists.
fn nested() -> Vec<u8> {
    let mut value = Vec::new();
    for _ in 0..500 {
        value = field(5, &field(1, &value));
    }
    let attribute = [field(1, b"x"), field(2, &value)].concat();
    field(1, &field(2, &field(2, &field(9, &attribute))))
}

#[test]
fn http_requests_become_lines_without_secrets() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("traces.jsonl");
    let receiver = receiver(&file);
    let address = receiver.address();
    let json = "POST /v1/traces HTTP/1.1\r\nContent-Type: application/json";
    let protobuf = "POST /v1/traces HTTP/1.1\r\nContent-Type: application/x-protobuf";
    assert_eq!(post(address, json, SPAN.as_bytes()), (200, "{}".to_owned()));
    let packed = format!("{json}\r\nContent-Encoding: gzip");
    assert_eq!(post(address, &packed, &gzip(SPAN.as_bytes())).0, 200);
    assert_eq!(post(address, protobuf, &wire()), (200, String::new()));
    let long = vec![b' '; LIMIT + 1];
    let bomb = gzip(&vec![b' '; 100 * LIMIT]);
    let deep = "[".repeat(LIMIT - 1);
    for (head, body, status) in [
        (json, &b"{"[..], 400),
        (json, b"[]", 400),
        (json, b"{\"resourceSpans\":1}", 400),
        (json, deep.as_bytes(), 400),
        (json, &long, 413),
        (&packed, &bomb, 413),
        (&packed, b"plain", 400),
        (protobuf, b"\xff\xff", 400),
        (
            "POST /v1/traces HTTP/1.1\r\nContent-Type: text/plain",
            b"",
            415,
        ),
        ("GET /v1/traces HTTP/1.1", b"", 405),
        (
            "POST /v1/metrics HTTP/1.1\r\nContent-Type: application/json",
            b"{}",
            404,
        ),
    ] {
        assert_eq!(post(address, head, body).0, status, "{head}");
    }
    let counts = receiver.stop();
    assert_eq!((counts.requests, counts.refused), (14, 11));
    assert_eq!((counts.spans, counts.lost), (3, 0));
    let text = std::fs::read_to_string(&file).expect("a file");
    assert_eq!(text.lines().count(), 3);
    assert!(!text.contains("S3cr3t") && !text.contains("DE00"), "{text}");
    assert!(
        text.contains("\"intValue\":\"3\"") && text.contains("[redacted "),
        "{text}"
    );
    assert!(text.contains("\"spanId\":\"0101010101010101\""), "{text}");
}

/// The status of a call, from the trailers.
async fn call(address: SocketAddr, path: &str, encoding: Option<&str>, body: Vec<u8>) -> String {
    let stream = tokio::net::TcpStream::connect(address)
        .await
        .expect("a connection");
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .expect("HTTP/2");
    tokio::spawn(connection);
    let mut request = Request::post(format!("http://{address}{path}"))
        .header("content-type", "application/grpc")
        .header("te", "trailers");
    if let Some(encoding) = encoding {
        request = request.header("grpc-encoding", encoding);
    }
    let request = request
        .body(Full::new(Bytes::from(body)))
        .expect("a request");
    let response = sender.send_request(request).await.expect("a response");
    let body = response.into_body().collect().await.expect("a body");
    let trailers = body.trailers().expect("trailers");
    trailers["grpc-status"].to_str().expect("a code").to_owned()
}

#[test]
fn grpc_calls_become_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("traces.jsonl");
    let receiver = receiver(&file);
    let address = receiver.address();
    let export = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
    let framed = |packed: u8, message: &[u8]| {
        let mut frame = vec![packed];
        frame.extend((message.len() as u32).to_be_bytes());
        frame.extend_from_slice(message);
        frame
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        assert_eq!(call(address, export, None, framed(0, &wire())).await, "0");
        let packed = framed(1, &gzip(&wire()));
        assert_eq!(call(address, export, Some("gzip"), packed).await, "0");
        assert_eq!(call(address, export, None, framed(0, b"\xff")).await, "3");
        assert_eq!(call(address, export, None, vec![0, 0]).await, "3");
        assert_eq!(call(address, export, None, vec![0, 0, 0, 0, 9]).await, "3");
        assert_eq!(call(address, "/other", None, framed(0, b"")).await, "12");
        // Lengths that lie: of the message, and of a field in it.
        let long = vec![0, 255, 255, 255, 255, 1];
        assert_eq!(call(address, export, None, long).await, "3");
        let field = framed(0, &[0x0a, 0xff, 0xff, 0xff, 0xff, 0x07]);
        assert_eq!(call(address, export, None, field).await, "3");
        let deep = framed(0, &nested());
        assert_eq!(call(address, export, None, deep).await, "3");
        let bomb = framed(1, &gzip(&vec![0; 100 * LIMIT]));
        assert_eq!(call(address, export, Some("gzip"), bomb).await, "8");
    });
    let counts = receiver.stop();
    assert_eq!((counts.requests, counts.refused, counts.spans), (10, 8, 2));
    let text = std::fs::read_to_string(&file).expect("a file");
    assert_eq!(text.lines().count(), 2);
}
