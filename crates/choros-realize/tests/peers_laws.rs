//! The mode `peers` against a naive twin: the canonical roles run over queues, and every situation is compared with
//! all runs of the choreography.
//!
//! The twin knows no condition of any paper.
//! The local state of a role is the set of states in which the choreography may be for all the role knows; a situation
//! is wrong if no run of the choreography has what the roles have done so far, if all roles have ended and no run ends
//! there, or if nothing can continue.
//! It looks at short runs only, so it can refute *holds*; *fails* is replayed step by step.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use choros_base::{Budget, SourceMap};
use choros_data::{Term, Terms};
use choros_model::evidence::{StepEvent, Trace};
use choros_model::stg::{
    Direction, Edge, Ending, Event, Message, NodeId, Operation, Role, Stg, StgBuilder, read_stg,
};
use choros_model::{Evidence, Verdict};
use choros_realize::{Criterion, Effort, Mode, Question, SemanticAnswer, realizability};
use choros_smt::LazySolver;
use choros_testkit::{Random, seed_from_env};

#[test]
fn the_roles_do_what_is_said_of_them() {
    compare(300);
}

#[test]
#[ignore = "the large budget of `make soak`"]
fn the_roles_do_what_is_said_of_them_for_long() {
    compare(20_000);
}

/// After `m` the choreography is in one of two states, and the run to the role that waits passes only one of them.
#[test]
fn a_message_that_leads_to_two_states_is_followed_to_both() {
    let text = "
stg two explicit
initial 0
0 -> 1: m[c,d]
0 -> 2: m[c,d]
1 -> 3: m[d,c]
2 -> 2: n[d,a]
3: end
";
    let mut terms = Terms::new();
    let file = SourceMap::new().add("two.stg", text);
    let (stg, _) = read_stg(file, text, &mut terms);
    let twin = Twin::of(&stg, &terms);
    // `c` waits for an answer that does not come if `d` turns to `a`.
    let Verdict::Fails(Evidence::Tree(tree)) = judge(&stg, &mut terms).verdict else {
        panic!("`c` waits");
    };
    let Some(Evidence::Trace(run)) = tree.because.last().and_then(|it| it.evidence.as_deref())
    else {
        panic!("no run");
    };
    assert_eq!(tree.claim, "`c` may wait forever while the others continue");
    twin.waits_for_ever(run, "two.stg");
}

fn compare(rounds: u64) {
    let seed = seed_from_env();
    let (mut holds, mut fails, mut unknown, mut endless) = (0, 0, 0, 0);
    for round in 0..rounds {
        let mut terms = Terms::new();
        let mut random = Random::new(seed.wrapping_add(round));
        let stg = random_protocol(&mut random, &mut terms);
        let told = format!("seed {seed}, round {round}");
        let twin = Twin::of(&stg, &terms);
        let judged = judge(&stg, &mut terms);
        match &judged.verdict {
            Verdict::Holds(_) => {
                holds += 1;
                endless += u64::from(twin.ends.is_empty());
                assert_eq!(twin.violation(), None, "{told}");
            }
            Verdict::Fails(Evidence::Tree(tree)) => {
                fails += 1;
                let last = tree.because.last().and_then(|it| it.evidence.as_deref());
                let Some(Evidence::Trace(trace)) = last else {
                    panic!("{told}: no run");
                };
                match tree.because.len() {
                    3 => twin.replay(trace, &told),
                    _ => twin.waits_for_ever(trace, &told),
                }
            }
            Verdict::Unknown(reason) => {
                unknown += 1;
                let inner = twin
                    .ends
                    .iter()
                    .any(|&node| twin.steps.iter().any(|step| step.source == node));
                assert!(inner || twin.is_ambiguous(), "{told}: {}", reason.reason);
            }
            other => panic!("{told}: {}", other.word()),
        }
    }
    // Otherwise the assertions would have nothing to say.
    assert!(holds > rounds / 10, "only {holds} hold");
    assert!(fails > rounds / 10, "only {fails} fail");
    assert!(endless > 0, "none continues without end");
    assert!(unknown < rounds / 10, "{unknown} are unknown");
}

fn judge(stg: &Stg, terms: &mut Terms) -> SemanticAnswer {
    let question = Question {
        mode: Mode::Peers,
        criterion: Criterion::Semantic,
        repair: false,
        closing: choros_realize::Closing::Together,
        effort: Effort {
            bound: 1,
            states: 1_000,
        },
    };
    let budget = Budget::unlimited();
    let judged = realizability(
        stg,
        &question,
        terms,
        &mut LazySolver::without_any(),
        &budget,
    );
    judged.expect("no data").semantic
}

/// One role decides in each state; what nothing leaves has ended, other states sometimes.
fn random_protocol(random: &mut Random, terms: &mut Terms) -> Stg {
    let count = 3 + usize::from(random.percent(30));
    let roles: Vec<Role> = ["a", "b", "c", "d"]
        .iter()
        .take(count)
        .map(|name| Role(terms.names.intern(name)))
        .collect();
    let operations: Vec<Operation> = ["m", "n"]
        .iter()
        .map(|name| Operation(terms.names.intern(name)))
        .collect();
    let nodes = 2 + random.below(5);
    let senders: Vec<Role> = (0..nodes).map(|_| *random.pick(&roles)).collect();
    let mut edges: Vec<(usize, usize, Operation, Role)> = Vec::new();
    let mut ends: Vec<(usize, usize)> = (1..nodes).map(|to| (random.below(to), to)).collect();
    for _ in 0..random.below(4) {
        ends.push((random.below(nodes), random.below(nodes)));
    }
    for (source, target) in ends {
        let others: Vec<Role> = roles
            .iter()
            .copied()
            .filter(|&it| it != senders[source])
            .collect();
        let (operation, to) = (*random.pick(&operations), *random.pick(&others));
        let known = edges
            .iter()
            .any(|&(from, _, o, t)| from == source && o == operation && t == to);
        // A second edge with the same message would be the same word.
        if !known || random.percent(5) {
            edges.push((source, target, operation, to));
        }
    }
    let mut builder = StgBuilder::new("random", Ending::Explicit);
    for number in 0..nodes {
        let node = builder.node(number.to_string());
        let leaf = edges.iter().all(|&(source, ..)| source != number);
        if leaf || random.percent(6) {
            builder.terminate(terms, node, Term::TRUE, None);
        }
    }
    for (source, target, operation, to) in edges {
        let message = Message {
            operation,
            from: senders[source],
            to,
            direction: Direction::Interaction,
            fault: None,
            fields: Vec::new(),
        };
        let edge = Edge {
            source: NodeId(source as u32),
            target: NodeId(target as u32),
            guard: Term::TRUE,
            event: Event::Message(message),
            updates: Vec::new(),
            origin: None,
        };
        builder.edge(terms, edge);
    }
    builder.finish_as_built(NodeId(0))
}

/// A half of a message: sender, receiver, operation, whether it is sent.
type Half = (String, String, String, bool);

/// What each role has done, role by role.
type Histories = BTreeMap<String, Vec<Half>>;

struct GlobalStep {
    source: u32,
    target: u32,
    from: String,
    to: String,
    operation: String,
}

struct Twin {
    steps: Vec<GlobalStep>,
    ends: BTreeSet<u32>,
    roles: BTreeSet<String>,
}

impl Twin {
    fn of(stg: &Stg, terms: &Terms) -> Twin {
        let text = |name| terms.names.text(name).to_owned();
        // Only what can be reached.
        let mut reached = BTreeSet::from([0]);
        let mut work = vec![NodeId(0)];
        while let Some(node) = work.pop() {
            for (_, edge) in stg.outgoing(node) {
                if reached.insert(edge.target.0) {
                    work.push(edge.target);
                }
            }
        }
        let steps: Vec<GlobalStep> = stg
            .edges()
            .iter()
            .filter(|edge| reached.contains(&edge.source.0))
            .filter_map(|edge| {
                let message = edge.event.message()?;
                Some(GlobalStep {
                    source: edge.source.0,
                    target: edge.target.0,
                    from: text(message.from.0),
                    to: text(message.to.0),
                    operation: text(message.operation.0),
                })
            })
            .collect();
        Twin {
            ends: stg
                .node_ids()
                .filter(|&node| !stg.node(node).terminations.is_empty())
                .map(|node| node.0)
                .filter(|node| reached.contains(node))
                .collect(),
            roles: steps
                .iter()
                .flat_map(|step| [step.from.clone(), step.to.clone()])
                .collect(),
            steps,
        }
    }

    fn half(step: &GlobalStep, role: &str) -> Option<Half> {
        let sends = step.from == role;
        (sends || step.to == role).then(|| {
            (
                step.from.clone(),
                step.to.clone(),
                step.operation.clone(),
                sends,
            )
        })
    }

    /// Whether one message leads from a state to several: then the words may be those of no sender-driven graph.
    fn is_ambiguous(&self) -> bool {
        self.steps.iter().enumerate().any(|(index, one)| {
            self.steps[..index].iter().any(|other| {
                one.source == other.source
                    && one.target != other.target
                    && one.to == other.to
                    && one.operation == other.operation
            })
        })
    }

    /// Where the choreography may be for all a role knows after what it has done.
    fn believes(&self, role: &str, history: &[Half]) -> BTreeSet<u32> {
        let close = |mut set: BTreeSet<u32>| {
            loop {
                let more: Vec<u32> = self
                    .steps
                    .iter()
                    .filter(|it| set.contains(&it.source) && Self::half(it, role).is_none())
                    .map(|it| it.target)
                    .filter(|it| !set.contains(it))
                    .collect();
                if more.is_empty() {
                    return set;
                }
                set.extend(more);
            }
        };
        let mut set = close(BTreeSet::from([0]));
        for half in history {
            let next = self
                .steps
                .iter()
                .filter(|it| {
                    set.contains(&it.source) && Self::half(it, role).as_ref() == Some(half)
                })
                .map(|it| it.target)
                .collect();
            set = close(next);
        }
        set
    }

    /// Messages under way from one role to another.
    fn queue(histories: &Histories, from: &str, to: &str) -> Vec<String> {
        let sent = histories[from]
            .iter()
            .filter(|half| half.3 && half.1 == to)
            .map(|half| half.2.clone());
        let received = histories[to]
            .iter()
            .filter(|half| !half.3 && half.0 == from)
            .count();
        sent.skip(received).collect()
    }

    /// What the canonical roles can do next.
    fn next(&self, histories: &Histories) -> BTreeSet<Half> {
        let mut found = BTreeSet::new();
        for role in &self.roles {
            let set = self.believes(role, &histories[role]);
            for step in self.steps.iter().filter(|it| set.contains(&it.source)) {
                let Some(half) = Self::half(step, role) else {
                    continue;
                };
                let head = Self::queue(histories, &step.from, &step.to);
                if half.3 || head.first() == Some(&step.operation) {
                    found.insert(half);
                }
            }
        }
        found
    }

    fn after(histories: &Histories, half: &Half) -> Histories {
        let mut after = histories.clone();
        let role = if half.3 { &half.0 } else { &half.1 };
        after
            .get_mut(role)
            .expect("a role of the protocol")
            .push(half.clone());
        after
    }

    /// Whether some run has what the roles have done; with `exactly`, a run that ends with just that.
    fn is_part_of_a_run(&self, histories: &Histories, exactly: bool) -> bool {
        let start: (u32, BTreeMap<&str, usize>) =
            (0, self.roles.iter().map(|it| (it.as_str(), 0)).collect());
        let mut seen = BTreeSet::from([start.clone()]);
        let mut work = vec![start];
        while let Some((node, done)) = work.pop() {
            let complete = done
                .iter()
                .all(|(role, &count)| count == histories[*role].len());
            if complete && (!exactly || self.ends.contains(&node)) {
                return true;
            }
            for step in self.steps.iter().filter(|it| it.source == node) {
                let mut done = done.clone();
                let fits = self.roles.iter().all(|role| {
                    let Some(half) = Self::half(step, role) else {
                        return true;
                    };
                    let count = done.get_mut(role.as_str()).expect("a role");
                    match histories[role].get(*count) {
                        Some(own) if *own == half => {
                            *count += 1;
                            true
                        }
                        // The role has not come so far.
                        None => !exactly,
                        Some(_) => false,
                    }
                });
                let state = (step.target, done);
                if fits && seen.insert(state.clone()) {
                    work.push(state);
                }
            }
        }
        false
    }

    fn all_may_end(&self, histories: &Histories) -> bool {
        let ended = |role: &String| {
            let set = self.believes(role, &histories[role]);
            set.iter().any(|node| self.ends.contains(node))
        };
        let empty = self.roles.iter().all(|from| {
            self.roles
                .iter()
                .all(|to| from == to || Self::queue(histories, from, to).is_empty())
        });
        empty && self.roles.iter().all(ended)
    }

    fn start(&self) -> Histories {
        self.roles
            .iter()
            .map(|it| (it.clone(), Vec::new()))
            .collect()
    }

    /// The first situation that is wrong among those reached by short runs.
    fn violation(&self) -> Option<(Histories, &'static str)> {
        let start = self.start();
        let mut seen = BTreeSet::from([start.clone()]);
        let mut work = VecDeque::from([start]);
        let mut looked_at = 0;
        while let Some(histories) = work.pop_front() {
            looked_at += 1;
            if looked_at > 400 {
                return None;
            }
            if !self.is_part_of_a_run(&histories, false) {
                return Some((histories, "in no run"));
            }
            let may_end = self.all_may_end(&histories);
            if may_end && !self.is_part_of_a_run(&histories, true) {
                return Some((histories, "ends in no run"));
            }
            let next = self.next(&histories);
            if next.is_empty() && !may_end {
                return Some((histories, "stuck"));
            }
            for half in next {
                let after = Self::after(&histories, &half);
                if seen.insert(after.clone()) {
                    work.push_back(after);
                }
            }
        }
        None
    }

    /// The canonical roles can do it, and the choreography cannot.
    fn replay(&self, trace: &Trace, told: &str) {
        let mut histories = self.start();
        for step in &trace.steps {
            assert!(self.is_part_of_a_run(&histories, false), "{told}: too long");
            let StepEvent::Message {
                operation,
                from,
                to,
                direction,
                ..
            } = &step.event
            else {
                panic!("{told}: not a message");
            };
            let sends = *direction == Direction::Send;
            let half = (from.clone(), to.clone(), operation.clone(), sends);
            assert!(self.next(&histories).contains(&half), "{told}: {half:?}");
            histories = Self::after(&histories, &half);
        }
        assert!(
            !self.is_part_of_a_run(&histories, false),
            "{told}: the choreography can do it as well"
        );
    }

    /// After the run a role listens, has not ended, and never takes part again.
    fn waits_for_ever(&self, trace: &Trace, told: &str) {
        let mut histories = self.start();
        // One message may lead to several states.
        let mut nodes = BTreeSet::from([0]);
        for step in &trace.steps {
            let StepEvent::Message {
                operation,
                from,
                to,
                ..
            } = &step.event
            else {
                panic!("{told}: not a message");
            };
            let is_it =
                |it: &&GlobalStep| it.from == *from && it.to == *to && it.operation == *operation;
            let there = self.steps.iter().filter(|it| nodes.contains(&it.source));
            nodes = there.filter(is_it).map(|it| it.target).collect();
            assert!(!nodes.is_empty(), "{told}: no such step");
            for sends in [true, false] {
                let half = (from.clone(), to.clone(), operation.clone(), sends);
                histories = Self::after(&histories, &half);
            }
        }
        let mut work: Vec<u32> = nodes.iter().copied().collect();
        let mut reached = nodes;
        while let Some(node) = work.pop() {
            for step in self.steps.iter().filter(|it| it.source == node) {
                if reached.insert(step.target) {
                    work.push(step.target);
                }
            }
        }
        let waits = self.roles.iter().any(|role| {
            let set = self.believes(role, &histories[role]);
            let acts = |nodes: &BTreeSet<u32>| {
                let mut steps = self.steps.iter();
                steps.any(|it| nodes.contains(&it.source) && Self::half(it, role).is_some())
            };
            let ended = set.iter().any(|node| self.ends.contains(node));
            acts(&set) && !acts(&reached) && !ended
        });
        assert!(waits, "{told}: no one waits");
    }
}
