//! Clusters: parallel components that share private names or variables, and what they do.
//!
//! A state is a multiset of clusters, because nothing connects one cluster to another: `[n](s₁ | s₂) ≡ [n]s₁ | s₂`
//! when `n` is not free in `s₂`.
//! Clusters are interned under their canonical encodings, so that congruent ones are one, and everything about a
//! cluster is worked out once: what it can do alone, what it offers to others, which propositions hold, and what
//! becomes of two of them that communicate.
//! States are many, clusters are few.

use choros_model::lts::ActionId;
use rustc_hash::FxHashMap;

use super::active::{Active, Leaf};
use super::canonical::{Encoder, groups};
use super::fold::{copies, fold};
use super::labels::Labels;
use super::process::{Atom, Id, Kind, Message, Process, STATIC, open, replace, visit_ids};

/// The number of a cluster.
pub(crate) type ClusterId = u32;

/// All clusters that were met.
#[derive(Debug)]
pub(crate) struct Clusters {
    encoder: Encoder,
    ids: FxHashMap<Box<[u32]>, ClusterId>,
    clusters: Vec<Cluster>,
    behaviours: Vec<Option<Box<Behaviour>>>,
    /// What becomes of two clusters that communicate: receiver and position, invoker and position.
    meetings: FxHashMap<(ClusterId, u32, ClusterId, u32), Box<[ClusterId]>>,
    /// Receives with fewer substitutions go first.
    has_best_match: bool,
    bytes: usize,
}

/// A cluster; what is private in it is numbered from 0.
#[derive(Debug)]
pub(crate) struct Cluster {
    pub(crate) body: Vec<Process>,
    private: u32,
    /// Multisets of clusters that fold into a replication of this one.
    pub(crate) folds: Vec<Vec<ClusterId>>,
    /// Copies of a replication are partly in this cluster and partly outside.
    pub(crate) folds_across: bool,
    /// Some other cluster folds it.
    pub(crate) is_folded: bool,
}

/// What a cluster does.
#[derive(Debug, Default)]
pub(crate) struct Behaviour {
    /// Receives at global endpoints, those that a kill holds up too: they count for the best match.
    pub(crate) receives: Vec<ReceiveOffer>,
    /// Invokes of global endpoints that can happen at once.
    pub(crate) invokes: Vec<InvokeOffer>,
    /// Steps of the cluster alone.
    pub(crate) steps: Vec<OwnStep>,
    /// Activities that can happen at once: 𝓛.
    pub(crate) ready: Vec<ActionId>,
}

#[derive(Debug)]
pub(crate) struct ReceiveOffer {
    pub(crate) endpoint: (u32, u32),
    pub(crate) pattern: Vec<Atom>,
    pub(crate) is_blocked: bool,
    pub(crate) label: ActionId,
    pub(crate) origin: u32,
    leaf: Leaf,
}

#[derive(Debug)]
pub(crate) struct InvokeOffer {
    pub(crate) endpoint: (u32, u32),
    pub(crate) tuple: Vec<Atom>,
    /// The label of the communication.
    pub(crate) communication: ActionId,
    pub(crate) label: ActionId,
    pub(crate) origin: u32,
    leaf: Leaf,
}

#[derive(Debug)]
pub(crate) struct OwnStep {
    pub(crate) label: ActionId,
    /// Labels of invoke and receive; absent in a kill.
    pub(crate) halves: Option<(ActionId, ActionId)>,
    /// Endpoint, tuple and number of substitutions of a communication that others may take part in.
    pub(crate) contested: Option<((u32, u32), Vec<Atom>, u32)>,
    pub(crate) result: Box<[ClusterId]>,
    /// Of the invoke or kill, and of the receive.
    pub(crate) origins: (u32, u32),
}

impl Clusters {
    pub(crate) fn new(has_best_match: bool) -> Self {
        Clusters {
            encoder: Encoder::default(),
            ids: FxHashMap::default(),
            clusters: Vec::new(),
            behaviours: Vec::new(),
            meetings: FxHashMap::default(),
            has_best_match,
            bytes: 0,
        }
    }

    pub(crate) fn cluster(&self, id: ClusterId) -> &Cluster {
        &self.clusters[id as usize]
    }

    /// About how much memory they take.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether some encoding may not be the only one of its term.
    pub(crate) fn gave_up(&self) -> bool {
        self.encoder.gave_up()
    }

    /// What a cluster does, if it has been worked out by [`Clusters::work_out`].
    pub(crate) fn behaviour(&self, id: ClusterId) -> Option<&Behaviour> {
        self.behaviours[id as usize].as_deref()
    }

    /// The clusters of some components, in the order of the components.
    pub(crate) fn settle(&mut self, mut body: Vec<Process>) -> Vec<ClusterId> {
        fold(&mut body, &is_floating, &mut self.encoder);
        let references: Vec<&Process> = body.iter().collect();
        let floating = floating(&body);
        groups(&references, &floating)
            .into_iter()
            .map(|group| {
                let key = self.encoder.encode(&group.members, &group.locals);
                self.intern(key, &group.members, &group.locals)
            })
            .collect()
    }

    fn intern(&mut self, key: Vec<u32>, members: &[&Process], private: &[Id]) -> ClusterId {
        if let Some(&id) = self.ids.get(key.as_slice()) {
            return id;
        }
        let id = self.clusters.len() as ClusterId;
        // A key, the body and what it does are each about as large as the other.
        self.bytes += 200 + 16 * key.len();
        self.ids.insert(key.into_boxed_slice(), id);
        let mut body: Vec<Process> = members.iter().map(|&member| member.clone()).collect();
        replace(&mut body, &|id| {
            let number = private.iter().position(|&other| other == id)?;
            let number = number as u32;
            Some(Atom::Bound(Id { number, ..id }))
        });
        let private = private.len() as u32;
        self.clusters.push(Cluster {
            body,
            private,
            folds: Vec::new(),
            folds_across: false,
            is_folded: false,
        });
        self.behaviours.push(None);
        self.find_folds(id);
        id
    }

    /// Which clusters fold into the replications of a cluster.
    fn find_folds(&mut self, id: ClusterId) {
        let cluster = &self.clusters[id as usize];
        let shared = cluster.private;
        let mut next = shared;
        let bodies: Vec<Vec<Process>> = cluster
            .body
            .iter()
            .filter_map(|process| match process {
                Process::Replication(block) => Some(copies(block, &mut next)),
                _ => None,
            })
            .flatten()
            .collect();
        for body in bodies {
            let references: Vec<&Process> = body.iter().collect();
            let own: Vec<Id> = floating(&body)
                .into_iter()
                .filter(|id| id.number >= shared)
                .collect();
            let (mut outside, mut inside) = (Vec::new(), 0);
            for group in groups(&references, &own) {
                let members: Vec<Process> = group.members.into_iter().cloned().collect();
                if floating(&members).iter().any(|id| id.number < shared) {
                    inside += 1
                } else {
                    outside.extend(members)
                }
            }
            if outside.is_empty() {
                continue;
            }
            if inside > 0 {
                self.clusters[id as usize].folds_across = true;
                continue;
            }
            let mut folding = self.settle(outside);
            folding.sort_unstable();
            for &other in &folding {
                self.clusters[other as usize].is_folded = true;
            }
            let folds = &mut self.clusters[id as usize].folds;
            if !folds.contains(&folding) {
                folds.push(folding);
            }
        }
    }

    /// Works out what a cluster does, unless that is known.
    pub(crate) fn work_out(&mut self, id: ClusterId, labels: &mut Labels) {
        if self.behaviours[id as usize].is_some() {
            return;
        }
        let cluster = &self.clusters[id as usize];
        let active = Active::new(&cluster.body, cluster.private);
        let mut behaviour = Behaviour::default();
        for (leaf, receive) in active.receives() {
            let message = &receive.message;
            let is_blocked = active.is_blocked(leaf);
            let label = labels.receive(message);
            if !is_blocked {
                behaviour.ready.push(label);
            }
            if let Some(endpoint) = global_endpoint(message) {
                behaviour.receives.push(ReceiveOffer {
                    endpoint,
                    pattern: message.tuple.clone(),
                    is_blocked,
                    label,
                    origin: message.origin,
                    leaf,
                });
            }
        }
        for (leaf, message, is_second) in active.invokes() {
            if is_second || active.is_blocked(leaf) {
                continue;
            }
            let Some(label) = labels.invoke(message) else {
                continue;
            };
            behaviour.ready.push(label);
            if let (Some(endpoint), Some(communication)) =
                (global_endpoint(message), labels.communication(message))
            {
                behaviour.invokes.push(InvokeOffer {
                    endpoint,
                    tuple: message.tuple.clone(),
                    communication,
                    label,
                    origin: message.origin,
                    leaf,
                });
            }
        }
        behaviour.ready.sort_unstable();
        behaviour.ready.dedup();
        for (leaf, origin) in active.kills() {
            if let Some(body) = active.after_kill(leaf) {
                behaviour.steps.push(OwnStep {
                    label: labels.forced_termination(),
                    halves: None,
                    contested: None,
                    result: self.settle(body).into(),
                    origins: (origin, 0),
                });
            }
        }
        self.communications(&active, labels, &mut behaviour);
        self.bytes += 100 * (behaviour.receives.len() + behaviour.steps.len());
        self.behaviours[id as usize] = Some(Box::new(behaviour));
    }

    /// Communications inside a cluster.
    fn communications(&mut self, active: &Active, labels: &mut Labels, into: &mut Behaviour) {
        let receives = active.receives();
        for (sender, message, _) in active.invokes() {
            if active.is_blocked(sender) {
                continue;
            }
            let Some(communication) = labels.communication(message) else {
                continue;
            };
            let fits: Vec<(Leaf, usize, u32)> = receives
                .iter()
                .enumerate()
                .filter(|(_, (_, receive))| {
                    (receive.message.partner, receive.message.operation)
                        == (message.partner, message.operation)
                })
                .filter_map(|(position, (leaf, receive))| {
                    let pattern = &receive.message.tuple;
                    let substitutions = substitutions(pattern, &message.tuple, true)?;
                    Some((*leaf, position, substitutions))
                })
                .collect();
            let global = global_endpoint(message);
            let least = fits.iter().map(|&(_, _, count)| count).min().unwrap_or(0);
            for (leaf, position, count) in fits {
                if active.is_blocked(leaf) || (self.has_best_match && count > least) {
                    continue;
                }
                let receive = receives[position].1;
                let mut next = active.next;
                let (_, continuation) = open(&receive.continuation, &mut next);
                let mut body = active.after(vec![(sender, Vec::new()), (leaf, continuation)]);
                substitute(&mut body, &receive.message.tuple, &message.tuple);
                let invoke = labels.invoke(message).unwrap_or(communication);
                into.steps.push(OwnStep {
                    label: communication,
                    halves: Some((invoke, labels.receive(&receive.message))),
                    contested: global.map(|endpoint| (endpoint, message.tuple.clone(), count)),
                    result: self.settle(body).into(),
                    origins: (message.origin, receive.message.origin),
                });
            }
        }
    }

    /// What becomes of two clusters when the first receives at its offer what the second invokes at its own; both must
    /// have been worked out.
    pub(crate) fn meet(
        &mut self,
        receiver: ClusterId,
        receive: u32,
        invoker: ClusterId,
        invoke: u32,
    ) -> &[ClusterId] {
        let key = (receiver, receive, invoker, invoke);
        if !self.meetings.contains_key(&key) {
            let result = self.meeting(receiver, receive, invoker, invoke);
            self.bytes += 64 + 4 * result.len();
            self.meetings.insert(key, result.into());
        }
        self.meetings.get(&key).map_or(&[], |result| result)
    }

    fn meeting(
        &mut self,
        receiver: ClusterId,
        receive: u32,
        invoker: ClusterId,
        invoke: u32,
    ) -> Vec<ClusterId> {
        let (Some(offered), Some(taken)) = (
            self.behaviour(invoker)
                .map(|behaviour| behaviour.invokes[invoke as usize].leaf),
            self.behaviour(receiver)
                .map(|behaviour| behaviour.receives[receive as usize].leaf),
        ) else {
            return Vec::new();
        };
        let own = &self.clusters[receiver as usize];
        let other = &self.clusters[invoker as usize];
        let receiving = Active::new(&own.body, own.private);
        let (shifted, next) = shift(&other.body, receiving.next, other.private);
        let invoking = Active::new(&shifted, next);
        let receives = receiving.receives();
        let invokes = invoking.invokes();
        let (Some((_, receive)), Some((_, message, _))) = (
            receives.iter().find(|(leaf, _)| *leaf == taken),
            invokes.iter().find(|(leaf, ..)| *leaf == offered),
        ) else {
            return Vec::new();
        };
        let mut next = invoking.next;
        let (_, continuation) = open(&receive.continuation, &mut next);
        let mut body = receiving.after(vec![(taken, continuation)]);
        body.append(&mut invoking.after(vec![(offered, Vec::new())]));
        substitute(&mut body, &receive.message.tuple, &message.tuple);
        self.settle(body)
    }

    /// All components of some clusters side by side, put in order again.
    pub(crate) fn settle_together(&mut self, clusters: &[ClusterId]) -> Vec<ClusterId> {
        let mut next = 0;
        let mut all = Vec::new();
        for &id in clusters {
            let cluster = &self.clusters[id as usize];
            let (mut shifted, after) = shift(&cluster.body, next, cluster.private);
            all.append(&mut shifted);
            next = after;
        }
        self.settle(all)
    }
}

/// How many variables a pattern binds to match a tuple.
///
/// In different clusters private names are different, even if they have the same numbers.
pub(crate) fn substitutions(pattern: &[Atom], tuple: &[Atom], is_same: bool) -> Option<u32> {
    if pattern.len() != tuple.len() {
        return None;
    }
    let mut count = 0;
    for (expected, sent) in pattern.iter().zip(tuple) {
        match (expected, sent) {
            (expected, _) if expected.is_variable() => count += 1,
            (Atom::Constant(expected), Atom::Constant(sent)) if expected == sent => {}
            (Atom::Bound(expected), Atom::Bound(sent)) if is_same && expected == sent => {}
            _ => return None,
        }
    }
    Some(count)
}

/// Puts what was sent in place of the variables of a pattern.
fn substitute(body: &mut [Process], pattern: &[Atom], tuple: &[Atom]) {
    replace(body, &|id| {
        let position = pattern
            .iter()
            .position(|&atom| atom.is_variable() && atom.id() == Some(id))?;
        Some(tuple[position])
    });
}

/// Partner and operation, if both are global.
fn global_endpoint(message: &Message) -> Option<(u32, u32)> {
    match (message.partner, message.operation) {
        (Atom::Constant(partner), Atom::Constant(operation)) => Some((partner, operation)),
        _ => None,
    }
}

/// Private names and variables of parts that have been reached.
fn is_floating(id: Id) -> bool {
    id.number < STATIC && id.kind != Kind::Label
}

/// Those of some components, in the order of occurrence.
fn floating(body: &[Process]) -> Vec<Id> {
    let mut found: Vec<Id> = Vec::new();
    visit_ids(body, &mut |id| {
        if is_floating(id) && !found.contains(&id) {
            found.push(id);
        }
    });
    found
}

/// The same components with numbers from `by` on, and the next free number.
fn shift(body: &[Process], by: u32, private: u32) -> (Vec<Process>, u32) {
    let mut shifted = body.to_vec();
    if private > 0 {
        replace(&mut shifted, &|id| {
            let number = id.number + by;
            is_floating(id).then_some(Atom::Bound(Id { number, ..id }))
        });
    }
    (shifted, by + private)
}
