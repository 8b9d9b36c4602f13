//! What an editor asks of a text: its mistakes and its names.
//!
//! Reading shows them; no graph is built and no solver asked, so that a keystroke is answered at once.
//! What only `check` finds comes later, and from there.

use choros_codes::FileKind;
use choros_codes::diagnostics::unreadable;
use choros_model::symbols::Wanted;

#[cfg(feature = "bpel")]
use crate::languages::Reader;
use crate::languages::{Inspection, Opened, language};
use crate::{Request, Settings, Workspace, stem};

/// The model that a binding names, by its path.
#[cfg_attr(not(feature = "bindings"), allow(unused_variables))]
pub fn bound_model(path: &str, text: &str) -> Option<String> {
    #[cfg(feature = "bindings")]
    return choros_bind::named_model(text).map(|it| crate::binding::beside(path, &it));
    #[cfg(not(feature = "bindings"))]
    None
}

/// What may be written at a byte of a text, if its language says more than its names and words do.
#[cfg_attr(not(feature = "bindings"), allow(unused_variables))]
pub fn wanted(request: &Request, text: &str, offset: usize) -> Option<Wanted> {
    #[cfg(feature = "bindings")]
    if request.is_binding() {
        return Some(choros_bind::wanted(text, offset));
    }
    None
}

impl Workspace<'_> {
    /// What reading a model or questions shows.
    pub fn inspect(
        &mut self,
        request: &Request,
        kind: FileKind,
        settings: &Settings,
    ) -> Inspection {
        let path = request.path.as_str();
        #[cfg(feature = "bindings")]
        if request.is_binding() {
            return self.inspect_binding(path, settings);
        }
        let language = language(kind);
        let mut shown = Inspection::default();
        match language.inspect {
            Some(inspect) => match self.source(path) {
                Ok((file, text)) => {
                    let mut opened = Opened {
                        file,
                        text: &text,
                        stem: stem(path),
                        terms: &mut self.terms,
                    };
                    return inspect(&mut opened);
                }
                Err(error) => shown.findings.push(unreadable::diagnostic(&error)),
            },
            #[cfg(feature = "bpel")]
            None if matches!(language.reader, Reader::Process(_)) => {
                let _ = self.process(path, settings, &mut shown.findings);
            }
            None => {
                let _ = self.load(request, settings, &mut shown.findings);
            }
        }
        shown
    }
}
