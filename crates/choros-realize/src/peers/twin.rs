//! For one role, all pairs of runs in which it sees the same, and what it could get wrong there.
//!
//! A node is a pair of states of the choreography.
//! Steps in which the role takes part are made by both runs together, with the same message and the same values; any
//! other step is made by one of them alone.
//! The second run speaks of variables of its own; parameters, which all roles know, are shared.
//!
//! Where a message that the role could receive in the first run may be under way in the second although the role is to
//! receive another one there first, the second run continues *without the role*: one that waits for the role, or for
//! someone who does, is blocked, and the others send what they can (`Chase`).

use choros_base::{Budget, StopReason};
use choros_data::{Quantifier, Term, Terms, Var};
use choros_model::stg::{
    Edge, EdgeId, Ending, Event, Field, FieldValue, Message, NodeId, Renaming, Role, Stg,
    StgBuilder, Update, rename,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::breach::{Breach, Wrong};
use super::protocol::{Part, Protocol, equal_values};

/// The graph of pairs of one role.
pub(super) struct Twin {
    pub(super) role: Role,
    stg: Stg,
    /// What each edge of the graph is in the two runs.
    moves: Moves,
    breaches: Vec<Breach>,
    pairs: usize,
    ends_listening: Vec<(NodeId, Term)>,
}

/// What an edge of the graph is in the two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    /// Both make a step that the role sees.
    Both(EdgeId, EdgeId),
    /// The first makes a step that the role does not see.
    First(EdgeId),
    /// The second makes a step that the role does not see.
    Second(EdgeId),
    /// The second continues without the role, which would have to take part in this step.
    Leave(EdgeId),
    /// The second continues without the role; `sent` and `received` say which halves happen.
    Chase {
        edge: EdgeId,
        sent: bool,
        received: bool,
    },
    /// Something is wrong.
    Break,
}

/// What leads from one node to another, and what it is in the two runs.
type Moves = FxHashMap<(NodeId, NodeId), Vec<(Event, Vec<Update>, Move)>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Pair(NodeId, NodeId),
    /// The role could receive `first`, and the second run is at `at`, having passed `second` without the role.
    Chase {
        first: EdgeId,
        second: EdgeId,
        at: NodeId,
        blocked: u64,
    },
    Broken(usize),
}

impl Twin {
    /// Builds the graph; `budget` is spent by the node.
    pub(super) fn of(
        protocol: &Protocol,
        role: Role,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Twin, StopReason> {
        let first = protocol.stg();
        let second = if protocol.has_data() {
            copy(first, terms)
        } else {
            first.clone()
        };
        let mut maker = Maker {
            protocol,
            role,
            first,
            second: &second,
            builder: StgBuilder::new("twin", Ending::Explicit),
            ids: FxHashMap::default(),
            places: Vec::new(),
            moves: Moves::default(),
            breaches: Vec::new(),
            sendable: FxHashMap::default(),
            ends_listening: Vec::new(),
            budget,
            terms,
        };
        maker.explore()?;
        let pairs = maker
            .places
            .iter()
            .filter(|place| matches!(place, Place::Pair(..)))
            .count();
        let (moves, breaches) = (maker.moves, maker.breaches);
        let ends_listening = maker.ends_listening;
        let stg = maker.builder.finish_as_built(NodeId(0));
        Ok(Twin {
            role,
            stg,
            moves,
            breaches,
            pairs,
            ends_listening,
        })
    }

    pub(super) fn stg(&self) -> &Stg {
        &self.stg
    }

    pub(super) fn breaches(&self) -> &[Breach] {
        &self.breaches
    }

    /// What an edge of the graph is in the two runs; of several that do the same, the first.
    pub(super) fn step(&self, edge: EdgeId) -> Move {
        let edge = self.stg.edge(edge);
        let known = self.moves.get(&(edge.source, edge.target));
        known
            .into_iter()
            .flatten()
            .find(|(event, updates, _)| *event == edge.event && *updates == edge.updates)
            .map_or(Move::Break, |&(_, _, step)| step)
    }

    pub(super) fn pairs(&self) -> usize {
        self.pairs
    }

    /// The nodes, and for which data, where the choreography has ended in the second run and the role may still receive
    /// something in the first.
    pub(super) fn ends_listening(&self) -> &[(NodeId, Term)] {
        &self.ends_listening
    }
}

struct Maker<'a> {
    protocol: &'a Protocol,
    role: Role,
    first: &'a Stg,
    second: &'a Stg,
    builder: StgBuilder,
    ids: FxHashMap<Place, NodeId>,
    places: Vec<Place>,
    moves: Moves,
    breaches: Vec<Breach>,
    /// Without data: the messages that the role may send from a state without seeing anything before.
    sendable: FxHashMap<NodeId, FxHashSet<usize>>,
    ends_listening: Vec<(NodeId, Term)>,
    budget: &'a Budget,
    terms: &'a mut Terms,
}

impl<'a> Maker<'a> {
    fn explore(&mut self) -> Result<(), StopReason> {
        self.node(Place::Pair(self.first.initial(), self.second.initial()))?;
        let mut next = 0;
        while next < self.places.len() {
            let (source, place) = (NodeId(next as u32), self.places[next]);
            next += 1;
            match place {
                Place::Pair(one, other) => {
                    self.step_together(source, one, other)?;
                    self.judge(source, one, other)?;
                }
                Place::Chase {
                    first,
                    second,
                    at,
                    blocked,
                } => self.chase(source, first, second, at, blocked)?,
                Place::Broken(_) => {}
            }
        }
        Ok(())
    }

    fn node(&mut self, place: Place) -> Result<NodeId, StopReason> {
        if let Some(&id) = self.ids.get(&place) {
            return Ok(id);
        }
        self.budget.spend()?;
        let id = self.builder.node(String::new());
        self.ids.insert(place, id);
        self.places.push(place);
        Ok(id)
    }

    fn edge(
        &mut self,
        source: NodeId,
        target: Place,
        edge: Edge,
        step: Move,
    ) -> Result<(), StopReason> {
        let target = self.node(target)?;
        let edge = Edge {
            source,
            target,
            ..edge
        };
        let known = self.moves.entry((source, target)).or_default();
        known.push((edge.event.clone(), edge.updates.clone(), step));
        self.builder.edge(self.terms, edge);
        Ok(())
    }

    fn step_together(
        &mut self,
        source: NodeId,
        one: NodeId,
        other: NodeId,
    ) -> Result<(), StopReason> {
        let (first, second) = (self.first, self.second);
        for (left, edge) in first.outgoing(one) {
            if self.protocol.part(left, self.role) == Part::Nothing {
                let target = Place::Pair(edge.target, other);
                self.edge(source, target, edge.clone(), Move::First(left))?;
                continue;
            }
            for (right, twin) in second.outgoing(other) {
                if self.protocol.label(left) == self.protocol.label(right) {
                    let joint = joint(edge, twin, self.terms);
                    let target = Place::Pair(edge.target, twin.target);
                    self.edge(source, target, joint, Move::Both(left, right))?;
                }
            }
        }
        for (right, edge) in second.outgoing(other) {
            if self.protocol.part(right, self.role) == Part::Nothing {
                let target = Place::Pair(one, edge.target);
                self.edge(source, target, edge.clone(), Move::Second(right))?;
            }
        }
        Ok(())
    }

    /// What the role could get wrong in a pair of states.
    fn judge(&mut self, source: NodeId, one: NodeId, other: NodeId) -> Result<(), StopReason> {
        let (first, second) = (self.first, self.second);
        let ended = second.termination(other, self.terms);
        let mut sendings: Vec<Term> = Vec::new();
        for (left, edge) in first.outgoing(one) {
            match self.protocol.part(left, self.role) {
                Part::Nothing => {}
                Part::Sends => {
                    sendings.push(edge.guard);
                    let (able, exact) = self.able(other, left);
                    let unable = self.terms.not(able);
                    let guard = self.terms.and([edge.guard, unable]);
                    self.wrong(source, Wrong::Sends(left), guard, exact)?;
                    for (right, twin) in second.outgoing(other) {
                        if self.protocol.part(right, self.role) == Part::Receives {
                            let guard = self.terms.and([edge.guard, twin.guard]);
                            self.wrong(source, Wrong::Mixed(left, right), guard, true)?;
                        }
                    }
                }
                Part::Receives => {
                    let both = self.terms.and([edge.guard, ended]);
                    if both != Term::FALSE {
                        self.ends_listening.push((source, both));
                    }
                    for (right, twin) in second.outgoing(other) {
                        if self.protocol.part(right, self.role) == Part::Receives
                            && sender(edge) != sender(twin)
                        {
                            let guard = self.terms.and([edge.guard, twin.guard]);
                            let target = Place::Chase {
                                first: left,
                                second: right,
                                at: twin.target,
                                blocked: self.protocol.bit(self.role),
                            };
                            let leave = Edge {
                                guard,
                                ..twin.clone()
                            };
                            self.edge(source, target, leave, Move::Leave(right))?;
                        }
                    }
                }
            }
        }
        if sendings.is_empty() || ended == Term::FALSE {
            return Ok(());
        }
        // It may send for all it knows, and it may also be the end.
        let may_send = self.terms.or(sendings);
        let own_end = first.termination(one, self.terms);
        let not_ended = self.terms.not(own_end);
        let guard = self.terms.and([may_send, ended, not_ended]);
        self.wrong(source, Wrong::Ends, guard, false)?;
        let others: Vec<Term> = second
            .outgoing(other)
            .filter(|(_, edge)| sender(edge) != Some(self.role))
            .map(|(_, edge)| edge.guard)
            .collect();
        let go_on = self.terms.or(others);
        let guard = self.terms.and([may_send, ended, go_on]);
        self.wrong(source, Wrong::Ends, guard, false)
    }

    fn wrong(
        &mut self,
        source: NodeId,
        what: Wrong,
        guard: Term,
        certain: bool,
    ) -> Result<(), StopReason> {
        if guard == Term::FALSE {
            return Ok(());
        }
        let number = self.breaches.len();
        let node = self.node(Place::Broken(number))?;
        self.breaches.push(Breach {
            what,
            node,
            certain,
        });
        self.edge(source, Place::Broken(number), silent(guard), Move::Break)
    }

    /// When the role may send in the second run what it may send in the first, and whether this is exact.
    fn able(&mut self, at: NodeId, wanted: EdgeId) -> (Term, bool) {
        if !self.protocol.has_data() {
            let label = self.protocol.label(wanted);
            let can = label.is_some_and(|label| self.sendable(at).contains(&label));
            return if can {
                (Term::TRUE, true)
            } else {
                (Term::FALSE, true)
            };
        }
        let mut values = Vec::new();
        let fields = self.first.edge(wanted).event.message();
        for field in fields.map_or(&[][..], |it| &it.fields) {
            values.push(match field.value {
                FieldValue::Free(term) => term,
                // Any value may be sent, so the other run has to allow any.
                FieldValue::Bind(variable) => {
                    let any = self.terms.fresh_variable(variable);
                    self.terms.var(any)
                }
            });
        }
        let mut way = Way {
            wanted: self.protocol.label(wanted),
            values: &values,
            path: Vec::new(),
            steps: MAX_STEPS,
            exact: true,
        };
        let able = self.may_send(at, &mut way);
        (able, way.exact)
    }

    /// The condition at a state of the second run under which the role may come to send what is wanted, unseen steps
    /// before it included; a loop is not followed round.
    fn may_send(&mut self, at: NodeId, way: &mut Way<'_>) -> Term {
        if way.path.contains(&at) || way.steps == 0 {
            way.exact = false;
            return Term::FALSE;
        }
        way.steps -= 1;
        way.path.push(at);
        let second = self.second;
        let mut ways: Vec<Term> = Vec::new();
        for (id, edge) in second.outgoing(at) {
            match self.protocol.part(id, self.role) {
                Part::Sends if self.protocol.label(id) == way.wanted => {
                    let mut needs = vec![edge.guard];
                    let fields = edge.event.message().map_or(&[][..], |it| &it.fields);
                    for (field, &value) in fields.iter().zip(way.values) {
                        if let FieldValue::Free(term) = field.value {
                            needs.push(self.terms.equal(term, value));
                        }
                    }
                    ways.push(self.terms.and(needs));
                }
                Part::Nothing => {
                    let later = self.may_send(edge.target, way);
                    let now = before(edge, later, self.terms);
                    ways.push(now);
                }
                _ => {}
            }
        }
        way.path.pop();
        self.terms.or(ways)
    }

    fn sendable(&mut self, at: NodeId) -> &FxHashSet<usize> {
        let (stg, protocol, role) = (self.second, self.protocol, self.role);
        self.sendable.entry(at).or_insert_with(|| {
            let mut found = FxHashSet::default();
            let mut seen = FxHashSet::from_iter([at]);
            let mut work = vec![at];
            while let Some(node) = work.pop() {
                for (id, edge) in stg.outgoing(node) {
                    match protocol.part(id, role) {
                        Part::Sends => found.extend(protocol.label(id)),
                        Part::Nothing if seen.insert(edge.target) => work.push(edge.target),
                        _ => {}
                    }
                }
            }
            found
        })
    }

    /// The second run continues without the role.
    fn chase(
        &mut self,
        source: NodeId,
        first: EdgeId,
        second: EdgeId,
        at: NodeId,
        blocked: u64,
    ) -> Result<(), StopReason> {
        let stg = self.second;
        for (id, edge) in stg.outgoing(at) {
            let (mut after, mut sent, mut received) = (blocked, false, false);
            if let Some(message) = edge.event.message() {
                let (from, to) = (
                    self.protocol.bit(message.from),
                    self.protocol.bit(message.to),
                );
                sent = blocked & from == 0;
                received = sent && blocked & to == 0;
                if !sent {
                    after |= to;
                }
                let expected = self.first.edge(first);
                if sent && message.to == self.role && Some(message.from) == sender(expected) {
                    // What that partner sent first is at the head of the queue from then on.
                    if self.protocol.label(id) == self.protocol.label(first) {
                        let what = Wrong::Receives(first, second, id);
                        let values = equal_values(expected, edge, self.terms);
                        let fits = self.terms.and([edge.guard, values]);
                        self.wrong(source, what, fits, true)?;
                        let misfit = self.terms.not(values);
                        let other = self.terms.and([edge.guard, misfit]);
                        self.wrong(source, what, other, false)?;
                    }
                    continue;
                }
            }
            let target = Place::Chase {
                first,
                second,
                at: edge.target,
                blocked: after,
            };
            let step = Move::Chase {
                edge: id,
                sent,
                received,
            };
            self.edge(source, target, edge.clone(), step)?;
        }
        Ok(())
    }
}

/// Unseen steps that are followed to a sending, with data.
const MAX_STEPS: usize = 256;

struct Way<'v> {
    wanted: Option<usize>,
    values: &'v [Term],
    path: Vec<NodeId>,
    steps: usize,
    exact: bool,
}

fn sender(edge: &Edge) -> Option<Role> {
    edge.event.message().map(|message| message.from)
}

fn silent(guard: Term) -> Edge {
    Edge {
        source: NodeId(0),
        target: NodeId(0),
        guard,
        event: Event::Silent,
        updates: Vec::new(),
        origin: None,
    }
}

/// What has to hold before an edge so that it may be made and `later` holds after it, for some values that it brings.
fn before(edge: &Edge, later: Term, terms: &mut Terms) -> Term {
    if later == Term::FALSE {
        return later;
    }
    let accepts = edge.accepts(terms);
    let mut condition = later;
    for update in edge.updates.iter().rev() {
        let replacement = FxHashMap::from_iter([(update.variable, update.value)]);
        condition = terms.substitute(condition, &replacement);
    }
    condition = terms.and([accepts, condition]);
    let free = terms.free_variables(condition);
    let bound: Vec<Var> = edge
        .event
        .bound_variables()
        .filter(|variable| free.contains(variable))
        .collect();
    if !bound.is_empty() {
        condition = terms.quantify(Quantifier::Exists, &bound, condition);
    }
    terms.and([edge.guard, condition])
}

/// The step of both runs with one message.
///
/// Updates come after the message has bound its variables; no message of a [`Protocol`] carries a term over a variable
/// that it binds itself.
fn joint(first: &Edge, second: &Edge, terms: &mut Terms) -> Edge {
    let mut guards = vec![first.guard, second.guard];
    let mut updates: Vec<Update> = Vec::new();
    let event = match (&first.event, &second.event) {
        (Event::Message(left), Event::Message(right)) => {
            let mut fields = Vec::new();
            for (one, other) in left.fields.iter().zip(&right.fields) {
                let mut value = one.value;
                match (one.value, other.value) {
                    (FieldValue::Free(one), FieldValue::Free(other)) => {
                        guards.push(terms.equal(one, other));
                    }
                    (FieldValue::Free(value), FieldValue::Bind(variable)) => {
                        updates.push(Update { variable, value });
                    }
                    (FieldValue::Bind(variable), FieldValue::Free(known)) => {
                        value = other.value;
                        updates.push(Update {
                            variable,
                            value: known,
                        });
                    }
                    (FieldValue::Bind(one), FieldValue::Bind(other)) => {
                        updates.push(Update {
                            variable: other,
                            value: terms.var(one),
                        });
                    }
                }
                fields.push(Field {
                    label: one.label,
                    value,
                });
            }
            Event::Message(Message {
                fields,
                ..left.clone()
            })
        }
        _ => Event::Silent,
    };
    updates.extend(&first.updates);
    updates.extend(&second.updates);
    Edge {
        guard: terms.and(guards),
        event,
        updates,
        ..first.clone()
    }
}

/// The graph with variables of its own, but for parameters.
fn copy(stg: &Stg, terms: &mut Terms) -> Stg {
    let parameters = stg.parameters(terms);
    let mut renaming = Renaming::default();
    for variable in stg.variables(terms) {
        if !parameters.contains(&variable) {
            let other = terms.fresh_variable(variable);
            renaming.variables.insert(variable, other);
        }
    }
    rename(stg, &renaming, terms)
}
