//! Realizability by behaviour: will the services, put together, do this and nothing else?
//!
//! *Holds* means all of these, shown:
//!
//! 1. the canonical projections, put together in the mode ([`Composition`]), conform to the choreography (Definition 7
//!    of Nguyen's thesis);
//! 2. every message that is sent can still be received, and every role that waits can still move or may stay where it
//!    is ([`stranded`]);
//! 3. they are not silent forever, unless messages are sent without bound and none is received.
//!
//! *Fails* speaks of the canonical projections; that no other services could do it either is said where it follows
//! ([`excess`]).

use choros_certify::budget_of;
use choros_conform::{Setup, conformance};
use choros_data::{Quantifier, Term, Terms, Var};
use choros_model::evidence::Tree;
use choros_model::stg::{NodeId, Renaming, Role, Stg, rename};
use choros_model::{Bound, Evidence, Unknown, Verdict};
use choros_smt::{Satisfiability, SolverError};
use rustc_hash::FxHashMap;

use crate::closing::listeners;
use crate::composition::{Arranged, Composition};
use crate::cut::{Compared, NOT_AS_SAID, Refuted, difference, of_roles, refuted};
use crate::excess::excess;
use crate::question::{Effort, Question};
use crate::shared::Shared;
use crate::stranded::{Stranded, always_ends, stranded, stuck, too_late};
use crate::tools::Tools;
use crate::{AnalysisStop, Closing, Mode, Projection, peers, project, reachability};

/// What putting the projections together says.
#[derive(Debug, Clone)]
pub struct SemanticAnswer {
    /// Whether they do what the choreography says.
    pub verdict: Verdict,
    /// Why, on one line.
    pub reason: String,
    /// With *fails*: whether no services that exchange these messages could do better.
    pub nobody_could: bool,
    /// With *fails*: the roles whose declaration as services would make it hold.
    pub would_serve: Vec<Role>,
    /// With *unknown*: what kept it from being settled, where another method may continue.
    pub obstacle: Option<Obstacle>,
}

/// What keeps the composition from being compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// A queue was full: the composition lacks behaviour.
    FullQueue,
}

/// How often the condition of a pair may change before the iteration from above is given up.
pub(crate) const MAX_CHANGES: usize = 24;

/// Whether the projections of a choreography, put together, do what it says, and if not, what could be done.
pub(crate) fn semantic(
    choreography: &Stg,
    asked: &Question,
    tools: &mut Tools<'_>,
) -> Result<SemanticAnswer, AnalysisStop> {
    match judge(choreography, choreography, asked, Detail::Advice, tools) {
        // The conditions may still be answered.
        Err(AnalysisStop::Solver(SolverError::NotFound)) => Ok(SemanticAnswer::unknown(
            SolverError::NotFound.to_string(),
            None,
        )),
        other => other,
    }
}

/// Whether the projections of `model`, which has additions, do what `choreography` says once the additions are hidden.
pub(crate) fn trial(
    choreography: &Stg,
    model: &Stg,
    asked: &Question,
    tools: &mut Tools<'_>,
) -> Result<SemanticAnswer, AnalysisStop> {
    judge(choreography, model, asked, Detail::Verdict, tools)
}

/// Whether it holds if just these roles are services.
pub(crate) fn holds_with(
    choreography: &Stg,
    services: &[Role],
    asked: &Question,
    tools: &mut Tools<'_>,
) -> Result<bool, AnalysisStop> {
    let asked = Question {
        closing: Closing::Alone {
            services: services.to_vec(),
        },
        ..asked.clone()
    };
    Ok(trial(choreography, choreography, &asked, tools)?.holds())
}

/// How much is to be found out where it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    Verdict,
    /// Also whether others could do better, and who would have to be a service.
    Advice,
}

fn judge(
    choreography: &Stg,
    model: &Stg,
    asked: &Question,
    detail: Detail,
    tools: &mut Tools<'_>,
) -> Result<SemanticAnswer, AnalysisStop> {
    if asked.mode == Mode::Peers {
        return per_role(model, &asked.closing, tools);
    }
    let budget = tools.budget.part(asked.effort.states);
    let projections = match project(model, asked.mode, tools.terms, tools.solver, &budget) {
        Ok(projections) => projections,
        Err(AnalysisStop::Spent(spent)) => return Ok(too_large(spent.to_string())),
        Err(stopped) => return Err(stopped),
    };
    let closing = &asked.closing;
    let short = Question {
        effort: Effort {
            bound: 1,
            ..asked.effort
        },
        ..asked.clone()
    };
    // Short queues settle most, and soon; with long ones runs show more, but there may be too many.
    let (first, second) = match detail {
        Detail::Verdict => (&short, asked),
        Detail::Advice => (asked, &short),
    };
    let open = |found: &SemanticAnswer| matches!(found.verdict, Verdict::Unknown(_));
    let mut found = put_together(choreography, &projections, closing, first, detail, tools)?;
    if open(&found) && asked.effort.bound > 1 {
        let other = put_together(choreography, &projections, closing, second, detail, tools)?;
        // Why it is not settled is said of the bound that was asked for.
        if !open(&other) || second == asked {
            found = other;
        }
    }
    if detail == Detail::Verdict || !matches!(found.verdict, Verdict::Fails(_)) {
        return Ok(found);
    }
    let would_serve = would_serve(choreography, &projections, asked, tools)?;
    Ok(SemanticAnswer {
        would_serve,
        ..found
    })
}

/// What looking at one role after the other says.
///
/// A role that may have ended for all it knows counts as ended there; a role that does not learn of it is named, unless it waits for the
/// next conversation or all end together.
fn per_role(
    model: &Stg,
    closing: &Closing,
    tools: &mut Tools<'_>,
) -> Result<SemanticAnswer, AnalysisStop> {
    let found = peers(model, tools.terms, tools.solver, tools.budget)?;
    if let Verdict::Unknown(_) = found.verdict {
        return Ok(SemanticAnswer::new(found.verdict, found.reason));
    }
    let mut reason = found.reason;
    if let Closing::Alone { services } = closing {
        let not_told = found.not_told.iter().filter(|it| !services.contains(it));
        let names: Vec<&str> = not_told
            .map(|role| tools.terms.names.text(role.0))
            .collect();
        if !names.is_empty() {
            reason.push_str(&format!("; not informed of the end: {}", names.join(", ")));
        }
    }
    Ok(SemanticAnswer {
        nobody_could: found.nobody_could,
        ..SemanticAnswer::new(found.verdict, reason)
    })
}

/// The roles whose declaration as services, beside those that are declared, would make it hold.
fn would_serve(
    choreography: &Stg,
    projections: &[Projection],
    asked: &Question,
    tools: &mut Tools<'_>,
) -> Result<Vec<Role>, AnalysisStop> {
    let Closing::Alone { services } = &asked.closing else {
        return Ok(Vec::new());
    };
    let mut missing: Vec<Role> = listeners(projections);
    missing.retain(|role| !services.contains(role));
    let holds = |missing: &[Role], tools: &mut Tools<'_>| -> Result<bool, AnalysisStop> {
        let closing = Closing::Alone {
            services: services.iter().chain(missing).copied().collect(),
        };
        let detail = Detail::Verdict;
        let found = put_together(choreography, projections, &closing, asked, detail, tools)?;
        Ok(found.holds())
    };
    if missing.is_empty() || !holds(&missing, tools)? {
        return Ok(Vec::new());
    }
    // Only who has to be one is named.
    let mut index = 0;
    while index < missing.len() && missing.len() > 1 {
        let mut fewer = missing.clone();
        fewer.remove(index);
        if holds(&fewer, tools)? {
            missing = fewer
        } else {
            index += 1
        }
    }
    Ok(missing)
}

/// What projections do, put together, if everything ends as `closing` says.
fn put_together(
    choreography: &Stg,
    projections: &[Projection],
    closing: &Closing,
    asked: &Question,
    detail: Detail,
    tools: &mut Tools<'_>,
) -> Result<SemanticAnswer, AnalysisStop> {
    let composed = Composition::of(
        projections,
        asked.mode,
        closing,
        asked.effort,
        tools.budget,
        tools.terms,
    );
    let composition = match composed {
        Ok(composition) => composition,
        Err(spent) => return Ok(too_large(spent.to_string())),
    };
    compare(choreography, &composition, asked, detail, tools)
}

/// What a composition says about the choreography.
fn compare(
    choreography: &Stg,
    composition: &Composition,
    asked: &Question,
    detail: Detail,
    tools: &mut Tools<'_>,
) -> Result<SemanticAnswer, AnalysisStop> {
    if asked.mode == Mode::Disjoint
        && let Some(answer) = two_in_flight(composition, tools)?
    {
        return Ok(answer);
    }
    let shared = match Shared::of(choreography, &composition.stg, tools.terms) {
        Ok(shared) => shared,
        Err(reason) => return Ok(SemanticAnswer::whatever_the_bound(reason)),
    };
    let implementation = rename(&composition.stg, &shared.renaming, tools.terms);
    let setup = Setup {
        shared: shared.names.clone(),
        // A reception shows a value that was chosen before.
        allow_fixed: asked.mode == Mode::Receiver,
        most_changes: MAX_CHANGES,
    };
    let budget = tools.budget.part(asked.effort.states.saturating_mul(16));
    if !composition.refused.is_empty() {
        let compared = Compared {
            mode: asked.mode,
            choreography,
            implementation: &implementation,
            renaming: &shared.renaming,
            setup: &setup,
            budget: &budget,
        };
        let found = refuted(composition, &compared, tools)?;
        return Ok(SemanticAnswer::cut(found, asked));
    }
    let found = conformance(
        &implementation,
        choreography,
        &setup,
        tools.terms,
        tools.solver,
        &budget,
    )?;
    let restless = found.divergent.first().copied();
    let semantic = SemanticAnswer::of(found.verdict, &setup, tools)?;
    match semantic.verdict {
        Verdict::Fails(_) if detail == Detail::Advice => Ok(SemanticAnswer {
            nobody_could: excess(composition, choreography, tools)?.is_some(),
            ..semantic
        }),
        Verdict::Fails(_) | Verdict::Unknown(_) => Ok(semantic),
        Verdict::Holds(_) | Verdict::HoldsIf(..) => {
            let mut semantic = semantic;
            if let Some((how, fullest)) = composition.arranged {
                semantic.reason.push_str(&whatever_the_bound(how, fullest));
            }
            if let Some(node) = restless {
                return Ok(silent_for_ever(composition, node, tools.terms));
            }
            nobody_stranded(
                semantic,
                choreography,
                composition,
                &implementation,
                &shared.renaming,
                tools,
            )
        }
    }
}

/// Which proof it was that needs no bound.
fn whatever_the_bound(how: Arranged, fullest: usize) -> String {
    let messages = match fullest {
        1 => "1 message waits".to_owned(),
        many => format!("{many} messages wait"),
    };
    let why = match how {
        Arranged::AtOnce => "receptions commute with all other steps, and if each happens at once",
        Arranged::OnDemand => {
            "what a role has to send commutes with all other steps, and if it is sent when it is needed"
        }
    };
    format!(", whatever the bound: {why}, at most {messages}")
}

/// Looks for messages and roles that are left behind, where the projections conform.
pub(crate) fn nobody_stranded(
    conforms: SemanticAnswer,
    choreography: &Stg,
    composition: &Composition,
    implementation: &Stg,
    renaming: &Renaming,
    tools: &mut Tools<'_>,
) -> Result<SemanticAnswer, AnalysisStop> {
    let words: FxHashMap<_, _> = renaming
        .variables
        .iter()
        .map(|(&old, &new)| (old, tools.terms.var(new)))
        .collect();
    let translate = |condition: Term, terms: &mut Terms| terms.substitute(condition, &words);
    let mut found = too_late(composition, implementation, &translate, tools)?;
    if matches!(found, Stranded::None) {
        if always_ends(choreography, tools)? {
            return Ok(conforms);
        }
        found = stranded(composition, implementation, &translate, tools)?;
    }
    Ok(match found {
        Stranded::None => conforms,
        Stranded::Some(claim, evidence) => {
            let reason = match stuck(choreography, tools)? {
                Some(node) => format!(
                    "what is visible conforms, but {claim}: the choreography itself gets stuck for some data in \
                     state {}",
                    choreography.node(node).label
                ),
                None => format!("what is visible conforms, but {claim}"),
            };
            SemanticAnswer::fails(reason, evidence)
        }
        Stranded::Unsettled(reason, Some(bound)) => SemanticAnswer::unknown(reason, Some(bound)),
        Stranded::Unsettled(reason, None) => SemanticAnswer::whatever_the_bound(reason),
    })
}

/// The answer where messages that no one sees can continue forever.
pub(crate) fn silent_for_ever(
    composition: &Composition,
    node: NodeId,
    terms: &Terms,
) -> SemanticAnswer {
    SemanticAnswer::fails(
        "the visible messages conform, but the roles can run forever without any".to_owned(),
        Evidence::Configuration(composition.situation(node, terms)),
    )
}

/// The answer if a configuration with two messages in flight is reached, or may be.
fn two_in_flight(
    composition: &Composition,
    tools: &mut Tools<'_>,
) -> Result<Option<SemanticAnswer>, AnalysisStop> {
    let stg = &composition.stg;
    if stg.node_ids().all(|node| composition.in_flight(node) < 2) {
        return Ok(None);
    }
    let found = reachability(stg, tools.terms, tools.solver, tools.budget)?;
    let crowded = stg
        .node_ids()
        .find(|&node| found.nodes[node.index()] && composition.in_flight(node) > 1);
    let Some(node) = crowded else {
        return Ok(None);
    };
    let label = &stg.node(node).label;
    Ok(Some(if found.is_exact() {
        SemanticAnswer::fails(
            format!("two messages can be in flight at once, with the roles in states {label}"),
            Evidence::Configuration(composition.situation(node, tools.terms)),
        )
    } else {
        let reason = format!(
            "it is not settled whether two messages can be in flight, with the roles in states {label}"
        );
        match found.bound() {
            Some(bound) => SemanticAnswer::unknown(reason, Some(bound)),
            None => SemanticAnswer::whatever_the_bound(reason),
        }
    }))
}

impl SemanticAnswer {
    /// Not settled; raising the bound may help, where one is named.
    pub(crate) fn unknown(reason: impl Into<String>, bound: Option<Bound>) -> SemanticAnswer {
        let reason = reason.into();
        SemanticAnswer::new(
            Verdict::Unknown(Unknown {
                reason: reason.clone(),
                help: bound.into(),
                evidence: None,
            }),
            reason,
        )
    }

    /// Not settled, whatever the bounds.
    pub(crate) fn not_settled(reason: &str) -> SemanticAnswer {
        SemanticAnswer::whatever_the_bound(reason)
    }

    /// Not settled, and a higher bound would not change that.
    fn whatever_the_bound(reason: impl Into<String>) -> SemanticAnswer {
        let unknown = Unknown::whatever_the_bound(reason);
        let reason = unknown.reason.clone();
        SemanticAnswer::new(Verdict::Unknown(unknown), reason)
    }

    /// What is known when a queue was full.
    fn cut(found: Option<Refuted>, asked: &Question) -> SemanticAnswer {
        match found {
            Some(Refuted {
                reason,
                evidence,
                nobody_could,
            }) => SemanticAnswer {
                nobody_could,
                ..SemanticAnswer::fails(reason, evidence)
            },
            None => {
                let reason = format!("a queue was full with {} messages", asked.effort.bound);
                SemanticAnswer {
                    obstacle: Some(Obstacle::FullQueue),
                    ..SemanticAnswer::unknown(reason, Some(Bound::Places(None)))
                }
            }
        }
    }

    pub(crate) fn fails(reason: String, evidence: Evidence) -> SemanticAnswer {
        SemanticAnswer::new(Verdict::Fails(evidence), reason)
    }

    pub(crate) fn new(verdict: Verdict, reason: String) -> SemanticAnswer {
        SemanticAnswer {
            verdict,
            reason,
            nobody_could: false,
            would_serve: Vec::new(),
            obstacle: None,
        }
    }

    /// Whether it is shown to hold.
    pub fn holds(&self) -> bool {
        matches!(self.verdict, Verdict::Holds(_))
    }

    /// What conformance says of the choreography.
    pub(crate) fn of(
        verdict: Verdict,
        setup: &Setup,
        tools: &mut Tools<'_>,
    ) -> Result<SemanticAnswer, SolverError> {
        let verdict = match verdict {
            Verdict::Fails(Evidence::Trace(run)) => Verdict::Fails(Evidence::Trace(of_roles(run))),
            other => other,
        };
        let reason = match &verdict {
            Verdict::Holds(_) => {
                "run together, the roles do what the choreography says, and no message or role is left waiting"
                    .to_owned()
            }
            Verdict::HoldsIf(condition, evidence) => {
                return SemanticAnswer::conditional(*condition, evidence, setup, tools);
            }
            Verdict::Fails(Evidence::Trace(trace)) => {
                format!("{NOT_AS_SAID}: {}", difference(trace))
            }
            Verdict::Fails(_) => NOT_AS_SAID.to_owned(),
            Verdict::Unknown(unknown) => {
                let mut semantic =
                    SemanticAnswer::unknown(unknown.reason.clone(), unknown.bound());
                semantic.verdict = verdict;
                return Ok(semantic);
            }
        };
        Ok(SemanticAnswer::new(verdict, reason))
    }

    /// The answer if they conform under a condition: it may speak of the choreography's parameters, but a role that
    /// has to guess a value may guess any.
    fn conditional(
        condition: Term,
        evidence: &Evidence,
        setup: &Setup,
        tools: &mut Tools<'_>,
    ) -> Result<SemanticAnswer, SolverError> {
        let Tools { terms, solver, .. } = tools;
        let mut guessed: Vec<Var> = terms.free_variables(condition).into_iter().collect();
        guessed.retain(|&it| {
            let name = terms.variable_text(it);
            !setup.shared.iter().any(|shared| shared == name)
        });
        let whatever_is_guessed = terms.quantify(Quantifier::Forall, &guessed, condition);
        let settled = solver.eliminate(terms, whatever_is_guessed)?.term();
        let settled = terms.simplify(settled);
        Ok(match solver.satisfiable(terms, &[settled])? {
            Satisfiability::Sat => {
                let reason = format!(
                    "run together, the roles do what the choreography says if {}",
                    terms.print(settled)
                );
                SemanticAnswer::new(Verdict::HoldsIf(settled, evidence.clone()), reason)
            }
            Satisfiability::Unsat => {
                let reason = format!(
                    "run together, the roles do what the choreography says only for some of the data that a role would \
                     have to guess: if {}",
                    terms.print(condition)
                );
                SemanticAnswer::fails(reason, refutation(evidence))
            }
            Satisfiability::Unknown(reason) => {
                SemanticAnswer::unknown(reason.to_string(), budget_of(&reason))
            }
        })
    }
}

/// The run in the evidence of a condition, which refutes that it holds without one.
fn refutation(evidence: &Evidence) -> Evidence {
    match evidence {
        Evidence::Tree(Tree { because, .. }) => because
            .iter()
            .find_map(|tree| match tree.evidence.as_deref() {
                Some(Evidence::Trace(trace)) => Some(Evidence::Trace(of_roles(trace.clone()))),
                _ => None,
            })
            .unwrap_or_else(|| evidence.clone()),
        other => other.clone(),
    }
}

pub(crate) fn too_large(spent: String) -> SemanticAnswer {
    SemanticAnswer::unknown(
        format!("the projections put together are too large: {spent}"),
        Some(Bound::States(None)),
    )
}
