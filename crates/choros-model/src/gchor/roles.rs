//! Who takes part in what.

use choros_base::Name;
use rustc_hash::FxHashMap;

use super::{Form, Gchor, NodeId};

/// The participants of a g-choreography and of each of its nodes.
#[derive(Debug, Clone, Default)]
pub struct Roles {
    names: Vec<Name>,
    numbers: FxHashMap<Name, usize>,
    sets: Vec<RoleSet>,
}

/// A set of participants, by their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct RoleSet {
    words: Vec<u64>,
}

impl Roles {
    pub(super) fn of(gchor: &Gchor) -> Roles {
        let mut roles = Roles::default();
        for id in gchor.in_order() {
            if let Form::Interaction(interaction) = gchor.form(id) {
                for name in [interaction.from, interaction.to] {
                    let next = roles.names.len();
                    if *roles.numbers.entry(name).or_insert(next) == next {
                        roles.names.push(name);
                    }
                }
            }
        }
        for id in gchor.ids() {
            let mut set = RoleSet::default();
            match gchor.form(id) {
                Form::Interaction(interaction) => {
                    for name in [interaction.from, interaction.to] {
                        if let Some(&number) = roles.numbers.get(&name) {
                            set.insert(number);
                        }
                    }
                }
                form => {
                    for part in form.parts() {
                        set.add(&roles.sets[part.index()]);
                    }
                }
            }
            roles.sets.push(set);
        }
        roles
    }

    /// The participants, in the order of first mention; their numbers are positions here.
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// The number of a participant.
    pub fn number(&self, name: Name) -> Option<usize> {
        self.numbers.get(&name).copied()
    }

    /// Those that take part in a node.
    pub fn of_node(&self, id: NodeId) -> &RoleSet {
        &self.sets[id.index()]
    }

    /// Whether one takes part in a node.
    pub fn takes_part(&self, name: Name, id: NodeId) -> bool {
        self.number(name)
            .is_some_and(|number| self.of_node(id).contains(number))
    }
}

impl RoleSet {
    /// Adds one.
    pub fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (number % 64);
    }

    /// Adds all of another set.
    pub fn add(&mut self, other: &RoleSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (own, more) in self.words.iter_mut().zip(&other.words) {
            *own |= more;
        }
    }

    /// Whether it holds a number.
    pub fn contains(&self, number: usize) -> bool {
        let word = self.words.get(number / 64).copied().unwrap_or(0);
        word & (1 << (number % 64)) != 0
    }

    /// Its numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.words.len() * 64).filter(|&number| self.contains(number))
    }

    /// How many it holds.
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }
}
