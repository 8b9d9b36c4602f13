//! Values that silent steps choose on the way to an answer.
//!
//! The side that answers may choose them as it likes, so they are existential: *there are values, and a way in silence with
//! them, after which the step can be taken*.
//! A chosen value that no variable holds any more matters only in that there was one, and is quantified away at once;
//! the others are numbered in the order in which the variables of the node hold them.
//! So two rounds of a loop that chooses end in the same situation.
//!
//! Conditions are sets of *cubes*, conjunctions of guards; a cube that contains another adds nothing.
//! They grow from nothing, so that every answer found is one, and if they do not settle there may be more.

use choros_data::{Op, Quantifier, Sort, Term, TermKind, Terms, Var};
use choros_model::stg::Event;
use rustc_hash::FxHashMap;

use super::Situation;
use crate::formula::{Substitution, conjuncts, plainly_false};

/// Variables that stand for chosen values.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    /// By sort and number: in situations.
    settled: FxHashMap<(Sort, usize), Var>,
    /// By sort and position: in the step that chooses.
    new: FxHashMap<(Sort, usize), Var>,
}

/// How a situation is reached from another one.
#[derive(Debug, Clone)]
pub(crate) struct Arrival {
    pub(crate) from: usize,
    /// In terms of the values at the start and of what was chosen before and in this step.
    pub(crate) guard: Term,
    /// Chosen values that are still held, under the names that they have from now on.
    pub(crate) renamed: Substitution,
    /// Chosen values that nothing holds any more.
    pub(crate) lost: Vec<Var>,
}

impl Choices {
    /// What a silent step binds.
    pub(crate) fn brought(&mut self, event: &Event, terms: &mut Terms) -> Vec<(Var, Term)> {
        let Event::Choose(variables) = event else {
            return Vec::new();
        };
        let mut brought = Vec::with_capacity(variables.len());
        for (position, &variable) in variables.iter().enumerate() {
            let value = numbered(&mut self.new, position, variable, terms);
            brought.push((variable, terms.var(value)));
        }
        brought
    }

    /// Numbers the chosen values that `values` hold in their order, and notes that in the arrival.
    pub(crate) fn named_anew(
        &mut self,
        values: &mut [(Var, Term)],
        there: &[Var],
        arrival: &mut Arrival,
        terms: &mut Terms,
    ) -> Vec<Var> {
        let mut chosen: Vec<Var> = Vec::new();
        for &(_, value) in values.iter() {
            for old in terms.free_variables(value) {
                if !there.contains(&old) || arrival.renamed.contains_key(&old) {
                    continue;
                }
                let new = numbered(&mut self.settled, chosen.len(), old, terms);
                chosen.push(new);
                arrival.renamed.insert(old, terms.var(new));
            }
        }
        for (_, value) in values {
            *value = terms.substitute(*value, &arrival.renamed);
        }
        arrival.lost = there
            .iter()
            .copied()
            .filter(|it| !arrival.renamed.contains_key(it))
            .collect();
        chosen
    }
}

fn numbered(
    pool: &mut FxHashMap<(Sort, usize), Var>,
    number: usize,
    like: Var,
    terms: &mut Terms,
) -> Var {
    let sort = terms.variable_sort(like);
    *pool
        .entry((sort, number))
        .or_insert_with(|| terms.fresh_variable(like))
}

type Cube = Vec<Term>;

/// More cubes than this are not kept.
const MAX_CUBES: usize = 64;

/// The conditions of situations with chosen values; whether they settled.
pub(crate) fn solve_chosen(
    situations: &mut [Situation],
    incoming: &[Vec<Arrival>],
    terms: &mut Terms,
) -> bool {
    let mut found: Vec<Vec<Cube>> = vec![Vec::new(); situations.len()];
    found[0].push(Vec::new());
    let mut settled = false;
    for _ in 0..=situations.len() {
        let mut grown = false;
        for index in 0..situations.len() {
            for arrival in &incoming[index] {
                for cube in found[arrival.from].clone() {
                    if let Some(cube) = arrived(cube, arrival, terms)
                        && found[index].len() < MAX_CUBES
                    {
                        grown |= add(&mut found[index], cube);
                    }
                }
            }
        }
        if !grown {
            settled = true;
            break;
        }
    }
    for (situation, cubes) in situations.iter_mut().zip(&found) {
        settled &= cubes.len() < MAX_CUBES;
        let mut parts = Vec::with_capacity(cubes.len());
        for cube in cubes {
            parts.push(terms.and(cube.iter().copied()));
        }
        let condition = terms.or(parts);
        situation.condition = terms.simplify(condition);
    }
    settled
}

/// A cube carried over an arrival; nothing when it is contradictory.
fn arrived(cube: Cube, arrival: &Arrival, terms: &mut Terms) -> Option<Cube> {
    let mut parts = cube;
    parts.extend(conjuncts(terms, arrival.guard));
    let parts = terms.and(parts);
    let parts = terms.simplify(parts);
    if plainly_false(terms, &[parts]) {
        return None;
    }
    let mut cube: Cube = conjuncts(terms, parts);
    for &lost in &arrival.lost {
        cube = without(cube, lost, terms);
    }
    let mut renamed: Cube = Vec::with_capacity(cube.len());
    for part in cube {
        let part = terms.substitute(part, &arrival.renamed);
        if !renamed.contains(&part) {
            renamed.push(part);
        }
    }
    Some(renamed)
}

/// `∃ lost. cube`, as a cube.
fn without(cube: Cube, lost: Var, terms: &mut Terms) -> Cube {
    let (about, mut rest): (Cube, Cube) = cube
        .into_iter()
        .partition(|&part| terms.free_variables(part).contains(&lost));
    if about.is_empty() {
        return rest;
    }
    if let Some(value) = about.iter().find_map(|&part| equal_to(part, lost, terms)) {
        let here = Substitution::from_iter([(lost, value)]);
        for part in about {
            let part = terms.substitute(part, &here);
            let part = terms.simplify(part);
            rest.extend(conjuncts(terms, part));
        }
        return rest;
    }
    // A value can always be found for what speaks of it alone and is not a contradiction.
    let alone = about
        .iter()
        .all(|&part| terms.free_variables(part) == [lost]);
    if alone && terms.decide_box(&about) == Some(true) {
        return rest;
    }
    let about = terms.and(about);
    rest.push(terms.quantify(Quantifier::Exists, &[lost], about));
    rest
}

/// What an equality says a variable is, in terms of others.
fn equal_to(part: Term, variable: Var, terms: &Terms) -> Option<Term> {
    let TermKind::Apply(Op::Equal, &[left, right]) = terms.kind(part) else {
        return None;
    };
    let value = match (terms.as_variable(left), terms.as_variable(right)) {
        (Some(it), _) if it == variable => right,
        (_, Some(it)) if it == variable => left,
        _ => return None,
    };
    // A partial operation may be undefined, and then nothing is equal to it.
    let usable = !terms.free_variables(value).contains(&variable) && !terms.is_partial(value);
    usable.then_some(value)
}

/// Adds a cube unless another says as much; whether it was added.
fn add(cubes: &mut Vec<Cube>, cube: Cube) -> bool {
    let covers = |one: &Cube, other: &Cube| one.iter().all(|part| other.contains(part));
    if cubes.iter().any(|known| covers(known, &cube)) {
        return false;
    }
    cubes.retain(|known| !covers(&cube, known));
    cubes.push(cube);
    true
}
