//! `.schora`: a SChorA script.

use super::components::Components;
use super::{Language, Opened, Read, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "schora",
    declares_integers: false,
    reader: Reader::Text(read),
    formatter: None,
};

fn read(opened: &mut Opened<'_>) -> Read {
    let (script, findings) = choros_lang::read(opened.file, opened.text, opened.terms);
    let mut components = Components::new(opened, findings);
    for id in script.ids() {
        let name = script.name(id, opened.terms).to_owned();
        let budget = opened.settings.states();
        components.add(name, Vec::new(), || script.lower(id, opened.terms, &budget));
    }
    components.finish(script.commands().to_vec())
}
