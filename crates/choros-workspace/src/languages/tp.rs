//! `.tp`: a test purpose.

use choros_base::{FileId, NotFormatted, has_errors};
use choros_codes::diagnostics::no_model;
use choros_data::Terms;
use choros_query::purpose::{parse, print};

use super::{Formatter, Language, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "tp",
    declares_integers: false,
    reader: Reader::NoModel(no_model::PURPOSE),
    formatter: Some(FORMATTER),
};

/// The form of purposes and contracts.
pub(super) const FORMATTER: Formatter = Formatter {
    format,
    loses: |text| {
        text.contains("/*").then_some(
            "it has comments between `/*` and `*/`, which the standard layout of purposes and contracts cannot keep",
        )
    },
    translates: |_| false,
};

fn format(file: FileId, text: &str, terms: &mut Terms) -> Result<String, NotFormatted> {
    let (syntax, found) = parse(file, text, &mut terms.names);
    if has_errors(&found) {
        return Err(NotFormatted::Mistakes(found));
    }
    let printed = print(&syntax, terms);
    let (again, _) = parse(file, &printed, &mut terms.names);
    if print(&again, terms) == printed {
        Ok(printed)
    } else {
        Err(NotFormatted::Unfaithful)
    }
}
