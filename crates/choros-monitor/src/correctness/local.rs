//! Definition 18: a local property against the model of its service.

use std::collections::VecDeque;

use choros_data::{Term, Terms, Var};
use choros_model::evidence::Evidence;
use choros_model::stg::{FreeVariables, Stg};
use choros_model::{Bound, Verdict};
use choros_query::property::{Property, Sense, Window};
use choros_smt::{Solver, SolverError};
use rustc_hash::FxHashSet;

use super::validate::{Values, agree, validates, view};
use super::walk::{Key, Place, key, start, steps};
use super::{
    CorrectnessBounds, MAX_SILENT, Solved, beyond_models, concrete, judged, sentence, solve,
    unknown,
};
use crate::Outcome;

/// Whether the property is correct for the model: no trace fails, and some trace passes.
pub(super) fn check_local(
    property: &Property,
    stg: &Stg,
    bounds: &CorrectnessBounds,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Verdict, SolverError> {
    if let Some(reason) = beyond_models(property) {
        return Ok(unknown(reason, None));
    }
    let parameters = stg.parameters(terms);
    let mut search = Search {
        property,
        stg,
        bounds,
        free: FreeVariables::of(stg, terms),
        parameters,
        terms,
        solver,
        pass: None,
        doubt: None,
    };
    let failure = search.explore()?;
    let (pass, doubt) = (search.pass, search.doubt);
    if let Some(evidence) = failure {
        return Ok(Verdict::Fails(evidence));
    }
    Ok(match (doubt, pass) {
        (Some((reason, bound)), _) => unknown(reason, bound),
        (None, Some(evidence)) => Verdict::Holds(evidence),
        (None, None) => Verdict::Fails(sentence(
            "no run of the model gives Pass: the context never occurs, or no run reaches the end of its window",
        )),
    })
}

struct Search<'a> {
    property: &'a Property,
    stg: &'a Stg,
    bounds: &'a CorrectnessBounds,
    free: FreeVariables,
    parameters: Vec<Var>,
    terms: &'a mut Terms,
    solver: &'a mut dyn Solver,
    pass: Option<Evidence>,
    /// Why *holds* could not be said: the reason and the bound.
    doubt: Option<(String, Option<Bound>)>,
}

/// A window in the making.
struct InWindow {
    place: Place,
    /// How many events of the context were seen.
    matched: usize,
    values: Values,
    /// The position of the first message of the window.
    first: usize,
    /// Messages since the context.
    counted: u64,
    silent: usize,
}

impl Search<'_> {
    /// Looks at all places from which a window may begin; the evidence of a window that fails.
    fn explore(&mut self) -> Result<Option<Evidence>, SolverError> {
        let mut known: FxHashSet<Key> = FxHashSet::default();
        let first = start(self.stg);
        known.insert(key(&first, &self.free, &self.parameters, self.terms));
        let mut pending: VecDeque<(Place, usize)> = VecDeque::from([(first, 0)]);
        while let Some((place, silent)) = pending.pop_front() {
            if self.bounds.budget.spend().is_err() {
                self.give_up(
                    "the search was ended before its end",
                    Some(Bound::States(None)),
                );
                return Ok(None);
            }
            if let Some(evidence) = self.window(&place)? {
                return Ok(Some(evidence));
            }
            for next in steps(self.stg, &place, self.terms) {
                if self.possible(&next.conditions)? == Some(false) {
                    continue;
                }
                // From a place that was seen before, nothing new can come.
                if !known.insert(key(&next, &self.free, &self.parameters, self.terms)) {
                    continue;
                }
                let is_silent = next.messages.len() == place.messages.len();
                let silent = if is_silent { silent + 1 } else { 0 };
                if next.messages.len() > self.bounds.depth || silent > MAX_SILENT {
                    self.give_up("some runs are longer than the bound", Some(self.deeper()))
                } else {
                    pending.push_back((next, silent))
                }
            }
        }
        Ok(None)
    }

    /// Looks at all windows that begin with the next message.
    fn window(&mut self, from: &Place) -> Result<Option<Evidence>, SolverError> {
        let Window::Messages(length) = self.property.window else {
            return Ok(None);
        };
        let mut pending = vec![InWindow {
            place: from.clone(),
            matched: 0,
            values: Values::default(),
            first: from.messages.len(),
            counted: 0,
            silent: 0,
        }];
        while let Some(window) = pending.pop() {
            if self.bounds.budget.spend().is_err() {
                self.give_up(
                    "the search was ended before its end",
                    Some(Bound::States(None)),
                );
                return Ok(None);
            }
            for next in steps(self.stg, &window.place, self.terms) {
                let seen = if next.messages.len() == window.place.messages.len() {
                    None
                } else {
                    next.messages.last().cloned()
                };
                let service = self.property.service.as_deref();
                let viewed = seen.and_then(|seen| Some((view(&seen, service, self.terms)?, seen)));
                let Some((direction, seen)) = viewed else {
                    // The first message of a window that no one sees belongs to the way to it.
                    if window.matched == 0 {
                        continue;
                    }
                    if window.silent >= MAX_SILENT {
                        self.give_up("some runs are longer than the bound", Some(self.deeper()));
                        continue;
                    }
                    if self.possible(&next.conditions)? != Some(false) {
                        pending.push(InWindow {
                            place: next,
                            matched: window.matched,
                            values: window.values.clone(),
                            first: window.first,
                            counted: window.counted,
                            silent: window.silent + 1,
                        });
                    }
                    continue;
                };
                let first = match window.matched {
                    0 => seen.clone(),
                    _ => next.messages[window.first].clone(),
                };
                let agreed = agree(self.property, &first, &seen, self.terms);
                if let Some(event) = self.property.context.get(window.matched) {
                    let validated = validates(event, &seen, direction, &window.values, self.terms);
                    let (Some(agreed), Some((condition, values))) = (agreed, validated) else {
                        continue;
                    };
                    let mut place = next;
                    place.conditions.extend([agreed, condition]);
                    if self.possible(&place.conditions)? != Some(false) {
                        pending.push(InWindow {
                            first: match window.matched {
                                0 => place.messages.len() - 1,
                                _ => window.first,
                            },
                            place,
                            matched: window.matched + 1,
                            values,
                            counted: 0,
                            silent: 0,
                        });
                    }
                    continue;
                }
                let mut met: Vec<Term> = Vec::new();
                for event in &self.property.consequence {
                    let validated = validates(event, &seen, direction, &window.values, self.terms);
                    if let (Some(agreed), Some((condition, _))) = (agreed, validated) {
                        let both = self.terms.and([agreed, condition]);
                        met.push(both);
                    }
                }
                let met = self.terms.or(met);
                let unmet = self.terms.not(met);
                let with = |condition: Term| {
                    let mut place = next.clone();
                    place.conditions.push(condition);
                    place
                };
                let (answered, open) = (with(met), with(unmet));
                if met != Term::FALSE
                    && let Some(evidence) = self.decided(&answered, Sense::Never)?
                {
                    return Ok(Some(evidence));
                }
                if window.counted + 1 == length {
                    if let Some(evidence) = self.decided(&open, Sense::Expect)? {
                        return Ok(Some(evidence));
                    }
                } else if self.possible(&open.conditions)? != Some(false) {
                    pending.push(InWindow {
                        place: open,
                        matched: window.matched,
                        values: window.values.clone(),
                        first: window.first,
                        counted: window.counted + 1,
                        silent: 0,
                    });
                }
            }
        }
        Ok(None)
    }

    /// A window was decided in a way that fails for properties of this sense, and passes for the others.
    fn decided(
        &mut self,
        place: &Place,
        fails_for: Sense,
    ) -> Result<Option<Evidence>, SolverError> {
        let is_failure = self.property.sense == fails_for;
        if !is_failure && self.pass.is_some() {
            return Ok(None);
        }
        let variables: Vec<Var> = self.variables(place);
        let solved = solve(&place.conditions, &variables, self.terms, self.solver)?;
        let values = match solved {
            Solved::No => return Ok(None),
            Solved::Unknown(reason) => {
                self.give_up(&reason, Some(Bound::SolverBudget(None)));
                return Ok(None);
            }
            Solved::Yes(values) => values,
        };
        // Both the run and its verdict are repeated on the naive semantics before anyone is told of them.
        let expected = if is_failure {
            Outcome::Fail
        } else {
            Outcome::Pass
        };
        let windows = judged(&[self.property], place, &values, self.terms);
        let is_confirmed = windows.is_some_and(|it| it.iter().any(|it| it.outcome == expected));
        let trace = concrete(self.stg, place, &values, &self.parameters, self.terms);
        let (true, Some(mut trace)) = (is_confirmed, trace) else {
            self.give_up("a run that was found could not be repeated", None);
            return Ok(None);
        };
        trace.conclusion = if is_failure {
            format!("`{}` fails on this run", self.property.name)
        } else {
            format!("`{}` passes on this run", self.property.name)
        };
        let evidence = Evidence::Trace(trace);
        if is_failure {
            Ok(Some(evidence))
        } else {
            self.pass = Some(evidence);
            Ok(None)
        }
    }

    fn variables(&self, place: &Place) -> Vec<Var> {
        let brought = place
            .taken
            .iter()
            .flat_map(|(_, brought)| brought.iter().copied());
        self.parameters.iter().copied().chain(brought).collect()
    }

    /// Whether conditions can be true together; none where no one knows.
    fn possible(&mut self, conditions: &[Term]) -> Result<Option<bool>, SolverError> {
        if conditions.contains(&Term::FALSE) {
            return Ok(Some(false));
        }
        if conditions.iter().all(|&condition| condition == Term::TRUE) {
            return Ok(Some(true));
        }
        Ok(match self.solver.satisfiable(self.terms, conditions)? {
            choros_smt::Satisfiability::Sat => Some(true),
            choros_smt::Satisfiability::Unsat => Some(false),
            choros_smt::Satisfiability::Unknown(_) => None,
        })
    }

    fn deeper(&self) -> Bound {
        Bound::Depth(Some(self.bounds.depth as u64 * 2))
    }

    fn give_up(&mut self, reason: &str, bound: Option<Bound>) {
        self.doubt.get_or_insert((reason.to_owned(), bound));
    }
}
