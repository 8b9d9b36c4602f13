//! Messages that can never be received and roles that wait forever.
//!
//! Conformance compares what is visible, and does not see them: a role that is left behind while the others continue for
//! ever changes nothing that anyone observes.
//! So they are looked for in the composition, as `check` does with machines:
//!
//! - a message at the head of a queue can still be received;
//! - a role that waits, and may not stay where it is, can still move;
//! - a role that has ended is sent nothing more ([`too_late`]).
//!
//! A role takes every message, but it does not wait for one that cannot come for all it knows, unless nothing happens
//! any more at all.
//!
//! *Can* and not *will*: that they do needs fairness, namely that no step that stays possible is put off forever.
//!
//! Where the choreography can always end, conformance is enough.
//! The composition can do so too then, from wherever it is; at its end all queues are empty, and every role is where it
//! may stay, so what waited in a queue was received, and who waited elsewhere has moved.

use std::collections::VecDeque;

use choros_data::{Term, Terms};
use choros_model::evidence::{Step, StepEvent, Trace};
use choros_model::stg::run::replay;
use choros_model::stg::{Direction, EdgeId, NodeId, Operation, Role, Stg};
use choros_model::{Bound, Evidence};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::AnalysisStop;
use crate::composition::{Act, Composition, Part};
use crate::feasible::shortest_run;
use crate::offered::offered;
use crate::prospect::{Claim, Terrain};
use crate::tools::Tools;

/// What was found.
pub(crate) enum Stranded {
    /// Nothing and no one is stranded.
    None,
    /// Something or someone is, with a sentence that says so.
    Some(String, Evidence),
    /// It is not settled, with a reason, and the bound to raise if that would help.
    Unsettled(String, Option<Bound>),
}

/// Whether a choreography can always end, whatever has happened.
pub(crate) fn always_ends(choreography: &Stg, tools: &mut Tools<'_>) -> Result<bool, AnalysisStop> {
    let terrain = Terrain::of(choreography, tools)?;
    let mut ends = Vec::new();
    for node in choreography.node_ids() {
        ends.push(choreography.termination(node, tools.terms));
    }
    let prospect = terrain.prospect(&|_| false, &ends, tools)?;
    for node in choreography.node_ids() {
        if terrain.assured(&prospect, node, Term::TRUE, tools)? != Claim::True {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The first state in which the choreography itself can get stuck: nothing happens, and it has not ended.
pub(crate) fn stuck(
    choreography: &Stg,
    tools: &mut Tools<'_>,
) -> Result<Option<NodeId>, AnalysisStop> {
    let terrain = Terrain::of(choreography, tools)?;
    for node in choreography.node_ids() {
        let mut ways = vec![choreography.termination(node, tools.terms)];
        ways.extend(choreography.outgoing(node).map(|(_, edge)| edge.guard));
        let goes_on = tools.terms.or(ways);
        if terrain.always(node, goes_on, tools)? == Claim::False {
            return Ok(Some(node));
        }
    }
    Ok(None)
}

/// Looks for messages and roles that are left behind; `rename` puts a condition of a role into the words of the graph.
pub(crate) fn stranded(
    composition: &Composition,
    stg: &Stg,
    rename: &dyn Fn(Term, &mut Terms) -> Term,
    tools: &mut Tools<'_>,
) -> Result<Stranded, AnalysisStop> {
    let meets = composition.channels.is_empty();
    // For each node, when each role waits there, and when each listens.
    let mut waits: Vec<Vec<Term>> = vec![Vec::new(); stg.nodes().len()];
    let mut asked: Vec<Vec<Term>> = vec![Vec::new(); stg.nodes().len()];
    let mut listens: Vec<Vec<Term>> = vec![Vec::new(); stg.nodes().len()];
    for (index, part) in composition.parts.iter().enumerate() {
        let mut places = Vec::new();
        for place in part.stg.node_ids() {
            let conditions = [
                waiting(part, place, meets, tools.terms),
                idle(part, place, meets, tools.terms),
            ];
            places.push(conditions.map(|it| rename(it, tools.terms)));
        }
        for node in stg.node_ids() {
            let place = composition.place_to_come(node, index);
            let [waiting, idle] = places[place.index()];
            waits[node.index()].push(waiting);
            listens[node.index()].push(idle);
            asked[node.index()].extend([waiting, idle]);
        }
    }
    let terrain = Terrain::asked(stg, &asked, tools)?;
    let acts: Vec<Option<(Act, Operation)>> = stg
        .edges()
        .iter()
        .map(|edge| composition.act(edge))
        .collect();
    let nothing = vec![Term::FALSE; stg.nodes().len()];
    let mut search = Search::new(composition, stg);
    for channel in 0..composition.channels.len() {
        let taken = |id: EdgeId| matches!(acts[id.index()], Some((Act::Taking(from), _)) if from == channel);
        let prospect = terrain.prospect(&taken, &nothing, tools)?;
        for node in stg.node_ids() {
            let Some(head) = composition.head_to_come(node, channel) else {
                continue;
            };
            let claim = terrain.assured(&prospect, node, Term::TRUE, tools)?;
            let data = Terrain::hopeless(&prospect, node, Term::TRUE, tools.terms);
            search.note(claim, node, data, Lost::Message(channel, head));
        }
    }
    for (index, &role) in composition.roles.iter().enumerate() {
        let moved =
            |id: EdgeId| matches!(acts[id.index()], Some((act, _)) if composition.moves(act, role));
        let prospect = terrain.prospect(&moved, &nothing, tools)?;
        for node in stg.node_ids() {
            let asked = waits[node.index()][index];
            let claim = terrain.assured(&prospect, node, asked, tools)?;
            let data = Terrain::hopeless(&prospect, node, asked, tools.terms);
            search.note(claim, node, data, Lost::Role(role));
        }
    }
    if listens.iter().flatten().any(|&it| it != Term::FALSE) {
        let mut ends = Vec::new();
        for node in stg.node_ids() {
            ends.push(stg.termination(node, tools.terms));
        }
        let prospect = terrain.prospect(&|_| true, &ends, tools)?;
        for node in stg.node_ids() {
            for (&role, &asked) in composition.roles.iter().zip(&listens[node.index()]) {
                let claim = terrain.assured(&prospect, node, asked, tools)?;
                let data = Terrain::hopeless(&prospect, node, asked, tools.terms);
                search.note(claim, node, data, Lost::Role(role));
            }
        }
    }
    search.conclude(&terrain, composition, stg, tools)
}

/// Looks for messages that reach a role which has ended, for all it knows; `rename` as for [`stranded`].
///
/// It would take them here, because a receiver takes everything, but no one waits for messages after the end.
pub(crate) fn too_late(
    composition: &Composition,
    stg: &Stg,
    rename: &dyn Fn(Term, &mut Terms) -> Term,
    tools: &mut Tools<'_>,
) -> Result<Stranded, AnalysisStop> {
    let late = ended_receivers(composition, stg, rename, tools.terms);
    if late.is_empty() {
        return Ok(Stranded::None);
    }
    let mut asked = vec![Vec::new(); stg.nodes().len()];
    for &(id, condition, _) in &late {
        asked[stg.edge(id).source.index()].push(condition);
    }
    let terrain = Terrain::asked(stg, &asked, tools)?;
    let mut search = Search::new(composition, stg);
    // A step that was taken is real, whatever a full queue forbids elsewhere.
    search.refusable.fill(false);
    for (id, condition, lost) in late {
        let node = stg.edge(id).source;
        let claim = terrain.never(node, condition, tools)?;
        search.note(claim, node, condition, lost);
    }
    search.conclude(&terrain, composition, stg, tools)
}

/// The edges on which a role receives that may have ended, with the data for which it has.
pub(crate) fn ended_receivers(
    composition: &Composition,
    stg: &Stg,
    rename: &dyn Fn(Term, &mut Terms) -> Term,
    terms: &mut Terms,
) -> Vec<(EdgeId, Term, Lost)> {
    let mut found = Vec::new();
    for (index, edge) in stg.edges().iter().enumerate() {
        let to = match composition.act(edge) {
            Some((Act::Meeting(_, to), operation)) => Some((to, operation)),
            Some((Act::Taking(channel), operation)) => {
                Some((composition.channels[channel].1, operation))
            }
            _ => None,
        };
        let Some((role, operation)) = to else {
            continue;
        };
        let Some(at) = composition.roles.iter().position(|&it| it == role) else {
            continue;
        };
        let part = &composition.parts[at];
        let place = composition.place(edge.source, at);
        let ended = part.stg.termination(place, terms);
        let receives = offered(&part.stg, place, Direction::Receive, terms);
        // Where it expects all that it would take it has not ended.
        if !part.leaves || ended == Term::FALSE || receives == part.listens[place.index()] {
            continue;
        }
        let ended = rename(ended, terms);
        let condition = terms.and([ended, edge.guard]);
        found.push((EdgeId(index as u32), condition, Lost::Late(role, operation)));
    }
    found
}

/// When a role waits at a place where it may not stay.
///
/// Over queues only receptions wait; where both ends meet, sendings do as well.
pub(crate) fn waiting(part: &Part, place: NodeId, meets: bool, terms: &mut Terms) -> Term {
    let stays = part.stg.termination(place, terms);
    let receives = part.listens[place.index()];
    let sends = offered(&part.stg, place, Direction::Send, terms);
    let busy = if meets {
        terms.or([receives, sends])
    } else {
        let silent = terms.not(sends);
        terms.and([receives, silent])
    };
    let leaves = terms.not(stays);
    terms.and([busy, leaves])
}

/// When a role that may not stay would take a message of which it knows that it cannot come.
///
/// It does not wait while others continue; but where nothing happens any more, everything is stuck.
pub(crate) fn idle(part: &Part, place: NodeId, meets: bool, terms: &mut Terms) -> Term {
    let receives = offered(&part.stg, place, Direction::Receive, terms);
    if receives == part.listens[place.index()] {
        return Term::FALSE;
    }
    let stays = part.stg.termination(place, terms);
    let leaves = terms.not(stays);
    let sends = if meets {
        Term::FALSE
    } else {
        offered(&part.stg, place, Direction::Send, terms)
    };
    let silent = terms.not(sends);
    terms.and([receives, silent, leaves])
}

/// What is left behind.
#[derive(Clone, Copy)]
pub(crate) enum Lost {
    Message(usize, Operation),
    Role(Role),
    /// It reaches a role that has ended.
    Late(Role, Operation),
}

impl Lost {
    /// What was put off and has to be sent before this shows.
    fn put_off(self, composition: &Composition, node: NodeId, terms: &Terms) -> Vec<Step> {
        let (role, until) = match self {
            Lost::Message(channel, _) => (composition.channels[channel].0, Some(channel)),
            Lost::Role(role) => (role, None),
            Lost::Late(..) => return Vec::new(),
        };
        if until.is_some_and(|channel| composition.waiting(node, channel).next().is_some()) {
            return Vec::new();
        }
        let index = composition.roles.iter().position(|&it| it == role);
        let mut steps = Vec::new();
        for (channel, operation) in composition.put_off(node, index.unwrap_or_default()) {
            steps.push(Step {
                event: message(composition, Act::Sending(channel), operation, terms),
                guard: None,
                bindings: Vec::new(),
                states: None,
                origin: None,
            });
            if until == Some(channel) {
                break;
            }
        }
        steps
    }

    fn claim(self, composition: &Composition, terms: &Terms) -> String {
        let name = |role: Role| terms.names.text(role.0);
        match self {
            Lost::Message(channel, operation) => {
                let (from, to) = composition.channels[channel];
                format!(
                    "`{}` from {} to {} can never be received",
                    terms.names.text(operation.0),
                    name(from),
                    name(to)
                )
            }
            Lost::Role(role) => format!("`{}` waits and can never move again", name(role)),
            Lost::Late(role, operation) => format!(
                "`{}` reaches {}, which has ended for all it knows",
                terms.names.text(operation.0),
                name(role)
            ),
        }
    }
}

struct Search {
    /// For each node, whether a full queue may still forbid something.
    refusable: Vec<bool>,
    nearest: Option<(NodeId, Term, Lost)>,
    unsettled: Option<(NodeId, Term, Lost)>,
    /// The bound that kept a claim from being decided.
    bound: Option<Bound>,
}

impl Search {
    fn new(composition: &Composition, stg: &Stg) -> Search {
        Search {
            refusable: refusable(composition, stg),
            nearest: None,
            unsettled: None,
            bound: None,
        }
    }

    /// Takes note of a claim, which the data refute; nodes are numbered breadth-first, so the smallest is the nearest.
    fn note(&mut self, claim: Claim, node: NodeId, data: Term, lost: Lost) {
        let slot = match claim {
            Claim::True => return,
            // What a full queue forbids may still come.
            Claim::False if self.refusable[node.index()] => &mut self.unsettled,
            Claim::False => &mut self.nearest,
            Claim::Undecided => {
                self.bound = Some(Bound::SolverBudget(None));
                &mut self.unsettled
            }
            Claim::Inexact => &mut self.unsettled,
        };
        if slot.is_none_or(|(known, ..)| node < known) {
            *slot = Some((node, data, lost));
        }
    }

    /// The nearest of what is left behind, with a run to it.
    fn conclude(
        self,
        terrain: &Terrain<'_>,
        composition: &Composition,
        stg: &Stg,
        tools: &mut Tools<'_>,
    ) -> Result<Stranded, AnalysisStop> {
        Ok(match (self.nearest, self.unsettled) {
            (Some((node, data, lost)), _) => {
                let claim = lost.claim(composition, tools.terms);
                let run = if terrain.is_plain() {
                    Some(run(composition, stg, node, &claim, tools.terms))
                } else {
                    run_with_values(composition, stg, (node, data), &claim, tools)?
                };
                let evidence = match run {
                    Some(mut run) => {
                        run.steps
                            .extend(lost.put_off(composition, node, tools.terms));
                        Evidence::Trace(run)
                    }
                    None => Evidence::Configuration(composition.situation(node, tools.terms)),
                };
                Stranded::Some(claim, evidence)
            }
            (None, Some((node, _, lost))) => {
                let reason = format!(
                    "it is not settled that it never happens, in state {}, that {}",
                    stg.node(node).label,
                    lost.claim(composition, tools.terms)
                );
                Stranded::Unsettled(reason, self.bound.or(terrain.bound()))
            }
            (None, None) => Stranded::None,
        })
    }
}

fn refusable(composition: &Composition, stg: &Stg) -> Vec<bool> {
    let mut arriving: Vec<Vec<NodeId>> = vec![Vec::new(); stg.nodes().len()];
    for edge in stg.edges() {
        arriving[edge.target.index()].push(edge.source);
    }
    let mut found = vec![false; stg.nodes().len()];
    let mut work = composition.refused.clone();
    while let Some(node) = work.pop() {
        if !std::mem::replace(&mut found[node.index()], true) {
            work.extend(&arriving[node.index()]);
        }
    }
    found
}

/// The shortest run to a node.
fn run(composition: &Composition, stg: &Stg, to: NodeId, conclusion: &str, terms: &Terms) -> Trace {
    let mut came: Vec<Option<EdgeId>> = vec![None; stg.nodes().len()];
    let mut seen = vec![false; stg.nodes().len()];
    seen[stg.initial().index()] = true;
    let mut work = VecDeque::from([stg.initial()]);
    while let Some(node) = work.pop_front() {
        if node == to {
            break;
        }
        for (id, edge) in stg.outgoing(node) {
            if edge.guard != Term::FALSE && !std::mem::replace(&mut seen[edge.target.index()], true)
            {
                came[edge.target.index()] = Some(id);
                work.push_back(edge.target);
            }
        }
    }
    let mut edges = Vec::new();
    let mut node = to;
    while let Some(id) = came[node.index()] {
        edges.push(id);
        node = stg.edge(id).source;
    }
    edges.reverse();
    Trace {
        steps: steps(composition, stg, &edges, terms),
        conclusion: conclusion.to_owned(),
        ..Trace::default()
    }
}

/// The shortest run to a node that brings these data there, with values; `None` where none is found.
fn run_with_values(
    composition: &Composition,
    stg: &Stg,
    (to, data): (NodeId, Term),
    conclusion: &str,
    tools: &mut Tools<'_>,
) -> Result<Option<Trace>, AnalysisStop> {
    let goals = FxHashMap::from_iter([(to, data)]);
    let Some(found) = shortest_run(stg, &goals, tools)? else {
        return Ok(None);
    };
    let Some((parameters, choices)) = found.values(stg, tools)? else {
        return Ok(None);
    };
    let Ok((_, mut trace)) = replay(stg, parameters, &choices, tools.terms) else {
        return Ok(None);
    };
    // Places in queues have values too, which are those of the messages.
    let own: FxHashSet<&str> = composition
        .parts
        .iter()
        .flat_map(|part| part.stg.variables(tools.terms))
        .map(|variable| tools.terms.variable_text(variable))
        .collect();
    for (step, &id) in trace.steps.iter_mut().zip(&found.edges) {
        step.bindings
            .retain(|it| own.contains(it.variable.as_str()));
        let mut said = event(composition, id, stg, tools.terms);
        if let (StepEvent::Message { fields: known, .. }, StepEvent::Message { fields, .. }) =
            (&step.event, &mut said)
        {
            fields.clone_from(known);
        }
        step.event = said;
    }
    trace.conclusion = conclusion.to_owned();
    Ok(Some(trace))
}

/// Edges as the steps of a run, sendings and receptions distinguished.
pub(crate) fn steps(
    composition: &Composition,
    stg: &Stg,
    edges: &[EdgeId],
    terms: &Terms,
) -> Vec<Step> {
    edges
        .iter()
        .map(|&id| {
            let edge = stg.edge(id);
            Step {
                event: event(composition, id, stg, terms),
                guard: None,
                bindings: Vec::new(),
                states: Some((
                    stg.node(edge.source).label.clone(),
                    stg.node(edge.target).label.clone(),
                )),
                origin: edge.origin,
            }
        })
        .collect()
}

fn event(composition: &Composition, id: EdgeId, stg: &Stg, terms: &Terms) -> StepEvent {
    match composition.act(stg.edge(id)) {
        Some((act, operation)) => message(composition, act, operation, terms),
        None => StepEvent::Silent,
    }
}

fn message(composition: &Composition, act: Act, operation: Operation, terms: &Terms) -> StepEvent {
    let (direction, (from, to)) = match act {
        Act::Meeting(from, to) => (Direction::Interaction, (from, to)),
        Act::Sending(channel) => (Direction::Send, composition.channels[channel]),
        Act::Taking(channel) => (Direction::Receive, composition.channels[channel]),
    };
    let name = |role: Role| terms.names.text(role.0).to_owned();
    // A clock is no partner.
    if from == to {
        return StepEvent::Other(format!("time passes for {}", name(from)));
    }
    StepEvent::Message {
        operation: terms.names.text(operation.0).to_owned(),
        from: name(from),
        to: name(to),
        direction,
        fields: Vec::new(),
    }
}
