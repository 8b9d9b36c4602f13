//! SocL formulas: definitions 2.6, 2.10, 2.11 and 2.13 of Fantechi, Gnesi, Lapadula, Mazzanti, Pugliese, Tiezzi,
//! "A Logical Verification Methodology for Service-Oriented Computing".
//!
//! Derived operators are kept as they were written, so that explanations speak the language of the question.

use choros_base::{Name, Names, Span};

use super::data::{Comparison, Operand, StateFormula};

/// A closed formula: every variable is bound, or the formula is about all its values.
#[derive(Debug, Clone)]
pub struct Formula {
    /// Parts before wholes.
    pub(crate) nodes: Vec<Node>,
    pub(crate) root: NodeId,
    /// The spelling of each variable.
    pub(crate) variables: Vec<Name>,
    /// Variables that are free in the whole: it is to hold for each of their values.
    pub(crate) for_all: Vec<Variable>,
    /// Whether some of it was written as sentences.
    pub(crate) has_sentences: bool,
    /// Parts that only forbid something, which need not happen.
    pub(crate) forbidding: Vec<NodeId>,
}

/// A sub-formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A correlation variable; each binder has its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

choros_base::indices!(NodeId, Variable);

/// A sub-formula and what is known of it.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it says.
    pub kind: NodeKind,
    /// Where it is written.
    pub span: Span,
    /// Its free variables, sorted.
    pub free: Vec<Variable>,
}

/// What a sub-formula says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeKind {
    /// `true` or `false`.
    Constant(bool),
    /// A proposition of the state.
    Proposition(Atom),
    /// Where the run is, or what its data are.
    State(Box<StateFormula>),
    /// `not φ`.
    Not(NodeId),
    /// `φ and φ' and …`.
    And(Vec<NodeId>),
    /// `φ or φ' or …`.
    Or(Vec<NodeId>),
    /// `φ implies φ'`.
    Implies(NodeId, NodeId),
    /// `EX {γ} φ`, `AX {γ} φ`.
    Next(Quantifier, Actions, NodeId),
    /// `<γ> φ`, which is `EX {γ} φ`.
    Diamond(Actions, NodeId),
    /// `[γ] φ`, which is `not EX {γ} not φ`.
    Box(Actions, NodeId),
    /// `AG φ`, `EG φ`.
    Always(Quantifier, NodeId),
    /// `EF φ`, `EF {γ} φ`, and with `A`.
    Eventually(Quantifier, Option<Actions>, NodeId),
    /// `E[φ {χ} U {γ} φ']`, and with `A` and `W`.
    Until(Box<Until>),
}

/// `φ {χ} U {γ} φ'` or `φ {χ} W {γ} φ'` on some or all paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Until {
    /// On some or all paths.
    pub quantifier: Quantifier,
    /// What holds until then.
    pub left: NodeId,
    /// Which steps lead there.
    pub steps: Actions,
    /// Whether it may never come: `W`.
    pub weak: bool,
    /// The last step; without it the right side is to hold in a state reached by `steps`.
    pub last: Option<Actions>,
    /// What holds in the end.
    pub right: NodeId,
}

/// Paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `E`.
    Some,
    /// `A`.
    All,
}

/// An action formula: `γ`, or `χ` where it has no binders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actions {
    /// `tt` or `ff`.
    Constant(bool),
    /// `tau`: no action at all.
    Silent,
    /// An action.
    Atom(Atom),
    /// `not χ`.
    Not(Box<Actions>),
    /// `χ and χ' and …`.
    And(Vec<Actions>),
    /// `χ or χ' or …`.
    Or(Vec<Actions>),
}

/// `t(i,c)`: an action or a proposition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atom {
    /// Its type.
    pub kind: Name,
    /// Interaction and correlation data.
    pub arguments: Vec<Argument>,
    /// The names of fields before arguments; empty if none is named. Engines get actions without names.
    pub labels: Vec<Option<Name>>,
    /// What its data must be: `where …`.
    pub conditions: Vec<Comparison>,
    /// Where it is written.
    pub span: Span,
    /// Where its type is written.
    pub name_span: Span,
}

/// A part of an action or proposition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Argument {
    /// A literal.
    Value(Name),
    /// A variable that has a value here.
    Use(Variable),
    /// A field of the value of a variable: `$v.id`.
    Part(Variable, Name),
    /// A variable that gets its value here.
    Binder(Variable),
    /// `*`: anything.
    Any,
}

impl Formula {
    /// The whole formula.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// A sub-formula.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// All sub-formulas, parts before wholes.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes
            .iter()
            .enumerate()
            .map(|(index, node)| (NodeId(index as u32), node))
    }

    /// How a variable is spelt, without `$`.
    pub fn variable<'n>(&self, variable: Variable, names: &'n Names) -> &'n str {
        names.text(self.variables[variable.index()])
    }

    /// Where it is written.
    pub fn span(&self) -> Span {
        self.node(self.root).span
    }

    /// Variables that are free in the whole: it is to hold for each of their values.
    pub fn for_all(&self) -> &[Variable] {
        &self.for_all
    }

    /// Whether some of it was written as sentences, so that its text in SocL is worth showing.
    pub fn has_sentences(&self) -> bool {
        self.has_sentences
    }
}

impl Atom {
    /// Whether it speaks of data as only graphs have them.
    pub(crate) fn is_about_data(&self) -> bool {
        let mut arguments = self.arguments.iter();
        !self.conditions.is_empty() || arguments.any(|it| matches!(it, Argument::Part(..)))
    }

    /// Whether its own condition reads a variable.
    pub(crate) fn reads(&self, variable: Variable) -> bool {
        let mut conditions = self.conditions.iter();
        conditions.any(|it| it.uses().contains(&variable))
    }
}

impl NodeKind {
    /// The direct parts.
    pub fn parts(&self) -> Vec<NodeId> {
        match self {
            NodeKind::Constant(_) | NodeKind::Proposition(_) | NodeKind::State(_) => Vec::new(),
            NodeKind::Not(part)
            | NodeKind::Next(_, _, part)
            | NodeKind::Diamond(_, part)
            | NodeKind::Box(_, part)
            | NodeKind::Always(_, part)
            | NodeKind::Eventually(_, _, part) => vec![*part],
            NodeKind::And(parts) | NodeKind::Or(parts) => parts.clone(),
            NodeKind::Implies(left, right) => vec![*left, *right],
            NodeKind::Until(until) => vec![until.left, until.right],
        }
    }

    /// The action formula whose binders reach into the last part, if there is one.
    pub fn binding_actions(&self) -> Option<&Actions> {
        match self {
            NodeKind::Next(_, actions, _)
            | NodeKind::Diamond(actions, _)
            | NodeKind::Box(actions, _) => Some(actions),
            NodeKind::Eventually(_, actions, _) => actions.as_ref(),
            NodeKind::Until(until) => until.last.as_ref(),
            _ => None,
        }
    }
}

impl Actions {
    /// The actions in it.
    pub fn atoms(&self) -> Vec<&Atom> {
        let mut found = Vec::new();
        let mut pending = vec![self];
        while let Some(actions) = pending.pop() {
            match actions {
                Actions::Constant(_) | Actions::Silent => {}
                Actions::Atom(atom) => found.push(atom),
                Actions::Not(inner) => pending.push(inner),
                Actions::And(parts) | Actions::Or(parts) => pending.extend(parts.iter().rev()),
            }
        }
        found
    }

    /// The variables that get values here.
    pub fn binders(&self) -> Vec<Variable> {
        self.variables(|argument| match argument {
            Argument::Binder(variable) => Some(variable),
            _ => None,
        })
    }

    /// The variables whose values are needed here.
    pub fn uses(&self) -> Vec<Variable> {
        let mut uses = self.variables(|argument| match argument {
            Argument::Use(variable) | Argument::Part(variable, _) => Some(variable),
            _ => None,
        });
        let binders = self.binders();
        let conditions = self.atoms().into_iter().flat_map(|atom| &atom.conditions);
        let read = conditions.flat_map(Comparison::uses);
        uses.extend(read.filter(|it| !binders.contains(it)));
        uses
    }

    fn variables(&self, pick: impl Fn(Argument) -> Option<Variable>) -> Vec<Variable> {
        self.atoms()
            .into_iter()
            .flat_map(|atom| atom.arguments.iter())
            .filter_map(|&argument| pick(argument))
            .collect()
    }
}

/// The free variables of a node whose parts are known.
pub(crate) fn free_variables(kind: &NodeKind, nodes: &[Node]) -> Vec<Variable> {
    let of = |id: &NodeId| nodes[id.index()].free.iter().copied();
    let mut free: Vec<Variable> = Vec::new();
    match kind {
        NodeKind::Constant(_) => {}
        NodeKind::Proposition(atom) => free = Actions::Atom(atom.clone()).uses(),
        NodeKind::State(state) => match &**state {
            StateFormula::Compare(comparison) => free = comparison.uses(),
            StateFormula::Knows(_, Operand::Variable(variable) | Operand::Part(variable, _)) => {
                free.push(*variable);
            }
            StateFormula::Knows(..) | StateFormula::At(_) => {}
        },
        NodeKind::Not(part) | NodeKind::Always(_, part) => free.extend(of(part)),
        NodeKind::And(parts) | NodeKind::Or(parts) => free.extend(parts.iter().flat_map(of)),
        NodeKind::Implies(left, right) => free.extend(of(left).chain(of(right))),
        NodeKind::Next(_, actions, part)
        | NodeKind::Diamond(actions, part)
        | NodeKind::Box(actions, part)
        | NodeKind::Eventually(_, Some(actions), part) => {
            let bound = actions.binders();
            free.extend(of(part).filter(|variable| !bound.contains(variable)));
            free.extend(actions.uses());
        }
        NodeKind::Eventually(_, None, part) => free.extend(of(part)),
        NodeKind::Until(until) => {
            let bound = until.last.as_ref().map_or(Vec::new(), Actions::binders);
            free.extend(of(&until.right).filter(|variable| !bound.contains(variable)));
            free.extend(of(&until.left));
            free.extend(until.steps.uses());
            free.extend(until.last.iter().flat_map(Actions::uses));
        }
    }
    free.sort_unstable();
    free.dedup();
    free
}
