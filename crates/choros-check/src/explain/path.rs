//! Shortest paths that settle operators over paths.

use choros_query::socl::Quantifier;
use rustc_hash::FxHashMap;

use super::{ExplainedStep, PathEnd};
use crate::evaluate::{Evaluator, FormulaValue, InstanceId, Shape, Target, fair_components};

/// A path and what remains to be explained at its end: instances, states, and whether they hold.
pub(super) struct Found {
    pub(super) steps: Vec<ExplainedStep>,
    pub(super) end: PathEnd,
    pub(super) parts: Vec<(InstanceId, u32, bool)>,
}

/// An operator over paths, and whether it is to be shown that it holds.
#[derive(Clone, Copy)]
pub(super) struct Sought {
    pub(super) instance: InstanceId,
    pub(super) shape: Shape,
    pub(super) holds: bool,
}

/// A shortest path from a state that shows that the operator holds on some path, or fails on some path.
///
/// With `E` it holds and with `A` it fails in `start`; a path of the other kind shows how `A` can come to hold.
pub(super) fn settling_path(
    evaluator: &mut Evaluator<'_, '_>,
    sought: Sought,
    start: u32,
) -> Option<Found> {
    // Of each state the state before it and the position of the step that found it.
    let mut parents: FxHashMap<u32, Option<(u32, usize)>> = FxHashMap::default();
    parents.insert(start, None);
    let mut queue = vec![start];
    let mut next = 0;
    while next < queue.len() {
        let state = queue[next];
        next += 1;
        let ending = ending(evaluator, sought, state);
        if let Some((last, end, parts)) = ending {
            let mut steps = back_to_start(evaluator, &parents, state);
            steps.extend(last);
            return Some(Found { steps, end, parts });
        }
        for position in following(evaluator, sought, state) {
            let target = evaluator.graph.step(position).1;
            if let std::collections::hash_map::Entry::Vacant(entry) = parents.entry(target) {
                entry.insert(Some((state, position)));
                queue.push(target);
            }
        }
    }
    if evaluator.all_fair() != 0 {
        return fair_lasso(evaluator, sought, queue);
    }
    lasso(evaluator, sought, start)
}

/// A path that stays in a fair set of states, and goes round all that makes it fair.
fn fair_lasso(
    evaluator: &mut Evaluator<'_, '_>,
    sought: Sought,
    reached: Vec<u32>,
) -> Option<Found> {
    let start = *reached.first()?;
    let mut place: FxHashMap<u32, u32> = FxHashMap::default();
    for (index, &state) in reached.iter().enumerate() {
        place.insert(state, index as u32);
    }
    let (mut roads, mut idle) = (Vec::new(), Vec::new());
    for &state in &reached {
        let mut leaving: Vec<(u32, u64, usize)> = Vec::new();
        for position in following(evaluator, sought, state) {
            let label = evaluator.label(position);
            let fair = evaluator.fair_label(label);
            let target = evaluator.graph.step(position).1;
            leaving.extend(place.get(&target).map(|&to| (to, fair, position)));
        }
        roads.push(leaving);
        idle.push(if evaluator.is_expanded(state) {
            evaluator.idle(state)
        } else {
            0
        });
    }
    let following = |cell: u32| {
        roads[cell as usize]
            .iter()
            .map(|it| (it.0, it.1))
            .collect::<Vec<_>>()
    };
    let all = evaluator.all_fair();
    let components = fair_components(reached.len(), all, &following, &|it| idle[it as usize]);
    let component = components
        .into_iter()
        .min_by_key(|it| it.iter().min().copied())?;
    let entry = *component.iter().min()?;
    let mut walk = Walk {
        roads: &roads,
        within: None,
        at: place[&start],
        taken: Vec::new(),
    };
    walk.to(&|to, _| to == entry, true)?;
    let back = walk.taken.len();
    walk.within = Some(&component);
    let mut open = all & !idle[entry as usize];
    while open != 0 {
        let bit = 1 << open.trailing_zeros();
        walk.to(
            &|to, fair| fair & bit != 0 || idle[to as usize] & bit != 0,
            false,
        )?;
        open &= !bit;
    }
    let closed = walk.at == entry && walk.taken.len() > back;
    if !closed {
        walk.to(&|to, _| to == entry, false)?;
    }
    let taken = std::mem::take(&mut walk.taken);
    let steps = taken
        .into_iter()
        .map(|(from, position)| evaluator.taken(reached[from as usize], position));
    Some(Found {
        steps: steps.collect(),
        end: PathEnd::Cycle(back),
        parts: Vec::new(),
    })
}

/// A walk along roads, shortest ways first.
struct Walk<'r> {
    roads: &'r [Vec<(u32, u64, usize)>],
    /// Where it must stay.
    within: Option<&'r [u32]>,
    at: u32,
    /// Cells left, and the steps taken from them.
    taken: Vec<(u32, usize)>,
}

impl Walk<'_> {
    /// On to the next step that is as wanted; none is needed if the walk `may_stay`.
    fn to(&mut self, wanted: &dyn Fn(u32, u64) -> bool, may_stay: bool) -> Option<()> {
        if may_stay && wanted(self.at, 0) {
            return Some(());
        }
        let mut before: FxHashMap<u32, (u32, usize)> = FxHashMap::default();
        let mut queue = vec![self.at];
        let mut next = 0;
        while next < queue.len() {
            let cell = queue[next];
            next += 1;
            for &(to, fair, position) in &self.roads[cell as usize] {
                if self.within.is_some_and(|it| !it.contains(&to)) {
                    continue;
                }
                if wanted(to, fair) {
                    let mut way = vec![(cell, position)];
                    let mut back = cell;
                    while back != self.at {
                        let &(from, position) = before.get(&back)?;
                        way.push((from, position));
                        back = from;
                    }
                    way.reverse();
                    self.taken.extend(way);
                    self.at = to;
                    return Some(());
                }
                if to != self.at && !before.contains_key(&to) {
                    before.insert(to, (cell, position));
                    queue.push(to);
                }
            }
        }
        None
    }
}

/// The states that all paths of an operator go through until it is settled.
pub(super) fn reach(evaluator: &mut Evaluator<'_, '_>, sought: Sought, start: u32) -> Vec<u32> {
    let mut seen: rustc_hash::FxHashSet<u32> = [start].into_iter().collect();
    let mut queue = vec![start];
    let mut next = 0;
    while next < queue.len() {
        let state = queue[next];
        next += 1;
        for position in following(evaluator, sought, state) {
            let target = evaluator.graph.step(position).1;
            if seen.insert(target) {
                queue.push(target);
            }
        }
    }
    queue
}

type Ending = (Option<ExplainedStep>, PathEnd, Vec<(InstanceId, u32, bool)>);

/// Whether the path can be settled in a state or by a step from it.
fn ending(evaluator: &mut Evaluator<'_, '_>, sought: Sought, state: u32) -> Option<Ending> {
    let Sought {
        instance,
        shape,
        holds,
    } = sought;
    let mut parts = Vec::new();
    if let Target::State(right) = shape.target {
        match (evaluator.value(right, state), holds) {
            (FormulaValue::True, true) => {
                return Some((None, PathEnd::State, vec![(right, state, true)]));
            }
            (FormulaValue::False, false) => parts.push((right, state, false)),
            _ => {}
        }
    }
    if let Some(left) = shape.left
        && !holds
        && evaluator.value(left, state) == FormulaValue::False
    {
        parts.insert(0, (left, state, false));
        return Some((None, PathEnd::State, parts));
    }
    if !evaluator.is_expanded(state) {
        return None;
    }
    let range = evaluator.graph.steps(state);
    if range.is_empty() {
        return (holds == shape.weak).then_some((None, PathEnd::Stopped, Vec::new()));
    }
    for position in range {
        let label = evaluator.label(position);
        let target = evaluator.graph.step(position).1;
        if shape.target == Target::Step {
            let after = evaluator.after(instance, label);
            if holds {
                let good = after
                    .iter()
                    .find(|&&then| evaluator.value(then, target) == FormulaValue::True);
                if let Some(&then) = good {
                    let taken = evaluator.taken(state, position);
                    return Some((Some(taken), PathEnd::Step, vec![(then, target, true)]));
                }
            } else if !evaluator.leads_on(instance, label)
                && evaluator.is_good(instance, label, target) == FormulaValue::False
            {
                let parts = after.iter().map(|&then| (then, target, false)).collect();
                let taken = evaluator.taken(state, position);
                return Some((Some(taken), PathEnd::Refused, parts));
            }
        } else if !holds && !evaluator.leads_on(instance, label) {
            let taken = evaluator.taken(state, position);
            return Some((Some(taken), PathEnd::Refused, parts));
        }
    }
    None
}

/// The positions of the steps on which a path continues while it is not settled.
fn following(evaluator: &mut Evaluator<'_, '_>, sought: Sought, state: u32) -> Vec<usize> {
    let Sought {
        instance,
        shape,
        holds,
    } = sought;
    let wanted = FormulaValue::of(holds);
    if !evaluator.is_expanded(state) || evaluator.value(instance, state) != wanted {
        return Vec::new();
    }
    let mut steps = Vec::new();
    for position in evaluator.graph.steps(state) {
        let label = evaluator.label(position);
        let target = evaluator.graph.step(position).1;
        // A good step fulfils its path: it cannot be part of one that fails.
        let is_open_road = match (shape.target, shape.quantifier) {
            (Target::Step, Quantifier::All) => {
                evaluator.is_good(instance, label, target) == FormulaValue::False
            }
            _ => true,
        };
        if is_open_road
            && evaluator.leads_on(instance, label)
            && evaluator.value(instance, target) == wanted
        {
            steps.push(position);
        }
    }
    steps
}

/// A path that comes back to itself and is never settled.
fn lasso(evaluator: &mut Evaluator<'_, '_>, sought: Sought, start: u32) -> Option<Found> {
    let mut steps: Vec<ExplainedStep> = Vec::new();
    let mut place: FxHashMap<u32, usize> = FxHashMap::default();
    let mut state = start;
    loop {
        if let Some(&back) = place.get(&state) {
            return Some(Found {
                steps,
                end: PathEnd::Cycle(back),
                parts: Vec::new(),
            });
        }
        place.insert(state, steps.len());
        let roads = following(evaluator, sought, state);
        // A step back to where the path has been closes it at once.
        let closes = |position: &usize| place.contains_key(&evaluator.graph.step(*position).1);
        let back = roads.iter().position(closes);
        let position = roads.into_iter().nth(back.unwrap_or(0))?;
        let taken = evaluator.taken(state, position);
        state = taken.to;
        steps.push(taken);
    }
}

fn back_to_start(
    evaluator: &mut Evaluator<'_, '_>,
    parents: &FxHashMap<u32, Option<(u32, usize)>>,
    state: u32,
) -> Vec<ExplainedStep> {
    let mut steps = Vec::new();
    let mut state = state;
    while let Some(Some((from, position))) = parents.get(&state) {
        steps.push(evaluator.taken(*from, *position));
        state = *from;
    }
    steps.reverse();
    steps
}

impl Evaluator<'_, '_> {
    /// A step for an explanation.
    pub(super) fn taken(&mut self, from: u32, position: usize) -> ExplainedStep {
        let (action, to) = self.graph.step(position);
        let label = self.label(position);
        let actions: Vec<String> = self
            .labels
            .actions(label)
            .iter()
            .map(|closed| closed.print(self.names))
            .collect();
        ExplainedStep {
            from,
            action,
            label: actions.join(", "),
            to,
        }
    }
}
