//! Expressions whose names are resolved: what is left are positions in records.

use std::sync::Arc;

use choros_base::Span;
use choros_data::{Op, Sort};
use num_rational::BigRational;

use super::ast::Arithmetic;
use crate::schema::TypeId;
use crate::wsdl::MessageShape;

#[derive(Debug, Clone)]
pub(super) struct Code {
    pub(super) kind: CodeKind,
    pub(super) span: Span,
}

#[derive(Debug, Clone)]
pub(super) enum CodeKind {
    Number(BigRational),
    Text(Arc<str>),
    Nodes(Nodes),
    And(Vec<Code>),
    Or(Vec<Code>),
    Compare(Op, Box<Code>, Box<Code>),
    Arithmetic(Arithmetic, Box<Code>, Box<Code>),
    Negate(Box<Code>),
    Call(Function, Vec<Code>),
}

/// The nodes that a path selects.
#[derive(Debug, Clone)]
pub(super) struct Nodes {
    pub(super) root: Root,
    pub(super) steps: Vec<XpathStep>,
    /// What each of them holds.
    pub(super) holds: NodeType,
    /// Their text, if they have one.
    pub(super) atom: Atom,
    /// A variable of simple type: BPEL makes it a truth value, a number or a text, not a node.
    pub(super) is_scalar: bool,
}

/// Where a path starts.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Root {
    Variable(Arc<str>),
    /// The node that a predicate, or the query of an alias, looks at.
    Context,
}

/// What a node holds.
#[derive(Debug, Clone)]
pub(super) enum NodeType {
    Message(Arc<MessageShape>),
    Type(TypeId),
    /// The text of an element that has attributes too.
    Text,
}

/// One step: to a field of the record, or (without a position) to the node itself.
#[derive(Debug, Clone)]
pub(super) struct XpathStep {
    pub(super) position: Option<usize>,
    /// The field is a list, of at most so many.
    pub(super) list: Option<Option<u32>>,
    pub(super) predicates: Vec<Predicate>,
    pub(super) span: Span,
}

#[derive(Debug, Clone)]
pub(super) enum Predicate {
    /// The node at this position, from 1.
    Position(u64),
    Last,
    /// Those for which it holds.
    Holds(Code),
}

/// The text of a node as a sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Atom {
    /// The node is a Bool, Int, Real or String.
    Itself(Sort),
    /// The node is a record, and its text is at this position.
    Field(usize, Sort),
    /// The node holds elements.
    Nothing,
}

impl Atom {
    pub(super) fn sort(self) -> Option<Sort> {
        match self {
            Atom::Itself(sort) | Atom::Field(_, sort) => Some(sort),
            Atom::Nothing => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    True,
    False,
    Not,
    Boolean,
    Number,
    String,
    Count,
    Sum,
    Position,
    Last,
    Floor,
    Ceiling,
    Round,
    Concat,
    StartsWith,
    Contains,
    SubstringBefore,
    SubstringAfter,
    Substring,
    StringLength,
    NormalizeSpace,
    Translate,
}

impl Function {
    /// All functions with their names and the numbers of arguments they take.
    pub(super) const ALL: [(&'static str, Function, usize, usize); 22] = [
        ("true", Function::True, 0, 0),
        ("false", Function::False, 0, 0),
        ("not", Function::Not, 1, 1),
        ("boolean", Function::Boolean, 1, 1),
        ("number", Function::Number, 0, 1),
        ("string", Function::String, 0, 1),
        ("count", Function::Count, 1, 1),
        ("sum", Function::Sum, 1, 1),
        ("position", Function::Position, 0, 0),
        ("last", Function::Last, 0, 0),
        ("floor", Function::Floor, 1, 1),
        ("ceiling", Function::Ceiling, 1, 1),
        ("round", Function::Round, 1, 1),
        ("concat", Function::Concat, 2, usize::MAX),
        ("starts-with", Function::StartsWith, 2, 2),
        ("contains", Function::Contains, 2, 2),
        ("substring-before", Function::SubstringBefore, 2, 2),
        ("substring-after", Function::SubstringAfter, 2, 2),
        ("substring", Function::Substring, 2, 3),
        ("string-length", Function::StringLength, 0, 1),
        ("normalize-space", Function::NormalizeSpace, 0, 1),
        ("translate", Function::Translate, 3, 3),
    ];

    /// Whether its value is a truth value.
    pub(super) fn is_boolean(self) -> bool {
        matches!(
            self,
            Function::True
                | Function::False
                | Function::Not
                | Function::Boolean
                | Function::StartsWith
                | Function::Contains
        )
    }
}

impl Code {
    /// Whether its value is a truth value, whatever the data.
    pub(super) fn is_boolean(&self) -> bool {
        match &self.kind {
            CodeKind::And(_) | CodeKind::Or(_) | CodeKind::Compare(..) => true,
            CodeKind::Call(function, _) => function.is_boolean(),
            CodeKind::Nodes(nodes) => nodes.is_scalar && nodes.atom.sort() == Some(Sort::BOOL),
            _ => false,
        }
    }

    /// Whether it is a node of sort Bool, where XPath 1.0 would ask whether it is there.
    pub(super) fn is_boolean_node(&self) -> bool {
        matches!(&self.kind, CodeKind::Nodes(nodes)
            if !nodes.is_scalar && nodes.atom.sort() == Some(Sort::BOOL))
    }

    pub(super) fn variables(&self, found: &mut Vec<Arc<str>>) {
        match &self.kind {
            CodeKind::Number(_) | CodeKind::Text(_) => {}
            CodeKind::Nodes(nodes) => {
                if let Root::Variable(name) = &nodes.root {
                    found.push(name.clone());
                }
                for predicate in nodes.steps.iter().flat_map(|step| &step.predicates) {
                    if let Predicate::Holds(code) = predicate {
                        code.variables(found);
                    }
                }
            }
            CodeKind::And(parts) | CodeKind::Or(parts) | CodeKind::Call(_, parts) => {
                for part in parts {
                    part.variables(found);
                }
            }
            CodeKind::Compare(_, left, right) | CodeKind::Arithmetic(_, left, right) => {
                left.variables(found);
                right.variables(found);
            }
            CodeKind::Negate(inner) => inner.variables(found),
        }
    }
}
