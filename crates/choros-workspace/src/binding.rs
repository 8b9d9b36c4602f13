//! Bindings, and the mappings of earlier versions that are read in their place.

use choros_base::has_errors;
use choros_bind::{Binding, BindingFile, Vocabulary, drive_binding};
use choros_codes::diagnostics::{old_mapping, unusable_mapping};
use choros_report::answers::{RunNotes, Stop};

use crate::{Request, Settings, Workspace};

/// Whether a file is a binding, and not a mapping of an earlier version.
fn is_binding(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".toml")
}

impl Workspace<'_> {
    /// The binding under a path; none if it is a mapping of an earlier version, which is remarked on.
    pub fn bound(
        &mut self,
        path: Option<&str>,
        run: &mut RunNotes,
    ) -> Result<Option<Binding>, Stop> {
        let Some(path) = path else { return Ok(None) };
        if !is_binding(path) {
            run.findings.push(old_mapping::diagnostic(path));
            return Ok(None);
        }
        let input = (path.to_owned(), "binding".to_owned());
        run.semantics.inputs.extend([input]);
        let (file, text) = self.required(path, run)?;
        let read = BindingFile::read(file, &text, &mut run.findings);
        Ok(Some(read.ok_or(Stop::Mistakes)?.binding))
    }

    /// How a service is driven: a binding, or a mapping of an earlier version as one.
    pub fn wire(
        &mut self,
        path: Option<&str>,
        run: &mut RunNotes,
    ) -> Result<Option<Binding>, Stop> {
        let bound = self.bound(path, run)?;
        let Some(path) = path.filter(|_| bound.is_none()) else {
            return Ok(bound);
        };
        let input = (path.to_owned(), "mapping".to_owned());
        run.semantics.inputs.extend([input]);
        let (_, text) = self.required(path, run)?;
        let unusable = |reason: String| run.mistake(unusable_mapping::diagnostic(path, &reason));
        drive_binding(&text).map(Some).map_err(unusable)
    }

    /// Reads a binding and compares its names with those of its model.
    pub fn check_binding(
        &mut self,
        path: &str,
        settings: &Settings,
        run: &mut RunNotes,
    ) -> Result<BindingFile, Stop> {
        let (file, text) = self.required(path, run)?;
        let read = BindingFile::read(file, &text, &mut run.findings);
        let read = read.ok_or(Stop::Mistakes)?;
        if let Some(model) = &read.binding.model {
            let beside = match path.rsplit_once('/') {
                Some((folder, _)) => format!("{folder}/{model}"),
                None => model.clone(),
            };
            let vocabulary = self.vocabulary(&Request::file(&beside), settings, run)?;
            read.check(&vocabulary, &mut run.findings);
        }
        if has_errors(&run.findings) {
            return Err(Stop::Mistakes);
        }
        Ok(read)
    }

    /// The words of all graphs of a file.
    pub fn vocabulary(
        &mut self,
        request: &Request,
        settings: &Settings,
        run: &mut RunNotes,
    ) -> Result<Vocabulary, Stop> {
        let mut found = Vec::new();
        let model = self.load(request, settings, &mut found);
        let is_sound = !has_errors(&found);
        run.findings.extend(found);
        let (_, model) = model.filter(|_| is_sound).ok_or(Stop::Mistakes)?;
        let mut vocabulary = Vocabulary::default();
        for component in model.graphs() {
            if let Ok(stg) = &component.stg {
                vocabulary.add(stg, &self.terms);
            }
        }
        Ok(vocabulary)
    }
}
