//! How deep a formula may nest before a solver, whose code recurses, is put at risk.

use choros_data::{Term, Terms};
use rustc_hash::FxHashMap;

use crate::Reason;

/// The deepest formula that is handed to a solver.
///
/// Solvers recurse over terms in some places, and one that overflows its stack in our process takes us with it.
pub(crate) const MAX_NESTING: u32 = 4_000;

/// Refuses formulas that nest deeper than [`MAX_NESTING`].
pub(crate) fn within_depth(terms: &Terms, formula: Term) -> Result<(), Reason> {
    let mut depths: FxHashMap<Term, u32> = FxHashMap::default();
    for term in terms.postorder([formula]) {
        let depth = terms
            .arguments(term)
            .iter()
            .map(|argument| depths[argument] + 1)
            .max()
            .unwrap_or(0);
        depths.insert(term, depth);
    }
    match depths.get(&formula) {
        Some(&depth) if depth > MAX_NESTING => Err(too_deep()),
        _ => Ok(()),
    }
}

/// What is said of a formula that nests too deep.
pub(crate) fn too_deep() -> Reason {
    Reason::Inexpressible(format!("it nests deeper than {MAX_NESTING} levels"))
}
