//! A pomset and the ways to compose it.

use choros_base::{Budget, Name, StopReason};

use super::Event;
use crate::gchor::Interaction;

/// Events, some before others.
///
/// An event has its number, and what is directly before it has a smaller one.
/// The lists of what is before an event generate the order: it is their reflexive and transitive closure.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pomset {
    events: Vec<Event>,
    before: Vec<Vec<u32>>,
}

impl Pomset {
    /// Without events; `⟦(o)⟧` has just this one.
    pub fn empty() -> Pomset {
        Pomset::default()
    }

    /// `AB!m → AB?m`.
    pub fn interaction(interaction: Interaction) -> Pomset {
        Pomset {
            events: vec![Event::output(interaction), Event::input(interaction)],
            before: vec![Vec::new(), vec![0]],
        }
    }

    /// Adds an event after some that are there.
    pub fn push(&mut self, event: Event, before: &[u32]) -> u32 {
        let number = self.events.len() as u32;
        self.events.push(event);
        self.before
            .push(before.iter().copied().filter(|&it| it < number).collect());
        number
    }

    /// Puts another beside it: disjoint union, no new order.
    pub fn add_parallel(&mut self, other: &Pomset) {
        self.add_events(other, |_| Vec::new());
    }

    /// Puts another after it: every event of a participant here comes before every event of the same participant
    /// there.
    ///
    /// The thesis says this of outputs only, and its examples 2.1 and 2.2 order inputs too; they are right.
    pub fn append(&mut self, other: &Pomset) {
        let mut last: Vec<(Name, Vec<u32>)> = Vec::new();
        for subject in other.subjects() {
            last.push((subject, self.last_of(subject)));
        }
        let first: Vec<bool> = other.first_of_each();
        self.add_events(other, |number| {
            if first[number] {
                let subject = other.events[number].subject();
                let found = last.iter().find(|(name, _)| *name == subject);
                found.map_or_else(Vec::new, |(_, events)| events.clone())
            } else {
                Vec::new()
            }
        });
    }

    fn add_events(&mut self, other: &Pomset, more: impl Fn(usize) -> Vec<u32>) {
        let shift = self.events.len() as u32;
        for (number, event) in other.events.iter().enumerate() {
            let mut before = more(number);
            before.extend(other.before[number].iter().map(|it| it + shift));
            self.events.push(*event);
            self.before.push(before);
        }
    }

    /// The events; their numbers are positions here.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether nothing happens.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// What was put directly before an event; some of it may be before it for other reasons too.
    pub fn predecessors(&self, event: u32) -> &[u32] {
        &self.before[event as usize]
    }

    /// Who does something, in the order of events.
    pub fn subjects(&self) -> Vec<Name> {
        let mut subjects = Vec::new();
        for event in &self.events {
            if !subjects.contains(&event.subject()) {
                subjects.push(event.subject());
            }
        }
        subjects
    }

    /// For each event, everything before it, as rows of bits; quadratic in the number of events.
    pub fn closure(&self) -> Vec<Vec<u64>> {
        let words = self.events.len().div_ceil(64);
        let mut rows: Vec<Vec<u64>> = Vec::with_capacity(self.events.len());
        for before in &self.before {
            let mut row = vec![0_u64; words];
            for &event in before {
                for (own, more) in row.iter_mut().zip(&rows[event as usize]) {
                    *own |= more;
                }
                row[event as usize / 64] |= 1 << (event % 64);
            }
            rows.push(row);
        }
        rows
    }

    /// The order without what follows from the rest of it (the Hasse diagram): pairs of events, the earlier first.
    pub fn steps(&self) -> Vec<(u32, u32)> {
        let closure = self.closure();
        let is_before = |earlier: u32, later: u32| {
            closure[later as usize][earlier as usize / 64] & (1 << (earlier % 64)) != 0
        };
        let mut steps = Vec::new();
        for (number, before) in self.before.iter().enumerate() {
            let mut direct: Vec<u32> = before
                .iter()
                .copied()
                .filter(|&one| !before.iter().any(|&other| is_before(one, other)))
                .collect();
            direct.sort_unstable();
            direct.dedup();
            steps.extend(direct.into_iter().map(|one| (one, number as u32)));
        }
        steps
    }

    /// All its linearisations as words of event numbers, by listing them; the textbook way, for small ones.
    ///
    /// Each prefix takes a step of the budget.
    pub fn linearisations(&self, budget: &Budget) -> Result<Vec<Vec<u32>>, StopReason> {
        let mut found = Vec::new();
        let mut open: Vec<Vec<u32>> = vec![Vec::new()];
        while let Some(word) = open.pop() {
            budget.spend()?;
            if word.len() == self.events.len() {
                found.push(word);
                continue;
            }
            for number in (0..self.events.len() as u32).rev() {
                let is_next = !word.contains(&number)
                    && self
                        .predecessors(number)
                        .iter()
                        .all(|earlier| word.contains(earlier));
                if is_next {
                    let mut longer = word.clone();
                    longer.push(number);
                    open.push(longer);
                }
            }
        }
        Ok(found)
    }

    /// The events of a participant that no other event of the same comes after, by the lists alone.
    fn last_of(&self, subject: Name) -> Vec<u32> {
        let own: Vec<u32> = (0..self.events.len() as u32)
            .filter(|&number| self.events[number as usize].subject() == subject)
            .collect();
        let mut followed = vec![false; self.events.len()];
        for &number in &own {
            for &earlier in self.predecessors(number) {
                followed[earlier as usize] = true;
            }
        }
        own.into_iter()
            .filter(|&number| !followed[number as usize])
            .collect()
    }

    /// For each event, whether the lists put no other event of its subject before it.
    fn first_of_each(&self) -> Vec<bool> {
        self.events
            .iter()
            .zip(&self.before)
            .map(|(event, before)| {
                !before
                    .iter()
                    .any(|&it| self.events[it as usize].subject() == event.subject())
            })
            .collect()
    }
}
