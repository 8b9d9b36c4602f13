//! The digest of a text: SHA-256 in hexadecimal, as `sha256sum` prints it.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// The digest of a text.
pub fn sha256(text: &str) -> String {
    let mut out = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::sha256;

    /// The example of FIPS 180-4 with one block.
    #[test]
    fn the_published_example() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256("abc"), expected);
    }
}
