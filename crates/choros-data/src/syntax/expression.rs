//! Expressions as they are written, before sorts are known.
//!
//! They live in an arena in which operands come before the expressions that use them, so that checking, building and
//! dropping are loops, whatever the nesting.

use choros_base::{Name, Span};
use num_bigint::BigInt;
use num_rational::BigRational;

use crate::Quantifier;

/// Index of an expression in its arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub(crate) u32);

/// The expressions of one text.
#[derive(Debug, Default, Clone)]
pub struct Exprs {
    nodes: Vec<(ExprKind, Span)>,
    sorts: Vec<SortExpr>,
}

/// Index of a written sort in its arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SortExprId(u32);

choros_base::indices!(ExprId, SortExprId);

/// A sort as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortExpr {
    /// `Int`, `Status`.
    Named(Name, Span),
    /// `List(Int)`.
    List(SortExprId),
    /// `{weight: Int}`.
    Record(Vec<(Name, SortExprId)>),
    /// Something that did not parse and was reported.
    Error,
}

/// A whole expression: all its parts lie in the arena from `first` to `root`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expression {
    pub(crate) first: ExprId,
    /// The outermost part.
    pub root: ExprId,
    /// Where it is written.
    pub span: Span,
}

/// What an expression is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `true`, `false`.
    Bool(bool),
    /// `12`: an Int, or a Real where one is needed.
    Integer(BigInt),
    /// `1.25`.
    Decimal(BigRational),
    /// `"text"`.
    Text(String),
    /// A variable, a constant, a constructor.
    Name(Name),
    /// A variable bound by a quantifier around it, with the sort written there.
    Bound(Name, SortExprId),
    /// `forall x: Int. a`.
    Quantified(Quantifier, Vec<(Name, SortExprId)>, ExprId),
    /// One operand.
    Unary(Unary, ExprId),
    /// Two operands.
    Binary(Binary, ExprId, ExprId),
    /// An associative operator on two or more operands, all at one level of the text.
    Chain(Binary, Vec<ExprId>),
    /// `if a then b else c`.
    If(ExprId, ExprId, ExprId),
    /// `length(x)`.
    Call(Name, Vec<ExprId>),
    /// `x.label`.
    Field(ExprId, Name),
    /// `x[i]`.
    Index(ExprId, ExprId),
    /// `[a, b]`.
    List(Vec<ExprId>),
    /// `{a: 1, b: 2}`.
    Record(Vec<(Name, ExprId)>),
    /// Something that did not parse and was reported.
    Error,
}

/// Operators with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// `not`
    Not,
    /// `-`
    Negate,
}

/// Operators with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    /// `=>`
    Implies,
    /// `or`
    Or,
    /// `and`
    And,
    /// `==` or `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `in`
    Member,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `++`
    Concat,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `div`
    IntegerDivide,
    /// `mod`
    Modulo,
}

impl Exprs {
    /// Adds an expression whose operands are in the arena already.
    pub fn add(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let id = ExprId(self.nodes.len() as u32);
        self.nodes.push((kind, span));
        id
    }

    /// A whole expression of a single part, for languages that make one from a bare name or number.
    pub fn single(&mut self, kind: ExprKind, span: Span) -> Expression {
        let root = self.add(kind, span);
        Expression {
            first: root,
            root,
            span,
        }
    }

    /// Adds a sort whose parts are in the arena already.
    pub fn add_sort(&mut self, sort: SortExpr) -> SortExprId {
        self.sorts.push(sort);
        SortExprId(self.sorts.len() as u32 - 1)
    }

    /// A written sort.
    pub fn sort(&self, id: SortExprId) -> &SortExpr {
        &self.sorts[id.index()]
    }

    /// What an expression is made of.
    pub fn kind(&self, id: ExprId) -> &ExprKind {
        &self.nodes[id.index()].0
    }

    /// Where it is written.
    pub fn span(&self, id: ExprId) -> Span {
        self.nodes[id.index()].1
    }

    pub(crate) fn next(&self) -> ExprId {
        ExprId(self.nodes.len() as u32)
    }

    /// The parts of an expression, operands first.
    pub(crate) fn parts(&self, expression: Expression) -> impl Iterator<Item = ExprId> + use<> {
        (expression.first.0..=expression.root.0).map(ExprId)
    }

    /// The names an expression mentions, with their places, in order.
    pub fn names(&self, expression: Expression) -> Vec<(Name, Span)> {
        self.parts(expression)
            .filter_map(|id| match self.kind(id) {
                ExprKind::Name(name) => Some((*name, self.span(id))),
                _ => None,
            })
            .collect()
    }

    /// The same without names that a quantifier of the expression binds.
    pub fn free_names(&self, expression: Expression) -> Vec<(Name, Span)> {
        let bound: Vec<Name> = self
            .parts(expression)
            .filter_map(|id| match self.kind(id) {
                ExprKind::Quantified(_, variables, _) => Some(variables),
                _ => None,
            })
            .flat_map(|variables| variables.iter().map(|it| it.0))
            .collect();
        let mut names = self.names(expression);
        names.retain(|(name, _)| !bound.contains(name));
        names
    }
}

impl Binary {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Binary::Implies => "=>",
            Binary::Or => "or",
            Binary::And => "and",
            Binary::Equal => "==",
            Binary::NotEqual => "!=",
            Binary::Less => "<",
            Binary::LessEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterEqual => ">=",
            Binary::Member => "in",
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Concat => "++",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::IntegerDivide => "div",
            Binary::Modulo => "mod",
        }
    }
}
