//! A service after TLS, checked against certificates that the user names.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use choros_bind::Binding;
use choros_exec::Redaction;
use choros_exec::capture::{
    Capture, CaptureCounts, CaptureSettings, Route, Upstream, UpstreamError,
};
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::{ServerConfig, ServerConnection, Stream, crypto};

/// Serves one connection: whatever comes, a small answer goes back.
fn secure_service(config: ServerConfig) -> (u16, JoinHandle<bool>) {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = socket.accept().unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let mut connection = ServerConnection::new(Arc::new(config)).unwrap();
        let mut secure = Stream::new(&mut connection, &mut stream);
        let mut head = [0; 4096];
        match secure.read(&mut head) {
            Ok(read) if read > 0 => {
                secure
                    .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                    .unwrap();
                true
            }
            _ => false,
        }
    });
    (port, thread)
}

fn certificate(folder: &Path) -> ServerConfig {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(folder.join("ca.pem"), made.cert.pem()).unwrap();
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    ServerConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap()
}

fn ask(upstream: Upstream) -> (String, CaptureCounts) {
    let capture = Capture::start(CaptureSettings {
        routes: vec![Route {
            listen: "127.0.0.1:0".parse().unwrap(),
            upstream,
            client: "c".to_owned(),
            service: "s".to_owned(),
        }],
        keep_host: false,
        limit: 1024,
        binding: Binding::default(),
        redaction: Redaction::default(),
        injection: None,
        usual_secrets: true,
        idle: Duration::from_secs(60),
        told: None,
        outputs: Vec::new(),
    })
    .unwrap();
    let mut client = TcpStream::connect(capture.addresses()[0]).unwrap();
    client
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    client
        .write_all(b"GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    client.read_to_string(&mut answer).unwrap();
    (answer, capture.stop())
}

#[test]
fn a_service_with_a_known_certificate_is_reached() {
    let folder = tempfile::tempdir().unwrap();
    let (port, service) = secure_service(certificate(folder.path()));
    let roots = folder.path().join("ca.pem");
    let upstream = Upstream::parse(&format!("https://localhost:{port}"), Some(&roots)).unwrap();
    let (answer, counts) = ask(upstream);
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert_eq!(counts.unanswered, 0);
    assert!(service.join().unwrap());
}

#[test]
fn a_service_with_another_certificate_is_not_spoken_to() {
    let (mine, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    certificate(mine.path());
    let (port, service) = secure_service(certificate(theirs.path()));
    let roots = mine.path().join("ca.pem");
    let upstream = Upstream::parse(&format!("https://localhost:{port}"), Some(&roots)).unwrap();
    let (answer, counts) = ask(upstream);
    assert!(answer.starts_with("HTTP/1.1 502 "), "{answer}");
    assert_eq!(counts.unanswered, 1);
    assert!(!service.join().unwrap());
}

#[test]
fn addresses_and_certificates_that_are_of_no_use() {
    for url in [
        "",
        "localhost:80",
        "ftp://x",
        "http://",
        "http://u:p@x/",
        "http://x/?q=1",
    ] {
        let parsed = Upstream::parse(url, None);
        assert!(
            matches!(parsed, Err(UpstreamError::NotAnAddress(_))),
            "{url}"
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "").unwrap();
    for path in [empty, folder.path().join("none.pem")] {
        let parsed = Upstream::parse("https://x", Some(&path));
        assert!(matches!(parsed, Err(UpstreamError::Certificates { .. })));
    }
}
