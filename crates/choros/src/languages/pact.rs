//! `.pact`: choreographies and roles in Chor, as PACT reads them.

use choros_lang::pact;

use super::components::Components;
use super::{Formatter, Language, Opened, Read, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "pact",
    declares_integers: false,
    reader: Reader::Text(read),
    formatter: Some(Formatter::of(|file, text, terms| {
        pact::format(file, text, &mut terms.names)
    })),
};

/// An activity without a name is called like its file.
fn read(opened: &mut Opened<'_>) -> Read {
    let (script, findings) = pact::read(opened.file, opened.text, opened.stem, opened.terms);
    let mut components = Components::new(opened, findings);
    for id in script.ids() {
        let name = script.name(id, opened.terms).to_owned();
        let budget = opened.settings.states();
        components.add(name, Vec::new(), || script.lower(id, opened.terms, &budget));
    }
    components.finish(Vec::new())
}
