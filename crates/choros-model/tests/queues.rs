//! Machines that talk over bounded queues, as a labelled transition system: the second of the two shapes of the
//! waist, kept honest by a small user of it.

use choros_base::{Budget, Name};
use choros_data::Terms;
use choros_model::Evidence;
use choros_model::evidence::{Step, StepEvent};
use choros_model::lts::{
    Action, ActionId, Extent, Lts, LtsCounts, NoSuccessors, StateId, explore, read_aut, write_aut,
};
use choros_model::stg::Direction;

/// `state, (partner, message, direction), next state`.
type Move = (u8, (usize, &'static str, Direction), u8);

struct Machine {
    name: &'static str,
    moves: Vec<Move>,
    /// The states in which it may stop.
    ends: Vec<u8>,
}

/// Where each machine stands, and what waits in the queue from one machine to another.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Configuration {
    states: Vec<u8>,
    queues: Vec<Vec<&'static str>>,
}

/// Machines with one queue of bounded length for each pair.
struct System {
    machines: Vec<Machine>,
    bound: usize,
    terms: Terms,
    /// The position of a configuration is its state id.
    configurations: Vec<Configuration>,
    actions: Vec<Action>,
}

impl System {
    fn new(machines: Vec<Machine>, bound: usize) -> Self {
        Self {
            machines,
            bound,
            terms: Terms::new(),
            configurations: Vec::new(),
            actions: Vec::new(),
        }
    }

    fn state(&mut self, configuration: Configuration) -> StateId {
        let known = self
            .configurations
            .iter()
            .position(|one| *one == configuration);
        StateId(known.unwrap_or_else(|| {
            self.configurations.push(configuration);
            self.configurations.len() - 1
        }) as u32)
    }

    fn action(&mut self, from: usize, to: usize, message: &str, direction: Direction) -> ActionId {
        let mut name = |text: &str| -> Name { self.terms.names.intern(text) };
        let action = Action::Named {
            name: name(message),
            ends: Some((name(self.machines[from].name), name(self.machines[to].name))),
            direction,
            arguments: vec![],
        };
        let known = self.actions.iter().position(|one| *one == action);
        ActionId(known.unwrap_or_else(|| {
            self.actions.push(action);
            self.actions.len() - 1
        }) as u32)
    }
}

impl Lts for System {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn initial(&mut self) -> StateId {
        let count = self.machines.len();
        self.state(Configuration {
            states: vec![0; count],
            queues: vec![vec![]; count * count],
        })
    }

    fn successors(
        &mut self,
        state: StateId,
        into: &mut Vec<(ActionId, StateId)>,
    ) -> Result<Extent, NoSuccessors> {
        let count = self.machines.len();
        let now = self.configurations[state.index()].clone();
        for machine in 0..count {
            for index in 0..self.machines[machine].moves.len() {
                let (at, (partner, message, direction), next) = self.machines[machine].moves[index];
                if now.states[machine] != at {
                    continue;
                }
                let mut after = now.clone();
                after.states[machine] = next;
                let (from, to) = match direction {
                    Direction::Send => (machine, partner),
                    _ => (partner, machine),
                };
                let queue = &mut after.queues[from * count + to];
                match direction {
                    Direction::Send if queue.len() < self.bound => queue.push(message),
                    Direction::Receive if queue.first() == Some(&message) => {
                        queue.remove(0);
                    }
                    _ => continue,
                }
                let action = self.action(from, to, message, direction);
                into.push((action, self.state(after)));
            }
        }
        Ok(Extent::Whole)
    }

    fn action(&self, action: ActionId) -> &Action {
        &self.actions[action.index()]
    }

    fn propositions(&mut self, _: StateId, _: &mut Vec<ActionId>) -> Result<(), NoSuccessors> {
        Ok(())
    }

    fn ended(&self, state: StateId) -> bool {
        let configuration = &self.configurations[state.index()];
        configuration.queues.iter().all(Vec::is_empty)
            && configuration
                .states
                .iter()
                .zip(&self.machines)
                .all(|(state, machine)| machine.ends.contains(state))
    }

    fn describe(&self, state: StateId) -> String {
        let configuration = &self.configurations[state.index()];
        let states: Vec<String> = configuration.states.iter().map(u8::to_string).collect();
        let waiting: Vec<&str> = configuration.queues.iter().flatten().copied().collect();
        format!("({}) [{}]", states.join(","), waiting.join(","))
    }
}

const SEND: Direction = Direction::Send;
const RECEIVE: Direction = Direction::Receive;

/// A producer that sends forever, a consumer that takes forever.
fn producer_consumer(bound: usize) -> System {
    System::new(
        vec![
            Machine {
                name: "p",
                moves: vec![(0, (1, "item", SEND), 0)],
                ends: vec![],
            },
            Machine {
                name: "c",
                moves: vec![(0, (0, "item", RECEIVE), 0)],
                ends: vec![],
            },
        ],
        bound,
    )
}

#[test]
fn a_queue_of_bound_k_has_k_plus_1_states() {
    for bound in 1..6 {
        let mut system = producer_consumer(bound);
        let exploration = explore(&mut system, &Budget::steps(100));
        assert!(exploration.complete());
        // A queue holds 0 … k items; each of the k steps between them goes up and down.
        assert_eq!(
            exploration.counts(),
            LtsCounts {
                states: bound + 1,
                transitions: 2 * bound,
                deadlocks: 0
            }
        );
        assert_eq!(exploration.deadlock_trace(&system), None);
    }
}

#[test]
fn independent_exchanges_interleave() {
    // Two pairs of machines, each pair exchanging one message: each pair has 3 states, together 9, and every state
    // but the ends of each pair has a step of it: 2 · 2 · 3.
    let sender = |name, partner| Machine {
        name,
        moves: vec![(0, (partner, "m", SEND), 1)],
        ends: vec![1],
    };
    let receiver = |name, partner| Machine {
        name,
        moves: vec![(0, (partner, "m", RECEIVE), 1)],
        ends: vec![1],
    };
    let machines = vec![
        sender("a", 1),
        receiver("b", 0),
        sender("c", 3),
        receiver("d", 2),
    ];
    let mut system = System::new(machines, 1);
    let exploration = explore(&mut system, &Budget::steps(100));
    assert_eq!(
        exploration.counts(),
        LtsCounts {
            states: 9,
            transitions: 12,
            deadlocks: 0
        }
    );
}

/// A buyer who may cancel while the offer is on its way, and a seller who does not listen then.
fn crossing() -> System {
    System::new(
        vec![
            Machine {
                name: "b",
                moves: vec![
                    (0, (1, "ask", SEND), 1),
                    (1, (1, "offer", RECEIVE), 2),
                    (1, (1, "cancel", SEND), 2),
                ],
                ends: vec![2],
            },
            Machine {
                name: "s",
                moves: vec![(0, (0, "ask", RECEIVE), 1), (1, (0, "offer", SEND), 2)],
                ends: vec![2],
            },
        ],
        2,
    )
}

#[test]
fn messages_that_cross_deadlock_and_the_shortest_way_there_is_told() {
    let mut system = crossing();
    let exploration = explore(&mut system, &Budget::steps(100));
    // By hand: (0,0)[] -ask!-> (1,0)[ask]; there ask? -> (1,1)[] or cancel! -> (2,0)[ask,cancel].
    // (1,1)[]: offer! -> (1,2)[offer], cancel! -> (2,1)[cancel].
    // (2,0)[ask,cancel] -ask?-> (2,1)[cancel] -offer!-> (2,2)[cancel,offer], stuck.
    // (1,2)[offer]: offer? -> (2,2)[] ended; cancel! -> (2,2)[cancel,offer].
    assert_eq!(
        exploration.counts(),
        LtsCounts {
            states: 8,
            transitions: 9,
            deadlocks: 1
        }
    );
    let Some(Evidence::Trace(trace)) = exploration.deadlock_trace(&system) else {
        panic!("a trace");
    };
    assert_eq!(trace.steps.len(), 4);
    let first = &trace.steps[0];
    assert_eq!(
        *first,
        Step {
            event: StepEvent::Message {
                operation: "ask".into(),
                from: "b".into(),
                to: "s".into(),
                direction: SEND,
                fields: vec![]
            },
            guard: None,
            bindings: vec![],
            states: Some(("(0,0) []".into(), "(1,0) [ask]".into())),
            origin: None
        }
    );
    let last = trace.steps.last().and_then(|step| step.states.clone());
    assert_eq!(
        last.map(|states| states.1),
        Some("(2,2) [cancel,offer]".to_owned())
    );
    assert!(trace.conclusion.contains("(2,2) [cancel,offer]"));
}

#[test]
fn a_bound_that_cuts_is_told_and_is_no_deadlock() {
    let mut system = crossing();
    let exploration = explore(&mut system, &Budget::steps(2));
    assert!(!exploration.complete());
    assert_eq!(
        exploration
            .lts
            .extent()
            .cut_by()
            .map(|it| it.reason.as_str()),
        Some("the bound of 2 steps was reached")
    );
    // Two states are unfolded; the two after them are known and no more.
    assert_eq!(
        exploration.counts(),
        LtsCounts {
            states: 4,
            transitions: 3,
            deadlocks: 0
        }
    );
}

#[test]
fn exploring_an_explored_system_changes_nothing() {
    let mut system = crossing();
    let mut once = explore(&mut system, &Budget::steps(100)).lts;
    let twice = explore(&mut once, &Budget::steps(100)).lts;
    assert_eq!(once.counts(), twice.counts());
    assert_eq!(write_aut(&once), write_aut(&twice));
}

#[test]
fn a_system_survives_an_aut_file() {
    let mut system = crossing();
    let lts = explore(&mut system, &Budget::steps(100)).lts;
    let text = write_aut(&lts);
    assert!(text.starts_with("des (0, 9, 8)\n(0, \"ask[b,s]!\", 1)\n"));
    let mut map = choros_base::SourceMap::new();
    let file = map.add("crossing.aut", text.as_str());
    let (mut read, diagnostics) = read_aut(file, &text);
    assert!(diagnostics.is_empty());
    assert_eq!(write_aut(&read), text);
    // The format does not say that one of the two ends is proper.
    assert_eq!(
        explore(&mut read, &Budget::steps(100)).counts().deadlocks,
        2
    );
}
