//! What a file holds, whatever its language.

use choros_base::{Diagnostic, FileId, Spent};
use choros_data::Terms;
use choros_lang::ast::Command;
use choros_model::lts::ExplicitLts;
use choros_model::stg::Stg;

use crate::Settings;

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
    /// What it is.
    pub kind: ComponentKind,
    /// The graph, or the bound that stopped its construction.
    pub stg: Result<Stg, Spent>,
}

/// What a component is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComponentKind {
    /// Written in the language.
    Process,
    /// Written as a graph.
    Graph,
    /// Put together from others.
    Composition,
}
