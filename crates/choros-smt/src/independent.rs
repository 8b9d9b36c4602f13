//! Formulas that have nothing to do with each other are decided apart.
//!
//! A conjunction whose parts share no variables is satisfiable iff each part is, and the union of their solutions
//! solves it. The condition of a long conversation falls apart into many small parts, and a new message adds to few of
//! them: the others were decided before, and the memory in front of the solver knows them.
//! A part that is a *box* ([`Terms::decide_box`]) needs no solver at all.
//!
//! Records are taken apart first, so that fields of one record that nothing relates fall into different parts: a
//! record variable stands for the record of its leaves, which has the same values.

use std::collections::hash_map::Entry;

use choros_data::{Assignment, Op, SortKind, Term, TermKind, Terms, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::solver::some_value;
use crate::{Elimination, Limits, Satisfiability, Solver, SolverError};

/// Decides independent parts of a question one by one; worth it in front of a solver with a memory.
#[derive(Debug)]
pub struct PartwiseSolver<S> {
    solver: S,
    asserted: Vec<Term>,
    /// Where the levels begin.
    levels: Vec<usize>,
    /// What the solver was told on a level of its own and keeps: questions that are put one after the other mostly
    /// differ in their last formula.
    kept: Vec<Term>,
    /// What a formula says of leaves, conjunct by conjunct.
    parts: FxHashMap<Term, Box<[Part]>>,
    /// The records of leaves that stand for record variables.
    records: FxHashMap<Var, Term>,
    solution: Option<Assignment>,
    core: Option<Vec<usize>>,
}

#[derive(Debug, Clone)]
struct Part {
    formula: Term,
    variables: Box<[Var]>,
}

/// Conjuncts that are connected by variables.
#[derive(Debug, Default)]
struct Group {
    asserted: Vec<Term>,
    /// With the position of the assumption it comes from.
    assumed: Vec<(Term, usize)>,
}

impl<S: Solver> PartwiseSolver<S> {
    /// In front of a solver on which nothing is asserted.
    pub fn new(solver: S) -> Self {
        PartwiseSolver {
            solver,
            asserted: Vec::new(),
            levels: Vec::new(),
            kept: Vec::new(),
            parts: FxHashMap::default(),
            records: FxHashMap::default(),
            solution: None,
            core: None,
        }
    }

    /// Sorts conjuncts into groups that share no variables, in the order in which they first occur.
    fn groups(&mut self, terms: &mut Terms, assumptions: &[Term]) -> Vec<Group> {
        let count = self.asserted.len();
        let mut conjuncts: Vec<(Part, Option<usize>)> = Vec::new();
        for position in 0..count + assumptions.len() {
            let assumed = position.checked_sub(count);
            let formula = match assumed {
                Some(assumption) => assumptions[assumption],
                None => self.asserted[position],
            };
            for part in self.parts(terms, formula) {
                conjuncts.push((part.clone(), assumed));
            }
        }
        let mut joined = Joined::new(conjuncts.len());
        let mut owner: FxHashMap<Var, usize> = FxHashMap::default();
        for (position, (part, _)) in conjuncts.iter().enumerate() {
            for &variable in &part.variables {
                let other = *owner.entry(variable).or_insert(position);
                joined.join(other, position);
            }
        }
        let mut groups: Vec<Group> = Vec::new();
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        for (position, (part, assumed)) in conjuncts.into_iter().enumerate() {
            let root = joined.root(position);
            let number = *numbers.entry(root).or_insert_with(|| {
                groups.push(Group::default());
                groups.len() - 1
            });
            match assumed {
                Some(assumption) => groups[number].assumed.push((part.formula, assumption)),
                None => groups[number].asserted.push(part.formula),
            }
        }
        groups
    }

    fn parts(&mut self, terms: &mut Terms, formula: Term) -> &[Part] {
        if !self.parts.contains_key(&formula) {
            let parts = self.take_apart(terms, formula);
            self.parts.insert(formula, parts);
        }
        self.parts.get(&formula).map_or(&[], |parts| parts)
    }

    fn take_apart(&mut self, terms: &mut Terms, formula: Term) -> Box<[Part]> {
        let mut replacement = FxHashMap::default();
        for variable in terms.free_variables(formula) {
            if let Some(record) = self.record(terms, variable) {
                replacement.insert(variable, record);
            }
        }
        let mut flat = terms.substitute(formula, &replacement);
        if !replacement.is_empty() {
            flat = terms.simplify(flat);
        }
        let mut parts = Vec::new();
        let mut work = vec![flat];
        while let Some(formula) = work.pop() {
            match terms.kind(formula) {
                TermKind::Apply(Op::And, conjuncts) => work.extend(conjuncts.iter().rev()),
                _ if formula == Term::TRUE => {}
                _ => parts.push(Part {
                    formula,
                    variables: terms.free_variables(formula).into(),
                }),
            }
        }
        parts.into()
    }

    /// The record of leaves that stands for a record variable.
    fn record(&mut self, terms: &mut Terms, variable: Var) -> Option<Term> {
        if let Some(&record) = self.records.get(&variable) {
            return Some(record);
        }
        let sort = terms.variable_sort(variable);
        let SortKind::Record(fields) = terms.sort_kind(sort).clone() else {
            return None;
        };
        let mut leaves = Vec::new();
        for (label, sort) in fields {
            // No identifier has an apostrophe.
            let name = format!(
                "{}'{}",
                terms.variable_text(variable),
                terms.names.text(label)
            );
            let name = terms.names.intern(&name);
            let leaf = terms.variable(name, sort);
            leaves.push(match self.record(terms, leaf) {
                Some(record) => record,
                None => terms.var(leaf),
            });
        }
        let record = terms.record(sort, &leaves);
        self.records.insert(variable, record);
        Some(record)
    }

    /// Decides one group; its solution joins the others.
    fn decide(
        &mut self,
        terms: &mut Terms,
        group: &Group,
        solution: &mut Assignment,
    ) -> Result<Satisfiability, SolverError> {
        if group.assumed.is_empty() {
            match terms.decide_box(&group.asserted) {
                Some(false) => {
                    self.core = Some(Vec::new());
                    return Ok(Satisfiability::Unsat);
                }
                Some(true) => {
                    if let Some(values) = terms.solve_box(&group.asserted)
                        && group
                            .asserted
                            .iter()
                            .all(|&formula| terms.evaluate_guard(formula, &values) == Ok(true))
                    {
                        solution.extend(values);
                        return Ok(Satisfiability::Sat);
                    }
                }
                None => {}
            }
        }
        let new = self.keep(&group.asserted);
        self.solver.push();
        for &formula in new {
            self.solver.assert(formula);
        }
        let assumed: Vec<Term> = group.assumed.iter().map(|&(formula, _)| formula).collect();
        let answer = self.solver.check_assuming(terms, &assumed);
        self.solver.pop();
        match &answer {
            Ok(Satisfiability::Sat) => {
                if let Some(values) = self.solver.solution() {
                    solution.extend(values.iter().map(|(&it, value)| (it, value.clone())));
                }
            }
            Ok(Satisfiability::Unsat) => {
                let core = self.solver.unsat_core().unwrap_or(&[]);
                let mut core: Vec<usize> = core.iter().map(|&it| group.assumed[it].1).collect();
                core.sort_unstable();
                core.dedup();
                self.core = Some(core);
            }
            _ => {}
        }
        answer
    }

    /// Lets the solver keep all but the last of these formulas, or what it keeps already; the formulas left to tell.
    fn keep<'f>(&mut self, formulas: &'f [Term]) -> &'f [Term] {
        if self.kept.is_empty() || !formulas.starts_with(&self.kept) {
            if !self.kept.is_empty() {
                self.solver.pop();
            }
            self.kept = formulas[..formulas.len().saturating_sub(1)].to_vec();
            if !self.kept.is_empty() {
                self.solver.push();
                for &formula in &self.kept {
                    self.solver.assert(formula);
                }
            }
        }
        &formulas[self.kept.len()..]
    }

    /// Values of the record variables that occurred, from those of their leaves.
    fn put_together(
        &self,
        terms: &mut Terms,
        assumptions: &[Term],
        solution: &mut Assignment,
    ) -> Option<()> {
        let mut seen = FxHashSet::default();
        for &formula in self.asserted.iter().chain(assumptions) {
            for variable in terms.free_variables(formula) {
                if !seen.insert(variable) {
                    continue;
                }
                let value = match self.records.get(&variable) {
                    Some(&record) => value_of(terms, record, solution)?,
                    None if solution.contains_key(&variable) => continue,
                    // It occurred in a conjunct that says nothing of it.
                    None => some_value(terms, terms.variable_sort(variable))?,
                };
                solution.insert(variable, value);
            }
        }
        Some(())
    }
}

/// The value of a record of leaves; a leaf that does not matter gets some value.
fn value_of(terms: &mut Terms, record: Term, solution: &mut Assignment) -> Option<Value> {
    for leaf in terms.free_variables(record) {
        if let Entry::Vacant(vacant) = solution.entry(leaf) {
            vacant.insert(some_value(terms, terms.variable_sort(leaf))?);
        }
    }
    terms.evaluate(record, solution).ok()
}

impl<S: Solver> Solver for PartwiseSolver<S> {
    fn name(&self) -> String {
        self.solver.name()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.solver.set_limits(limits);
    }

    fn bound(&self) -> u64 {
        self.solver.bound()
    }

    fn spent(&self) -> u64 {
        self.solver.spent()
    }

    fn push(&mut self) {
        self.levels.push(self.asserted.len());
    }

    fn pop(&mut self) {
        if let Some(level) = self.levels.pop() {
            self.asserted.truncate(level);
        }
    }

    fn assert(&mut self, formula: Term) {
        self.asserted.push(formula);
    }

    fn check_assuming(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
    ) -> Result<Satisfiability, SolverError> {
        self.solution = None;
        self.core = None;
        let mut doubt = None;
        let mut solution = Assignment::default();
        for group in self.groups(terms, assumptions) {
            match self.decide(terms, &group, &mut solution)? {
                Satisfiability::Sat => {}
                // One part without a solution decides, whatever is not known of others.
                Satisfiability::Unsat => return Ok(Satisfiability::Unsat),
                Satisfiability::Unknown(reason) => {
                    doubt.get_or_insert(reason);
                }
            }
        }
        if let Some(reason) = doubt {
            return Ok(Satisfiability::Unknown(reason));
        }
        self.solution = self
            .put_together(terms, assumptions, &mut solution)
            .map(|()| solution);
        Ok(Satisfiability::Sat)
    }

    fn solution(&self) -> Option<&Assignment> {
        self.solution.as_ref()
    }

    fn unsat_core(&self) -> Option<&[usize]> {
        self.core.as_deref()
    }

    fn eliminate(&mut self, terms: &mut Terms, formula: Term) -> Result<Elimination, SolverError> {
        self.solver.eliminate(terms, formula)
    }
}

/// Sets of positions that are joined again and again.
struct Joined {
    parents: Vec<usize>,
}

impl Joined {
    fn new(count: usize) -> Joined {
        Joined {
            parents: (0..count).collect(),
        }
    }

    fn root(&mut self, mut position: usize) -> usize {
        while self.parents[position] != position {
            self.parents[position] = self.parents[self.parents[position]];
            position = self.parents[position];
        }
        position
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other)] = one.min(other);
    }
}
