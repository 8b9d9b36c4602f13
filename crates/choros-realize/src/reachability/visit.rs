//! What is known when a run arrives at a node.

use choros_data::{Op, Term, TermKind, Terms, Var};
use choros_model::stg::{Edge, EdgeId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::contradiction::Oracle;

/// A set of conjuncts over current values and ghosts.
#[derive(Debug, Clone, Default)]
pub(super) struct Visit {
    pub(super) conjuncts: Vec<Conjunct>,
    /// Whether conditions were forgotten on the way, so that it may allow values that no run brings.
    pub(super) guessed: bool,
}

/// One conjunct and where it comes from.
#[derive(Debug, Clone)]
pub(super) struct Conjunct {
    /// Over current values and ghosts.
    pub(super) formula: Term,
    /// The guards and updates it was made from, as they are written, with their edges.
    pub(super) sources: Vec<(Term, EdgeId)>,
}

/// Ghosts by number and sort, so that visits that differ only in the names of ghosts are equal.
#[derive(Debug, Default)]
pub(super) struct Ghosts {
    pool: Vec<FxHashMap<choros_data::Sort, Var>>,
    all: FxHashSet<Var>,
}

impl Visit {
    pub(super) fn formulas(&self) -> Vec<Term> {
        self.conjuncts
            .iter()
            .map(|conjunct| conjunct.formula)
            .collect()
    }

    /// Whether everything that `other` allows is allowed here: our conjuncts are among its.
    pub(super) fn covers(&self, other: &Visit) -> bool {
        if self.conjuncts.len() > other.conjuncts.len() {
            return false;
        }
        let known: FxHashSet<Term> = other.conjuncts.iter().map(|it| it.formula).collect();
        self.conjuncts.iter().all(|it| known.contains(&it.formula))
    }

    /// Keeps only what `other` says too; ghosts of the two are unrelated, so what speaks of them goes.
    pub(super) fn intersect(&mut self, other: &Visit, ghosts: &Ghosts, terms: &Terms) {
        let known: FxHashSet<Term> = other.conjuncts.iter().map(|it| it.formula).collect();
        self.conjuncts
            .retain(|it| known.contains(&it.formula) && !ghosts.occur_in(it.formula, terms));
    }

    /// The visit after an edge, which must be possible here; `live` are the variables free at its target.
    pub(super) fn after(
        &self,
        id: EdgeId,
        edge: &Edge,
        live: &dyn Fn(Var) -> bool,
        ghosts: &mut Ghosts,
        oracle: &mut Oracle<'_>,
        terms: &mut Terms,
    ) -> Visit {
        let mut conjuncts = self.conjuncts.clone();
        for formula in conjuncts_of(terms, edge.guard) {
            if !conjuncts.iter().any(|it| it.formula == formula) {
                conjuncts.push(Conjunct {
                    formula,
                    sources: vec![(formula, id)],
                });
            }
        }
        for variable in edge.event.bound_variables().collect::<Vec<_>>() {
            forget(&mut conjuncts, variable, terms, oracle);
        }
        // What the updates ask of the values that the event brought.
        let accepted = edge.accepts(terms);
        for formula in conjuncts_of(terms, accepted) {
            conjuncts.push(Conjunct {
                formula,
                sources: vec![(formula, id)],
            });
        }
        for update in &edge.updates {
            let value = if mentions(oracle, terms, update.value, update.variable) {
                let old = forget(&mut conjuncts, update.variable, terms, oracle);
                let old = terms.var(old);
                terms.substitute(
                    update.value,
                    &FxHashMap::from_iter([(update.variable, old)]),
                )
            } else {
                forget(&mut conjuncts, update.variable, terms, oracle);
                update.value
            };
            let variable = terms.var(update.variable);
            let formula = terms.equal(variable, value);
            let written = terms.equal(variable, update.value);
            conjuncts.push(Conjunct {
                formula,
                sources: vec![(written, id)],
            });
        }
        let mut visit = Visit {
            conjuncts,
            guessed: self.guessed,
        };
        visit.eliminate(live, terms, oracle);
        visit.drop_unconnected(live, terms, oracle);
        visit.name_ghosts(live, ghosts, terms, oracle);
        visit
    }

    /// Forgets every conjunct that speaks of a ghost.
    pub(super) fn drop_ghosts(&mut self, ghosts: &Ghosts, terms: &Terms) {
        self.conjuncts
            .retain(|it| !ghosts.occur_in(it.formula, terms));
    }

    /// How many ghosts it speaks of.
    pub(super) fn ghost_count(
        &self,
        ghosts: &Ghosts,
        oracle: &mut Oracle<'_>,
        terms: &Terms,
    ) -> usize {
        let mut found: FxHashSet<Var> = FxHashSet::default();
        for conjunct in &self.conjuncts {
            let variables = oracle.variables(terms, conjunct.formula);
            found.extend(variables.iter().filter(|it| ghosts.all.contains(it)));
        }
        found.len()
    }

    /// Replaces variables that no longer matter by the terms they are equated with.
    fn eliminate(
        &mut self,
        live: &dyn Fn(Var) -> bool,
        terms: &mut Terms,
        oracle: &mut Oracle<'_>,
    ) {
        let mut position = 0;
        while position < self.conjuncts.len() {
            let formula = self.conjuncts[position].formula;
            let Some((variable, term)) = definition(terms, oracle, formula, live) else {
                position += 1;
                continue;
            };
            let definition = self.conjuncts.remove(position);
            let replacement = FxHashMap::from_iter([(variable, term)]);
            for conjunct in &mut self.conjuncts {
                if mentions(oracle, terms, conjunct.formula, variable) {
                    conjunct.formula = terms.substitute(conjunct.formula, &replacement);
                    for source in &definition.sources {
                        if !conjunct.sources.contains(source) {
                            conjunct.sources.push(*source);
                        }
                    }
                }
            }
            self.conjuncts.retain(|it| it.formula != Term::TRUE);
            // A replacement may have turned an earlier conjunct into a definition.
            position = 0;
        }
    }

    fn drop_unconnected(
        &mut self,
        live: &dyn Fn(Var) -> bool,
        terms: &Terms,
        oracle: &mut Oracle<'_>,
    ) {
        let formulas = self.formulas();
        let mut seeds: Vec<Var> = Vec::new();
        for &formula in &formulas {
            let variables = oracle.variables(terms, formula);
            seeds.extend(variables.iter().copied().filter(|&variable| live(variable)));
        }
        let connected = oracle.connected(terms, &formulas, seeds);
        if connected.len() < self.conjuncts.len() {
            self.conjuncts = connected
                .into_iter()
                .map(|index| self.conjuncts[index].clone())
                .collect();
        }
    }

    /// Gives the variables that no longer matter names from the pool, in order of occurrence.
    fn name_ghosts(
        &mut self,
        live: &dyn Fn(Var) -> bool,
        ghosts: &mut Ghosts,
        terms: &mut Terms,
        oracle: &mut Oracle<'_>,
    ) {
        let mut replacement: FxHashMap<Var, Term> = FxHashMap::default();
        for conjunct in &self.conjuncts {
            let variables = oracle.variables(terms, conjunct.formula).to_vec();
            for variable in variables {
                if !live(variable) && !replacement.contains_key(&variable) {
                    let ghost = ghosts.numbered(replacement.len(), variable, terms);
                    let ghost = terms.var(ghost);
                    replacement.insert(variable, ghost);
                }
            }
        }
        for conjunct in &mut self.conjuncts {
            conjunct.formula = terms.substitute(conjunct.formula, &replacement);
        }
    }
}

impl Ghosts {
    fn numbered(&mut self, number: usize, like: Var, terms: &mut Terms) -> Var {
        while self.pool.len() <= number {
            self.pool.push(FxHashMap::default());
        }
        let sort = terms.variable_sort(like);
        let ghost = *self.pool[number]
            .entry(sort)
            .or_insert_with(|| terms.fresh_variable(like));
        self.all.insert(ghost);
        ghost
    }

    fn occur_in(&self, formula: Term, terms: &Terms) -> bool {
        terms
            .free_variables(formula)
            .iter()
            .any(|variable| self.all.contains(variable))
    }
}

/// The conjuncts of a formula.
pub(super) fn conjuncts_of(terms: &Terms, formula: Term) -> Vec<Term> {
    match terms.kind(formula) {
        _ if formula == Term::TRUE => Vec::new(),
        TermKind::Apply(Op::And, parts) => parts.to_vec(),
        _ => vec![formula],
    }
}

/// Lets every conjunct speak of the old value of a variable; answers what stands for it.
fn forget(
    conjuncts: &mut [Conjunct],
    variable: Var,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
) -> Var {
    let old = terms.fresh_variable(variable);
    let old_term = terms.var(old);
    let replacement = FxHashMap::from_iter([(variable, old_term)]);
    for conjunct in conjuncts {
        if mentions(oracle, terms, conjunct.formula, variable) {
            conjunct.formula = terms.substitute(conjunct.formula, &replacement);
        }
    }
    old
}

fn mentions(oracle: &mut Oracle<'_>, terms: &Terms, formula: Term, variable: Var) -> bool {
    oracle.variables(terms, formula).contains(&variable)
}

/// `v == t`, or `t == v`, where `v` no longer matters and `t` does not speak of it.
fn definition(
    terms: &Terms,
    oracle: &mut Oracle<'_>,
    formula: Term,
    live: &dyn Fn(Var) -> bool,
) -> Option<(Var, Term)> {
    let TermKind::Apply(Op::Equal, &[left, right]) = terms.kind(formula) else {
        return None;
    };
    for (side, other) in [(left, right), (right, left)] {
        if let Some(variable) = terms.as_variable(side)
            && !live(variable)
            && !mentions(oracle, terms, other, variable)
        {
            return Some((variable, other));
        }
    }
    None
}
