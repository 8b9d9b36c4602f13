//! Canonical encodings: two lists of parallel components have equal encodings if and only if they are equal up to the
//! order of components and of branches and up to the names of what is bound.
//!
//! The order of components can be sorted away once everything delimited has a code, and the codes could be given in
//! the order of occurrence if the components had an order: each needs the other.
//! The way out is that of canonical labelling of graphs (B. D. McKay and A. Piperno: "Practical graph isomorphism, II",
//! 2014), made small by what terms are like:
//!
//! 1. Components that share nothing unnamed are independent: each connected group is encoded alone, and the encodings
//!    are sorted.
//!    Many instances of one service are many equal groups, and cost no search.
//!    What occurs in one scope or protection only is delimited inside it first, where it connects less: copies that
//!    pile up inside a scope fall apart once its label has a code.
//! 2. In a connected group, colours that do not depend on names or order are refined until they no longer split.
//!    What has a colour of its own gets the next code; then the group may fall apart, and we are back at 1.
//! 3. Where no colour is unique, one class is chosen by colour alone, each member is tried, and the smallest encoding
//!    wins.
//!    A member that can be exchanged with one that was tried would give the same and is not tried.
//!
//! Colours are hashes, but equal hashes only cause more tries, never a wrong answer.
//! The number of tries is bounded; beyond the bound the first member is taken.
//! Then equal encodings still mean equal terms, but some equal terms may get two encodings, and
//! [`Encoder::gave_up`] says so.

use rustc_hash::FxHashMap;

use super::process::{Atom, Block, Id, Kind, Message, Process, visit_ids};

/// Encodes components.
#[derive(Debug, Default)]
pub(crate) struct Encoder {
    /// What has a code, by position.
    named: Vec<u32>,
    /// Two unnamed things that are read as each other.
    swapped: Option<(u32, u32)>,
    tries: usize,
    gave_up: bool,
}

/// More tries than this in one encoding are not worth it.
const MAX_TRIES: usize = 2_000;

const KILL: u32 = 1;
const INVOKE: u32 = 2;
const CHOICE: u32 = 3;
const PROTECTION: u32 = 4;
const SCOPE: u32 = 5;
const REPLICATION: u32 = 6;
const CONSTANT: u32 = 7;
const NAMED: u32 = 8;
const FREE: u32 = 9;

impl Encoder {
    /// The encoding of components in which `locals` are bound; what else is delimited outside stands for itself.
    pub(crate) fn encode(&mut self, body: &[&Process], locals: &[Id]) -> Vec<u32> {
        self.tries = 0;
        let mut out = Vec::new();
        self.components(body, locals, &mut out);
        out
    }

    /// Whether some encoding since the start may not be the only one of its term.
    pub(crate) fn gave_up(&self) -> bool {
        self.gave_up
    }

    fn components(&mut self, body: &[&Process], locals: &[Id], out: &mut Vec<u32>) {
        let mut encodings: Vec<Vec<u32>> = groups(body, locals)
            .into_iter()
            .map(|group| {
                let mut encoding = Vec::new();
                match group.members.as_slice() {
                    // Without anything shared, a group is a single component.
                    [process] if group.locals.is_empty() || is_sink(process) => {
                        encoding.push(0);
                        self.process(process, &group.locals, &mut encoding);
                    }
                    members => self.group(members, &group.locals, &mut encoding),
                }
                encoding
            })
            .collect();
        encodings.sort_unstable();
        out.push(encodings.len() as u32);
        encodings
            .iter()
            .for_each(|encoding| out.extend_from_slice(encoding));
    }

    /// A group that is connected by `locals`.
    fn group(&mut self, members: &[&Process], all: &[Id], out: &mut Vec<u32>) {
        let Sunk { inside, shared } = sink(members, all);
        let locals = shared.as_slice();
        let colours = self.refine(members, locals);
        let mut order: Vec<usize> = (0..locals.len()).collect();
        order.sort_by_key(|&local| colours[local]);
        let classes: Vec<&[usize]> = order
            .chunk_by(|&left, &right| colours[left] == colours[right])
            .collect();
        let singles: Vec<Id> = classes
            .iter()
            .filter(|class| class.len() == 1)
            .map(|class| locals[class[0]])
            .collect();
        if !singles.is_empty() {
            self.with_codes(members, all, &singles, out);
            return;
        }
        let Some(class) = classes.iter().min_by_key(|class| class.len()) else {
            return;
        };
        let mut best: Option<Vec<u32>> = None;
        let mut tried: Vec<usize> = Vec::new();
        for &local in *class {
            if best.is_some() {
                if self.tries >= MAX_TRIES {
                    self.gave_up = true;
                    break;
                }
                let is_like_one_tried = tried.iter().any(|&other| {
                    self.exchangeable(members, &inside, locals[local], locals[other])
                });
                if is_like_one_tried {
                    continue;
                }
            }
            self.tries += 1;
            tried.push(local);
            let mut encoding = Vec::new();
            self.with_codes(members, all, &[locals[local]], &mut encoding);
            if best.as_ref().is_none_or(|best| encoding < *best) {
                best = Some(encoding);
            }
        }
        out.append(&mut best.unwrap_or_default());
    }

    /// Gives the chosen locals the next codes and continues with the others.
    fn with_codes(
        &mut self,
        members: &[&Process],
        locals: &[Id],
        chosen: &[Id],
        out: &mut Vec<u32>,
    ) {
        let known = self.named.len();
        out.push(chosen.len() as u32);
        for &id in chosen {
            out.extend(face(id));
            self.named.push(id.number);
        }
        let rest: Vec<Id> = locals
            .iter()
            .filter(|id| !chosen.contains(id))
            .copied()
            .collect();
        self.components(members, &rest, out);
        self.named.truncate(known);
    }

    /// Whether exchanging two locals changes nothing.
    fn exchangeable(
        &mut self,
        members: &[&Process],
        inside: &[Vec<Id>],
        one: Id,
        other: Id,
    ) -> bool {
        // Exchanges are only asked about one at a time: within an exchange, everything counts as different.
        if face(one) != face(other) || self.swapped.is_some() {
            return false;
        }
        let sorted = |encoder: &mut Self| {
            let mut encodings: Vec<Vec<u32>> = members
                .iter()
                .zip(inside)
                .map(|(process, inside)| {
                    let mut encoding = Vec::new();
                    encoder.process(process, inside, &mut encoding);
                    encoding
                })
                .collect();
            encodings.sort_unstable();
            encodings
        };
        let plain = sorted(self);
        self.swapped = Some((one.number, other.number));
        let swapped = sorted(self);
        self.swapped = None;
        plain == swapped
    }

    /// A component; `inside` is delimited just inside it, which only scopes and protections allow.
    fn process(&mut self, process: &Process, inside: &[Id], out: &mut Vec<u32>) {
        match process {
            Process::Kill(label, _) => {
                out.push(KILL);
                self.atom(Atom::Bound(*label), out);
            }
            Process::Invoke(message) => {
                out.push(INVOKE);
                self.message(message, out);
            }
            Process::Choice(receives) => {
                out.extend([CHOICE, receives.len() as u32]);
                let mut branches: Vec<Vec<u32>> = receives
                    .iter()
                    .map(|receive| {
                        let mut branch = Vec::new();
                        self.message(&receive.message, &mut branch);
                        self.block(&receive.continuation, &mut branch);
                        branch
                    })
                    .collect();
                branches.sort_unstable();
                branches
                    .iter()
                    .for_each(|branch| out.extend_from_slice(branch));
            }
            Process::Protection(body) => {
                out.push(PROTECTION);
                self.components(&references(body), inside, out);
            }
            Process::Scope(labels, body) => {
                out.push(SCOPE);
                self.components(&references(body), &[labels, inside].concat(), out);
            }
            Process::Replication(block) => {
                out.push(REPLICATION);
                self.block(block, out);
            }
        }
    }

    fn block(&mut self, block: &Block, out: &mut Vec<u32>) {
        self.components(&references(&block.body), &block.ids, out);
    }

    fn message(&mut self, message: &Message, out: &mut Vec<u32>) {
        out.push(message.tuple.len() as u32);
        message.atoms().for_each(|atom| self.atom(atom, out));
    }

    fn atom(&mut self, atom: Atom, out: &mut Vec<u32>) {
        match atom {
            Atom::Constant(symbol) => out.extend([CONSTANT, symbol]),
            Atom::Bound(id) => match self.code(id.number) {
                Some(code) => out.extend([NAMED, code]),
                None => {
                    let number = match self.swapped {
                        Some((one, other)) if id.number == one => other,
                        Some((one, other)) if id.number == other => one,
                        _ => id.number,
                    };
                    out.extend([FREE, number]);
                }
            },
        }
    }

    fn code(&self, number: u32) -> Option<u32> {
        let position = self.named.iter().rposition(|&named| named == number)?;
        Some(position as u32)
    }

    /// A colour for each local that does not depend on names, on order or on the numbers of locals.
    fn refine(&self, members: &[&Process], locals: &[Id]) -> Vec<u64> {
        let positions = positions(locals);
        let mut colours: Vec<u64> = locals.iter().map(|&id| face_hash(id)).collect();
        if locals.len() < 2 {
            return colours;
        }
        let uses: Vec<Vec<usize>> = members
            .iter()
            .map(|process| local_positions(process, &positions))
            .collect();
        let mut classes = distinct(&colours);
        loop {
            let mut next: Vec<u64> = colours.iter().map(|&colour| mix(1, colour)).collect();
            for (process, used) in members.iter().zip(&uses) {
                for &local in used {
                    let view = View {
                        encoder: self,
                        positions: &positions,
                        colours: &colours,
                        marked: local,
                    };
                    next[local] = next[local].wrapping_add(mix(2, view.process(process)));
                }
            }
            colours = next;
            let now = distinct(&colours);
            if now == classes || now == locals.len() {
                return colours;
            }
            classes = now;
        }
    }
}

/// How the world looks from one local.
struct View<'a> {
    encoder: &'a Encoder,
    positions: &'a FxHashMap<u32, usize>,
    colours: &'a [u64],
    marked: usize,
}

impl View<'_> {
    fn process(&self, process: &Process) -> u64 {
        match process {
            Process::Kill(label, _) => mix(u64::from(KILL), self.atom(Atom::Bound(*label))),
            Process::Invoke(message) => mix(u64::from(INVOKE), self.message(message)),
            Process::Choice(receives) => {
                let branches = receives.iter().map(|receive| {
                    let message = self.message(&receive.message);
                    mix(message, self.body(&receive.continuation.body))
                });
                mix(u64::from(CHOICE), sum(branches))
            }
            Process::Protection(body) => mix(u64::from(PROTECTION), self.body(body)),
            Process::Scope(labels, body) => {
                mix(u64::from(SCOPE) + labels.len() as u64, self.body(body))
            }
            Process::Replication(block) => mix(u64::from(REPLICATION), self.body(&block.body)),
        }
    }

    fn body(&self, body: &[Process]) -> u64 {
        sum(body.iter().map(|process| self.process(process)))
    }

    fn message(&self, message: &Message) -> u64 {
        message
            .atoms()
            .fold(17, |hash, atom| mix(hash, self.atom(atom)))
    }

    fn atom(&self, atom: Atom) -> u64 {
        match atom {
            Atom::Constant(symbol) => mix(u64::from(CONSTANT), u64::from(symbol)),
            Atom::Bound(id) => match (self.positions.get(&id.number), self.encoder.code(id.number))
            {
                (Some(&local), _) if local == self.marked => 0x5eed,
                (Some(&local), _) => self.colours[local],
                (None, Some(code)) => mix(u64::from(NAMED), u64::from(code)),
                (None, None) => face_hash(id),
            },
        }
    }
}

fn sum(hashes: impl Iterator<Item = u64>) -> u64 {
    hashes.fold(0, |total, hash| total.wrapping_add(mix(3, hash)))
}

/// What everyone sees of something delimited: its kind, and the spelling of a name.
///
/// Labels of transitions show private names as they are spelt, so states that differ in the spelling of a private name
/// differ in what can be observed, and must not be one state.
fn face(id: Id) -> [u32; 2] {
    match id.kind {
        Kind::Name => [1, id.spelling],
        Kind::Variable => [2, 0],
        Kind::Label => [3, 0],
    }
}

fn face_hash(id: Id) -> u64 {
    let [kind, spelling] = face(id);
    mix(u64::from(kind), u64::from(spelling))
}

/// The finaliser of SplitMix64 over a combination of both.
fn mix(left: u64, right: u64) -> u64 {
    let mut mixed = left
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(23)
        .wrapping_add(right)
        .wrapping_add(0x632b_e59b_d9b4_e019);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn distinct(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

fn references(body: &[Process]) -> Vec<&Process> {
    body.iter().collect()
}

fn local_positions(process: &Process, positions: &FxHashMap<u32, usize>) -> Vec<usize> {
    let mut used = Vec::new();
    visit_ids(std::slice::from_ref(process), &mut |id| {
        used.extend(positions.get(&id.number));
    });
    used.sort_unstable();
    used.dedup();
    used
}

/// Whether what occurs in a component alone may as well be delimited inside it: `[x]{s} ≡ {[x]s}`, `[x][k]s ≡ [k][x]s`.
fn is_sink(process: &Process) -> bool {
    matches!(process, Process::Scope(..) | Process::Protection(_))
}

/// What a connected group shares, and what may as well be delimited inside one of its members.
struct Sunk {
    /// For each member.
    inside: Vec<Vec<Id>>,
    shared: Vec<Id>,
}

fn sink(members: &[&Process], locals: &[Id]) -> Sunk {
    let positions = positions(locals);
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); locals.len()];
    for (index, process) in members.iter().enumerate() {
        for local in local_positions(process, &positions) {
            users[local].push(index);
        }
    }
    let mut sunk = Sunk {
        inside: vec![Vec::new(); members.len()],
        shared: Vec::new(),
    };
    for (users, &id) in users.iter().zip(locals) {
        match users.as_slice() {
            &[only] if is_sink(members[only]) => sunk.inside[only].push(id),
            _ => sunk.shared.push(id),
        }
    }
    sunk
}

fn positions(locals: &[Id]) -> FxHashMap<u32, usize> {
    locals
        .iter()
        .enumerate()
        .map(|(position, id)| (id.number, position))
        .collect()
}

/// Components that are connected by what they share.
pub(crate) struct Group<'p> {
    pub(crate) members: Vec<&'p Process>,
    pub(crate) locals: Vec<Id>,
}

/// Splits components into connected groups; locals that do not occur are left out.
pub(crate) fn groups<'p>(body: &[&'p Process], locals: &[Id]) -> Vec<Group<'p>> {
    let single = |process: &'p Process| Group {
        members: vec![process],
        locals: Vec::new(),
    };
    if locals.is_empty() {
        return body.iter().map(|process| single(process)).collect();
    }
    let positions = positions(locals);
    // For each local, the group that has it; groups that are joined forward to the earlier one.
    let mut owner: Vec<Option<usize>> = vec![None; locals.len()];
    let mut forward: Vec<usize> = (0..body.len()).collect();
    let root = |forward: &[usize], mut group: usize| {
        while forward[group] != group {
            group = forward[group];
        }
        group
    };
    for (index, process) in body.iter().enumerate() {
        for local in local_positions(process, &positions) {
            let own = root(&forward, index);
            match owner[local] {
                None => owner[local] = Some(own),
                Some(other) => {
                    let other = root(&forward, other);
                    let (low, high) = (own.min(other), own.max(other));
                    forward[high] = low;
                }
            }
        }
    }
    let mut found: Vec<Option<Group<'p>>> = (0..body.len()).map(|_| None).collect();
    for (index, process) in body.iter().enumerate() {
        let group = root(&forward, index);
        match &mut found[group] {
            Some(group) => group.members.push(process),
            empty => *empty = Some(single(process)),
        }
    }
    for (local, owner) in owner.iter().enumerate() {
        if let Some(owner) = owner
            && let Some(group) = &mut found[root(&forward, *owner)]
        {
            group.locals.push(locals[local]);
        }
    }
    found.into_iter().flatten().collect()
}
