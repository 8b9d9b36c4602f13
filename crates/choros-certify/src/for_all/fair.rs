//! What fairness adds to one unfolding of an operator over paths.
//!
//! An endless run is fair to an assumption if it takes one of its steps again and again, or comes again and again to
//! states in which none is possible.

use choros_data::{Term, Terms};
use choros_query::socl::Quantifier;

use super::builder::Builder;
use super::graph::{OpenGraph, Values};
use super::obligations::{Later, Obligations};
use super::paths::Paths;
use crate::flaw::Flaw;

/// What fairness adds at the place of a set.
#[derive(Default)]
pub(super) struct Fair {
    /// Whether it counts that an endless run is fair.
    pub(super) counts: bool,
    /// Where a run goes on forever: for each step, whether the assumption whose turn it is is served.
    pub(super) served: Vec<Term>,
    /// Where going on forever would not do: for each step, whether what helps goes on waiting.
    pub(super) waits: Vec<Term>,
    /// Where an assumption helps, and for each step whether it is of the assumption.
    helpful: Vec<(Term, Vec<Term>)>,
}

/// Whether fairness counts for a claim about an operator over paths: for runs that go on forever, and for all runs.
pub(super) fn counts(paths: &Paths<'_>, truth: bool) -> bool {
    let is_endless = paths.weak == truth;
    let is_choice = (paths.quantifier == Quantifier::Some) == truth;
    is_endless == is_choice
}

impl Fair {
    pub(super) fn of(
        obligations: &Obligations<'_>,
        later: &Later,
        paths: &Paths<'_>,
        place: u32,
        terms: &mut Terms,
    ) -> Result<Fair, Flaw> {
        let claim = &obligations.part.claims[later.claim];
        let mut fair = Fair {
            counts: !obligations.asked.fair.is_empty() && counts(paths, claim.truth),
            ..Fair::default()
        };
        if !fair.counts {
            return Ok(fair);
        }
        let graph = obligations.graph;
        let stage = &claim.stages[later.stage];
        if paths.weak == claim.truth {
            let steps = of_assumption(obligations, stage.turn, place, terms)?;
            // Whether some step of it is possible, for values that the solver may look for: it is a premise there.
            let mut possible = Vec::new();
            for (step, &matches) in graph.steps[place as usize].iter().zip(&steps) {
                let both = terms.and([step.condition, matches]);
                let mut values = Values::default();
                for &new in &step.fresh {
                    let other = terms.fresh_variable(new);
                    values.insert(new, terms.var(other));
                }
                possible.push(terms.substitute(both, &values));
            }
            let possible = terms.or(possible);
            let idle = terms.not(possible);
            fair.served = steps.iter().map(|&it| terms.or([it, idle])).collect();
            return Ok(fair);
        }
        let at = |wanted: u32, assumption: u32| {
            let mut all = stage.helpful.iter();
            let found = all.find(|it| it.place == wanted && it.assumption == assumption);
            found.map(|it| it.condition)
        };
        let here: Vec<_> = stage
            .helpful
            .iter()
            .filter(|it| it.place == place)
            .collect();
        if here.is_empty() {
            return Ok(fair);
        }
        for helpful in &here {
            let condition = terms.close(helpful.condition);
            let steps = of_assumption(obligations, helpful.assumption, place, terms)?;
            fair.helpful.push((condition, steps));
        }
        for (index, step) in graph.steps[place as usize].iter().enumerate() {
            let some = terms.or(fair.helpful.iter().map(|it| it.0));
            let mut all = vec![some];
            for (helpful, (condition, steps)) in here.iter().zip(&fair.helpful) {
                let there = match at(step.target, helpful.assumption) {
                    Some(there) => terms.close(there),
                    None => Term::FALSE,
                };
                let there = terms.substitute(there, &step.after);
                let other = terms.not(steps[index]);
                let goes_on = terms.and([other, there]);
                all.push(terms.implies(*condition, goes_on));
            }
            fair.waits.push(terms.and(all));
        }
        Ok(fair)
    }

    /// What helps is possible.
    pub(super) fn helps(
        &self,
        built: &mut Builder,
        graph: &OpenGraph<'_>,
        place: u32,
        terms: &mut Terms,
    ) {
        for (condition, steps) in &self.helpful {
            let when = terms.and([built.premise, *condition]);
            built.need(when, graph, place, steps, terms);
        }
    }
}

/// For each step of a place, when it is one of an assumption.
fn of_assumption(
    obligations: &Obligations<'_>,
    assumption: u32,
    place: u32,
    terms: &mut Terms,
) -> Result<Vec<Term>, Flaw> {
    let Some(actions) = obligations.asked.fair.get(assumption as usize) else {
        return Err(Flaw::wrong("an assumption is named that was not made"));
    };
    let environment = Vec::new();
    let matcher = obligations.matcher(&environment);
    let steps = obligations.graph.steps[place as usize].iter();
    let found = steps.map(|step| matcher.satisfied(actions, &step.actions, terms));
    found.collect()
}
