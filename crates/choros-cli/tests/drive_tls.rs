//! Driving a service over TLS, with a certificate that only this test knows.

mod support;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use support::choros;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::{ServerConfig, ServerConnection, Stream, crypto};

const MODEL: &str = "\
stg larger explicit
variables x: Int, y: Int
initial 0
0 -> 1: o[USER,S]?<x>
1 -> 2: b[BK,S]?<y>
2 -> 3: [y > x] o[S,USER]!y
3: end
";

/// A service that answers every request with a large number; its port.
fn service(config: ServerConfig) -> u16 {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    let config = Arc::new(config);
    std::thread::spawn(move || {
        for mut client in socket.incoming().map_while(Result::ok) {
            let config = config.clone();
            std::thread::spawn(move || {
                let _ = client.set_read_timeout(Some(Duration::from_secs(20)));
                let mut connection = ServerConnection::new(config).unwrap();
                let mut secure = Stream::new(&mut connection, &mut client);
                let mut request = [0; 4096];
                let body = r#"{"value": 99999999999}"#;
                let answer = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                    body.len()
                );
                let mut text = String::new();
                while let Ok(count @ 1..) = secure.read(&mut request) {
                    text.push_str(&String::from_utf8_lossy(&request[..count]));
                    if text.ends_with('}') {
                        text.clear();
                        let _ = secure.write_all(answer.as_bytes());
                    }
                }
            });
        }
    });
    port
}

/// The configuration of a service on `localhost`, whose certificate is in `ca.pem`.
fn certified(folder: &Path) -> ServerConfig {
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

/// Drives it: the exit code, and what was said.
fn drive(folder: &Path, target: &str, more: &[&str]) -> (i32, String) {
    std::fs::write(folder.join("m.stg"), MODEL).unwrap();
    let mapping = r#"{"operations": {"o": {"answers": ["o"]}}}"#;
    std::fs::write(folder.join("map.json"), mapping).unwrap();
    let output = choros()
        .current_dir(folder)
        .args([
            "drive",
            "m.stg",
            "--mapping",
            "map.json",
            "--target",
            target,
        ])
        .args(more)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

#[test]
fn a_service_behind_tls_is_driven_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let port = service(certified(folder.path()));
    let target = format!("https://localhost:{port}");
    let (code, text) = drive(folder.path(), &target, &["--ca", "ca.pem"]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn a_certificate_that_nobody_knows_is_not_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let port = service(certified(folder.path()));
    // Another one, so that the machine needs none of its own.
    certified(folder.path());
    let target = format!("https://localhost:{port}");
    let (code, text) = drive(folder.path(), &target, &["--ca", "ca.pem"]);
    assert_eq!(code, 5, "{text}");
    assert!(
        text.contains(&format!(
            "cannot be reached at {target}/o: no TLS connection: "
        )),
        "{text}"
    );
    assert!(text.contains("`--ca FILE`"), "{text}");
}

#[test]
fn a_missing_file_of_certificates_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (code, text) = drive(folder.path(), "https://localhost:1", &["--ca", "none.pem"]);
    assert_eq!(code, 2, "{text}");
    assert!(
        text.contains("CH0996") && text.contains("none.pem"),
        "{text}"
    );
}

#[test]
fn who_forgets_the_s_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let port = service(certified(folder.path()));
    let (code, text) = drive(folder.path(), &format!("http://localhost:{port}"), &[]);
    assert_eq!(code, 1, "{text}");
    assert!(
        text.contains("if the service uses TLS, its address must begin with `https://`"),
        "{text}"
    );
}
