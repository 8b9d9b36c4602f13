//! `.cows`: a COWS term in CMC's syntax.

use choros_base::{FileId, NotFormatted, has_errors};
use choros_cows::syntax::{parse, print};

use super::{Formatter, Language, Opened, Parsed, Reader};
use crate::contents::Model;
use crate::service::Service;

pub(super) static LANGUAGE: Language = Language {
    name: "cows",
    declares_integers: false,
    reader: Reader::Text(read),
    formatter: Some(Formatter::of(|file, text, _| format(file, text))),
};

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
