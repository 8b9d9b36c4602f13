//! Expressions as they are written.

use choros_base::Span;
use choros_data::Op;
use num_rational::BigRational;

/// An expression.
#[derive(Debug, Clone)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
    /// How many expressions stand inside each other, itself included.
    pub(super) height: usize,
}

#[derive(Debug, Clone)]
pub(super) enum ExprKind {
    Or(Vec<Expr>),
    And(Vec<Expr>),
    /// One of the six comparisons.
    Compare(Op, Box<Expr>, Box<Expr>),
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    Negate(Box<Expr>),
    Number(BigRational),
    Literal(String),
    /// A function by its name, which may have a prefix.
    Call(String, Vec<Expr>),
    Path(Path),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

/// A path and its steps.
#[derive(Debug, Clone)]
pub(super) struct Path {
    pub(super) start: Start,
    pub(super) steps: Vec<StepExpr>,
}

/// Where a path starts.
#[derive(Debug, Clone)]
pub(super) enum Start {
    /// `$name` or `$name.part`.
    Variable(String),
    /// `/`.
    Root,
    /// The node that is examined.
    Context,
    /// The nodes of a call: `getVariableData(…)/a`.
    Call(Box<Expr>),
}

#[derive(Debug, Clone)]
pub(super) struct StepExpr {
    pub(super) test: Test,
    pub(super) predicates: Vec<Expr>,
    pub(super) span: Span,
}

/// What a step looks for.
#[derive(Debug, Clone)]
pub(super) enum Test {
    /// A child element.
    Child(String),
    Attribute(String),
    /// `text()`.
    Text,
    /// `.`, `self::node()`.
    Itself,
    /// What is understood and not supported, in words.
    Unsupported(String),
}
