//! Which files are about the same model.
//!
//! Those that an entry of `choros.toml` names together, and those in one folder that are called alike: `shop.chor`,
//! `shop.prop`, `shop.socl`; a binding also belongs to the model that it names.
//! A role is a role of a model: one of the same name in another model is someone else.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use choros::model::symbols::{Symbol, SymbolKind};
use choros::{FileKind, PROJECT_FILE, Request, bound_model, related_files};

use super::About;
use crate::documents::{Document, Documents, Reading};

/// A file beside a buffer, with what reading it shows.
pub(crate) struct Neighbour {
    pub(crate) path: String,
    pub(crate) reading: Reading,
}

/// The other files about the model of a buffer, in the order of their paths.
pub(crate) fn neighbours(about: About<'_>) -> Vec<Neighbour> {
    let snapshot = about.documents.snapshot();
    let paths = paths(about.documents, about.document);
    let read = |path: String| Neighbour {
        reading: snapshot.read(&Request::file(&path)),
        path,
    };
    paths.into_iter().map(read).collect()
}

/// What belongs to a file belongs to all that belong to it.
fn paths(documents: &Documents, document: &Document) -> BTreeSet<String> {
    let mut found = BTreeSet::from([document.path.clone()]);
    let mut waiting = vec![document.path.clone()];
    while let Some(path) = waiting.pop() {
        for other in related(documents, &path) {
            if found.insert(other.clone()) {
                waiting.push(other);
            }
        }
    }
    found.remove(&document.path);
    found
}

fn related(documents: &Documents, name: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let path = Path::new(name);
    let (Some(folder), Some(stem)) = (path.parent(), stem(path)) else {
        return found;
    };
    let snapshot = documents.snapshot();
    let is_binding = |path: &str| Request::file(path).is_binding();
    let model_of = |binding: &str| bound_model(binding, &snapshot.text(binding)?);
    if is_binding(name) {
        found.extend(model_of(name));
    }
    let mut beside: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|it| Some(it.ok()?.path()))
        .collect();
    beside.extend(documents.all().map(|it| PathBuf::from(&it.path)));
    for other in beside {
        let is_alike = other.parent() == Some(folder) && self::stem(&other).as_ref() == Some(&stem);
        let Some(text) = other.to_str() else { continue };
        let is_bound = || is_binding(text) && model_of(text).as_deref() == Some(name);
        if is_alike || is_bound() {
            found.insert(text.to_owned());
        }
    }
    found.extend(of_project(documents, folder, path));
    found.retain(|it| FileKind::of_path(it).is_some());
    found
}

/// What the nearest project file names together with a file.
fn of_project(documents: &Documents, folder: &Path, path: &Path) -> Vec<String> {
    let snapshot = documents.snapshot();
    let nearest = folder.ancestors().find_map(|it| {
        let text = snapshot.text(it.join(PROJECT_FILE).to_str()?)?;
        Some((it, text))
    });
    let Some((root, project)) = nearest else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for row in related_files(&project) {
        let row: Vec<PathBuf> = row.iter().map(|it| root.join(it)).collect();
        if row.iter().any(|it| it == path) {
            found.extend(row.iter().filter_map(|it| it.to_str().map(str::to_owned)));
        }
    }
    found
}

fn stem(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    Some(stem.to_owned())
}

/// Whether two names of files about one model are the same.
pub(crate) fn is_same(one: &Symbol, other: &Symbol) -> bool {
    let is_shared = one.kind.is_shared() || one.kind == SymbolKind::Field;
    is_shared && one.kind == other.kind && one.name == other.name && one.owner == other.owner
}
