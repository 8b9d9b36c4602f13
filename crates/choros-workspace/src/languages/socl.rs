//! `.socl`: formulas.

use choros_codes::diagnostics::no_model;
use choros_query::questions::{self, format_questions, parse_questions};

use super::{Formatter, Inspection, Language, Opened, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "socl",
    declares_integers: false,
    reader: Reader::NoModel(no_model::FORMULAS),
    formatter: Some(Formatter::of(|file, text, terms| {
        format_questions(file, text, &mut terms.names)
    })),
    lexicon: &questions::LEXICON,
    inspect: Some(inspect),
};

fn inspect(opened: &mut Opened<'_>) -> Inspection {
    let (file, text) = (opened.file, opened.text);
    let (_, findings) = parse_questions(file, text, &mut opened.terms.names);
    let symbols = questions::symbols(file, text);
    Inspection { findings, symbols }
}
