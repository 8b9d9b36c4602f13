//! A difference that is there whatever an implementation does beyond what is known of it.
//!
//! The graph of the implementation may lack steps, for instance because a queue was full.
//! Every step that it has is real; at some nodes there are more, and of these only so much is known: which messages and
//! whether an end can be the first visible thing after them ([`OpenEnds`]).
//!
//! The equations are solved with every clause left out that an unknown step could answer: a challenge of the
//! specification, where silence leads to a node beyond which it may be possible.
//! What the implementation is seen to do has to be answered in any case.
//! So the true relation solves the remaining clauses, and is below their greatest solution; where that does not relate
//! the initial nodes, the implementation does not conform.
//! A parameter that only one side has is a guess of that side, and has to be right whatever it is: only those that both
//! share may be the subject of a condition.

use choros_base::Budget;
use choros_certify::sides;
use choros_data::{Quantifier, Term, Terms, Var};
use choros_model::evidence::Trace;
use choros_model::stg::Stg;
use choros_smt::{Satisfiability, Solver, SolverError};

use crate::above::from_above;
use crate::beyond::OpenEnds;
use crate::clauses::System;
use crate::conformance::Setup;
use crate::distinguish::distinguish;
use crate::pairs::Pairs;

/// A run to a challenge that nothing answers, whatever an implementation does beyond its graph.
///
/// `None` says nothing: it may conform or not.
pub fn refutation(
    implementation: &Stg,
    specification: &Stg,
    beyond: &OpenEnds,
    setup: &Setup,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Option<Trace>, SolverError> {
    let sides = sides(implementation, specification, &setup.shared, terms);
    let mut system = System::new(&sides, setup.allow_fixed, terms).with(beyond);
    let Ok(pairs) = Pairs::explore(&mut system, &sides.shared, terms, budget) else {
        return Ok(None);
    };
    let above = from_above(
        &mut system,
        &pairs,
        setup.most_changes,
        terms,
        solver,
        budget,
    )?;
    let initial = above.now(0);
    let mut guessed: Vec<Var> = terms.free_variables(initial).into_iter().collect();
    guessed.retain(|it| {
        !sides
            .shared
            .iter()
            .any(|pair| pair.0 == *it || pair.1 == *it)
    });
    let whatever_is_guessed = terms.quantify(Quantifier::Forall, &guessed, initial);
    let condition = solver.eliminate(terms, whatever_is_guessed)?.term();
    if condition == Term::TRUE || solver.satisfiable(terms, &[condition])? != Satisfiability::Unsat
    {
        return Ok(None);
    }
    distinguish(&mut system, &pairs, &above, Term::TRUE, None, terms, solver)
}
