//! `.bpel`, and `.xml` with the root `process`: a process of WS-BPEL 2.0.

use choros_bpel::calculus::unfold;
use choros_bpel::process::Orchestration;
use choros_data::Terms;
use choros_lang::NoGraph;
use choros_syntax::Lexicon;

use super::{Language, Read, Reader};
use crate::Settings;
use crate::contents::{Component, Model};

pub(super) static LANGUAGE: Language = Language {
    name: "bpel",
    declares_integers: false,
    reader: Reader::Process(build),
    formatter: None,
    lexicon: &Lexicon::EMPTY,
    inspect: None,
};

/// The graph of a process; none where it has mistakes.
fn build(
    process: &Orchestration,
    has_mistakes: bool,
    settings: &Settings,
    terms: &mut Terms,
) -> Read {
    let name = process.name.clone();
    settings.events.doing(format!("building `{name}`"));
    let unit = process.unit.map(|unit| format!("a tick is {unit}"));
    let stg = if has_mistakes {
        Err(NoGraph::Mistakes)
    } else {
        let unfolded = unfold(terms, &process.process, &name, &settings.states());
        unfolded.map(|it| it.graph).map_err(NoGraph::Spent)
    };
    let component = Component {
        name,
        stg,
        under_faults: None,
        interface: Some(Box::new(process.interface.clone())),
        diagram: None,
        services: Vec::new(),
        remarks: unit.into_iter().collect(),
        notation: terms.notation,
        sessions: None,
    };
    Read::whole(Model::Graphs(vec![component], Vec::new()), Vec::new())
}
