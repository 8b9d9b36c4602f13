//! Bodies that were compressed on their way: a copy is unpacked for the observation, the message itself continues as it
//! is.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// Why the plain body is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EncodedBody {
    /// Unpacked it is longer than what is kept of a body.
    TooLong,
    /// It is in a coding that is not unpacked here, or not what its header says.
    Unreadable(String),
}

/// Codings that are applied one over the other are followed so far; no one writes more.
const MAX_CODINGS: usize = 4;

/// The plain body, by the header `Content-Encoding` (RFC 9110, 8.4); never more than `limit` bytes are unpacked, so that a
/// small message cannot fill the memory.
pub fn plain<'b>(
    encoding: &str,
    body: &'b [u8],
    limit: usize,
) -> Result<Cow<'b, [u8]>, EncodedBody> {
    let codings: Vec<String> = encoding
        .split(',')
        .map(|coding| coding.trim().to_ascii_lowercase())
        .filter(|coding| !coding.is_empty() && coding != "identity")
        .collect();
    if codings.len() > MAX_CODINGS {
        let reason = format!("{} codings one over the other", codings.len());
        return Err(EncodedBody::Unreadable(reason));
    }
    let mut bytes = Cow::Borrowed(body);
    // The last one named was applied last.
    for coding in codings.iter().rev() {
        bytes = Cow::Owned(unpacked(coding, &bytes, limit)?);
    }
    Ok(bytes)
}

fn unpacked(coding: &str, body: &[u8], limit: usize) -> Result<Vec<u8>, EncodedBody> {
    let found = match coding {
        "gzip" | "x-gzip" => bounded(MultiGzDecoder::new(body), limit),
        // `deflate` means the format of zlib, and some senders mean the bare stream.
        "deflate" => match bounded(ZlibDecoder::new(body), limit) {
            None => bounded(DeflateDecoder::new(body), limit),
            found => found,
        },
        _ => {
            let reason = format!("content encoding `{coding}`");
            return Err(EncodedBody::Unreadable(reason));
        }
    };
    match found {
        None => Err(EncodedBody::Unreadable(format!("damaged {coding}"))),
        Some(bytes) if bytes.len() > limit => Err(EncodedBody::TooLong),
        Some(bytes) => Ok(bytes),
    }
}

/// What comes out, up to one byte more than the limit; none if it is damaged.
fn bounded(decoder: impl Read, limit: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = (limit as u64).saturating_add(1);
    decoder.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{EncodedBody, plain};
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use std::io::Write;

    fn gzip(body: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(body).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn what_was_packed_comes_back() {
        let body = b"{\"weight\": 3}";
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
        zlib.write_all(body).unwrap();
        let mut bare = DeflateEncoder::new(Vec::new(), Compression::default());
        bare.write_all(body).unwrap();
        for (encoding, packed) in [
            ("", body.to_vec()),
            ("identity", body.to_vec()),
            ("gzip", gzip(body)),
            ("X-GZIP", gzip(body)),
            ("deflate", zlib.finish().unwrap()),
            ("deflate", bare.finish().unwrap()),
            ("gzip, identity, gzip", gzip(&gzip(body))),
        ] {
            assert_eq!(
                plain(encoding, &packed, 100).unwrap(),
                &body[..],
                "{encoding}"
            );
        }
    }

    #[test]
    fn what_does_not() {
        let unreadable = |reason: &str| Err(EncodedBody::Unreadable(reason.to_owned()));
        assert_eq!(plain("br", b"x", 9), unreadable("content encoding `br`"));
        assert_eq!(plain("gzip", b"plain", 9), unreadable("damaged gzip"));
        assert_eq!(
            plain("deflate", b"\xff\xff", 9),
            unreadable("damaged deflate")
        );
        let mut cut = gzip(b"some body");
        cut.truncate(cut.len() - 9);
        assert_eq!(plain("gzip", &cut, 100), unreadable("damaged gzip"));
        let five = "gzip,".repeat(5);
        assert_eq!(
            plain(&five, b"", 9),
            unreadable("5 codings one over the other")
        );
    }

    /// A few bytes that would unpack to a hundred million are given up at the limit.
    #[test]
    fn a_bomb_stays_within_the_limit() {
        let bomb = gzip(&vec![0; 100_000_000]);
        assert!(bomb.len() < 200_000);
        assert_eq!(plain("gzip", &bomb, 1000), Err(EncodedBody::TooLong));
        assert_eq!(
            plain("gzip,gzip", &gzip(&bomb), 500_000),
            Err(EncodedBody::TooLong)
        );
    }
}
