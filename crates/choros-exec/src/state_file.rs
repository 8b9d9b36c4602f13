//! Saving a state so that a killed process leaves the old one or the new one, never half of one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file under another name first, makes sure that it is on the disk, and puts it in place.
pub fn save(path: &str, text: &str) -> io::Result<()> {
    // A device or a pipe must not be replaced by a file.
    if fs::metadata(path).is_ok_and(|known| !known.is_file()) {
        return Err(io::Error::other("it is not a regular file"));
    }
    let temporary = format!("{path}.new");
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    if let Err(error) = written.and_then(|()| fs::rename(&temporary, path)) {
        let _ = fs::remove_file(&temporary);
        return Err(error);
    }
    // The new name must be on the disk as well; where folders cannot be opened, the system sees to it.
    let folder = Path::new(path)
        .parent()
        .filter(|it| !it.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// The saved text; none where nothing was saved.
pub fn load(path: &str) -> io::Result<Option<String>> {
    // A device may have no end.
    if fs::metadata(path).is_ok_and(|known| !known.is_file()) {
        return Err(io::Error::other("it is not a regular file"));
    }
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
