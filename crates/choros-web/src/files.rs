//! The files that a page shows: those below its folders, and no others.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde_json::{Value, json};

/// A folder whose files are shown.
pub(crate) struct Root {
    /// How the page calls it.
    pub(crate) name: &'static str,
    /// Without links in it.
    pub(crate) folder: PathBuf,
}

/// Why a file is not given or taken.
#[derive(Debug)]
pub(crate) enum Refused {
    /// It lies elsewhere.
    Outside,
    /// Someone else has written it since.
    Changed,
    World(io::Error),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::World(error)
    }
}

/// A file as it is on the disk.
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) version: String,
    /// Not all of it, because it is so long.
    pub(crate) is_cut: bool,
    /// Not all of it is text.
    pub(crate) is_broken: bool,
}

/// Longer files are shown in part, and not edited.
const MAX_EDITED_BYTES: u64 = 2 * 1024 * 1024;
const SHOWN_BYTES: u64 = 200 * 1024;
/// More files, and deeper ones, are not listed.
const MAX_FILES: usize = 5_000;
const MAX_FOLDER_DEPTH: usize = 8;

impl Root {
    pub(crate) fn new(name: &'static str, folder: &Path) -> io::Result<Root> {
        let folder = fs::canonicalize(folder)?;
        Ok(Root { name, folder })
    }

    /// Where a path of the page leads, if that is below the folder.
    pub(crate) fn place(&self, path: &str) -> Result<PathBuf, Refused> {
        if !is_inside(path) {
            return Err(Refused::Outside);
        }
        let place = self.folder.join(path);
        // A link may lead elsewhere.
        let real = match fs::canonicalize(&place) {
            Ok(real) => real,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = place.parent().ok_or(Refused::Outside)?;
                fs::canonicalize(folder)?.join(place.file_name().ok_or(Refused::Outside)?)
            }
            Err(error) => return Err(error.into()),
        };
        if real.starts_with(&self.folder) {
            Ok(real)
        } else {
            Err(Refused::Outside)
        }
    }

    /// All files, in the order of their paths.
    pub(crate) fn list(&self) -> Value {
        let mut found = Vec::new();
        let mut folders = vec![(self.folder.clone(), 0)];
        while let Some((folder, depth)) = folders.pop() {
            let Ok(entries) = fs::read_dir(&folder) else {
                continue;
            };
            for entry in entries.flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                if name.starts_with('.') || found.len() >= MAX_FILES {
                    continue;
                }
                let is_build = ["target", "node_modules"].contains(&name.as_str());
                if kind.is_dir() && depth < MAX_FOLDER_DEPTH && !is_build {
                    folders.push((entry.path(), depth + 1));
                }
                if kind.is_file()
                    && let Ok(path) = entry.path().strip_prefix(&self.folder)
                    && let Some(path) = path.to_str()
                {
                    let size = entry.metadata().map_or(0, |it| it.len());
                    found.push((path.to_owned(), size));
                }
            }
        }
        found.sort();
        let files = found
            .iter()
            .map(|(path, size)| json!({"path": path, "size": size}));
        json!({
            "name": self.name,
            "folder": self.folder.to_string_lossy(),
            "files": files.collect::<Vec<_>>(),
            "all": found.len() < MAX_FILES,
        })
    }

    pub(crate) fn read(&self, path: &str) -> Result<Text, Refused> {
        let place = self.place(path)?;
        let known = fs::metadata(&place)?;
        if !known.is_file() {
            return Err(Refused::Outside);
        }
        let is_cut = known.len() > MAX_EDITED_BYTES;
        let most = if is_cut {
            SHOWN_BYTES
        } else {
            MAX_EDITED_BYTES + 1
        };
        let mut bytes = Vec::new();
        fs::File::open(&place)?.take(most).read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        // The end of a part may lie within a sign.
        let is_broken = !is_cut && matches!(text, std::borrow::Cow::Owned(_));
        Ok(Text {
            text: text.into_owned(),
            version: version(&known),
            is_cut,
            is_broken,
        })
    }

    /// Writes a text, unless the file is another than the one that was read: `before` is its version, empty for a file
    /// that is not there yet.
    pub(crate) fn write(&self, path: &str, text: &[u8], before: &str) -> Result<String, Refused> {
        let place = self.place(path)?;
        let now = match fs::metadata(&place) {
            Ok(known) if known.is_file() => version(&known),
            Ok(_) => return Err(Refused::Outside),
            Err(_) => String::new(),
        };
        if now != before {
            return Err(Refused::Changed);
        }
        // Under another name first, so that no half of it looks whole.
        let mut name = place.as_os_str().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = PathBuf::from(name);
        let written = fs::File::create(&temporary)
            .and_then(|mut file| file.write_all(text).and_then(|()| file.sync_all()))
            .and_then(|()| match fs::metadata(&place) {
                Ok(known) => fs::set_permissions(&temporary, known.permissions()),
                Err(_) => Ok(()),
            })
            .and_then(|()| fs::rename(&temporary, &place));
        if let Err(error) = written {
            let _ = fs::remove_file(&temporary);
            return Err(error.into());
        }
        Ok(version(&fs::metadata(&place)?))
    }
}

/// Whether a path goes down from where it starts, and to nothing hidden.
pub(crate) fn is_inside(path: &str) -> bool {
    let is_plain = |it: Component<'_>| match it {
        Component::Normal(name) => !name.to_string_lossy().starts_with('.'),
        _ => false,
    };
    !path.is_empty() && !path.contains(['\0', '\\']) && Path::new(path).components().all(is_plain)
}

/// Differs when someone has written the file in between.
fn version(known: &fs::Metadata) -> String {
    let time = known.modified().ok();
    let since = time.and_then(|it| it.duration_since(UNIX_EPOCH).ok());
    format!("{}-{}", since.unwrap_or_default().as_nanos(), known.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_down() {
        for path in ["a.chor", "a/b.chor"] {
            assert!(is_inside(path), "{path}");
        }
        for path in [
            "",
            "..",
            "../a",
            "a/../b",
            "/etc/passwd",
            "./a",
            ".git/config",
            "a\\b",
            "a\0",
        ] {
            assert!(!is_inside(path), "{path:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "x").unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("way")).unwrap();
        let root = Root::new("project", folder.path()).unwrap();
        assert!(matches!(root.read("way/secret"), Err(Refused::Outside)));
        assert!(matches!(
            root.write("way/new", b"x", ""),
            Err(Refused::Outside)
        ));
        assert!(!outside.path().join("new").exists());
    }

    #[test]
    fn a_file_that_changed_meanwhile_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let root = Root::new("project", folder.path()).unwrap();
        let first = root.write("a.chor", b"one", "").unwrap();
        assert!(matches!(
            root.write("a.chor", b"two", ""),
            Err(Refused::Changed)
        ));
        let second = root.write("a.chor", b"three", &first).unwrap();
        assert!(matches!(
            root.write("a.chor", b"four", &first),
            Err(Refused::Changed)
        ));
        assert_eq!(root.read("a.chor").unwrap().text, "three");
        assert_eq!(root.read("a.chor").unwrap().version, second);
    }

    #[test]
    fn long_files_are_shown_in_part_and_broken_ones_whole() {
        let folder = tempfile::tempdir().unwrap();
        let root = Root::new("project", folder.path()).unwrap();
        fs::write(folder.path().join("long"), vec![b'a'; 20_000_000]).unwrap();
        fs::write(folder.path().join("broken"), b"a\xff").unwrap();
        let long = root.read("long").unwrap();
        assert!(long.is_cut && long.text.len() == SHOWN_BYTES as usize);
        let broken = root.read("broken").unwrap();
        assert!(broken.is_broken && broken.text == "a\u{fffd}");
    }
}
