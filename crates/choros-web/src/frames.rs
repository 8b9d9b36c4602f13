//! Frames of WebSocket (RFC 6455), as far as a browser uses them: texts, which may come in parts, pings and the end.

use std::io::{Error, ErrorKind, Result};

use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// What a browser sends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Message {
    Text(String),
    Ping(Vec<u8>),
    Close,
}

/// Longer texts end the connection: a file that large is not edited in a page.
const MAX_FRAME_BYTES: usize = 48 * 1024 * 1024;

const CONTINUATION: u8 = 0;
const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// The answer to the key of a handshake.
pub(crate) fn accept(key: &str) -> String {
    let told = format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    // The protocol asks for this digest; nothing is kept secret by it.
    base64(digest(&SHA1_FOR_LEGACY_USE_ONLY, told.as_bytes()).as_ref())
}

fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for part in bytes.chunks(3) {
        let mut three = [0; 3];
        three[..part.len()].copy_from_slice(part);
        let bits = u32::from_be_bytes([0, three[0], three[1], three[2]]);
        for sign in 0..4 {
            text.push(if sign <= part.len() {
                SIGNS[(bits >> (18 - 6 * sign)) as usize & 63] as char
            } else {
                '='
            });
        }
    }
    text
}

/// The next message that is not a pong; the end of the stream is the end.
///
/// What has come of a text stays in `begun` while a ping comes between its parts.
pub(crate) async fn read(
    from: &mut (impl AsyncRead + Unpin),
    begun: &mut Option<Vec<u8>>,
) -> Result<Message> {
    loop {
        let so_far = begun.as_ref().map_or(0, Vec::len);
        let (is_last, kind, payload) = match frame(from, MAX_FRAME_BYTES - so_far).await {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(Message::Close),
            other => other?,
        };
        match kind {
            CLOSE => return Ok(Message::Close),
            PING => return Ok(Message::Ping(payload)),
            PONG => continue,
            TEXT if begun.is_none() => {}
            CONTINUATION if begun.is_some() => {}
            _ => return Err(malformed("an unexpected frame")),
        }
        begun.get_or_insert_default().extend(payload);
        if is_last {
            let text = String::from_utf8(begun.take().unwrap_or_default());
            return text
                .map(Message::Text)
                .map_err(|_| malformed("a text that is not UTF-8"));
        }
    }
}

async fn frame(from: &mut (impl AsyncRead + Unpin), longest: usize) -> Result<(bool, u8, Vec<u8>)> {
    let first = from.read_u8().await?;
    let second = from.read_u8().await?;
    if second & 0x80 == 0 {
        return Err(malformed("a browser masks what it sends"));
    }
    let length = match second & 0x7f {
        126 => u64::from(from.read_u16().await?),
        127 => from.read_u64().await?,
        short => u64::from(short),
    };
    if length > longest as u64 {
        return Err(malformed("a message that is too long"));
    }
    let mut mask = [0; 4];
    from.read_exact(&mut mask).await?;
    let mut payload = vec![0; length as usize];
    from.read_exact(&mut payload).await?;
    for (byte, mask) in payload.iter_mut().zip(mask.iter().cycle()) {
        *byte ^= mask;
    }
    Ok((first & 0x80 != 0, first & 0x0f, payload))
}

fn malformed(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

/// Writes a text.
pub(crate) async fn write_text(to: &mut (impl AsyncWrite + Unpin), text: &str) -> Result<()> {
    write(to, TEXT, text.as_bytes()).await
}

/// Answers a ping.
pub(crate) async fn write_pong(to: &mut (impl AsyncWrite + Unpin), payload: &[u8]) -> Result<()> {
    write(to, PONG, payload).await
}

async fn write(to: &mut (impl AsyncWrite + Unpin), kind: u8, payload: &[u8]) -> Result<()> {
    let mut head = vec![0x80 | kind];
    match payload.len() {
        short @ 0..126 => head.push(short as u8),
        middle @ 126..0x1_0000 => {
            head.push(126);
            head.extend((middle as u16).to_be_bytes());
        }
        long => {
            head.push(127);
            head.extend((long as u64).to_be_bytes());
        }
    }
    to.write_all(&head).await?;
    to.write_all(payload).await?;
    to.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a browser writes it, with the mask of the RFC's example.
    fn masked(first: u8, payload: &[u8]) -> Vec<u8> {
        let mask = [0x37, 0xfa, 0x21, 0x3d];
        let mut bytes = vec![first];
        match payload.len() {
            short @ 0..126 => bytes.push(0x80 | short as u8),
            long => {
                bytes.push(0x80 | 126);
                bytes.extend((long as u16).to_be_bytes());
            }
        }
        bytes.extend(mask);
        bytes.extend(
            payload
                .iter()
                .zip(mask.iter().cycle())
                .map(|(it, m)| it ^ m),
        );
        bytes
    }

    fn read_all(bytes: &[u8]) -> Vec<String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(async {
            let (mut from, mut begun) = (bytes, None);
            let mut seen = Vec::new();
            loop {
                match read(&mut from, &mut begun).await {
                    Ok(Message::Text(text)) => seen.push(text),
                    Ok(Message::Ping(_)) => seen.push("ping".to_owned()),
                    Ok(Message::Close) => seen.push("close".to_owned()),
                    Err(error) => seen.push(format!("error: {error}")),
                }
                if seen
                    .last()
                    .is_some_and(|it| it == "close" || it.starts_with("error"))
                {
                    return seen;
                }
            }
        })
    }

    /// The examples of RFC 6455, sections 1.3 and 5.7.
    #[test]
    fn the_examples_of_the_rfc() {
        assert_eq!(
            accept("dGhlIHNhbXBsZSBub25jZQ=="),
            "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        );
        let hello = [
            0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58,
        ];
        assert_eq!(read_all(&hello), ["Hello", "close"]);
    }

    #[test]
    fn texts_in_parts_and_pings() {
        let parts = [masked(0x01, b"Hel"), masked(0x89, b""), masked(0x80, b"lo")].concat();
        assert_eq!(read_all(&parts), ["ping", "Hello", "close"]);
        let long = "ä".repeat(1_000);
        assert_eq!(read_all(&masked(0x81, long.as_bytes())), [&long, "close"]);
    }

    #[test]
    fn what_no_browser_sends_ends_it() {
        for bytes in [
            vec![0x81, 0x01, b'a'],
            masked(0x81, &[0xff]),
            masked(0x80, b"x"),
            [masked(0x01, b"a"), masked(0x81, b"b")].concat(),
            vec![0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
        ] {
            let seen = read_all(&bytes);
            assert!(seen.last().unwrap().starts_with("error"), "{seen:?}");
        }
    }
}
