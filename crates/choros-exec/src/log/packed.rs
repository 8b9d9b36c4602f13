//! Logs that were compressed, whatever they are called: gzip and zstd, by their first bytes.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// How a log was compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Zstd,
}

impl Packing {
    /// By the first bytes of a file; both formats begin with four that no text has.
    pub(super) fn of(head: &[u8]) -> Option<Packing> {
        match head {
            [0x1f, 0x8b, ..] => Some(Packing::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Packing::Zstd),
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Packing::Zstd),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Packing::Gzip => "gzip",
            Packing::Zstd => "zstd",
        }
    }

    /// The plain text, as it is asked for; members that follow each other are one text.
    pub(super) fn open(self, input: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        let input = BufReader::with_capacity(1 << 16, input);
        match self {
            Packing::Gzip => Box::new(MultiGzDecoder::new(input)),
            Packing::Zstd => Box::new(Frames {
                input,
                decoder: FrameDecoder::new(),
                is_open: false,
            }),
        }
    }
}

/// Frames of zstd, one after the other.
struct Frames {
    input: BufReader<Box<dyn Read + Send>>,
    decoder: FrameDecoder,
    is_open: bool,
}

impl Frames {
    /// Begins the next frame; false at the end.
    fn begin(&mut self) -> io::Result<bool> {
        loop {
            if self.input.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.reset(&mut self.input) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let skipped = io::copy(&mut (&mut self.input).take(length), &mut io::sink())?;
                    if skipped < length {
                        return Err(damaged("the last frame is not whole"));
                    }
                }
                Err(error) => return Err(damaged(error)),
            }
        }
    }
}

impl Read for Frames {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.is_open {
                if !self.begin()? {
                    return Ok(0);
                }
                self.is_open = true;
            }
            if self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder
                    .decode_blocks(&mut self.input, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(damaged)?;
                continue;
            }
            let count = self.decoder.read(into).map_err(damaged)?;
            if count > 0 {
                return Ok(count);
            }
            if self.decoder.is_finished() {
                let written = self.decoder.get_checksum_from_data();
                if written.is_some() && written != self.decoder.get_calculated_checksum() {
                    return Err(damaged("the checksum of a frame is wrong"));
                }
                self.is_open = false;
            }
        }
    }
}

fn damaged(reason: impl ToString) -> io::Error {
    let reason = format!("damaged zstd: {}", reason.to_string());
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::Packing;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).expect("memory");
        encoder.finish().expect("memory")
    }

    fn plain(packed: Vec<u8>) -> std::io::Result<Vec<u8>> {
        let packing = Packing::of(&packed).expect("known bytes");
        let mut text = Vec::new();
        packing
            .open(Box::new(Cursor::new(packed)))
            .read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn members_that_follow_each_other_are_one_text() {
        let text = "{\"a\": 1}\n".repeat(10_000).into_bytes();
        let zstd = compress_to_vec(&text[..], CompressionLevel::Fastest);
        for (packed, count) in [
            (gzip(&text), 1),
            ([gzip(&text), gzip(&text)].concat(), 2),
            (zstd.clone(), 1),
            ([zstd.clone(), zstd.clone()].concat(), 2),
            (
                // A frame that is to be skipped, as some tools write before others.
                [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3], &zstd[..]].concat(),
                1,
            ),
        ] {
            assert_eq!(plain(packed).expect("a text"), text.repeat(count));
        }
    }

    #[test]
    fn what_is_damaged_is_said() {
        let text = "{\"a\": 1}\n".repeat(1000).into_bytes();
        for mut packed in [
            gzip(&text),
            compress_to_vec(&text[..], CompressionLevel::Fastest),
        ] {
            packed.truncate(packed.len() - 5);
            assert!(plain(packed).is_err());
        }
        assert!(plain(vec![0x28, 0xb5, 0x2f, 0xfd]).is_err());
        assert!(plain(vec![0x5a, 0x2a, 0x4d, 0x18, 255, 0, 0, 0]).is_err());
        assert_eq!(Packing::of(b"{\"a\": 1}"), None);
    }
}
