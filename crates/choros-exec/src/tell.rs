//! Telling others over HTTP: a page that may be asked for at any time, and texts that are posted.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::address::resolved;

/// What a page says: its status and its text.
pub type PageAnswer = (u16, String);

/// No one is waited for longer.
const PATIENCE: Duration = Duration::from_secs(3);
/// No line of a head is longer, and no head has more lines.
const MOST_BYTES: u64 = 1 << 13;
const MOST_LINES: usize = 100;
/// Whether the page is still wanted is asked so often.
const NAP: Duration = Duration::from_millis(50);

/// A page that is there until it is dropped.
pub struct Page {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
}

impl Page {
    /// Listens, and answers what is asked for by its path.
    pub fn open(
        address: &str,
        answer: impl Fn(&str) -> PageAnswer + Send + 'static,
    ) -> io::Result<Page> {
        let listener = TcpListener::bind(resolved(address)?)?;
        listener.set_nonblocking(true)?;
        let page = Page {
            address: listener.local_addr()?,
            is_over: Arc::default(),
        };
        let is_over = page.is_over.clone();
        std::thread::spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                match listener.accept() {
                    // One after the other: those who ask are few, and wait no longer than we do.
                    Ok((stream, _)) => {
                        let _ = answered(&stream, &answer);
                    }
                    Err(_) => std::thread::sleep(NAP),
                }
            }
        });
        Ok(page)
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

fn answered(stream: &TcpStream, answer: &dyn Fn(&str) -> PageAnswer) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream);
    let mut path = String::new();
    for number in 0..MOST_LINES {
        let mut line = String::new();
        (&mut reader).take(MOST_BYTES).read_line(&mut line)?;
        if number == 0 {
            path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        }
        if line.trim_end().is_empty() {
            break;
        }
    }
    let (status, text) = answer(&path);
    let length = text.len();
    let mut writer = stream;
    write!(
        writer,
        "HTTP/1.1 {status} .\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{text}"
    )
}

/// Posts a text in JSON to `http://HOST[:PORT]/PATH`; in words why that did not succeed.
pub fn post(url: &str, text: &str) -> Result<(), String> {
    let rest = url
        .strip_prefix("http://")
        .ok_or("only `http://` can be posted to")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let address = if host.contains(':') {
        host.to_owned()
    } else {
        format!("{host}:80")
    };
    let answer = posted(&address, host, path, text).map_err(|error| error.to_string())?;
    let status = answer.split(' ').nth(1).unwrap_or_default();
    if status.starts_with('2') {
        Ok(())
    } else {
        Err(format!("`{url}` answers: {}", answer.trim_end()))
    }
}

fn posted(address: &str, host: &str, path: &str, text: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&resolved(address)?, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let length = text.len();
    write!(
        stream,
        "POST /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{text}"
    )?;
    let mut line = String::new();
    BufReader::new(stream)
        .take(MOST_BYTES)
        .read_line(&mut line)?;
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::{Page, post};

    #[test]
    fn a_page_is_asked_and_posted_to() {
        let page = Page::open("127.0.0.1:0", |path| match path {
            "/yes" => (200, "fine".to_owned()),
            other => (404, format!("no {other}")),
        });
        let page = page.expect("a page");
        let url = |path: &str| format!("http://{}{path}", page.address());
        assert_eq!(post(&url("/yes"), "{}"), Ok(()));
        let refused = post(&url("/no"), "{}").expect_err("it is refused");
        assert!(refused.contains("404"), "{refused}");
        assert!(post("https://localhost/", "{}").is_err());
    }
}
