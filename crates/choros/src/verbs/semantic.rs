//! Realizability by its definition (Definition 7 of Nguyen's thesis): projections put together conform.
//!
//! | mode | how the projections are put together |
//! |---|---|
//! | synchronous | product: both ends of a message meet in one moment |
//! | sender | FIFO queues, receptions hidden |
//! | receiver | FIFO queues, sendings hidden |
//! | disjoint | FIFO queues, receptions hidden, and no reachable configuration has two messages in flight |

use choros_base::Budget;
use choros_conform::{Setup, conformance};
use choros_model::evidence::{Configuration, Trace};
use choros_model::stg::{Queued, Renaming, Stg, Visible, product, queues, rename};
use choros_model::{Evidence, Verdict};
use choros_realize::{Mode, Projection, Stopped, reachability};
use choros_report::{Report, Word};

use super::conform::needs_solver;
use super::realize::Judge;
use crate::solver;

/// What putting the projections together says.
#[derive(Debug, Clone)]
pub(super) struct Semantic {
    pub(super) word: Word,
    /// With *conditional*.
    pub(super) condition: Option<String>,
    /// Why.
    pub(super) reason: String,
    pub(super) evidence: Option<Evidence>,
}

impl Semantic {
    pub(super) fn unknown(reason: impl Into<String>) -> Semantic {
        Semantic {
            word: Word::Unknown,
            condition: None,
            reason: reason.into(),
            evidence: None,
        }
    }
}

/// How often the condition of a pair may change before the iteration from above is given up.
const MOST_CHANGES: usize = 24;

/// How far the semantic criterion goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// Messages that a queue may hold.
    pub(super) bound: usize,
    /// States of the composition.
    pub(super) states: u64,
}

impl Judge<'_, '_> {
    /// Whether the projections of `model`, put together, conform to `choreography`.
    ///
    /// The two differ where `model` has additions, which are hidden then.
    pub(super) fn semantic(
        &mut self,
        choreography: &Stg,
        model: &Stg,
        mode: Mode,
        effort: Effort,
        report: &mut Report,
    ) -> Result<Semantic, Stopped> {
        if self.solver.is_none() && needs_solver(&[choreography, model], &self.project.terms) {
            // Without a solver the conditions may still be answered.
            let mut aside = Report::default();
            *self.solver = solver::find(self.settings, &mut aside);
            if let Some(reason) = aside.world_failed {
                return Ok(Semantic::unknown(reason));
            }
            report.semantics.solver = aside.semantics.solver;
            report.semantics.bounds.append(&mut aside.semantics.bounds);
        }
        let budget = Budget::steps(effort.states).cancelled_by(self.settings.cancel.clone());
        let projected = self.with_solver(|terms, solver| {
            choros_realize::project(model, mode, terms, solver, &budget)
        });
        let projections = match projected {
            Ok(projections) => projections,
            Err(Stopped::Spent(spent)) => return Ok(too_large(spent.to_string())),
            Err(stopped) => return Err(stopped),
        };
        let composed = match self.compose(&projections, mode, effort)? {
            Ok(composed) => composed,
            Err(settled) => return Ok(settled),
        };
        let (implementation, shared) = match self.share_parameters(choreography, composed) {
            Ok(shared) => shared,
            Err(settled) => return Ok(*settled),
        };
        let setup = Setup {
            shared,
            // A reception shows a value that was chosen before.
            allow_fixed: mode == Mode::Receiver,
            most_changes: MOST_CHANGES,
        };
        let budget = Budget::steps(effort.states.saturating_mul(16))
            .cancelled_by(self.settings.cancel.clone());
        let found = self.with_solver(|terms, solver| {
            conformance(
                &implementation,
                choreography,
                &setup,
                terms,
                solver,
                &budget,
            )
        })?;
        let terms = &self.project.terms;
        Ok(match found.verdict {
            Verdict::Holds(evidence) => Semantic {
                word: Word::Holds,
                condition: None,
                reason: "put together, the projections conform".to_owned(),
                evidence: Some(evidence),
            },
            Verdict::HoldsIf(condition, evidence)
                if terms.free_variables(condition).iter().any(|&it| {
                    !setup
                        .shared
                        .iter()
                        .any(|name| name == terms.variable_text(it))
                }) =>
            {
                Semantic {
                    word: Word::Fails,
                    condition: None,
                    reason: format!(
                        "put together, the projections conform only for some of the data that a role chooses or would \
                         have to guess: if {}",
                        terms.print(condition)
                    ),
                    evidence: Some(evidence),
                }
            }
            Verdict::HoldsIf(condition, evidence) => Semantic {
                word: Word::Conditional,
                condition: Some(terms.print(condition)),
                reason: format!(
                    "put together, the projections conform if {}",
                    terms.print(condition)
                ),
                evidence: Some(evidence),
            },
            Verdict::Fails(evidence) => Semantic {
                word: Word::Fails,
                condition: None,
                reason: match &evidence {
                    Evidence::Trace(trace) => difference(trace),
                    _ => "put together, the projections do not conform".to_owned(),
                },
                evidence: Some(evidence),
            },
            Verdict::Unknown(unknown) => Semantic::unknown(unknown.reason),
        })
    }

    /// The projections put together, or an answer that needs no comparison.
    fn compose(
        &mut self,
        projections: &[Projection],
        mode: Mode,
        effort: Effort,
    ) -> Result<Result<Stg, Semantic>, Stopped> {
        let budget = Budget::steps(effort.states).cancelled_by(self.settings.cancel.clone());
        let graphs: Vec<&Stg> = projections.iter().map(|it| &it.stg).collect();
        let name = "projections";
        if mode == Mode::Synchronous {
            return Ok(
                match product(name, &graphs, &budget, &mut self.project.terms) {
                    Ok(product) => Ok(product.stg),
                    Err(spent) => Err(too_large(spent.to_string())),
                },
            );
        }
        let visible = match mode {
            Mode::Receiver => Visible::Receptions,
            _ => Visible::Sendings,
        };
        let queued = queues(
            name,
            &graphs,
            visible,
            effort.bound,
            &budget,
            &mut self.project.terms,
        );
        let queued = match queued {
            Ok(queued) => queued,
            Err(spent) => return Ok(Err(too_large(spent.to_string()))),
        };
        if mode == Mode::Disjoint
            && let Some(answer) = self.two_in_flight(&queued, &graphs)?
        {
            return Ok(Err(answer));
        }
        if queued.bound_reached {
            return Ok(Err(Semantic::unknown(format!(
                "a queue was full with {} messages (raise it with --bound)",
                effort.bound
            ))));
        }
        Ok(Ok(queued.stg))
    }

    /// The answer if a configuration with two messages in flight is reached, or may be.
    fn two_in_flight(
        &mut self,
        queued: &Queued,
        graphs: &[&Stg],
    ) -> Result<Option<Semantic>, Stopped> {
        if queued.in_flight.iter().all(|&waiting| waiting < 2) {
            return Ok(None);
        }
        let budget = self.settings.until_cancelled();
        let found =
            self.with_solver(|terms, solver| reachability(&queued.stg, terms, solver, &budget))?;
        let crowded = queued
            .stg
            .node_ids()
            .find(|node| found.nodes[node.0 as usize] && queued.in_flight[node.0 as usize] > 1);
        let Some(node) = crowded else {
            return Ok(None);
        };
        let label = &queued.stg.node(node).label;
        Ok(Some(match found.is_exact() {
            true => Semantic {
                word: Word::Fails,
                condition: None,
                reason: format!(
                    "two messages can be in flight at once, with the roles in states {label}"
                ),
                evidence: Some(Evidence::Configuration(Configuration {
                    parts: graphs
                        .iter()
                        .zip(label.split(['.', '+']))
                        .map(|(graph, place)| (graph.name().to_owned(), place.to_owned()))
                        .collect(),
                    channels: Vec::new(),
                })),
            },
            false => Semantic::unknown(format!(
                "it is not settled whether two messages can be in flight, with the roles in states {label}"
            )),
        }))
    }

    /// Lets all roles mean the same by a parameter, and says which the choreography has.
    fn share_parameters(
        &mut self,
        choreography: &Stg,
        composed: Stg,
    ) -> Result<(Stg, Vec<String>), Box<Semantic>> {
        let terms = &mut self.project.terms;
        let parameters = choreography.parameters(terms);
        if parameters.is_empty() {
            return Ok((composed, Vec::new()));
        }
        let written = choreography.edges().iter().any(|edge| {
            let bound = edge.event.bound_variables();
            let assigned = edge.updates.iter().map(|update| update.variable);
            bound
                .chain(assigned)
                .any(|variable| parameters.contains(&variable))
        });
        if written {
            return Err(Box::new(Semantic::unknown(
                "a parameter gets a new value on the way, and the roles may know different ones",
            )));
        }
        let mut renaming = Renaming::default();
        for variable in composed.variables(terms) {
            let name = terms.variable_text(variable).to_owned();
            let Some((stem, _)) = name.split_once('@') else {
                continue;
            };
            let meant = parameters
                .iter()
                .find(|&&parameter| terms.variable_text(parameter) == stem);
            if let Some(&parameter) = meant
                && terms.variable_sort(parameter) == terms.variable_sort(variable)
            {
                renaming.variables.insert(variable, parameter);
            }
        }
        let composed = rename(&composed, &renaming, terms);
        let known = composed.variables(terms);
        let shared = parameters
            .into_iter()
            .filter(|parameter| known.contains(parameter))
            .map(|parameter| terms.variable_text(parameter).to_owned())
            .collect();
        Ok((composed, shared))
    }
}

fn too_large(spent: String) -> Semantic {
    Semantic::unknown(format!(
        "the projections put together are too large: {spent}"
    ))
}

/// What a distinguishing run shows, on one line.
fn difference(trace: &Trace) -> String {
    let steps = match trace.steps.len() {
        0 => "at once".to_owned(),
        1 => "after one step".to_owned(),
        many => format!("after {many} steps"),
    };
    match trace.conclusion.is_empty() {
        true => format!("put together, the projections do not conform: they differ {steps}"),
        false => format!(
            "put together, the projections do not conform: {steps}, {}",
            trace.conclusion
        ),
    }
}
