//! Process terms, each stored once.
//!
//! Chains associate to the left: `A;B;C` is `(A;B);C`, and a loop in it is found again after an iteration because of
//! that.
//! Kept as pairs, every step at the head of such a chain would change all of it.
//! So a sequence (and an interruption, which behaves alike) is kept as its first operand, which is not a sequence, and
//! the list of the others: `((A;B);C);D` as `A` and `[B, C, D]`.
//! That is just another notation for the same terms, and the list is shared by all steps of `A`.
//! A choice is kept as the list of all its operands, so that a long one is not a deep one.
//!
//! Two numbers belong to a term.
//! Its *id* tells occurrences in the text apart, so that every step knows where it is written.
//! Its *class* does not: terms of one class are the same term of the calculus, and classes are the states.

use choros_base::Span;
use choros_data::Term;
use choros_model::stg::{Event, Operation, Role, Update};
use rustc_hash::FxHashMap;

/// A stored term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ProcessTerm(u32);

/// A term without its places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Class(ProcessTerm);

/// A stored event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct EventId(u32);

/// What a term is made of (section 3.1.2 of Nguyen's thesis); the empty description `0` is reached by `√` alone and
/// needs no term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// `1`, written at a place.
    Skip(Option<Span>),
    /// `α`, written at a place.
    Act(EventId, Option<Span>),
    /// `A ; B ; …` or `A [> B [> …`: the first operand, which is none of the same spine, and the list of the others.
    Spine(Spine, ProcessTerm, ProcessTerm),
    /// Not a process: the first element of a list and the rest of the list.
    List(ProcessTerm, Option<ProcessTerm>),
    /// `A + B + …`: the list of operands, the first of which is not a choice.
    Choice(ProcessTerm),
    /// `A | B`
    Parallel(ProcessTerm, ProcessTerm),
    /// `[φ] |> A`
    Guarded(Term, ProcessTerm),
    /// `[φ] * A`, written at a place.
    Loop(Term, ProcessTerm, Option<Span>),
    /// `A` any number of times, written at a place; not in the calculus, whose loops have conditions.
    Repeat(ProcessTerm, Option<Span>),
    /// A loop by its number, which stands for its body; not in the calculus either.
    Recursion(u32),
    /// `⟨n,A,B⟩`: a timer by its number, how many ticks are left, and the body.
    Timeout(u32, u32, ProcessTerm),
    /// `⟨n,m,A,B⟩`: the same when the awaited event was sent and not received yet, and what follows in time.
    Sent(u32, u32, EventId, ProcessTerm),
    /// `⟨m!⟩T`: what is sent again now, by the number of the timer, and the timer that runs on.
    Again(u32, ProcessTerm),
    /// `{P}s,Q B`: what is open of a timeout that is over, by its number, and what happens meanwhile.
    Late(u32, ProcessTerm),
    /// `A [>> B`: `B` may take over as long as something of `A` is still to come.
    Until(ProcessTerm, ProcessTerm),
    /// `B || A`: what happens, and how a late message is answered meanwhile.
    Beside(ProcessTerm, ProcessTerm),
}

/// A timeout as it is written.
#[derive(Debug, Clone)]
pub(crate) struct Timer {
    /// Who measures it.
    pub(crate) clock: Role,
    /// What happens when it is over.
    pub(crate) otherwise: ProcessTerm,
    /// How messages that come too late are answered.
    pub(crate) late: Vec<(Operation, ProcessTerm)>,
    /// What is sent again while it runs, and after how many ticks each time.
    pub(crate) again: Option<(EventId, u32)>,
    /// Where it is written.
    pub(crate) origin: Span,
}

/// What is open of a timeout that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Pending {
    /// Who sends late.
    pub(crate) sender: Role,
    /// Whether the role that receives is described, and not all of them.
    pub(crate) is_own: bool,
    /// What it can still send.
    pub(crate) can_send: Option<ProcessTerm>,
    /// A list of what was sent to it and not received yet.
    pub(crate) in_transit: Option<ProcessTerm>,
    /// How many of these, at the beginning of the list, are copies that it drops.
    pub(crate) copies: u32,
}

/// An event, and the assignments that belong to it, which the calculus does not have.
pub(crate) type Act = (Event, Vec<Update>);

/// The operators whose left operand continues while the right one waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Spine {
    /// `;`
    Sequence,
    /// `[>`
    Interruption,
}

#[derive(Debug, Default)]
pub(crate) struct Store {
    forms: Vec<(Form, Class)>,
    ids: FxHashMap<Form, ProcessTerm>,
    classes: FxHashMap<Form, Class>,
    events: Vec<Act>,
    event_ids: FxHashMap<Act, EventId>,
    /// What recursions stand for.
    bodies: Vec<Option<ProcessTerm>>,
    timers: Vec<Timer>,
    pending: Vec<Pending>,
    pending_ids: FxHashMap<Pending, u32>,
    /// The first timer, or what is open, that differs from each of them in its places at most.
    timer_classes: Vec<u32>,
    pending_classes: Vec<u32>,
    timers_by_class: FxHashMap<TimerKey, u32>,
    pending_by_class: FxHashMap<PendingKey, u32>,
}

/// A timer without its places.
type TimerKey = (Role, Class, Vec<(Operation, Class)>, Option<(EventId, u32)>);

/// What is open, without its places.
type PendingKey = (Role, bool, Option<Class>, Option<Class>, u32);

impl Store {
    /// A new timer.
    pub(crate) fn add_timer(&mut self, timer: Timer) -> u32 {
        let number = self.timers.len() as u32;
        let late = timer.late.iter().map(|it| (it.0, self.class(it.1)));
        let otherwise = self.class(timer.otherwise);
        let key = (timer.clock, otherwise, late.collect(), timer.again);
        let class = *self.timers_by_class.entry(key).or_insert(number);
        self.timer_classes.push(class);
        self.timers.push(timer);
        number
    }

    pub(crate) fn timer(&self, number: u32) -> &Timer {
        &self.timers[number as usize]
    }

    /// How a message is answered that comes after a timer is over.
    pub(super) fn answer(&self, timer: u32, operation: Operation) -> Option<ProcessTerm> {
        let late = &self.timers[timer as usize].late;
        late.iter().find(|it| it.0 == operation).map(|it| it.1)
    }

    /// What is open of a timeout, by its number.
    pub(super) fn pending(&self, number: u32) -> &Pending {
        &self.pending[number as usize]
    }

    /// `{P}s,Q B`; what is open twice is open once.
    pub(super) fn late(&mut self, pending: Pending, main: ProcessTerm) -> ProcessTerm {
        let number = self.pending_number(pending);
        let mut at = main;
        while let Form::Late(other, inner) = self.form(at) {
            let same = |number: u32| self.pending_classes[number as usize];
            // Two copies are not one.
            if same(other) == same(number) && pending.copies == 0 {
                return main;
            }
            at = inner;
        }
        self.term(Form::Late(number, main))
    }

    fn pending_number(&mut self, pending: Pending) -> u32 {
        let next = self.pending.len() as u32;
        let number = *self.pending_ids.entry(pending).or_insert(next);
        if number == next {
            let class = |term: Option<ProcessTerm>| term.map(|it| self.class(it));
            let (sends, transit) = (class(pending.can_send), class(pending.in_transit));
            let key = (
                pending.sender,
                pending.is_own,
                sends,
                transit,
                pending.copies,
            );
            let class = *self.pending_by_class.entry(key).or_insert(number);
            self.pending_classes.push(class);
            self.pending.push(pending);
        }
        number
    }

    /// A new recursion, whose body is still to come.
    pub(crate) fn recursion(&mut self) -> u32 {
        self.bodies.push(None);
        self.bodies.len() as u32 - 1
    }

    /// What a recursion stands for.
    pub(crate) fn body(&self, recursion: u32) -> Option<ProcessTerm> {
        self.bodies.get(recursion as usize).copied().flatten()
    }

    /// Says what a recursion stands for; *false* if it stands for something else already.
    pub(crate) fn define(&mut self, recursion: u32, body: ProcessTerm) -> bool {
        match self.body(recursion) {
            Some(known) => self.class(known) == self.class(body),
            None => {
                self.bodies[recursion as usize] = Some(body);
                true
            }
        }
    }

    /// The term of a form.
    pub(crate) fn term(&mut self, form: Form) -> ProcessTerm {
        if let Some(&term) = self.ids.get(&form) {
            return term;
        }
        let term = ProcessTerm(self.forms.len() as u32);
        let class = self.class_of_form(form, term);
        self.forms.push((form, class));
        self.ids.insert(form, term);
        term
    }

    /// All terms; operands come before what they are part of.
    pub(super) fn terms(&self) -> impl Iterator<Item = ProcessTerm> + use<> {
        (0..self.forms.len() as u32).map(ProcessTerm)
    }

    /// How many terms there are.
    pub(super) fn len(&self) -> usize {
        self.forms.len()
    }

    /// The event with its assignments, stored.
    pub(crate) fn event_id(&mut self, act: &Act) -> EventId {
        if let Some(&id) = self.event_ids.get(act) {
            return id;
        }
        let id = EventId(self.events.len() as u32);
        self.events.push(act.clone());
        self.event_ids.insert(act.clone(), id);
        id
    }

    /// A stored event with its assignments.
    pub(crate) fn event(&self, id: EventId) -> &Act {
        &self.events[id.index()]
    }

    /// What a term is made of.
    pub(crate) fn form(&self, term: ProcessTerm) -> Form {
        self.forms[term.index()].0
    }

    /// The term without its places.
    pub(crate) fn class(&self, term: ProcessTerm) -> Class {
        self.forms[term.index()].1
    }

    /// A list of terms; there must be one at least.
    pub(crate) fn list(&mut self, elements: &[ProcessTerm]) -> Option<ProcessTerm> {
        elements.iter().rev().fold(None, |rest, &element| {
            Some(self.term(Form::List(element, rest)))
        })
    }

    /// `head ; list…` or `head [> list…`.
    pub(crate) fn spine(
        &mut self,
        spine: Spine,
        head: ProcessTerm,
        list: ProcessTerm,
    ) -> ProcessTerm {
        // `1 ; X` is `X` for a recursion, so that a round leads back to the very state in which it began.
        if let (Spine::Sequence, Form::Skip(_), Form::List(first, _)) =
            (spine, self.form(head), self.form(list))
            && matches!(self.form(first), Form::Recursion(_))
        {
            return self.behind(spine, list);
        }
        match self.form(head) {
            // A message can be late for what follows, too; only so many of them nest.
            Form::Late(number, main) => {
                let main = self.spine(spine, main, list);
                self.term(Form::Late(number, main))
            }
            Form::Beside(main, answer) => {
                let main = self.spine(spine, main, list);
                self.term(Form::Beside(main, answer))
            }
            Form::Spine(own, first, others) if own == spine => {
                let others = self.elements(others);
                let list = others.into_iter().rev().fold(list, |rest, element| {
                    self.term(Form::List(element, Some(rest)))
                });
                self.term(Form::Spine(spine, first, list))
            }
            _ => self.term(Form::Spine(spine, head, list)),
        }
    }

    /// A choice of two or more.
    pub(super) fn choice(&mut self, operands: &[ProcessTerm]) -> Option<ProcessTerm> {
        let (&first, others) = operands.split_first()?;
        let mut all = match self.form(first) {
            Form::Choice(list) => self.elements(list),
            _ => vec![first],
        };
        all.extend_from_slice(others);
        let list = self.list(&all)?;
        Some(self.term(Form::Choice(list)))
    }

    /// The process that is left of a spine when its first operand has gone.
    pub(crate) fn behind(&mut self, spine: Spine, list: ProcessTerm) -> ProcessTerm {
        match self.form(list) {
            Form::List(first, Some(rest)) => self.spine(spine, first, rest),
            Form::List(only, None) => only,
            _ => list,
        }
    }

    /// How many operands wait after the first one of a spine; none if the term is not such a spine.
    pub(crate) fn waiting(&self, spine: Spine, term: ProcessTerm) -> usize {
        match self.form(term) {
            Form::Spine(own, _, others) if own == spine => self.elements(others).len(),
            _ => 0,
        }
    }

    /// The elements of a list.
    pub(super) fn elements(&self, list: ProcessTerm) -> Vec<ProcessTerm> {
        let mut elements = Vec::new();
        let mut at = Some(list);
        while let Some(list) = at {
            at = match self.form(list) {
                Form::List(element, rest) => {
                    elements.push(element);
                    rest
                }
                _ => None,
            };
        }
        elements
    }

    /// A class is known by the form over the classes of the operands, and named by its first term.
    fn class_of_form(&mut self, form: Form, term: ProcessTerm) -> Class {
        let of = |operand: ProcessTerm| self.class(operand).0;
        let placeless = match form {
            Form::Skip(_) => Form::Skip(None),
            Form::Act(event, _) => Form::Act(event, None),
            Form::Spine(spine, a, list) => Form::Spine(spine, of(a), of(list)),
            Form::List(a, rest) => Form::List(of(a), rest.map(of)),
            Form::Choice(list) => Form::Choice(of(list)),
            Form::Parallel(a, b) => Form::Parallel(of(a), of(b)),
            Form::Guarded(guard, a) => Form::Guarded(guard, of(a)),
            Form::Loop(guard, a, _) => Form::Loop(guard, of(a), None),
            Form::Repeat(a, _) => Form::Repeat(of(a), None),
            Form::Recursion(number) => Form::Recursion(number),
            Form::Timeout(timer, left, a) => {
                Form::Timeout(self.timer_classes[timer as usize], left, of(a))
            }
            Form::Sent(timer, left, event, a) => {
                Form::Sent(self.timer_classes[timer as usize], left, event, of(a))
            }
            Form::Again(timer, a) => Form::Again(self.timer_classes[timer as usize], of(a)),
            Form::Late(number, a) => Form::Late(self.pending_classes[number as usize], of(a)),
            Form::Until(a, b) => Form::Until(of(a), of(b)),
            Form::Beside(a, b) => Form::Beside(of(a), of(b)),
        };
        *self.classes.entry(placeless).or_insert(Class(term))
    }
}

choros_base::indices!(ProcessTerm, EventId);
