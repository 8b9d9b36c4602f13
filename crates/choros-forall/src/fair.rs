//! Weak fairness: of which steps the assumptions are, where they are possible, and where they help.
//!
//! An endless run is fair to an assumption if it takes one of its steps again and again, or comes again and again to
//! states in which none is possible.

use choros_base::Names;
use choros_certify::Helpful;
use choros_data::{Quantifier, Term, Terms};
use choros_query::socl::{Actions, Arity};

use crate::bounds::{Bounds, Side};
use crate::environment::Environment;
use crate::matching::Matching;
use crate::prover::Prover;
use crate::stop::Stop;
use crate::symbolic::{Step, Symbolic};

/// More orders of assumptions than this are not tried.
const MAX_ORDERS: usize = 6;

/// The assumptions, as a graph has them.
pub(crate) struct Fair {
    /// By assumption, place and step: when it is a step of it.
    steps: Vec<Vec<Vec<Term>>>,
    /// By assumption and place: where such a step is possible.
    possible: Vec<Vec<Bounds>>,
}

/// Fairness counts, and where a fair run is known that avoids what is sought.
#[derive(Clone, Copy)]
pub(crate) struct Avoided<'a> {
    pub(crate) fair: &'a Fair,
    pub(crate) sets: &'a [Term],
}

/// Which assumption helps where: a run that never takes its steps is not fair.
pub(crate) struct Helping {
    /// By place: assumptions and when they help; no two of them at once.
    at: Vec<Vec<(usize, Term)>>,
    /// By place, step and position in the list: when it is a step of the assumption.
    steps: Vec<Vec<Vec<Term>>>,
}

impl Fair {
    /// Nothing without assumptions.
    pub(crate) fn new(
        graph: &Symbolic<'_>,
        assumed: &[Actions],
        names: &Names,
        arity: Arity,
        prover: &mut Prover<'_>,
    ) -> Result<Option<Fair>, Stop> {
        let environment = Environment::new();
        let matching = Matching {
            names,
            arity,
            environment: &environment,
            variables: &graph.variables,
        };
        let mut fair = Fair {
            steps: Vec::new(),
            possible: Vec::new(),
        };
        for actions in assumed {
            let (mut steps, mut possible) = (Vec::new(), Vec::new());
            for leaving in &graph.steps {
                let (mut here, mut some) = (Vec::new(), Vec::new());
                for step in leaving {
                    let fits = matching.condition(actions, &step.actions, prover.terms)?;
                    let body = prover.terms.and([step.condition, fits]);
                    let [low, high] = [Side::Low, Side::High]
                        .map(|side| prover.eliminate(Quantifier::Exists, &step.fresh, body, side));
                    some.push(Bounds {
                        low: low?,
                        high: high?,
                    });
                    here.push(fits);
                }
                steps.push(here);
                possible.push(Bounds::or(&some, prover.terms));
            }
            fair.steps.push(steps);
            fair.possible.push(possible);
        }
        Ok((!assumed.is_empty()).then_some(fair))
    }

    pub(crate) fn count(&self) -> usize {
        self.steps.len()
    }

    /// When a step serves an assumption: it is one of it, or none is possible before it.
    pub(crate) fn served(
        &self,
        assumption: usize,
        place: usize,
        step: usize,
        terms: &mut Terms,
    ) -> Bounds {
        let own = Bounds::exactly(self.steps[assumption][place][step]);
        let idle = self.possible[assumption][place].not(terms);
        Bounds::or(&[own, idle], terms)
    }

    /// Which assumptions could help in a component: each alone, and the first that is possible in some orders.
    pub(crate) fn helping(&self, component: &[usize], terms: &mut Terms) -> Vec<Helping> {
        let is_there = |it: &usize| {
            let mut places = component.iter();
            places.any(|&place| self.possible[*it][place].low != Term::FALSE)
        };
        let there: Vec<usize> = (0..self.count()).filter(is_there).collect();
        let mut orders: Vec<Vec<usize>> = there.iter().map(|&it| vec![it]).collect();
        if there.len() > 1 {
            orders.push(there.iter().rev().copied().collect());
            for turn in 0..there.len() {
                let mut order = there.clone();
                order.rotate_left(turn);
                if !orders.contains(&order) {
                    orders.push(order);
                }
            }
        }
        // All together first: what one alone settles they do too.
        orders.reverse();
        orders.truncate(MAX_ORDERS);
        orders
            .into_iter()
            .map(|order| self.first_of(&order, terms))
            .collect()
    }

    /// The first of these that is possible helps.
    fn first_of(&self, order: &[usize], terms: &mut Terms) -> Helping {
        let (mut at, mut steps) = (Vec::new(), Vec::new());
        for place in 0..self.steps[0].len() {
            let mut before = Vec::new();
            let mut here = Vec::new();
            for &assumption in order {
                let possible = self.possible[assumption][place].low;
                if possible == Term::FALSE {
                    continue;
                }
                let helps = terms.and(before.iter().copied().chain([possible]));
                here.push((assumption, terms.simplify(helps)));
                before.push(terms.not(possible));
            }
            let of = |step: usize| here.iter().map(move |it| self.steps[it.0][place][step]);
            let count = self.steps[0][place].len();
            steps.push((0..count).map(|step| of(step).collect()).collect());
            at.push(here);
        }
        Helping { at, steps }
    }
}

impl Helping {
    /// When the same assumption helps before and after a step that is not one of it.
    pub(crate) fn waits(
        &self,
        place: usize,
        (index, step): (usize, &Step),
        terms: &mut Terms,
    ) -> Term {
        let mut ways = Vec::new();
        for (position, &(assumption, here)) in self.at[place].iter().enumerate() {
            let own = self.steps[place][index][position];
            let mut after = self.at[step.target].iter();
            let Some(&(_, there)) = after.find(|it| it.0 == assumption) else {
                continue;
            };
            let other = terms.not(own);
            let there = terms.substitute(there, &step.after);
            ways.push(terms.and([here, other, there]));
        }
        terms.or(ways)
    }

    /// As a certificate has it, at some places.
    pub(crate) fn written(&self, places: impl Iterator<Item = usize>) -> Vec<Helpful> {
        let mut found = Vec::new();
        for place in places {
            for &(assumption, condition) in &self.at[place] {
                found.push(Helpful {
                    place: place as u32,
                    assumption: assumption as u32,
                    condition,
                });
            }
        }
        found
    }
}
