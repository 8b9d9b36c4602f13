//! Terms as they are executed: definitions put in place of their calls, names resolved, delimitations of names and
//! variables moved outwards as far as structural congruence allows.
//!
//! `s₁ | [e]s₂ ≡ [e](s₁ | s₂)`, `{[e]s} ≡ [e]{s}` and `[e₁][e₂]s ≡ [e₂][e₁]s` let the delimitation of a name or a
//! variable rise to the nearest point it cannot pass: a receive whose continuation it stands in, a replication, or the
//! whole term.
//! These points are [`Block`]s, and they alone bind names and variables.
//! A killer label that occurs may not rise over `|`, because the kill would reach further; it stays where it is, as a
//! [`Process::Scope`].

/// What is delimited.
///
/// Binders that have not been reached have numbers from [`STATIC`] on, a number of its own for each place in the
/// program; those that have, and float freely, have smaller ones.
/// So replacing the one never meets the other, and nothing is ever captured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Id {
    pub(crate) number: u32,
    pub(crate) kind: Kind,
    /// How it was written, as an index of symbols.
    pub(crate) spelling: u32,
}

/// The first number of binders in parts of the program that have not been reached.
pub(crate) const STATIC: u32 = 1 << 31;

impl PartialEq for Id {
    fn eq(&self, other: &Id) -> bool {
        self.number == other.number
    }
}

impl Eq for Id {}

/// The three kinds of what is delimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Name,
    Variable,
    Label,
}

/// A component of an endpoint or a tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Atom {
    /// A global name or a number, as an index of symbols.
    Constant(u32),
    /// A private name or a variable.
    Bound(Id),
}

impl Atom {
    pub(crate) fn is_variable(self) -> bool {
        matches!(self, Atom::Bound(id) if id.kind == Kind::Variable)
    }

    pub(crate) fn id(self) -> Option<Id> {
        match self {
            Atom::Constant(_) => None,
            Atom::Bound(id) => Some(id),
        }
    }
}

/// An endpoint with a tuple.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) partner: Atom,
    pub(crate) operation: Atom,
    pub(crate) tuple: Vec<Atom>,
    /// Its position in the program, in the order of the text with definitions in place of calls.
    pub(crate) origin: u32,
}

impl Message {
    pub(crate) fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        [self.partner, self.operation]
            .into_iter()
            .chain(self.tuple.iter().copied())
    }
}

/// A receive with what follows it.
#[derive(Debug, Clone)]
pub(crate) struct Receive {
    pub(crate) message: Message,
    pub(crate) continuation: Block,
}

/// Names and variables that are bound, and parallel components.
#[derive(Debug, Clone, Default)]
pub(crate) struct Block {
    pub(crate) ids: Vec<Id>,
    pub(crate) body: Vec<Process>,
}

/// A parallel component; parallel composition itself is a list of them.
#[derive(Debug, Clone)]
pub(crate) enum Process {
    Kill(Id, u32),
    Invoke(Message),
    /// Never empty: the empty choice is the empty list of components.
    Choice(Vec<Receive>),
    /// Never empty, and not around a single protection or scope.
    Protection(Vec<Process>),
    /// Each label occurs; the body is not a single scope.
    Scope(Vec<Id>, Vec<Process>),
    /// The body is not empty.
    Replication(Box<Block>),
}

/// `{s}` by `{0} ≡ 0`, `{{s}} ≡ {s}` and `{[k]s} ≡ [k]{s}`.
pub(crate) fn protection(mut body: Vec<Process>) -> Vec<Process> {
    match body.as_mut_slice() {
        [] | [Process::Protection(_)] => body,
        [Process::Scope(labels, inner)] => {
            let (labels, inner) = (std::mem::take(labels), std::mem::take(inner));
            scope(labels, protection(inner))
        }
        _ => vec![Process::Protection(body)],
    }
}

/// `[k…]s` by `[k]s ≡ s` for labels that do not occur and `[k₁][k₂]s ≡ [k₂][k₁]s`.
pub(crate) fn scope(mut labels: Vec<Id>, mut body: Vec<Process>) -> Vec<Process> {
    labels.retain(|&label| occurs(label, &body));
    if labels.is_empty() {
        return body;
    }
    if let [Process::Scope(more, inner)] = body.as_mut_slice() {
        labels.append(more);
        body = std::mem::take(inner);
    }
    vec![Process::Scope(labels, body)]
}

/// `*s` by `*0 ≡ 0`.
pub(crate) fn replication(block: Block) -> Vec<Process> {
    if block.body.is_empty() {
        Vec::new()
    } else {
        vec![Process::Replication(Box::new(block))]
    }
}

/// `[e…]s` by `[e]s ≡ s` for names and variables that do not occur.
pub(crate) fn block(mut ids: Vec<Id>, body: Vec<Process>) -> Block {
    if !ids.is_empty() {
        let mut found = Vec::new();
        visit_ids(&body, &mut |id| found.push(id.number));
        found.sort_unstable();
        ids.retain(|id| found.binary_search(&id.number).is_ok());
    }
    Block { ids, body }
}

/// Whether something occurs in some components.
pub(crate) fn occurs(id: Id, body: &[Process]) -> bool {
    let mut is_there = false;
    visit_ids(body, &mut |found| is_there |= found == id);
    is_there
}

/// Visits every occurrence of everything delimited, whether it is bound inside or outside; binders are not occurrences.
pub(crate) fn visit_ids(body: &[Process], visit: &mut impl FnMut(Id)) {
    for process in body {
        match process {
            Process::Kill(label, _) => visit(*label),
            Process::Invoke(message) => message.atoms().filter_map(Atom::id).for_each(&mut *visit),
            Process::Choice(receives) => {
                for receive in receives {
                    let message = &receive.message;
                    message.atoms().filter_map(Atom::id).for_each(&mut *visit);
                    visit_ids(&receive.continuation.body, visit);
                }
            }
            Process::Protection(body) | Process::Scope(_, body) => visit_ids(body, visit),
            Process::Replication(block) => visit_ids(&block.body, visit),
        }
    }
}

/// The same components with other things in place of what is delimited outside.
///
/// Labels are replaced by labels.
pub(crate) fn replace(body: &mut [Process], by: &impl Fn(Id) -> Option<Atom>) {
    for process in body {
        match process {
            Process::Kill(label, _) => {
                if let Some(Atom::Bound(other)) = by(*label) {
                    *label = other;
                }
            }
            Process::Invoke(message) => replace_in_message(message, by),
            Process::Choice(receives) => {
                for receive in receives {
                    replace_in_message(&mut receive.message, by);
                    replace(&mut receive.continuation.body, by);
                }
            }
            Process::Protection(body) | Process::Scope(_, body) => replace(body, by),
            Process::Replication(block) => replace(&mut block.body, by),
        }
    }
}

fn replace_in_message(message: &mut Message, by: &impl Fn(Id) -> Option<Atom>) {
    let atoms = [&mut message.partner, &mut message.operation];
    for atom in atoms.into_iter().chain(&mut message.tuple) {
        if let Atom::Bound(id) = *atom
            && let Some(other) = by(id)
        {
            *atom = other;
        }
    }
}

/// The components of a block with ids of their own, numbered from `next` on, instead of the bound ones.
pub(crate) fn open(block: &Block, next: &mut u32) -> (Vec<Id>, Vec<Process>) {
    let fresh: Vec<Id> = block
        .ids
        .iter()
        .map(|&id| {
            *next += 1;
            Id {
                number: *next - 1,
                ..id
            }
        })
        .collect();
    let mut body = block.body.clone();
    if !fresh.is_empty() {
        replace(&mut body, &|id| {
            let position = block.ids.iter().position(|&bound| bound == id)?;
            Some(Atom::Bound(fresh[position]))
        });
    }
    (fresh, body)
}

/// What survives a kill: `halt` of the operational semantics.
pub(crate) fn halt(body: Vec<Process>) -> Vec<Process> {
    body.into_iter()
        .flat_map(|process| match process {
            Process::Kill(..) | Process::Invoke(_) | Process::Choice(_) => Vec::new(),
            Process::Protection(_) => vec![process],
            Process::Scope(labels, body) => scope(labels, halt(body)),
            Process::Replication(inner) => {
                let Block { ids, body } = *inner;
                replication(block(ids, halt(body)))
            }
        })
        .collect()
}
