//! The folder of the nearest `choros.toml`, and the files below it.

use std::path::{Path, PathBuf};

use choros::PROJECT_FILE;

/// The folder as a prefix of paths: empty for this one, `../` for the one above, and so on; none where there is no
/// project file.
pub(crate) fn root() -> Option<String> {
    let here = std::env::current_dir().ok()?;
    let depth = here
        .ancestors()
        // A folder or device of that name is not passed over: reading it says what is wrong.
        .position(|folder| folder.join(PROJECT_FILE).symlink_metadata().is_ok())?;
    Some("../".repeat(depth))
}

/// More files than this are not listed.
const MAX_FILES: usize = 100_000;

/// The regular files below the folder, relative to it and in order.
///
/// Links are not followed, and hidden folders are left out, as is what `target` and `node_modules` hold.
pub(crate) fn files(root: &str) -> Vec<String> {
    let start = match root {
        "" => PathBuf::from("."),
        root => PathBuf::from(root),
    };
    let mut found = Vec::new();
    let mut folders = vec![(start, String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for (name, is_folder) in entries(&folder) {
            if found.len() >= MAX_FILES {
                return found;
            }
            let path = format!("{prefix}{name}");
            if is_folder {
                folders.push((folder.join(&name), format!("{path}/")))
            } else {
                found.push(path)
            }
        }
    }
    found.sort_unstable();
    found
}

/// The files and folders of a folder that count.
fn entries(folder: &Path) -> Vec<(String, bool)> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let kept = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        let name = entry.file_name().into_string().ok()?;
        let kind = entry.file_type().ok()?;
        let skipped = name.starts_with('.') || ["target", "node_modules"].contains(&&*name);
        match (kind.is_dir(), kind.is_file()) {
            (true, _) if !skipped => Some((name, true)),
            (_, true) => Some((name, false)),
            _ => None,
        }
    });
    kept.collect()
}
