//! Operators over paths if only fair runs count: `A … U`, and `E … W`, which is the complement of one.
//!
//! Below is what ranks show with assumptions that help; above is the complement of where a fair run is known that
//! avoids what is sought. The latter is a greatest set: from each of its states a run comes to such a state again and
//! serves the first assumption on its way, and so for each of the others.

use choros_query::socl::Quantifier;

use crate::bounds::{Bounds, Side};
use crate::evaluate::{Evaluator, Path, Shape, Solved};
use crate::fair::{Avoided, Fair};
use crate::least::{Layer, Least};
use crate::problem::Problem;
use crate::stop::Stop;
use choros_data::Term;

/// How often the set of states from which a fair run avoids something is made smaller.
const ROUNDS_RECURRENT: usize = 4;

/// Where a fair run avoids what is sought.
struct Recurrent {
    /// By place, with the first assumption to be served next.
    sets: Vec<Term>,
    /// For each assumption, how it is found that a run serves it.
    turns: Vec<Vec<Layer>>,
    /// Whether nothing was left out.
    is_settled: bool,
}

impl Evaluator<'_, '_> {
    /// What was found of an operator, if only fair runs count.
    pub(crate) fn fairly(&mut self, solved: Solved, shape: &Shape<'_>) -> Result<Solved, Stop> {
        let is_endless = shape.weak == (shape.quantifier == Quantifier::Some);
        let (Some(fair), true) = (self.fair, is_endless) else {
            return Ok(solved);
        };
        let Some(plain) = solved.path else {
            return Ok(solved);
        };
        let problem = plain.problem;
        let mut avoided = self.avoided(&problem, fair, &plain.solution)?;
        let (mut solution, mut layers) = self.ranked(&problem, fair, &avoided.sets)?;
        if !avoided.is_settled && !solution.iter().all(|it| it.is_exact()) {
            // What the ranks show is left out at once.
            avoided = self.avoided(&problem, fair, &solution)?;
            (solution, layers) = self.ranked(&problem, fair, &avoided.sets)?;
        }
        for (place, found) in solution.iter_mut().enumerate() {
            let premise = self.prover.terms.and([self.known[place], found.high]);
            if self.prover.implies(premise, found.low)? {
                *found = Bounds::exactly(found.low);
            }
        }
        let terms = &mut *self.prover.terms;
        let sets = if shape.weak {
            solution.iter().map(|it| it.not(terms)).collect()
        } else {
            solution.clone()
        };
        let path = Path {
            problem,
            solution,
            dual: shape.weak,
            layers,
            turns: avoided.turns,
        };
        Ok(Solved {
            sets,
            path: Some(path),
        })
    }

    /// The two sides of where all fair runs come to what is sought.
    fn ranked(
        &mut self,
        problem: &Problem,
        fair: &Fair,
        avoided: &[Term],
    ) -> Result<(Vec<Bounds>, Vec<Layer>), Stop> {
        let mut solution = vec![Bounds::FALSE; self.graph.steps.len()];
        let mut least = Least {
            problem,
            graph: self.graph,
            known: self.known,
            prover: self.prover,
            solved: &mut solution,
            layers: Vec::new(),
            end: u64::MAX,
            fair: Some(Avoided {
                fair,
                sets: avoided,
            }),
        };
        least.run()?;
        let layers = least.layers;
        Ok((solution, layers))
    }

    /// Where a fair run avoids what is sought, within the complement of what is known of its low side.
    fn avoided(
        &mut self,
        problem: &Problem,
        fair: &Fair,
        known: &[Bounds],
    ) -> Result<Recurrent, Stop> {
        let mut sets: Vec<Term> = Vec::new();
        for (place, known) in known.iter().enumerate() {
            let not = self.prover.terms.not(known.low);
            sets.push(self.prover.lean(not, self.known[place])?);
        }
        for _ in 0..ROUNDS_RECURRENT {
            let found = self.turns(problem, fair, &sets)?;
            if found.is_settled {
                return Ok(found);
            }
            // A state from which one of them is not served is left out.
            let smaller = found.sets;
            if smaller.iter().any(|&it| self.prover.is_too_large(it)) {
                break;
            }
            sets = smaller;
        }
        // Runs that end, or that leave the way, avoid it whatever is fair.
        let none = vec![Term::FALSE; sets.len()];
        let mut found = self.turns(problem, fair, &none)?;
        found.is_settled = false;
        Ok(found)
    }

    /// From where a run serves each assumption and is in one of these sets then; settled if that is so in all of them,
    /// and otherwise the sets are those where it is.
    fn turns(&mut self, problem: &Problem, fair: &Fair, sets: &[Term]) -> Result<Recurrent, Stop> {
        let count = self.graph.steps.len();
        let mut turns = Vec::new();
        let mut first = Vec::new();
        let mut smaller = sets.to_vec();
        let mut is_settled = true;
        for assumption in 0..fair.count() {
            let turn = self.turn(problem, fair, assumption, sets);
            let mut solution = vec![Bounds::FALSE; count];
            let mut least = Least {
                problem: &turn,
                graph: self.graph,
                known: self.known,
                prover: self.prover,
                solved: &mut solution,
                layers: Vec::new(),
                end: u64::MAX,
                fair: None,
            };
            least.run()?;
            turns.push(least.layers);
            for place in 0..count {
                let low = solution[place].low;
                let premise = self.prover.terms.and([self.known[place], sets[place]]);
                if !self.prover.implies(premise, low)? {
                    is_settled = false;
                    let both = self.prover.terms.and([smaller[place], low]);
                    smaller[place] = self.prover.lean(both, self.known[place])?;
                }
            }
            if assumption == 0 {
                first = solution.iter().map(|it| it.at(Side::Low)).collect();
            }
        }
        Ok(Recurrent {
            sets: if is_settled { first } else { smaller },
            turns,
            is_settled,
        })
    }

    /// The equations of where a run avoids what is sought until it ends, or until it serves an assumption and is in one
    /// of these sets.
    pub(crate) fn turn(
        &mut self,
        problem: &Problem,
        fair: &Fair,
        assumption: usize,
        sets: &[Term],
    ) -> Problem {
        let terms = &mut *self.prover.terms;
        let (mut base, mut keep, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for (place, leaving) in self.graph.steps.iter().enumerate() {
            let not_now = problem.base[place].not(terms);
            let leaves = problem.keep[place].not(terms);
            let stuck = self.graph.enabled[place].not(terms);
            let free = Bounds::or(&[leaves, stuck], terms);
            base.push(Bounds::and(&[not_now, free], terms));
            keep.push(not_now);
            let mut here = Vec::new();
            for (index, step) in leaving.iter().enumerate() {
                let (now, on) = problem.steps[place][index];
                let (bad, stops) = (now.not(terms), on.not(terms));
                let served = fair.served(assumption, place, index, terms);
                let there = terms.substitute(sets[step.target], &step.after);
                let there = Bounds::and(&[served, Bounds::exactly(there)], terms);
                let settled = Bounds::or(&[stops, there], terms);
                here.push((Bounds::and(&[bad, settled], terms), bad));
            }
            steps.push(here);
        }
        Problem {
            quantifier: Quantifier::Some,
            base,
            keep,
            steps,
        }
    }
}
