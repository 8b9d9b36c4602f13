//! What is left of a g-choreography after some events, step by step.
//!
//! `⟦G⟧` may hold very many pomsets, so its language is not computed from them but from rules in the style of Mauw and
//! Reniers' semantics of message sequence charts:
//!
//! - `A -> B : m` does `AB!m` and leaves its reception, which does `AB?m` and leaves nothing;
//! - in `G ; G'` an event of `G` is always possible; an event of `G'` by a participant `X` is possible when `G` can go
//!   on without `X`, and then `G` is cut down to the branches in which `X` does nothing (*permission*);
//! - `G | G'` does what either does, `G + G'` what one of them does, and `repeat G` is `(o) + G;repeat G`.
//!
//! An event of `G'` by `X` comes after exactly the events of `X` in `G` and what is before those; so the words of these
//! rules are the linearisations of the pomsets of `G`, and `tests/gchor_language.rs` compares them with a listing of the
//! pomsets.

use std::rc::Rc;

use choros_base::Name;
use choros_model::gchor::{Form, Gchor, Interaction};
use choros_model::pomset::Event;
use rustc_hash::FxHashMap;

/// What is left: a position in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Residual(u32);

choros_base::indices!(Residual);

/// An event of the g-choreography: a position in [`Residuals::events`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub u32);

choros_base::indices!(EventId);

/// The store of what can be left.
pub struct Residuals {
    roles: Vec<Name>,
    events: Vec<Event>,
    /// The participant of each event, by number.
    subjects: Vec<u32>,
    event_ids: FxHashMap<Event, EventId>,
    terms: Vec<Term>,
    ids: FxHashMap<Term, Residual>,
    /// Who takes part, in each term, ascending.
    parties: Vec<Rc<[u32]>>,
    ends: Vec<bool>,
    steps: FxHashMap<Residual, Rc<[(EventId, Residual)]>>,
    skips: FxHashMap<(Residual, u32), Option<Residual>>,
    start: Residual,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Term {
    Empty,
    Interaction(u32),
    Reception(u32),
    /// What comes first, which is not a sequence, and the rest, which may be one: long sequences share their ends.
    Sequence(Residual, Residual),
    Fork(Rc<[Residual]>),
    Choice(Rc<[Residual]>),
    Repeat(Residual),
}

impl Residuals {
    /// The store that starts with the whole of a g-choreography.
    pub fn new(gchor: &Gchor) -> Residuals {
        let interactions = gchor.interactions();
        let roles = gchor.roles();
        let mut residuals = Residuals {
            roles: roles.names().to_vec(),
            events: Vec::new(),
            subjects: Vec::new(),
            event_ids: FxHashMap::default(),
            terms: Vec::new(),
            ids: FxHashMap::default(),
            parties: Vec::new(),
            ends: Vec::new(),
            steps: FxHashMap::default(),
            skips: FxHashMap::default(),
            start: Residual(0),
        };
        let mut numbers: FxHashMap<Interaction, u32> = FxHashMap::default();
        for (number, &interaction) in interactions.iter().enumerate() {
            numbers.insert(interaction, number as u32);
            for event in [Event::output(interaction), Event::input(interaction)] {
                let id = EventId(residuals.events.len() as u32);
                residuals.events.push(event);
                residuals.event_ids.insert(event, id);
                let subject = roles.number(event.subject()).unwrap_or(usize::MAX);
                residuals.subjects.push(subject as u32);
            }
        }
        let nothing = residuals.term(Term::Empty);
        let mut whole: Vec<Residual> = Vec::with_capacity(gchor.len());
        for id in gchor.ids() {
            let of = |part: &choros_model::gchor::NodeId| whole[part.index()];
            let residual = match gchor.form(id) {
                Form::Empty => nothing,
                Form::Interaction(interaction) => match numbers.get(interaction) {
                    Some(&number) => residuals.term(Term::Interaction(number)),
                    // A node that the root is not made of.
                    None => nothing,
                },
                Form::Sequence(parts) => {
                    let parts: Vec<Residual> = parts.iter().map(of).collect();
                    residuals.sequence(&parts)
                }
                Form::Fork(parts) => {
                    let parts: Vec<Residual> = parts.iter().map(of).collect();
                    residuals.fork(&parts)
                }
                Form::Choice { branches, .. } => {
                    let branches: Vec<Residual> = branches.iter().map(of).collect();
                    residuals.choice(branches).unwrap_or(nothing)
                }
                Form::Repeat { body, .. } => {
                    let body = of(body);
                    if body == nothing {
                        nothing
                    } else {
                        residuals.term(Term::Repeat(body))
                    }
                }
            };
            whole.push(residual);
        }
        residuals.start = gchor.root().map_or(nothing, |root| whole[root.index()]);
        residuals
    }

    /// The whole g-choreography.
    pub fn start(&self) -> Residual {
        self.start
    }

    /// The events, in the order of first mention, each output before its input.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The number of an event.
    pub fn event_id(&self, event: Event) -> Option<EventId> {
        self.event_ids.get(&event).copied()
    }

    /// The participants, in the order of first mention.
    pub fn roles(&self) -> &[Name] {
        &self.roles
    }

    /// Whether nothing need happen any more.
    pub fn ends(&self, residual: Residual) -> bool {
        self.ends[residual.index()]
    }

    /// The threads of a fork that share no event with each other: each group goes its own way.
    ///
    /// `None` where there are no two such groups.
    pub(crate) fn independent(&self, residual: Residual) -> Option<Vec<Vec<Residual>>> {
        let Term::Fork(parts) = &self.terms[residual.index()] else {
            return None;
        };
        let mut groups: Vec<(Vec<u32>, Vec<Residual>)> = Vec::new();
        for &part in parts.iter() {
            let mut alphabet = self.alphabet(part);
            let mut members = vec![part];
            groups.retain_mut(|(known, threads)| {
                let meets = known.iter().any(|it| alphabet.binary_search(it).is_ok());
                if meets {
                    alphabet.append(known);
                    alphabet.sort_unstable();
                    members.append(threads);
                }
                !meets
            });
            groups.push((alphabet, members));
        }
        (groups.len() > 1).then(|| groups.into_iter().map(|(_, threads)| threads).collect())
    }

    /// The interactions that may still happen, ascending.
    fn alphabet(&self, residual: Residual) -> Vec<u32> {
        let mut found = Vec::new();
        let mut open = vec![residual];
        while let Some(residual) = open.pop() {
            match &self.terms[residual.index()] {
                Term::Empty => {}
                Term::Interaction(number) | Term::Reception(number) => found.push(*number),
                Term::Fork(parts) | Term::Choice(parts) => open.extend(parts.iter()),
                Term::Sequence(first, rest) => open.extend([*first, *rest]),
                Term::Repeat(body) => open.push(*body),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What may happen next, and what is left then; in the order of events.
    ///
    /// Recursion is as deep as the g-choreography.
    pub fn steps(&mut self, residual: Residual) -> Rc<[(EventId, Residual)]> {
        if let Some(known) = self.steps.get(&residual) {
            return known.clone();
        }
        let mut found: Vec<(EventId, Residual)> = Vec::new();
        match self.terms[residual.index()].clone() {
            Term::Empty => {}
            Term::Interaction(number) => {
                let rest = self.term(Term::Reception(number));
                found.push((EventId(number * 2), rest));
            }
            Term::Reception(number) => {
                let rest = self.term(Term::Empty);
                found.push((EventId(number * 2 + 1), rest));
            }
            Term::Choice(parts) => {
                for &part in parts.iter() {
                    found.extend(self.steps(part).iter());
                }
            }
            Term::Fork(parts) => {
                for (position, &part) in parts.iter().enumerate() {
                    for &(event, rest) in self.steps(part).iter() {
                        let mut all = parts.to_vec();
                        all[position] = rest;
                        found.push((event, self.fork(&all)));
                    }
                }
            }
            Term::Sequence(..) => self.steps_of_sequence(residual, &mut found),
            Term::Repeat(body) => {
                for &(event, rest) in self.steps(body).iter() {
                    // Any number of rounds without the one who acts may lie before the round it acts in.
                    let subject = self.subjects[event.index()];
                    let mut parts: Vec<Residual> = Vec::new();
                    parts.extend(self.skip(residual, subject));
                    parts.extend([rest, residual]);
                    found.push((event, self.sequence(&parts)));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        let found: Rc<[_]> = found.into();
        self.steps.insert(residual, found.clone());
        found
    }

    fn steps_of_sequence(&mut self, whole: Residual, found: &mut Vec<(EventId, Residual)>) {
        // Who cannot act any more after the parts that were examined.
        let mut blocked = vec![false; self.roles.len()];
        let mut free = self.roles.len();
        let mut before: Vec<Residual> = Vec::new();
        let mut left = Some(whole);
        while let Some(at) = left {
            let (part, after) = match self.terms[at.index()] {
                Term::Sequence(part, after) => (part, Some(after)),
                _ => (at, None),
            };
            for &(event, rest) in self.steps(part).iter() {
                let subject = self.subjects[event.index()];
                if blocked[subject as usize] {
                    continue;
                }
                let mut all = Vec::with_capacity(before.len() + 2);
                for &earlier in &before {
                    // It is not blocked, so every part before can continue without it.
                    all.extend(self.skip(earlier, subject));
                }
                all.push(rest);
                all.extend(after);
                found.push((event, self.sequence(&all)));
            }
            for &role in self.parties[part.index()].clone().iter() {
                if !blocked[role as usize] && self.skip(part, role).is_none() {
                    blocked[role as usize] = true;
                    free -= 1;
                }
            }
            if free == 0 {
                break;
            }
            before.push(part);
            left = after;
        }
    }

    /// What is left when a participant is to do nothing any more; `None` when it must do something.
    fn skip(&mut self, residual: Residual, role: u32) -> Option<Residual> {
        if self.parties[residual.index()].binary_search(&role).is_err() {
            return Some(residual);
        }
        if let Some(&known) = self.skips.get(&(residual, role)) {
            return known;
        }
        let rest = match self.terms[residual.index()].clone() {
            Term::Empty => Some(residual),
            // It takes part, so it must.
            Term::Interaction(_) | Term::Reception(_) => None,
            Term::Sequence(..) => {
                let parts = self.parts(residual);
                self.skip_all(&parts, role)
                    .map(|parts| self.sequence(&parts))
            }
            Term::Fork(parts) => self.skip_all(&parts, role).map(|parts| self.fork(&parts)),
            Term::Choice(parts) => {
                let kept = parts
                    .iter()
                    .filter_map(|&part| self.skip(part, role))
                    .collect();
                self.choice(kept)
            }
            // Any number of rounds in which it does nothing, if there are such rounds.
            Term::Repeat(body) => match self.skip(body, role) {
                None => Some(self.term(Term::Empty)),
                Some(rest) if rest == self.term(Term::Empty) => Some(rest),
                Some(rest) => Some(self.term(Term::Repeat(rest))),
            },
        };
        self.skips.insert((residual, role), rest);
        rest
    }

    fn skip_all(&mut self, parts: &[Residual], role: u32) -> Option<Vec<Residual>> {
        parts.iter().map(|&part| self.skip(part, role)).collect()
    }

    fn sequence(&mut self, parts: &[Residual]) -> Residual {
        let mut whole = self.term(Term::Empty);
        for &part in parts.iter().rev() {
            if matches!(self.terms[whole.index()], Term::Empty) {
                // The end is taken as it is, however long.
                whole = part;
                continue;
            }
            for piece in self.parts(part).into_iter().rev() {
                whole = self.term(Term::Sequence(piece, whole));
            }
        }
        whole
    }

    /// The parts of a sequence; of anything else, itself, and of nothing none.
    fn parts(&self, residual: Residual) -> Vec<Residual> {
        let mut parts = Vec::new();
        let mut at = residual;
        loop {
            match self.terms[at.index()] {
                Term::Empty => return parts,
                Term::Sequence(first, rest) => {
                    parts.push(first);
                    at = rest;
                }
                _ => {
                    parts.push(at);
                    return parts;
                }
            }
        }
    }

    pub(crate) fn fork(&mut self, parts: &[Residual]) -> Residual {
        let mut flat = Vec::with_capacity(parts.len());
        for &part in parts {
            match &self.terms[part.index()] {
                Term::Empty => {}
                Term::Fork(inner) => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        match flat.len() {
            0 => self.term(Term::Empty),
            1 => flat[0],
            _ => self.term(Term::Fork(flat.into())),
        }
    }

    /// `None` when there is nothing to choose from.
    fn choice(&mut self, parts: Vec<Residual>) -> Option<Residual> {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match &self.terms[part.index()] {
                Term::Choice(inner) => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        match flat.len() {
            0 => None,
            1 => Some(flat[0]),
            _ => Some(self.term(Term::Choice(flat.into()))),
        }
    }

    fn term(&mut self, term: Term) -> Residual {
        if let Some(&known) = self.ids.get(&term) {
            return known;
        }
        let ends = |it: &Residual| self.ends[it.index()];
        let (parties, ends) = match &term {
            Term::Empty => (Vec::new(), true),
            Term::Interaction(number) => {
                let ends = [number * 2, number * 2 + 1];
                (ends.map(|it| self.subjects[it as usize]).to_vec(), false)
            }
            Term::Reception(number) => (vec![self.subjects[*number as usize * 2 + 1]], false),
            Term::Sequence(first, rest) => {
                let parts = [*first, *rest];
                (self.parties_of(&parts), parts.iter().all(ends))
            }
            Term::Fork(parts) => (self.parties_of(parts), parts.iter().all(ends)),
            Term::Choice(parts) => (self.parties_of(parts), parts.iter().any(ends)),
            Term::Repeat(body) => (self.parties_of(&[*body]), true),
        };
        let mut parties = parties;
        parties.sort_unstable();
        parties.dedup();
        let id = Residual(self.terms.len() as u32);
        self.parties.push(parties.into());
        self.ends.push(ends);
        self.terms.push(term.clone());
        self.ids.insert(term, id);
        id
    }

    fn parties_of(&self, parts: &[Residual]) -> Vec<u32> {
        let parties = parts.iter().map(|it| self.parties[it.index()].iter());
        parties.flatten().copied().collect()
    }
}
