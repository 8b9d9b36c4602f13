//! Safety of machines against its definition, written out with maps and lists; and a reduced search against a full one.

use std::collections::{BTreeMap, BTreeSet};

use choros_base::{Budget, Name};
use choros_data::Terms;
use choros_model::cfsm::{
    Cfsm, Channels, Discipline, LocalAction, LocalState, Reduction, System, Transition,
};
use choros_realize::{Gap, Proof, Safety, safety};
use choros_testkit::{
    MachineShape, Random, random_directed, random_machines, random_protocol, rounds, seed_from_env,
};

const MAX_STATES: u64 = 3_000;

fn some_machines(random: &mut Random, terms: &mut Terms) -> Vec<Cfsm> {
    let shape = MachineShape {
        machines: 2 + random.below(2),
        states: 4,
        transitions: 6,
        messages: 2,
        loops: random.percent(60),
    };
    let mut machines = match random.below(3) {
        0 => random_machines(shape, random, &mut terms.names),
        1 => random_directed(shape, random, &mut terms.names),
        _ => random_protocol(shape, random, &mut terms.names),
    };
    // A transition is lost, or talks to its own machine.
    if random.percent(50) {
        let at = random.below(machines.len());
        let state = LocalState(random.below(machines[at].state_count()) as u32);
        let mut own: Vec<Transition> = machines[at].outgoing(state).to_vec();
        if let Some(last) = own.pop()
            && random.percent(30)
        {
            let action = LocalAction {
                partner: machines[at].participant(),
                ..last.action
            };
            own.push(Transition { action, ..last });
        }
        machines[at].set_outgoing(state, own);
    }
    machines
}

type Waiting = BTreeMap<(usize, usize), Vec<Name>>;
type Configuration = (Vec<LocalState>, Vec<((usize, usize), Vec<usize>)>);

/// What the definition says.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Safe,
    Unsafe,
    /// A channel was full.
    Bounded,
}

/// Goes through all configurations, and from each of them through all that follow.
fn naive(machines: &[Cfsm], discipline: Discipline) -> Option<Answer> {
    let place = |name: Name| {
        let own = |it: &Cfsm| it.participant() == name;
        machines
            .iter()
            .position(own)
            .expect("all partners have machines")
    };
    let mut letters: Vec<Name> = Vec::new();
    let mut graph: Vec<Vec<(usize, Taken)>> = Vec::new();
    let mut seen: BTreeMap<Configuration, usize> = BTreeMap::new();
    let mut all: Vec<(Vec<LocalState>, Waiting)> = Vec::new();
    let mut refused = false;
    let mut id = |states: Vec<LocalState>,
                  mut waiting: Waiting,
                  all: &mut Vec<(Vec<LocalState>, Waiting)>| {
        waiting.retain(|_, word| !word.is_empty());
        let key = waiting.iter().map(|(&ends, word)| {
            let mut word: Vec<usize> = word
                .iter()
                .map(|it| {
                    letters
                        .iter()
                        .position(|other| other == it)
                        .unwrap_or_else(|| {
                            letters.push(*it);
                            letters.len() - 1
                        })
                })
                .collect();
            if discipline.channels == Channels::Bag {
                word.sort_unstable();
            }
            (ends, word)
        });
        let key = (states.clone(), key.collect::<Vec<_>>());
        let next = seen.len();
        *seen.entry(key).or_insert_with(|| {
            all.push((states, waiting));
            next
        })
    };
    id(
        machines.iter().map(Cfsm::initial).collect(),
        Waiting::new(),
        &mut all,
    );
    let mut next = 0;
    while next < all.len() {
        if all.len() as u64 > MAX_STATES {
            return None;
        }
        let (states, waiting) = all[next].clone();
        next += 1;
        let mut steps = Vec::new();
        for (at, machine) in machines.iter().enumerate() {
            for one in machine.outgoing(states[at]) {
                let other = place(one.action.partner);
                let mut after = states.clone();
                after[at] = one.target;
                let message = one.action.message;
                if discipline.channels == Channels::Synchronous {
                    if !one.action.is_output() || other == at {
                        continue;
                    }
                    for answer in machines[other].outgoing(states[other]) {
                        if !answer.action.is_output()
                            && place(answer.action.partner) == at
                            && answer.action.message == message
                        {
                            let mut both = after.clone();
                            both[other] = answer.target;
                            let to = id(both, Waiting::new(), &mut all);
                            steps.push((to, (vec![at, other], None)));
                        }
                    }
                    continue;
                }
                let ends = if one.action.is_output() {
                    (at, other)
                } else {
                    (other, at)
                };
                let mut contents = waiting.clone();
                let word = contents.entry(ends).or_default();
                let taken = match (one.action.is_output(), discipline.channels) {
                    (true, _) if word.len() >= discipline.bound as usize => {
                        refused = true;
                        continue;
                    }
                    (true, _) => {
                        word.push(message);
                        None
                    }
                    (false, Channels::Bag) => {
                        let Some(found) = word.iter().position(|&it| it == message) else {
                            continue;
                        };
                        word.remove(found);
                        Some((ends, message))
                    }
                    (false, _) => {
                        if word.first() != Some(&message) {
                            continue;
                        }
                        word.remove(0);
                        Some((ends, message))
                    }
                };
                let to = id(after, contents, &mut all);
                steps.push((to, (vec![at], taken)));
            }
        }
        graph.push(steps);
    }
    if refused {
        return Some(Answer::Bounded);
    }
    for (start, (states, waiting)) in all.iter().enumerate() {
        let mut reached = BTreeSet::from([start]);
        let mut open = vec![start];
        let mut acted = BTreeSet::new();
        let mut received = Vec::new();
        while let Some(here) = open.pop() {
            for (to, (who, taken)) in &graph[here] {
                acted.extend(who.iter().copied());
                received.extend(*taken);
                if reached.insert(*to) {
                    open.push(*to);
                }
            }
        }
        let together = discipline.channels == Channels::Synchronous;
        let stays = machines.iter().enumerate().any(|(at, machine)| {
            let offers = machine.outgoing(states[at]);
            !offers.is_empty()
                && offers.iter().all(|it| together || !it.action.is_output())
                && !acted.contains(&at)
        });
        let lost = waiting.iter().any(|(ends, word)| {
            let first = match discipline.channels {
                Channels::Bag => word.len(),
                _ => 1,
            };
            word.iter()
                .take(first)
                .any(|&message| !received.contains(&(*ends, message)))
        });
        if stays || lost {
            return Some(Answer::Unsafe);
        }
    }
    Some(Answer::Safe)
}

/// Who acts in a step, and what is taken from where.
type Taken = (Vec<usize>, Option<((usize, usize), Name)>);

fn judge(machines: &[Cfsm], discipline: Discipline, reduction: Reduction, terms: &Terms) -> Safety {
    let mut system = System::new(machines, discipline, terms);
    safety(&mut system, reduction, &Budget::steps(MAX_STATES * 4))
}

#[test]
fn safety_is_what_its_definition_says() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let (mut safe, mut wrong, mut reduced) = (0, 0, 0);
    for _ in 0..rounds(600) {
        let mut terms = Terms::new();
        let machines = some_machines(&mut random, &mut terms);
        for discipline in [
            Discipline::fifo(2),
            Discipline::bag(2),
            Discipline::synchronous(),
        ] {
            let Some(answer) = naive(&machines, discipline) else {
                continue;
            };
            let full = judge(&machines, discipline, Reduction::None, &terms);
            let few = judge(&machines, discipline, Reduction::Persistent, &terms);
            let case = format!("seed {seed}, {discipline}: {machines:?}");
            match answer {
                Answer::Safe => {
                    safe += 1;
                    assert_eq!(full.proof, Ok(Proof::Everything), "{case}");
                    assert_ne!(few.proof, Err(Gap::Unsafe), "{case}");
                    reduced += usize::from(few.proof.is_ok());
                }
                Answer::Unsafe => {
                    wrong += 1;
                    assert_eq!(full.proof, Err(Gap::Unsafe), "{case}");
                    assert!(few.proof.is_err(), "{case}");
                }
                // A reduced search may meet no full channel where a full one does, and be right.
                Answer::Bounded => {
                    if few.proof == Ok(Proof::AllRunsEnd) {
                        assert_ne!(full.proof, Err(Gap::Unsafe), "{case}");
                    }
                }
            }
        }
    }
    assert!(
        safe > 50 && wrong > 50 && reduced > 10,
        "{safe} {wrong} {reduced}"
    );
}

/// What is proved at one bound is not refuted at a larger one.
#[test]
fn proofs_hold_at_larger_bounds() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let mut beyond = 0;
    for _ in 0..rounds(600) {
        let mut terms = Terms::new();
        let machines = some_machines(&mut random, &mut terms);
        for reduction in [Reduction::None, Reduction::Persistent] {
            let small = judge(&machines, Discipline::fifo(1), reduction, &terms);
            if small.proof.is_err() {
                continue;
            }
            beyond += usize::from(small.found.bound_reached);
            for bound in 2..5 {
                let large = judge(&machines, Discipline::fifo(bound), Reduction::None, &terms);
                let case = format!("seed {seed}, bound {bound}: {machines:?}");
                assert_ne!(large.proof, Err(Gap::Unsafe), "{case}");
            }
        }
    }
    assert!(beyond > 5, "{beyond}");
}
