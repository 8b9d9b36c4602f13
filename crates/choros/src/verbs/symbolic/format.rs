//! Purposes and contracts in their one form.

use choros_base::{FileId, NotFormatted, has_errors};
use choros_data::Terms;
use choros_query::purpose::{parse, print};

/// The formatted text; comments between `/*` and `*/` have no place in it, so a file with such is not to be given.
pub(in crate::verbs) fn format_purpose(
    file: FileId,
    text: &str,
    terms: &mut Terms,
) -> Result<String, NotFormatted> {
    let (syntax, found) = parse(file, text, &mut terms.names);
    if has_errors(&found) {
        return Err(NotFormatted::Mistakes(found));
    }
    let printed = print(&syntax, terms);
    let (again, _) = parse(file, &printed, &mut terms.names);
    match print(&again, terms) == printed {
        true => Ok(printed),
        false => Err(NotFormatted::Unfaithful),
    }
}
