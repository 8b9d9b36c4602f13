//! Fairness for all data: bounds from both sides.
//!
//! From every state there is a fair path (take, of the assumed steps that can be taken, the one that has waited
//! longest), so for assumptions of weak fairness
//!
//! - what all paths do, all fair paths do, and what all fair paths do, some path does;
//! - what some fair path does, some path does, and what all paths do, some fair path does.
//!
//! This concerns `A … U` and `E … W` only: the other operators fail or hold by finite paths, which can be continued
//! fairly.
//! And a path that ends is fair: what a path that ends refutes or shows is settled.
//! What lies between is not.

use choros_query::socl::Quantifier;

use crate::bounds::Bounds;
use crate::environment::Environment;
use crate::evaluate::{Evaluator, Shape, Solved};
use crate::stop::Stop;

impl Evaluator<'_, '_> {
    /// What was found of an operator, if only fair paths count.
    pub(crate) fn fairly(
        &mut self,
        solved: Solved,
        shape: &Shape<'_>,
        environment: &Environment,
    ) -> Result<Solved, Stop> {
        let is_endless = shape.weak == (shape.quantifier == Quantifier::Some);
        if !self.is_fair || !is_endless {
            return Ok(solved);
        }
        let other = Shape {
            quantifier: match shape.quantifier {
                Quantifier::Some => Quantifier::All,
                Quantifier::All => Quantifier::Some,
            },
            ..*shape
        };
        let other = self.path(&other, environment)?;
        let by_end = Shape {
            weak: !shape.weak,
            ends: true,
            ..*shape
        };
        let by_end = self.path(&by_end, environment)?;
        let terms = &mut *self.prover.terms;
        let (mut sets, mut is_exact) = (Vec::new(), true);
        for ((plain, other), by_end) in solved.sets.iter().zip(&other.sets).zip(&by_end.sets) {
            let fair = match shape.quantifier {
                Quantifier::All => Bounds {
                    low: plain.low,
                    high: terms.and([other.high, by_end.high]),
                },
                Quantifier::Some => Bounds {
                    low: terms.or([other.low, by_end.low]),
                    high: plain.high,
                },
            };
            is_exact &= fair.is_exact();
            sets.push(fair);
        }
        if !is_exact {
            let doubt = "what needs fairness is not settled for all data";
            self.prover.doubt.get_or_insert_with(|| doubt.to_owned());
        }
        let path = match shape.quantifier {
            Quantifier::All => by_end.path,
            Quantifier::Some => None,
        };
        Ok(Solved { sets, path })
    }
}
