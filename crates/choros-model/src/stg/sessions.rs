//! Several runs of one conversation at the same time.
//!
//! The copies of a graph take turns: a node of the result is a tuple of nodes, an edge is an edge of one copy, and the
//! whole may end where every copy may.
//! Each copy has variables of its own, but for those that sessions share and for parameters that nothing writes, which
//! all sessions read.
//! Sessions are distinguished by the value of a field.
//! Where that is promised to work, it is part of what a message is: `Reserved` of the second session is the message
//! `Reserved_2`, and no one takes it for one of the first.
//!
//! Time and space: proportional to the tuples times the edges of a copy; engines avoid it where they can.

use choros_base::{Budget, Name, StopReason};
use choros_data::{Op, Sort, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::joint_label;
use super::variables::with_ending;
use super::{
    Edge, Field, FieldValue, Message, NodeId, Operation, Renaming, Role, Stg, StgBuilder, Update,
    rename,
};

/// How many sessions of a conversation there are, and how they get on with each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sessions {
    pub count: SessionCount,
    /// The field whose value says which session a message belongs to.
    pub identity: Option<String>,
    /// Whether no two sessions have the same value there.
    pub distinct: bool,
    /// The variables that all sessions read and write.
    pub shared: Vec<String>,
    /// Whether messages of different sessions never wait in one queue.
    pub own_queues: bool,
}

/// More sessions are not counted one by one: a graph of them could not be built.
pub const MOST_SESSIONS: u32 = 1_000;

/// How many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionCount {
    Exactly(u32),
    /// Any number of them.
    Any,
}

impl SessionCount {
    /// The number, where it is one.
    pub fn number(self) -> Option<u32> {
        match self {
            SessionCount::Exactly(count) => Some(count),
            SessionCount::Any => None,
        }
    }
}

/// In which messages and roles of different copies differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// In nothing: what happens is shown as it is in one session.
    Never,
    /// Messages that carry the identity are others in each session.
    ByMessages,
    /// Roles are others in each session as well, and so are their queues.
    ByRoles,
}

/// Why there is no graph of all sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoCopies {
    /// There may be any number of them.
    AnyNumber,
    /// They measure time.
    Timed,
    /// There are too many states.
    Spent(StopReason),
}

impl Sessions {
    /// So many sessions that nothing distinguishes and that share nothing.
    pub fn plain(count: SessionCount) -> Sessions {
        Sessions {
            count,
            identity: None,
            distinct: false,
            shared: Vec::new(),
            own_queues: false,
        }
    }

    /// In what messages and roles of different sessions differ, for those who take part.
    pub fn told(&self) -> Told {
        if self.own_queues {
            Told::ByRoles
        } else {
            Told::ByMessages
        }
    }

    /// What all of them together are called.
    pub fn name(&self, one: &str) -> String {
        format!("{one}_{}", self.count)
    }

    /// The variables of a graph that all sessions share.
    pub fn shared_variables(&self, stg: &Stg, terms: &Terms) -> Vec<Var> {
        let is_shared = |it: &Var| {
            self.shared
                .iter()
                .any(|name| name == terms.variable_text(*it))
        };
        stg.variables(terms).into_iter().filter(is_shared).collect()
    }

    /// The field of a message that says which session it belongs to.
    ///
    /// A single datum has no label; it is the identity if its variable is called so, whoever keeps it (`id@order`).
    pub fn identity_of(&self, message: &Message, terms: &Terms) -> Option<FieldValue> {
        let place = self.identity_at(message, terms)?;
        Some(message.fields[place].value)
    }

    /// The place of that field.
    pub fn identity_at(&self, message: &Message, terms: &Terms) -> Option<usize> {
        let identity = self.identity.as_deref()?;
        let is_identity = |field: &&Field| match field.label {
            Some(label) => terms.names.text(label) == identity,
            None => variable_of(field, terms).is_some_and(|it| {
                let name = terms.variable_text(it);
                name.split_once('@').map_or(name, |(first, _)| first) == identity
            }),
        };
        message.fields.iter().position(|it| is_identity(&it))
    }

    /// The variables that each session has for itself.
    pub fn own_variables(&self, stg: &Stg, terms: &Terms) -> Vec<Var> {
        let shared: FxHashSet<Var> = self.shared_variables(stg, terms).into_iter().collect();
        let mut own: FxHashSet<Var> = FxHashSet::default();
        for edge in stg.edges() {
            own.extend(edge.event.bound_variables());
            own.extend(edge.updates.iter().map(|it| it.variable));
            let message = edge.event.message();
            if let Some(FieldValue::Free(term)) = message.and_then(|it| self.identity_of(it, terms))
            {
                own.extend(terms.as_variable(term));
            }
        }
        let variables = stg.variables(terms).into_iter();
        variables
            .filter(|it| own.contains(it) && !shared.contains(it))
            .collect()
    }
}

/// The variable that a field is about, where it is one.
fn variable_of(field: &Field, terms: &Terms) -> Option<Var> {
    match field.value {
        FieldValue::Bind(variable) => Some(variable),
        FieldValue::Free(term) => terms.as_variable(term),
    }
}

impl std::fmt::Display for SessionCount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SessionCount::Exactly(count) => write!(f, "{count}"),
            SessionCount::Any => f.write_str("any"),
        }
    }
}

/// All sessions side by side.
pub fn side_by_side(
    stg: &Stg,
    sessions: &Sessions,
    told: Told,
    budget: &Budget,
    terms: &mut Terms,
) -> Result<Stg, NoCopies> {
    let own = sessions.own_variables(stg, terms);
    copies((stg, &own), sessions, (told, false), budget, terms)
}

/// What one role does in all sessions: its part of one, of a graph that all do, side by side.
///
/// Sessions begin in their order, where one that has begun is never where it began: no one sees which of them it is, so
/// every other order is this one with other numbers.
/// What a session has for itself is what the whole graph says, though the part may leave open who gives it a value.
pub fn parts_side_by_side(
    part: &Stg,
    whole: &Stg,
    sessions: &Sessions,
    budget: &Budget,
    terms: &mut Terms,
) -> Result<Stg, NoCopies> {
    let (known, own) = (whole.variables(terms), sessions.own_variables(whole, terms));
    let shared = sessions.shared_variables(part, terms);
    let mut own_parts = part.variables(terms);
    own_parts.retain(|it| !shared.contains(it) && (own.contains(it) || !known.contains(it)));
    let begun = part.edges().iter().any(|it| it.target == part.initial());
    let how = (Told::Never, !begun);
    copies((part, &own_parts), sessions, how, budget, terms)
}

/// Copies of a graph that take turns, perhaps beginning in their order; each has variables of its own.
fn copies(
    (stg, own): (&Stg, &[Var]),
    sessions: &Sessions,
    (told, in_order): (Told, bool),
    budget: &Budget,
    terms: &mut Terms,
) -> Result<Stg, NoCopies> {
    let SessionCount::Exactly(count) = sessions.count else {
        return Err(NoCopies::AnyNumber);
    };
    if stg.edges().iter().any(|it| it.event.is_tick()) {
        return Err(NoCopies::Timed);
    }
    let copies: Vec<Stg> = (1..=count)
        .map(|number| copy((stg, own), sessions, told, number, terms))
        .collect();
    let name = sessions.name(stg.name());
    interleaved(&name, (&copies, in_order), budget, terms).map_err(NoCopies::Spent)
}

/// The copy of a graph that a session of this number does.
fn copy(
    (stg, own): (&Stg, &[Var]),
    sessions: &Sessions,
    told: Told,
    number: u32,
    terms: &mut Terms,
) -> Stg {
    let mut renaming = Renaming::default();
    let ending = format!("{}_{number}", stg.name());
    for &old in own {
        let name = session_variable(terms.variable_text(old), &ending);
        let name = terms.names.intern(&name);
        let new = terms.variable(name, terms.variable_sort(old));
        renaming.variables.insert(old, new);
    }
    if told != Told::Never {
        let carries = |it: &&Message| sessions.identity_of(it, terms).is_some();
        let marked: Vec<Operation> = stg
            .messages()
            .filter(carries)
            .map(|it| it.operation)
            .collect();
        let operations: Vec<Name> = stg.messages().map(|it| it.operation.0).collect();
        for old in marked {
            let new = numbered(old.0, &operations, number, terms);
            renaming.operations.insert(old, Operation(new));
        }
    }
    if told == Told::ByRoles {
        let roles: Vec<Name> = stg.roles().into_iter().map(|it| it.0).collect();
        for &old in &roles {
            let new = numbered(old, &roles, number, terms);
            renaming.roles.insert(Role(old), Role(new));
        }
    }
    rename(stg, &renaming, terms)
}

/// What a variable of one session is called among those of all.
pub fn session_variable(name: &str, ending: &str) -> String {
    with_ending(name, ending)
}

/// A name with a number, which none of `used` has.
fn numbered(name: Name, used: &[Name], number: u32, terms: &mut Terms) -> Name {
    let mut text = format!("{}_{number}", terms.names.text(name));
    loop {
        let new = terms.names.intern(&text);
        if !used.contains(&new) {
            return new;
        }
        text.push('_');
    }
}

/// Graphs with the same nodes that take turns.
fn interleaved(
    name: &str,
    (copies, in_order): (&[Stg], bool),
    budget: &Budget,
    terms: &mut Terms,
) -> Result<Stg, StopReason> {
    let ending = match copies.first() {
        Some(first) => first.ending(),
        None => super::Ending::Explicit,
    };
    let mut builder = StgBuilder::new(name, ending);
    let mut ids: FxHashMap<Vec<NodeId>, NodeId> = FxHashMap::default();
    let mut tuples: Vec<Vec<NodeId>> = vec![copies.iter().map(Stg::initial).collect()];
    ids.insert(tuples[0].clone(), NodeId(0));
    builder.node(joint_label(&tuples[0], copies));
    let mut next = 0;
    while next < tuples.len() {
        budget.spend()?;
        let (source, tuple) = (NodeId(next as u32), tuples[next].clone());
        next += 1;
        end(source, &tuple, copies, &mut builder, terms);
        for (index, &node) in tuple.iter().enumerate() {
            let begins = |at: usize| tuple[at] == copies[at].initial();
            if in_order && index > 0 && begins(index) && begins(index - 1) {
                break;
            }
            for (_, edge) in copies[index].outgoing(node) {
                let mut after = tuple.clone();
                after[index] = edge.target;
                let new = NodeId(tuples.len() as u32);
                let target = *ids.entry(after.clone()).or_insert(new);
                if target == new {
                    builder.node(joint_label(&after, copies));
                    tuples.push(after);
                }
                let edge = Edge {
                    source,
                    target,
                    ..edge.clone()
                };
                builder.edge(terms, edge);
            }
        }
    }
    Ok(builder.finish_as_built(NodeId(0)))
}

/// The whole may end where every copy may.
fn end(
    source: NodeId,
    tuple: &[NodeId],
    copies: &[Stg],
    builder: &mut StgBuilder,
    terms: &mut Terms,
) {
    let mut guards: Vec<Term> = Vec::with_capacity(tuple.len());
    let mut origin = None;
    for (copy, &node) in copies.iter().zip(tuple) {
        let terminations = &copy.node(node).terminations;
        let Some(first) = terminations.first() else {
            return;
        };
        origin = origin.or(first.origin);
        guards.push(copy.termination(node, terms));
    }
    let guard = terms.and(guards);
    builder.terminate(terms, source, guard, origin);
}

/// The graph of all sessions in which no message brings an identity that another session has already.
///
/// An event has no condition on what it brings but that updates are defined, so the condition is put into one: an
/// update of a variable that no one reads is undefined for an identity that is known.
/// A session is told its identity at most once, so variables that messages bind to identities are of different sessions
/// if both are bound.
pub fn told_apart(stg: &Stg, sessions: &Sessions, terms: &mut Terms) -> Stg {
    let brings = |edge: &Edge, terms: &Terms| -> Option<Var> {
        match sessions.identity_of(edge.event.message()?, terms)? {
            FieldValue::Bind(variable) => Some(variable),
            FieldValue::Free(_) => None,
        }
    };
    let known = known_before(stg, |edge| brings(edge, terms));
    let mut builder = StgBuilder::new(stg.name(), stg.ending());
    for node in stg.node_ids() {
        let new = builder.node(stg.node(node).label.clone());
        for end in &stg.node(node).terminations {
            builder.terminate(terms, new, end.guard, end.origin);
        }
    }
    for edge in stg.edges() {
        let mut edge = edge.clone();
        let others = known[edge.source.index()].iter().flatten().copied();
        if let Some(own) = brings(&edge, terms) {
            let sort = terms.variable_sort(own);
            let others: Vec<Var> = others
                .filter(|&it| it != own && terms.variable_sort(it) == sort)
                .collect();
            edge.updates
                .extend(undefined_unless_new(own, &others, terms));
        }
        builder.edge(terms, edge);
    }
    builder.finish_as_built(stg.initial())
}

/// The variables that every way to a node has bound, by the edges that bind one; none for a node that nothing leads to.
fn known_before(stg: &Stg, brings: impl Fn(&Edge) -> Option<Var>) -> Vec<Option<Vec<Var>>> {
    let mut known: Vec<Option<Vec<Var>>> = vec![None; stg.nodes().len()];
    known[stg.initial().index()] = Some(Vec::new());
    let mut work = vec![stg.initial()];
    while let Some(node) = work.pop() {
        let before = known[node.index()].clone().unwrap_or_default();
        for (_, edge) in stg.outgoing(node) {
            let mut after = before.clone();
            after.extend(brings(edge).filter(|it| !before.contains(it)));
            let there = &mut known[edge.target.index()];
            let both = match &*there {
                None => after,
                Some(there) => there
                    .iter()
                    .copied()
                    .filter(|it| after.contains(it))
                    .collect(),
            };
            if there.as_ref() != Some(&both) {
                *there = Some(both);
                work.push(edge.target);
            }
        }
    }
    known
}

/// An update that is defined if a value is none of the others.
fn undefined_unless_new(own: Var, others: &[Var], terms: &mut Terms) -> Option<Update> {
    let name = format!("{}@new", terms.variable_text(own));
    let own = terms.var(own);
    let mut differ = Vec::with_capacity(others.len());
    for &other in others {
        let other = terms.var(other);
        let same = terms.equal(own, other);
        differ.push(terms.not(same));
    }
    if differ.is_empty() {
        return None;
    }
    let differ = terms.and(differ);
    let (one, zero) = (terms.int(1), terms.int(0));
    let undefined = terms.arithmetic(Op::IntegerDivide, one, zero);
    let name = terms.names.intern(&name);
    Some(Update {
        variable: terms.variable(name, Sort::INT),
        value: terms.if_then_else(differ, one, undefined),
    })
}
