//! What is the one form of it?

use choros_base::{Diagnostic, NotFormatted};
use choros_report::answers::{Answered, Formatting, FormattingResult, Parts, RunNotes, Stop};
use choros_workspace::{FormattedText, convert, formatted_kinds, language};

use crate::diagnostics::{
    meaningless_option, no_conversion, no_formatter, not_a_gchor, unreadable,
};
use crate::{FileKind, Request, Settings, Workspace};

/// What is formatted.
#[derive(Debug, Clone, Default)]
pub struct FmtRequest {
    /// The files; where the extension says one language and the request another, the file is translated.
    pub files: Vec<Request>,
    /// The question is only whether they have their form already.
    pub check_only: bool,
    /// Loops of g-choreographies are written out this many times.
    pub unfold: Option<u32>,
}

/// Formats files of the languages that people write; answers the new texts of those that change, and writes none.
///
/// A file that does not parse has no form: it is reported and stays as it is.
/// Properties in XML are written in their text form.
pub fn fmt(
    workspace: &mut Workspace<'_>,
    request: &FmtRequest,
    settings: &Settings,
) -> Answered<Parts<Formatting>> {
    let mut run = RunNotes::default();
    let mut parts = Vec::new();
    for file in &request.files {
        let part = match form(workspace, file, request, settings, &mut run) {
            Ok(form) => Ok(Formatting {
                path: file.path.clone(),
                form,
            }),
            Err(Stop::Mistakes) => continue,
            Err(stop) => Err(stop),
        };
        parts.push(part);
    }
    Answered {
        answer: Ok(Parts(parts)),
        run,
    }
}

fn form(
    workspace: &mut Workspace<'_>,
    file: &Request,
    request: &FmtRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<FormattingResult, Stop> {
    if let (Some(from), Some(to)) = (FileKind::of_path(&file.path), file.kind)
        && from != to
    {
        if request.check_only {
            run.findings.push(no_conversion::asked(&file.path));
            return Err(Stop::Mistakes);
        }
        let text = convert(workspace, file, (from, to), settings, run)?;
        let format = to.name();
        return Ok(FormattingResult::Shown { format, text });
    }
    match (
        formatted(workspace, file, request.unfold),
        request.check_only,
    ) {
        (Ok(FormattingResult::Same), true) => Ok(FormattingResult::Asked { has_form: true }),
        (Ok(FormattingResult::Changed(_)), true) => Ok(FormattingResult::Asked { has_form: false }),
        (Ok(form), _) => Ok(form),
        (Err(mut found), _) => {
            run.findings.append(&mut found);
            Err(Stop::Mistakes)
        }
    }
}

fn formatted(
    workspace: &mut Workspace<'_>,
    request: &Request,
    unfold: Option<u32>,
) -> Result<FormattingResult, Vec<Diagnostic>> {
    let path = request.path.as_str();
    let kind = request.known_kind();
    if let Some(component) = &request.component {
        let hint = Some("a file is formatted as a whole");
        let option = format!("#{component}");
        let file = (path, kind);
        return Err(vec![meaningless_option::diagnostic(
            &option,
            file,
            &[],
            hint,
        )]);
    }
    let formatter = kind.and_then(|kind| language(kind).formatter.as_ref());
    let (Some(kind), Some(formatter)) = (kind, formatter) else {
        return Err(vec![no_formatter::diagnostic(path, &formatted_kinds())]);
    };
    if unfold.is_some() && !request.is_gchor() {
        return Err(vec![not_a_gchor::diagnostic(path, "--unfold")]);
    }
    let (file, text) = workspace
        .source(path)
        .map_err(|error| vec![unreadable::diagnostic(&error)])?;
    let terms = &mut workspace.terms;
    let form = match unfold {
        // Written out, the loops are gone: that is not a form of the file.
        Some(times) => super::gchor::unfolded_text(file, &text, times, &mut terms.names)
            .map(FormattedText::Translation),
        None => formatter.form(file, &text, terms),
    };
    match form {
        Err(NotFormatted::Mistakes(found)) => Err(found),
        Err(NotFormatted::Unfaithful) => Err(vec![no_formatter::unfaithful(path)]),
        Ok(FormattedText::Loses(what)) => Err(vec![no_formatter::comments(path, what)]),
        Ok(FormattedText::Translation(text)) => Ok(FormattingResult::Shown {
            format: kind.name(),
            text,
        }),
        Ok(FormattedText::Same(form)) if *form == *text => Ok(FormattingResult::Same),
        Ok(FormattedText::Same(form)) => Ok(FormattingResult::Changed(form)),
    }
}
