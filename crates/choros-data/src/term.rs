//! The store of hash-consed typed terms.
//!
//! A [`Term`] is a `u32`; equal terms have equal ids, so comparing, hashing and caching cost nothing.
//! Arguments always have smaller ids than the term that uses them.
//! Every traversal relies on that: it lists the reachable ids with an explicit stack and then works in ascending
//! order, so that no input, however deep, can exhaust the call stack.

use choros_base::{Name, Names};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

use crate::{Notation, Sort, SortKind, Value};

/// A term, valid in the [`Terms`] store that made it.
///
/// Ids depend on the order of construction; they are no order to print by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Term(pub(crate) u32);

/// A variable: a name with a sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Var(pub(crate) u32);

/// Operators. Where one serves several sorts, the sort of the first argument decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// Negation.
    Not,
    /// Conjunction of two or more.
    And,
    /// Disjunction of two or more.
    Or,
    /// Implication.
    Implies,
    /// `if condition then a else b`.
    If,
    /// Equality on any sort.
    Equal,
    /// Its negation.
    NotEqual,
    /// Order on numbers.
    Less,
    /// Order on numbers.
    LessEqual,
    /// Order on numbers.
    Greater,
    /// Order on numbers.
    GreaterEqual,
    /// Sum of two or more numbers of one sort.
    Add,
    /// Difference of two.
    Subtract,
    /// Product of two or more.
    Multiply,
    /// Exact division on Real; undefined for a zero divisor.
    Divide,
    /// Euclidean quotient on Int (the remainder is never negative); undefined for a zero divisor.
    IntegerDivide,
    /// Euclidean remainder on Int; undefined for a zero divisor.
    Modulo,
    /// Arithmetic negation.
    Negate,
    /// Length of a string (in characters) or list.
    Length,
    /// Concatenation of two or more strings or lists.
    Concat,
    /// Whether the first string is a prefix of the second.
    Prefix,
    /// Whether the first string contains the second.
    Contains,
    /// Whether the first string is one of the regular expression that the second, a constant, writes
    /// ([`RegularExpression`](crate::RegularExpression)). Schemas say so; no language of ours has a notation for it.
    Matches,
    /// Whether the first is an element of the second, a list.
    Member,
    /// Element of a list at a position from 0; undefined outside.
    Index,
    /// Field of a record by position.
    Field(u32),
    /// A record from its fields, in the order of the sort.
    MakeRecord,
    /// A list from its elements.
    MakeList,
}

impl Op {
    /// The comparison that holds just when this one does not.
    pub fn opposite(self) -> Option<Op> {
        Some(match self {
            Op::Equal => Op::NotEqual,
            Op::NotEqual => Op::Equal,
            Op::Less => Op::GreaterEqual,
            Op::LessEqual => Op::Greater,
            Op::Greater => Op::LessEqual,
            Op::GreaterEqual => Op::Less,
            _ => return None,
        })
    }

    /// The comparison that says the same with its sides exchanged; other operators are their own.
    pub fn mirrored(self) -> Op {
        match self {
            Op::Less => Op::Greater,
            Op::LessEqual => Op::GreaterEqual,
            Op::Greater => Op::Less,
            Op::GreaterEqual => Op::LessEqual,
            same => same,
        }
    }
}

/// For all, or for some.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// For all values.
    Forall,
    /// For some value.
    Exists,
}

/// What a term is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TermKind<'a> {
    /// A value.
    Constant(&'a Value),
    Variable(Var),
    /// An operator on arguments.
    Apply(Op, &'a [Term]),
    /// A quantified formula: the bound variables (as variable terms) and the body.
    Quantified(Quantifier, &'a [Term], Term),
}

/// The store: names, sorts, values, variables and terms of one run.
#[derive(Debug, Clone)]
pub struct Terms {
    /// Interned identifiers, also those of operations and roles.
    pub names: Names,
    /// How messages are written for people.
    pub notation: Notation,
    pub(crate) sorts: Vec<SortKind>,
    pub(crate) sort_ids: FxHashMap<SortKind, Sort>,
    pub(crate) constructors: FxHashMap<Name, (Sort, u32)>,
    values: Vec<Value>,
    value_ids: FxHashMap<Value, u32>,
    variables: Vec<(Name, Sort)>,
    variable_ids: FxHashMap<(Name, Sort), Var>,
    nodes: Vec<Node>,
    arguments: Vec<Term>,
    table: HashTable<Term>,
    pub(crate) simplified: FxHashMap<Term, Term>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Head {
    Constant(u32),
    Variable(Var),
    Apply(Op),
    Quantified(Quantifier),
}

#[derive(Debug, Clone, Copy)]
struct Node {
    head: Head,
    sort: Sort,
    first: u32,
    count: u32,
    /// Contains an operation that may be undefined.
    partial: bool,
    /// Contains a variable, free or bound.
    open: bool,
    /// Contains a quantifier.
    quantified: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    /// A store with the built-in sorts and the truth values.
    pub fn new() -> Self {
        let mut terms = Terms {
            names: Names::new(),
            notation: Notation::default(),
            sorts: Vec::new(),
            sort_ids: FxHashMap::default(),
            constructors: FxHashMap::default(),
            values: Vec::new(),
            value_ids: FxHashMap::default(),
            variables: Vec::new(),
            variable_ids: FxHashMap::default(),
            nodes: Vec::new(),
            arguments: Vec::new(),
            table: HashTable::new(),
            simplified: FxHashMap::default(),
        };
        let symbol = terms.names.intern("Symbol");
        for (kind, expected) in [
            (SortKind::Bool, Sort::BOOL),
            (SortKind::Int, Sort::INT),
            (SortKind::Real, Sort::REAL),
            (SortKind::String, Sort::STRING),
            (SortKind::Uninterpreted(symbol), Sort::SYMBOL),
        ] {
            let sort = terms.sort(kind);
            debug_assert_eq!(sort, expected);
        }
        let falsehood = terms.constant(Value::Bool(false));
        let truth = terms.constant(Value::Bool(true));
        debug_assert_eq!((falsehood, truth), (Term::FALSE, Term::TRUE));
        terms
    }

    /// What a term is made of.
    pub fn kind(&self, term: Term) -> TermKind<'_> {
        let node = self.nodes[term.index()];
        let arguments = self.arguments_of(node);
        match node.head {
            Head::Constant(value) => TermKind::Constant(&self.values[value as usize]),
            Head::Variable(variable) => TermKind::Variable(variable),
            Head::Apply(op) => TermKind::Apply(op, arguments),
            Head::Quantified(quantifier) => match arguments.split_last() {
                Some((&body, bound)) => TermKind::Quantified(quantifier, bound, body),
                None => unreachable!("a quantified term has a body"),
            },
        }
    }

    /// The arguments of a term; for a quantified one the bound variables, then the body.
    pub fn arguments(&self, term: Term) -> &[Term] {
        self.arguments_of(self.nodes[term.index()])
    }

    /// The sort of a term.
    pub fn sort_of(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }

    /// Whether some operation in it may be undefined.
    pub fn is_partial(&self, term: Term) -> bool {
        self.nodes[term.index()].partial
    }

    /// Whether a variable occurs in it, free or bound.
    pub fn has_variables(&self, term: Term) -> bool {
        self.nodes[term.index()].open
    }

    /// Whether a quantifier occurs in it.
    pub fn is_quantified(&self, term: Term) -> bool {
        self.nodes[term.index()].quantified
    }

    /// The value, if the term is a constant.
    pub fn value(&self, term: Term) -> Option<&Value> {
        match self.kind(term) {
            TermKind::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The variable, if the term is one.
    pub fn as_variable(&self, term: Term) -> Option<Var> {
        match self.kind(term) {
            TermKind::Variable(variable) => Some(variable),
            _ => None,
        }
    }

    /// How many terms the store holds.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: a store always holds the truth values.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The constant of a value.
    pub fn constant(&mut self, value: Value) -> Term {
        let sort = value.sort();
        let id = match self.value_ids.get(&value) {
            Some(&id) => id,
            None => {
                let id = self.values.len() as u32;
                self.values.push(value.clone());
                self.value_ids.insert(value, id);
                id
            }
        };
        self.node(Head::Constant(id), sort, &[])
    }

    /// The variable of a name and sort.
    pub fn variable(&mut self, name: Name, sort: Sort) -> Var {
        if let Some(&variable) = self.variable_ids.get(&(name, sort)) {
            return variable;
        }
        let variable = Var(self.variables.len() as u32);
        self.variables.push((name, sort));
        self.variable_ids.insert((name, sort), variable);
        variable
    }

    /// A variable that occurs nowhere yet, with a name like that of `like`.
    pub fn fresh_variable(&mut self, like: Var) -> Var {
        let (name, sort) = self.variables[like.index()];
        let stem = self.names.text(name).to_owned();
        let name = self.names.fresh(&stem);
        self.variable(name, sort)
    }

    /// The term of a variable.
    pub fn var(&mut self, variable: Var) -> Term {
        let sort = self.variable_sort(variable);
        self.node(Head::Variable(variable), sort, &[])
    }

    pub fn variable_name(&self, variable: Var) -> Name {
        self.variables[variable.index()].0
    }

    /// The text of a variable's name.
    pub fn variable_text(&self, variable: Var) -> &str {
        self.names.text(self.variable_name(variable))
    }

    pub fn variable_sort(&self, variable: Var) -> Sort {
        self.variables[variable.index()].1
    }

    /// An application whose sorts the caller has checked; `crate::build` has the checked constructors.
    pub(crate) fn apply(&mut self, op: Op, sort: Sort, arguments: &[Term]) -> Term {
        self.node(Head::Apply(op), sort, arguments)
    }

    pub(crate) fn quantified(&mut self, quantifier: Quantifier, bound_and_body: &[Term]) -> Term {
        self.node(Head::Quantified(quantifier), Sort::BOOL, bound_and_body)
    }

    fn arguments_of(&self, node: Node) -> &[Term] {
        &self.arguments[node.first as usize..(node.first + node.count) as usize]
    }

    fn node(&mut self, head: Head, sort: Sort, arguments: &[Term]) -> Term {
        let hash = hash_node(head, sort, arguments);
        let found = self.table.find(hash, |&candidate| {
            let node = self.nodes[candidate.index()];
            node.head == head && node.sort == sort && self.arguments_of(node) == arguments
        });
        if let Some(&term) = found {
            return term;
        }
        let term = Term(self.nodes.len() as u32);
        let any = |property: fn(&Node) -> bool| {
            arguments
                .iter()
                .any(|argument| property(&self.nodes[argument.index()]))
        };
        let node = Node {
            head,
            sort,
            first: self.arguments.len() as u32,
            count: arguments.len() as u32,
            partial: any(|node| node.partial)
                || matches!(
                    head,
                    Head::Apply(Op::Divide | Op::IntegerDivide | Op::Modulo | Op::Index)
                ),
            open: any(|node| node.open) || matches!(head, Head::Variable(_)),
            quantified: any(|node| node.quantified) || matches!(head, Head::Quantified(_)),
        };
        self.nodes.push(node);
        self.arguments.extend_from_slice(arguments);
        let (nodes, all) = (&self.nodes, &self.arguments);
        self.table.insert_unique(hash, term, |&term| {
            let node = nodes[term.index()];
            let arguments = &all[node.first as usize..(node.first + node.count) as usize];
            hash_node(node.head, node.sort, arguments)
        });
        term
    }
}

impl Term {
    /// The constant *false*.
    pub const FALSE: Term = Term(0);
    /// The constant *true*.
    pub const TRUE: Term = Term(1);
}

choros_base::indices!(Term, Var);

fn hash_node(head: Head, sort: Sort, arguments: &[Term]) -> u64 {
    let mut hasher = FxHasher::default();
    head.hash(&mut hasher);
    sort.hash(&mut hasher);
    arguments.hash(&mut hasher);
    hasher.finish()
}
