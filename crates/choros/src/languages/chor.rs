//! `.chor`: choreographies, roles and systems in the native language.

use choros_lang::chor;

use super::components::Components;
use super::{Formatter, Language, Opened, Read, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "chor",
    declares_integers: true,
    reader: Reader::Text(read),
    formatter: Some(Formatter::of(|file, text, terms| {
        chor::format(file, text, &mut terms.names)
    })),
};

fn read(opened: &mut Opened<'_>) -> Read {
    let (model, findings) = chor::read(opened.file, opened.text, opened.terms);
    let mut components = Components::new(opened, findings);
    for id in model.ids() {
        let name = model.name(id, opened.terms).to_owned();
        let services: Vec<String> = model
            .services(id, opened.terms)
            .map(str::to_owned)
            .collect();
        let budget = opened.settings.states();
        components.add(name.clone(), services, || {
            model.lower(id, opened.terms, &budget)
        });
        components.illustrate(&name, || model.diagram(id, opened.terms));
    }
    components.finish(Vec::new())
}
