//! The behaviour of a term: states are multisets of clusters.
//!
//! Labels are those of the reduction semantics: `†`, or a communication `p.o<v…>`.
//! A communication of a receiver and an invoker in different clusters needs a global endpoint, and its best match is
//! sought among all receives of the state, as (com) and (parconf) demand; those inside scopes that a kill holds up
//! count too, because `noConf` does not ask for kills.

use choros_base::Span;
use choros_data::Terms;
use choros_model::evidence::Configuration;
use choros_model::lts::{Action, ActionId, Extent, Lts, NoSuccessors, StateId};

use super::Program;
use super::cluster::{ClusterId, Clusters, substitutions};
use super::labels::Labels;
use super::multiset::smaller;
use super::process::{Atom, Process, open};
use super::show::show;
use super::states::States;
use super::unique::fix_unique_names;

/// How a term is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Receives with fewer substitutions go first.
    pub has_best_match: bool,
    /// No more than this many bytes are used for states, about.
    pub most_bytes: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            has_best_match: true,
            most_bytes: None,
        }
    }
}

/// A term that is executed step by step.
#[derive(Debug)]
pub struct CowsLts {
    clusters: Clusters,
    labels: Labels,
    states: States,
    options: Options,
    program: Program,
}

/// What is left in a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateResidue {
    /// There are replicated services.
    pub has_services: bool,
    /// Everything else, as a term.
    pub rest: Option<String>,
}

/// What happens in a step beyond its label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepDetails {
    /// Labels of the invoke and of the receive; absent in a forced termination.
    pub halves: Option<(ActionId, ActionId)>,
    /// Where the invoke or the kill is written.
    pub place: Option<Span>,
}

/// A step before its target is known.
struct Move {
    /// Where its activities are written: this orders the steps of a state.
    order: (u32, u32),
    label: ActionId,
    /// Labels of invoke and receive.
    halves: Option<(ActionId, ActionId)>,
    gone: (ClusterId, Option<ClusterId>),
    what: Happening,
}

enum Happening {
    /// A step of one cluster, by position.
    Own(u32),
    /// Positions of receive and invoke.
    Meeting(u32, u32),
}

impl CowsLts {
    /// The behaviour of a term.
    pub fn new(program: &Program, options: Options) -> Self {
        let mut system = CowsLts {
            clusters: Clusters::new(options.has_best_match),
            labels: Labels::new(&program.symbols),
            states: States::default(),
            options,
            program: program.clone(),
        };
        let mut next = 0;
        let (_, mut body) = open(&program.initial, &mut next);
        fix_unique_names(program, &mut body);
        let clusters = system.clusters.settle(body);
        let first = system.fold(clusters, true);
        system.states.intern(&first);
        system
    }

    /// About how many bytes states and clusters take.
    pub fn bytes(&self) -> usize {
        self.states.bytes() + self.clusters.bytes()
    }

    /// Whether two numbers may have been given to one state, because a term was too symmetric to be put into its one
    /// form at a reasonable price.
    pub fn may_repeat_states(&self) -> bool {
        self.clusters.gave_up()
    }

    /// A state as a term.
    pub fn term(&self, state: StateId) -> String {
        let mut members = Vec::new();
        self.states.members(state.0, &mut members);
        let bodies: Vec<&[Process]> = members
            .iter()
            .map(|&id| self.clusters.cluster(id).body.as_slice())
            .collect();
        show(&bodies, &self.program.symbols)
    }

    /// What is left in a state.
    pub fn residue(&self, state: StateId) -> StateResidue {
        let mut members = Vec::new();
        self.states.members(state.0, &mut members);
        let is_service = |process: &Process| matches!(process, Process::Replication(_));
        let bodies: Vec<&[Process]> = members
            .iter()
            .map(|&id| self.clusters.cluster(id).body.as_slice())
            .filter(|body| !body.iter().all(is_service))
            .collect();
        StateResidue {
            has_services: bodies.len() < members.len(),
            rest: (!bodies.is_empty()).then(|| show(&bodies, &self.program.symbols)),
        }
    }

    /// What happens in a step.
    pub fn details(
        &mut self,
        source: StateId,
        action: ActionId,
        target: StateId,
    ) -> Option<StepDetails> {
        let found = self.find_move(source, action, target)?;
        Some(StepDetails {
            halves: found.halves,
            place: self.program.origins.get(found.order.0 as usize).copied(),
        })
    }

    /// The steps of a state, those that are written first in the program first.
    fn moves(&mut self, members: &[ClusterId]) -> Vec<Move> {
        let mut distinct: Vec<(ClusterId, bool)> = Vec::with_capacity(members.len());
        for &id in members {
            match distinct.last_mut() {
                Some((last, is_several)) if *last == id => *is_several = true,
                _ => distinct.push((id, false)),
            }
        }
        for &(id, _) in &distinct {
            self.clusters.work_out(id, &mut self.labels);
        }
        let mut moves = Vec::new();
        for &(invoker, is_several) in &distinct {
            let Some(behaviour) = self.clusters.behaviour(invoker) else {
                continue;
            };
            for (position, step) in behaviour.steps.iter().enumerate() {
                if let Some((endpoint, tuple, count)) = &step.contested
                    && *count > self.least(&distinct, *endpoint, tuple, invoker)
                {
                    continue;
                }
                moves.push(Move {
                    order: step.origins,
                    label: step.label,
                    halves: step.halves,
                    gone: (invoker, None),
                    what: Happening::Own(position as u32),
                });
            }
            for (invoke, offer) in behaviour.invokes.iter().enumerate() {
                let mut least = None;
                for &(receiver, _) in &distinct {
                    // One cluster meets itself only if it is there twice.
                    if receiver == invoker && !is_several {
                        continue;
                    }
                    let Some(other) = self.clusters.behaviour(receiver) else {
                        continue;
                    };
                    for (receive, taken) in other.receives.iter().enumerate() {
                        if taken.endpoint != offer.endpoint || taken.is_blocked {
                            continue;
                        }
                        let Some(count) = substitutions(&taken.pattern, &offer.tuple, false) else {
                            continue;
                        };
                        let least = *least.get_or_insert_with(|| {
                            self.least(&distinct, offer.endpoint, &offer.tuple, invoker)
                        });
                        if count > least {
                            continue;
                        }
                        moves.push(Move {
                            order: (offer.origin, taken.origin),
                            label: offer.communication,
                            halves: Some((offer.label, taken.label)),
                            gone: (invoker, Some(receiver)),
                            what: Happening::Meeting(receive as u32, invoke as u32),
                        });
                    }
                }
            }
        }
        moves.sort_by_key(|step| (step.order, step.gone));
        moves
    }

    /// The least number of substitutions with which any receive of a state matches; without priority, any will do.
    fn least(
        &self,
        distinct: &[(ClusterId, bool)],
        endpoint: (u32, u32),
        tuple: &[Atom],
        invoker: ClusterId,
    ) -> u32 {
        if !self.options.has_best_match {
            return u32::MAX;
        }
        let behaviours = distinct
            .iter()
            .filter_map(|&(id, _)| Some((id, self.clusters.behaviour(id)?)));
        behaviours
            .flat_map(|(id, behaviour)| {
                let offers = behaviour.receives.iter();
                offers
                    .filter(move |offer| offer.endpoint == endpoint)
                    .filter_map(move |offer| substitutions(&offer.pattern, tuple, id == invoker))
            })
            .min()
            .unwrap_or(u32::MAX)
    }

    /// The clusters after a step, sorted.
    fn after(&mut self, members: &[ClusterId], step: &Move) -> Vec<ClusterId> {
        let result: &[ClusterId] = match (&step.what, step.gone) {
            (Happening::Own(position), (cluster, _)) => {
                let behaviour = self.clusters.behaviour(cluster);
                behaviour.map_or(&[], |behaviour| &behaviour.steps[*position as usize].result)
            }
            (Happening::Meeting(receive, invoke), (invoker, Some(receiver))) => {
                self.clusters.meet(receiver, *receive, invoker, *invoke)
            }
            (Happening::Meeting(..), (_, None)) => &[],
        };
        let mut next = Vec::with_capacity(members.len() + result.len());
        next.extend_from_slice(result);
        let mut needs_folding = next.iter().any(|&id| {
            let cluster = self.clusters.cluster(id);
            cluster.is_folded || !cluster.folds.is_empty() || cluster.folds_across
        });
        let mut gone = [Some(step.gone.0), step.gone.1];
        for &id in members {
            match gone.iter_mut().find(|it| **it == Some(id)) {
                Some(it) => *it = None,
                None => {
                    needs_folding |= self.clusters.cluster(id).folds_across;
                    next.push(id);
                }
            }
        }
        self.fold(next, needs_folding)
    }

    /// A multiset of clusters in its canonical form, sorted.
    fn fold(&mut self, mut clusters: Vec<ClusterId>, needs_folding: bool) -> Vec<ClusterId> {
        clusters.sort_unstable();
        if !needs_folding {
            return clusters;
        }
        if clusters
            .iter()
            .any(|&id| self.clusters.cluster(id).folds_across)
        {
            clusters = self.clusters.settle_together(&clusters);
            clusters.sort_unstable();
        }
        loop {
            let rules: Vec<&Vec<ClusterId>> = clusters
                .iter()
                .enumerate()
                .filter(|&(position, id)| position == 0 || clusters[position - 1] != *id)
                .flat_map(|(_, &id)| &self.clusters.cluster(id).folds)
                .collect();
            match smaller(&clusters, &rules) {
                Some(folded) => clusters = folded,
                None => return clusters,
            }
        }
    }

    fn find_move(&mut self, source: StateId, action: ActionId, target: StateId) -> Option<Move> {
        let mut members = Vec::new();
        self.states.members(source.0, &mut members);
        let mut wanted = Vec::new();
        self.states.members(target.0, &mut wanted);
        self.moves(&members)
            .into_iter()
            .find(|step| step.label == action && self.after(&members, step) == wanted)
    }
}

impl Lts for CowsLts {
    fn terms(&self) -> &Terms {
        &self.labels.terms
    }

    fn initial(&mut self) -> StateId {
        StateId(0)
    }

    fn successors(
        &mut self,
        state: StateId,
        into: &mut Vec<(ActionId, StateId)>,
    ) -> Result<Extent, NoSuccessors> {
        if let Some(most) = self.options.most_bytes
            && self.bytes() as u64 > most
        {
            return Err(NoSuccessors {
                reason: format!("the bound of {most} bytes for states was reached"),
            });
        }
        let mut members = Vec::new();
        self.states.members(state.0, &mut members);
        let start = into.len();
        for step in self.moves(&members) {
            let target = self.after(&members, &step);
            let Some(target) = self.states.intern(&target) else {
                return Err(NoSuccessors {
                    reason: "there are more states than can be numbered".to_owned(),
                });
            };
            let transition = (step.label, StateId(target));
            if !into[start..].contains(&transition) {
                into.push(transition);
            }
        }
        Ok(Extent::Whole)
    }

    fn action(&self, action: ActionId) -> &Action {
        self.labels.action(action)
    }

    /// 𝓛 of the state: the invokes and receives that can happen at once and that no kill holds up.
    fn propositions(
        &mut self,
        state: StateId,
        into: &mut Vec<ActionId>,
    ) -> Result<(), NoSuccessors> {
        let mut members = Vec::new();
        self.states.members(state.0, &mut members);
        members.dedup();
        let start = into.len();
        for id in members {
            self.clusters.work_out(id, &mut self.labels);
            if let Some(behaviour) = self.clusters.behaviour(id) {
                into.extend_from_slice(&behaviour.ready);
            }
        }
        into[start..].sort_unstable();
        let mut last = None;
        let mut kept = start;
        for position in start..into.len() {
            if last != Some(into[position]) {
                last = Some(into[position]);
                into[kept] = into[position];
                kept += 1;
            }
        }
        into.truncate(kept);
        Ok(())
    }

    /// No state of COWS has properly ended.
    fn ended(&self, _: StateId) -> bool {
        false
    }

    /// `C1`, `C2`, … in the order in which states were met.
    fn describe(&self, state: StateId) -> String {
        format!("C{}", state.0 + 1)
    }

    fn configuration(&self, state: StateId) -> Configuration {
        let parts = [("state", self.describe(state)), ("term", self.term(state))];
        Configuration {
            parts: parts.map(|(part, at)| (part.to_owned(), at)).to_vec(),
            channels: Vec::new(),
        }
    }

    fn step_details(
        &mut self,
        source: StateId,
        action: ActionId,
        target: StateId,
    ) -> Option<String> {
        let (invoke, receive) = self.find_move(source, action, target)?.halves?;
        Some(format!(
            "{},{}",
            self.labels.text(invoke),
            self.labels.text(receive)
        ))
    }
}
