//! A folder of proofs, for `--cache`.

use std::path::PathBuf;

use choros::Store;

use crate::shell::write_atomically;

/// A folder with one file per proof.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Store for Folder {
    fn get(&self, key: &str) -> Option<String> {
        std::fs::read_to_string(self.0.join(format!("{key}.json"))).ok()
    }

    fn put(&self, key: &str, text: &str) -> Result<(), String> {
        let path = self.0.join(format!("{key}.json"));
        std::fs::create_dir_all(&self.0)
            .and_then(|()| write_atomically(&path, text))
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
    }
}
