//! Files of properties.

use choros_base::Diagnostic;
use choros_codes::diagnostics::unreadable;
use choros_query::property::{MessageSchema, Properties, read};

use crate::Workspace;

impl Workspace<'_> {
    /// The properties of these files together.
    ///
    /// A name that two files use is reported where files are read as one.
    pub fn properties(
        &mut self,
        paths: &[String],
        reading: &MessageSchema,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Properties {
        let mut all = Properties::default();
        for path in paths {
            let (file, text) = match self.source(path) {
                Ok(read) => read,
                Err(error) => {
                    diagnostics.push(unreadable::diagnostic(&error));
                    continue;
                }
            };
            let (found, mut findings) = read(file, &text, reading, &mut self.terms);
            diagnostics.append(&mut findings);
            all.local.extend(found.local);
            all.global.extend(found.global);
        }
        all
    }
}
