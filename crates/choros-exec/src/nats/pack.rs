//! Long texts, made short for a broker.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// No text that is unpacked is longer, in bytes.
const LONGEST: u64 = 1 << 30;

pub fn pack(text: &str) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    // Writing to memory does not fail.
    let _ = packer.write_all(text.as_bytes());
    packer.finish().unwrap_or_default()
}

pub fn unpack(bytes: &[u8]) -> io::Result<String> {
    let mut text = String::new();
    GzDecoder::new(bytes)
        .take(LONGEST)
        .read_to_string(&mut text)?;
    Ok(text)
}
