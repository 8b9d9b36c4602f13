//! `.tp`: a test purpose.

use choros_base::{FileId, NotFormatted, has_errors};
use choros_codes::diagnostics::no_model;
use choros_data::Terms;
use choros_query::purpose::{self, parse, print};

use super::{Formatter, Inspection, Language, Opened, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "tp",
    declares_integers: false,
    reader: Reader::NoModel(no_model::PURPOSE),
    formatter: Some(FORMATTER),
    lexicon: &purpose::LEXICON,
    inspect: Some(inspect),
};

pub(super) fn inspect(opened: &mut Opened<'_>) -> Inspection {
    let names = &mut opened.terms.names;
    let (syntax, findings) = parse(opened.file, opened.text, names);
    let symbols = purpose::symbols(&syntax, names);
    Inspection { findings, symbols }
}

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
