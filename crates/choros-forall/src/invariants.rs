//! What is so whenever a run comes to a node, whatever the parameters: comparisons that every step preserves.
//!
//! All candidates are supposed, and those that some step does not preserve are dropped until none is (Houdini).
//! The first node has none, so that nothing is assumed of parameters.

use choros_data::{Op, Sort, Term, TermKind, Terms, Var};
use rustc_hash::FxHashSet;

use crate::prover::Prover;
use crate::stop::Stop;
use crate::symbolic::Symbolic;

/// More candidates at a node than this are not tried.
const MAX_CANDIDATES: usize = 40;
/// Graphs with more edges than this are not searched.
const MAX_EDGES: usize = 120;

/// A formula for each place; *true* for the first node and where nothing was found.
pub(crate) fn invariants(
    graph: &Symbolic<'_>,
    also: &[Term],
    prover: &mut Prover<'_>,
) -> Result<Vec<Term>, Stop> {
    let count = graph.steps.len();
    let edges: usize = graph.steps.iter().map(Vec::len).sum();
    if edges > MAX_EDGES {
        return Ok(vec![Term::TRUE; count]);
    }
    let atoms = candidates(graph, also, prover.terms);
    let mut held: Vec<Vec<Term>> = Vec::new();
    for place in 0..count {
        let fits = |variables: Vec<Var>| {
            place != graph.initial()
                && place != graph.ended()
                && variables
                    .iter()
                    .all(|it| graph.assigned[place].contains(it))
        };
        let here = atoms.iter().copied();
        let mut here: Vec<Term> = here
            .filter(|&it| fits(prover.terms.free_variables(it)))
            .collect();
        here.truncate(MAX_CANDIDATES);
        held.push(here);
    }
    loop {
        let mut changed = false;
        for place in 0..count {
            for step in &graph.steps[place] {
                let premise = prover.terms.and(held[place].iter().copied());
                let premise = prover.terms.and([premise, step.condition]);
                let all = held[step.target].clone();
                let mut kept = Vec::new();
                for atom in all.iter().copied() {
                    let after = prover.terms.substitute(atom, &step.after);
                    if prover.implies(premise, after)? {
                        kept.push(atom);
                    }
                }
                changed |= kept.len() < all.len();
                held[step.target] = kept;
            }
        }
        if !changed {
            break;
        }
    }
    let formulas = held.into_iter().map(|atoms| prover.terms.and(atoms));
    Ok(formulas.collect())
}

/// Comparisons of guards and of the question, signs of numbers, equalities between variables.
fn candidates(graph: &Symbolic<'_>, also: &[Term], terms: &mut Terms) -> Vec<Term> {
    let variables = graph.stg.variables(terms);
    let mut found: Vec<Term> = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut add = |atom: Term, terms: &mut Terms| {
        let atom = terms.simplify(atom);
        if !matches!(atom, Term::TRUE | Term::FALSE) && seen.insert(atom) {
            found.push(atom);
        }
    };
    for (position, &left) in variables.iter().enumerate() {
        for &right in &variables[position + 1..] {
            if terms.variable_sort(left) == terms.variable_sort(right) {
                let (left, right) = (terms.var(left), terms.var(right));
                let equal = terms.equal(left, right);
                add(equal, terms);
            }
        }
        if terms.variable_sort(left) == Sort::INT {
            let (variable, zero) = (terms.var(left), terms.int(0));
            for op in [Op::GreaterEqual, Op::LessEqual] {
                let sign = terms.compare(op, variable, zero);
                add(sign, terms);
            }
        }
    }
    let guards = graph.stg.edges().iter().map(|edge| edge.guard);
    for source in guards.chain(also.iter().copied()) {
        for part in terms.postorder([source]) {
            let TermKind::Apply(op, &[left, right]) = terms.kind(part) else {
                continue;
            };
            if op.opposite().is_none() {
                continue;
            }
            add(part, terms);
            let negation = terms.not(part);
            add(negation, terms);
            if terms.sort_of(left).is_number() {
                for op in [Op::LessEqual, Op::GreaterEqual] {
                    let weaker = terms.compare(op, left, right);
                    add(weaker, terms);
                }
            }
        }
    }
    // Constants that updates give.
    for edge in graph.stg.edges() {
        for update in &edge.updates {
            if terms.value(update.value).is_some() {
                let variable = terms.var(update.variable);
                let same = terms.equal(variable, update.value);
                add(same, terms);
            }
        }
    }
    found
}
