//! All configurations of a system, and what is wrong in them.
//!
//! The system numbers configurations as they are seen, and the search goes through them in that order, so it needs no
//! queue and no table of its own.
//! Nor does it note from which configuration another was first seen: those that were first seen from one stand together,
//! in the order of those from which they were seen.
//! So it is enough to note now and then how many have been seen, and to look again at a few when a run is wanted.

use choros_base::Budget;

use super::{DeadKind, Move, Reduction, System};
use crate::evidence::{Step, StepEvent, Trace};
use crate::lts::{Action, Lts, StateId};

/// A configuration that is worth a look, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Situation {
    /// The configuration.
    pub state: StateId,
    /// What is wrong there.
    pub kind: DeadKind,
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Survey {
    /// Configurations.
    pub states: usize,
    /// Steps between them.
    pub transitions: usize,
    /// Configurations that nothing follows, nearest first, those that have properly ended too.
    pub dead: Vec<Situation>,
    /// How many configurations have a reception that can never happen, and the nearest; only with queues.
    pub unspecified: (usize, Option<StateId>),
    /// How many configurations have a message that no one will ever take, and the nearest.
    pub orphans: (usize, Option<StateId>),
    /// Whether a full channel refused a message somewhere, and that may have mattered.
    pub bound_reached: bool,
    /// Why the rest was not examined, if something was left.
    pub stopped: Option<String>,
    /// `seen_before[i]` configurations had been seen before number `i * STRIDE` was explored.
    pub(super) seen_before: Vec<u32>,
    reduction: Reduction,
}

/// So many configurations are explored again to find from which of them another was seen.
pub(super) const STRIDE: usize = 64;

/// Looks at every configuration that can be reached, or as many as the budget, spent by the configuration, allows.
///
/// Whatever the system has seen before is forgotten.
pub fn survey(system: &mut System<'_>, budget: &Budget) -> Survey {
    survey_with(system, Reduction::None, budget)
}

/// The same with a reduction: it looks at fewer configurations, but at all that nothing follows.
pub fn survey_with(system: &mut System<'_>, reduction: Reduction, budget: &Budget) -> Survey {
    system.forget();
    system.initial();
    let mut found = Survey {
        states: 0,
        transitions: 0,
        dead: Vec::new(),
        unspecified: (0, None),
        orphans: (0, None),
        bound_reached: false,
        stopped: None,
        seen_before: Vec::new(),
        reduction,
    };
    let orphans = system.may_leave_orphans();
    let mut moves: Vec<Move> = Vec::new();
    let mut next = 0;
    while next < system.seen() {
        let open = system.seen() - next;
        if open >= budget.crew().worth_dividing() && reduction == Reduction::None {
            let (looked_at, stopped) = found.look_at_many(system, next, orphans, budget);
            next += looked_at;
            if let Some(spent) = stopped {
                found.stopped = Some(spent.to_string());
                break;
            }
            continue;
        }
        if let Err(spent) = budget.spend() {
            found.stopped = Some(spent.to_string());
            break;
        }
        moves.clear();
        found.look_at(system, StateId(next as u32), orphans, &mut moves);
        next += 1;
    }
    found.states = system.seen();
    found
}

impl Survey {
    pub(super) fn look_at(
        &mut self,
        system: &mut System<'_>,
        state: StateId,
        orphans: bool,
        moves: &mut Vec<Move>,
    ) {
        if state.index().is_multiple_of(STRIDE) {
            self.seen_before.push(system.seen() as u32);
        }
        let unspecified = match self.reduction {
            Reduction::None => {
                let sight = system.look(state, moves);
                self.bound_reached |= sight.refused;
                sight.unspecified
            }
            Reduction::Persistent => {
                self.bound_reached |= system.persistent_moves(state, moves);
                system.unspecified_reception(state).is_some()
            }
        };
        self.transitions += moves.len();
        if moves.is_empty() {
            let kind = system.dead_kind(state);
            self.dead.push(Situation { state, kind });
        }
        if unspecified {
            self.unspecified.0 += 1;
            self.unspecified.1.get_or_insert(state);
        }
        if orphans && system.orphan(state).is_some() {
            self.orphans.0 += 1;
            self.orphans.1.get_or_insert(state);
        }
    }

    /// Bytes of memory that runs to the configurations take.
    pub fn bytes(&self) -> usize {
        self.seen_before.capacity() * 4
    }

    /// How many dead configurations are of a kind.
    pub fn count(&self, kind: DeadKind) -> usize {
        self.dead.iter().filter(|it| it.kind == kind).count()
    }

    /// The nearest dead configuration of a kind.
    pub fn nearest(&self, kind: DeadKind) -> Option<StateId> {
        let found = self.dead.iter().find(|it| it.kind == kind)?;
        Some(found.state)
    }

    /// How many dead configurations are unsafe (Definition 3.1).
    pub fn unsafe_count(&self) -> usize {
        self.dead.iter().filter(|it| it.kind.is_unsafe()).count()
    }

    /// Whether all that can be reached was seen, and no bound changed what machines can do.
    pub fn complete(&self) -> bool {
        self.stopped.is_none() && !self.bound_reached
    }

    /// A shortest run to a configuration; `system` is the one that was surveyed.
    pub fn run_to(&self, state: StateId, system: &mut System<'_>) -> Trace {
        run_along(&self.path_to(state, system), system)
    }

    /// The configurations of a shortest run to one of them, which is the last; `system` is the one that was surveyed.
    pub fn path_to(&self, state: StateId, system: &mut System<'_>) -> Vec<StateId> {
        let mut path = vec![state];
        let mut at = state;
        while at.0 != 0 {
            at = self.before(at, system);
            path.push(at);
        }
        path.reverse();
        path
    }

    /// The configuration from which another one was first seen.
    fn before(&self, state: StateId, system: &mut System<'_>) -> StateId {
        // The last of the noted ones that was looked at while this one had not been seen.
        let noted = self.seen_before.partition_point(|&seen| seen <= state.0);
        let first = noted.saturating_sub(1) * STRIDE;
        let mut moves = Vec::new();
        let found = (first as u32..state.0).map(StateId).find(|&source| {
            moves.clear();
            match self.reduction {
                Reduction::None => system.moves(source, &mut moves),
                Reduction::Persistent => _ = system.persistent_moves(source, &mut moves),
            }
            moves.iter().any(|step| step.target == state)
        });
        found.unwrap_or(StateId(0))
    }
}

/// The run through these configurations, each a step of the system from the one before it.
pub fn run_along(path: &[StateId], system: &mut System<'_>) -> Trace {
    let mut steps = Vec::new();
    let mut moves = Vec::new();
    for pair in path.windows(2) {
        moves.clear();
        system.moves(pair[0], &mut moves);
        let Some(step) = moves.iter().find(|step| step.target == pair[1]) else {
            continue;
        };
        steps.push(Step {
            event: event(system, step),
            guard: None,
            bindings: Vec::new(),
            states: Some((system.describe(pair[0]), system.describe(pair[1]))),
            origin: None,
        });
    }
    Trace {
        steps,
        conclusion: String::new(),
        ..Trace::default()
    }
}

fn event(system: &System<'_>, step: &Move) -> StepEvent {
    let names = system.names();
    match system.action(step.action) {
        Action::Named {
            name,
            ends: Some((from, to)),
            direction,
            ..
        } => StepEvent::Message {
            operation: names.text(*name).to_owned(),
            from: names.text(*from).to_owned(),
            to: names.text(*to).to_owned(),
            direction: *direction,
            fields: Vec::new(),
        },
        other => StepEvent::Other(other.text(system.terms())),
    }
}

#[cfg(test)]
mod tests {
    use choros_base::SourceMap;
    use choros_data::Terms;

    use super::super::Discipline;
    use super::*;
    use crate::cfsm::{Cfsm, read_fsa};

    fn machines(text: &str, terms: &mut Terms) -> Vec<Cfsm> {
        let mut map = SourceMap::new();
        let file = map.add("test.fsa", text);
        let (machines, diagnostics) = read_fsa(file, text, &mut terms.names);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        machines
    }

    fn sizes(text: &str, discipline: Discipline) -> (usize, usize, usize) {
        let mut terms = Terms::new();
        let machines = machines(text, &mut terms);
        let mut system = System::new(&machines, discipline, &terms);
        let found = survey(&mut system, &Budget::unlimited());
        (found.states, found.transitions, found.unsafe_count())
    }

    /// `A->B:x ; A->B:y` (Example 2.1).
    const TWICE: &str = "\
.outputs A
0 1 ! x 1
1 1 ! y 2
.marking 0
.end
.outputs B
0 0 ? x 1
1 0 ? y 2
.marking 0
.end
";

    /// The projections of `A->C:m + B->C:m`, which is not well-branched (Example 2.5).
    const BOTH_SEND: &str = "\
.outputs A
0 2 ! m 1
.marking 0
.end
.outputs B
0 2 ! m 1
.marking 0
.end
.outputs C
0 0 ? m 1
0 1 ? m 1
.marking 0
.end
";

    #[test]
    fn example_2_1_has_six_configurations() {
        assert_eq!(sizes(TWICE, Discipline::fifo(5)), (6, 6, 0));
        // A multiset of x and y lets B take x only, as B wants x first.
        assert_eq!(sizes(TWICE, Discipline::bag(5)), (6, 6, 0));
        assert_eq!(sizes(TWICE, Discipline::synchronous()), (3, 2, 0));
    }

    #[test]
    fn two_senders_leave_a_message_behind() {
        assert_eq!(sizes(BOTH_SEND, Discipline::fifo(5)), (8, 10, 2));
        assert_eq!(sizes(BOTH_SEND, Discipline::bag(5)), (8, 10, 2));
    }

    #[test]
    fn a_full_channel_is_no_deadlock() {
        let text = ".outputs A\n0 1 ! x 0\n.marking 0\n.end\n.outputs B\n.marking 0\n.end\n";
        let mut terms = Terms::new();
        let machines = machines(text, &mut terms);
        let mut system = System::new(&machines, Discipline::fifo(3), &terms);
        let found = survey(&mut system, &Budget::unlimited());
        assert_eq!((found.states, found.transitions), (4, 3));
        assert_eq!(found.count(DeadKind::Blocked), 1);
        assert_eq!(found.unsafe_count(), 0);
        assert!(found.bound_reached && !found.complete());
        assert_eq!(found.orphans.0, 3);
    }

    #[test]
    fn runs_are_replayed_step_by_step() {
        let mut terms = Terms::new();
        let machines = machines(BOTH_SEND, &mut terms);
        let mut system = System::new(&machines, Discipline::fifo(1), &terms);
        let found = survey(&mut system, &Budget::unlimited());
        let stuck = found.nearest(DeadKind::Orphan).unwrap();
        let run = found.run_to(stuck, &mut system);
        assert_eq!(run.steps.len(), 3);
        assert_eq!(system.describe(stuck), "A 1, B 1, C 1 | B→C[m]");
    }
}
