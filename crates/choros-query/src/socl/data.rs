//! What formulas say about data: places, and comparisons between variables of the model, correlation variables and
//! literals.

use choros_base::{Name, Names, Span};

use super::formula::{Formula, NodeKind, Variable};
use super::print::literal;

/// What is so in a state of a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StateFormula {
    /// `at NAME`: the run is at a node with this name.
    At(Name),
    /// `balance >= 0`.
    Compare(Comparison),
    /// `knows(bank, id)`: the role knows a variable of the model, or a variable with this value.
    Knows(Name, Operand),
}

/// `left op right`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    pub op: ComparisonOp,
    pub left: Expression,
    pub right: Expression,
    /// Where it is written.
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparisonOp {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// A sum of products.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    pub summands: Vec<Summand>,
}

/// A product, which is added or subtracted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summand {
    pub negative: bool,
    pub factors: Vec<Operand>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// A number, a variable of the model, or a value of an enumeration.
    Word(Name),
    /// A text in quotes.
    Quoted(Name),
    /// `$v`.
    Variable(Variable),
    /// `$v.id`: a field of its value, or a field of that.
    Part(Variable, Name),
}

impl ComparisonOp {
    pub fn sign(self) -> &'static str {
        match self {
            ComparisonOp::Equal => "==",
            ComparisonOp::NotEqual => "!=",
            ComparisonOp::Less => "<",
            ComparisonOp::LessEqual => "<=",
            ComparisonOp::Greater => ">",
            ComparisonOp::GreaterEqual => ">=",
        }
    }
}

impl Comparison {
    /// The correlation variables that it reads.
    pub fn uses(&self) -> Vec<Variable> {
        let sides = [&self.left, &self.right];
        let operands = sides.into_iter().flat_map(|side| {
            let summands = side.summands.iter();
            summands.flat_map(|summand| summand.factors.iter())
        });
        let uses = operands.filter_map(|operand| match operand {
            Operand::Variable(variable) | Operand::Part(variable, _) => Some(*variable),
            _ => None,
        });
        uses.collect()
    }

    pub(crate) fn print(
        &self,
        names: &Names,
        variable: &dyn Fn(Variable) -> String,
        out: &mut String,
    ) {
        self.left.print(names, variable, out);
        out.push_str(&format!(" {} ", self.op.sign()));
        self.right.print(names, variable, out);
    }
}

impl Operand {
    fn print(self, names: &Names, variable: &dyn Fn(Variable) -> String) -> String {
        match self {
            Operand::Word(word) => names.text(word).to_owned(),
            Operand::Quoted(text) => format!("\"{}\"", names.text(text)),
            Operand::Variable(it) => variable(it),
            Operand::Part(it, path) => format!("{}.{}", variable(it), names.text(path)),
        }
    }
}

impl Expression {
    fn print(&self, names: &Names, variable: &dyn Fn(Variable) -> String, out: &mut String) {
        for (index, summand) in self.summands.iter().enumerate() {
            out.push_str(match (index, summand.negative) {
                (0, false) => "",
                (0, true) => "- ",
                (_, false) => " + ",
                (_, true) => " - ",
            });
            let factors: Vec<String> = summand
                .factors
                .iter()
                .map(|factor| factor.print(names, variable))
                .collect();
            out.push_str(&factors.join(" * "));
        }
    }
}

impl StateFormula {
    pub(crate) fn print(
        &self,
        names: &Names,
        variable: &dyn Fn(Variable) -> String,
        out: &mut String,
    ) {
        match self {
            StateFormula::At(name) => {
                out.push_str("at ");
                out.push_str(&literal(names.text(*name)));
            }
            StateFormula::Compare(comparison) => comparison.print(names, variable, out),
            StateFormula::Knows(role, what) => {
                let what = what.print(names, variable);
                out.push_str(&format!("knows({}, {what})", literal(names.text(*role))));
            }
        }
    }
}

impl Formula {
    /// Whether some of it asks what roles know.
    pub fn asks_who_knows(&self) -> bool {
        self.nodes().any(|(_, node)| {
            matches!(&node.kind, NodeKind::State(state) if matches!(**state, StateFormula::Knows(..)))
        })
    }

    /// The first place where it speaks of data, which only graphs have.
    pub fn about_data(&self) -> Option<Span> {
        self.nodes().find_map(|(_, node)| match &node.kind {
            NodeKind::State(_) => Some(node.span),
            NodeKind::Proposition(atom) if atom.is_about_data() => Some(node.span),
            kind => {
                let steps = match kind {
                    NodeKind::Until(until) => Some(&until.steps),
                    _ => None,
                };
                let actions = kind.binding_actions().into_iter().chain(steps);
                let mut atoms = actions.flat_map(|it| it.atoms());
                atoms.find(|it| it.is_about_data()).map(|it| it.span)
            }
        })
    }
}
