//! What a file holds, whatever its language.

use choros_base::{Diagnostic, FileId};
use choros_data::Terms;
use choros_lang::NoGraph;
use choros_lang::ast::Command;
use choros_model::lts::ExplicitLts;
use choros_model::stg::{ProductNote, Stg};

use crate::Settings;
use crate::diagnostics::unmatched_message;

/// The models of one file.
pub enum Model {
    /// Graphs, and the commands of a script.
    Graphs(Vec<Component>, Vec<Command>),
    /// A system of states.
    System(Box<ExplicitLts>),
}

/// One graph of a file.
pub struct Component {
    /// Its name.
    pub name: String,
    /// The graph, or why there is none.
    pub stg: Result<Stg, NoGraph>,
    /// Remarks on how it is to be read.
    pub remarks: Vec<String>,
}

/// The components of a script, what is wrong with it, and the names of all its components; those other than `wanted`
/// are not built when only one is asked for.
pub(crate) fn read_script(
    file: FileId,
    text: &str,
    wanted: Option<&str>,
    settings: &Settings,
    terms: &mut Terms,
) -> (Model, Vec<Diagnostic>, Vec<String>) {
    let (script, mut diagnostics) = choros_lang::read(file, text, terms);
    let mut components = Vec::new();
    let mut names = Vec::new();
    for id in script.ids() {
        let name = script.name(id, terms).to_owned();
        // A name that is declared twice is reported, and the first one counts.
        if names.contains(&name) {
            continue;
        }
        names.push(name.clone());
        if wanted.is_some_and(|wanted| wanted != name) {
            continue;
        }
        let mut remarks = Vec::new();
        let stg = script.lower(id, terms, &settings.states()).map(|lowered| {
            for note in &lowered.notes {
                match note {
                    ProductNote::MixedEndings { .. } => remarks.push(note.to_string()),
                    ProductNote::Misfit { .. } | ProductNote::Partnerless { .. } => {
                        diagnostics.push(unmatched_message::diagnostic(&name, note));
                    }
                }
            }
            lowered.stg
        });
        components.push(Component { name, stg, remarks });
    }
    let commands = script.commands().to_vec();
    (Model::Graphs(components, commands), diagnostics, names)
}
