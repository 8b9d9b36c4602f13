//! Realizability by its definition (Definition 7 of Nguyen's thesis): projections put together conform.
//!
//! | mode | how the projections are put together |
//! |---|---|
//! | synchronous | product: both ends of a message meet in one moment |
//! | sender | FIFO queues, receptions hidden |
//! | receiver | FIFO queues, sendings hidden |
//! | disjoint | FIFO queues, receptions hidden, and no reachable configuration has two messages in flight |
//! | peers | not at all: [`peers`] looks at one role after the other |

use choros_base::Budget;
use choros_conform::{Setup, conformance};
use choros_data::Terms;
use choros_model::evidence::{Configuration, Trace};
use choros_model::stg::{Queued, Renaming, Stg, Visible, product, prompt_queues, queues, rename};
use choros_model::{Evidence, Unknown, Verdict};
use choros_smt::{Solver, SolverError};

use crate::{Mode, Projection, Stopped, peers, project, reachability};

/// What putting the projections together says.
#[derive(Debug, Clone)]
pub struct Semantic {
    /// Whether they conform.
    pub verdict: Verdict,
    /// Why, on one line.
    pub reason: String,
    /// With *unknown*, what kept it from being settled, where another method may go on.
    pub obstacle: Option<Obstacle>,
}

/// What keeps the composition from being compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// A queue was full: the composition lacks behaviour.
    FullQueue,
}

/// How far the semantic criterion goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Messages that a queue may hold.
    pub bound: usize,
    /// States of the composition.
    pub states: u64,
}

/// How often the condition of a pair may change before the iteration from above is given up.
const MOST_CHANGES: usize = 24;

/// What every step needs.
pub(crate) struct Tools<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) solver: &'a mut dyn Solver,
    /// Only stops; each step has a part of it.
    pub(crate) budget: &'a Budget,
}

/// Whether the projections of `model`, put together, conform to `choreography`.
///
/// The two differ where `model` has additions, which are hidden then.
pub(crate) fn semantic(
    choreography: &Stg,
    model: &Stg,
    mode: Mode,
    effort: Effort,
    tools: &mut Tools<'_>,
) -> Result<Semantic, Stopped> {
    match judge(choreography, model, mode, effort, tools) {
        // The conditions may still be answered.
        Err(Stopped::Solver(SolverError::NotFound)) => {
            Ok(Semantic::unknown(SolverError::NotFound.to_string()))
        }
        other => other,
    }
}

fn judge(
    choreography: &Stg,
    model: &Stg,
    mode: Mode,
    effort: Effort,
    tools: &mut Tools<'_>,
) -> Result<Semantic, Stopped> {
    if mode == Mode::Peers {
        let found = peers(model, tools.terms, tools.solver, tools.budget)?;
        return Ok(Semantic {
            verdict: found.verdict,
            reason: found.reason,
            obstacle: None,
        });
    }
    let budget = tools.budget.part(effort.states);
    let projections = match project(model, mode, tools.terms, tools.solver, &budget) {
        Ok(projections) => projections,
        Err(Stopped::Spent(spent)) => return Ok(too_large(spent.to_string())),
        Err(stopped) => return Err(stopped),
    };
    let composed = match compose(&projections, mode, effort, tools)? {
        Ok(composed) => composed,
        Err(settled) => return Ok(settled),
    };
    let Composed { stg, at_once } = composed;
    let (implementation, shared) = match share_parameters(choreography, stg, tools.terms) {
        Ok(shared) => shared,
        Err(settled) => return Ok(*settled),
    };
    let setup = Setup {
        shared,
        // A reception shows a value that was chosen before.
        allow_fixed: mode == Mode::Receiver,
        most_changes: MOST_CHANGES,
    };
    let budget = tools.budget.part(effort.states.saturating_mul(16));
    let found = conformance(
        &implementation,
        choreography,
        &setup,
        tools.terms,
        tools.solver,
        &budget,
    )?;
    let mut answer = Semantic::of(found.verdict, &setup, tools.terms);
    if let (Verdict::Holds(_) | Verdict::HoldsIf(..), Some(fullest)) = (&answer.verdict, at_once) {
        answer.reason.push_str(&whatever_the_bound(fullest));
    }
    Ok(answer)
}

/// The projections put together.
struct Composed {
    stg: Stg,
    /// Where receptions were taken at once to do without a bound, how many messages waited at most.
    at_once: Option<usize>,
}

/// Which proof it was that needs no bound.
fn whatever_the_bound(fullest: usize) -> String {
    let messages = match fullest {
        1 => "1 message waits".to_owned(),
        many => format!("{many} messages wait"),
    };
    format!(
        ", whatever the bound: receptions commute with all other steps, and if each happens at once, at most {messages}"
    )
}

/// The projections put together, or an answer that needs no comparison.
fn compose(
    projections: &[Projection],
    mode: Mode,
    effort: Effort,
    tools: &mut Tools<'_>,
) -> Result<Result<Composed, Semantic>, Stopped> {
    let budget = tools.budget.part(effort.states);
    let graphs: Vec<&Stg> = projections.iter().map(|it| &it.stg).collect();
    let name = "projections";
    if mode == Mode::Synchronous {
        return Ok(match product(name, &graphs, &budget, tools.terms) {
            Ok(product) => Ok(Composed {
                stg: product.stg,
                at_once: None,
            }),
            Err(spent) => Err(too_large(spent.to_string())),
        });
    }
    let visible = match mode {
        Mode::Receiver => Visible::Receptions,
        _ => Visible::Sendings,
    };
    let queued = queues(name, &graphs, visible, effort.bound, &budget, tools.terms);
    let cut = queued.as_ref().map_or(true, |it| it.bound_reached);
    let at_once = mode == Mode::Sender && cut;
    let queued = match at_once {
        true => {
            let budget = tools.budget.part(effort.states);
            prompt_queues(name, &graphs, effort.bound, &budget, tools.terms)
        }
        false => queued,
    };
    let queued = match queued {
        Ok(queued) => queued,
        Err(spent) => return Ok(Err(too_large(spent.to_string()))),
    };
    if mode == Mode::Disjoint
        && let Some(answer) = two_in_flight(&queued, &graphs, tools)?
    {
        return Ok(Err(answer));
    }
    if queued.bound_reached {
        let reason = format!(
            "a queue was full with {} messages (raise it with --bound)",
            effort.bound
        );
        return Ok(Err(Semantic {
            obstacle: Some(Obstacle::FullQueue),
            ..Semantic::unknown(reason)
        }));
    }
    let fullest = queued.in_flight.iter().copied().max().unwrap_or_default();
    Ok(Ok(Composed {
        stg: queued.stg,
        at_once: at_once.then_some(fullest),
    }))
}

/// The answer if a configuration with two messages in flight is reached, or may be.
fn two_in_flight(
    queued: &Queued,
    graphs: &[&Stg],
    tools: &mut Tools<'_>,
) -> Result<Option<Semantic>, Stopped> {
    if queued.in_flight.iter().all(|&waiting| waiting < 2) {
        return Ok(None);
    }
    let found = reachability(&queued.stg, tools.terms, tools.solver, tools.budget)?;
    let crowded = queued
        .stg
        .node_ids()
        .find(|node| found.nodes[node.0 as usize] && queued.in_flight[node.0 as usize] > 1);
    let Some(node) = crowded else {
        return Ok(None);
    };
    let label = &queued.stg.node(node).label;
    Ok(Some(match found.is_exact() {
        true => Semantic::fails(
            format!("two messages can be in flight at once, with the roles in states {label}"),
            Evidence::Configuration(Configuration {
                parts: graphs
                    .iter()
                    .zip(label.split(['.', '+']))
                    .map(|(graph, place)| (graph.name().to_owned(), place.to_owned()))
                    .collect(),
                channels: Vec::new(),
            }),
        ),
        false => Semantic::unknown(format!(
            "it is not settled whether two messages can be in flight, with the roles in states {label}"
        )),
    }))
}

/// Lets all roles mean the same by a parameter, and says which the choreography has.
fn share_parameters(
    choreography: &Stg,
    composed: Stg,
    terms: &mut Terms,
) -> Result<(Stg, Vec<String>), Box<Semantic>> {
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

impl Semantic {
    pub(crate) fn unknown(reason: impl Into<String>) -> Semantic {
        let reason = reason.into();
        Semantic {
            verdict: Verdict::Unknown(Unknown {
                reason: reason.clone(),
                bound: None,
                evidence: None,
            }),
            reason,
            obstacle: None,
        }
    }

    fn fails(reason: String, evidence: Evidence) -> Semantic {
        Semantic {
            verdict: Verdict::Fails(evidence),
            reason,
            obstacle: None,
        }
    }

    /// What conformance says of the choreography.
    fn of(verdict: Verdict, setup: &Setup, terms: &Terms) -> Semantic {
        let reason = match &verdict {
            Verdict::Holds(_) => "put together, the projections conform".to_owned(),
            Verdict::HoldsIf(condition, evidence) => {
                let condition = *condition;
                let guessed = terms.free_variables(condition).into_iter().any(|it| {
                    let name = terms.variable_text(it);
                    !setup.shared.iter().any(|shared| shared == name)
                });
                if guessed {
                    let reason = format!(
                        "put together, the projections conform only for some of the data that a role chooses or would \
                         have to guess: if {}",
                        terms.print(condition)
                    );
                    return Semantic::fails(reason, evidence.clone());
                }
                format!(
                    "put together, the projections conform if {}",
                    terms.print(condition)
                )
            }
            Verdict::Fails(Evidence::Trace(trace)) => difference(trace),
            Verdict::Fails(_) => "put together, the projections do not conform".to_owned(),
            Verdict::Unknown(unknown) => return Semantic::unknown(unknown.reason.clone()),
        };
        Semantic {
            verdict,
            reason,
            obstacle: None,
        }
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
