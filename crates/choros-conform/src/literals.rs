//! Comparisons that the models suggest: equalities between variables, the atoms of guards, and counters that differ by
//! an amount or a factor which the models speak of.

use choros_data::{Op, Sort, Term, TermKind, Terms, Value, Var};
use choros_model::stg::Stg;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashSet;

use crate::formula::equality;

/// Equalities between any two of some variables.
pub(crate) fn equalities(variables: &[Var], most: usize, terms: &mut Terms) -> Vec<Term> {
    let mut found = Vec::new();
    for (left, right) in pairs(variables, terms) {
        if found.len() >= most {
            break;
        }
        let (left, right) = (terms.var(left), terms.var(right));
        found.push(equality(terms, left, right));
    }
    found
}

/// Adds the atoms of the graphs' guards and of `condition`, and their negations, that speak of some variables only.
pub(crate) fn add_atoms(
    found: &mut Vec<Term>,
    most: usize,
    graphs: [&Stg; 2],
    condition: Option<Term>,
    about: &[Var],
    terms: &mut Terms,
) {
    let mut seen: FxHashSet<Term> = found.iter().copied().collect();
    for guard in guards(graphs).into_iter().chain(condition) {
        let guard = terms.simplify(guard);
        for atom in terms.postorder([guard]) {
            if !is_atom(terms, atom) || found.len() >= most {
                continue;
            }
            let over = terms.free_variables(atom);
            if over.is_empty() || !over.iter().all(|variable| about.contains(variable)) {
                continue;
            }
            let negation = terms.not(atom);
            for literal in [atom, terms.simplify(negation)] {
                if seen.insert(literal) {
                    found.push(literal);
                }
            }
        }
    }
}

/// Numbers that counters may differ by, and factors between them.
///
/// Two counters that run side by side differ by what they began with, and grow by what is added in each round; all of
/// that stands in the models.
pub(crate) struct Steps {
    amounts: Vec<BigInt>,
    factors: Vec<BigInt>,
}

/// More amounts or factors than this are not tried.
const MAX_STEPS: usize = 6;

impl Steps {
    pub(crate) fn of(graphs: [&Stg; 2], terms: &Terms) -> Steps {
        let mut roots = guards(graphs);
        for graph in graphs {
            for edge in graph.edges() {
                roots.extend(edge.updates.iter().map(|update| update.value));
                roots.extend(edge.event.free_terms());
            }
        }
        let mut constants: Vec<BigInt> = Vec::new();
        for root in roots {
            for term in terms.postorder([root]) {
                if let TermKind::Constant(Value::Int(value)) = terms.kind(term)
                    && !constants.contains(value)
                {
                    constants.push(value.clone());
                }
            }
        }
        let mut steps = Steps {
            amounts: Vec::new(),
            factors: Vec::new(),
        };
        for one in &constants {
            add(&mut steps.amounts, one.abs());
            if one.abs() > BigInt::one() {
                add(&mut steps.factors, one.abs());
            }
        }
        for (position, one) in constants.iter().enumerate() {
            for other in &constants[position + 1..] {
                add(&mut steps.amounts, (one - other).abs());
            }
        }
        steps.amounts.sort();
        steps.factors.sort();
        steps.amounts.truncate(MAX_STEPS);
        steps.factors.truncate(MAX_STEPS);
        steps
    }

    /// `x == y + 1`, `x == 2 * y` and similar ones, for any two of some variables.
    pub(crate) fn relations(&self, variables: &[Var], most: usize, terms: &mut Terms) -> Vec<Term> {
        let mut found = Vec::new();
        for (left, right) in pairs(variables, terms) {
            if terms.variable_sort(left) != Sort::INT {
                continue;
            }
            let (left, right) = (terms.var(left), terms.var(right));
            for (one, other) in [(left, right), (right, left)] {
                for amount in &self.amounts {
                    let amount = terms.constant(Value::Int(amount.clone()));
                    let sum = terms.arithmetic(Op::Add, other, amount);
                    found.push(terms.equal(one, sum));
                }
                for factor in &self.factors {
                    let factor = terms.constant(Value::Int(factor.clone()));
                    let product = terms.arithmetic(Op::Multiply, factor, other);
                    found.push(terms.equal(one, product));
                }
            }
            if found.len() >= most {
                break;
            }
        }
        found.truncate(most);
        found
    }
}

fn add(numbers: &mut Vec<BigInt>, number: BigInt) {
    if !number.is_zero() && !numbers.contains(&number) {
        numbers.push(number);
    }
}

/// Any two of some variables that have one sort.
fn pairs(variables: &[Var], terms: &Terms) -> Vec<(Var, Var)> {
    let mut found = Vec::new();
    for (position, &left) in variables.iter().enumerate() {
        for &right in &variables[position + 1..] {
            if terms.variable_sort(left) == terms.variable_sort(right) {
                found.push((left, right));
            }
        }
    }
    found
}

/// The conditions of edges and terminations, each once.
fn guards(graphs: [&Stg; 2]) -> Vec<Term> {
    let mut guards: Vec<Term> = Vec::new();
    for graph in graphs {
        guards.extend(graph.edges().iter().map(|edge| edge.guard));
        let terminations = graph.nodes().iter().flat_map(|node| &node.terminations);
        guards.extend(terminations.map(|it| it.guard));
    }
    let mut seen = FxHashSet::default();
    guards.retain(|&guard| guard != Term::TRUE && seen.insert(guard));
    guards
}

fn is_atom(terms: &Terms, term: Term) -> bool {
    if terms.sort_of(term) != Sort::BOOL || terms.is_quantified(term) {
        return false;
    }
    match terms.kind(term) {
        TermKind::Constant(_) | TermKind::Quantified(..) => false,
        TermKind::Variable(_) => true,
        TermKind::Apply(op, _) => !matches!(op, Op::And | Op::Or | Op::Not | Op::Implies | Op::If),
    }
}
