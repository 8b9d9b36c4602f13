//! A service that stops in the middle of a call to a played partner is not waited for, and no one else waits for it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use choros_data::Terms;
use choros_drive::{Switchboard, Wire, WireLimits};
use choros_model::stg::Role;

fn call(address: SocketAddr, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let patience = Some(Duration::from_secs(20));
    stream.set_read_timeout(patience).expect("a timeout");
    stream.write_all(request.as_bytes()).expect("it is sent");
    stream
}

fn first_line(stream: &mut TcpStream) -> String {
    let mut bytes = [0; 12];
    stream.read_exact(&mut bytes).expect("an answer");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn a_body_that_has_no_end() {
    let patience = Duration::from_millis(500);
    let limits = WireLimits {
        body: 1 << 16,
        connect: Duration::from_secs(1),
        response: patience,
    };
    let mut wire = Wire::new(limits, None, Arc::new(Switchboard::default())).expect("a transport");
    let role = Role(Terms::new().names.intern("partner"));
    let address = wire.listen(role, "127.0.0.1:0").expect("an address");
    let started = Instant::now();
    let head = "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n";
    let mut stalled = call(address, &format!("{head}half of"));
    // No test runs, so that every call is refused; what matters is when.
    let mut other = call(
        address,
        "POST /y HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
    );
    assert_eq!(first_line(&mut other), "HTTP/1.1 503");
    assert!(started.elapsed() < patience, "{:?}", started.elapsed());
    assert_eq!(first_line(&mut stalled), "HTTP/1.1 503");
    assert!(started.elapsed() >= patience);
    assert!(started.elapsed() < Duration::from_secs(10));
}
