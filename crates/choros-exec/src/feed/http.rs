//! As much of HTTP/1.1 as a service needs that posts observations: a head, a body of known length or in chunks, an
//! answer without content.

use std::io::{self, BufRead, Read};

/// The body of a request.
pub(super) enum Body<R> {
    /// Of this length.
    Sized(io::Take<R>),
    Chunked {
        input: R,
        chunk: Chunk,
    },
}

/// Where in the chunks a reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chunk {
    /// Before the first.
    None,
    /// So much is left of the one at hand.
    Left(u64),
    /// The last was seen.
    Over,
}

/// No head is longer.
const MAX_HEAD_BYTES: usize = 1 << 16;

/// Reads the head of a request whose body follows; an error says what is wrong with it.
pub(super) fn head<R: BufRead>(mut input: R) -> io::Result<Body<R>> {
    let wrong = |message: &str| io::Error::new(io::ErrorKind::InvalidData, message.to_owned());
    let mut length: Option<u64> = None;
    let mut is_chunked = false;
    let mut is_first = true;
    let mut total = 0;
    loop {
        let line = line(&mut input)?;
        total += line.len();
        if total > MAX_HEAD_BYTES {
            return Err(wrong("the head of the request is too long"));
        }
        if is_first {
            let method = line.split(' ').next().unwrap_or_default();
            if !matches!(method, "POST" | "PUT") {
                return Err(wrong("observations are posted"));
            }
            is_first = false;
            continue;
        }
        if line.is_empty() {
            break;
        }
        let (name, value) = line
            .split_once(':')
            .ok_or_else(|| wrong("a header has no `:`"))?;
        match name.trim().to_ascii_lowercase().as_str() {
            "content-length" => {
                let said =
                    number(value.trim(), 10).ok_or_else(|| wrong("the length is not a number"))?;
                if length.is_some_and(|known| known != said) {
                    return Err(wrong("the request has two lengths"));
                }
                length = Some(said);
            }
            "transfer-encoding" => is_chunked |= value.to_ascii_lowercase().contains("chunked"),
            _ => {}
        }
    }
    Ok(match (is_chunked, length) {
        // A proxy between may have believed the other one (RFC 9112, 6.1).
        (true, Some(_)) => return Err(wrong("the request has a length and chunks")),
        (true, None) => Body::Chunked {
            input,
            chunk: Chunk::None,
        },
        (false, Some(length)) => Body::Sized(input.take(length)),
        (false, None) => return Err(wrong("the request does not say how long it is")),
    })
}

impl<R: BufRead> Read for Body<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Body::Sized(input) => input.read(buffer),
            Body::Chunked { input, chunk } => {
                let left = match *chunk {
                    Chunk::Over => return Ok(0),
                    Chunk::Left(left) if left > 0 => left,
                    before => next_chunk(input, before)?,
                };
                if left == 0 {
                    *chunk = Chunk::Over;
                    return Ok(0);
                }
                let count = input.take(left).read(buffer)?;
                if count == 0 && !buffer.is_empty() {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                *chunk = Chunk::Left(left - count as u64);
                Ok(count)
            }
        }
    }
}

/// The size of the next chunk, after the line break that ends the one before (RFC 9112, 7.1).
///
/// A chunk that is longer or shorter than it says would be read as something else: it is refused.
fn next_chunk(input: &mut impl BufRead, before: Chunk) -> io::Result<u64> {
    let wrong = |message: &str| io::Error::new(io::ErrorKind::InvalidData, message.to_owned());
    if before != Chunk::None && !line(input)?.is_empty() {
        return Err(wrong("a chunk is longer than it says"));
    }
    let size = line(input)?;
    let digits = size.split(';').next().unwrap_or_default().trim_end();
    number(digits, 16).ok_or_else(|| wrong("a chunk has no size"))
}

/// Digits and nothing else: no sign, no blank.
fn number(text: &str, radix: u32) -> Option<u64> {
    let digits = text.chars().all(|digit| digit.is_digit(radix));
    digits.then(|| u64::from_str_radix(text, radix).ok())?
}

fn line(input: &mut impl BufRead) -> io::Result<String> {
    let mut bytes = Vec::new();
    input
        .take(MAX_HEAD_BYTES as u64)
        .read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use choros_testkit::{fuzz, seed_from_env};

    use super::head;

    fn body(request: &str) -> std::io::Result<String> {
        let mut text = String::new();
        head(request.as_bytes())?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn bodies_of_both_kinds() {
        let sized = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello, and more";
        assert_eq!(body(sized).unwrap(), "hello");
        let chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n";
        assert_eq!(body(chunked).unwrap(), "hello");
    }

    #[test]
    fn heads_with_mistakes() {
        for request in [
            "",
            "GET / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
            "POST / HTTP/1.1\r\nnonsense\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n+3\r\nabc\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-3\r\nabc\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n11111111111111111\r\nabc",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
            "POST / HTTP/1.1\r\nContent-Length: +3\r\n\r\nabc",
            "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        ] {
            assert!(body(request).is_err(), "{request:?}");
        }
    }

    /// A body of known length is never longer than it says.
    #[test]
    fn no_text_brings_the_reader_of_requests_down() {
        let corpus = [
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello, and more",
            "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n",
        ];
        fuzz(seed_from_env(), 4_000, &corpus, |text| {
            let mut read = Vec::new();
            if let Ok(mut body) = head(text.as_bytes()) {
                let _ = body.read_to_end(&mut read);
            }
            assert!(read.len() <= text.len(), "{text:?}");
        });
    }
}
