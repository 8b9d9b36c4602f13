//! Texts that are nearly right, and what must hold of the findings about any text.

use choros_base::Diagnostic;

use super::random::Random;

/// The examples whose names end so, in the order of names.
pub fn examples(extension: &str) -> Vec<String> {
    let folder = format!("{}/../../examples", env!("CARGO_MANIFEST_DIR"));
    let mut texts: Vec<(std::path::PathBuf, String)> = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|it| it == extension))
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect();
    texts.sort();
    texts.into_iter().map(|(_, text)| text).collect()
}

/// Findings lie within the text, and what they suggest can be put there.
pub fn check_findings(diagnostics: &[Diagnostic], text: &str) {
    for diagnostic in diagnostics {
        for label in &diagnostic.labels {
            assert!(label.span.range().end <= text.len(), "{text:?}");
        }
        if let Some(suggestion) = &diagnostic.suggestion {
            let mut mended = text.to_owned();
            mended.replace_range(suggestion.span.range(), &suggestion.replacement);
        }
    }
}

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
