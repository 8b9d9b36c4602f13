//! The texts that a certificate is about, found by their digests.

use choros_base::Diagnostic;
use choros_report::{SavedCertificate, SavedModel, sha256};

use choros_codes::FileKind;
use choros_codes::diagnostics::unreadable;
use choros_workspace::{Request, Workspace};

/// Every text that a run has read, in the order of paths.
pub(crate) fn read_models(workspace: &Workspace<'_>) -> Vec<SavedModel> {
    workspace
        .texts()
        .map(|(path, text)| SavedModel {
            path: path.to_owned(),
            sha256: sha256(text),
        })
        .collect()
}

/// The models that were named on the command line.
pub(crate) struct Given {
    /// Path and digest of each.
    models: Vec<SavedModel>,
}

impl Given {
    pub(crate) fn read(
        workspace: &mut Workspace<'_>,
        paths: &[String],
        findings: &mut Vec<Diagnostic>,
    ) -> Option<Given> {
        let mut models = Vec::new();
        for path in paths {
            match workspace.source(path) {
                Ok((_, text)) => models.push(SavedModel {
                    path: path.clone(),
                    sha256: sha256(&text),
                }),
                Err(error) => findings.push(unreadable::diagnostic(&error)),
            }
        }
        (models.len() == paths.len()).then_some(Given { models })
    }

    /// What a certificate calls `FILE#NAME`, among the files that were given; or why it is not there.
    pub(crate) fn request(
        &self,
        text: &str,
        kind: Option<FileKind>,
        certificate: &SavedCertificate,
    ) -> Result<Request, String> {
        let asked = Request::parse(text, kind);
        let path = &asked.path;
        let Some(saved) = certificate.models.iter().find(|it| it.path == *path) else {
            return Err(format!("it does not say what `{path}` was"));
        };
        let Some(model) = self.models.iter().find(|it| it.sha256 == saved.sha256) else {
            return Err(match self.models.iter().find(|it| it.path == *path) {
                Some(_) => format!("`{path}` has changed since it was written"),
                None => format!("`{path}` is not among the models, or has changed"),
            });
        };
        // The extension decides how a file is read, and the one that was given may have another.
        let kind = kind.or_else(|| asked.known_kind());
        Ok(Request {
            path: model.path.clone(),
            component: asked.component,
            kind,
        })
    }

    /// A text that was given, or read because another one refers to it, and that the certificate does not know.
    pub(crate) fn foreign(
        &self,
        workspace: &Workspace<'_>,
        certificate: &SavedCertificate,
    ) -> Option<String> {
        let known = |model: &SavedModel| {
            let mut models = certificate.models.iter();
            models.any(|it| it.sha256 == model.sha256)
        };
        let stranger = read_models(workspace).into_iter().find(|it| !known(it))?;
        let path = stranger.path;
        let same = certificate.models.iter().any(|it| it.path == path);
        Some(if same {
            format!("`{path}` has changed since it was written")
        } else {
            format!("it is not about `{path}`, or `{path}` has changed")
        })
    }
}
