//! A specification as it is written.

pub use choros_syntax::Comment;
use std::sync::Arc;

use choros_base::Span;

/// What a `.cows` file holds.
#[derive(Debug, Clone, Default)]
pub struct Specification {
    /// The definitions between `let` and `in`.
    pub definitions: Vec<Definition>,
    /// The term whose behaviour it is; absent when nothing of it could be read.
    pub main: Option<Term>,
    /// The block of abstraction rules, not read: rules belong to the language of questions.
    pub abstractions: Option<Abstractions>,
    /// All comments outside the block of rules, in their order.
    pub comments: Vec<Comment>,
}

/// The text between the braces of `Abstractions { … }`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Abstractions {
    /// Where the text lies.
    pub span: Span,
    pub text: Arc<str>,
}

/// `Name(parameter, …) = term`.
#[derive(Debug, Clone)]
pub struct Definition {
    pub name: Identifier,
    /// Its parameters: names, values, variables or killer labels, whatever it is called with.
    pub parameters: Vec<Identifier>,
    /// What it stands for.
    pub body: Term,
}

/// A name, a variable, a killer label or a number, as it is written.
#[derive(Debug, Clone)]
pub struct Identifier {
    pub text: Arc<str>,
    /// Where it lies.
    pub span: Span,
}

/// A term with its place.
#[derive(Debug, Clone)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where it lies.
    pub span: Span,
}

/// The terms of Table II of Fantechi et al., and calls of definitions.
#[derive(Debug, Clone)]
pub enum TermKind {
    /// `nil`, the empty choice.
    Nil,
    /// `kill(k)`
    Kill(Identifier),
    /// `partner.operation!<…>`
    Invoke(Endpoint),
    /// `partner.operation?<…>.s`; without a continuation nothing follows.
    Receive(Endpoint, Option<Box<Term>>),
    /// `g + g`, two or more.
    Choice(Vec<Term>),
    /// `s | s`, two or more.
    Parallel(Vec<Term>),
    /// `{s}`
    Protection(Box<Term>),
    /// `[e1, …, en] s`
    Delimitation(Vec<Binder>, Box<Term>),
    /// `* s`
    Replication(Box<Term>),
    /// `Name(argument, …)`
    Call(Identifier, Vec<Identifier>),
    /// Something that did not parse and was reported.
    Error,
}

/// `partner.operation` with its tuple.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// Who offers the operation.
    pub partner: Identifier,
    pub operation: Identifier,
    pub tuple: Vec<Identifier>,
}

/// What is delimited: `X` a variable, `n#` a name, `k` a killer label.
#[derive(Debug, Clone)]
pub struct Binder {
    /// How it is called.
    pub identifier: Identifier,
    /// It was written with `#`.
    pub is_name: bool,
}

impl Identifier {
    /// Whether it is written as variables are: with a capital letter first.
    pub fn is_variable(&self) -> bool {
        self.text.starts_with(|first: char| first.is_uppercase())
    }
}
