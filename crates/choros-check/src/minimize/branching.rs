//! Branching bisimilarity with explicit divergence: a state shows what it can do after silent steps inside its own class,
//! without those steps, and whether such steps can continue forever.
//!
//! States on a cycle of silent steps are equivalent, so each such cycle is one point from the start; then silent steps
//! have an order, and what a state shows is put together from what its silent successors show.
//! A label is shown as its number plus one; 0 is any silent step to another class, and [`ENDLESS`] a cycle that silent
//! steps inside the class reach.

use choros_model::lts::{ExplicitLts, Lts};

use super::is_silent;
use super::partition::{Partition, Signature};

/// What a state shows that can be silent forever without leaving its class.
const ENDLESS: (u32, u32) = (u32::MAX, 0);

/// Which states are on a cycle of silent steps.
pub(super) fn endless(system: &ExplicitLts) -> Vec<bool> {
    let points = Points::of(system, &|action| is_silent(system.action(action)));
    let states = points.of.iter();
    states
        .map(|&point| points.endless[point as usize])
        .collect()
}

pub(super) fn partition(system: &ExplicitLts) -> Partition {
    let silent: Vec<bool> = system.actions().iter().map(is_silent).collect();
    let is_silent = |action: choros_model::lts::ActionId| silent[action.index()];
    let points = Points::of(system, &is_silent);
    Partition::coarsest(system).refine(|partition| {
        let mut shown: Vec<Signature> = Vec::with_capacity(points.members.len());
        // Successors by silent steps come first.
        for (members, &endless) in points.members.iter().zip(&points.endless) {
            let mut signature = Signature::new();
            if endless {
                signature.push(ENDLESS);
            }
            for &state in members {
                let class = partition.classes[state as usize];
                for &(action, target) in system.transitions(choros_model::lts::StateId(state)) {
                    let target_class = partition.class(target);
                    match (is_silent(action), target_class == class) {
                        (true, true) => {
                            let point = points.of[target.index()] as usize;
                            if point < shown.len() {
                                signature.extend_from_slice(&shown[point]);
                            }
                        }
                        (true, false) => signature.push((0, target_class)),
                        (false, _) => signature.push((action.0 + 1, target_class)),
                    }
                }
            }
            signature.sort_unstable();
            signature.dedup();
            shown.push(signature);
        }
        system
            .states()
            .map(|state| shown[points.of[state.index()] as usize].clone())
            .collect()
    })
}

/// Cycles of silent steps, each as one point, those that others lead to silently first.
struct Points {
    of: Vec<u32>,
    members: Vec<Vec<u32>>,
    /// Whether a point has a silent step to itself.
    endless: Vec<bool>,
}

impl Points {
    /// Tarjan's strongly connected components over silent steps between states that have both ended or both not.
    ///
    /// Without recursion; components come out in the order in which they are completed, which is the one we want.
    fn of(
        system: &ExplicitLts,
        is_silent: &impl Fn(choros_model::lts::ActionId) -> bool,
    ) -> Points {
        let count = system.counts().states;
        let successors: Vec<Vec<u32>> = system
            .states()
            .map(|state| {
                let silent = system.transitions(state).iter();
                silent
                    .filter(|&&(action, target)| {
                        is_silent(action) && system.ended(state) == system.ended(target)
                    })
                    .map(|&(_, target)| target.0)
                    .collect()
            })
            .collect();
        let mut points = Points {
            of: vec![u32::MAX; count],
            members: Vec::new(),
            endless: Vec::new(),
        };
        let mut index: Vec<Option<u32>> = vec![None; count];
        let mut low = vec![0_u32; count];
        let mut open: Vec<u32> = Vec::new();
        let mut is_open = vec![false; count];
        let mut found = 0;
        for root in 0..count as u32 {
            if index[root as usize].is_some() {
                continue;
            }
            let mut work: Vec<(u32, usize)> = vec![(root, 0)];
            while let Some((state, position)) = work.pop() {
                let here = state as usize;
                if position == 0 {
                    index[here] = Some(found);
                    low[here] = found;
                    found += 1;
                    open.push(state);
                    is_open[here] = true;
                }
                match successors[here].get(position) {
                    Some(&next) => {
                        work.push((state, position + 1));
                        match index[next as usize] {
                            None => work.push((next, 0)),
                            Some(known) if is_open[next as usize] => {
                                low[here] = low[here].min(known);
                            }
                            Some(_) => {}
                        }
                    }
                    None => {
                        if index[here] == Some(low[here]) {
                            let point = points.members.len() as u32;
                            let mut members = Vec::new();
                            while let Some(member) = open.pop() {
                                is_open[member as usize] = false;
                                points.of[member as usize] = point;
                                members.push(member);
                                if member == state {
                                    break;
                                }
                            }
                            let own = successors[here].contains(&state);
                            points.endless.push(own || members.len() > 1);
                            points.members.push(members);
                        }
                        if let Some(&(parent, _)) = work.last() {
                            let low_here = low[here];
                            let parent = parent as usize;
                            low[parent] = low[parent].min(low_here);
                        }
                    }
                }
            }
        }
        points
    }
}
