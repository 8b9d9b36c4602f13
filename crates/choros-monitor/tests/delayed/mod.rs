//! Roles whose messages take their time: what they may have seen of a run, by trying everything.

use std::collections::BTreeSet;

use choros_data::Terms;
use choros_model::stg::{Direction, Role, Stg};
use choros_testkit::{LocalRuns, Random, SeenMessage, Situations};

/// What a role saw: messages with their identities.
pub(crate) type History = Vec<(SeenMessage, Direction, usize)>;

/// How a history may differ from the order of the run.
#[derive(Debug, Clone)]
pub(crate) struct Delays {
    /// Those who are heard in the order in which they speak.
    pub(crate) in_order: Vec<Role>,
    /// The role sends nothing before it has received what comes first.
    pub(crate) waits: bool,
}

/// One role, with everything that it may have seen.
pub(crate) struct Delayed<'a> {
    pub(crate) role: Role,
    runs: LocalRuns<'a>,
    pub(crate) log: History,
    /// It may send what it must not.
    pub(crate) is_wrong: bool,
    /// Everything it sent so far was right, until it received what it could not expect.
    pub(crate) did_its_part: bool,
}

impl<'a> Delayed<'a> {
    pub(crate) fn all(stg: &'a Stg, terms: &Terms) -> Vec<Delayed<'a>> {
        let roles = stg.roles().into_iter();
        roles
            .map(|role| Delayed {
                role,
                runs: LocalRuns::new(stg, role, &[0, 1], terms),
                log: Vec::new(),
                is_wrong: false,
                did_its_part: true,
            })
            .collect()
    }

    /// Where a history leaves what some run shows, if it does.
    pub(crate) fn leaves(
        &self,
        log: &History,
        delays: &Delays,
        terms: &mut Terms,
    ) -> Option<usize> {
        let mut ends = (0..log.len()).rev();
        if self.is_seen(log, delays, terms) {
            return None;
        }
        ends.find(|&end| self.is_seen(&log[..end], delays, terms))
    }

    /// Where a history leaves what some run shows if nothing takes time, if it does.
    pub(crate) fn leaves_without_delays(&self, log: &History, terms: &mut Terms) -> Option<usize> {
        let mut places: BTreeSet<((u32, Vec<i64>), usize)> = BTreeSet::new();
        let mut pending: Vec<_> = self
            .runs
            .start(terms)
            .into_iter()
            .map(|it| (it, 0))
            .collect();
        let mut furthest = 0;
        while let Some((place, done)) = pending.pop() {
            if !places.insert((place.clone(), done)) {
                continue;
            }
            furthest = furthest.max(done);
            for (message, after) in self.runs.next(&Situations::from([place]), terms) {
                let its = [
                    (message.1, Direction::Send),
                    (message.2, Direction::Receive),
                ];
                let own = its.into_iter().find(|it| it.0 == self.role);
                let done = match own {
                    None => done,
                    Some((_, direction)) => match log.get(done) {
                        Some(seen) if seen.0 == message && seen.1 == direction => done + 1,
                        _ => continue,
                    },
                };
                pending.extend(after.into_iter().map(|it| (it, done)));
            }
        }
        (furthest < log.len()).then_some(furthest)
    }

    /// Whether some run, in which a message happens when it is received, shows the role just this.
    pub(crate) fn is_seen_by_receptions(
        &self,
        log: &[(SeenMessage, Direction, usize)],
        terms: &mut Terms,
    ) -> bool {
        let is_sent = |at: &usize| log[*at].1 == Direction::Send;
        let (sent, received): (Vec<usize>, Vec<usize>) = (0..log.len()).partition(is_sent);
        type At = ((u32, Vec<i64>), usize, BTreeSet<usize>);
        let start = self.runs.start(terms).into_iter();
        let mut pending: Vec<At> = start.map(|it| (it, 0, BTreeSet::new())).collect();
        let mut known: BTreeSet<At> = pending.iter().cloned().collect();
        while let Some((place, done, arrived)) = pending.pop() {
            if done == received.len() && arrived.len() == sent.len() {
                return true;
            }
            let next = received.get(done);
            for (message, after) in self.runs.next(&Situations::from([place]), terms) {
                let mut ways: Vec<(usize, BTreeSet<usize>)> = Vec::new();
                if message.1 == self.role {
                    // It was sent before what the role receives after it arrived.
                    let is_before = |at: usize| next.is_none_or(|&next| at < next);
                    for &at in sent.iter().filter(|at| !arrived.contains(at)) {
                        if log[at].0 == message && is_before(at) {
                            let mut arrived = arrived.clone();
                            arrived.insert(at);
                            ways.push((done, arrived));
                        }
                    }
                    ways.extend(next.is_none().then(|| (done, arrived.clone())));
                } else if message.2 == self.role {
                    match next {
                        Some(&at) if log[at].0 == message => ways.push((done + 1, arrived.clone())),
                        Some(_) => {}
                        None => ways.push((done, arrived.clone())),
                    }
                } else {
                    ways.push((done, arrived.clone()));
                }
                for place in &after {
                    for (done, arrived) in &ways {
                        let next = (place.clone(), *done, arrived.clone());
                        if known.insert(next.clone()) {
                            pending.push(next);
                        }
                    }
                }
            }
        }
        false
    }

    /// Whether some run shows the role just this.
    pub(crate) fn is_seen(
        &self,
        log: &[(SeenMessage, Direction, usize)],
        delays: &Delays,
        terms: &mut Terms,
    ) -> bool {
        let is_sent = |at: &usize| log[*at].1 == Direction::Send;
        let sent: Vec<usize> = (0..log.len()).filter(is_sent).collect();
        let received: Vec<usize> = (0..log.len()).filter(|at| !is_sent(at)).collect();
        type At = ((u32, Vec<i64>), usize, BTreeSet<usize>);
        let start = self.runs.start(terms).into_iter();
        let mut pending: Vec<At> = start.map(|it| (it, 0, BTreeSet::new())).collect();
        let mut known: BTreeSet<At> = pending.iter().cloned().collect();
        while let Some((place, done, taken)) = pending.pop() {
            if done == sent.len() && taken.len() == received.len() {
                return true;
            }
            let is_left = |at: &&usize| !taken.contains(at);
            let next = self.runs.next(&Situations::from([place]), terms);
            for (message, after) in next {
                let mut ways: Vec<(usize, BTreeSet<usize>)> = Vec::new();
                if message.1 == self.role {
                    let is_next = sent.get(done).is_some_and(|&at| {
                        let mut before = received.iter().filter(|it| **it < at);
                        log[at].0 == message && before.all(|it| taken.contains(it))
                    });
                    ways.extend(is_next.then(|| (done + 1, taken.clone())));
                } else {
                    let is_heard = delays.in_order.contains(&message.1);
                    let of_sender = |it: &&usize| log[**it].0.1 == message.1;
                    let left: Vec<usize> = received
                        .iter()
                        .filter(is_left)
                        .filter(of_sender)
                        .copied()
                        .collect();
                    for (number, at) in left.iter().enumerate() {
                        let comes_first = number == 0 || !is_heard;
                        let sent_before = sent.iter().filter(|it| *it < at).count();
                        let waited = !delays.waits || sent_before <= done;
                        if log[*at].0 == message && comes_first && waited {
                            let mut taken = taken.clone();
                            taken.insert(*at);
                            ways.push((done, taken));
                        }
                    }
                    // It is in transit when the log ends.
                    let may_be_late = !delays.waits || done == sent.len();
                    if may_be_late && (left.is_empty() || !is_heard) {
                        ways.push((done, taken.clone()));
                    }
                }
                for place in &after {
                    for (done, taken) in &ways {
                        let next = (place.clone(), *done, taken.clone());
                        if known.insert(next.clone()) {
                            pending.push(next);
                        }
                    }
                }
            }
        }
        false
    }
}

/// A random choreography in which the receiver of the last message sends the next one and knows what it says: its
/// roles compose only to its runs, however long messages take.
pub(crate) fn random_relay(random: &mut Random) -> String {
    const ROLES: [&str; 3] = ["a", "b", "c"];
    const NAMES: [&str; 3] = ["x", "y", "z"];
    let nodes = 3 + random.below(4);
    let mut holders = vec![random.below(3)];
    for node in 0..nodes {
        holders.push((holders[node] + 1 + random.below(2)) % 3);
    }
    // For each node and variable, who knows its value.
    let mut known: Vec<Option<[BTreeSet<usize>; 3]>> = vec![None; nodes + 1];
    known[0] = Some(Default::default());
    let mut text = "stg relay explicit\nvariables x: Int, y: Int, z: Int\ninitial 0\n".to_owned();
    let mut edges = 0;
    for source in 0..nodes {
        let Some(here) = known[source].clone() else {
            continue;
        };
        for way in 0..1 + random.below(2) {
            let target = match way {
                0 => source + 1,
                _ => random.below(nodes + 1),
            };
            let (from, to) = (holders[source], holders[target]);
            if from == to {
                continue;
            }
            let mut after = here.clone();
            let it = random.below(3);
            let knows = |it: usize| here[it].contains(&from);
            let data = match random.below(4) {
                0 => String::new(),
                1 if knows(it) => {
                    after[it].insert(to);
                    format!(".{}", NAMES[it])
                }
                2 if knows(it) => {
                    after[it].insert(to);
                    format!(".(1 - {})", NAMES[it])
                }
                _ => {
                    after[it] = BTreeSet::from([from, to]);
                    format!(".<{}>", NAMES[it])
                }
            };
            let other = random.below(3);
            let guard = match random.below(4) {
                0 if knows(other) => format!("[{} > 0] ", NAMES[other]),
                1 if knows(other) => format!("[{} <= 0] ", NAMES[other]),
                _ => String::new(),
            };
            let there = match &known[target] {
                None => after,
                Some(there) if target > source => [0, 1, 2].map(|it| &there[it] & &after[it]),
                // Who comes back knows at least what it knew there.
                Some(there) if (0..3).all(|it| there[it].is_subset(&after[it])) => there.clone(),
                Some(_) => continue,
            };
            known[target] = Some(there);
            let kind = if data.is_empty() { "s" } else { "m" };
            text.push_str(&format!(
                "{source} -> {target}: {guard}{kind}{edges}[{},{}]{data}\n",
                ROLES[from], ROLES[to]
            ));
            edges += 1;
        }
    }
    text.push_str(&format!("{nodes}: end\n"));
    text
}
