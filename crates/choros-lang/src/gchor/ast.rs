//! What a `.gc` file says, as it is written.

use choros_base::{Name, Span};
pub use choros_syntax::Comment;

/// A file.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// What it describes; `None` when there is nothing but comments.
    pub choreography: Option<Expression>,
    /// The comments, in their order.
    pub comments: Vec<Comment>,
}

/// A name and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    pub name: Name,
    /// Where.
    pub span: Span,
}

/// Something that happens.
#[derive(Debug, Clone)]
pub struct Expression {
    /// What.
    pub kind: ExpressionKind,
    /// Where.
    pub span: Span,
}

/// What happens.
#[derive(Debug, Clone)]
pub enum ExpressionKind {
    /// `(o)`.
    Empty,
    /// `A -> B : m`, or `A => B, C : m` with several receivers.
    Interaction {
        /// The sender.
        from: Word,
        /// The receivers: one after `->`, any number after `=>`.
        to: Vec<Word>,
        /// Whether it is written with `=>`.
        is_multicast: bool,
        message: Word,
    },
    /// `G ; G`.
    Sequence(Vec<Expression>),
    /// `G | G`.
    Fork(Vec<Expression>),
    /// `sel A { G + G }`, `branch { … }`, or `G + G` alone.
    Choice {
        decider: Option<Word>,
        /// Whether it is a block: then one branch is possible, and forks need no braces.
        is_block: bool,
        branches: Vec<Branch>,
    },
    /// `repeat A { G }`, `repeat G`, or `* G @ A`.
    Repeat {
        /// Who decides.
        controller: Option<Word>,
        /// What is repeated, and its guards.
        body: Box<Branch>,
    },
}

/// A branch of a choice or the body of a loop.
#[derive(Debug, Clone)]
pub struct Branch {
    /// What happens.
    pub body: Expression,
    /// `unless A % guard, …`: read and written, without meaning here.
    pub unless: Vec<Guard>,
}

/// `A % guard`.
#[derive(Debug, Clone)]
pub struct Guard {
    /// Whose it is.
    pub participant: Word,
    pub text: Word,
}
