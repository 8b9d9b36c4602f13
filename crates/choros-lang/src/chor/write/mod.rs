//! Graphs as text of the native language, which reads back as the same graphs.
//!
//! A state is written as a block of what may happen in it.
//! States on a cycle to which some path returns become loops (`loop s2 { … again s2 … }`); every cycle has one, so that
//! writing ends.
//! A state with several ways in is written once for each of them; that is one state again when it is read, because it
//! is the same text.
//! Where all ways from a branching lead to one state and nothing comes in between from elsewhere, that state is written
//! after the branching.

mod declarations;
mod joins;
mod names;
mod statements;

use choros_data::Terms;
use choros_model::stg::Stg;

use declarations::Declarations;
use names::VariableNames;
pub(crate) use names::is_writable;
use statements::Statements;

/// Why a graph has no text in the native language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotWritable {
    /// The reason, as a sentence without a full stop.
    pub reason: String,
}

impl NotWritable {
    pub(crate) fn because(reason: impl Into<String>) -> Self {
        let reason = reason.into();
        NotWritable { reason }
    }
}

/// Choreographies and roles as one file, with the types they need.
///
/// Variables that were distinguished by a sign that names cannot have (`x@vendor`) get other names.
pub fn write_graphs(graphs: &[&Stg], terms: &mut Terms) -> Result<String, NotWritable> {
    let mut declarations = Declarations::default();
    let mut bodies = Vec::new();
    for &stg in graphs {
        declarations.collect(stg, terms)?;
        let names = VariableNames::of(stg, terms);
        let head = declarations::head(stg, &names, terms)?;
        let body = Statements::of(stg, &names, terms)?;
        bodies.push(format!("{head} {{\n{body}}}\n"));
    }
    let mut text = declarations.text(terms);
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&bodies.join("\n"));
    Ok(text)
}
