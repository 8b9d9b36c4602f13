//! What holds of all machines: splitting, suitability, and the naive twin of compliance.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use choros_base::{Budget, Name};
use choros_data::Terms;
use choros_model::cfsm::{Cfsm, Channels, Discipline, LocalState};
use choros_testgen::{
    Compliance, Fairness, Generation, Oracle, Splitting, TestCase, WatchedChannels, breaches,
    comply, generate, non_deterministic_states, split, split_all, split_naive,
};
use choros_testkit::{MachineShape, Random, random_machines, random_protocol, seed_from_env};

const SMALL: MachineShape = MachineShape {
    machines: 3,
    states: 4,
    transitions: 5,
    messages: 2,
    loops: true,
};

/// Machines as sets of transitions, so that the order of removal does not matter.
fn texts(machines: impl IntoIterator<Item = Cfsm>, terms: &Terms) -> BTreeSet<Vec<String>> {
    machines
        .into_iter()
        .map(|machine| {
            let mut all: Vec<String> = machine
                .transitions()
                .map(|(source, one)| {
                    let action = one.action.text(machine.participant(), &terms.names);
                    format!("{} {action} {}", source.0, one.target.0)
                })
                .collect();
            all.sort();
            all
        })
        .collect()
}

/// Theorem 3.12: the product of decisions is the set that the definition gives, whatever the order.
#[test]
fn splitting_is_what_the_definition_says() {
    let mut random = Random::new(seed_from_env());
    for _ in 0..400 {
        let mut terms = Terms::new();
        for machine in random_machines(SMALL, &mut random, &mut terms.names) {
            let budget = Budget::unlimited();
            let quick = split(&machine, &budget).unwrap();
            let quick: Vec<Cfsm> = quick.into_iter().map(|it| it.machine).collect();
            assert!(
                quick
                    .iter()
                    .all(|it| non_deterministic_states(it).is_empty())
            );
            let naive = split_naive(&machine, &budget).unwrap();
            let all = split_all(&machine, &budget).unwrap();
            assert!(quick.len() <= naive.len() && naive.len() <= all.len());
            let quick = texts(quick, &terms);
            assert_eq!(quick, texts(naive, &terms));
            assert_eq!(quick, texts(all, &terms));
        }
    }
}

/// Theorem 3.11, for machines that follow one protocol: they pass all their tests, over queues and multisets.
#[test]
fn a_model_passes_its_own_tests() {
    let mut random = Random::new(seed_from_env());
    for _ in 0..150 {
        let mut terms = Terms::new();
        let shape = MachineShape {
            transitions: 4,
            ..SMALL
        };
        let machines = random_protocol(shape, &mut random, &mut terms.names);
        let generation = Generation {
            roles: Vec::new(),
            splitting: *random.pick(&[Splitting::Once, Splitting::Trimmed]),
            oracles: vec![Oracle::FinalStates],
        };
        let budget = Budget::unlimited();
        let suite = generate(&machines, &generation, &mut terms.names, &budget).unwrap();
        for test in &suite.tests {
            assert_eq!(breaches(test.under_test, &test.machines), []);
            let own = suite.machine(test.under_test).unwrap();
            for discipline in [
                Discipline::fifo(9),
                Discipline::bag(9),
                Discipline::synchronous(),
            ] {
                let answer = comply(
                    own,
                    test,
                    discipline,
                    &WatchedChannels::All,
                    Fairness::None,
                    &terms,
                    &budget,
                );
                assert!(matches!(answer, Compliance::Passes(_)), "{answer:?}");
            }
        }
    }
}

/// The search agrees with the definition, evaluated on a graph that is built in the plainest way.
#[test]
fn compliance_agrees_with_its_naive_twin() {
    let mut random = Random::new(seed_from_env());
    let mut seen = [0; 3];
    for _ in 0..250 {
        let mut terms = Terms::new();
        // Half of the machines know nothing of each other, half follow a protocol that one of them breaks.
        let machines = if random.percent(50) {
            random_machines(SMALL, &mut random, &mut terms.names)
        } else {
            random_protocol(SMALL, &mut random, &mut terms.names)
        };
        let generation = Generation {
            roles: vec![machines[0].participant()],
            splitting: Splitting::Once,
            oracles: vec![Oracle::FinalStates],
        };
        let budget = Budget::unlimited();
        let suite = generate(&machines, &generation, &mut terms.names, &budget).unwrap();
        let mut candidate = machines[0].clone();
        if random.percent(50) {
            let state = LocalState(random.below(candidate.state_count()) as u32);
            let mut own = candidate.outgoing(state).to_vec();
            if !own.is_empty() {
                own.remove(random.below(own.len()));
                candidate.set_outgoing(state, own);
            }
        }
        for test in suite.tests.iter().take(6) {
            for discipline in [
                Discipline::fifo(2),
                Discipline::bag(2),
                Discipline::synchronous(),
            ] {
                for fairness in [Fairness::None, Fairness::Fair] {
                    let answer = comply(
                        &candidate,
                        test,
                        discipline,
                        &WatchedChannels::All,
                        fairness,
                        &terms,
                        &budget,
                    );
                    let naive = Naive::new(&candidate, test, discipline).verdict(fairness);
                    let word = match answer {
                        Compliance::Passes(_) => 0,
                        Compliance::Fails(_) => 1,
                        Compliance::Inconclusive(_) => 2,
                    };
                    assert_eq!(
                        word, naive,
                        "{discipline} {fairness:?} {candidate:?} {test:?}"
                    );
                    seen[word] += 1;
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

type Channel = ((Name, Name), VecDeque<Name>);

/// Compliance with lists and strings.
struct Naive<'a> {
    machines: Vec<&'a Cfsm>,
    test: &'a TestCase,
    discipline: Discipline,
}

#[derive(Clone)]
struct State {
    states: Vec<LocalState>,
    channels: Vec<Channel>,
}

impl State {
    fn key(&self, bag: bool) -> Vec<String> {
        let mut key: Vec<String> = self.states.iter().map(|it| it.0.to_string()).collect();
        let mut channels: Vec<String> = self
            .channels
            .iter()
            .filter(|(_, waiting)| !waiting.is_empty())
            .map(|(ends, waiting)| {
                let mut waiting: Vec<String> = waiting.iter().map(|it| format!("{it:?}")).collect();
                if bag {
                    waiting.sort();
                }
                format!("{ends:?} {waiting:?}")
            })
            .collect();
        channels.sort();
        key.extend(channels);
        key
    }

    fn channel(&mut self, ends: (Name, Name)) -> &mut VecDeque<Name> {
        let at = match self.channels.iter().position(|(it, _)| *it == ends) {
            Some(at) => at,
            None => {
                self.channels.push((ends, VecDeque::new()));
                self.channels.len() - 1
            }
        };
        &mut self.channels[at].1
    }
}

impl<'a> Naive<'a> {
    fn new(candidate: &'a Cfsm, test: &'a TestCase, discipline: Discipline) -> Self {
        let players = test.machines.iter().map(|it| &it.machine);
        Self {
            machines: std::iter::once(candidate).chain(players).collect(),
            test,
            discipline,
        }
    }

    fn successful(&self, state: &State) -> bool {
        state.channels.iter().all(|(_, waiting)| waiting.is_empty())
            && self
                .test
                .machines
                .iter()
                .zip(&state.states[1..])
                .all(|(player, local)| player.success.contains(local))
    }

    /// Successors, and whether a full channel refused something.
    fn successors(&self, state: &State) -> (Vec<State>, bool) {
        let mut next = Vec::new();
        let mut refused = false;
        for (at, machine) in self.machines.iter().enumerate() {
            for one in machine.outgoing(state.states[at]) {
                let ends = one.action.sender_and_receiver(machine.participant());
                let mut after = state.clone();
                after.states[at] = one.target;
                match (self.discipline.channels, one.action.is_output()) {
                    (Channels::Synchronous, false) => {}
                    (Channels::Synchronous, true) => {
                        for (other, reader) in self.machines.iter().enumerate() {
                            if reader.participant() != ends.1 {
                                continue;
                            }
                            for answer in reader.outgoing(state.states[other]) {
                                if !answer.action.is_output()
                                    && answer.action.sender_and_receiver(ends.1) == ends
                                    && answer.action.message == one.action.message
                                {
                                    let mut both = after.clone();
                                    both.states[other] = answer.target;
                                    next.push(both);
                                }
                            }
                        }
                    }
                    (_, true) => {
                        let channel = after.channel(ends);
                        if channel.len() >= self.discipline.bound as usize {
                            refused = true;
                        } else {
                            channel.push_back(one.action.message);
                            next.push(after);
                        }
                    }
                    (Channels::Fifo, false) => {
                        let channel = after.channel(ends);
                        if channel.front() == Some(&one.action.message) {
                            channel.pop_front();
                            next.push(after);
                        }
                    }
                    (Channels::Bag, false) => {
                        let channel = after.channel(ends);
                        if let Some(at) = channel.iter().position(|it| *it == one.action.message) {
                            channel.remove(at);
                            next.push(after);
                        }
                    }
                }
            }
        }
        (next, refused)
    }

    /// 0 passes, 1 fails, 2 inconclusive.
    fn verdict(&self, fairness: Fairness) -> usize {
        let bag = self.discipline.channels == Channels::Bag;
        let start = State {
            states: self.machines.iter().map(|it| it.initial()).collect(),
            channels: Vec::new(),
        };
        if self.successful(&start) {
            return 0;
        }
        // The graph of configurations that are not successful, by key.
        let mut graph: HashMap<Vec<String>, Vec<Vec<String>>> = HashMap::new();
        let mut open_ends: HashSet<Vec<String>> = HashSet::new();
        let (mut dead, mut any_refused) = (false, false);
        let mut work = vec![start.clone()];
        while let Some(state) = work.pop() {
            let key = state.key(bag);
            if graph.contains_key(&key) {
                continue;
            }
            let (next, refused) = self.successors(&state);
            any_refused |= refused;
            dead |= next.is_empty() && !refused;
            if refused {
                open_ends.insert(key.clone());
            }
            let mut targets = Vec::new();
            for after in next {
                if self.successful(&after) {
                    open_ends.insert(key.clone());
                } else {
                    targets.push(after.key(bag));
                    work.push(after);
                }
            }
            graph.insert(key, targets);
        }
        let fails = dead
            || match fairness {
                Fairness::None => has_cycle(&graph),
                Fairness::Fair => graph.keys().any(|from| !reaches(&graph, from, &open_ends)),
            };
        match (fails, any_refused) {
            (true, _) => 1,
            (false, true) => 2,
            (false, false) => 0,
        }
    }
}

fn reaches(
    graph: &HashMap<Vec<String>, Vec<Vec<String>>>,
    from: &Vec<String>,
    goals: &HashSet<Vec<String>>,
) -> bool {
    let mut seen: HashSet<&Vec<String>> = HashSet::new();
    let mut open = vec![from];
    while let Some(key) = open.pop() {
        if goals.contains(key) {
            return true;
        }
        if seen.insert(key) {
            open.extend(graph[key].iter());
        }
    }
    false
}

/// Whether some key reaches itself.
fn has_cycle(graph: &HashMap<Vec<String>, Vec<Vec<String>>>) -> bool {
    graph.keys().any(|from| {
        let goals: HashSet<Vec<String>> = [from.clone()].into();
        graph[from].iter().any(|next| reaches(graph, next, &goals))
    })
}
