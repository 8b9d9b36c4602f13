//! Pieces of SMT-LIB for scripts that callers put together themselves.

use choros_data::{Sort, Term, Terms, Var};

use crate::Reason;
use crate::symbols::Naming;
use crate::write::Writer;

/// Writes terms as SMT-LIB 2.6 expressions, and remembers what has to be declared for them.
///
/// Every variable is declared as a constant; a caller that binds it by a quantifier shadows the declaration.
#[derive(Debug)]
pub struct Script {
    writer: Writer,
}

impl Default for Script {
    fn default() -> Self {
        let mut writer = Writer::default();
        writer.symbols.naming = Naming::Names;
        Script { writer }
    }
}

impl Script {
    /// The symbol of a variable.
    pub fn variable(&mut self, terms: &Terms, variable: Var) -> Result<String, Reason> {
        self.writer.variable(terms, variable)
    }

    pub fn sort(&mut self, terms: &Terms, sort: Sort) -> Result<String, Reason> {
        self.writer.sort(terms, sort)
    }

    pub fn term(&mut self, terms: &Terms, term: Term) -> Result<String, Reason> {
        self.writer.standalone(terms, term)
    }

    /// Declarations of everything that has been written; they come before it.
    pub fn declarations(&self) -> &str {
        &self.writer.commands
    }
}
