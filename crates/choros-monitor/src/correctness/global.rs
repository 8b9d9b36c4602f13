//! Definition 20: a global property against a choreography.
//!
//! The verdict of a local property on a run is a formula over the run's values: some window passes and none fails.
//! So one question per run decides whether the global property can fail on it.
//! Runs count that have come to an end: on the beginning of a run the premises may have passed while the rest is still
//! to come, and every global property would be incorrect.

use choros_base::Budget;
use choros_data::{Term, Terms, Var};
use choros_model::evidence::{Evidence, Tree};
use choros_model::stg::Stg;
use choros_model::{Bound, Verdict};
use choros_query::property::{GlobalProperty, Properties, Property, Sense, Window};
use choros_smt::{Satisfiability, Solver, SolverError};

use super::validate::{Values, agree, validates, view};
use super::walk::{Place, Seen, start, steps};
use super::{
    CorrectnessBounds, MAX_SILENT, Solved, beyond_models, concrete, sentence, solve, unknown,
};

/// Whether a global property is correct for a choreography: each of its local properties passes on some run, it fails
/// on none, and passes on some.
pub(super) fn check_global(
    global: &GlobalProperty,
    properties: &Properties,
    stg: &Stg,
    bounds: &CorrectnessBounds,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Verdict, SolverError> {
    let mut locals: Vec<&Property> = Vec::new();
    for name in global.when.iter().chain(&global.then) {
        let Some(property) = properties.local(name) else {
            return Ok(unknown(format!("`{name}` is not there"), None));
        };
        if let Some(reason) = beyond_models(property) {
            return Ok(unknown(format!("`{name}`: {reason}"), None));
        }
        locals.push(property);
    }
    let parameters = stg.parameters(terms);
    let mut search = GlobalSearch {
        stg,
        parameters,
        terms,
        solver,
        doubt: None,
    };
    let mut passes: Vec<Option<Evidence>> = vec![None; locals.len()];
    let mut pass: Option<Evidence> = None;
    let mut pending: Vec<(Place, usize)> = vec![(start(stg), 0)];
    let budget: &Budget = &bounds.budget;
    while let Some((place, silent)) = pending.pop() {
        if budget.spend().is_err() {
            search.give_up(
                "the search was ended before its end",
                Some(Bound::States(None)),
            );
            break;
        }
        let ended = stg.termination(place.node, search.terms);
        if ended != Term::FALSE {
            // The guards of terminations are over the values of the place, which its steps know how to read.
            let mut at_end = place.clone();
            let ended = super::walk::at(&place, ended, search.terms);
            at_end.conditions.push(ended);
            let verdicts: Vec<(Term, Term)> = locals
                .iter()
                .map(|property| search.windows(property, &at_end))
                .collect();
            let passed: Vec<Term> = verdicts
                .iter()
                .map(|&(pass, fail)| {
                    let no_failure = search.terms.not(fail);
                    search.terms.and([pass, no_failure])
                })
                .collect();
            let when = search
                .terms
                .and(passed[..global.when.len()].iter().copied());
            let then = search.terms.or(passed[global.when.len()..].iter().copied());
            let not_then = search.terms.not(then);
            let (good, bad) = match global.sense {
                Sense::Expect => (then, not_then),
                Sense::Never => (not_then, then),
            };
            if let Some(evidence) = search.run(
                &at_end,
                &[when, bad],
                &format!("`{}` fails on this run", global.name),
            )? {
                return Ok(Verdict::Fails(evidence));
            }
            if pass.is_none() {
                pass = search.run(
                    &at_end,
                    &[when, good],
                    &format!("`{}` passes on this run", global.name),
                )?;
            }
            for (number, property) in locals.iter().enumerate() {
                if passes[number].is_none() {
                    let words = format!("`{}` passes on this run", property.name);
                    passes[number] = search.run(&at_end, &[passed[number]], &words)?;
                }
            }
        }
        for next in steps(stg, &place, search.terms) {
            let is_silent = next.messages.len() == place.messages.len();
            if next.messages.len() > bounds.depth || (is_silent && silent >= MAX_SILENT) {
                let bound = Bound::Depth(Some(bounds.depth as u64 * 2));
                search.give_up("some runs are longer than the bound", Some(bound));
                continue;
            }
            match search.solver.satisfiable(search.terms, &next.conditions)? {
                Satisfiability::Unsat => {}
                _ => pending.push((next, if is_silent { silent + 1 } else { 0 })),
            }
        }
    }
    if let Some((reason, bound)) = search.doubt {
        return Ok(unknown(reason, bound));
    }
    if let Some(number) = passes.iter().position(Option::is_none) {
        let name = &locals[number].name;
        return Ok(Verdict::Fails(sentence(format!(
            "`{name}` passes on no run of the model"
        ))));
    }
    Ok(match pass {
        None => Verdict::Fails(sentence(format!(
            "`{}` passes on no run of the model",
            global.name
        ))),
        Some(evidence) => Verdict::Holds(Evidence::Tree(Tree {
            claim: format!("`{}` fails on no run, and passes on some", global.name),
            origin: None,
            evidence: Some(Box::new(evidence)),
            because: Vec::new(),
        })),
    })
}

struct GlobalSearch<'a> {
    stg: &'a Stg,
    parameters: Vec<Var>,
    terms: &'a mut Terms,
    solver: &'a mut dyn Solver,
    doubt: Option<(String, Option<Bound>)>,
}

impl GlobalSearch<'_> {
    /// When some window of a property passes on a run, and when some window fails.
    fn windows(&mut self, property: &Property, run: &Place) -> (Term, Term) {
        let service = property.service.as_deref();
        let log: Vec<(choros_model::stg::Direction, Seen)> = run
            .messages
            .iter()
            .filter_map(|seen| Some((view(seen, service, self.terms)?, seen.clone())))
            .collect();
        let Window::Messages(length) = property.window else {
            return (Term::FALSE, Term::FALSE);
        };
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let (mut met_somewhere, mut unmet_somewhere) = (Vec::new(), Vec::new());
        for first in 0..log.len() {
            let mut values = Values::default();
            let mut context = Vec::new();
            let mut is_seen = true;
            for (number, event) in property.context.iter().enumerate() {
                let message = log.get(first + number);
                let validated = message.and_then(|(direction, seen)| {
                    let agreed = agree(property, &log[first].1, seen, self.terms)?;
                    let (condition, values) =
                        validates(event, seen, *direction, &values, self.terms)?;
                    Some((agreed, condition, values))
                });
                let Some((agreed, condition, after)) = validated else {
                    is_seen = false;
                    break;
                };
                context.extend([agreed, condition]);
                values = after;
            }
            if !is_seen {
                continue;
            }
            let from = first + property.context.len();
            let mut met = Vec::new();
            for (direction, seen) in log.iter().skip(from).take(length) {
                for event in &property.consequence {
                    let agreed = agree(property, &log[first].1, seen, self.terms);
                    let validated = validates(event, seen, *direction, &values, self.terms);
                    if let (Some(agreed), Some((condition, _))) = (agreed, validated) {
                        met.push(self.terms.and([agreed, condition]));
                    }
                }
            }
            let context = self.terms.and(context);
            let met = self.terms.or(met);
            let unmet = self.terms.not(met);
            met_somewhere.push(self.terms.and([context, met]));
            if log.len() - from.min(log.len()) >= length {
                unmet_somewhere.push(self.terms.and([context, unmet]));
            }
        }
        let (met, unmet) = (self.terms.or(met_somewhere), self.terms.or(unmet_somewhere));
        match property.sense {
            Sense::Expect => (met, unmet),
            Sense::Never => (unmet, met),
        }
    }

    /// The run with values that make further conditions true, if there are any.
    fn run(
        &mut self,
        place: &Place,
        further: &[Term],
        conclusion: &str,
    ) -> Result<Option<Evidence>, SolverError> {
        let mut conditions = place.conditions.clone();
        conditions.extend_from_slice(further);
        if conditions.contains(&Term::FALSE) {
            return Ok(None);
        }
        let brought = place
            .taken
            .iter()
            .flat_map(|(_, brought)| brought.iter().copied());
        let variables: Vec<Var> = self.parameters.iter().copied().chain(brought).collect();
        match solve(&conditions, &variables, self.terms, self.solver)? {
            Solved::No => Ok(None),
            Solved::Unknown(reason) => {
                self.give_up(&reason, Some(Bound::SolverBudget(None)));
                Ok(None)
            }
            Solved::Yes(values) => {
                match concrete(self.stg, place, &values, &self.parameters, self.terms) {
                    Some(mut trace) => {
                        trace.conclusion = conclusion.to_owned();
                        Ok(Some(Evidence::Trace(trace)))
                    }
                    None => {
                        self.give_up("a run that was found could not be repeated", None);
                        Ok(None)
                    }
                }
            }
        }
    }

    fn give_up(&mut self, reason: &str, bound: Option<Bound>) {
        self.doubt.get_or_insert((reason.to_owned(), bound));
    }
}
