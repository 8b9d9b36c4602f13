//! A purpose or a file of contracts as it is written, statement by statement.

use choros_base::{Name, Span};
use choros_data::syntax::{Expression, Exprs, SortExprId};
use choros_model::stg::Direction;

/// The statements of a file, with the expressions in them.
#[derive(Debug, Clone, Default)]
pub struct PurposeSyntax {
    /// Everything in its order, comments and empty lines included.
    pub lines: Vec<Line>,
    /// The expressions.
    pub exprs: Exprs,
}

/// One statement, or none, and the comment after it.
#[derive(Debug, Clone)]
pub struct Line {
    /// What it says.
    pub statement: Option<Statement>,
    /// The comment, with its slashes; empty where there is none.
    pub comment: String,
    /// Where it stands.
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum Statement {
    /// `purpose name`.
    Purpose(Word),
    /// `variables n: Int, m: Bool`.
    Variables(Vec<(Word, SortExprId)>),
    /// `initial T0`.
    Initial(Word),
    /// `T0 -> T1: label`; `T0: label` where source and target are one.
    Edge {
        /// Where it starts.
        source: Word,
        /// Where it leads, unless it stays.
        target: Option<Word>,
        /// What it waits for and does.
        label: PurposeLabel,
    },
    /// `contract BK.approve: formula over in and out`.
    Contract(ContractSyntax),
}

/// A name and its place.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// `[guard] trigger / updates`.
#[derive(Debug, Clone)]
pub struct PurposeLabel {
    /// When.
    pub guard: Option<Expression>,
    /// What it waits for.
    pub trigger: TriggerSyntax,
    /// What it writes.
    pub updates: Vec<(Word, Expression)>,
    /// Where all of it stands.
    pub span: Span,
}

/// What a transition waits for, as it is written.
#[derive(Debug, Clone)]
pub enum TriggerSyntax {
    /// `*`.
    Any,
    /// `#`.
    Accept,
    /// `tau`.
    Silent,
    /// `tick`.
    Tick,
    /// `end`.
    End,
    /// `raise fault`.
    Raise(Word),
    /// `USER.select?v`.
    Message(TriggerMessage),
}

/// `partner.operation?v`.
#[derive(Debug, Clone)]
pub struct TriggerMessage {
    /// The other end.
    pub partner: Word,
    pub operation: Word,
    /// The orchestrator's view.
    pub direction: Direction,
    /// The fault, after `??` and `!!`.
    pub fault: Option<Word>,
    /// Variables that keep what it carries, with the labels of fields where they are written.
    pub binders: Vec<(Option<Name>, Word)>,
    /// Where all of it stands.
    pub span: Span,
}

/// A contract as it is written.
#[derive(Debug, Clone)]
pub struct ContractSyntax {
    /// Who offers the operation.
    pub partner: Word,
    pub operation: Word,
    /// What relates `in` and `out`.
    pub formula: Expression,
    /// Where all of it stands.
    pub span: Span,
}

impl PurposeSyntax {
    /// The statements in their order.
    pub fn statements(&self) -> impl Iterator<Item = &Statement> {
        self.lines.iter().filter_map(|line| line.statement.as_ref())
    }

    /// The contracts in their order.
    pub fn contracts(&self) -> impl Iterator<Item = &ContractSyntax> {
        self.statements().filter_map(|statement| match statement {
            Statement::Contract(contract) => Some(contract),
            _ => None,
        })
    }
}
