//! Realizability where roles measure time.
//!
//! What is asked is the same as without time: the projections, put together, do what the choreography says.
//! A role keeps its own ticks in its projection and sees no others; in the composition the clocks of different roles tick
//! in any order.
//! So what holds, holds however the clocks run.
//!
//! The relation by which implementations conform knows no silent steps of a choreography, and here it has some: a tick,
//! and, where a message can be late, the moment in which it is received ([`is_split`]).
//! So these are made visible, in the choreography and in the composition alike ([`spec`]).
//! Who tells more apart relates less: what holds with more to be seen holds when it is hidden again on both sides.
//! The other direction does not follow.
//! That it *fails* is said of a run of the composition only: one that shows messages in an order which the choreography
//! does not have ([`excess`]), or one that leaves a message or a role behind; otherwise it is not settled.
//!
//! The conditions of the thesis know nothing of time.
//! Instead the *races* are named: at `r` a timer runs while another role may send what `r` awaits, as one step.
//! Over a network the message can be sent and the time be over, so both decide.

mod excess;
mod spec;

use choros_base::{Budget, StopReason};
use choros_conform::{Setup, conformance};
use choros_data::{Term, Terms};
use choros_model::stg::{
    Direction, EdgeId, Event, Operation, Role, Stg, Visible, is_split, met_view, product, queues,
    rename,
};
use choros_model::{Bound, Verdict};
use rustc_hash::{FxHashMap, FxHashSet};

use self::excess::excess;
use self::spec::{Kind, received_kinds, specification, taken};
use crate::closing::listeners;
use crate::composition::{Act, Composition, parts};
use crate::question::Question;
use crate::semantic::{
    MAX_CHANGES, Obstacle, SemanticAnswer, nobody_stranded, silent_for_ever, too_large,
};
use crate::shared::Shared;
use crate::stranded::{Stranded, stranded, too_late};
use crate::tools::Tools;
use crate::violation::Violation;
use crate::{
    AnalysisStop, Awareness, Closing, Conditions, Mode, Projection, Realizability, project,
    without_dead,
};

/// Whether roles measure time.
pub fn is_timed(stg: &Stg) -> bool {
    stg.edges()
        .iter()
        .any(|edge| matches!(edge.event, Event::TickOf(_)))
}

/// Judges a choreography in which roles measure time.
pub(crate) fn timed_realizability(
    stg: &Stg,
    asked: &Question,
    tools: &mut Tools<'_>,
) -> Result<Realizability, AnalysisStop> {
    let source = match asked.mode {
        Mode::Synchronous => met_view(stg, tools.terms),
        _ => stg.clone(),
    };
    let (reachable, dead) = without_dead(&source, tools.terms, tools.solver, tools.budget)?;
    let violations = races(&reachable, asked.mode);
    let semantic = match (asked.mode, is_split(&reachable)) {
        (Mode::Peers, _) => SemanticAnswer::not_settled(
            "the mode `peers` does not know time yet; ask with `sender`, `receiver` or `sync`",
        ),
        (Mode::Receiver | Mode::Disjoint, true) => SemanticAnswer::not_settled(
            "late messages are compared by what is sent; ask with the mode `sender`",
        ),
        _ => judge(&reachable, asked, tools)?,
    };
    Ok(Realizability {
        reachable,
        dead,
        conditions: Conditions {
            violations,
            timed: true,
            ..Conditions::default()
        },
        told: Awareness::default(),
        semantic,
        mended: None,
    })
}

/// The messages that race with a timer of their receiver, each once.
fn races(stg: &Stg, mode: Mode) -> Vec<Violation> {
    let mut found: Vec<Violation> = Vec::new();
    // A message that travels in no time is in time or is not sent.
    if mode == Mode::Synchronous {
        return found;
    }
    let mut known: FxHashSet<Kind> = FxHashSet::default();
    for node in stg.node_ids() {
        let ticks = stg
            .outgoing(node)
            .filter_map(|(id, edge)| match edge.event {
                Event::TickOf(role) => Some((id, role)),
                _ => None,
            });
        let ticks: Vec<(EdgeId, Role)> = ticks.collect();
        for (id, edge) in stg.outgoing(node) {
            let Some(message) = edge.event.message() else {
                continue;
            };
            let tick = ticks.iter().find(|(_, role)| message.to == *role);
            if let Some(&(tick, _)) = tick
                && message.direction == Direction::Interaction
                && known.insert((message.operation, message.from, message.to))
            {
                found.push(Violation::Race { edge: id, tick });
            }
        }
    }
    found
}

/// Two choreographies with ticks and the receptions of messages that can be late in view, so that they can be compared;
/// `None` where neither is about messages that are sent at one time and received at another.
pub fn both_in_view(
    one: &Stg,
    other: &Stg,
    budget: &Budget,
    terms: &mut Terms,
) -> Option<Result<(Stg, Stg), StopReason>> {
    if !is_split(one) && !is_split(other) {
        return None;
    }
    let mut shown = received_kinds(one);
    shown.extend(received_kinds(other));
    let mut seen = |stg: &Stg| specification(stg, &shown, budget, terms);
    Some(seen(one).and_then(|one| Ok((one, seen(other)?))))
}

/// What is compared: the choreography as it is seen, and the roles.
struct Sides<'a> {
    /// The choreography with all that is made visible.
    specification: Stg,
    /// The messages whose reception is made visible.
    shown: FxHashSet<Kind>,
    projections: Vec<Projection>,
    asked: &'a Question,
}

fn judge(
    reachable: &Stg,
    asked: &Question,
    tools: &mut Tools<'_>,
) -> Result<SemanticAnswer, AnalysisStop> {
    let budget = tools.budget.part(asked.effort.states);
    let projections = match project(reachable, asked.mode, tools.terms, tools.solver, &budget) {
        Ok(projections) => projections,
        Err(AnalysisStop::Spent(spent)) => return Ok(too_large(spent.to_string())),
        Err(stopped) => return Err(stopped),
    };
    let mut ticking = Vec::with_capacity(projections.len());
    for projection in projections {
        ticking.push(Projection {
            stg: spec::with_visible_ticks(&projection.stg, tools.terms),
            ..projection
        });
    }
    let shown = received_kinds(reachable);
    let specification = match specification(reachable, &shown, &budget, tools.terms) {
        Ok(specification) => specification,
        Err(spent) => return Ok(too_large(spent.to_string())),
    };
    let sides = Sides {
        specification,
        shown,
        projections: ticking,
        asked,
    };
    let found = sides.compare(&asked.closing, tools)?;
    if !matches!(found.verdict, Verdict::Fails(_)) {
        return Ok(found);
    }
    let would_serve = sides.would_serve(tools)?;
    Ok(SemanticAnswer {
        would_serve,
        ..found
    })
}

impl Sides<'_> {
    /// What the roles do together if everything ends as `closing` says.
    fn compare(
        &self,
        closing: &Closing,
        tools: &mut Tools<'_>,
    ) -> Result<SemanticAnswer, AnalysisStop> {
        let composition = match self.composition(closing, tools) {
            Ok(composition) => composition,
            Err(spent) => return Ok(too_large(spent.to_string())),
        };
        let shared = match Shared::of(&self.specification, &composition.stg, tools.terms) {
            Ok(shared) => shared,
            Err(reason) => return Ok(SemanticAnswer::not_settled(reason)),
        };
        let implementation = rename(&composition.stg, &shared.renaming, tools.terms);
        let states = self.asked.effort.states;
        let budget = tools.budget.part(states.saturating_mul(16));
        if let Some((reason, evidence)) =
            excess(&composition, &self.specification, &budget, tools.terms)
        {
            return Ok(SemanticAnswer::fails(reason, evidence));
        }
        if !composition.refused.is_empty() {
            let reason = format!("a queue was full with {} messages", composition.bound);
            return Ok(SemanticAnswer {
                obstacle: Some(Obstacle::FullQueue),
                ..SemanticAnswer::unknown(reason, Some(Bound::Places(None)))
            });
        }
        let setup = Setup {
            shared: shared.names.clone(),
            allow_fixed: self.asked.mode == Mode::Receiver,
            most_changes: MAX_CHANGES,
        };
        let found = conformance(
            &implementation,
            &self.specification,
            &setup,
            tools.terms,
            tools.solver,
            &budget,
        )?;
        let restless = found.divergent.first().copied();
        let semantic = SemanticAnswer::of(found.verdict, &setup, tools)?;
        match semantic.verdict {
            Verdict::Holds(_) | Verdict::HoldsIf(..) => match restless {
                Some(node) => Ok(silent_for_ever(&composition, node, tools.terms)),
                None => nobody_stranded(
                    semantic,
                    &self.specification,
                    &composition,
                    &implementation,
                    &shared.renaming,
                    tools,
                ),
            },
            Verdict::Unknown(_) => Ok(semantic),
            Verdict::Fails(_) => {
                let words: FxHashMap<_, _> = shared
                    .renaming
                    .variables
                    .iter()
                    .map(|(&old, &new)| (old, tools.terms.var(new)))
                    .collect();
                let translate = |condition: Term, terms: &mut choros_data::Terms| {
                    terms.substitute(condition, &words)
                };
                let mut lost = too_late(&composition, &implementation, &translate, tools)?;
                if matches!(lost, Stranded::None) {
                    lost = stranded(&composition, &implementation, &translate, tools)?;
                }
                Ok(match lost {
                    Stranded::Some(claim, evidence) => SemanticAnswer::fails(claim, evidence),
                    Stranded::None | Stranded::Unsettled(..) => {
                        SemanticAnswer::not_settled(&format!(
                            "with clocks and receptions in view the roles differ from the choreography, which does not \
                         show that they do without ({})",
                            semantic.reason
                        ))
                    }
                })
            }
        }
    }

    /// The projections put together, with the receptions in view that the choreography shows.
    fn composition(
        &self,
        closing: &Closing,
        tools: &mut Tools<'_>,
    ) -> Result<Composition, choros_base::StopReason> {
        let effort = self.asked.effort;
        let budget = tools.budget.part(effort.states);
        let (roles, parts) = parts(&self.projections, closing, tools.terms);
        let graphs: Vec<&Stg> = parts.iter().map(|it| &it.stg).collect();
        let name = "projections";
        if self.asked.mode == Mode::Synchronous {
            let product = product(name, &graphs, &budget, tools.terms)?;
            return Ok(Composition::where_both_meet(product, roles, parts));
        }
        let visible = match self.asked.mode {
            Mode::Receiver => Visible::Receptions,
            _ => Visible::Sendings,
        };
        let bound = match self.asked.mode {
            Mode::Disjoint => 2,
            _ => effort.bound,
        };
        let queued = queues(name, &graphs, visible, bound, &budget, tools.terms)?;
        let mut composition = Composition::over(queued, bound, roles, parts);
        let shows = |edge: &choros_model::stg::Edge| match composition.act(edge) {
            Some((Act::Taking(channel), operation)) => {
                let (from, to) = composition.channels[channel];
                self.shown
                    .contains(&(operation, from, to))
                    .then_some((operation, from, to))
            }
            _ => None,
        };
        let kinds: Vec<Option<(Operation, Role, Role)>> =
            composition.stg.edges().iter().map(shows).collect();
        let mut kinds = kinds.into_iter();
        let stg = composition.stg.map(
            tools.terms,
            |terms, edge| match kinds.next().flatten() {
                Some(kind) => choros_model::stg::Edge {
                    event: taken(kind, terms),
                    ..edge.clone()
                },
                None => edge.clone(),
            },
            |_, guard| guard,
        );
        composition.stg = stg;
        Ok(composition)
    }

    /// The roles whose declaration as services, beside those that are declared, would make it hold.
    fn would_serve(&self, tools: &mut Tools<'_>) -> Result<Vec<Role>, AnalysisStop> {
        let Closing::Alone { services } = &self.asked.closing else {
            return Ok(Vec::new());
        };
        let mut missing: Vec<Role> = listeners(&self.projections);
        missing.retain(|role| !services.contains(role));
        let holds = |missing: &[Role], tools: &mut Tools<'_>| -> Result<bool, AnalysisStop> {
            let closing = Closing::Alone {
                services: services.iter().chain(missing).copied().collect(),
            };
            Ok(self.compare(&closing, tools)?.holds())
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
                missing = fewer;
            } else {
                index += 1;
            }
        }
        Ok(missing)
    }
}
