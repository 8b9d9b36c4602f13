//! A service that does what a test says, over real sockets.
//!
//! Each test binary uses a part of this.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// What the fake service does with a request.
pub(crate) enum Act {
    /// Answers with this status, type and body.
    Answer(u16, &'static str, String),
    /// Closes the connection without a word.
    Reset,
    /// Never answers.
    Hang,
    /// Waits this many milliseconds and answers with JSON.
    Late(u64, String),
}

/// Starts a service; it lives as long as the test.
pub(crate) fn serve(act: impl Fn(&str, &str) -> Act + Send + Sync + 'static) -> String {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", socket.local_addr().unwrap());
    let act = Arc::new(act);
    std::thread::spawn(move || {
        for client in socket.incoming().map_while(Result::ok) {
            let act = act.clone();
            std::thread::spawn(move || converse(client, act.as_ref()));
        }
    });
    url
}

/// JSON with status 200.
pub(crate) fn json(body: impl Into<String>) -> Act {
    Act::Answer(200, "application/json", body.into())
}

fn converse(client: TcpStream, act: &dyn Fn(&str, &str) -> Act) {
    let _ = client.set_nodelay(true);
    let mut reader = BufReader::new(client.try_clone().unwrap());
    let mut writer = client;
    loop {
        let mut path = String::new();
        let mut length = 0;
        let mut line = String::new();
        loop {
            line.clear();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            let text = line.trim_end();
            if path.is_empty() {
                path = text.split(' ').nth(1).unwrap_or_default().to_owned();
            } else if text.is_empty() {
                break;
            } else if let Some((name, value)) = text.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let body = String::from_utf8_lossy(&body).into_owned();
        let (status, kind, body) = match act(&path, &body) {
            Act::Answer(status, kind, body) => (status, kind, body),
            Act::Reset => return,
            Act::Hang => {
                std::thread::sleep(std::time::Duration::from_secs(60));
                return;
            }
            Act::Late(milliseconds, body) => {
                std::thread::sleep(std::time::Duration::from_millis(milliseconds));
                (200, "application/json", body)
            }
        };
        let head = format!(
            "HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let written = writer
            .write_all(head.as_bytes())
            .and_then(|()| writer.write_all(body.as_bytes()));
        if written.is_err() {
            return;
        }
    }
}
