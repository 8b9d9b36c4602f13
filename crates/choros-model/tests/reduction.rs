//! Reduced exploration finds the same dead configurations as full exploration, full exploration those of its naive twin,
//! and several who explore what one finds.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use choros_base::{Budget, Crew, Job, Name};
use choros_data::Terms;
use choros_model::cfsm::{
    Cfsm, Channels, Discipline, LocalState, Reduction, Survey, System, survey, survey_with,
};
use choros_model::lts::{Lts, StateId};
use choros_testkit::{
    MachineShape, Random, random_directed, random_machines, random_protocol, seed_from_env,
};

const SMALL: MachineShape = MachineShape {
    machines: 3,
    states: 4,
    transitions: 6,
    messages: 2,
    loops: true,
};

fn some_machines(random: &mut Random, terms: &mut Terms) -> Vec<Cfsm> {
    let shape = MachineShape {
        machines: 2 + random.below(2),
        loops: random.percent(50),
        ..SMALL
    };
    match random.below(3) {
        0 => random_machines(shape, random, &mut terms.names),
        1 => random_directed(shape, random, &mut terms.names),
        _ => {
            // A protocol in which one machine has lost a transition.
            let mut machines = random_protocol(shape, random, &mut terms.names);
            let at = random.below(machines.len());
            let state = LocalState(random.below(machines[at].state_count()) as u32);
            let mut own = machines[at].outgoing(state).to_vec();
            own.pop();
            machines[at].set_outgoing(state, own);
            machines
        }
    }
}

fn dead(found: &Survey, system: &System<'_>) -> BTreeSet<String> {
    found
        .dead
        .iter()
        .map(|it| format!("{:?} {}", it.kind, system.describe(it.state)))
        .collect()
}

#[test]
fn the_same_dead_configurations() {
    let mut random = Random::new(seed_from_env());
    let (mut stuck, mut smaller) = (0, 0);
    for _ in 0..1_500 {
        let mut terms = Terms::new();
        let machines = some_machines(&mut random, &mut terms);
        for discipline in [Discipline::fifo(2), Discipline::bag(2), Discipline::fifo(1)] {
            let mut system = System::new(&machines, discipline, &terms);
            let full = survey(&mut system, &Budget::steps(20_000));
            if full.stopped.is_some() {
                continue;
            }
            let expected = dead(&full, &system);
            let reduced = survey_with(&mut system, Reduction::Persistent, &Budget::unlimited());
            assert_eq!(
                dead(&reduced, &system),
                expected,
                "{discipline} {machines:?}"
            );
            assert!(reduced.states <= full.states);
            stuck += usize::from(!expected.is_empty());
            smaller += usize::from(reduced.states < full.states);
        }
    }
    assert!(stuck > 500 && smaller > 500, "{stuck} {smaller}");
}

/// If no channel was full on the way, nothing is missed in larger channels either.
#[test]
fn a_reduction_that_meets_no_bound_is_true_of_larger_bounds() {
    let mut random = Random::new(seed_from_env());
    let mut compared = 0;
    for _ in 0..1_500 {
        let mut terms = Terms::new();
        let machines = some_machines(&mut random, &mut terms);
        for (small, large) in [
            (Discipline::fifo(1), Discipline::fifo(4)),
            (Discipline::bag(1), Discipline::bag(4)),
        ] {
            let mut system = System::new(&machines, small, &terms);
            let reduced = survey_with(&mut system, Reduction::Persistent, &Budget::unlimited());
            if reduced.bound_reached {
                continue;
            }
            let found = dead(&reduced, &system);
            let mut larger = System::new(&machines, large, &terms);
            let full = survey(&mut larger, &Budget::steps(20_000));
            if full.stopped.is_none() && !full.bound_reached {
                assert_eq!(found, dead(&full, &larger), "{machines:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

type Waiting = BTreeMap<(String, String), VecDeque<Name>>;

/// Configurations and steps, counted with maps and lists.
fn naive(machines: &[Cfsm], discipline: Discipline, terms: &Terms) -> (usize, usize, usize) {
    let names = &terms.names;
    let start: (Vec<LocalState>, Waiting) =
        (machines.iter().map(Cfsm::initial).collect(), Waiting::new());
    let key = |states: &[LocalState], waiting: &Waiting| {
        let waiting: Vec<_> = waiting
            .iter()
            .filter(|(_, word)| !word.is_empty())
            .map(|(ends, word)| {
                let mut word: Vec<&str> = word.iter().map(|&it| names.text(it)).collect();
                if discipline.channels == Channels::Bag {
                    word.sort_unstable();
                }
                format!("{ends:?} {word:?}")
            })
            .collect();
        format!("{states:?} {waiting:?}")
    };
    let mut seen = BTreeSet::from([key(&start.0, &start.1)]);
    let mut open = vec![start];
    let (mut steps, mut stuck) = (0, 0);
    while let Some((states, waiting)) = open.pop() {
        let mut labels = BTreeSet::new();
        let mut refused = false;
        for (at, machine) in machines.iter().enumerate() {
            for one in machine.outgoing(states[at]) {
                let (from, to) = one.action.sender_and_receiver(machine.participant());
                let ends = (names.text(from).to_owned(), names.text(to).to_owned());
                let mut after = (states.clone(), waiting.clone());
                after.0[at] = one.target;
                let word = after.1.entry(ends).or_default();
                let done = match (one.action.is_output(), discipline.channels) {
                    (true, _) if word.len() >= discipline.bound as usize => {
                        refused = true;
                        false
                    }
                    (true, _) => {
                        word.push_back(one.action.message);
                        true
                    }
                    (false, Channels::Bag) => {
                        let place = word.iter().position(|&it| it == one.action.message);
                        place.is_some_and(|place| word.remove(place).is_some())
                    }
                    (false, _) => {
                        word.front() == Some(&one.action.message) && word.pop_front().is_some()
                    }
                };
                if !done {
                    continue;
                }
                let key = key(&after.0, &after.1);
                labels.insert((one.action.text(machine.participant(), names), key.clone()));
                if seen.insert(key) {
                    open.push(after);
                }
            }
        }
        steps += labels.len();
        let waits = machines.iter().zip(&states).any(|(machine, &state)| {
            machine
                .outgoing(state)
                .iter()
                .any(|it| !it.action.is_output())
        });
        let left = waiting.values().any(|word| !word.is_empty());
        stuck += usize::from(labels.is_empty() && !refused && (waits || left));
    }
    (seen.len(), steps, stuck)
}

#[test]
fn the_packed_store_counts_as_lists_do() {
    let mut random = Random::new(seed_from_env());
    for _ in 0..400 {
        let mut terms = Terms::new();
        let machines = some_machines(&mut random, &mut terms);
        for discipline in [Discipline::fifo(2), Discipline::bag(2)] {
            let mut system = System::new(&machines, discipline, &terms);
            let full = survey(&mut system, &Budget::steps(3_000));
            if full.stopped.is_some() {
                continue;
            }
            let counted = (full.states, full.transitions, full.unsafe_count());
            assert_eq!(
                counted,
                naive(&machines, discipline, &terms),
                "{machines:?}"
            );
        }
    }
}

/// Two or more who do one job after the other, so that what they find could only differ by how it is put together; or
/// at the same time.
#[derive(Debug)]
struct Several {
    members: usize,
    threads: bool,
}

impl Crew for Several {
    fn members(&self) -> usize {
        self.members
    }

    fn worth_dividing(&self) -> usize {
        1
    }

    fn carry_out<'j>(&self, jobs: Vec<Job<'j>>) {
        if self.threads {
            std::thread::scope(|scope| jobs.into_iter().for_each(|job| drop(scope.spawn(job))));
        } else {
            // The last first: the order in which they are done must not matter.
            jobs.into_iter().rev().for_each(|job| job());
        }
    }
}

/// All that a survey found, with each configuration by its number and a shortest run to some.
fn everything(found: &Survey, system: &mut System<'_>) -> String {
    let mut text = format!(
        "{} {} {:?} {:?} {:?} {} {:?}\n",
        found.states,
        found.transitions,
        found.dead,
        found.unspecified,
        found.orphans,
        found.bound_reached,
        found.stopped
    );
    for state in (0..found.states as u32).map(StateId) {
        text += &format!("{}\n", system.describe(state));
        if state.0 % 97 == 0 {
            text += &format!("{:?}\n", found.path_to(state, system));
        }
    }
    text
}

/// However many look at configurations, they find the same, with the same numbers and runs, also where a bound stops
/// them.
#[test]
fn several_find_what_one_finds() {
    let mut random = Random::new(seed_from_env());
    let (mut compared, mut stopped) = (0, 0);
    for round in 0..3_000 {
        if round >= 300 && compared > 20 && stopped > 20 {
            break;
        }
        let mut terms = Terms::new();
        let machines = some_machines(&mut random, &mut terms);
        let steps = if random.percent(50) {
            1 + random.below(40) as u64
        } else {
            1_500
        };
        for discipline in [
            Discipline::fifo(3),
            Discipline::bag(2),
            Discipline::synchronous(),
        ] {
            let mut system = System::new(&machines, discipline, &terms);
            let one = survey(&mut system, &Budget::steps(steps));
            let expected = everything(&one, &mut system);
            let crew = Arc::new(Several {
                members: 1 + round % 4,
                threads: round % 2 == 0,
            });
            // A system that has been used knows all contents, a new one none.
            for mut system in [system, System::new(&machines, discipline, &terms)] {
                let budget = Budget::steps(steps).divided_among(crew.clone());
                let several = survey(&mut system, &budget);
                assert_eq!(
                    everything(&several, &mut system),
                    expected,
                    "{crew:?} {discipline} {machines:?}"
                );
            }
            compared += usize::from(one.states > 60);
            stopped += usize::from(one.stopped.is_some());
        }
    }
    assert!(compared > 20 && stopped > 20, "{compared} {stopped}");
}
