//! Does a machine pass a test? (Definition 3.6 of Coto's thesis)
//!
//! `M̂ ▷ T` iff every maximal run of `M̂` together with the machines of `T` *contains* a configuration in which the
//! watched channels are empty and every machine of `T` is in one of its success states.
//! Runs may be infinite, and what happens after success is ignored.
//!
//! So `M̂` fails iff, among the configurations that are not successful, the initial one reaches one that nothing
//! follows, or a cycle.
//! Under [`Fairness::Fair`], a run that goes round forever does not count as long as success stays within reach: then
//! `M̂` fails iff it reaches a configuration from which success cannot be reached any more.
//!
//! Bounds are never taken for answers.
//! A configuration in which a full channel refuses a message is left out of the search and makes a *passes* an
//! *inconclusive*; a *fails* is a run that exists whatever the bound.

use choros_base::{Budget, Name, StopReason};
use choros_data::Terms;
use choros_model::cfsm::{Cfsm, Discipline, MachineId, Move, System, run_along};
use choros_model::evidence::{Configuration, Trace, Tree};
use choros_model::lts::{Lts, StateId};
use choros_model::{Bound, Evidence, Help, Judging, Observed, Unknown};
use rustc_hash::FxHashMap;

use crate::TestCase;

/// Which channels must be empty in a successful configuration: the `C'` of the definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchedChannels {
    /// All of them.
    All,
    /// Those from the first to the second participant.
    These(Vec<(Name, Name)>),
}

/// What is assumed about infinite runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fairness {
    /// Nothing: a machine may go round forever.
    None,
    /// What stays possible happens in the end.
    Fair,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compliance {
    /// Every maximal run succeeds; this many configurations were examined.
    Passes(usize),
    /// A run does not.
    Fails(Box<Failure>),
    /// The search met a bound before it knew.
    Inconclusive(Unknown),
}

// One test, run to its end.
impl choros_model::Judgeable for Compliance {}

/// A run that does not succeed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The run, with what is wrong at its end.
    pub run: Trace,
    /// Where it gets stuck, or where its cycle begins.
    pub configuration: Configuration,
    /// If the run goes round forever, how many of its steps come before the cycle.
    pub cycle_from: Option<usize>,
    /// Machines of the test that are not in a success state there, with the state.
    pub waiting: Vec<(String, String)>,
}

impl Compliance {
    /// The answer as a verdict on what was examined; `decisions` is what the test decides, in words.
    pub fn observed(self, decisions: &str) -> Observed {
        let tree = |claim: String| {
            Some(Evidence::Tree(Tree {
                claim,
                origin: None,
                evidence: None,
                because: Vec::new(),
            }))
        };
        let judging = Judging::of([&self]);
        match self {
            // What comes after success is ignored.
            Compliance::Passes(0) => Observed::unknown(
                "the test is content before anything is sent, so it judges nothing",
                None,
            ),
            Compliance::Passes(states) => Observed::holds(
                judging,
                tree(format!(
                    "every maximal run succeeds; {states} configurations come before success"
                )),
                "no run was explored",
            ),
            Compliance::Fails(failure) => Observed::Fails {
                evidence: Some(failure.evidence(decisions)),
            },
            Compliance::Inconclusive(unknown) => Observed::Unknown(Unknown {
                evidence: tree("no run was found that fails".to_owned()),
                ..unknown
            }),
        }
    }
}

impl Failure {
    /// The run, where it is stuck, and who is still waiting.
    fn evidence(&self, decisions: &str) -> Evidence {
        let waiting: Vec<String> = self
            .waiting
            .iter()
            .map(|(participant, state)| format!("`{participant}` in {state}"))
            .collect();
        let mut claim = if waiting.is_empty() {
            "a message is left over".to_owned()
        } else {
            format!("not content: {}", waiting.join(", "))
        };
        if !decisions.is_empty() {
            claim.push_str(&format!(" (the test decides: {decisions})"));
        }
        Evidence::Tree(Tree {
            claim,
            origin: None,
            evidence: Some(Box::new(Evidence::Trace(self.run.clone()))),
            because: vec![Tree {
                claim: match self.cycle_from {
                    Some(_) => "the cycle comes back to".to_owned(),
                    None => "the run ends in".to_owned(),
                },
                origin: None,
                evidence: Some(Box::new(Evidence::Configuration(
                    self.configuration.clone(),
                ))),
                because: Vec::new(),
            }],
        })
    }
}

/// Lets a machine run against a test; the budget is spent by the configuration.
pub fn comply(
    machine: &Cfsm,
    test: &TestCase,
    discipline: Discipline,
    watched: &WatchedChannels,
    fairness: Fairness,
    terms: &Terms,
    budget: &Budget,
) -> Compliance {
    let players = test.machines.iter().map(|it| &it.machine);
    let mut system = System::new(std::iter::once(machine).chain(players), discipline, terms);
    let start = system.initial();
    let mut search = Search::new(test, watched, &system);
    let stopped = search.run(&mut system, start, budget).err();
    let lost = match (search.dead.first(), fairness, &stopped) {
        (Some(&dead), _, _) => Some((search.path_to(dead), None)),
        (None, Fairness::None, _) => search.cycle().map(|(path, from)| (path, Some(from))),
        (None, Fairness::Fair, None) => search.out_of_reach().map(|at| (search.path_to(at), None)),
        // What has not been examined might still succeed.
        (None, Fairness::Fair, Some(_)) => None,
    };
    if let Some((path, from)) = lost {
        return search.failure(&path, from, &mut system);
    }
    if let Some(stopped) = stopped {
        return Compliance::Inconclusive(unsettled(stopped.to_string(), Bound::States(None)));
    }
    match search.refused {
        Some(state) => {
            let place = system.describe(state);
            let reason = format!("a channel was full in {place} and refused a message");
            Compliance::Inconclusive(unsettled(reason, Bound::Places(None)))
        }
        None => Compliance::Passes(search.nodes.len()),
    }
}

fn unsettled(reason: String, bound: Bound) -> Unknown {
    Unknown {
        reason,
        help: Help::Raise(bound),
        evidence: None,
    }
}

/// The configurations that are not successful, breadth-first.
struct Search<'t> {
    test: &'t TestCase,
    /// Channels that must be empty.
    channels: Vec<usize>,
    nodes: Vec<Node>,
    ids: FxHashMap<StateId, u32>,
    /// Nodes that nothing follows, nearest first.
    dead: Vec<u32>,
    /// A configuration that the bound changed.
    refused: Option<StateId>,
}

struct Node {
    state: StateId,
    parent: u32,
    /// Unsuccessful configurations that follow.
    next: Vec<u32>,
    /// Whether a successful configuration, or one beyond the bound, follows at once.
    may_succeed: bool,
}

impl<'t> Search<'t> {
    fn new(test: &'t TestCase, watched: &WatchedChannels, system: &System<'_>) -> Self {
        let channels = (0..system.channel_count())
            .filter(|&channel| match watched {
                WatchedChannels::All => true,
                WatchedChannels::These(pairs) => pairs.contains(&system.channel_ends(channel)),
            })
            .collect();
        Self {
            test,
            channels,
            nodes: Vec::new(),
            ids: FxHashMap::default(),
            dead: Vec::new(),
            refused: None,
        }
    }

    /// The machine under test is machine 0, those of the test follow.
    fn successful(&self, system: &System<'_>, state: StateId) -> bool {
        self.channels
            .iter()
            .all(|&channel| system.is_empty(state, channel))
            && self.test.machines.iter().enumerate().all(|(at, player)| {
                player.succeeds(system.local_state(state, MachineId(at as u32 + 1)))
            })
    }

    fn run(
        &mut self,
        system: &mut System<'_>,
        start: StateId,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        if self.successful(system, start) {
            return Ok(());
        }
        self.node(start, 0);
        let mut moves: Vec<Move> = Vec::new();
        let mut next = 0;
        while next < self.nodes.len() {
            budget.spend()?;
            let state = self.nodes[next].state;
            moves.clear();
            system.moves(state, &mut moves);
            if system.is_send_blocked(state) {
                self.refused = self.refused.or(Some(state));
                // With more room something else might follow, success too.
                self.nodes[next].may_succeed = true;
            } else if moves.is_empty() {
                self.dead.push(next as u32);
            }
            for step in &moves {
                if self.successful(system, step.target) {
                    self.nodes[next].may_succeed = true
                } else {
                    let target = self.node(step.target, next as u32);
                    self.nodes[next].next.push(target);
                }
            }
            next += 1;
        }
        Ok(())
    }

    fn node(&mut self, state: StateId, parent: u32) -> u32 {
        let id = self.nodes.len() as u32;
        let known = *self.ids.entry(state).or_insert(id);
        if known == id {
            self.nodes.push(Node {
                state,
                parent,
                next: Vec::new(),
                may_succeed: false,
            });
        }
        known
    }

    fn path_to(&self, node: u32) -> Vec<u32> {
        let mut path = vec![node];
        let mut at = node;
        while at != 0 {
            at = self.nodes[at as usize].parent;
            path.push(at);
        }
        path.reverse();
        path
    }

    /// A path from the start into a cycle, and the position at which the cycle begins; its last node is that one
    /// again.
    fn cycle(&self) -> Option<(Vec<u32>, usize)> {
        // Depth-first with a stack of our own: 0 unseen, 1 on the stack, 2 done.
        let mut colours = vec![0_u8; self.nodes.len()];
        if self.nodes.is_empty() {
            return None;
        }
        let mut stack: Vec<(u32, usize)> = vec![(0, 0)];
        colours[0] = 1;
        while let Some(top) = stack.last_mut() {
            let (node, at) = *top;
            top.1 += 1;
            let Some(&next) = self.nodes[node as usize].next.get(at) else {
                colours[node as usize] = 2;
                stack.pop();
                continue;
            };
            match colours[next as usize] {
                0 => {
                    colours[next as usize] = 1;
                    stack.push((next, 0));
                }
                1 => {
                    let mut path: Vec<u32> = stack.iter().map(|&(node, _)| node).collect();
                    let from = path.iter().position(|&node| node == next)?;
                    path.push(next);
                    return Some((path, from));
                }
                _ => {}
            }
        }
        None
    }

    /// The nearest node from which success cannot be reached.
    fn out_of_reach(&self) -> Option<u32> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            for &next in &node.next {
                before[next as usize].push(at as u32);
            }
        }
        let mut reaches: Vec<bool> = self.nodes.iter().map(|node| node.may_succeed).collect();
        let mut open: Vec<u32> = (0..self.nodes.len() as u32)
            .filter(|&node| reaches[node as usize])
            .collect();
        while let Some(node) = open.pop() {
            for &earlier in &before[node as usize] {
                if !std::mem::replace(&mut reaches[earlier as usize], true) {
                    open.push(earlier);
                }
            }
        }
        let lost = reaches.iter().position(|&reaches| !reaches)?;
        Some(lost as u32)
    }

    fn failure(
        &self,
        path: &[u32],
        cycle_from: Option<usize>,
        system: &mut System<'_>,
    ) -> Compliance {
        let states: Vec<StateId> = path
            .iter()
            .map(|&node| self.nodes[node as usize].state)
            .collect();
        let last = states[states.len() - 1];
        let mut run = run_along(&states, system);
        let names = system.names();
        let waiting: Vec<(String, String)> = self
            .test
            .machines
            .iter()
            .enumerate()
            .filter_map(|(at, player)| {
                let local = system.local_state(last, MachineId(at as u32 + 1));
                let participant = names.text(player.machine.participant()).to_owned();
                let state = player.machine.state_text(local, names);
                (!player.succeeds(local)).then_some((participant, state))
            })
            .collect();
        run.conclusion = match cycle_from {
            Some(from) => format!(
                "goes round forever from step {} on and never succeeds: {}",
                from + 1,
                system.describe(last)
            ),
            None => format!("stuck without success: {}", system.describe(last)),
        };
        Compliance::Fails(Box::new(Failure {
            run,
            configuration: system.configuration(last),
            cycle_from,
            waiting,
        }))
    }
}
