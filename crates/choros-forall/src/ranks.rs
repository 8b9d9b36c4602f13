//! Ranks: tuples of terms that steps decrease.
//!
//! The candidates are differences in comparisons, with both signs, and numbers that change, one or two of them, and the
//! place last: nodes in a topological order of the component without the edges that decrease the terms; then tuples for
//! loops within loops.

use std::rc::Rc;

use choros_certify::RankPart;
use choros_data::{Op, Sort, Term, TermKind, Terms, Value, Var};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::fair::{Fair, Helping};
use crate::lexicographic::{self, Sure, strong};
use crate::linear::Sum;
use crate::places::{Number, Part, places};
use crate::problem::Problem;
use crate::prover::Prover;
use crate::stop::Stop;
use crate::symbolic::{Step, Symbolic};

/// A tuple, compared from the left.
#[derive(Clone)]
pub(crate) struct Rank {
    parts: Vec<Part>,
    /// The nodes it is about.
    nodes: Rc<FxHashSet<usize>>,
    /// The assumptions of fairness that help.
    pub(crate) helping: Option<Rc<Helping>>,
}

/// More differences than this are not tried, nor more pairs of them.
const MAX_SINGLE: usize = 10;
const MAX_PAIRS: usize = 16;
const MAX_REGIONS: usize = 4;
const MAX_BY: usize = 2;
const MAX_NESTED: usize = 4;

impl Rank {
    /// The parts as a certificate has them.
    pub(crate) fn parts(&self) -> Vec<RankPart> {
        let parts = self.parts.iter().map(|part| match part {
            Part::Term(Number { term, by: None }) => RankPart::Number(*term),
            Part::Term(Number { term, by: Some(by) }) => RankPart::Falling(*term, *by),
            Part::Place(places) => {
                let places = places
                    .iter()
                    .map(|(&node, &place)| (node as u32, place as u32));
                RankPart::Places(places.collect())
            }
        });
        parts.collect()
    }

    /// When a step decreases the rank; always where it leaves the nodes.
    pub(crate) fn decrease(&self, node: usize, step: &Step, terms: &mut Terms) -> Term {
        if !self.nodes.contains(&node) || !self.nodes.contains(&step.target) {
            return Term::TRUE;
        }
        let mut ways = Vec::new();
        let mut not_above: Vec<Term> = Vec::new();
        for part in &self.parts {
            let (less, same) = part_change(part, node, step, terms);
            ways.push(terms.and(not_above.iter().copied().chain([less])));
            not_above.push(same);
        }
        let any = terms.or(ways);
        terms.simplify(any)
    }

    /// When a step leaves the rank as it is and what helps goes on waiting.
    pub(crate) fn waits(&self, node: usize, step: (usize, &Step), terms: &mut Terms) -> Term {
        let Some(helping) = &self.helping else {
            return Term::FALSE;
        };
        let mut all = vec![helping.waits(node, step, terms)];
        if all[0] == Term::FALSE {
            return Term::FALSE;
        }
        for part in &self.parts {
            all.push(part_change(part, node, step.1, terms).1);
        }
        let all = terms.and(all);
        terms.simplify(all)
    }
}

/// When a step decreases a part, and when it does not make it larger.
fn part_change(part: &Part, node: usize, step: &Step, terms: &mut Terms) -> (Term, Term) {
    match part {
        Part::Term(falling) => {
            let (less, same) = change(*falling, step, terms);
            let zero = number(0, terms.sort_of(falling.term), terms);
            let bounded = terms.compare(Op::GreaterEqual, falling.term, zero);
            (terms.and([bounded, less]), same)
        }
        Part::Place(places) => {
            let (here, there) = (places[&node], places[&step.target]);
            (terms.bool(there < here), terms.bool(there <= here))
        }
    }
}

/// When a step makes a number less by as much as it must, and when it does not make it more.
fn change(Number { term, by }: Number, step: &Step, terms: &mut Terms) -> (Term, Term) {
    let after = terms.substitute(term, &step.after);
    let sort = terms.sort_of(term);
    let (least, positive) = match by {
        Some(by) => {
            let zero = number(0, sort, terms);
            (by, terms.compare(Op::Greater, by, zero))
        }
        None => (number(1, sort, terms), Term::TRUE),
    };
    let lower = terms.arithmetic(Op::Subtract, term, least);
    let less = terms.compare(Op::LessEqual, after, lower);
    let less = terms.and([positive, less]);
    let same = terms.compare(Op::LessEqual, after, term);
    (terms.simplify(less), terms.simplify(same))
}

/// A real number that steps make less by something else than 1: by what no step changes, or by a fraction.
fn by_less(term: Term, steps: &[&Step], graph: &Symbolic<'_>, terms: &mut Terms) -> Vec<Number> {
    let mut found = Vec::new();
    if terms.sort_of(term) != Sort::REAL {
        return found;
    }
    let rigid = |it: &Var| {
        let mut all = graph.steps.iter().flatten();
        graph.variables.contains(it) && all.all(|step| !step.after.contains_key(it))
    };
    let minus = BigRational::from_integer(BigInt::from(-1));
    for step in steps {
        let after = terms.substitute(term, &step.after);
        let less = Sum::of(term, terms).plus(&minus, &Sum::of(after, terms));
        let fraction = |it: &BigRational| *it > BigRational::zero() && *it < BigRational::one();
        if less.value().is_some_and(|it| !fraction(it)) {
            continue;
        }
        let by = less.term(Sort::REAL, terms);
        let single = Number { term, by: Some(by) };
        if terms.free_variables(by).iter().all(rigid)
            && !found.contains(&single)
            && found.len() < MAX_BY
        {
            found.push(single);
        }
    }
    found
}

fn number(value: i64, sort: Sort, terms: &mut Terms) -> Term {
    if sort == Sort::REAL {
        let value = BigRational::from_integer(BigInt::from(value));
        terms.constant(Value::Real(value))
    } else {
        terms.int(value)
    }
}

/// Candidates for a component.
pub(crate) fn ranks(
    component: &[usize],
    graph: &Symbolic<'_>,
    problem: &Problem,
    fair: Option<&Fair>,
    exits: &[Term],
    prover: &mut Prover<'_>,
) -> Result<Vec<Rank>, Stop> {
    let nodes: Rc<FxHashSet<usize>> = Rc::new(component.iter().copied().collect());
    let inner: Vec<(usize, &Step)> = component
        .iter()
        .flat_map(|&node| graph.steps[node].iter().map(move |step| (node, step)))
        .filter(|(_, step)| nodes.contains(&step.target))
        .collect();
    let mut sources = sources(component, graph, problem);
    sources.extend(exits);
    let written: FxHashSet<_> = inner
        .iter()
        .flat_map(|(_, step)| step.after.keys().copied())
        .collect();
    let mut singles: Vec<Number> = Vec::new();
    let mut candidates = differences(&sources, prover.terms);
    for &variable in &graph.variables {
        if prover.terms.variable_sort(variable).is_number() {
            candidates.push(prover.terms.var(variable));
        }
    }
    // What grows, last: few comparisons need it that do not say so.
    for &variable in &graph.variables {
        if prover.terms.variable_sort(variable).is_number() {
            let value = prover.terms.var(variable);
            let negated = prover.terms.negate(value);
            candidates.push(prover.terms.simplify(negated));
        }
    }
    for difference in candidates {
        let over = prover.terms.free_variables(difference);
        // Some step must be able to decrease it, and nothing in it may be new in a step.
        let changes = over.iter().any(|it| written.contains(it));
        let is_state = over
            .iter()
            .all(|it| !inner.iter().any(|(_, step)| step.fresh.contains(it)));
        let single = Number {
            term: difference,
            by: None,
        };
        if changes && is_state && !singles.contains(&single) {
            singles.push(single);
        }
    }
    singles.truncate(MAX_SINGLE);
    let steps: Vec<&Step> = inner.iter().map(|it| it.1).collect();
    for falling in singles.clone() {
        singles.extend(by_less(falling.term, &steps, graph, prover.terms));
    }
    let mut decreasing: FxHashMap<Number, Vec<bool>> = FxHashMap::default();
    let mut sure: Vec<(Number, Vec<Sure>)> = Vec::new();
    for &single in &singles {
        let mut changes = Vec::new();
        for (_, step) in &inner {
            let (less, same) = change(single, step, prover.terms);
            let less = prover.implies(step.condition, less)?;
            let same = less || prover.implies(step.condition, same)?;
            changes.push(Sure { less, same });
        }
        decreasing.insert(single, changes.iter().map(|it| it.less).collect());
        sure.push((single, changes));
    }
    let remaining = |before: &[Number]| -> Vec<(usize, usize)> {
        inner
            .iter()
            .enumerate()
            .filter(|(index, _)| !before.iter().any(|term| decreasing[term][*index]))
            .map(|(_, (node, step))| (*node, step.target))
            .collect()
    };
    let place = |before: &[Number]| {
        let remaining = remaining(before);
        let mut orders = vec![places(component, &remaining)];
        let back: Vec<usize> = component.iter().rev().copied().collect();
        let other = places(&back, &remaining);
        if other != orders[0] {
            orders.push(other);
        }
        orders.into_iter().map(Part::Place).collect::<Vec<Part>>()
    };
    // Without any term: the place alone, for components that guards break.
    let mut tuples: Vec<Vec<Part>> = place(&[]).into_iter().map(|it| vec![it]).collect();
    for &single in &singles {
        for place in place(&[single]) {
            tuples.push(vec![Part::Term(single), place]);
        }
    }
    let edges: Vec<(usize, usize)> = inner
        .iter()
        .map(|(node, step)| (*node, step.target))
        .collect();
    let nested = lexicographic::tuples(component, &edges, &sure, MAX_NESTED);
    tuples.extend(nested.iter().cloned());
    let mut pairs: Vec<Vec<Part>> = Vec::new();
    for &one in &singles {
        for &other in &singles {
            let helps = |it: Number| decreasing[&it].contains(&true);
            if one != other && helps(one) && helps(other) {
                for place in place(&[one]) {
                    pairs.push(vec![Part::Term(one), place, Part::Term(other)]);
                }
                for place in place(&[one, other]) {
                    pairs.push(vec![Part::Term(one), Part::Term(other), place]);
                }
            }
        }
    }
    pairs.truncate(MAX_PAIRS);
    tuples.extend(pairs);
    let mut ranks = Vec::new();
    if let Some(fair) = fair {
        // Who waits goes round: a place counts only where no way leads back.
        let mut tuples: Vec<Vec<Part>> = Vec::new();
        let add = |terms: &[Number], last: Option<Number>, tuples: &mut Vec<Vec<Part>>| {
            let mut tuple: Vec<Part> = terms.iter().map(|&it| Part::Term(it)).collect();
            tuple.push(Part::Place(strong(component, &remaining(terms))));
            tuple.extend(last.map(Part::Term));
            tuples.push(tuple);
        };
        add(&[], None, &mut tuples);
        for &single in &singles {
            add(&[single], None, &mut tuples);
        }
        tuples.extend(nested);
        for &one in &singles {
            for &other in &singles {
                if one != other && [one, other].iter().all(|it| decreasing[it].contains(&true)) {
                    add(&[one], Some(other), &mut tuples);
                    add(&[one, other], None, &mut tuples);
                }
            }
        }
        tuples.truncate(MAX_SINGLE + MAX_PAIRS);
        for helping in fair.helping(component, prover.terms) {
            let helping = Some(Rc::new(helping));
            ranks.extend(tuples.iter().map(|parts| Rank {
                parts: parts.clone(),
                nodes: nodes.clone(),
                helping: helping.clone(),
            }));
        }
    }
    ranks.extend(tuples.into_iter().map(|parts| Rank {
        parts,
        nodes: nodes.clone(),
        helping: None,
    }));
    Ok(ranks)
}

/// Formulas that say where steps lead, those within the component first.
pub(crate) fn sources(component: &[usize], graph: &Symbolic<'_>, problem: &Problem) -> Vec<Term> {
    let mut sources: Vec<Term> = Vec::new();
    for &node in component {
        let inner = graph.steps[node].iter();
        let inner = inner.filter(|step| component.contains(&step.target));
        sources.extend(inner.map(|step| step.condition));
    }
    for &node in component {
        sources.extend(graph.steps[node].iter().map(|it| it.condition));
        sources.push(problem.base[node].low);
        sources.extend(problem.steps[node].iter().map(|it| it.0.low));
        sources.push(problem.keep[node].low);
    }
    sources
}

/// Both sides of what is compared for equality: `x < n` and `x > n` of `x == n`.
pub(crate) fn regions(
    component: &[usize],
    graph: &Symbolic<'_>,
    problem: &Problem,
    terms: &mut Terms,
) -> Vec<Term> {
    let mut found = Vec::new();
    for source in sources(component, graph, problem) {
        for part in terms.postorder([source]) {
            let TermKind::Apply(Op::Equal | Op::NotEqual, &[left, right]) = terms.kind(part) else {
                continue;
            };
            let over = terms.free_variables(part);
            if !terms.sort_of(left).is_number()
                || !over.iter().all(|it| graph.variables.contains(it))
            {
                continue;
            }
            for op in [Op::Less, Op::Greater] {
                let region = terms.compare(op, left, right);
                let region = terms.simplify(region);
                if !found.contains(&region) && found.len() < MAX_REGIONS {
                    found.push(region);
                }
            }
        }
    }
    found
}

/// `l - r` and `r - l` of all comparisons of numbers.
fn differences(sources: &[Term], terms: &mut Terms) -> Vec<Term> {
    let mut found = Vec::new();
    for &source in sources {
        for part in terms.postorder([source]) {
            let TermKind::Apply(op, &[left, right]) = terms.kind(part) else {
                continue;
            };
            let compares = matches!(
                op,
                Op::Equal
                    | Op::NotEqual
                    | Op::Less
                    | Op::LessEqual
                    | Op::Greater
                    | Op::GreaterEqual
            );
            if !compares || !terms.sort_of(left).is_number() {
                continue;
            }
            for (one, other) in [(left, right), (right, left)] {
                let difference = terms.arithmetic(Op::Subtract, one, other);
                let difference = terms.simplify(difference);
                if !found.contains(&difference) {
                    found.push(difference);
                }
            }
        }
    }
    found
}
