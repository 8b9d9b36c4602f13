//! `.stg`: our text form of a symbolic transition graph.

use choros_model::stg::{STG_LEXICON, read_stg, stg_symbols};

use super::{Inspection, Language, Opened, Parsed, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "stg",
    declares_integers: false,
    reader: Reader::Text(|it| Parsed::graph(read_stg(it.file, it.text, it.terms))),
    formatter: None,
    lexicon: &STG_LEXICON,
    inspect: Some(inspect),
};

fn inspect(opened: &mut Opened<'_>) -> Inspection {
    let (_, findings) = read_stg(opened.file, opened.text, opened.terms);
    let symbols = stg_symbols(opened.file, opened.text, opened.terms);
    Inspection { findings, symbols }
}
