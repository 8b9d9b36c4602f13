//! Realizability with data from its definitions, over finite sorts: explicit values, explicit queues.
//!
//! The projections are given; what they do, put together, is listed state by state with all values, and compared with
//! the choreography by removing pairs until nothing changes.
//! When a role expects something is either what its projection says, or what it could know if it forgot nothing
//! ([`Memory`]).

use std::collections::VecDeque;

use choros_data::{Assignment, Terms, Value};
use choros_model::stg::{Direction, Role, Stg};
use choros_realize::{Closing, Mode, Projection};
use rustc_hash::FxHashMap;

use super::ground_memory::Memory;
use super::ground_part::{Half, Label, Part, Stand, label, values_of};
use super::ground_state::State;
pub(crate) use super::naive::Answer;

/// Messages that a queue may hold.
pub(crate) const BOUND: usize = 3;

/// More states are not listed.
const MAX_STATES: usize = 6_000;

/// More values of what roles do not know are not tried.
const MAX_STARTS: usize = 30;

/// Whether projections, put together, do what a choreography says.
pub(crate) fn realizable(
    choreography: &Stg,
    projections: &[Projection],
    mode: Mode,
    closing: &Closing,
    terms: &Terms,
) -> Answer {
    judged(choreography, projections, mode, closing, None, terms)
}

/// The same if roles end, and wait, by all that they could know.
pub(crate) fn realizable_remembering(
    choreography: &Stg,
    projections: &[Projection],
    mode: Mode,
    closing: &Closing,
    terms: &Terms,
) -> Answer {
    let memory = Memory::new(choreography, terms);
    judged(
        choreography,
        projections,
        mode,
        closing,
        Some(&memory),
        terms,
    )
}

fn judged(
    choreography: &Stg,
    projections: &[Projection],
    mode: Mode,
    closing: &Closing,
    memory: Option<&Memory<'_>>,
    terms: &Terms,
) -> Answer {
    let composer = Composer {
        roles: projections.iter().map(|it| it.role).collect(),
        parts: projections.iter().map(|it| Part::of(it, terms)).collect(),
        mode,
        closing,
        memory,
        terms,
    };
    let mut answer = Answer::Holds;
    let starts = composer.starts();
    if starts.len() > MAX_STARTS {
        return Answer::Cut;
    }
    for start in starts {
        match composer.from(start).map(|it| it.does(choreography, mode)) {
            // What a role would have to guess may have any value.
            Some(false) => return Answer::Fails,
            Some(true) => {}
            None => answer = Answer::Cut,
        }
    }
    answer
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    Both,
    Send,
    Take,
}

/// A step and where it leads, for each value if it is open; `carried` is what it carries otherwise.
struct Step {
    act: Act,
    label: Label,
    open: bool,
    carried: Vec<Value>,
    targets: Vec<usize>,
}

struct Composer<'a> {
    roles: Vec<Role>,
    parts: Vec<Part<'a>>,
    mode: Mode,
    closing: &'a Closing,
    memory: Option<&'a Memory<'a>>,
    terms: &'a Terms,
}

impl Composer<'_> {
    /// The state after a role has moved.
    fn moved(
        &self,
        state: &State,
        role: usize,
        half: &Half<'_>,
        outcome: &(Vec<Value>, Stand),
    ) -> State {
        let mut after = state.clone();
        after.roles[role] = outcome.1.clone();
        if let Some(memory) = self.memory {
            let before = &state.memories[role];
            let event = (label(half.edge).0, half.open, outcome.0.as_slice());
            after.memories[role] = memory.after(before, self.roles[role], event);
        }
        after
    }

    /// All first states: a role has some value where it does not know one.
    fn starts(&self) -> Vec<State> {
        let mut queues = Vec::new();
        for &from in &self.roles {
            for &to in &self.roles {
                queues.push(((from, to), VecDeque::new()));
            }
        }
        let roles = self.roles.iter();
        let memories = roles.map(|&role| self.memory.map_or_else(Vec::new, |it| it.first(role)));
        let mut all = vec![State {
            roles: Vec::new(),
            memories: memories.collect(),
            queues,
        }];
        for part in &self.parts {
            let mut stands = vec![Assignment::default()];
            for variable in part.stg.parameters(self.terms) {
                let mut more = Vec::new();
                for known in &stands {
                    for value in values_of(variable, self.terms) {
                        let mut known = known.clone();
                        known.insert(variable, value);
                        more.push(known);
                    }
                }
                stands = more;
            }
            let mut more = Vec::new();
            for state in &all {
                for values in &stands {
                    let mut state = state.clone();
                    state.roles.push(part.stand(part.stg.initial(), values));
                    more.push(state);
                }
            }
            all = more;
            if all.len() > MAX_STARTS {
                break;
            }
        }
        all
    }

    /// Whether a role may stay where it stands, whether it waits, and its steps.
    fn role<'s>(&'s self, state: &State, role: usize) -> (bool, bool, Vec<Half<'s>>) {
        let stand = &state.roles[role];
        let steps = self.parts[role].steps(stand);
        let sends = steps
            .iter()
            .any(|half| label(half.edge).1 == Direction::Send);
        let remembered = &state.memories[role];
        let (ends, receives) = match self.memory {
            // Who has seen what cannot be knows nothing.
            Some(memory) if !remembered.is_empty() => (
                memory.ends(remembered),
                memory.listens(remembered, self.roles[role]),
            ),
            _ => self.parts[role].foresight(stand),
        };
        let stays = ends
            && match self.closing {
                Closing::Together => true,
                Closing::Alone { services } => !receives || services.contains(&self.roles[role]),
            };
        let waits = match self.mode {
            Mode::Synchronous => sends || receives,
            _ => receives && !sends,
        };
        (stays, waits && !stays, steps)
    }

    /// Everything that happens from a state; `None` if a queue is full or there is too much.
    fn from(&self, start: State) -> Option<System<'_>> {
        let mut system = System {
            terms: self.terms,
            roles: &self.roles,
            states: vec![start.clone()],
            ends: Vec::new(),
            waits: Vec::new(),
            idles: Vec::new(),
            gone: Vec::new(),
            steps: Vec::new(),
        };
        let mut numbers: FxHashMap<State, usize> = FxHashMap::from_iter([(start, 0)]);
        while let Some(state) = system.states.get(system.steps.len()).cloned() {
            let roles: Vec<_> = (0..self.roles.len())
                .map(|role| self.role(&state, role))
                .collect();
            system
                .ends
                .push(state.in_flight() == 0 && roles.iter().all(|it| it.0));
            system.waits.push(roles.iter().map(|it| it.1).collect());
            let takes = |half: &Half<'_>| label(half.edge).1 == Direction::Receive;
            let idles = roles.iter().any(|it| !it.0 && it.2.iter().any(takes));
            system.idles.push(idles);
            let gone = self.roles.iter().zip(&roles).filter(|(role, it)| {
                let Closing::Alone { services } = self.closing else {
                    return false;
                };
                it.0 && !services.contains(role)
            });
            system.gone.push(gone.map(|it| *it.0).collect());
            let mut steps = Vec::new();
            // A second message in flight settles this mode.
            let over = self.mode == Mode::Disjoint && state.in_flight() > 1;
            for (role, (_, _, halves)) in roles.iter().enumerate().filter(|_| !over) {
                for half in halves {
                    let ((operation, from, to), direction) = label(half.edge);
                    let targets: Vec<Vec<State>> = match direction {
                        Direction::Send if self.mode == Mode::Synchronous => {
                            let other = self.roles.iter().position(|&it| it == to)?;
                            let meets = |it: &&Half<'_>| {
                                label(it.edge) == ((operation, from, to), Direction::Receive)
                            };
                            let others = roles[other].2.iter().filter(meets);
                            others
                                .map(|it| self.met(&state, (role, half), (other, it)))
                                .collect()
                        }
                        Direction::Send => vec![self.sent(&state, role, half)?],
                        Direction::Receive if self.mode == Mode::Synchronous => Vec::new(),
                        _ => self.taken(&state, role, half).into_iter().collect(),
                    };
                    for targets in targets {
                        let act = match (self.mode, direction) {
                            (Mode::Synchronous, _) => Act::Both,
                            (_, Direction::Send) => Act::Send,
                            _ => Act::Take,
                        };
                        let carried = match act {
                            Act::Take => state.queue(from, to).front()?.1.clone(),
                            _ => half.outcomes[0].0.clone(),
                        };
                        steps.push(Step {
                            act,
                            label: (operation, from, to),
                            open: half.open && act != Act::Take,
                            carried,
                            targets: targets
                                .into_iter()
                                .map(|it| {
                                    let count = system.states.len();
                                    *numbers.entry(it.clone()).or_insert_with(|| {
                                        system.states.push(it);
                                        count
                                    })
                                })
                                .collect(),
                        });
                    }
                }
            }
            system.steps.push(steps);
            if system.states.len() > MAX_STATES {
                return None;
            }
        }
        Some(system)
    }
}

impl Composer<'_> {
    /// Sender and receiver meet.
    fn met(
        &self,
        state: &State,
        (from, sends): (usize, &Half<'_>),
        (to, takes): (usize, &Half<'_>),
    ) -> Vec<State> {
        let mut after = Vec::new();
        for outcome in &sends.outcomes {
            let taken = takes.outcomes.iter().find(|it| it.0 == outcome.0);
            let taken = taken.expect("a receiver takes every value");
            let sent = self.moved(state, from, sends, outcome);
            after.push(self.moved(&sent, to, takes, taken));
        }
        after
    }

    /// A message goes into its queue; `None` if that is full.
    fn sent(&self, state: &State, role: usize, half: &Half<'_>) -> Option<Vec<State>> {
        let ((operation, from, to), _) = label(half.edge);
        let mut after = Vec::new();
        for outcome in &half.outcomes {
            let mut next = self.moved(state, role, half, outcome);
            let queue = next.queue_mut(from, to);
            queue.push_back((operation, outcome.0.clone()));
            if queue.len() > BOUND {
                return None;
            }
            after.push(next);
        }
        Some(after)
    }

    /// A message is taken from its queue, if it is at the head.
    fn taken(&self, state: &State, role: usize, half: &Half<'_>) -> Option<Vec<State>> {
        let ((operation, from, to), _) = label(half.edge);
        let (head, carried) = state.queue(from, to).front()?;
        if *head != operation {
            return None;
        }
        let outcome = half.outcomes.iter().find(|it| it.0 == *carried);
        let outcome = outcome.expect("a receiver takes every value");
        let mut next = self.moved(state, role, half, outcome);
        next.queue_mut(from, to).pop_front();
        Some(vec![next])
    }
}

/// What the roles do, put together.
struct System<'a> {
    terms: &'a Terms,
    roles: &'a [Role],
    states: Vec<State>,
    ends: Vec<bool>,
    /// For each state and role, whether it waits where it may not stay.
    waits: Vec<Vec<bool>>,
    /// For each state whether some role would take a message and may not stay.
    idles: Vec<bool>,
    /// For each state the roles that have ended and are gone.
    gone: Vec<Vec<Role>>,
    steps: Vec<Vec<Step>>,
}

impl System<'_> {
    fn does(&self, choreography: &Stg, mode: Mode) -> bool {
        if mode == Mode::Disjoint && self.states.iter().any(|it| it.in_flight() > 1) {
            return false;
        }
        self.conforms(choreography, mode)
            && self.nothing_stranded()
            && self.nothing_late()
            && self.nothing_stuck()
    }

    /// Whether no role waits for a message although nothing happens any more and some role has not ended.
    fn nothing_stuck(&self) -> bool {
        let mut all = self.steps.iter().zip(&self.idles).zip(&self.ends);
        all.all(|((steps, &idles), &ends)| ends || !idles || !steps.is_empty())
    }

    /// Whether no one who has ended is sent anything more.
    fn nothing_late(&self) -> bool {
        let mut all = self.steps.iter().zip(&self.gone);
        all.all(|(steps, gone)| {
            let mut taken = steps.iter().filter(|it| it.act != Act::Send);
            taken.all(|it| !gone.contains(&it.label.2))
        })
    }

    fn is_visible(step: &Step, mode: Mode) -> bool {
        match mode {
            Mode::Receiver => step.act == Act::Take,
            _ => step.act != Act::Take,
        }
    }

    /// The greatest relation of the table in the README of choros-conform, on the pairs that matter.
    fn conforms(&self, choreography: &Stg, mode: Mode) -> bool {
        let part = Part::new(choreography, self.terms);
        let first = part.stand(choreography.initial(), &Assignment::default());
        let mut pairs: Vec<(usize, Stand)> = vec![(0, first.clone())];
        let mut related: FxHashMap<(usize, Stand), bool> =
            FxHashMap::from_iter([((0, first), true)]);
        // All pairs that the relation may ask for; then those go that cannot stay.
        let mut next = 0;
        while next < pairs.len() {
            let (state, stand) = pairs[next].clone();
            next += 1;
            let mut asked = Vec::new();
            self.keeps(state, &stand, &part, mode, &mut |pair| {
                asked.push(pair);
                true
            });
            // Nothing may be left out because something else sufficed.
            for &other in &self.silently(state, mode) {
                asked.push((other, stand.clone()));
                for step in self.steps[other]
                    .iter()
                    .filter(|it| System::is_visible(it, mode))
                {
                    for half in part.steps(&stand) {
                        matched(step, &half, mode, &mut |pair| {
                            asked.push(pair);
                            true
                        });
                    }
                }
            }
            for pair in asked {
                if related.insert(pair.clone(), true).is_none() {
                    pairs.push(pair);
                }
            }
        }
        loop {
            let mut changed = false;
            for pair in &pairs {
                if related[pair]
                    && !self.keeps(pair.0, &pair.1, &part, mode, &mut |it| related[&it])
                {
                    changed = true;
                    related.insert(pair.clone(), false);
                }
            }
            if !changed {
                return related[&pairs[0]];
            }
        }
    }

    /// Everything that silence leads to, the state itself included.
    fn silently(&self, from: usize, mode: Mode) -> Vec<usize> {
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            for step in self.steps[at]
                .iter()
                .filter(|it| !System::is_visible(it, mode))
            {
                for &target in &step.targets {
                    if !reached.contains(&target) {
                        reached.push(target);
                    }
                }
            }
        }
        reached
    }

    /// Whether a pair may stay if just those pairs are related that `related` says.
    fn keeps(
        &self,
        state: usize,
        stand: &Stand,
        part: &Part<'_>,
        mode: Mode,
        related: &mut dyn FnMut((usize, Stand)) -> bool,
    ) -> bool {
        let theirs = part.steps(stand);
        let ends = part.ends(stand);
        for step in &self.steps[state] {
            let kept = if System::is_visible(step, mode) {
                theirs.iter().any(|half| matched(step, half, mode, related))
            } else {
                step.targets.iter().all(|&it| related((it, stand.clone())))
            };
            if !kept {
                return false;
            }
        }
        if self.ends[state] && !ends {
            return false;
        }
        let silently = self.silently(state, mode);
        if ends && !silently.iter().any(|&it| self.ends[it]) {
            return false;
        }
        theirs.iter().all(|half| {
            silently.iter().any(|&it| {
                let mut own = self.steps[it].iter();
                own.any(|step| System::is_visible(step, mode) && matched(step, half, mode, related))
            })
        })
    }

    /// Whether messages can still be received and roles that wait can still move.
    fn nothing_stranded(&self) -> bool {
        let goals = self.states.iter().enumerate();
        for (state, here) in goals {
            for ((from, to), queue) in &here.queues {
                let takes = |step: &Step| {
                    step.act == Act::Take && (step.label.1, step.label.2) == (*from, *to)
                };
                if !queue.is_empty() && !self.can(state, &takes) {
                    return false;
                }
            }
            for (role, &waits) in self.roles.iter().zip(&self.waits[state]) {
                let moves = |step: &Step| match step.act {
                    Act::Both => step.label.1 == *role || step.label.2 == *role,
                    Act::Send => step.label.1 == *role,
                    Act::Take => step.label.2 == *role,
                };
                if waits && !self.can(state, &moves) {
                    return false;
                }
            }
        }
        true
    }

    fn can(&self, from: usize, wanted: &dyn Fn(&Step) -> bool) -> bool {
        let mut seen = vec![false; self.states.len()];
        seen[from] = true;
        let mut work = vec![from];
        while let Some(at) = work.pop() {
            for step in &self.steps[at] {
                if wanted(step) {
                    return true;
                }
                for &target in &step.targets {
                    if !std::mem::replace(&mut seen[target], true) {
                        work.push(target);
                    }
                }
            }
        }
        false
    }
}

/// Whether a visible step and one of the choreography are one, and lead to related states for all new values.
///
/// The answer is chosen before a new value is known; a reception shows a value that was chosen before.
fn matched(
    step: &Step,
    half: &Half<'_>,
    mode: Mode,
    related: &mut dyn FnMut((usize, Stand)) -> bool,
) -> bool {
    if label(half.edge).0 != step.label {
        return false;
    }
    match (step.open, half.open) {
        (true, true) => step
            .targets
            .iter()
            .zip(&half.outcomes)
            .all(|(&target, (_, stand))| related((target, stand.clone()))),
        (false, false) => {
            let (carried, stand) = &half.outcomes[0];
            *carried == step.carried && related((step.targets[0], stand.clone()))
        }
        (false, true) if mode == Mode::Receiver => {
            let outcome = half.outcomes.iter().find(|it| it.0 == step.carried);
            let (_, stand) = outcome.expect("all values are there");
            related((step.targets[0], stand.clone()))
        }
        _ => false,
    }
}
