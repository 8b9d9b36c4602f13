//! Texts that are nearly right.

use super::random::Random;

/// Copies, drops, doubles and replaces pieces of a text.
pub fn mutate(text: &str, words: &[&str], random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(8) {
        let at = random.below(bytes.len().max(1));
        let length = random.below(30).min(bytes.len() - at.min(bytes.len()));
        match random.below(5) {
            0 => {
                bytes.drain(at..at + length);
            }
            1 => {
                let piece = bytes[at..at + length].to_vec();
                let to = random.below(bytes.len().max(1));
                bytes.splice(to..to, piece);
            }
            2 => {
                let word = random.pick(words);
                bytes.splice(at..at, word.bytes());
            }
            3 if !bytes.is_empty() => bytes[at] = random.next() as u8,
            _ => bytes.truncate(bytes.len() - random.below(20).min(bytes.len())),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
