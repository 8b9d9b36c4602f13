//! Formatting a file without ever losing anything of it.

use choros_base::{Diagnostic, FileId, Names, NotFormatted, has_errors};

/// A language whose files have one form.
pub(crate) trait HasForm: Sized {
    /// Reads a file as it is written.
    fn parse(file: FileId, text: &str, names: &mut Names) -> (Self, Vec<Diagnostic>);
    /// Its form; with the text that it was read from, comments and blank lines stay.
    fn print(&self, names: &Names, source: Option<&str>) -> String;
    /// The texts of its comments, in order.
    fn comments(&self) -> Vec<&str>;
}

/// The file in its standard layout; the result is read again and compared, comments included, before anyone gets it.
pub(crate) fn format<P: HasForm>(
    file: FileId,
    text: &str,
    names: &mut Names,
) -> Result<String, NotFormatted> {
    let (program, diagnostics) = P::parse(file, text, names);
    if has_errors(&diagnostics) {
        return Err(NotFormatted::Mistakes(diagnostics));
    }
    let formatted = program.print(names, Some(text));
    let (again, diagnostics) = P::parse(file, &formatted, names);
    let same = !has_errors(&diagnostics)
        && again.print(names, None) == program.print(names, None)
        && again.comments() == program.comments();
    if same {
        Ok(formatted)
    } else {
        Err(NotFormatted::Unfaithful)
    }
}
