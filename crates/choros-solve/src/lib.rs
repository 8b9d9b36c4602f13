#![doc = include_str!("../README.md")]

mod lexicon;
mod problem_declaration;
mod read;
mod solve;
#[cfg(feature = "tree-script")]
mod tree;
mod words;
mod xml;

use std::sync::Arc;

use choros_base::{CodeInfo, Span};
use choros_data::{Term, Var};

use choros_xml::document::QName;
use choros_xml::schema::TypeId;
use choros_xml::wsdl::{Definitions, MessageShape};

pub use lexicon::LEXICON;
pub use read::read;
pub use solve::{SolveAnswer, SolvedValue, solve};
#[cfg(feature = "tree-script")]
pub use tree::{NoTree, tree_script};

/// All codes of the reader of problems.
pub const CODES: &[&CodeInfo] = &[&problem_declaration::CODE];

#[derive(Debug, Clone)]
pub struct Problem {
    /// The variables, in the order of declaration.
    pub variables: Vec<ProblemVariable>,
    /// The only texts that strings may be, if they are listed.
    pub words: Option<Vec<Arc<str>>>,
    /// What is asserted, each a closed formula with its place.
    pub assertions: Vec<(Term, Span)>,
    /// The types, elements and messages of imported documents.
    pub definitions: Definitions,
}

#[derive(Debug, Clone)]
pub struct ProblemVariable {
    pub name: String,
    pub variable: Var,
    pub holds: VariableContent,
    /// Where it is declared.
    pub span: Span,
}

/// What a variable holds.
#[derive(Debug, Clone)]
pub enum VariableContent {
    /// A value of its sort.
    Sort,
    /// A value of a type of a schema.
    Type(TypeId),
    /// An element of a schema.
    Element(QName, TypeId),
    Message(Arc<MessageShape>),
}
