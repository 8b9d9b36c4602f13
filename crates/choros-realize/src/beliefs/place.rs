//! Where a role may stand, what its variables stand for, and what was said about what it does not know.

use choros_data::{Op, Quantifier, Sort, Term, TermKind, Terms, Var};
use choros_model::stg::{NodeId, Stg};
use choros_smt::Elimination;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Beliefs, Halt};

/// One place of a belief.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) node: NodeId,
    /// For variables of the part, the variable of the belief, or the unknown, that has its value.
    pub(super) values: FxHashMap<Var, Var>,
    /// All that was said about unknowns.
    pub(super) condition: Term,
}

impl Place {
    pub(super) fn at(node: NodeId) -> Place {
        Place {
            node,
            values: FxHashMap::default(),
            condition: Term::TRUE,
        }
    }

    pub(super) fn set(&mut self, variable: Var, value: Var) {
        self.values.insert(variable, value);
    }

    pub(super) fn get(&self, variable: Var) -> Option<Var> {
        self.values.get(&variable).copied()
    }

    /// Whether a variable of the part, other than one, has the value of a variable of the belief.
    pub(super) fn lends(&self, value: Var, other_than: Var) -> bool {
        let mut all = self.values.iter();
        all.any(|(&variable, &its)| its == value && variable != other_than)
    }

    /// A term of the part, in terms of the belief.
    pub(super) fn read(&self, term: Term, terms: &mut Terms) -> Term {
        let replacement: FxHashMap<Var, Term> = self
            .values
            .iter()
            .map(|(&variable, &value)| (variable, terms.var(value)))
            .collect();
        terms.substitute(term, &replacement)
    }

    /// The place with one variable of the belief called otherwise.
    pub(super) fn rename(&mut self, from: Var, to: Var, terms: &mut Terms) {
        let called = self.values.values_mut().filter(|it| **it == from);
        called.for_each(|it| *it = to);
        let replacement = FxHashMap::from_iter([(from, terms.var(to))]);
        self.condition = terms.substitute(self.condition, &replacement);
    }

    /// Whether it is the same place with the same values, whatever the condition.
    pub(super) fn stands_as(&self, other: &Place) -> bool {
        self.node == other.node && self.values == other.values
    }

    /// The variables of the belief that it speaks of.
    pub(super) fn speaks_of(&self, terms: &Terms) -> FxHashSet<Var> {
        let spoken = terms.free_variables(self.condition).into_iter();
        spoken.chain(self.values.values().copied()).collect()
    }
}

/// Names for values that a role does not know; each place has its own.
pub(super) struct Unknowns {
    by_sort: FxHashMap<Sort, Vec<Var>>,
    all: FxHashSet<Var>,
    taken: FxHashSet<String>,
}

impl Unknowns {
    pub(super) fn new(part: &Stg, terms: &Terms) -> Unknowns {
        let variables = part.variables(terms).into_iter();
        Unknowns {
            by_sort: FxHashMap::default(),
            all: FxHashSet::default(),
            taken: variables
                .map(|it| terms.variable_text(it).to_owned())
                .collect(),
        }
    }

    pub(super) fn contains(&self, variable: Var) -> bool {
        self.all.contains(&variable)
    }

    /// An unknown for a value like that of `like` of which a place does not speak.
    pub(super) fn other_than(&mut self, place: &Place, like: Var, terms: &mut Terms) -> Var {
        let spoken = place.speaks_of(terms);
        self.first(terms.variable_sort(like), |it| !spoken.contains(&it), terms)
    }

    fn first(&mut self, sort: Sort, fits: impl Fn(Var) -> bool, terms: &mut Terms) -> Var {
        let known = self.by_sort.entry(sort).or_default();
        if let Some(&found) = known.iter().find(|&&it| fits(it)) {
            return found;
        }
        let mut name = format!("unknown@{}", self.all.len() + 1);
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        let name = terms.names.intern(&name);
        let new = terms.variable(name, sort);
        known.push(new);
        self.all.insert(new);
        new
    }
}

impl Beliefs<'_> {
    /// The place without what does not matter any more, with its unknowns called in the order of the graph.
    pub(super) fn normal(&mut self, mut place: Place) -> Result<Place, Halt> {
        let free = &self.free;
        place
            .values
            .retain(|&variable, _| free.contains(place.node, variable));
        place.condition = self.without_dead(&place)?;
        let mut found: Vec<Var> = Vec::new();
        for variable in &self.order {
            found.extend(place.get(*variable));
        }
        found.extend(self.terms.free_variables(place.condition));
        let mut names: FxHashMap<Var, Var> = FxHashMap::default();
        let mut used: FxHashSet<Var> = FxHashSet::default();
        for unknown in found {
            if self.unknowns.contains(unknown) && !names.contains_key(&unknown) {
                let sort = self.terms.variable_sort(unknown);
                let new = self
                    .unknowns
                    .first(sort, |it| !used.contains(&it), self.terms);
                used.insert(new);
                names.insert(unknown, new);
            }
        }
        let values = place.values.values_mut();
        values.for_each(|it| *it = names.get(it).copied().unwrap_or(*it));
        let replacement: FxHashMap<Var, Term> = names
            .iter()
            .map(|(&from, &to)| (from, self.terms.var(to)))
            .collect();
        place.condition = self.terms.substitute(place.condition, &replacement);
        Ok(place)
    }

    /// The condition without unknowns that no variable stands for, where that can be said.
    fn without_dead(&mut self, place: &Place) -> Result<Term, Halt> {
        let live: FxHashSet<Var> = place.values.values().copied().collect();
        let conjuncts = conjuncts(place.condition, self.terms);
        let mut left: Vec<(Term, Vec<Var>)> = conjuncts
            .into_iter()
            .map(|it| (it, self.terms.free_variables(it)))
            .collect();
        let mut kept: Vec<Term> = Vec::new();
        while let Some((first, variables)) = left.pop() {
            let unknowns = &self.unknowns;
            let mut reached: FxHashSet<Var> = variables
                .iter()
                .copied()
                .filter(|&it| unknowns.contains(it))
                .collect();
            let mut together = vec![first];
            while let Some(at) = left
                .iter()
                .position(|(_, its)| its.iter().any(|it| reached.contains(it)))
            {
                let (term, its) = left.swap_remove(at);
                together.push(term);
                reached.extend(its.into_iter().filter(|&it| unknowns.contains(it)));
            }
            let dead: Vec<Var> = reached
                .into_iter()
                .filter(|it| !live.contains(it))
                .collect();
            together.sort_unstable_by_key(|it| it.index());
            let whole = self.terms.and(together);
            if dead.is_empty() {
                kept.push(whole);
                continue;
            }
            // An unknown that is not eliminated stays: it is existential later, too.
            kept.push(self.eliminated(whole, &dead)?);
        }
        kept.sort_unstable_by_key(|it| it.index());
        Ok(self.terms.and(kept))
    }

    fn eliminated(&mut self, condition: Term, dead: &[Var]) -> Result<Term, Halt> {
        let free = self.terms.free_variables(condition);
        if free.iter().all(|it| dead.contains(it)) && self.is_possible(condition)? {
            return Ok(Term::TRUE);
        }
        let mut dead: Vec<Var> = dead.to_vec();
        dead.sort_unstable_by_key(|it| free.iter().position(|its| its == it));
        let question = self.terms.quantify(Quantifier::Exists, &dead, condition);
        Ok(match self.solver.eliminate(self.terms, question)? {
            Elimination::Free(found) => self.terms.simplify(found),
            Elimination::Quantified(_) => condition,
        })
    }

    /// What all places say of known values is so wherever the belief is reached, and need not be said again.
    pub(super) fn forget_common(&mut self, places: &mut [Place]) {
        let is_known = |term: Term, terms: &Terms| {
            let free = terms.free_variables(term);
            !free.iter().any(|&it| self.unknowns.contains(it))
        };
        let Some(first) = places.first() else {
            return;
        };
        let mut common = conjuncts(first.condition, self.terms);
        common.retain(|&it| is_known(it, self.terms));
        for place in &places[1..] {
            let own = conjuncts(place.condition, self.terms);
            common.retain(|it| own.contains(it));
        }
        for place in places {
            let mut own = conjuncts(place.condition, self.terms);
            own.retain(|it| !common.contains(it));
            place.condition = self.terms.and(own);
        }
    }
}

fn conjuncts(condition: Term, terms: &Terms) -> Vec<Term> {
    match terms.kind(condition) {
        TermKind::Apply(Op::And, parts) => parts.to_vec(),
        _ if condition == Term::TRUE => Vec::new(),
        _ => vec![condition],
    }
}
