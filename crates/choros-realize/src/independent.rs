//! Independent conversations beside each other, each judged by itself.
//!
//! Let a choreography be the product of parts that share neither messages nor variables.
//! A role does its threads beside each other then, and its projection is the product of its projections on the parts;
//! so is the composition, as long as messages of different parts do not meet in a queue.
//! Interleaving with disjoint messages preserves conformance, endings included, because the whole has ended iff every
//! part has ([`Closing`](crate::Closing) composes).
//! Conformance is enough where everything can always end, whatever the data, so parts are judged apart only there.
//! The README has the argument, and why queues that are shared need more.

use choros_data::{Term, Terms};
use choros_model::evidence::Tree;
use choros_model::stg::{Factors, Role, Separation, Stg, factors, prune};
use choros_model::{Evidence, Verdict};
use rustc_hash::FxHashSet;

use crate::composition::{Act, Composition};
use crate::question::Question;
use crate::semantic::{holds_with, semantic};
use crate::stranded::always_ends;
use crate::tools::Tools;
use crate::{AnalysisStop, Closing, Mode, Reachability, SemanticAnswer, project, reachability};

/// A choreography taken apart.
pub(crate) struct IndependentParts {
    factors: Factors,
    /// What can happen in each part.
    reachable: Vec<Stg>,
    found: Vec<Reachability>,
}

impl IndependentParts {
    /// The independent parts of a choreography, where it may be judged by them.
    pub(crate) fn of(
        stg: &Stg,
        asked: &Question,
        tools: &mut Tools<'_>,
    ) -> Result<Option<IndependentParts>, AnalysisStop> {
        let apart = match asked.mode {
            Mode::Synchronous => Separation::Messages,
            // A message of one part may keep one of another from being received, but for those that are always
            // received at once.
            Mode::Sender => match IndependentParts::taken(stg, Separation::Messages, tools)? {
                Some(parts) if parts.share_queues(asked, tools)? => return Ok(Some(parts)),
                Some(_) => Separation::Channels,
                None => return Ok(None),
            },
            // The order of receptions in a queue is settled when they are sent, in silence.
            Mode::Receiver => Separation::Channels,
            // What a role does in one part would have an order with what it does in another.
            Mode::Peers => Separation::Roles,
            // Two parts that have begun have two messages in flight.
            Mode::Disjoint => return Ok(None),
        };
        IndependentParts::taken(stg, apart, tools)
    }

    fn taken(
        stg: &Stg,
        apart: Separation,
        tools: &mut Tools<'_>,
    ) -> Result<Option<IndependentParts>, AnalysisStop> {
        let Some(factors) = factors(stg, apart, tools.terms) else {
            return Ok(None);
        };
        let mut parts = IndependentParts {
            factors,
            reachable: Vec::new(),
            found: Vec::new(),
        };
        for part in &parts.factors.parts {
            let found = reachability(part, tools.terms, tools.solver, tools.budget)?;
            let reachable = live(part, &found, tools.terms);
            // Beside a part that continues forever, or is stuck, no other one ends, so a role that may stay where its
            // own part has ended would be left behind in the whole.
            if !always_ends(&reachable, tools)? {
                return Ok(None);
            }
            parts.reachable.push(reachable);
            parts.found.push(found);
        }
        Ok(Some(parts))
    }

    /// Whether messages of different parts may travel over the same channels: whatever comes first there can be
    /// received at once.
    fn share_queues(&self, asked: &Question, tools: &mut Tools<'_>) -> Result<bool, AnalysisStop> {
        let used: Vec<FxHashSet<(Role, Role)>> = self
            .reachable
            .iter()
            .map(|part| part.messages().map(|it| (it.from, it.to)).collect())
            .collect();
        for (index, part) in self.reachable.iter().enumerate() {
            let mut shared = used[index].clone();
            shared.retain(|channel| {
                let mut others = used.iter().enumerate();
                others.any(|(other, used)| other != index && used.contains(channel))
            });
            if !shared.is_empty() && !receives_at_once(part, &shared, asked, tools)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The whole graph without dead transitions and terminations, and how many transitions were dead.
    pub(crate) fn without_dead(&self, stg: &Stg, terms: &mut Terms) -> (Stg, usize) {
        let is_dead = |index: usize| {
            let (part, edge) = self.factors.edges[index];
            self.found[part].edges[edge.index()].is_dead()
        };
        let rest = prune(
            stg,
            terms,
            |edge| !is_dead(edge.index()),
            |node, index| {
                let mut places = self.found.iter().zip(&self.factors.tuples[node.index()]);
                places.all(|(found, place)| !found.terminations[place.index()][index].is_dead())
            },
        );
        let dead = (0..stg.edges().len()).filter(|&index| is_dead(index));
        (rest, dead.count())
    }

    /// Whether the projections of every part, put together, do what it says.
    pub(crate) fn semantic(
        &self,
        asked: &Question,
        tools: &mut Tools<'_>,
    ) -> Result<SemanticAnswer, AnalysisStop> {
        let mut judged = Vec::new();
        for part in &self.reachable {
            judged.push(semantic(part, asked, tools)?);
        }
        let would_serve = self.would_serve(&judged, asked, tools)?;
        Ok(SemanticAnswer {
            would_serve,
            ..joined(judged, tools.terms)
        })
    }

    /// The roles whose declaration as services would make every part hold.
    fn would_serve(
        &self,
        judged: &[SemanticAnswer],
        asked: &Question,
        tools: &mut Tools<'_>,
    ) -> Result<Vec<Role>, AnalysisStop> {
        let Closing::Alone { services } = &asked.closing else {
            return Ok(Vec::new());
        };
        let mut missing: Vec<Role> = Vec::new();
        for part in judged.iter().filter(|it| !it.holds()) {
            if part.would_serve.is_empty() {
                return Ok(Vec::new());
            }
            for &role in &part.would_serve {
                if !missing.contains(&role) {
                    missing.push(role);
                }
            }
        }
        let all: Vec<Role> = services.iter().chain(&missing).copied().collect();
        for part in &self.reachable {
            if !missing.is_empty() && !holds_with(part, &all, asked, tools)? {
                return Ok(Vec::new());
            }
        }
        Ok(missing)
    }
}

/// Whether the head of each of these channels can be received at once, wherever the projections are.
pub(crate) fn receives_at_once(
    part: &Stg,
    channels: &FxHashSet<(Role, Role)>,
    asked: &Question,
    tools: &mut Tools<'_>,
) -> Result<bool, AnalysisStop> {
    let budget = tools.budget.part(asked.effort.states);
    let projections = match project(part, asked.mode, tools.terms, tools.solver, &budget) {
        Ok(projections) => projections,
        Err(AnalysisStop::Spent(_)) => return Ok(false),
        Err(stopped) => return Err(stopped),
    };
    let composed = Composition::of(
        &projections,
        asked.mode,
        &asked.closing,
        asked.effort,
        tools.budget,
        tools.terms,
    );
    let Ok(composition) = composed else {
        return Ok(false);
    };
    if composition.arranged.is_some() || !composition.refused.is_empty() {
        return Ok(false);
    }
    let stg = &composition.stg;
    let is_taken = |node, channel| {
        let mut leaving = stg.outgoing(node);
        leaving.any(|(_, edge)| {
            let act = composition.act(edge).map(|it| it.0);
            edge.guard == Term::TRUE && act == Some(Act::Taking(channel))
        })
    };
    let mut heads = stg.node_ids().flat_map(|node| {
        let all = composition.channels.iter().enumerate();
        let shared = all.filter(|(_, channel)| channels.contains(channel));
        shared.map(move |(channel, _)| (node, channel))
    });
    Ok(heads.all(|(node, channel)| {
        composition.waiting(node, channel).next().is_none() || is_taken(node, channel)
    }))
}

pub(crate) fn live(part: &Stg, found: &Reachability, terms: &mut Terms) -> Stg {
    prune(
        part,
        terms,
        |edge| !found.edges[edge.index()].is_dead(),
        |node, index| !found.terminations[node.index()][index].is_dead(),
    )
}

/// The answer for the whole: the first part that fails, or is not settled, or what all of them say.
fn joined(judged: Vec<SemanticAnswer>, terms: &mut Terms) -> SemanticAnswer {
    let count = judged.len();
    let fails = |it: &&SemanticAnswer| matches!(it.verdict, Verdict::Fails(_));
    let open = |it: &&SemanticAnswer| matches!(it.verdict, Verdict::Unknown(_));
    let worst = judged.iter().find(fails).or(judged.iter().find(open));
    if let Some(worst) = worst {
        return worst.clone();
    }
    let mut reasons: Vec<String> = Vec::new();
    let mut conditions = Vec::new();
    let mut because = Vec::new();
    for part in judged {
        let evidence = match part.verdict {
            Verdict::Holds(evidence) => evidence,
            Verdict::HoldsIf(condition, evidence) => {
                conditions.push(condition);
                evidence
            }
            Verdict::Fails(_) | Verdict::Unknown(_) => continue,
        };
        because.push(Tree {
            claim: part.reason.clone(),
            origin: None,
            evidence: Some(Box::new(evidence)),
            because: Vec::new(),
        });
        if !reasons.contains(&part.reason) {
            reasons.push(part.reason);
        }
    }
    let reason = format!(
        "{}, in each of {count} independent parts",
        reasons.join("; ")
    );
    let evidence = Evidence::Tree(Tree {
        claim: format!("{count} independent parts, each on its own"),
        origin: None,
        evidence: None,
        because,
    });
    let verdict = if conditions.is_empty() {
        Verdict::Holds(evidence)
    } else {
        Verdict::HoldsIf(terms.and(conditions), evidence)
    };
    SemanticAnswer::new(verdict, reason)
}
