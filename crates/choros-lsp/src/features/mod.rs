//! One file per thing that an editor asks for.

pub(crate) mod actions;
pub(crate) mod completion;
pub(crate) mod folding;
pub(crate) mod formatting;
pub(crate) mod hints;
pub(crate) mod hover;
pub(crate) mod lenses;
pub(crate) mod navigation;
pub(crate) mod neighbours;
pub(crate) mod outline;
pub(crate) mod rename;
pub(crate) mod tokens;

use choros::base::Span;
use serde_json::Value;

use crate::documents::{Document, Documents};
use crate::position::Encoding;

/// A buffer that a question is about, and all others.
#[derive(Clone, Copy)]
pub(crate) struct About<'a> {
    pub(crate) documents: &'a Documents,
    pub(crate) document: &'a Document,
    pub(crate) encoding: Encoding,
    /// Whether the client said where a service is.
    pub(crate) drives: bool,
}

impl About<'_> {
    /// The byte of the position that the question names.
    pub(crate) fn offset(&self, params: &Value) -> Option<usize> {
        let document = self.document;
        let position = params.get("position")?;
        document.lines.read(&document.text, position, self.encoding)
    }

    /// The bytes of the range that the question names.
    pub(crate) fn asked_range(&self, params: &Value) -> Option<std::ops::Range<usize>> {
        let document = self.document;
        let range = params.get("range")?;
        document
            .lines
            .read_range(&document.text, range, self.encoding)
    }

    /// Bytes of the buffer as the protocol writes them.
    pub(crate) fn range(&self, range: std::ops::Range<usize>) -> Value {
        let document = self.document;
        document.lines.range(&document.text, range, self.encoding)
    }

    /// A place in the buffer as the protocol writes it.
    pub(crate) fn span(&self, span: Span) -> Value {
        self.range(span.range())
    }
}
