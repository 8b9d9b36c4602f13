//! Activities, handlers and correlations without a single transition that can fire.

use choros_base::Span;
use choros_model::stg::EdgeId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Activity, ActivityId, Process, Sense, UnfoldedProcess};

/// Something in the text of a process that never happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeadPlace {
    /// Where it stands.
    pub place: Span,
    /// Whether it is a handler of a scope.
    pub is_handler: bool,
}

impl UnfoldedProcess {
    /// The outermost activities and handlers without a single transition that can fire, in the order of the text.
    ///
    /// An activity may stand at many places of the graph; it is alive if it is at one.
    pub fn dead_places(
        &self,
        process: &Process,
        is_dead: impl Fn(EdgeId) -> bool,
    ) -> Vec<DeadPlace> {
        let alive = Alive::of(self, process, is_dead);
        let mut found = Vec::new();
        let mut said: FxHashSet<Span> = FxHashSet::default();
        let mut work = vec![process.root];
        while let Some(id) = work.pop() {
            if let Activity::Scope(scope) = process.activity(id) {
                for handler in scope.handlers.iter().filter(|it| alive.lacks(it.body)) {
                    if let Some(place) = process.origin(handler.body).filter(|it| said.insert(*it))
                    {
                        let is_handler = true;
                        found.push(DeadPlace { place, is_handler });
                    }
                }
            }
            match process.origin(id) {
                Some(place) if alive.lacks(id) => {
                    if said.insert(place) {
                        let is_handler = false;
                        found.push(DeadPlace { place, is_handler });
                    }
                }
                _ => work.extend(process.parts(id)),
            }
        }
        found.sort_by_key(|it| it.place);
        found
    }

    /// Transitions that only a broken correlation leads to, while none can break: like the check itself they are written
    /// nowhere, and nothing is wrong with the process.
    pub fn unbroken(&self, is_dead: impl Fn(EdgeId) -> bool) -> Vec<bool> {
        let edges = self.graph.edges();
        let mut only_then = vec![false; self.graph.nodes().len()];
        loop {
            let mut next = vec![true; only_then.len()];
            let mut is_entered = vec![false; only_then.len()];
            next[self.graph.initial().index()] = false;
            for (index, (edge, sense)) in edges.iter().zip(&self.senses).enumerate() {
                let follows = edge.origin.is_none() && only_then[edge.source.index()];
                let unwritten = *sense == Sense::Broken || follows;
                next[edge.target.index()] &= unwritten && is_dead(EdgeId(index as u32));
                is_entered[edge.target.index()] = true;
            }
            for (next, is_entered) in next.iter_mut().zip(is_entered) {
                *next &= is_entered;
            }
            if next == only_then {
                break;
            }
            only_then = next;
        }
        let follows = edges.iter().zip(&self.senses).map(|(edge, sense)| {
            *sense == Sense::Broken || edge.origin.is_none() && only_then[edge.source.index()]
        });
        follows.collect()
    }

    /// The places whose correlation is checked and never kept, each with a transition that shows why.
    pub fn unkept_correlations(
        &self,
        is_dead: impl Fn(EdgeId) -> bool,
        has_reason: impl Fn(EdgeId) -> bool,
    ) -> Vec<(Span, EdgeId)> {
        let mut places: Vec<Span> = Vec::new();
        let mut kept: FxHashMap<Span, bool> = FxHashMap::default();
        let mut why: FxHashMap<Span, EdgeId> = FxHashMap::default();
        for (index, (edge, sense)) in self.graph.edges().iter().zip(&self.senses).enumerate() {
            let id = EdgeId(index as u32);
            let (Sense::Kept, Some(place)) = (sense, edge.origin) else {
                continue;
            };
            if !kept.contains_key(&place) {
                places.push(place);
            }
            *kept.entry(place).or_default() |= !is_dead(id);
            if has_reason(id) {
                why.entry(place).or_insert(id);
            }
        }
        let unkept = places.into_iter().filter(|place| !kept[place]);
        unkept
            .filter_map(|place| Some((place, why.remove(&place)?)))
            .collect()
    }
}

/// What of a process happens.
struct Alive {
    /// Whether an activity, or a part of it, takes steps.
    steps: Vec<bool>,
    /// Whether one of these steps can be taken.
    alive: Vec<bool>,
}

impl Alive {
    fn of(
        unfolding: &UnfoldedProcess,
        process: &Process,
        is_dead: impl Fn(EdgeId) -> bool,
    ) -> Alive {
        let mut alive_places: FxHashSet<Span> = FxHashSet::default();
        for (index, edge) in unfolding.graph.edges().iter().enumerate() {
            if !is_dead(EdgeId(index as u32)) {
                alive_places.extend(edge.origin);
            }
        }
        // What an activity is made of was added before it.
        let mut alive = vec![false; process.len()];
        let mut steps = vec![false; process.len()];
        for id in process.ids() {
            let own = process
                .origin(id)
                .filter(|_| has_steps(process.activity(id)));
            let index = id.index();
            steps[index] = own.is_some();
            alive[index] = own.is_some_and(|place| alive_places.contains(&place));
            for part in process.parts(id) {
                alive[index] |= alive[part.index()];
                steps[index] |= steps[part.index()];
            }
        }
        // What checks something at the end of an activity is written where the activity is.
        let places = process.ids().filter(|it| alive[it.index()]);
        let places: FxHashSet<Span> = places.filter_map(|it| process.origin(it)).collect();
        for id in process.ids() {
            alive[id.index()] |= process.origin(id).is_some_and(|it| places.contains(&it));
        }
        Alive { steps, alive }
    }

    /// Whether an activity takes steps, and none of them can be taken.
    fn lacks(&self, id: ActivityId) -> bool {
        self.steps[id.index()] && !self.alive[id.index()]
    }
}

/// Whether an activity takes steps of its own.
fn has_steps(activity: &Activity) -> bool {
    matches!(
        activity,
        Activity::Assign(_)
            | Activity::Throw(..)
            | Activity::Rethrow
            | Activity::Exit
            | Activity::Receive(_)
            | Activity::Send(_)
            | Activity::Choice { .. }
            | Activity::Loop { .. }
    )
}
