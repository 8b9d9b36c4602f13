//! The files that rules look at.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::process::Command;

/// A text file of the repository.
#[derive(Debug, Clone)]
pub struct File {
    /// Path from the root, with `/` between folders.
    pub path: String,
    pub text: String,
}

/// The text files of a repository, in the order of their paths.
#[derive(Debug, Clone, Default)]
pub struct Repository {
    files: Vec<File>,
}

/// Why the repository could not be read.
#[derive(Debug)]
pub struct RepositoryError {
    message: String,
}

impl Repository {
    /// Reads what git tracks under `root`, or would track after `git add --all`.
    ///
    /// Files that are not UTF-8 are left out: rules are about text.
    pub fn read(root: &Path) -> Result<Self, RepositoryError> {
        let listing = Command::new("git")
            // The checkout may belong to another user than the one who tests (containers).
            .args(["-c", "safe.directory=*", "-C"])
            .arg(root)
            .args(["ls-files", "-z", "--cached", "--others"])
            .arg("--exclude-standard")
            .output()
            .map_err(|error| RepositoryError::new(format!("cannot run git: {error}")))?;
        if !listing.status.success() {
            return Err(RepositoryError::new(format!(
                "git ls-files: {}",
                String::from_utf8_lossy(&listing.stderr).trim()
            )));
        }
        let listed = String::from_utf8_lossy(&listing.stdout);
        Ok(Self::from_texts(
            listed
                .split('\0')
                .filter(|path| !path.is_empty())
                // Deleted but not yet staged files are listed too and simply not there.
                .filter_map(|path| Some((path, std::fs::read_to_string(root.join(path)).ok()?))),
        ))
    }

    /// A repository of these paths and texts.
    pub fn from_texts<P: Into<String>, T: Into<String>>(
        texts: impl IntoIterator<Item = (P, T)>,
    ) -> Self {
        let by_path: BTreeMap<String, String> = texts
            .into_iter()
            .map(|(path, text)| (path.into(), text.into()))
            .collect();
        Self {
            files: by_path
                .into_iter()
                .map(|(path, text)| File { path, text })
                .collect(),
        }
    }

    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The file with this path.
    pub fn file(&self, path: &str) -> Option<&File> {
        self.files
            .binary_search_by(|file| file.path.as_str().cmp(path))
            .ok()
            .map(|index| &self.files[index])
    }

    /// Whether there is such a file, or a folder that holds one.
    pub fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        self.file(path).is_some()
            || self.files.iter().any(|file| {
                file.path
                    .strip_prefix(path)
                    .is_some_and(|rest| rest.starts_with('/'))
            })
    }

    /// The product sources of every crate, `crates/<name>/src/**/*.rs` and build scripts, each
    /// with the name of its crate. Integration tests and benchmarks are not among them.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (&str, &File)> {
        self.files.iter().filter_map(|file| {
            let (crate_name, inner) = file.path.strip_prefix("crates/")?.split_once('/')?;
            let is_source = inner == "build.rs" || inner.starts_with("src/");
            (is_source && inner.ends_with(".rs")).then_some((crate_name, file))
        })
    }

    /// The manifest of every crate, with the name of its folder.
    pub(crate) fn manifests(&self) -> impl Iterator<Item = (&str, &File)> {
        self.files.iter().filter_map(|file| {
            let (crate_name, inner) = file.path.strip_prefix("crates/")?.split_once('/')?;
            (inner == "Cargo.toml").then_some((crate_name, file))
        })
    }
}

impl RepositoryError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}

impl fmt::Display for RepositoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RepositoryError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_those_of_crates() {
        let repository = Repository::from_texts([
            ("crates/choros-data/src/term.rs", ""),
            ("crates/choros-data/build.rs", ""),
            ("crates/choros-data/tests/laws.rs", ""),
            ("crates/choros-data/Cargo.toml", ""),
            ("src/lost.rs", ""),
        ]);
        let sources: Vec<_> = repository
            .sources()
            .map(|(name, file)| (name, file.path.as_str()))
            .collect();
        assert_eq!(
            sources,
            [
                ("choros-data", "crates/choros-data/build.rs"),
                ("choros-data", "crates/choros-data/src/term.rs")
            ]
        );
    }

    #[test]
    fn folders_are_there_when_a_file_is_in_them() {
        let repository = Repository::from_texts([("docs/adr/0001-x.md", "")]);
        assert!(repository.has("docs/adr/0001-x.md"));
        assert!(repository.has("docs/adr/"));
        assert!(repository.has("docs"));
        assert!(!repository.has("docs/ad"));
    }
}
