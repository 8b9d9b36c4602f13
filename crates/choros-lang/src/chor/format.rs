//! Formatting a file without ever losing anything of it.

use choros_base::{FileId, Names, NotFormatted, has_errors};

use super::ast::Program;
use super::parse::parse;
use super::print::print;

/// The file in its one form.
///
/// The result is read again and compared, comments included, before anybody gets it.
pub fn format(file: FileId, text: &str, names: &mut Names) -> Result<String, NotFormatted> {
    let (program, diagnostics) = parse(file, text, names);
    if has_errors(&diagnostics) {
        return Err(NotFormatted::Mistakes(diagnostics));
    }
    let formatted = print(&program, names, Some(text));
    let (again, diagnostics) = parse(file, &formatted, names);
    let same = !has_errors(&diagnostics)
        && print(&again, names, None) == print(&program, names, None)
        && comments(&again) == comments(&program);
    match same {
        true => Ok(formatted),
        false => Err(NotFormatted::Unfaithful),
    }
}

fn comments(program: &Program) -> Vec<&str> {
    let comments = program.comments.iter();
    comments.map(|comment| comment.text.as_str()).collect()
}
