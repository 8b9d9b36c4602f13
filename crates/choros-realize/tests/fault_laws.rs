//! Roles under faults against a naive twin: explicit queues in which any message can vanish, be doubled or overtake at
//! any moment, explicit crashes, and explicit values.
//!
//! The twin knows no symbols, no copies without number, and no order in which faults are looked for.
//! Where the model bounds the number of duplicates it is exact; where it does not, it doubles only while there is room
//! in a queue, so it refutes *holds*, and a refutation is confirmed by it with more room.

use std::collections::{BTreeMap, BTreeSet};

use choros_base::{Budget, SourceMap};
use choros_data::Terms;
use choros_model::Verdict;
use choros_model::faults::{FaultKind, FaultModel};
use choros_model::stg::{Role, Stg, read_stg};
use choros_realize::Effort;
use choros_realize::faults::{Cast, FaultQuestion};
use choros_smt::{LazySolver, Limits};
use choros_testkit::{Random, rounds, seed_from_env};

const MODELS: [&str; 16] = [
    "delay",
    "lose:1",
    "lose:2",
    "lose",
    "lose:m0",
    "duplicate:1",
    "duplicate:2",
    "duplicate",
    "reorder:1",
    "reorder",
    "crash",
    "crash:1",
    "crash:a",
    "lose:1,duplicate:1",
    "reorder,duplicate:1",
    "lose,crash:b",
];

#[test]
fn roles_under_faults_do_what_the_twin_does() {
    let seed = seed_from_env();
    let (mut holds, mut fails, mut ends, mut unknown) = ([0; 16], [0; 16], 0, 0);
    for round in 0..rounds(320) {
        let mut random = Random::new(seed.wrapping_add(round as u64));
        let roles = random_roles(&mut random);
        let which = round % MODELS.len();
        let told = format!(
            "CHOROS_SEED={seed}, round {round}, faults {}:\n{}",
            MODELS[which],
            roles.iter().map(Machine::text).collect::<String>()
        );
        let faults = FaultModel::parse(MODELS[which]).expect("a model");
        let safe = judge(&roles, &faults, false);
        let ending = judge(&roles, &faults, true);
        let unbounded = faults
            .faults
            .iter()
            .any(|it| it.kind == FaultKind::Duplicate && it.most.is_none());
        let room = if unbounded { 5 } else { BOUND };
        let Some(twin) = naive(&roles, &faults, room) else {
            unknown += 1;
            continue;
        };
        match &safe {
            Verdict::Holds(_) => {
                holds[which] += 1;
                assert!(twin.safe, "{told}\nholds, but the twin refutes it");
            }
            Verdict::Fails(_) => {
                fails[which] += 1;
                assert!(!twin.safe, "{told}\nfails, but the twin knows no such run");
                continue;
            }
            _ => {
                unknown += 1;
                continue;
            }
        }
        match &ending {
            Verdict::Holds(_) => {
                ends += 1;
                assert!(
                    twin.ends || unbounded,
                    "{told}\ncan always end, but not in the twin"
                );
            }
            Verdict::Fails(_) => {
                assert!(!twin.ends, "{told}\ncannot end, but the twin always can");
            }
            _ => unknown += 1,
        }
    }
    let (holds, fails): (usize, usize) = (holds.iter().sum(), fails.iter().sum());
    // Otherwise the assertions would have nothing to say.
    assert!(holds > rounds(320) / 5, "only {holds} hold");
    assert!(fails > rounds(320) / 16, "only {fails} fail");
    assert!(ends > rounds(320) / 16, "only {ends} can always end");
    assert!(unknown < rounds(320), "{unknown} are unknown");
}

/// Messages that a queue may hold.
const BOUND: usize = 4;

fn judge(machines: &[Machine], faults: &FaultModel, recovers: bool) -> Verdict {
    let mut terms = Terms::new();
    let mut sources = SourceMap::new();
    let mut roles: Vec<(Role, Stg)> = Vec::new();
    for machine in machines {
        let text = machine.text();
        let file = sources.add("role.stg", text.as_str());
        let (stg, found) = read_stg(file, &text, &mut terms);
        assert!(found.is_empty(), "{found:?}\n{text}");
        roles.push((Role(terms.names.intern(NAMES[machine.role])), stg));
    }
    let cast = Cast {
        name: "roles".to_owned(),
        roles,
        allowed: None,
    };
    let asked = FaultQuestion {
        faults: faults.clone(),
        recovers,
        effort: Effort {
            bound: BOUND,
            states: 20_000,
        },
    };
    let mut solver = LazySolver::from_environment(Limits::default());
    let budget = Budget::unlimited();
    let found = cast.survives(&asked, &mut terms, &mut solver, &budget);
    found.expect("a solver").verdict
}

const NAMES: [&str; 3] = ["a", "b", "c"];

/// What a role does: source, guard on its variable, operation, partner, how it carries data, target.
struct Machine {
    role: usize,
    ends: Vec<bool>,
    edges: Vec<Doing>,
}

#[derive(Clone, Copy)]
struct Doing {
    source: usize,
    guard: Option<bool>,
    operation: usize,
    partner: usize,
    act: Act,
    carries: Carried,
    target: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Act {
    Sends,
    Receives,
    Notices,
}

#[derive(Clone, Copy, PartialEq)]
enum Carried {
    Nothing,
    New,
    Known,
}

impl Machine {
    fn text(&self) -> String {
        let own = NAMES[self.role];
        let mut text = format!("stg {own} explicit\nvariables x{own}: Bool\ninitial 0\n");
        for (node, _) in self.ends.iter().enumerate() {
            text.push_str(&format!("node {node} \"{node}\"\n"));
        }
        for it in &self.edges {
            let guard = match it.guard {
                None => String::new(),
                Some(true) => format!("[x{own}] "),
                Some(false) => format!("[not x{own}] "),
            };
            let partner = NAMES[it.partner];
            let (from, to, mark) = match it.act {
                Act::Sends => (own, partner, '!'),
                Act::Receives => (partner, own, '?'),
                Act::Notices => {
                    text.push_str(&format!(
                        "{} -> {}: {guard}crash of {partner} noticed by {own}\n",
                        it.source, it.target
                    ));
                    continue;
                }
            };
            let data = match it.carries {
                Carried::Nothing => String::new(),
                Carried::New => format!("<x{own}>"),
                Carried::Known => format!("(x{own})"),
            };
            text.push_str(&format!(
                "{} -> {}: {guard}m{}[{from},{to}]{mark}{data}\n",
                it.source, it.target, it.operation
            ));
        }
        for (node, _) in self.ends.iter().enumerate().filter(|it| *it.1) {
            text.push_str(&format!("{node}: end\n"));
        }
        text
    }
}

/// Roles that talk to each other: the first sends what the second takes in any order, as a rule, and reacts to.
fn random_roles(random: &mut Random) -> Vec<Machine> {
    let count = 2 + usize::from(random.percent(30));
    let operations = 2 + random.below(2);
    let mut roles: Vec<Machine> = Vec::new();
    let nodes = 2 + random.below(3);
    let mut edges = Vec::new();
    for source in 0..nodes - 1 {
        edges.push(doing(
            random,
            Act::Sends,
            (0, 1, operations),
            (source, source + 1),
        ));
        if random.percent(20) {
            let act = *random.pick(&[Act::Receives, Act::Notices]);
            edges.push(doing(random, act, (0, 1, operations), (source, nodes - 1)));
        }
    }
    // What comes back is taken.
    for operation in 0..operations {
        let mut taken = doing(
            random,
            Act::Receives,
            (0, 1, operations),
            (nodes - 1, nodes - 1),
        );
        taken.operation = operation;
        taken.carries = if operation == 0 {
            Carried::New
        } else {
            Carried::Nothing
        };
        taken.guard = None;
        edges.push(taken);
    }
    let ends = (0..nodes).map(|it| it == nodes - 1).collect();
    roles.push(Machine {
        role: 0,
        ends,
        edges,
    });
    let states = 1 + random.below(3);
    let mut edges = Vec::new();
    let mut nodes = states;
    for source in 0..states {
        for operation in 0..operations {
            if random.percent(15) {
                continue;
            }
            let target = random.below(states);
            let mut taken = doing(random, Act::Receives, (1, 0, operations), (source, target));
            taken.operation = operation;
            taken.carries = match operation {
                0 if random.percent(85) => Carried::New,
                0 => Carried::Known,
                _ => Carried::Nothing,
            };
            if random.percent(45) {
                let partner = random.pick(&[0, 0, 2]).min(&(count - 1)).to_owned();
                let partner = if partner == 1 { 0 } else { partner };
                taken.target = nodes;
                edges.push(doing(
                    random,
                    Act::Sends,
                    (1, partner, operations),
                    (nodes, target),
                ));
                nodes += 1;
            }
            edges.push(taken);
        }
        if random.percent(25) {
            let target = random.below(states);
            edges.push(doing(
                random,
                Act::Notices,
                (1, 0, operations),
                (source, target),
            ));
        }
    }
    let ends = (0..nodes)
        .map(|it| it < states && random.percent(80))
        .collect();
    roles.push(Machine {
        role: 1,
        ends,
        edges,
    });
    if count == 3 {
        let edges = (0..operations).map(|operation| Doing {
            source: 0,
            guard: None,
            operation,
            partner: 1,
            act: Act::Receives,
            carries: if operation == 0 {
                Carried::New
            } else {
                Carried::Nothing
            },
            target: 0,
        });
        roles.push(Machine {
            role: 2,
            ends: vec![true],
            edges: edges.collect(),
        });
    }
    roles
}

fn doing(
    random: &mut Random,
    act: Act,
    (_, partner, operations): (usize, usize, usize),
    (source, target): (usize, usize),
) -> Doing {
    // The first operation carries a value.
    let operation = random.below(operations);
    let carries = match (operation, act) {
        (0, Act::Sends) if random.percent(50) => Carried::New,
        (0, _) => Carried::Known,
        _ => Carried::Nothing,
    };
    Doing {
        source,
        guard: random.percent(15).then(|| random.percent(50)),
        operation,
        partner,
        act,
        carries,
        target,
    }
}

/// Places, values, queues by sender and receiver, who has crashed, what is left of the bounds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Situation {
    places: Vec<usize>,
    values: Vec<bool>,
    queues: BTreeMap<(usize, usize), Vec<Letter>>,
    crashed: Vec<bool>,
    left: Vec<u32>,
}

/// What is sent: sender, receiver, operation, value.
type Sending = (usize, usize, usize, Option<bool>);

/// An operation and its value.
type Letter = (usize, Option<bool>);

struct Found {
    safe: bool,
    ends: bool,
}

/// What the twin finds; `None` where a queue without duplicates is full or there is too much to see.
fn naive(machines: &[Machine], faults: &FaultModel, room: usize) -> Option<Found> {
    let mut found = Found {
        safe: true,
        ends: true,
    };
    for bits in 0..1_u32 << machines.len() {
        let start = Situation {
            places: vec![0; machines.len()],
            values: (0..machines.len()).map(|it| bits >> it & 1 == 1).collect(),
            queues: BTreeMap::new(),
            crashed: vec![false; machines.len()],
            left: faults
                .faults
                .iter()
                .map(|it| it.most.unwrap_or(0))
                .collect(),
        };
        let twin = Twin {
            machines,
            faults,
            room,
        };
        found.safe &= twin.is_safe(&start)?;
        found.ends &= twin.always_ends(&start)?;
    }
    Some(found)
}

struct Twin<'a> {
    machines: &'a [Machine],
    faults: &'a FaultModel,
    room: usize,
}

impl Twin<'_> {
    fn is_safe(&self, start: &Situation) -> Option<bool> {
        let none = FaultModel::default();
        let plain = Twin {
            faults: &none,
            room: BOUND,
            ..*self
        };
        let allowed = plain.silently(BTreeSet::from([start.clone()]))?;
        let mut seen = BTreeSet::from([(start.clone(), allowed.clone())]);
        let mut work = vec![(start.clone(), allowed)];
        while let Some((here, allowed)) = work.pop() {
            let mut next = Vec::new();
            for (sending, after) in self.steps(&here)? {
                let Some(sending) = sending else {
                    next.push((after, allowed.clone()));
                    continue;
                };
                let mut there = BTreeSet::new();
                for one in &allowed {
                    let steps = plain.steps(one)?.into_iter();
                    there.extend(steps.filter(|it| it.0 == Some(sending)).map(|it| it.1));
                }
                if there.is_empty() {
                    return Some(false);
                }
                next.push((after, plain.silently(there)?));
            }
            for (after, _) in self.disturbed(&here)? {
                next.push((after, allowed.clone()));
            }
            for it in next {
                if seen.insert(it.clone()) {
                    work.push(it);
                }
            }
            if seen.len() > 6_000 {
                return None;
            }
        }
        Some(true)
    }

    fn silently(&self, mut all: BTreeSet<Situation>) -> Option<BTreeSet<Situation>> {
        let mut work: Vec<Situation> = all.iter().cloned().collect();
        while let Some(here) = work.pop() {
            for (sending, after) in self.steps(&here)? {
                if sending.is_none() && all.insert(after.clone()) {
                    work.push(after);
                }
            }
        }
        Some(all)
    }

    /// Whether an end can be reached without further faults from wherever faults lead.
    fn always_ends(&self, start: &Situation) -> Option<bool> {
        let mut seen = BTreeSet::from([start.clone()]);
        let mut work = vec![start.clone()];
        while let Some(here) = work.pop() {
            let steps = self.steps(&here)?.into_iter().map(|it| it.1);
            let disturbed = self.disturbed(&here)?.into_iter().map(|it| it.0);
            for after in steps.chain(disturbed) {
                if seen.insert(after.clone()) {
                    work.push(after);
                }
            }
            if seen.len() > 6_000 {
                return None;
            }
        }
        let mut good: BTreeSet<Situation> = seen
            .iter()
            .filter(|it| self.has_ended(it))
            .cloned()
            .collect();
        loop {
            let mut grown = false;
            for here in &seen {
                if !good.contains(here) && self.steps(here)?.iter().any(|it| good.contains(&it.1)) {
                    good.insert(here.clone());
                    grown = true;
                }
            }
            if !grown {
                return Some(good.len() == seen.len());
            }
        }
    }

    fn has_ended(&self, here: &Situation) -> bool {
        here.queues.values().all(Vec::is_empty)
            && self
                .machines
                .iter()
                .enumerate()
                .all(|(index, machine)| here.crashed[index] || machine.ends[here.places[index]])
    }

    /// What roles do, with what is sent; `None` where a queue is full.
    #[allow(clippy::type_complexity)]
    fn steps(&self, here: &Situation) -> Option<Vec<(Option<Sending>, Situation)>> {
        let mut found = Vec::new();
        for (index, machine) in self.machines.iter().enumerate() {
            if here.crashed[index] {
                continue;
            }
            for it in &machine.edges {
                let value = here.values[index];
                if it.source != here.places[index] || it.guard.is_some_and(|it| it != value) {
                    continue;
                }
                let mut moved = here.clone();
                moved.places[index] = it.target;
                if it.act == Act::Notices {
                    if here.crashed[it.partner] && !here.queues.contains_key(&(it.partner, index)) {
                        found.push((None, moved));
                    }
                    continue;
                }
                if it.act == Act::Sends {
                    let options = match it.carries {
                        Carried::Nothing => vec![None],
                        Carried::Known => vec![Some(value)],
                        Carried::New => vec![Some(true), Some(false)],
                    };
                    for carried in options {
                        let mut after = moved.clone();
                        if it.carries == Carried::New {
                            after.values[index] = carried.unwrap_or_default();
                        }
                        if !here.crashed[it.partner] {
                            let queue = after.queues.entry((index, it.partner)).or_default();
                            if queue.len() >= self.room.min(BOUND) {
                                return None;
                            }
                            queue.push((it.operation, carried));
                        }
                        found.push((Some((index, it.partner, it.operation, carried)), after));
                    }
                    continue;
                }
                let queue = moved.queues.entry((it.partner, index)).or_default();
                let Some(&(operation, carried)) = queue.first() else {
                    continue;
                };
                let fits = match (it.carries, carried) {
                    (Carried::Nothing, None) => true,
                    (Carried::Known, Some(carried)) => carried == value,
                    (Carried::New, Some(_)) => true,
                    _ => false,
                };
                if operation == it.operation && fits {
                    queue.remove(0);
                    if queue.is_empty() {
                        moved.queues.remove(&(it.partner, index));
                    }
                    if it.carries == Carried::New {
                        moved.values[index] = carried.unwrap_or_default();
                    }
                    found.push((None, moved));
                }
            }
        }
        Some(found)
    }

    /// What faults do.
    fn disturbed(&self, here: &Situation) -> Option<Vec<(Situation, FaultKind)>> {
        let mut found = Vec::new();
        for (index, fault) in self.faults.faults.iter().enumerate() {
            let mut spent = here.clone();
            if fault.most.is_some() {
                if here.left[index] == 0 {
                    continue;
                }
                spent.left[index] -= 1;
            }
            if fault.kind == FaultKind::Crash {
                for (role, name) in NAMES.iter().enumerate().take(self.machines.len()) {
                    if here.crashed[role] || fault.of.as_ref().is_some_and(|it| it != name) {
                        continue;
                    }
                    let mut after = spent.clone();
                    after.crashed[role] = true;
                    after.places[role] = 0;
                    after.queues.retain(|ends, _| ends.1 != role);
                    found.push((after, fault.kind));
                }
            }
            for (&ends, queue) in &here.queues {
                for position in 0..queue.len() {
                    let name = format!("m{}", queue[position].0);
                    if fault.of.as_ref().is_some_and(|it| *it != name) {
                        continue;
                    }
                    let mut changed: Vec<Vec<Letter>> = Vec::new();
                    match fault.kind {
                        FaultKind::Lose => {
                            let mut queue = queue.clone();
                            queue.remove(position);
                            changed.push(queue);
                        }
                        FaultKind::Duplicate if queue.len() < self.room => {
                            let mut queue = queue.clone();
                            queue.insert(position, queue[position]);
                            changed.push(queue);
                        }
                        FaultKind::Duplicate if fault.most.is_some() => return None,
                        FaultKind::Reorder => {
                            for earlier in 0..position {
                                let mut queue = queue.clone();
                                let letter = queue.remove(position);
                                queue.insert(earlier, letter);
                                changed.push(queue);
                            }
                        }
                        _ => {}
                    }
                    for queue in changed {
                        let mut after = spent.clone();
                        if queue.is_empty() {
                            after.queues.remove(&ends);
                        } else {
                            after.queues.insert(ends, queue);
                        }
                        found.push((after, fault.kind));
                    }
                }
            }
        }
        Some(found)
    }
}
