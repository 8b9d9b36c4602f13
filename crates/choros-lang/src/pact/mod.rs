//! Chor and its role language, as PACT reads them (sections 4.1.1 and 4.1.3 of Nguyen's thesis).
//!
//! ```text
//! file     = { [ name "=" ] ( activity | composition ) }
//! activity = sequence { ("[]" | "|" | "||") sequence }
//! sequence = primary { ";" primary }
//! primary  = "skip" | channel "[" role "," role "]" [ "!" | "?" ] | "(" activity ")"
//! composition = name ("|" | "||") name { ("|" | "||") name }
//! ```
//!
//! `A ::= skip | c[i,j] | A;A | A ⊓ A | A || A` is the language of a choreography, `P ::= skip | c[i,j]! | c[i,j]? |
//! P;P | P ⊓ P | P|P` the language of a role.
//! `;` binds tightest; choice and parallel bind alike and associate to the left, so a mix of them without parentheses
//! is warned of (`CH0140`).
//! `⊓` and `∥` may be written as such.
//!
//! Parallel parts of one role interleave; parallel processes of *different* roles are a composition: a sending and the
//! reception of the same channel become one interaction.
//! Activities become the same process terms as those of SChorA's scripts, so their graphs follow the same rules.

mod compose;
mod format;
mod parse;
mod print;

pub use format::format;
pub use parse::parse;
pub use print::print;

use choros_base::{Diagnostic, FileId};
use choros_data::Terms;

use crate::Model;

/// Reads a file; an activity without a name is called `name`.
pub fn read(file: FileId, text: &str, name: &str, terms: &mut Terms) -> (Model, Vec<Diagnostic>) {
    let (mut script, diagnostics) = parse(file, text, name, &mut terms.names);
    compose::part(&mut script, &mut terms.names);
    Model::of_script(script, diagnostics, terms)
}
