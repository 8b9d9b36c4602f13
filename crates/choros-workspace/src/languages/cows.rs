//! `.cows`: a COWS term in CMC's syntax.

use choros_base::{FileId, NotFormatted, has_errors};
use choros_cows::syntax::{parse, print};

use super::{Formatter, Inspection, Language, Opened, Parsed, Reader, rules};
use crate::contents::Model;
use crate::service::Service;

pub(super) static LANGUAGE: Language = Language {
    name: "cows",
    declares_integers: false,
    reader: Reader::Text(read),
    formatter: Some(Formatter::of(|file, text, _| format(file, text))),
    lexicon: &choros_cows::syntax::LEXICON,
    inspect: Some(inspect),
};

fn inspect(opened: &mut Opened<'_>) -> Inspection {
    let (file, text) = (opened.file, opened.text);
    let (specification, _, mut findings) = choros_cows::read(file, text);
    let mut symbols = choros_cows::syntax::symbols(&specification);
    if let Some(rules) = &specification.abstractions {
        let inside = rules::inspect_part(opened, rules.span.range());
        findings.extend(inside.findings);
        symbols = symbols.joined(inside.symbols);
    }
    Inspection { findings, symbols }
}

fn read(opened: &mut Opened<'_>) -> Parsed {
    let (specification, program, findings) = choros_cows::read(opened.file, opened.text);
    let service = Service {
        specification,
        program,
    };
    Parsed::model(Model::Service(Box::new(service)), findings)
}

fn format(file: FileId, text: &str) -> Result<String, NotFormatted> {
    let (specification, findings) = parse(file, text);
    if has_errors(&findings) {
        Err(NotFormatted::Mistakes(findings))
    } else {
        Ok(print(&specification))
    }
}
