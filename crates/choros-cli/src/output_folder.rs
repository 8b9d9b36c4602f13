//! The folder that generated files are written to.

use std::io;
use std::path::Path;

use choros::base::{FileFate, FileSet, Manifest};
use choros::kept_file;
use choros::report::{GeneratedFile, Report};

use crate::shell::Shell;

/// Writes files to a folder, which is made where it is not there, and says in the report what became of each.
///
/// No file is replaced but one that was generated and not edited since.
pub(crate) fn write_files(folder: &Path, files: &FileSet, report: &mut Report, shell: &Shell) {
    if files.is_empty() {
        return;
    }
    if let Err(failure) = write(folder, files, report, shell) {
        report.world_failed = Some(failure);
    }
}

/// Says which names a file that was kept does not have, though the files around it use them.
pub(crate) fn tell_what_is_lacking(folder: &Path, files: &FileSet, report: &mut Report) {
    for (path, generated) in files.iter() {
        if let Ok(kept) = std::fs::read_to_string(folder.join(path)) {
            let shown = folder.join(path).display().to_string();
            let finding = choros::lacking_names(&shown, &kept, generated);
            report.diagnostics.extend(finding);
        }
    }
}

fn write(folder: &Path, files: &FileSet, report: &mut Report, shell: &Shell) -> Result<(), String> {
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |error: io::Error| format!("cannot write `{path}`: {error}")
    };
    if folder.is_file() {
        let place = folder.display();
        return Err(format!(
            "cannot write to `{place}`: it is a file, not a folder"
        ));
    }
    // A folder is made for what is written into it, and not before.
    let place = folder.join(Manifest::FILE);
    let mut manifest = Manifest::read(&match std::fs::read_to_string(&place) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("cannot read `{}`: {error}", place.display())),
    });
    let before = manifest.clone();
    for (path, text) in files.iter() {
        let target = folder.join(path);
        let there = match std::fs::read(&target) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(format!("cannot read `{}`: {error}", target.display())),
        };
        let fate = manifest.fate(path, there.as_deref(), text);
        let shown = target.display().to_string();
        match fate {
            FileFate::Written => {
                if let Some(parent) = target.parent() {
                    std::fs::create_dir_all(parent).map_err(failed(parent))?;
                }
                // The manifest is written last: what a killed run leaves behind counts as someone's, and stays.
                shell.write_file(&target, text).map_err(failed(&target))?;
                manifest.note(path, text);
            }
            FileFate::Unchanged => manifest.note(path, text),
            FileFate::Edited | FileFate::Foreign => {
                report.diagnostics.extend(kept_file(&shown, fate))
            }
        }
        report.files.push(GeneratedFile {
            path: shown,
            fate: fate.word(),
        });
    }
    if manifest != before {
        let text = manifest.write();
        shell.write_file(&place, &text).map_err(failed(&place))?;
    }
    Ok(())
}
