//! What a process can do next: the rules of Figure 3.2 of Nguyen's thesis.
//!
//! ```text
//! SKIP    1 –[true] √→ 0
//! ACT     α –[true] α→ 1
//! SEQ1    A –[φ] α→ A'                     ⟹  A;B –[φ] α→ A';B
//! SEQ2    A –[φ] √→ , B –[ψ] β→ B'         ⟹  A;B –[φ ∧ ψ] β→ B'
//! CHOICE  A –[φ] β→ A'                     ⟹  A+B –[φ] β→ A'              and the same for B
//! PAR1    A –[φ] α→ A'                     ⟹  A|B –[φ] α→ A'|B            and the same for B
//! PAR3    A –[φ] √→ , B –[ψ] √→            ⟹  A|B –[φ ∧ ψ] √→ 0
//! GUARD   A –[ψ] β→ A'                     ⟹  [φ]|>A –[φ ∧ ψ] β→ A'
//! LOOP1   A –[ψ] α→ A'                     ⟹  [φ]*A –[φ ∧ ψ] α→ A' ; [φ]*A
//! LOOP2   [φ]*A –[¬φ] √→ 0
//! INT1    A –[φ] α→ A'                     ⟹  A[>B –[φ] α→ A'[>B
//! INT2    A –[φ] √→                        ⟹  A[>B –[φ] √→ 0
//! INT3    B –[φ] β→ B'                     ⟹  A[>B –[φ] β→ B'
//! ```
//!
//! `α` is any event but `√`, `β` may be `√` too.
//! `repeat A`, which the native language adds, has LOOP1 with `φ = true` and may tick at any time.
//! Its `loop X { A }` does what `A` does, and `again X` what `loop X { A }` does.
//! Time has rules of its own ([`time`]).
//! `try { A } interrupt until done { B }` is `A [>> B`, in which `B` may take over as long as something of `A` is still
//! to come, and not after its last event:
//!
//! ```text
//! UNTIL1  A –α→ A'                      ⟹  A[>>B –α→ A'[>>B
//! UNTIL2  A –√→                         ⟹  A[>>B –√→
//! UNTIL3  B –β→ B' , A –α→ for some α   ⟹  A[>>B –β→ B'
//! ```
//!
//! Whatever ticks becomes `0`: `0|0` is `0`, so a tick needs no target.
//! The thesis says nothing about the body of a loop that ticks at once; here it adds no empty iteration.
//! Nothing else is simplified: `1;B` is another state than `B`.

mod time;

use std::rc::Rc;

use choros_base::{Budget, Span, StopReason};
use choros_data::{Term, Terms};
use rustc_hash::FxHashSet;

use super::store::{Class, EventId, Form, ProcessTerm, Spine, Store};

/// One step, with the place in the text that gives it.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoweredStep {
    pub(super) guard: Term,
    pub(super) action: Action,
    pub(super) origin: Option<Span>,
}

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Action {
    /// `√`, to `0`.
    Tick,
    /// An event, to a term.
    Event(EventId, ProcessTerm),
}

/// Computes steps and remembers them.
///
/// The budget is a bound on states, so each state costs one step of it, and pays for the work that a state usually
/// makes.
/// But a single state can have more steps, and more terms within it, than memory holds: work beyond that costs too.
pub(super) struct Rules<'a> {
    pub(super) store: &'a mut Store,
    pub(super) terms: &'a mut Terms,
    budget: &'a Budget,
    known: Vec<Option<Rc<[LoweredStep]>>>,
    /// Work that has been paid for and not been done yet.
    paid: usize,
    /// Work that has been done and not been paid for yet.
    owed: usize,
}

/// So much work is free: the first state of many parallel processes has terms for all of them.
const WORK_AT_START: usize = 10_000;
/// So much work is paid for by a new state: a dozen steps and the terms after them.
const WORK_PER_STATE: usize = 64;
/// So much other work costs one step of the budget.
const WORK_PER_STEP: usize = 8;
/// A term takes several times the memory of a derived step, which counts as one.
const WORK_PER_TERM: usize = 4;

impl<'a> Rules<'a> {
    pub(super) fn new(store: &'a mut Store, terms: &'a mut Terms, budget: &'a Budget) -> Self {
        Self {
            store,
            terms,
            budget,
            known: Vec::new(),
            paid: WORK_AT_START,
            owed: 0,
        }
    }

    /// A state was found.
    pub(super) fn pay_for_state(&mut self) -> Result<(), StopReason> {
        self.paid += WORK_PER_STATE;
        self.budget.spend()
    }

    fn work(&mut self, amount: usize) -> Result<(), StopReason> {
        let covered = amount.min(self.paid);
        self.paid -= covered;
        self.owed += amount - covered;
        while self.owed >= WORK_PER_STEP {
            self.owed -= WORK_PER_STEP;
            self.budget.spend()?;
        }
        Ok(())
    }

    /// The steps of a term, in the order of the text.
    ///
    /// The rules ask for the steps of operands first; a stack of pending terms stands in for recursion.
    pub(super) fn steps(&mut self, term: ProcessTerm) -> Result<Rc<[LoweredStep]>, StopReason> {
        let mut pending = vec![term];
        loop {
            let Some(&top) = pending.last() else {
                return Ok(self.known(term).unwrap_or_default());
            };
            if self.known(top).is_some() {
                pending.pop();
                continue;
            }
            let known = pending.len();
            self.unknown_operands(top, &mut pending)?;
            if pending.len() == known {
                let terms = self.store.len();
                let steps = self.derive(top)?;
                self.work(WORK_PER_TERM * (self.store.len() - terms))?;
                if self.known.len() <= top.index() {
                    self.known.resize(top.index() + 1, None);
                }
                self.known[top.index()] = Some(steps.into());
                pending.pop();
            }
        }
    }

    fn known(&self, term: ProcessTerm) -> Option<Rc<[LoweredStep]>> {
        self.known.get(term.index())?.clone()
    }

    fn of(&self, operand: ProcessTerm) -> Rc<[LoweredStep]> {
        self.known(operand).unwrap_or_default()
    }

    /// Puts the operands whose steps are needed and not known yet onto the stack.
    fn unknown_operands(
        &mut self,
        term: ProcessTerm,
        pending: &mut Vec<ProcessTerm>,
    ) -> Result<(), StopReason> {
        let operands = match self.store.form(term) {
            Form::Skip(_) | Form::Act(..) | Form::List(..) => return Ok(()),
            Form::Guarded(_, a)
            | Form::Loop(_, a, _)
            | Form::Repeat(a, _)
            | Form::Timeout(_, _, a)
            | Form::Again(_, a) => vec![a],
            Form::Sent(..) => return Ok(()),
            Form::Late(number, main) => {
                let can_send = self.store.pending(number).can_send;
                can_send.into_iter().chain([main]).collect()
            }
            Form::Choice(list) => self.store.elements(list),
            // A body in which nothing happens before its recursion has no steps of its own (and was reported).
            Form::Recursion(number) => {
                let body = self.store.body(number);
                body.filter(|body| !pending.contains(body))
                    .into_iter()
                    .collect()
            }
            Form::Parallel(a, b) | Form::Beside(a, b) | Form::Until(a, b) => vec![a, b],
            Form::Spine(Spine::Interruption, a, list) => {
                vec![a, self.behind(Spine::Interruption, list)?]
            }
            // What waits after `;` matters only when the first part can end: asking always would walk down every
            // chain.
            Form::Spine(Spine::Sequence, a, list) => match self.known(a) {
                Some(steps) if ends(&steps) => vec![self.behind(Spine::Sequence, list)?],
                Some(_) => return Ok(()),
                None => vec![a],
            },
        };
        pending.extend(
            operands
                .into_iter()
                .filter(|&operand| self.known(operand).is_none()),
        );
        Ok(())
    }

    /// Applies the rules; the steps of all operands are known.
    fn derive(&mut self, term: ProcessTerm) -> Result<Vec<LoweredStep>, StopReason> {
        let mut found = Found::default();
        match self.store.form(term) {
            Form::Skip(origin) => self.add(&mut found, Term::TRUE, Action::Tick, origin)?,
            Form::Act(event, origin) => {
                let done = self.store.term(Form::Skip(origin));
                self.add(&mut found, Term::TRUE, Action::Event(event, done), origin)?;
            }
            // Lists are not processes and have no steps.
            Form::List(..) => {}
            Form::Spine(Spine::Sequence, a, list) => {
                for step in self.of(a).iter() {
                    match step.action {
                        Action::Event(event, after) => {
                            let after = self.spine(Spine::Sequence, after, list)?;
                            let action = Action::Event(event, after);
                            self.add(&mut found, step.guard, action, step.origin)?;
                        }
                        Action::Tick => {
                            let behind = self.behind(Spine::Sequence, list)?;
                            self.add_guarded(&mut found, step.guard, behind)?;
                        }
                    }
                }
            }
            Form::Spine(Spine::Interruption, a, list) => {
                for step in self.of(a).iter() {
                    let action = match step.action {
                        _ if self.is_own_tick(step.action) => continue,
                        Action::Event(event, after) => {
                            Action::Event(event, self.spine(Spine::Interruption, after, list)?)
                        }
                        Action::Tick => Action::Tick,
                    };
                    self.add(&mut found, step.guard, action, step.origin)?;
                }
                let behind = self.behind(Spine::Interruption, list)?;
                self.add_timeless(&mut found, behind)?;
                self.derive_time(&mut found, &[a, behind], |rules, operands| match operands {
                    [a, behind] => {
                        let list = rules.store.term(Form::List(*behind, None));
                        rules.spine(Spine::Interruption, *a, list)
                    }
                    _ => Ok(a),
                })?;
            }
            Form::Choice(list) => {
                let operands = self.store.elements(list);
                for &operand in &operands {
                    self.add_timeless(&mut found, operand)?;
                }
                self.derive_time(&mut found, &operands, |rules, operands| {
                    Ok(rules.store.choice(operands).unwrap_or(term))
                })?;
            }
            Form::Parallel(a, b) => self.derive_parallel(&mut found, a, b)?,
            Form::Until(a, b) => self.derive_until(&mut found, a, b)?,
            Form::Timeout(timer, left, body) => {
                self.derive_timeout(&mut found, (timer, left, body))?;
            }
            Form::Sent(timer, left, event, after) => {
                self.derive_sent(&mut found, (timer, left, event, after))?;
            }
            Form::Again(timer, running) => self.derive_again(&mut found, timer, running)?,
            Form::Late(number, main) => self.derive_late(&mut found, number, main)?,
            Form::Beside(main, answer) => self.derive_beside(&mut found, main, answer)?,
            Form::Guarded(guard, a) => self.add_guarded(&mut found, guard, a)?,
            Form::Recursion(number) => {
                if let Some(body) = self.store.body(number) {
                    self.add_guarded(&mut found, Term::TRUE, body)?;
                }
            }
            Form::Loop(guard, a, origin) => {
                let exit = self.terms.complement(guard);
                self.derive_rounds(&mut found, term, (guard, exit), a, origin)?;
            }
            Form::Repeat(a, origin) => {
                self.derive_rounds(&mut found, term, (Term::TRUE, Term::TRUE), a, origin)?;
            }
        }
        Ok(found.steps)
    }

    /// LOOP1 and LOOP2, under a condition to begin a round and one to end.
    fn derive_rounds(
        &mut self,
        found: &mut Found,
        term: ProcessTerm,
        (again, exit): (Term, Term),
        body: ProcessTerm,
        origin: Option<Span>,
    ) -> Result<(), StopReason> {
        let list = self.store.term(Form::List(term, None));
        for step in self.of(body).iter() {
            if let Action::Event(event, after) = step.action {
                let after = self.spine(Spine::Sequence, after, list)?;
                let guard = self.and(again, step.guard)?;
                self.add(found, guard, Action::Event(event, after), step.origin)?;
            }
        }
        self.add(found, exit, Action::Tick, origin)
    }

    fn derive_parallel(
        &mut self,
        found: &mut Found,
        a: ProcessTerm,
        b: ProcessTerm,
    ) -> Result<(), StopReason> {
        let (left, right) = (self.of(a), self.of(b));
        for step in left.iter() {
            if let Action::Event(event, after) = step.action
                && !self.is_own_tick(step.action)
            {
                let after = self.store.term(Form::Parallel(after, b));
                self.add(found, step.guard, Action::Event(event, after), step.origin)?;
            }
        }
        for step in right.iter() {
            if let Action::Event(event, after) = step.action
                && !self.is_own_tick(step.action)
            {
                let after = self.store.term(Form::Parallel(a, after));
                self.add(found, step.guard, Action::Event(event, after), step.origin)?;
            }
        }
        self.derive_time(found, &[a, b], |rules, operands| match operands {
            [a, b] => Ok(rules.store.term(Form::Parallel(*a, *b))),
            _ => Ok(a),
        })?;
        let ticks = |step: &&LoweredStep| step.action == Action::Tick;
        for step in left.iter().filter(ticks) {
            for other in right.iter().filter(ticks) {
                let guard = self.and(step.guard, other.guard)?;
                self.add(found, guard, Action::Tick, step.origin)?;
            }
        }
        Ok(())
    }

    /// UNTIL1 to UNTIL3; where the steps of `A` have conditions, `B` may take over if one of them holds.
    fn derive_until(
        &mut self,
        found: &mut Found,
        a: ProcessTerm,
        b: ProcessTerm,
    ) -> Result<(), StopReason> {
        let mut goes_on = Vec::new();
        for step in self.of(a).iter() {
            let Action::Event(event, after) = step.action else {
                self.add(found, step.guard, Action::Tick, step.origin)?;
                continue;
            };
            goes_on.push(step.guard);
            if !self.is_own_tick(step.action) {
                let after = self.store.term(Form::Until(after, b));
                self.add(found, step.guard, Action::Event(event, after), step.origin)?;
            }
        }
        let goes_on = self.terms.or(goes_on);
        if goes_on == Term::FALSE {
            return Ok(());
        }
        for step in self.of(b).iter() {
            if !self.is_own_tick(step.action) {
                let guard = self.and(goes_on, step.guard)?;
                self.add(found, guard, step.action, step.origin)?;
            }
        }
        self.derive_time(found, &[a, b], |rules, operands| match operands {
            [a, b] => Ok(rules.store.term(Form::Until(*a, *b))),
            _ => Ok(a),
        })
    }

    /// All steps of an operand under one more condition.
    fn add_guarded(
        &mut self,
        found: &mut Found,
        guard: Term,
        operand: ProcessTerm,
    ) -> Result<(), StopReason> {
        for step in self.of(operand).iter() {
            let guard = self.and(guard, step.guard)?;
            self.add(found, guard, step.action, step.origin)?;
        }
        Ok(())
    }

    /// All steps of an operand but those of time, which decides nothing.
    fn add_timeless(&mut self, found: &mut Found, operand: ProcessTerm) -> Result<(), StopReason> {
        for step in self.of(operand).iter() {
            if !self.is_own_tick(step.action) {
                self.add(found, step.guard, step.action, step.origin)?;
            }
        }
        Ok(())
    }

    fn spine(
        &mut self,
        spine: Spine,
        head: ProcessTerm,
        list: ProcessTerm,
    ) -> Result<ProcessTerm, StopReason> {
        // Putting two lists together is as much work as many steps.
        self.work(self.store.waiting(spine, head))?;
        Ok(self.store.spine(spine, head, list))
    }

    fn behind(&mut self, spine: Spine, list: ProcessTerm) -> Result<ProcessTerm, StopReason> {
        if let Form::List(first, Some(rest)) = self.store.form(list) {
            return self.spine(spine, first, rest);
        }
        Ok(self.store.behind(spine, list))
    }

    fn add(
        &mut self,
        found: &mut Found,
        guard: Term,
        action: Action,
        origin: Option<Span>,
    ) -> Result<(), StopReason> {
        self.work(1)?;
        let placeless = match action {
            Action::Tick => None,
            Action::Event(event, after) => Some((event, self.store.class(after))),
        };
        if found.seen.insert((guard, placeless)) {
            found.steps.push(LoweredStep {
                guard,
                action,
                origin,
            });
        }
        Ok(())
    }

    fn and(&mut self, a: Term, b: Term) -> Result<Term, StopReason> {
        if a == Term::TRUE || b == Term::TRUE {
            return Ok(if a == Term::TRUE { b } else { a });
        }
        // A long conjunction is as much work as many steps.
        let conjuncts = self.terms.arguments(a).len() + self.terms.arguments(b).len();
        self.work(conjuncts)?;
        Ok(self.terms.and([a, b]))
    }
}

fn ends(steps: &[LoweredStep]) -> bool {
    steps.iter().any(|step| step.action == Action::Tick)
}

/// Steps without repetitions: the rules give a set.
#[derive(Default)]
struct Found {
    steps: Vec<LoweredStep>,
    seen: FxHashSet<(Term, Option<(EventId, Class)>)>,
}
