//! What the proxy adds to an exchange on loopback: the same requests directly and through it, in the same run.
//!
//! Prints a table; nothing is asserted.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use choros_bind::Binding;
use choros_exec::Redaction;
use choros_exec::capture::{Capture, CaptureSettings, Output, OutputPlace, Route, Upstream};
use choros_exec::log::LogFormat;

const ROUNDS: usize = 4000;
const REQUEST: &[u8] = b"POST /Request HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{\"weight\":4.96}";
const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 23\r\n\r\n{\"price\":3,\"fee\":14.88}";

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    let service = service();
    let folder = std::env::temp_dir().join(format!("choros-capture-{}", std::process::id()));
    let started = Capture::start(CaptureSettings {
        routes: vec![Route {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            upstream: match Upstream::parse(&format!("http://{service}"), None) {
                Ok(upstream) => upstream,
                Err(error) => return line(error.to_string()),
            },
            client: "c".to_owned(),
            service: "s".to_owned(),
        }],
        keep_host: false,
        limit: 1 << 20,
        binding: Binding::default(),
        redaction: Redaction::default(),
        injection: None,
        usual_secrets: true,
        idle: Duration::from_secs(60),
        told: None,
        outputs: vec![Output {
            owner: None,
            place: OutputPlace::File {
                path: folder.with_extension("jsonl"),
                format: LogFormat::JsonLines,
                append: true,
            },
        }],
    });
    let capture = match started {
        Ok(capture) => capture,
        Err(error) => return line(error.to_string()),
    };
    let through = capture.addresses()[0];
    line(format!(
        "capture, {ROUNDS} exchanges over one connection on loopback, written to a file"
    ));
    line(format!(
        "{:<10} {:>12} {:>12}",
        "way", "median µs", "99 % µs"
    ));
    let (direct, _) = row("direct", service, &line);
    let (proxied, _) = row("captured", through, &line);
    line(format!(
        "added at the median: {} µs",
        proxied.saturating_sub(direct).as_micros()
    ));
    capture.stop();
    let _ = std::fs::remove_file(folder.with_extension("jsonl"));
}

fn row(name: &str, address: SocketAddr, line: &dyn Fn(String)) -> (Duration, Duration) {
    let mut times = exchanges(address).unwrap_or_default();
    times.sort_unstable();
    let at = |percent: usize| {
        times
            .get(times.len() * percent / 100)
            .copied()
            .unwrap_or_default()
    };
    let (median, tail) = (at(50), at(99));
    line(format!(
        "{name:<10} {:>12} {:>12}",
        median.as_micros(),
        tail.as_micros()
    ));
    (median, tail)
}

fn exchanges(address: SocketAddr) -> std::io::Result<Vec<Duration>> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    let mut answer = [0; 1024];
    let mut times = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        stream.write_all(REQUEST)?;
        let mut got = 0;
        while got == 0 || !answer[..got].ends_with(b"14.88}") {
            got += stream.read(&mut answer[got..])?;
        }
        times.push(start.elapsed());
    }
    Ok(times)
}

/// Answers every request with the same bytes; ends with the process.
fn service() -> SocketAddr {
    let socket = TcpListener::bind("127.0.0.1:0").expect("loopback");
    let address = socket.local_addr().expect("loopback");
    std::thread::spawn(move || {
        for stream in socket.incoming().flatten() {
            std::thread::spawn(move || serve(stream));
        }
    });
    address
}

fn serve(mut stream: TcpStream) {
    let _ = stream.set_nodelay(true);
    let mut request: Vec<u8> = Vec::new();
    let mut chunk = [0; 1024];
    while let Ok(read) = stream.read(&mut chunk) {
        if read == 0 {
            return;
        }
        request.extend(&chunk[..read]);
        while let Some(end) = request.windows(5).position(|five| five == b"4.96}") {
            request.drain(..end + 5);
            if stream.write_all(ANSWER).is_err() {
                return;
            }
        }
    }
}
