//! All places where a model may stand after what was seen, with conditions instead of values where values are open.
//!
//! A *standing* is a node, a term for each live variable, and a condition over parameters and unknown values.
//! The model stands in a set of them; a message leads from a set to a set.
//! Sets are numbered, and what leads where is remembered: a log of a million messages over a small model costs a
//! million look-ups, and traces are never enumerated.
//!
//! Soundness: a standing `(s, σ, φ)` says that for all values of parameters and unknowns with `φ` some run with these
//! messages reaches `s` with the values `σ`, and every such run is in some standing of the set.
//! Both are kept by each step (Figure 4.10 of Nguyen's thesis, with terms for values), by joining two standings of the
//! same node and terms under *or*, by leaving out a standing that another covers, and by the usual form of standings
//! (`standing.rs`).

use std::rc::Rc;

use choros_base::{Budget, Name, StopReason};
use choros_data::{Term, Terms, Var};
use choros_model::observation::Observation;
use choros_model::stg::Direction;
use choros_smt::{Solver, SolverError};
use rustc_hash::{FxHashMap, FxHashSet};

use super::alphabet::{Alphabet, LetterId};
use super::automaton::{Automaton, AutomatonEdge};
use super::commuting::Act;
use super::conditions::Conditions;
use super::reached::Reached;
use super::redacted::Redacted;
use super::standing::Standing;
use super::values::{Found, find, unwritten};

/// Why a walk ended early.
#[derive(Debug)]
pub(crate) enum Stopped {
    Spent(StopReason),
    Solver(SolverError),
}

impl From<StopReason> for Stopped {
    fn from(spent: StopReason) -> Self {
        Stopped::Spent(spent)
    }
}

impl From<SolverError> for Stopped {
    fn from(error: SolverError) -> Self {
        Stopped::Solver(error)
    }
}

/// A set of standings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SetId(u32);

choros_base::indices!(SetId);

/// A message with its values, numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SeenId(u32);

choros_base::indices!(SeenId);

impl SetId {
    /// Nowhere.
    pub(crate) const EMPTY: SetId = SetId(0);
}

/// What every walk needs from outside.
pub(crate) struct Ground<'g> {
    pub(crate) terms: &'g mut Terms,
    pub(crate) solver: &'g mut dyn Solver,
    /// Ends when someone interrupts.
    pub(crate) budget: &'g Budget,
    /// Fields that no record has: nothing is known about them.
    pub(crate) foreign: FxHashSet<Name>,
    pub(crate) redacted: Redacted,
    /// What is made of data that were not written down.
    pub(crate) data: WrittenData,
    /// This many standings in one set, or cuts beyond the length of a log, are examined.
    pub(crate) limit: u64,
}

/// What is made of the data of a log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum WrittenData {
    /// What was written counts, and the rest is whatever the model needs.
    #[default]
    Known,
    /// What was not written is a value of its own, as redacted values are.
    Named,
    /// Nothing that was written counts.
    Ignored,
}

/// A message as one or both of its ends saw it.
#[derive(Debug, Clone)]
struct Seen<'o> {
    letter: LetterId,
    direction: Direction,
    reports: Vec<&'o Observation<'static>>,
}

/// A walk through one automaton.
pub(crate) struct Walk<'o> {
    automaton: Automaton,
    sets: Vec<Rc<[Standing]>>,
    ids: FxHashMap<Rc<[Standing]>, SetId>,
    after: FxHashMap<(SetId, SeenId), SetId>,
    unseen: FxHashMap<Vec<Act>, FxHashMap<SetId, SetId>>,
    seen: Vec<Seen<'o>>,
    seen_ids: FxHashMap<(LetterId, Direction, String), SeenId>,
    conditions: Conditions,
    start: Option<SetId>,
}

impl<'o> Walk<'o> {
    pub(crate) fn new(automaton: Automaton) -> Self {
        let empty: Rc<[Standing]> = Rc::from([]);
        Walk {
            automaton,
            sets: vec![empty.clone()],
            ids: [(empty, SetId::EMPTY)].into_iter().collect(),
            after: FxHashMap::default(),
            unseen: FxHashMap::default(),
            seen: Vec::new(),
            seen_ids: FxHashMap::default(),
            conditions: Conditions::default(),
            start: None,
        }
    }

    pub(crate) fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The number of a message with the data that its ends report.
    pub(crate) fn see(
        &mut self,
        letter: LetterId,
        direction: Direction,
        reports: Vec<&'o Observation<'static>>,
        alphabet: &Alphabet,
    ) -> SeenId {
        let mut key = String::new();
        if alphabet.letter(letter).carries {
            for report in &reports {
                for (path, value) in &report.data {
                    key.push_str(path);
                    key.push('\u{1}');
                    key.push_str(&value.to_string());
                    key.push('\u{2}');
                }
                key.push('\u{3}');
            }
        }
        let next = SeenId(self.seen.len() as u32);
        let id = *self
            .seen_ids
            .entry((letter, direction, key))
            .or_insert(next);
        if id == next {
            self.seen.push(Seen {
                letter,
                direction,
                reports,
            });
        }
        id
    }

    /// Where the model may stand before anything was seen.
    pub(crate) fn start(&mut self, ground: &mut Ground<'_>) -> Result<SetId, Stopped> {
        if let Some(start) = self.start {
            return Ok(start);
        }
        let node = self.automaton.initial;
        let live = self.automaton.nodes[node as usize].live.clone();
        let mut values = Vec::with_capacity(live.len());
        for variable in live {
            // A variable that the model gives a value which this observer never learns is unknown, and another one
            // in each session; a parameter has one value for all.
            let variable = if self.automaton.parameters.contains(&variable) {
                variable
            } else {
                self.conditions.unknown(variable, 0, ground.terms)
            };
            values.push(ground.terms.var(variable));
        }
        let standing = Standing {
            node,
            values: values.into(),
            condition: Term::TRUE,
        };
        let start = self.close(vec![standing], &[], ground)?;
        self.start = Some(start);
        Ok(start)
    }

    /// Where it may stand after a message.
    pub(crate) fn after(
        &mut self,
        set: SetId,
        seen: SeenId,
        ground: &mut Ground<'_>,
    ) -> Result<SetId, Stopped> {
        if let Some(&known) = self.after.get(&(set, seen)) {
            return Ok(known);
        }
        let message = self.seen[seen.index()].clone();
        let mut reached = Vec::new();
        for standing in self.sets[set.index()].clone().iter() {
            for index in 0..self.automaton.outgoing(standing.node).len() {
                let step = &self.automaton.outgoing(standing.node)[index];
                if step.seen == Some((message.letter, message.direction)) {
                    let step = step.clone();
                    reached.extend(self.step(standing, &step, Some(&message), ground)?);
                }
            }
        }
        let target = self.close(reached, &[], ground)?;
        self.after.insert((set, seen), target);
        Ok(target)
    }

    /// Where it may stand if any of these messages happened without being seen.
    pub(crate) fn unseen(
        &mut self,
        set: SetId,
        acts: &[Act],
        ground: &mut Ground<'_>,
    ) -> Result<SetId, Stopped> {
        if acts.is_empty() {
            return Ok(set);
        }
        let known = self.unseen.get(acts).and_then(|known| known.get(&set));
        if let Some(&known) = known {
            return Ok(known);
        }
        let standings = self.sets[set.index()].to_vec();
        let target = self.close(standings, acts, ground)?;
        let known = self.unseen.entry(acts.to_vec()).or_default();
        known.insert(set, target);
        Ok(target)
    }

    /// The condition over the parameters under which the model can stand in this set at all.
    pub(crate) fn condition(
        &mut self,
        set: SetId,
        ground: &mut Ground<'_>,
    ) -> Result<Term, Stopped> {
        let mut conditions = Vec::new();
        for standing in self.sets[set.index()].clone().iter() {
            conditions.push(
                self.conditions
                    .over_parameters(standing.condition, ground)?,
            );
        }
        let whole = ground.terms.or(conditions);
        Ok(ground.terms.simplify(whole))
    }

    /// Whether a run may end in this set.
    pub(crate) fn may_end(&mut self, set: SetId, ground: &mut Ground<'_>) -> Result<bool, Stopped> {
        for standing in self.sets[set.index()].clone().iter() {
            let place = &self.automaton.nodes[standing.node as usize];
            let (ends, values) = (place.ends.clone(), self.assignment(standing));
            for end in ends {
                let end = ground.terms.substitute(end, &values);
                let both = ground.terms.and([standing.condition, end]);
                if self.conditions.possible(both, ground)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    pub(super) fn assignment(&self, standing: &Standing) -> FxHashMap<Var, Term> {
        let live = &self.automaton.nodes[standing.node as usize].live;
        live.iter()
            .copied()
            .zip(standing.values.iter().copied())
            .collect()
    }

    /// One step of one standing; `None` if it cannot be.
    fn step(
        &mut self,
        standing: &Standing,
        step: &AutomatonEdge,
        message: Option<&Seen<'o>>,
        ground: &mut Ground<'_>,
    ) -> Result<Option<Standing>, Stopped> {
        let mut values = self.assignment(standing);
        let mut conditions = vec![standing.condition];
        if step.guard != Term::TRUE {
            conditions.push(ground.terms.substitute(step.guard, &values));
        }
        let mut kept: Vec<(Var, Option<Term>)> = Vec::new();
        for (position, field) in step.fields.iter().enumerate() {
            let mut value: Option<Term> = None;
            for report in message.iter().flat_map(|message| &message.reports) {
                let is_foreign = field
                    .label
                    .is_some_and(|label| ground.foreign.contains(&label));
                let (redacted, terms) = (&mut ground.redacted, &mut *ground.terms);
                let found = if is_foreign || ground.data == WrittenData::Ignored {
                    Found::Nothing
                } else {
                    find(report, &step.fields, position, redacted, terms)
                };
                match found {
                    Found::Nothing if ground.data == WrittenData::Named => {
                        let found = unwritten(report, field, position, redacted, terms);
                        value = value.or(Some(found));
                    }
                    Found::Nothing => {}
                    Found::Misfit => return Ok(None),
                    // Both ends must tell of the same value.
                    Found::Value(found) => {
                        let known = *value.get_or_insert(found);
                        conditions.push(terms.equal(known, found));
                    }
                }
            }
            if let (Some(test), Some(value)) = (field.test, value) {
                let test = ground.terms.substitute(test, &values);
                conditions.push(ground.terms.equal(test, value));
            }
            if let Some(variable) = field.keep {
                kept.push((variable, value));
            }
        }
        let condition = ground.terms.and(conditions);
        let condition = ground.terms.simplify(condition);
        if condition == Term::FALSE {
            return Ok(None);
        }
        kept.extend(step.forgets.iter().map(|&variable| (variable, None)));
        for (variable, value) in kept {
            let value = match value {
                Some(value) => value,
                None => {
                    let mut used: FxHashSet<Var> =
                        ground.terms.free_variables(condition).into_iter().collect();
                    #[expect(
                        clippy::iter_over_hash_type,
                        reason = "a set of variables has no order"
                    )]
                    for &term in values.values() {
                        used.extend(ground.terms.free_variables(term));
                    }
                    let unknown = self.conditions.fresh(variable, &used, ground.terms);
                    ground.terms.var(unknown)
                }
            };
            values.insert(variable, value);
        }
        for update in &step.updates {
            let value = ground.terms.substitute(update.value, &values);
            let value = ground.terms.simplify(value);
            values.insert(update.variable, value);
        }
        let live = &self.automaton.nodes[step.target as usize].live;
        let mut after = Vec::with_capacity(live.len());
        for &variable in live {
            after.push(match values.get(&variable) {
                Some(&value) => value,
                None => ground.terms.var(variable),
            });
        }
        let target = step.target;
        Standing::settled(target, after, condition, live, &mut self.conditions, ground)
    }

    /// Adds what silent steps lead to, and steps that were not seen; joins standings that differ in their conditions
    /// only, leaves out those that others cover, and numbers the set.
    fn close(
        &mut self,
        standings: Vec<Standing>,
        unseen: &[Act],
        ground: &mut Ground<'_>,
    ) -> Result<SetId, Stopped> {
        let mut reached = Reached::default();
        let mut work = standings;
        let mut looked_at = 0;
        while let Some(standing) = work.pop() {
            ground.budget.spend()?;
            looked_at += 1;
            if looked_at > ground.limit {
                return Err(StopReason::Steps(ground.limit).into());
            }
            let Some(standing) = reached.add(standing, &mut self.conditions, ground)? else {
                continue;
            };
            for index in 0..self.automaton.outgoing(standing.node).len() {
                let step = &self.automaton.outgoing(standing.node)[index];
                if step.seen.is_none_or(|act| unseen.contains(&act)) {
                    let step = step.clone();
                    work.extend(self.step(&standing, &step, None, ground)?);
                }
            }
        }
        let set: Rc<[Standing]> = reached.sorted().into();
        if let Some(&known) = self.ids.get(&set) {
            return Ok(known);
        }
        let id = SetId(self.sets.len() as u32);
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        Ok(id)
    }

    /// The standings of a set.
    pub(super) fn standings(&self, set: SetId) -> impl Iterator<Item = &Standing> {
        self.sets[set.index()].iter()
    }
}
