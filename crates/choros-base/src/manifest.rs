//! What was generated, and what someone made of it.
//!
//! A folder of generated files holds a *manifest*: path and fingerprint of every file as it was generated.
//! A file whose text still has the fingerprint belongs to the generator; every other belongs to someone, and stays.

use std::collections::BTreeMap;

/// Which files of a folder were generated, and with which text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifest {
    fingerprints: BTreeMap<String, String>,
}

/// What happens to a generated file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFate {
    /// It is written: nothing was there, or what was generated before.
    Written,
    /// The same text is there already.
    Unchanged,
    /// It was edited since it was generated, and stays.
    Edited,
    /// It is there and was never generated, and stays.
    Foreign,
}

impl Manifest {
    /// The name of the manifest in its folder.
    pub const FILE: &'static str = ".choros-generated";

    /// Reads a manifest; lines that are not entries are left out, so that their files count as foreign and stay.
    pub fn read(text: &str) -> Manifest {
        let fingerprints = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once("  "))
            .map(|(fingerprint, path)| (path.to_owned(), fingerprint.to_owned()))
            .collect();
        Manifest { fingerprints }
    }

    /// The manifest as text.
    pub fn write(&self) -> String {
        let mut text =
            "# Files that choros generated; one that was edited since is never overwritten.\n"
                .to_owned();
        for (path, fingerprint) in &self.fingerprints {
            text.push_str(&format!("{fingerprint}  {path}\n"));
        }
        text
    }

    /// What is to be done with the new text of a file; `there` is what the folder holds under its path.
    pub fn fate(&self, path: &str, there: Option<&[u8]>, new: &str) -> FileFate {
        let Some(there) = there else {
            return FileFate::Written;
        };
        if there == new.as_bytes() {
            return FileFate::Unchanged;
        }
        match self.fingerprints.get(path) {
            Some(known) if *known == fingerprint(there) => FileFate::Written,
            Some(_) => FileFate::Edited,
            None => FileFate::Foreign,
        }
    }

    /// Notes that a file holds a generated text.
    pub fn note(&mut self, path: &str, text: &str) {
        self.fingerprints
            .insert(path.to_owned(), fingerprint(text.as_bytes()));
    }
}

impl FileFate {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            FileFate::Written => "written",
            FileFate::Unchanged => "unchanged",
            FileFate::Edited | FileFate::Foreign => "kept",
        }
    }
}

/// 64 bits of FNV-1a and the length: enough to notice an edit, which is all it is for.
fn fingerprint(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}-{}", bytes.len())
}

#[cfg(test)]
mod tests {
    use super::{FileFate, Manifest};

    #[test]
    fn only_untouched_files_are_replaced() {
        let mut manifest = Manifest::default();
        assert_eq!(manifest.fate("a.rs", None, "1"), FileFate::Written);
        manifest.note("a.rs", "1");
        assert_eq!(manifest.fate("a.rs", Some(b"1"), "1"), FileFate::Unchanged);
        assert_eq!(manifest.fate("a.rs", Some(b"1"), "2"), FileFate::Written);
        assert_eq!(manifest.fate("a.rs", Some(b"mine"), "2"), FileFate::Edited);
        assert_eq!(manifest.fate("b.rs", Some(b"mine"), "2"), FileFate::Foreign);
        assert_eq!(manifest.fate("b.rs", Some(b"2"), "2"), FileFate::Unchanged);
        assert_eq!(manifest.fate("a.rs", Some(b"\xff"), "2"), FileFate::Edited);
    }

    #[test]
    fn a_manifest_reads_back() {
        let mut manifest = Manifest::default();
        manifest.note("a.rs", "1");
        manifest.note("folder/b c.py", "");
        assert_eq!(Manifest::read(&manifest.write()), manifest);
        // FNV-1a of nothing is its offset basis, whatever the machine.
        assert!(
            manifest
                .write()
                .contains("cbf29ce484222325-0  folder/b c.py\n")
        );
        assert_eq!(Manifest::read("\u{0}garbage\n#\n"), Manifest::default());
    }
}
