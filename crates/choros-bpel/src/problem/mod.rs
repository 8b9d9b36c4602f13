//! Problems for `solve`: typed variables and a constraint over them.
//!
//! What the tool SWST of Bentakouk's thesis (section 4.2.5) was given as objects is a text here:
//!
//! ```text
//! type T1 = {a: Int, b: Real}
//! type T2 = {a: String, b: T1}
//! words "hello", "everyone"
//! var x: Bool
//! var y: T1
//! var z: T2
//! assert x == true and y.b == 8.2 + 4.0 and z.b == y
//! ```
//!
//! `import "bank.xsd"` (or a WSDL document) brings types, elements and messages, named after a prefix that
//! `namespace bk = "urn:bank"` binds: `var o: bk:Order`; and `xpath "$o/total > 10"` constrains in XPath.

mod read;
mod tree;
mod words;
mod xml;

use std::sync::Arc;

use choros_base::Span;
use choros_data::{Term, Var};

use crate::document::QName;
use crate::schema::TypeId;
use crate::wsdl::{Definitions, MessageShape};

pub use read::read;
pub use tree::{NoTree, tree_script};

/// A problem.
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

/// A variable of a problem.
#[derive(Debug, Clone)]
pub struct ProblemVariable {
    /// Its name.
    pub name: String,
    /// The variable.
    pub variable: Var,
    /// What it holds.
    pub holds: Holds,
    /// Where it is declared.
    pub span: Span,
}

/// What a variable holds.
#[derive(Debug, Clone)]
pub enum Holds {
    /// A value of its sort.
    Sort,
    /// A value of a type of a schema.
    Type(TypeId),
    /// An element of a schema.
    Element(QName, TypeId),
    /// A message.
    Message(Arc<MessageShape>),
}
