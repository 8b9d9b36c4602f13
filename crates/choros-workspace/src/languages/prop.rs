//! `.prop`: properties of logs.

use choros_base::{FileId, NotFormatted, has_errors};
use choros_codes::diagnostics::no_model;
use choros_data::Terms;
use choros_model::symbols::Symbols;
use choros_query::property::{self, MessageSchema};

use super::{Formatter, Inspection, Language, Opened, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "prop",
    declares_integers: false,
    reader: Reader::NoModel(no_model::PROPERTIES),
    formatter: Some(Formatter {
        format,
        loses: |text| {
            let has_comments = text.contains("//") || text.contains("/*");
            has_comments
                .then_some("it has comments, which the standard layout of properties cannot keep")
        },
        translates: property::is_xml,
    }),
    lexicon: &property::LEXICON,
    inspect: Some(inspect),
};

fn inspect(opened: &mut Opened<'_>) -> Inspection {
    let (file, text) = (opened.file, opened.text);
    let (_, findings) = property::read(file, text, &MessageSchema::default(), opened.terms);
    let symbols = if property::is_xml(text) {
        Symbols::default()
    } else {
        property::symbols(file, text)
    };
    Inspection { findings, symbols }
}

fn format(file: FileId, text: &str, terms: &mut Terms) -> Result<String, NotFormatted> {
    let (properties, found) = property::read(file, text, &MessageSchema::default(), terms);
    if has_errors(&found) {
        return Err(NotFormatted::Mistakes(found));
    }
    let printed = property::print(&properties);
    let (again, _) = property::read(file, &printed, &MessageSchema::default(), terms);
    if property::print(&again) == printed {
        Ok(printed)
    } else {
        Err(NotFormatted::Unfaithful)
    }
}
