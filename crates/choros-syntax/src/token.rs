//! A piece of text and its place.

use choros_base::Span;

/// What a piece of text can be in a language.
pub trait TokenKind: Copy + PartialEq + 'static {
    /// What names and keywords are.
    const WORD: Self;
    /// What comes after the last piece.
    const END: Self;
}

/// A piece of text and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<K> {
    /// What it is.
    pub kind: K,
    /// Where it stands.
    pub span: Span,
}
