//! Programs as they are written.
//!
//! Statements and expressions live in arenas; blocks nest only as deep as the parser allows.

use choros_base::Span;
use choros_data::syntax::{Expression, Exprs, SortExprId};
use choros_model::stg::SessionCount;

use super::saga::Saga;
use super::time::{Timeout, Wait};
use crate::ast::Reference;

/// A whole file.
#[derive(Debug, Default, Clone)]
pub struct Program {
    /// Types, constants, choreographies, roles and systems, in order.
    pub items: Vec<Item>,
    /// The statements of all blocks.
    pub statements: Statements,
    /// The expressions and sorts in them.
    pub exprs: Exprs,
    /// The comments, in order.
    pub comments: Vec<Comment>,
}

/// A comment, with its signs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// `// …` without the end of the line, or `/* … */`.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Whether only white space stands before it on its line.
    pub alone: bool,
}

/// A declaration.
#[derive(Debug, Clone)]
pub enum Item {
    /// `type Card` or `type Status = OK | KO`.
    Type(TypeItem),
    /// `const limit: Int = 5`.
    Constant(ConstantItem),
    /// `choreography Shop[buyer, vendor](limit: Int) { … }`.
    Choreography(Choreography),
    /// `role buyer { … }`.
    Role(RoleItem),
    /// `system Impl = buyer || vendor hiding Note`.
    System(System),
    /// `sessions 3 of Checkout by id`.
    Sessions(SessionsItem),
}

#[derive(Debug, Clone)]
pub struct TypeItem {
    pub name: Reference,
    /// Its values; none if any value is one.
    pub constructors: Vec<Reference>,
    /// Where all of it stands.
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct ConstantItem {
    pub name: Reference,
    pub sort: SortExprId,
    pub value: Expression,
    /// Where all of it stands.
    pub span: Span,
}

/// What all roles do together.
#[derive(Debug, Clone)]
pub struct Choreography {
    pub name: Reference,
    pub roles: Vec<Reference>,
    /// Those of them that are declared as services (`service payment`): they may wait for the next conversation.
    pub services: Vec<Reference>,
    /// Whether the list of roles is there; that it is missing has been reported.
    pub lists_roles: bool,
    pub parameters: Vec<Parameter>,
    /// What happens.
    pub body: Block,
    /// Where all of it stands.
    pub span: Span,
}

/// What one role does.
#[derive(Debug, Clone)]
pub struct RoleItem {
    /// The name of this description.
    pub name: Reference,
    /// The role that it plays, where that is not its name.
    pub plays: Option<Reference>,
    /// The roles that it talks to, where they are listed.
    pub partners: Option<Vec<Reference>>,
    pub parameters: Vec<Parameter>,
    /// What it does.
    pub body: Block,
    /// Where all of it stands.
    pub span: Span,
}

/// Roles put together.
#[derive(Debug, Clone)]
pub struct System {
    pub name: Reference,
    /// What it is made of.
    pub parts: Vec<Reference>,
    /// The operations that no one outside sees.
    pub hiding: Vec<Reference>,
    /// Where all of it stands.
    pub span: Span,
}

/// Several runs of one conversation at the same time.
#[derive(Debug, Clone)]
pub struct SessionsItem {
    /// What all of them are called, `Checkout_3`; it is not written anywhere.
    pub name: Reference,
    pub count: SessionCount,
    /// What each of them does.
    pub of: Reference,
    /// The field that says which one a message belongs to.
    pub by: Option<Reference>,
    /// Whether no two have the same value there.
    pub distinct: bool,
    /// The variables that all of them read and write.
    pub sharing: Vec<Reference>,
    /// Whether messages of different sessions never wait in one queue.
    pub own_queues: bool,
    /// Where all of it stands.
    pub span: Span,
}

/// `limit: Int`
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    pub name: Reference,
    pub sort: SortExprId,
}

/// `{ … }`
#[derive(Debug, Clone)]
pub struct Block {
    /// What happens, one after the other.
    pub statements: Vec<StatementId>,
    /// From brace to brace.
    pub span: Span,
}

/// Index of a statement in its arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId(u32);

choros_base::indices!(StatementId);

/// An arena of statements.
#[derive(Debug, Default, Clone)]
pub struct Statements {
    nodes: Vec<Statement>,
}

#[derive(Debug, Clone)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum StatementKind {
    /// `a -> b: Op(…)`, in roles `-> b: Op(…)` and `<- a: Op(…)`.
    Message(MessageStatement),
    /// `choice at a { … } or { … }`
    Choice(Option<Reference>, Vec<Block>),
    /// `par { … } and { … }`
    Parallel(Vec<Block>),
    /// `try { … } interrupt { … }`, `try { … } interrupt until done { … }`
    Try(Interruption, Vec<Block>),
    /// `when guard { … }`
    When(Expression, Block),
    /// `if guard { … } else if guard { … } else { … }`
    If(Vec<(Expression, Block)>, Option<Block>),
    /// `while guard { … }`
    While(Expression, Block),
    /// `repeat at a { … }`
    Repeat(Option<Reference>, Block),
    /// `loop again_here { … }`
    Loop(Reference, Block),
    /// `again again_here`
    Again(Reference),
    /// `x := value` or `x: Int := value`
    Assign(BoundVariable, Expression),
    /// `do Pay[vendor, bank](card)`
    Do(Call),
    /// `wait 3s`
    Wait(Wait),
    /// `timeout 3s { … } else { … }`
    Timeout(Box<Timeout>),
    /// `saga { step { … } undo { … } … }`
    Saga(Box<Saga>),
    /// `abort`: the steps of the saga that are done are undone.
    Abort,
    /// `try { … } on crash of payment { … }`
    OnCrash(Box<OnCrash>),
    /// `skip`
    Skip,
    /// Something that did not parse and was reported.
    Error,
}

#[derive(Debug, Clone)]
pub struct MessageStatement {
    /// Who sends; `None` when the role that is described does.
    pub from: Option<Reference>,
    /// Who receives; `None` when the role that is described does.
    pub to: Option<Reference>,
    /// What is invoked.
    pub operation: Reference,
    /// Its data.
    pub fields: Vec<Field>,
    /// `once by id`: the fields by which the receiver knows a second copy, which it drops.
    pub once: Vec<Reference>,
}

/// `try { … } on crash of payment at order { … }`
#[derive(Debug, Clone)]
pub struct OnCrash {
    /// What happens as long as no one has noticed a crash.
    pub body: Block,
    /// Who may crash.
    pub crashed: Reference,
    /// Who notices it, where it is named.
    pub at: Option<Reference>,
    /// What happens then.
    pub handler: Block,
}

/// How long an interruption is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// As long as the block has not ended, which may be after its last message.
    UntilEnd,
    /// As long as something of the block is still to come.
    UntilDone,
}

/// A field of a message.
#[derive(Debug, Clone)]
pub struct Field {
    /// The name before `=`.
    pub label: Option<Reference>,
    /// What it carries.
    pub value: FieldValue,
    /// Where it stands.
    pub span: Span,
}

/// What a field carries.
#[derive(Debug, Clone)]
pub enum FieldValue {
    /// `x: Int`, `new x`: a value no one knew before.
    Bind(BoundVariable),
    /// An expression.
    Free(Expression),
}

/// A variable that gets a value.
#[derive(Debug, Clone, Copy)]
pub struct BoundVariable {
    /// `new`: it may have a value already, which is forgotten.
    pub again: bool,
    pub variable: Reference,
    /// Its sort, which may be left out when it is known.
    pub sort: Option<SortExprId>,
}

/// A choreography within a choreography.
#[derive(Debug, Clone)]
pub struct Call {
    /// Which one.
    pub target: Reference,
    /// Who plays its roles.
    pub roles: Vec<Reference>,
    /// The values of its parameters.
    pub arguments: Vec<Expression>,
}

impl Item {
    pub fn name(&self) -> Reference {
        match self {
            Item::Type(item) => item.name,
            Item::Constant(item) => item.name,
            Item::Choreography(item) => item.name,
            Item::Role(item) => item.name,
            Item::System(item) => item.name,
            Item::Sessions(item) => item.name,
        }
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Item::Type(item) => item.span,
            Item::Constant(item) => item.span,
            Item::Choreography(item) => item.span,
            Item::Role(item) => item.span,
            Item::System(item) => item.span,
            Item::Sessions(item) => item.span,
        }
    }

    /// Its block, if it has one.
    pub fn body(&self) -> Option<&Block> {
        match self {
            Item::Choreography(item) => Some(&item.body),
            Item::Role(item) => Some(&item.body),
            Item::Type(_) | Item::Constant(_) | Item::System(_) | Item::Sessions(_) => None,
        }
    }

    pub fn parameters(&self) -> &[Parameter] {
        match self {
            Item::Choreography(item) => &item.parameters,
            Item::Role(item) => &item.parameters,
            Item::Type(_) | Item::Constant(_) | Item::System(_) | Item::Sessions(_) => &[],
        }
    }

    /// Whether it has a graph: a choreography, a role, a system or sessions.
    pub fn is_component(&self) -> bool {
        !matches!(self, Item::Type(_) | Item::Constant(_))
    }
}

impl RoleItem {
    /// The role that it plays.
    pub fn role(&self) -> Reference {
        self.plays.unwrap_or(self.name)
    }
}

impl Statements {
    /// Adds a statement.
    pub fn add(&mut self, kind: StatementKind, span: Span) -> StatementId {
        self.nodes.push(Statement { kind, span });
        StatementId(self.nodes.len() as u32 - 1)
    }

    /// A statement.
    pub fn get(&self, id: StatementId) -> &Statement {
        &self.nodes[id.index()]
    }

    /// All statements of a block and of the blocks within it, in the order of the text.
    pub fn walk(&self, block: &Block) -> impl Iterator<Item = (StatementId, &Statement)> {
        let mut pending: Vec<StatementId> = block.statements.iter().rev().copied().collect();
        std::iter::from_fn(move || {
            let id = pending.pop()?;
            let statement = self.get(id);
            let first = pending.len();
            for block in statement.kind.blocks() {
                pending.extend_from_slice(&block.statements);
            }
            pending[first..].reverse();
            Some((id, statement))
        })
    }
}

impl StatementKind {
    /// The blocks within it, in the order of the text.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            StatementKind::Choice(_, blocks)
            | StatementKind::Parallel(blocks)
            | StatementKind::Try(_, blocks) => blocks.iter().collect(),
            StatementKind::Saga(saga) => saga.blocks().collect(),
            StatementKind::OnCrash(it) => vec![&it.body, &it.handler],
            StatementKind::When(_, block)
            | StatementKind::While(_, block)
            | StatementKind::Repeat(_, block)
            | StatementKind::Loop(_, block) => vec![block],
            StatementKind::If(arms, otherwise) => {
                let arms = arms.iter().map(|(_, block)| block);
                arms.chain(otherwise).collect()
            }
            StatementKind::Timeout(timeout) => timeout.blocks().collect(),
            StatementKind::Message(_)
            | StatementKind::Assign(..)
            | StatementKind::Do(_)
            | StatementKind::Wait(_)
            | StatementKind::Again(_)
            | StatementKind::Abort
            | StatementKind::Skip
            | StatementKind::Error => Vec::new(),
        }
    }

    /// The expressions of the statement itself, without those of its blocks.
    pub fn expressions(&self) -> Vec<Expression> {
        match self {
            StatementKind::Message(message) => message
                .fields
                .iter()
                .filter_map(|field| match field.value {
                    FieldValue::Free(expression) => Some(expression),
                    FieldValue::Bind(_) => None,
                })
                .collect(),
            StatementKind::When(guard, _) | StatementKind::While(guard, _) => vec![*guard],
            StatementKind::If(arms, _) => arms.iter().map(|&(guard, _)| guard).collect(),
            StatementKind::Assign(_, value) => vec![*value],
            StatementKind::Do(call) => call.arguments.clone(),
            _ => Vec::new(),
        }
    }

    /// The variables that the statement itself gives values to.
    pub fn bindings(&self) -> Vec<BoundVariable> {
        match self {
            StatementKind::Message(message) => message
                .fields
                .iter()
                .filter_map(|field| match field.value {
                    FieldValue::Bind(binding) => Some(binding),
                    FieldValue::Free(_) => None,
                })
                .collect(),
            StatementKind::Assign(binding, _) => vec![*binding],
            _ => Vec::new(),
        }
    }
}
