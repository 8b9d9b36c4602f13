//! Conversations beside each other, compared one by one.
//!
//! Let the implementation be a product of parts *I₁ … Iₙ* and the specification of *C₁ … Cₙ* (perhaps with nothing in
//! some of them), such that no message, no variable and no shared parameter is in two of the pairs.
//!
//! *If every part conforms, so does the whole.*
//! States are related iff they are part by part.
//! A step of one side is a step of one part, and is answered in that part while the others stay; the whole can end iff
//! all parts can, and silent steps of different parts do not hinder each other.
//!
//! *If one part does not conform because of messages alone, neither does the whole.*
//! Let *(s, s')* be related to *(t, t')*, where the first component is the part and the others have not begun, but for
//! silent steps of *s'*.
//! A visible step of *s* or *t* can be answered in its part only, because the others do not have its message.
//! So *s* and *t* are related as states of the part when endings are left out, against the assumption.
//!
//! Endings do not carry over like that: where the others never end, no one sees whether one part may.
//! A part that fails because of its endings, and a condition on parameters, are left to the whole.

use choros_base::Budget;
use choros_certify::sides;
use choros_data::{Term, Terms};
use choros_model::evidence::Tree;
use choros_model::stg::{Ending, Separation, Stg, StgBuilder, factors, product, prune};
use choros_model::{Evidence, Verdict};
use choros_smt::Solver;
use rustc_hash::FxHashMap;

use crate::conformance::{Conformance, Setup, conformance};
use crate::cycles::silent_cycles;
use crate::fitness::{NotCompared, require_fitness};

/// As [`conformance`], with independent parts compared one by one; the relation is left out where that settles it.
pub fn conformance_by_parts<'a>(
    implementation: &'a Stg,
    specification: &'a Stg,
    setup: &Setup,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Conformance<'a>, NotCompared> {
    require_fitness(implementation, specification)?;
    let groups = groups(implementation, specification, setup, terms, budget);
    if let Some(groups) = groups
        && let Some((verdict, pairs)) = settled(&groups, setup, terms, solver, budget)?
    {
        let sides = sides(implementation, specification, &setup.shared, terms);
        return Ok(Conformance {
            verdict,
            relation: Vec::new(),
            pairs,
            divergent: silent_cycles(&sides.left),
            implementation: sides.left,
            specification: sides.right,
        });
    }
    conformance(implementation, specification, setup, terms, solver, budget)
}

/// Parts of both sides that have something in common.
struct Group {
    implementation: Stg,
    specification: Stg,
}

/// The independent groups of parts; `None` if there is one only.
fn groups(
    implementation: &Stg,
    specification: &Stg,
    setup: &Setup,
    terms: &mut Terms,
    budget: &Budget,
) -> Option<Vec<Group>> {
    let left = factors(implementation, Separation::Messages, terms)?.parts;
    let right = factors(specification, Separation::Messages, terms)?.parts;
    let parts: Vec<&Stg> = left.iter().chain(&right).collect();
    let mut group: Vec<usize> = (0..parts.len()).collect();
    let mut messages = FxHashMap::default();
    let mut shared = FxHashMap::default();
    for (index, part) in parts.iter().enumerate() {
        for message in part.alphabet() {
            join(&mut group, index, *messages.entry(message).or_insert(index));
        }
        for variable in part.variables(terms) {
            let name = terms.variable_text(variable);
            if setup.shared.iter().any(|it| it == name) {
                join(&mut group, index, *shared.entry(variable).or_insert(index));
            }
        }
    }
    let mut numbers: Vec<usize> = group.clone();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.len() < 2 {
        return None;
    }
    let mut side = |name: &str, number: usize, from: usize, parts: &[Stg]| -> Option<Stg> {
        let own: Vec<&Stg> = parts
            .iter()
            .enumerate()
            .filter(|(index, _)| group[from + index] == number)
            .map(|it| it.1)
            .collect();
        match own[..] {
            [] => Some(nothing(name, terms)),
            [part] => Some(part.clone()),
            _ => Some(product(name, &own, budget, terms).ok()?.stg),
        }
    };
    let numbers = numbers.into_iter();
    numbers
        .map(|number| {
            Some(Group {
                implementation: side(implementation.name(), number, 0, &left)?,
                specification: side(specification.name(), number, left.len(), &right)?,
            })
        })
        .collect()
}

/// Puts all that is in one group with either of two into the smaller.
fn join(group: &mut [usize], one: usize, other: usize) {
    let (kept, dropped) = (group[one].min(group[other]), group[one].max(group[other]));
    for number in group.iter_mut().filter(|it| **it == dropped) {
        *number = kept;
    }
}

/// What has ended from the beginning.
fn nothing(name: &str, terms: &mut Terms) -> Stg {
    let mut builder = StgBuilder::new(name, Ending::Explicit);
    let node = builder.node("0");
    builder.terminate(terms, node, Term::TRUE, None);
    builder.finish_as_built(node)
}

/// What the groups say about the whole, and how many pairs were examined; `None` if they do not settle it.
fn settled(
    groups: &[Group],
    setup: &Setup,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Option<(Verdict, usize)>, NotCompared> {
    let mut because = Vec::new();
    let mut pairs = 0;
    for group in groups {
        let (left, right) = (&group.implementation, &group.specification);
        // Parameters that only the other groups have are no concern of this one.
        let found = conformance(left, right, setup, terms, solver, budget)?;
        pairs += found.pairs;
        match found.verdict {
            Verdict::Holds(evidence) => because.push(Tree {
                claim: format!("a part of {} states", left.nodes().len()),
                origin: None,
                evidence: Some(Box::new(evidence)),
                because: Vec::new(),
            }),
            Verdict::Fails(_) => {
                let (left, right) = (endless(left, terms), endless(right, terms));
                let found = conformance(&left, &right, setup, terms, solver, budget)?;
                return Ok(match found.verdict {
                    Verdict::Fails(_) => Some((found.verdict, pairs)),
                    _ => None,
                });
            }
            Verdict::HoldsIf(..) | Verdict::Unknown(_) => return Ok(None),
        }
    }
    let evidence = Evidence::Tree(Tree {
        claim: format!(
            "{} independent parts are related, each on its own",
            groups.len()
        ),
        origin: None,
        evidence: None,
        because,
    });
    Ok(Some((Verdict::Holds(evidence), pairs)))
}

/// The same without endings.
fn endless(stg: &Stg, terms: &mut Terms) -> Stg {
    prune(stg, terms, |_| true, |_, _| false)
}
