//! The values with which steps are chosen: terms of the state, found one counterexample after the other.
//!
//! A term is tried because a comparison says that the new value is that, or near it, or because it is something of its
//! sort. Several terms may be needed: for each state, one of them must do.
//! Where no term does, the certificate says that there is some value, and the solver has to find it.

use choros_certify::{CheckedGraph, Flaw, ForAllPart, Need, OpenWay, Witness};
use choros_data::{Assignment, Op, Sort, SortKind, Term, TermKind, Terms, Value, Var};
use choros_smt::{Satisfiability, Solver};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::asked_of::AskedOf;
use crate::evaluate::Evaluator;
use crate::prover::Prover;
use crate::stop::Stop;
use crate::symbolic::Substitution;

/// More tuples of terms than this are not tried for a step, nor more terms for a value.
const MAX_TUPLES: usize = 48;
const MAX_TERMS: usize = 14;
/// More choices than this are not written for one set.
const MAX_CHOSEN: usize = 12;
/// Values that the solver gives are taken this often.
const MAX_GIVEN: usize = 3;

/// Chooses steps for all claims.
pub(crate) fn choose_steps(
    part: &mut ForAllPart,
    evaluator: &mut Evaluator<'_, '_>,
    asked: AskedOf<'_>,
) -> Result<(), Stop> {
    let stg = asked.stg;
    let asked = asked.with(evaluator.formula, evaluator.arity);
    let brings = |place: u32| {
        let mut steps = evaluator.graph.steps[place as usize].iter();
        steps.any(|it| !it.fresh.is_empty())
    };
    let sets = part.claims.iter().flat_map(|it| &it.stages);
    let mut sets = sets.flat_map(|it| &it.sets);
    if !sets.any(|it| brings(it.place)) {
        return Ok(());
    }
    let mut names = evaluator.names.clone();
    let prover = &mut *evaluator.prover;
    let graph = CheckedGraph::new(stg, &asked, &mut names, prover.terms).map_err(refused)?;
    let of_model: FxHashSet<Var> = evaluator.graph.variables.iter().copied().collect();
    let mut found = Vec::new();
    let mut obligations = graph.obligations(asked, &names, part, prover.terms);
    for (number, claim) in part.claims.iter().enumerate() {
        let mut allowed = of_model.clone();
        allowed.extend(claim.values.iter().filter_map(|it| match it {
            choros_certify::Given::Any(variable) => Some(*variable),
            choros_certify::Given::Text(_) => None,
        }));
        for (stage, sets) in claim.stages.iter().enumerate() {
            for (position, set) in sets.sets.iter().enumerate() {
                if !brings(set.place) {
                    continue;
                }
                let open = obligations
                    .of(number, stage, position, prover.terms)
                    .map_err(refused)?;
                let mut witnesses: Vec<Witness> = Vec::new();
                for need in &open.needs {
                    for chosen in chosen(need, &allowed, prover)? {
                        if !witnesses.contains(&chosen) {
                            witnesses.push(chosen);
                        }
                    }
                }
                if !witnesses.is_empty() {
                    found.push(((number, stage, position), witnesses));
                }
            }
        }
    }
    for ((claim, stage, position), witnesses) in found {
        part.claims[claim].stages[stage].sets[position].witnesses = witnesses;
    }
    Ok(())
}

/// Values for which a formula about all values of variables is false, where the condition is not.
pub(crate) fn values_against(
    parts: &[ForAllPart],
    condition: Term,
    evaluator: &mut Evaluator<'_, '_>,
    asked: AskedOf<'_>,
) -> Result<Vec<Witness>, Stop> {
    if evaluator.formula.for_all().is_empty() {
        return Ok(Vec::new());
    }
    let parameters = asked.stg.parameters(evaluator.prover.terms);
    let stg = asked.stg;
    let asked = asked.with(evaluator.formula, evaluator.arity);
    let mut names = evaluator.names.clone();
    let prover = &mut *evaluator.prover;
    let graph = CheckedGraph::new(stg, &asked, &mut names, prover.terms).map_err(refused)?;
    let need = graph
        .against(asked, &names, (parts, condition), prover.terms)
        .map_err(refused)?;
    chosen(&need, &parameters.into_iter().collect(), prover)
}

fn refused(flaw: Flaw) -> Stop {
    match flaw {
        Flaw::Wrong(text) => Stop::Unsupported(text),
        Flaw::Open(why) => Stop::Unsupported(why.text),
    }
}

/// Choices of steps that do wherever one is needed.
fn chosen(
    open: &Need,
    allowed: &FxHashSet<Var>,
    prover: &mut Prover<'_>,
) -> Result<Vec<Witness>, Stop> {
    let mut left = vec![open.when];
    let mut ways: Vec<Tried<'_>> = Vec::new();
    for way in &open.ways {
        let free = prover.terms.free_variables(way.body);
        if way.fresh.iter().any(|it| free.contains(it)) {
            let tuples = tuples(way, allowed, prover.terms);
            ways.push(Tried { way, tuples });
        } else {
            left.push(prover.terms.not(way.body));
        }
    }
    let mut found: Vec<Witness> = Vec::new();
    let mut given = 0;
    while !ways.is_empty() && found.len() < MAX_CHOSEN {
        let all = prover.terms.and(left.iter().copied());
        let all = prover.terms.simplify(all);
        let Some(state) = counterexample(all, &ways, prover)? else {
            return Ok(found);
        };
        let mut next = ways
            .iter()
            .find_map(|tried| tried.fitting(&state, prover.terms));
        if next.is_none() && given < MAX_GIVEN {
            given += 1;
            next = a_value(all, &ways, prover)?;
        }
        let Some((way, values)) = next else { break };
        let body = with(way, &values, prover.terms);
        left.push(prover.terms.not(body));
        found.push(Witness {
            step: way.step,
            values: Some(values),
        });
    }
    // What is not covered is left to the solver.
    found.extend(ways.iter().map(|tried| Witness {
        step: tried.way.step,
        values: None,
    }));
    Ok(found)
}

/// A step and the terms to try.
struct Tried<'o> {
    way: &'o OpenWay,
    tuples: Vec<Vec<Term>>,
}

impl<'o> Tried<'o> {
    /// The first tuple that does in a state.
    fn fitting(&self, state: &Assignment, terms: &mut Terms) -> Option<(&'o OpenWay, Vec<Term>)> {
        let fits = |tuple: &&Vec<Term>| {
            let body = with(self.way, tuple, terms);
            terms.evaluate_guard(body, state) == Ok(true)
        };
        let tuple = self.tuples.iter().find(fits)?;
        Some((self.way, tuple.clone()))
    }
}

/// What is asked of a step that brings these values.
fn with(way: &OpenWay, values: &[Term], terms: &mut Terms) -> Term {
    let pairs = way.fresh.iter().copied().zip(values.iter().copied());
    let values: Substitution = pairs.collect();
    let body = terms.substitute(way.body, &values);
    let defined: Vec<Term> = values.values().map(|&it| terms.defined(it)).collect();
    let defined = terms.and(defined);
    terms.and([defined, body])
}

/// A state in which nothing that was chosen does; nothing also where the solver cannot tell.
fn counterexample(
    all: Term,
    ways: &[Tried<'_>],
    prover: &mut Prover<'_>,
) -> Result<Option<Assignment>, Stop> {
    if all == Term::FALSE {
        return Ok(None);
    }
    let mut variables = prover.terms.free_variables(all);
    for tried in ways {
        variables.extend(prover.terms.free_variables(tried.way.body));
    }
    prover.budget.spend()?;
    match prover.solver.satisfiable(prover.terms, &[all])? {
        Satisfiability::Sat => Ok(prover.solver.model(prover.terms, &variables)),
        _ => Ok(None),
    }
}

/// Values that do in some state in which nothing that was chosen does.
fn a_value<'o>(
    all: Term,
    ways: &[Tried<'o>],
    prover: &mut Prover<'_>,
) -> Result<Option<(&'o OpenWay, Vec<Term>)>, Stop> {
    for tried in ways {
        let both = prover.terms.and([all, tried.way.body]);
        let Some(model) = prover.solution(both, &tried.way.fresh)? else {
            continue;
        };
        let values = tried.way.fresh.iter().map(|it| model.get(it).cloned());
        let Some(values) = values.collect::<Option<Vec<Value>>>() else {
            continue;
        };
        let values = values.into_iter().map(|it| prover.terms.constant(it));
        return Ok(Some((tried.way, values.collect())));
    }
    Ok(None)
}

/// Terms for the values that a step brings, one value after the other.
fn tuples(way: &OpenWay, allowed: &FxHashSet<Var>, terms: &mut Terms) -> Vec<Vec<Term>> {
    let mut found: Vec<(Vec<Term>, Term)> = vec![(Vec::new(), way.body)];
    for &new in &way.fresh {
        let mut next = Vec::new();
        for (tuple, body) in found {
            for candidate in candidates(new, body, allowed, terms) {
                let values: Substitution = [(new, candidate)].into_iter().collect();
                let body = terms.substitute(body, &values);
                let mut tuple = tuple.clone();
                tuple.push(candidate);
                next.push((tuple, terms.simplify(body)));
            }
        }
        next.truncate(MAX_TUPLES);
        found = next;
    }
    found.into_iter().map(|it| it.0).collect()
}

/// Terms of the state that a new value may be.
fn candidates(new: Var, body: Term, allowed: &FxHashSet<Var>, terms: &mut Terms) -> Vec<Term> {
    let sort = terms.variable_sort(new);
    let parts = terms.postorder([body]);
    let mut equal: Vec<Term> = Vec::new();
    let mut near: Vec<Term> = Vec::new();
    let mut plain: Vec<Term> = Vec::new();
    let mut compared = 0;
    for &part in &parts {
        if terms.sort_of(part) == sort && terms.value(part).is_some() {
            plain.push(part);
        }
        let TermKind::Apply(op, &[left, right]) = terms.kind(part) else {
            continue;
        };
        let is_comparison = op.opposite().is_some();
        if !is_comparison || terms.sort_of(left) != sort {
            continue;
        }
        let over = terms.free_variables(part);
        if !over.contains(&new) {
            continue;
        }
        compared += 1;
        let solved = if sort.is_number() {
            solved(new, left, right, terms)
        } else {
            let variable = terms.var(new);
            [(left, right), (right, left)]
                .into_iter()
                .find_map(|(one, other)| (one == variable).then_some(other))
        };
        match (solved, op) {
            (Some(term), Op::Equal) => equal.push(term),
            (Some(term), _) => near.push(term),
            (None, _) => {}
        }
    }
    let mut found: Vec<Term> = Vec::new();
    for term in equal.iter().chain(&near).copied() {
        found.push(term);
        if sort.is_number() {
            let one = number(1, sort, terms);
            for op in [Op::Add, Op::Subtract] {
                let beside = terms.arithmetic(op, term, one);
                found.push(terms.simplify(beside));
            }
        }
    }
    found.extend(plain);
    let mut of_sort: Vec<Var> = terms.free_variables(body);
    of_sort.retain(|&it| terms.variable_sort(it) == sort);
    found.extend(of_sort.into_iter().map(|it| terms.var(it)));
    found.extend(others(sort, compared + 1, terms));
    let mut seen = FxHashSet::default();
    found.retain(|&it| {
        let free = terms.free_variables(it);
        seen.insert(it) && free.iter().all(|it| allowed.contains(it))
    });
    found.truncate(MAX_TERMS);
    found
}

/// What a number must be for two terms to be equal, if it is a summand of one of them.
fn solved(new: Var, left: Term, right: Term, terms: &mut Terms) -> Option<Term> {
    let sort = terms.variable_sort(new);
    for (one, other) in [(left, right), (right, left)] {
        if terms.as_variable(one) == Some(new) && !terms.free_variables(other).contains(&new) {
            return Some(other);
        }
    }
    let difference = terms.arithmetic(Op::Subtract, left, right);
    // Where all else is 0, the factor is what 1 adds to it.
    let mut values = Assignment::default();
    for variable in terms.free_variables(difference) {
        let own = terms.variable_sort(variable);
        if !own.is_number() {
            return None;
        }
        let zero = number(0, own, terms);
        values.insert(variable, terms.value(zero)?.clone());
    }
    let at_zero = terms.evaluate(difference, &values).ok()?;
    let one = number(1, sort, terms);
    values.insert(new, terms.value(one)?.clone());
    let at_one = terms.evaluate(difference, &values).ok()?;
    let [at_zero, at_one] = [at_zero, at_one].map(|it| terms.constant(it));
    let factor = terms.arithmetic(Op::Subtract, at_one, at_zero);
    let factor = terms.simplify(factor);
    let zero = number(0, sort, terms);
    let without: FxHashMap<Var, Term> = [(new, zero)].into_iter().collect();
    let rest = terms.substitute(difference, &without);
    let solved = match factor {
        it if it == number(-1, sort, terms) => rest,
        it if it == one => terms.negate(rest),
        _ => return None,
    };
    Some(terms.simplify(solved))
}

fn number(value: i64, sort: Sort, terms: &mut Terms) -> Term {
    match sort {
        Sort::REAL => {
            let value = num_bigint::BigInt::from(value);
            terms.constant(Value::Real(num_rational::BigRational::from_integer(value)))
        }
        _ => terms.int(value),
    }
}

/// Some values of a sort, so many that one differs from everything that it is compared with.
fn others(sort: Sort, count: usize, terms: &mut Terms) -> Vec<Term> {
    let count = count.min(6);
    match terms.sort_kind(sort).clone() {
        SortKind::Bool => vec![Term::TRUE, Term::FALSE],
        SortKind::Int | SortKind::Real => (0..count as i64)
            .map(|it| number(it, sort, terms))
            .collect(),
        SortKind::String => (0..count).map(|it| terms.text(&"a".repeat(it))).collect(),
        SortKind::Uninterpreted(name) => {
            let stem = terms.names.text(name).to_owned();
            let names = (1..=count).map(|it| format!("{stem}{it}"));
            let names: Vec<String> = names.collect();
            let atoms = names.iter().map(|name| {
                let name = terms.names.intern(name);
                terms.atom(sort, name)
            });
            atoms.collect()
        }
        SortKind::Enumeration { constructors, .. } => (0..constructors.len() as u32)
            .map(|index| terms.constant(Value::Constructor { sort, index }))
            .collect(),
        SortKind::List(_) => vec![terms.list(sort, &[])],
        SortKind::Record(_) => Vec::new(),
    }
}
