//! Bindings, and the mappings of earlier versions that are read in their place.

use choros_base::has_errors;
use choros_bind::{
    Binding, BindingFile, KnownMessage, OldKind, Vocabulary, symbols, translate, translate_as,
    unusable_binding,
};
use choros_codes::diagnostics::{nothing_declared, old_mapping, unusable_mapping};
use choros_model::gchor::Gchor;
use choros_report::answers::{BindingProposal, RunNotes, Soundness, SoundnessKind, Stop};

use crate::{Inspection, Request, Settings, Workspace};

/// Whether a file is a binding, and not a mapping of an earlier version.
fn is_binding(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".toml")
}

impl Workspace<'_> {
    /// How logs are read.
    pub fn log_binding(
        &mut self,
        path: Option<&str>,
        run: &mut RunNotes,
    ) -> Result<Option<Binding>, Stop> {
        self.bound(path, OldKind::Logs, run)
    }

    /// How a service is driven.
    pub fn drive_binding(
        &mut self,
        path: Option<&str>,
        run: &mut RunNotes,
    ) -> Result<Option<Binding>, Stop> {
        self.bound(path, OldKind::Drive, run)
    }

    /// What passes a proxy.
    pub fn capture_binding(
        &mut self,
        path: Option<&str>,
        run: &mut RunNotes,
    ) -> Result<Option<Binding>, Stop> {
        self.bound(path, OldKind::Capture, run)
    }

    /// The binding under a path; a mapping of an earlier version is translated, and remarked on.
    fn bound(
        &mut self,
        path: Option<&str>,
        old: OldKind,
        run: &mut RunNotes,
    ) -> Result<Option<Binding>, Stop> {
        let Some(path) = path else { return Ok(None) };
        let is_binding = is_binding(path);
        let (file, text) = self.required(path, run)?;
        let kind = if is_binding { "binding" } else { "mapping" };
        let input = (path.to_owned(), kind.to_owned());
        run.semantics.inputs.extend([input]);
        if is_binding {
            let read = BindingFile::read(file, &text, &mut run.findings);
            let binding = read.ok_or(Stop::Mistakes)?.binding;
            let why = match old {
                OldKind::Logs => None,
                OldKind::Drive => Some("requests by it may be wrong"),
                OldKind::Capture => Some("logs by it would name messages wrongly"),
            };
            if let Some(why) = why.filter(|_| binding.draft) {
                return Err(run.mistake(unusable_binding::draft(path, why)));
            }
            return Ok(Some(not_empty(path, binding, run)?));
        }
        run.findings.push(old_mapping::diagnostic(path));
        let unusable = |reason: String| run.mistake(unusable_mapping::diagnostic(path, &reason));
        let translated = translate_as(&text, old).map_err(unusable)?;
        for what in translated.left_out {
            run.note(format!("{path}: {what}"));
        }
        Ok(Some(translated.binding))
    }

    /// Compares the names of a binding with those of its model; none where it names none that has any.
    fn compared(
        &mut self,
        path: &str,
        read: &BindingFile,
        settings: &Settings,
        run: &mut RunNotes,
    ) -> Result<Option<Vocabulary>, Stop> {
        let Some(model) = &read.binding.model else {
            return Ok(None);
        };
        let model = Request::file(&beside(path, model));
        let vocabulary = self.vocabulary(&model, settings, run)?;
        match &vocabulary {
            Some(vocabulary) => read.check(vocabulary, &mut run.findings),
            None => run.note(format!("{path}: `{}` has no messages by name", model.path)),
        }
        Ok(vocabulary)
    }

    /// Reads a binding and compares its names with those of its model.
    fn check_binding(
        &mut self,
        path: &str,
        settings: &Settings,
        run: &mut RunNotes,
    ) -> Result<BindingFile, Stop> {
        let (file, text) = self.required(path, run)?;
        let read = BindingFile::read(file, &text, &mut run.findings);
        let mut read = read.ok_or(Stop::Mistakes)?;
        read.binding = not_empty(path, read.binding, run)?;
        self.compared(path, &read, settings, run)?;
        if has_errors(&run.findings) {
            return Err(Stop::Mistakes);
        }
        Ok(read)
    }

    /// Checks bindings, each against the model that it names.
    pub fn check_bindings(
        &mut self,
        requests: &[Request],
        settings: &Settings,
        run: &mut RunNotes,
    ) -> Result<Vec<Result<Soundness, Stop>>, Stop> {
        run.semantics.relation = Some("names and places of bindings".to_owned());
        let checked = requests.iter().map(|request| {
            let path = request.path.as_str();
            let read = self.check_binding(path, settings, run)?;
            let count = |count: usize, what: &str| match count {
                1 => format!("1 {what}"),
                count => format!("{count} {what}s"),
            };
            let roles = count(read.binding.roles.len(), "role");
            let messages = count(read.binding.messages.len(), "message");
            let note = match &read.binding.model {
                Some(model) => format!("{path}: {roles} and {messages}, compared with {model}"),
                None => format!(
                    "{path}: {roles} and {messages}; it names no `model` to compare them with"
                ),
            };
            run.semantics.notes.push(note);
            Ok(Soundness::new(path, SoundnessKind::Read))
        });
        Ok(checked.collect())
    }

    /// What an editor shows of a binding.
    pub(crate) fn inspect_binding(&mut self, path: &str, settings: &Settings) -> Inspection {
        let mut run = RunNotes::default();
        let Ok((file, text)) = self.required(path, &mut run) else {
            return Inspection {
                findings: run.findings,
                ..Inspection::default()
            };
        };
        let read = BindingFile::read(file, &text, &mut run.findings);
        let vocabulary = read.as_ref().and_then(|read| {
            // What is wrong is among the findings.
            self.compared(path, read, settings, &mut run).ok().flatten()
        });
        let binding = read.as_ref().map(|it| &it.binding);
        Inspection {
            symbols: symbols(file, &text, binding, vocabulary.as_ref()),
            findings: run.findings,
        }
    }

    /// Mappings of earlier versions as one binding.
    pub fn translated(
        &mut self,
        paths: &[String],
        is_written: bool,
        run: &mut RunNotes,
    ) -> Result<BindingProposal, Stop> {
        let mut binding = Binding::default();
        let mut missing = Vec::new();
        for path in paths {
            let (_, text) = self.required(path, run)?;
            let unusable =
                |reason: String| run.mistake(unusable_mapping::diagnostic(path, &reason));
            let translated = translate(&text).map_err(unusable)?;
            let dropped = binding.merge(translated.binding);
            let told = translated.left_out.into_iter().chain(dropped);
            missing.extend(told.map(|it| format!("{path}: {it}")));
        }
        let mut head = vec![format!("From {}.", paths.join(", "))];
        head.extend(missing.iter().map(|it| format!("To do: {it}")));
        if binding.role(choros_bind::ANY_ROLE).is_some() {
            head.push(
                "`*` is every role that is not named: write the service's own name there."
                    .to_owned(),
            );
        }
        Ok(BindingProposal {
            model: paths.join(", "),
            text: binding.to_toml(&head),
            is_written,
            missing,
            is_translation: true,
            ..BindingProposal::default()
        })
    }

    /// The words of a file; none where its language does not name messages.
    fn vocabulary(
        &mut self,
        request: &Request,
        settings: &Settings,
        run: &mut RunNotes,
    ) -> Result<Option<Vocabulary>, Stop> {
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
        let text = |name| self.terms.names.text(name).to_owned();
        for interaction in model.gchor().map_or_else(Vec::new, Gchor::interactions) {
            vocabulary.messages.push(KnownMessage {
                name: text(interaction.message),
                from: text(interaction.from),
                to: text(interaction.to),
                fields: Vec::new(),
            });
        }
        if model.gchor().is_some() {
            vocabulary.roles = model.roles(&self.terms).into_iter().collect();
        }
        let has_words = !model.graphs().is_empty() || model.gchor().is_some();
        Ok(has_words.then_some(vocabulary))
    }
}

/// A binding that says something.
fn not_empty(path: &str, binding: Binding, run: &mut RunNotes) -> Result<Binding, Stop> {
    if binding.is_empty() {
        return Err(run.mistake(nothing_declared::diagnostic(path)));
    }
    Ok(binding)
}

/// A file that another names, by its path from there.
pub(crate) fn beside(path: &str, named: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, _)) if !named.starts_with('/') => format!("{folder}/{named}"),
        _ => named.to_owned(),
    }
}
