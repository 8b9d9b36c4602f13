//! How deep a text may nest, which is what keeps the call stack safe.

use super::Parser;
use crate::diagnostics::nested_too_deeply;

/// How deep brackets may nest.
///
/// Each level costs up to nine calls; 200 levels fit into the smallest stack that threads get, in debug builds too.
pub const DEPTH_LIMIT: u32 = 200;

impl Parser<'_> {
    /// Runs `inner` one level deeper; reports and answers `None` when that is too deep.
    ///
    /// The caller must skip something on `None`: nothing was read.
    pub fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.enter()?;
        let result = inner(self);
        self.leave();
        Some(result)
    }

    /// Goes one level deeper, as [`Parser::deeper`] does, for readers that have a parser and more; each success
    /// needs a [`Parser::leave`].
    pub fn enter(&mut self) -> Option<()> {
        if self.depth < DEPTH_LIMIT {
            self.depth += 1;
            return Some(());
        }
        // One report is enough: everything inside fails for the same reason.
        let code = nested_too_deeply::CODE.code;
        if !self.diagnostics.iter().any(|one| one.code.code == code) {
            let span = self.token().span;
            self.diagnostics
                .push(nested_too_deeply::diagnostic(span, DEPTH_LIMIT));
        }
        None
    }

    /// Comes back from a level.
    pub fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }
}
