//! One place where a model may stand, in a form that is the same for equal situations.
//!
//! A standing means a set of valuations: those of parameters and live variables that some values of its unknowns give.
//! Three changes leave that set as it is, and make equal sets look equal, so that silent loops which bind new values
//! come to rest:
//!
//! - an unknown that the condition equates with a variable or a constant is replaced by it;
//! - dead unknowns are eliminated from the condition ([`Conditions::forget`]);
//! - unknowns are renamed by where they stand.
//!
//! A standing *covers* another of the same node if some choice of terms for its unknowns gives the values of the other,
//! under a condition that follows from that of the other: then it means all valuations that the other means.

use std::rc::Rc;

use choros_data::{Op, Term, TermKind, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::conditions::{Conditions, conjuncts};
use super::walk::{Ground, Stopped};

/// One place where the model may stand.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Standing {
    pub(crate) node: u32,
    /// One per live variable of the node.
    pub(crate) values: Rc<[Term]>,
    pub(crate) condition: Term,
}

impl Standing {
    /// The standing in its usual form; `None` if its condition cannot hold.
    pub(crate) fn settled(
        node: u32,
        mut values: Vec<Term>,
        condition: Term,
        live: &[Var],
        conditions: &mut Conditions,
        ground: &mut Ground<'_>,
    ) -> Result<Option<Standing>, Stopped> {
        let condition = ground.terms.simplify(condition);
        let condition = unite(&mut values, condition, conditions, ground.terms);
        let condition = conditions.forget(condition, &values, ground)?;
        if !conditions.possible(condition, ground)? {
            return Ok(None);
        }
        let condition = rename(&mut values, condition, live, conditions, ground.terms);
        Ok(Some(Standing {
            node,
            values: values.into(),
            condition,
        }))
    }

    /// Whether some of its values can be anything.
    pub(crate) fn is_general(&self, conditions: &Conditions, terms: &Terms) -> bool {
        let mut values = self.values.iter();
        values.any(|&value| {
            let variable = terms.as_variable(value);
            variable.is_some_and(|it| conditions.is_unknown(it))
        })
    }

    /// Whether it means all that the other standing of the same node means.
    pub(crate) fn covers(
        &self,
        other: &Standing,
        conditions: &mut Conditions,
        ground: &mut Ground<'_>,
    ) -> Result<bool, Stopped> {
        let mut chosen: FxHashMap<Var, Term> = FxHashMap::default();
        let mut compound: Vec<(Term, Term)> = Vec::new();
        for (&own, &its) in self.values.iter().zip(other.values.iter()) {
            let variable = ground.terms.as_variable(own);
            match variable.filter(|it| conditions.is_unknown(*it)) {
                Some(unknown) => {
                    if *chosen.entry(unknown).or_insert(its) != its {
                        return Ok(false);
                    }
                }
                None if own == its && !conditions.has_unknowns(own, ground.terms) => {}
                None if conditions.has_unknowns(own, ground.terms) => compound.push((own, its)),
                None => return Ok(false),
            }
        }
        let is_chosen = |term: Term, terms: &Terms| {
            let variables = terms.free_variables(term);
            let mut unknowns = variables.iter().filter(|it| conditions.is_unknown(**it));
            unknowns.all(|it| chosen.contains_key(it))
        };
        let mut terms_of_own = compound.iter().map(|(own, _)| *own);
        if !is_chosen(self.condition, ground.terms)
            || !terms_of_own.all(|own| is_chosen(own, ground.terms))
        {
            return Ok(false);
        }
        for (own, its) in compound {
            let own = ground.terms.substitute(own, &chosen);
            if ground.terms.simplify(own) != its {
                return Ok(false);
            }
        }
        let condition = ground.terms.substitute(self.condition, &chosen);
        conditions.implied(other.condition, condition, ground)
    }
}

/// Replaces unknowns by what the condition says that they are.
fn unite(
    values: &mut [Term],
    mut condition: Term,
    conditions: &Conditions,
    terms: &mut Terms,
) -> Term {
    loop {
        let parts = conjuncts(condition, terms);
        let Some((unknown, is)) = parts
            .into_iter()
            .find_map(|it| equated(it, conditions, terms))
        else {
            return condition;
        };
        let replaced: FxHashMap<Var, Term> = [(unknown, is)].into_iter().collect();
        for value in values.iter_mut() {
            let new = terms.substitute(*value, &replaced);
            *value = terms.simplify(new);
        }
        condition = terms.substitute(condition, &replaced);
        condition = terms.simplify(condition);
    }
}

/// An unknown, and the variable or constant of its sort that a formula equates it with.
fn equated(formula: Term, conditions: &Conditions, terms: &Terms) -> Option<(Var, Term)> {
    let TermKind::Apply(Op::Equal, &[left, right]) = terms.kind(formula) else {
        return None;
    };
    let unknown = |term: Term| {
        let variable = terms.as_variable(term);
        variable.filter(|it| conditions.is_unknown(*it))
    };
    let is_plain = |term: Term| terms.as_variable(term).is_some() || terms.value(term).is_some();
    if left == right || terms.sort_of(left) != terms.sort_of(right) {
        return None;
    }
    match (unknown(left), unknown(right)) {
        (_, Some(unknown)) if is_plain(left) => Some((unknown, left)),
        (Some(unknown), _) if is_plain(right) => Some((unknown, right)),
        _ => None,
    }
}

/// Names unknowns by where they stand: after the live variable whose value they are, then in the order of occurrence.
fn rename(
    values: &mut [Term],
    condition: Term,
    live: &[Var],
    conditions: &mut Conditions,
    terms: &mut Terms,
) -> Term {
    let mut renamed: FxHashMap<Var, Term> = FxHashMap::default();
    let mut taken: FxHashSet<Var> = FxHashSet::default();
    let mut is_same = true;
    let places = values
        .iter()
        .zip(live)
        .map(|(&value, &it)| (value, Some(it)));
    let places: Vec<(Term, Option<Var>)> = places.chain([(condition, None)]).collect();
    for (term, place) in places {
        for unknown in terms.free_variables(term) {
            if !conditions.is_unknown(unknown) || renamed.contains_key(&unknown) {
                continue;
            }
            let is_whole = terms.as_variable(term) == Some(unknown);
            let sort = terms.variable_sort(unknown);
            let model = match place.filter(|it| is_whole && terms.variable_sort(*it) == sort) {
                Some(place) => place,
                None => conditions.made_for(unknown),
            };
            let new = conditions.fresh(model, &taken, terms);
            taken.insert(new);
            is_same &= new == unknown;
            let new = terms.var(new);
            renamed.insert(unknown, new);
        }
    }
    if is_same {
        return condition;
    }
    for value in values.iter_mut() {
        *value = terms.substitute(*value, &renamed);
    }
    terms.substitute(condition, &renamed)
}
