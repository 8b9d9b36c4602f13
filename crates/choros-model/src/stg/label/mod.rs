//! The text of an edge: `[guard] event / updates`, as SChorA, DOT files and `.stg` files write it.
//!
//! Reading has three steps, because the sort of a variable shows only when a whole file is known:
//! [`parse_label`] reads the text, [`LabelSyntax::declare`] and then [`LabelSyntax::check`] tell a sort inference
//! about all labels of the file, [`LabelSyntax::build`] makes terms of it.
//!
//! ```text
//! label   = [ "[" expression "]" ] event [ "/" update { ";" update } ]
//! event   = "tau" [ "." chosen ] | "skip" | "tick" [ "of" name ] | "raise" name | disturbance | message
//! disturbance = ("lost" | "doubled" | "overtaking") name "[" name "," name "]" | "crash" "of" name [ "noticed" "by" name ]
//! chosen  = bound | "(" bound { "," bound } ")"
//! message = name "[" name "," name "]" [ "#" name ] [ ("." | "!" | "?") [ datum ] ]
//! datum   = bound | operand | "(" [ field { "," field } ] ")"
//! field   = [ name "=" ] ( bound | expression )
//! bound   = "<" variable ">"
//! update  = variable ":=" expression
//! name    = identifier | digits | string
//! ```

mod build;
mod parse;

use choros_base::{Name, Span};
use choros_data::Term;
use choros_data::syntax::Expression;

use super::{Direction, Disturbance, Event, Update};

pub use crate::diagnostics::self_message::diagnostic as self_message;
pub use build::MessageSorts;
pub(crate) use build::{GUARDS, build_guard};
pub use parse::{parse_event, parse_guard, parse_label};

/// A label as it is written.
#[derive(Debug, Clone)]
pub struct LabelSyntax {
    /// The guard, where there is one.
    pub guard: Option<Expression>,
    pub event: EventSyntax,
    pub updates: Vec<UpdateSyntax>,
    /// Where all of it stands.
    pub span: Span,
}

/// An event as it is written.
#[derive(Debug, Clone)]
pub enum EventSyntax {
    /// `tau`, or `skip`, which on an edge does nothing that anyone sees.
    Silent,
    /// `tau.<x>`: something unseen gives variables new values.
    Choose(Vec<(Name, Span)>),
    /// `tick`.
    Tick,
    /// `tick of order`: the role, and where it stands.
    TickOf(Name, Span),
    /// `raise fault`.
    Raise(Name),
    /// `lost m[a,b]`, `crash of a`, `crash of a noticed by b`.
    Disturbance(Disturbance),
    Message(MessageSyntax),
}

/// A message as it is written.
#[derive(Debug, Clone)]
pub struct MessageSyntax {
    /// What is invoked, and where that stands.
    pub operation: (Name, Span),
    /// Sender.
    pub from: (Name, Span),
    /// Receiver.
    pub to: (Name, Span),
    /// Whose view it is.
    pub direction: Direction,
    /// The fault it carries.
    pub fault: Option<Name>,
    /// Its data.
    pub fields: Vec<FieldSyntax>,
    /// Where all of it stands.
    pub span: Span,
}

/// A field as it is written.
#[derive(Debug, Clone)]
pub struct FieldSyntax {
    pub label: Option<Name>,
    /// What it carries.
    pub value: FieldValueSyntax,
    /// Where it stands.
    pub span: Span,
}

/// What a field carries, as it is written.
#[derive(Debug, Clone, Copy)]
pub enum FieldValueSyntax {
    /// `<x>`.
    Bind(Name),
    /// An expression.
    Free(Expression),
}

/// `variable := expression`.
#[derive(Debug, Clone)]
pub struct UpdateSyntax {
    /// What is assigned, and where that stands.
    pub variable: (Name, Span),
    /// The expression whose value it gets.
    pub value: Expression,
}

/// What `?x` means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receptions {
    /// SChorA: the same as `?<x>`; `?((x))` accepts just the value of `x`.
    Bind,
    /// What is written: accept just the value of `x`.
    AsWritten,
}

/// A label with its terms.
#[derive(Debug, Clone)]
pub struct Label {
    /// When the edge may fire; not closed yet, [`super::StgBuilder::edge`] does that.
    pub guard: Term,
    /// What it does.
    pub event: Event,
    /// Assignments carried out after the event, in order.
    pub updates: Vec<Update>,
}
