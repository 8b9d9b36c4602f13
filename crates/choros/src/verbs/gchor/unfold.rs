//! Loops written out, for editing.

use choros_base::{Budget, FileId, Names, NotFormatted, has_errors};
use choros_lang::gchor::{read, write_gchor};
use choros_model::gchor::{LoopUnfolding, unfold};

/// The text of a file with each loop written out this many times.
///
/// Comments are lost: what they were about is there several times, or not at all.
pub(in crate::verbs) fn unfolded_text(
    file: FileId,
    text: &str,
    times: u32,
    names: &mut Names,
) -> Result<String, NotFormatted> {
    let (gchor, diagnostics) = read(file, text, names);
    if has_errors(&diagnostics) {
        return Err(NotFormatted::Mistakes(diagnostics));
    }
    let budget = Budget::steps(MAX_NODES);
    let unfolded = unfold(&gchor, LoopUnfolding::Exactly(times), &budget)
        .and_then(|unfolded| write_gchor(&unfolded, names, &budget));
    unfolded.map_err(|_| NotFormatted::Unfaithful)
}

/// No one edits a longer file.
const MAX_NODES: u64 = 2_000_000;
