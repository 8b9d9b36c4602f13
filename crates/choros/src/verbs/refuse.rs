//! Saying no to an option before anything is done.

use choros_report::Report;

use crate::diagnostics::meaningless_option;
use crate::{FileKind, Request};

/// An option that was given and that none of the files has a use for.
#[derive(Debug, Clone)]
pub struct UselessOption<'a> {
    /// The option, as it is written.
    pub option: String,
    /// What was given.
    pub files: &'a [Request],
    /// The kinds of files that it is for.
    pub kinds: Vec<FileKind>,
    /// What to do instead.
    pub hint: Option<&'a str>,
}

/// The report of a run that was not begun because of its options.
pub fn refuse_options(verb: &'static str, refused: &[UselessOption<'_>]) -> Report {
    let diagnostics = refused.iter().filter_map(|it| {
        let file = it.files.first()?;
        let file = (file.path.as_str(), file.known_kind());
        Some(meaningless_option::diagnostic(
            &it.option, file, &it.kinds, it.hint,
        ))
    });
    Report {
        verb,
        diagnostics: diagnostics.collect(),
        ..Report::default()
    }
}
