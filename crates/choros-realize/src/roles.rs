//! Sets of roles as bits.

use choros_model::stg::{Role, Stg};
use rustc_hash::FxHashMap;

/// The roles of one graph, numbered by first occurrence.
#[derive(Debug, Clone)]
pub(crate) struct Roles {
    all: Vec<Role>,
    numbers: FxHashMap<Role, usize>,
}

/// Some roles of one graph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct RoleSet(Vec<u64>);

impl Roles {
    pub(crate) fn of(stg: &Stg) -> Self {
        let all = stg.roles();
        let numbers = all.iter().enumerate().map(|(i, &role)| (role, i)).collect();
        Self { all, numbers }
    }

    pub(crate) fn all(&self) -> &[Role] {
        &self.all
    }

    pub(crate) fn everybody(&self) -> RoleSet {
        let mut set = RoleSet::default();
        for number in 0..self.all.len() {
            set.insert(number);
        }
        set
    }

    /// The set of these roles; a role that does not occur in the graph is in no set.
    pub(crate) fn set(&self, roles: &[Role]) -> RoleSet {
        let mut set = RoleSet::default();
        for number in roles.iter().filter_map(|role| self.numbers.get(role)) {
            set.insert(*number);
        }
        set
    }

    pub(crate) fn contains(&self, set: &RoleSet, role: Role) -> bool {
        self.numbers
            .get(&role)
            .is_some_and(|&number| set.contains(number))
    }

    /// The members, in the order of numbers.
    pub(crate) fn members(&self, set: &RoleSet) -> Vec<Role> {
        (0..self.all.len())
            .filter(|&number| set.contains(number))
            .map(|number| self.all[number])
            .collect()
    }
}

impl RoleSet {
    pub(crate) fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        self.0
            .get(number / 64)
            .is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// Adds the members of `other` that are not in `except`; whether there were new ones.
    pub(crate) fn unite_without(&mut self, other: &RoleSet, except: &RoleSet) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut grown = false;
        for (index, word) in other.0.iter().enumerate() {
            let new = word & !except.0.get(index).copied().unwrap_or(0);
            grown |= new & !self.0[index] != 0;
            self.0[index] |= new;
        }
        grown
    }

    pub(crate) fn unite(&mut self, other: &RoleSet) -> bool {
        self.unite_without(other, &RoleSet::default())
    }

    /// Keeps the members that are in `other` too; whether any went.
    pub(crate) fn intersect(&mut self, other: &RoleSet) -> bool {
        let mut shrunk = false;
        for (index, word) in self.0.iter_mut().enumerate() {
            let kept = *word & other.0.get(index).copied().unwrap_or(0);
            shrunk |= kept != *word;
            *word = kept;
        }
        shrunk
    }
}
