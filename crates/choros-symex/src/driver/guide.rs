//! Following one path: what comes next on it, and whether what was seen still lies on it.

use choros_data::{Term, TermKind, Terms, Value, Var};
use choros_smt::{Satisfiability, Solver, SolverError};
use rustc_hash::FxHashMap;

use super::known_texts::KnownTexts;
use super::like::choose_like;
use super::message::ConcreteMessage;
use super::outcome::ConversationEntry;
use super::path::{PathMessage, SymbolicPath, SymbolicStep};
use super::unify::unify;
use super::value_strategy::{Chosen, ValueStrategy, choose};

/// How far a path was followed, and with which values.
#[derive(Debug, Clone)]
pub(crate) struct Guide {
    /// Which of the paths.
    pub(crate) number: usize,
    /// Steps that are over.
    done: Vec<bool>,
    /// What is left of the path's condition.
    conditions: Vec<Term>,
    /// Symbols whose values are known.
    known: FxHashMap<Var, Term>,
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ahead {
    /// The tester sends the step at this position.
    Send(usize),
    /// The service sends.
    Expect,
    /// This many units of time pass.
    Wait(u64),
    /// The path is over.
    End,
}

/// Whether an observation lies on the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follows {
    Yes,
    No,
    Unknown,
}

/// Which values are sent, where the path leaves a choice.
#[derive(Clone, Copy)]
pub(crate) struct ValueWish<'w> {
    /// What was sent in a run before.
    pub(crate) like: Option<&'w ConcreteMessage>,
    pub(crate) strategy: ValueStrategy,
    pub(crate) known: &'w [KnownTexts],
}

impl Guide {
    pub(crate) fn new(number: usize, path: &SymbolicPath, terms: &mut Terms) -> Guide {
        let conditions = path
            .conditions
            .iter()
            .map(|&condition| terms.simplify(condition))
            .filter(|&condition| condition != Term::TRUE)
            .collect();
        Guide {
            number,
            done: vec![false; path.steps.len()],
            conditions,
            known: FxHashMap::default(),
        }
    }

    /// What comes next.
    pub(crate) fn ahead(&self, path: &SymbolicPath) -> Ahead {
        let mut left = self.left(path);
        match left.next() {
            None => Ahead::End,
            Some((position, SymbolicStep::Send(_))) => Ahead::Send(position),
            Some((_, SymbolicStep::Expect(_))) => Ahead::Expect,
            Some((_, SymbolicStep::Tick)) => {
                let more = left
                    .take_while(|(_, step)| matches!(step, SymbolicStep::Tick))
                    .count();
                Ahead::Wait(1 + more as u64)
            }
        }
    }

    /// Nothing of the path is followed any more.
    pub(crate) fn finish(&mut self) {
        self.done.fill(true);
    }

    /// The messages expected before the tester has to send.
    pub(crate) fn expected<'p>(
        &'p self,
        path: &'p SymbolicPath,
    ) -> impl Iterator<Item = (usize, &'p PathMessage)> {
        self.left(path)
            .take_while(|(_, step)| !matches!(step, SymbolicStep::Send(_)))
            .filter_map(|(position, step)| match step {
                SymbolicStep::Expect(message) => Some((position, message)),
                _ => None,
            })
    }

    /// This many of the ticks that come next are over.
    pub(crate) fn waited(&mut self, mut ticks: u64, path: &SymbolicPath) {
        for (position, step) in path.steps.iter().enumerate() {
            match (self.done[position], step) {
                (true, _) => {}
                (false, SymbolicStep::Tick) if ticks > 0 => {
                    self.done[position] = true;
                    ticks -= 1;
                }
                (false, _) => break,
            }
        }
    }

    /// The message that is sent at a position.
    pub(crate) fn sends<'p>(
        &self,
        position: usize,
        path: &'p SymbolicPath,
    ) -> Option<&'p PathMessage> {
        match path.steps.get(position)? {
            SymbolicStep::Send(message) => Some(message),
            SymbolicStep::Expect(_) | SymbolicStep::Tick => None,
        }
    }

    /// The message to send, with values.
    pub(crate) fn send(
        &mut self,
        position: usize,
        path: &SymbolicPath,
        wish: ValueWish<'_>,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Result<ConcreteMessage, Follows>, SolverError> {
        let Some(message) = self.sends(position, path) else {
            return Ok(Err(Follows::No));
        };
        let targets = self.read(&message.values, terms);
        let (known, conditions) = (
            KnownTexts::of(wish.known, message.operation),
            &self.conditions,
        );
        let chosen = match wish.like {
            Some(like) => choose_like(&targets, known, &like.values, conditions, terms, solver)?,
            None => choose(&targets, known, conditions, wish.strategy, terms, solver)?,
        };
        let values = match chosen {
            Chosen::Values(values) => values,
            Chosen::None => return Ok(Err(Follows::No)),
            Chosen::Unknown => return Ok(Err(Follows::Unknown)),
        };
        for (target, value) in targets.iter().zip(&values) {
            if !self.learn(*target, value, terms) {
                return Ok(Err(Follows::No));
            }
        }
        self.done[position] = true;
        Ok(Ok(ConcreteMessage {
            operation: message.operation,
            from: message.from,
            to: message.to,
            fault: message.fault,
            values,
        }))
    }

    /// Something was seen: does it lie on the path?
    ///
    /// Messages may overtake each other, so any that is expected before the next sending will do.
    pub(crate) fn see(
        &mut self,
        seen: &ConcreteMessage,
        path: &SymbolicPath,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Follows, SolverError> {
        let next = self
            .expected(path)
            .find(|(_, message)| message.is_like(seen))
            .map(|(position, message)| (position, message.values.clone()));
        let Some((position, values)) = next else {
            return Ok(Follows::No);
        };
        let mut after = self.clone();
        after.done[position] = true;
        let follows = after.take(&values, seen, terms, solver)?;
        if follows == Follows::Yes {
            *self = after;
        }
        Ok(follows)
    }

    /// Something was sent: could it be sent on this path, too?
    pub(crate) fn replay_sent(
        &mut self,
        sent: &ConcreteMessage,
        path: &SymbolicPath,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Follows, SolverError> {
        let mut left = self
            .left(path)
            .filter(|(_, step)| !matches!(step, SymbolicStep::Tick));
        let Some((position, SymbolicStep::Send(message))) = left.next() else {
            return Ok(Follows::No);
        };
        if !message.is_like(sent) {
            return Ok(Follows::No);
        }
        let values = message.values.clone();
        drop(left);
        for earlier in 0..=position {
            self.done[earlier] = true;
        }
        self.take(&values, sent, terms, solver)
    }

    /// Something has happened: could it happen on this path, too?
    pub(crate) fn replay(
        &mut self,
        entry: &ConversationEntry,
        path: &SymbolicPath,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Follows, SolverError> {
        match entry {
            ConversationEntry::Sent { message, .. } => {
                self.replay_sent(message, path, terms, solver)
            }
            ConversationEntry::Seen { message, .. } => self.see(message, path, terms, solver),
            // Where the service was silent, the path must not wait for it; else two paths could hand the test to each
            // other forever.
            ConversationEntry::Waited { ticks: 0, .. } if self.ahead(path) == Ahead::Expect => {
                Ok(Follows::No)
            }
            ConversationEntry::Waited {
                ticks: ticks @ 1.., ..
            } => {
                self.waited(*ticks, path);
                Ok(Follows::Yes)
            }
            _ => Ok(Follows::Yes),
        }
    }

    /// Time that passes before something that has happened is over.
    pub(crate) fn catch_up(&mut self, path: &SymbolicPath) {
        let last = self.done.iter().rposition(|&done| done).unwrap_or(0);
        for (done, step) in self.done.iter_mut().zip(&path.steps).take(last) {
            *done |= matches!(step, SymbolicStep::Tick);
        }
    }

    fn take(
        &mut self,
        values: &[Term],
        message: &ConcreteMessage,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Follows, SolverError> {
        for (&term, value) in values.iter().zip(&message.values) {
            let term = self.read(&[term], terms)[0];
            if !self.learn(term, value, terms) {
                return Ok(Follows::No);
            }
        }
        if self.conditions.is_empty() {
            return Ok(Follows::Yes);
        }
        Ok(match solver.satisfiable(terms, &self.conditions)? {
            Satisfiability::Sat => Follows::Yes,
            Satisfiability::Unsat => Follows::No,
            Satisfiability::Unknown(_) => Follows::Unknown,
        })
    }

    /// What the tester sends from here on.
    pub(crate) fn sendings<'p>(
        &'p self,
        path: &'p SymbolicPath,
    ) -> impl Iterator<Item = &'p PathMessage> {
        self.left(path).filter_map(|(_, step)| match step {
            SymbolicStep::Send(message) => Some(message),
            _ => None,
        })
    }

    fn left<'p>(
        &'p self,
        path: &'p SymbolicPath,
    ) -> impl Iterator<Item = (usize, &'p SymbolicStep)> {
        path.steps
            .iter()
            .enumerate()
            .filter(|(position, _)| !self.done[*position])
    }

    fn read(&self, values: &[Term], terms: &mut Terms) -> Vec<Term> {
        values
            .iter()
            .map(|&term| {
                let term = terms.substitute(term, &self.known);
                terms.simplify(term)
            })
            .collect()
    }

    /// The value of a field of a message, where it is known.
    pub(crate) fn value_at(
        &self,
        message: &PathMessage,
        place: usize,
        terms: &mut Terms,
    ) -> Option<Value> {
        let term = *message.values.get(place)?;
        let read = self.read(&[term], terms);
        match terms.kind(read[0]) {
            TermKind::Constant(value) => Some(value.clone()),
            _ => None,
        }
    }

    /// Makes a term equal to a value; false if that cannot be.
    fn learn(&mut self, term: Term, value: &Value, terms: &mut Terms) -> bool {
        let term = self.read(&[term], terms)[0];
        let Some(facts) = unify(term, value, terms) else {
            return false;
        };
        for (symbol, value) in facts.symbols {
            let constant = terms.constant(value);
            self.known.insert(symbol, constant);
        }
        self.conditions.extend(facts.conditions);
        let conditions = self.read(&self.conditions, terms);
        self.conditions = Vec::new();
        for condition in conditions {
            match condition {
                Term::FALSE => return false,
                Term::TRUE => {}
                _ if self.conditions.contains(&condition) => {}
                _ => self.conditions.push(condition),
            }
        }
        true
    }
}
