//! Files on the disk, and which of them a model may refer to.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use choros_base::{SourceError, Sources, nearest};

/// Files on the disk.
///
/// What the user names is read, whatever it is.
/// What a model refers to is read only if it is a regular file below the folder of something that the user named, or
/// below one of the folders to include: a model from elsewhere must not make the tool read, and quote, other files.
#[derive(Debug, Default)]
pub struct Disk {
    includes: Vec<PathBuf>,
    /// Folders of what the user named.
    named: RefCell<BTreeSet<PathBuf>>,
}

impl Disk {
    /// Models may refer to files below these folders too.
    pub fn new(includes: Vec<PathBuf>) -> Disk {
        Disk {
            includes: includes
                .iter()
                .filter_map(|it| std::fs::canonicalize(it).ok())
                .collect(),
            named: RefCell::default(),
        }
    }
}

impl Sources for Disk {
    fn read(&self, path: &str) -> Result<Arc<str>, SourceError> {
        let folder = match Path::new(path).parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        if let Ok(folder) = std::fs::canonicalize(folder) {
            self.named.borrow_mut().insert(folder);
        }
        read(path)
    }

    fn read_reference(&self, path: &str) -> Result<Arc<str>, SourceError> {
        let refused = |reason: &str| SourceError {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        // What is not there is told as such, with what is similar.
        let Ok(place) = std::fs::canonicalize(path) else {
            return read(path);
        };
        let named = self.named.borrow();
        let allowed = named
            .iter()
            .chain(&self.includes)
            .any(|folder| place.starts_with(folder));
        if !allowed {
            return Err(refused(
                "it is outside the folder of the model (name its folder with --include)",
            ));
        }
        if !place.is_file() {
            return Err(refused("it is not a regular file"));
        }
        read(path)
    }
}

fn read(path: &str) -> Result<Arc<str>, SourceError> {
    let failed = |reason: String| SourceError {
        path: path.to_owned(),
        reason,
    };
    let bytes = std::fs::read(path).map_err(|error| {
        let similar = match error.kind() {
            io::ErrorKind::NotFound => similar_file(Path::new(path)),
            _ => None,
        };
        failed(match similar {
            Some(name) => format!("{error}; there is `{name}`"),
            None if Path::new(path).is_dir() => "it is a folder; name the files in it".to_owned(),
            None => error.to_string(),
        })
    })?;
    // Offsets in spans are 32 bits wide.
    if bytes.len() >= u32::MAX as usize {
        return Err(failed("it is larger than 4 GiB".to_owned()));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.into()),
        Err(error) => Err(failed(format!(
            "it is not UTF-8 text: the byte at offset {} is not part of a character",
            error.utf8_error().valid_up_to()
        ))),
    }
}

/// The file in the same folder whose name is most like that of a file that is not there.
fn similar_file(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    let name = nearest(wanted, names.iter().map(String::as_str))?;
    Some(path.with_file_name(name).display().to_string())
}
