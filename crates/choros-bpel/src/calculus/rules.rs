//! The rules: which steps a state has, and whether time may pass in it.
//!
//! Steps of a state are computed once, from the steps of its parts, which have smaller ids: a stack of parts that are
//! still to do replaces recursion, so the nesting of a process costs memory only.

use std::collections::BTreeSet;
use std::rc::Rc;

use choros_base::Span;
use choros_data::{Term, Terms, Var};
use choros_model::stg::{Direction, Event, Field, FieldValue, Message, Update};

use super::activity::{Activity, ActivityId, Process, RaisedFault, Reception, Sending};
use super::contest::{Claim, Nesting};
use super::state::{Form, StateId, States};

/// One step of a state.
#[derive(Debug, Clone)]
pub struct ProcessStep {
    /// When it may be taken.
    pub guard: Term,
    /// What it does.
    pub label: ProcessLabel,
    /// What it assigns then, in order.
    pub updates: Vec<Update>,
    /// What is left to do; after a fault, what the fault found beside itself.
    pub target: StateId,
    /// Whether it may have to wait for its guard, so that time may pass although it is silent.
    pub patient: bool,
    /// What it says about a correlation, if anything.
    pub sense: Sense,
    /// Which reception it is of, and what becomes of it where others wait for the same messages.
    pub claim: Option<(ActivityId, Claim)>,
    /// Where it is written.
    pub origin: Option<Span>,
}

/// What a step says about a correlation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sense {
    /// Nothing.
    #[default]
    Ordinary,
    Broken,
    Kept,
}

/// What a step does.
#[derive(Debug, Clone)]
pub enum ProcessLabel {
    /// It is silent, or a message.
    Event(Event),
    /// A fault is raised.
    Raise(RaisedFault),
    /// The fault that is being handled is raised again.
    Rethrow,
    /// The process ends.
    Exit,
}

/// The rules of one process, with the states and steps that are known so far.
#[derive(Debug)]
pub struct ProcessRules<'p> {
    pub(super) process: &'p Process,
    pub states: States,
    steps: Vec<Option<Rc<[ProcessStep]>>>,
    ticks: Vec<Option<StateId>>,
    pub(super) terminated: Vec<Option<StateId>>,
    pub(super) nesting: Nesting,
    /// Handlers of alarms that were still at work when the alarm came again.
    pub(super) skipped: BTreeSet<ActivityId>,
}

impl<'p> ProcessRules<'p> {
    /// The rules of a process.
    pub fn new(process: &'p Process) -> Self {
        Self {
            process,
            states: States::new(process),
            steps: Vec::new(),
            ticks: Vec::new(),
            terminated: Vec::new(),
            nesting: Nesting::of(process),
            skipped: BTreeSet::new(),
        }
    }

    /// The state in which the process begins.
    pub fn initial(&mut self) -> StateId {
        self.states.start(self.process, self.process.root)
    }

    /// The steps of a state, in order: what the body does before what its handlers do, branches as they are written.
    pub fn steps(&mut self, terms: &mut Terms, state: StateId) -> Rc<[ProcessStep]> {
        self.learn(terms, state);
        self.known(state)
    }

    /// Where a state gets by letting one unit of time pass, if it may; it may be itself.
    pub fn tick(&mut self, terms: &mut Terms, state: StateId) -> Option<StateId> {
        self.learn(terms, state);
        self.ticks[state.index()]
    }

    /// The steps of a state that has been learnt.
    pub(super) fn known(&self, state: StateId) -> Rc<[ProcessStep]> {
        match self.steps.get(state.index()) {
            Some(Some(steps)) => Rc::clone(steps),
            _ => Rc::from([]),
        }
    }

    /// Whether time may pass in a state that has been learnt, and where it leads.
    pub(super) fn known_tick(&self, state: StateId) -> Option<StateId> {
        self.ticks.get(state.index()).copied().flatten()
    }

    fn learn(&mut self, terms: &mut Terms, state: StateId) {
        let mut stack = vec![state];
        while let Some(&current) = stack.last() {
            let index = current.index();
            if self.steps.len() <= index {
                self.steps.resize(index + 1, None);
                self.ticks.resize(index + 1, None);
            }
            if self.steps[index].is_some() {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            for part in parts(self.states.form(current)) {
                if self.steps.get(part.index()).is_none_or(Option::is_none) {
                    stack.push(part);
                }
            }
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let form = self.states.form(current).clone();
            let steps = self.derive(terms, &form);
            let tick = self.derive_tick(current, &form);
            self.steps[index] = Some(steps.into());
            self.ticks[index] = tick;
        }
    }

    fn derive(&mut self, terms: &mut Terms, form: &Form) -> Vec<ProcessStep> {
        match form {
            Form::Empty | Form::Stop => Vec::new(),
            Form::Raise(raised) => vec![fault(*raised, Vec::new(), None)],
            Form::Start(id) => self.begin_basic(terms, *id),
            Form::Ready(id) => self.send(terms, *id),
            Form::Received(id) => self.check(terms, *id),
            Form::Test(id) => self.test(*id),
            Form::Completed(id) => match self.process.activity(*id) {
                Activity::Scope(scope) => {
                    vec![self.silent(*id, Term::TRUE, scope.completed.clone(), States::EMPTY)]
                }
                _ => Vec::new(),
            },
            &Form::Sequence(head, tail) => {
                self.within(head, |rules, inner| rules.states.sequence(inner, tail))
            }
            Form::Flow(branches) => {
                let mut steps = Vec::new();
                for (position, &branch) in branches.iter().enumerate() {
                    steps.extend(self.within(branch, |rules, inner| {
                        let mut branches = branches.clone();
                        branches[position] = inner;
                        rules.states.flow(branches)
                    }));
                }
                steps
            }
            &Form::Begin(id, body) => self.carry(terms, id, body),
            &Form::Handling(raised, body) => self.handle(raised, body),
            &Form::Quiet(body) => self.hush(body),
            Form::Scope {
                scope,
                body,
                beside,
                left,
                dormant,
            } => self.scope_steps(terms, *scope, *body, (beside, left), *dormant),
        }
    }

    fn derive_tick(&mut self, state: StateId, form: &Form) -> Option<StateId> {
        match form {
            Form::Empty
            | Form::Stop
            | Form::Raise(_)
            | Form::Received(_)
            | Form::Test(_)
            | Form::Completed(_) => None,
            Form::Start(id) => match self.process.activity(*id) {
                Activity::Time | Activity::Receive(_) | Activity::Choice { waits: true, .. } => {
                    Some(state)
                }
                _ => None,
            },
            // A message that is filled stands ready until its receiver takes it.
            Form::Ready(_) => Some(state),
            &Form::Sequence(head, tail) => {
                let head = self.known_tick(head)?;
                Some(self.states.sequence(head, tail))
            }
            Form::Flow(branches) => {
                let branches = self.tick_all(branches)?;
                Some(self.states.flow(branches))
            }
            &Form::Begin(id, body) => {
                let body = self.known_tick(body)?;
                Some(self.states.begin(id, body))
            }
            &Form::Handling(raised, body) => {
                let body = self.known_tick(body)?;
                Some(self.states.handling(raised, body))
            }
            &Form::Quiet(body) => {
                let body = self.known_tick(body)?;
                Some(self.states.quiet(body))
            }
            Form::Scope {
                scope,
                body,
                beside,
                left,
                dormant,
            } => self.scope_tick(*scope, *body, (beside, left), *dormant),
        }
    }

    /// FLOW time: each branch waits or has ended, and one at least waits.
    pub(super) fn tick_all(&self, branches: &[StateId]) -> Option<Vec<StateId>> {
        let mut waits = false;
        let after: Option<Vec<StateId>> = branches
            .iter()
            .map(|&branch| match branch {
                States::EMPTY => Some(branch),
                branch => {
                    waits = true;
                    self.known_tick(branch)
                }
            })
            .collect();
        after.filter(|_| waits)
    }

    /// The steps of a part, each leading to what `whole` makes of what is left of the part.
    pub(super) fn within(
        &mut self,
        part: StateId,
        mut whole: impl FnMut(&mut Self, StateId) -> StateId,
    ) -> Vec<ProcessStep> {
        self.known(part)
            .iter()
            .map(|step| ProcessStep {
                target: whole(self, step.target),
                ..step.clone()
            })
            .collect()
    }

    pub(super) fn silent(
        &self,
        id: ActivityId,
        guard: Term,
        updates: Vec<Update>,
        target: StateId,
    ) -> ProcessStep {
        ProcessStep {
            guard,
            label: ProcessLabel::Event(Event::Silent),
            updates,
            target,
            patient: false,
            sense: Sense::Ordinary,
            claim: None,
            origin: self.process.origin(id),
        }
    }

    fn begin_basic(&mut self, terms: &mut Terms, id: ActivityId) -> Vec<ProcessStep> {
        let origin = self.process.origin(id);
        match self.process.activity(id) {
            Activity::Assign(updates) => {
                vec![self.assigning(terms, id, updates.clone(), States::EMPTY)]
            }
            Activity::Throw(raised, updates) => vec![fault(*raised, updates.clone(), origin)],
            Activity::Rethrow => vec![stop(ProcessLabel::Rethrow, origin)],
            Activity::Exit => vec![stop(ProcessLabel::Exit, origin)],
            Activity::Receive(reception) => self.receive(terms, id, reception),
            Activity::Send(sending) => {
                let ready = self.states.intern(Form::Ready(id));
                vec![self.assigning(terms, id, sending.prepare.clone(), ready)]
            }
            Activity::Choice { arms, waits } => arms
                .iter()
                .map(|arm| {
                    let target = self.states.start(self.process, arm.body);
                    ProcessStep {
                        patient: *waits,
                        ..self.silent(id, arm.guard, arm.updates.clone(), target)
                    }
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    fn send(&mut self, terms: &mut Terms, id: ActivityId) -> Vec<ProcessStep> {
        let Activity::Send(sending) = self.process.activity(id) else {
            return Vec::new();
        };
        let label = ProcessLabel::Event(Event::Message(sent(terms, self.process, sending)));
        let Some(correlation) = &sending.correlation else {
            return vec![ProcessStep {
                label,
                ..self.silent(id, Term::TRUE, Vec::new(), States::EMPTY)
            }];
        };
        let (violated, kept) = both(terms, correlation.violation);
        vec![
            self.violate(id, violated),
            ProcessStep {
                label,
                sense: Sense::Kept,
                ..self.silent(id, kept, correlation.updates.clone(), States::EMPTY)
            },
        ]
    }

    fn check(&mut self, terms: &mut Terms, id: ActivityId) -> Vec<ProcessStep> {
        let Activity::Receive(Reception {
            correlation: Some(correlation),
            ..
        }) = self.process.activity(id)
        else {
            return Vec::new();
        };
        let (violated, kept) = both(terms, correlation.violation);
        vec![
            self.violate(id, violated),
            ProcessStep {
                sense: Sense::Kept,
                ..self.silent(id, kept, correlation.updates.clone(), States::EMPTY)
            },
        ]
    }

    pub(super) fn violate(&mut self, id: ActivityId, guard: Term) -> ProcessStep {
        let raise = self.states.raise(RaisedFault {
            fault: self.process.violation,
            data: None,
        });
        ProcessStep {
            sense: Sense::Broken,
            ..self.silent(id, guard, Vec::new(), raise)
        }
    }

    fn test(&mut self, id: ActivityId) -> Vec<ProcessStep> {
        let Activity::Loop {
            enter,
            leave,
            body,
            undefined,
            ..
        } = self.process.activity(id)
        else {
            return Vec::new();
        };
        let test = self.states.intern(Form::Test(id));
        let body = self.states.start(self.process, *body);
        let again = self.states.sequence(body, test);
        let mut steps = vec![
            self.silent(id, *enter, Vec::new(), again),
            self.silent(id, *leave, Vec::new(), States::EMPTY),
        ];
        if let Some((guard, body)) = undefined {
            let target = self.states.start(self.process, *body);
            steps.push(self.silent(id, *guard, Vec::new(), target));
        }
        steps
    }

    /// A silent step with assignments; what is not known among their values may be anything.
    fn assigning(
        &self,
        terms: &Terms,
        id: ActivityId,
        updates: Vec<Update>,
        target: StateId,
    ) -> ProcessStep {
        let mut chosen: Vec<Var> = Vec::new();
        for update in &updates {
            for variable in terms.free_variables(update.value) {
                if self.process.unknowns.contains(&variable) && !chosen.contains(&variable) {
                    chosen.push(variable);
                }
            }
        }
        let step = self.silent(id, Term::TRUE, updates, target);
        if chosen.is_empty() {
            return step;
        }
        ProcessStep {
            label: ProcessLabel::Event(Event::Choose(chosen)),
            ..step
        }
    }

    /// BEGIN: the first step assigns first, and sees what it assigns.
    fn carry(&mut self, terms: &mut Terms, id: ActivityId, body: StateId) -> Vec<ProcessStep> {
        let Activity::Begin { updates, .. } = self.process.activity(id) else {
            return Vec::new();
        };
        let mut now = rustc_hash::FxHashMap::default();
        for update in updates {
            let value = terms.substitute(update.value, &now);
            now.insert(update.variable, value);
        }
        let mut steps = self.within(body, |_, target| target);
        for step in &mut steps {
            step.guard = terms.substitute(step.guard, &now);
            if let ProcessLabel::Event(Event::Message(message)) = &mut step.label {
                for field in &mut message.fields {
                    if let FieldValue::Free(term) = &mut field.value {
                        *term = terms.substitute(*term, &now);
                    }
                }
            }
            step.updates.splice(0..0, updates.iter().copied());
            if step.sense == Sense::Broken {
                step.guard = terms.simplify(step.guard);
            }
        }
        // A set that was declared just now has no values, so a message that initiates it is right.
        steps.retain(|it| it.sense != Sense::Broken || it.guard != Term::FALSE);
        steps
    }

    /// QUIET: a fault ends what is left, and that is all.
    fn hush(&mut self, body: StateId) -> Vec<ProcessStep> {
        let mut steps = self.within(body, |_, target| target);
        for step in &mut steps {
            if let ProcessLabel::Raise(_) = step.label {
                step.label = ProcessLabel::Event(Event::Silent);
                step.target = self.terminate(step.target);
            }
            step.target = self.states.quiet(step.target);
        }
        steps
    }

    /// HANDLING: a fault leaves the handler, and `rethrow` is the fault that is being handled.
    fn handle(&mut self, raised: Option<RaisedFault>, body: StateId) -> Vec<ProcessStep> {
        let mut steps = self.within(body, |_, target| target);
        for step in &mut steps {
            match (&step.label, raised) {
                (ProcessLabel::Rethrow, Some(raised)) => step.label = ProcessLabel::Raise(raised),
                (ProcessLabel::Raise(_) | ProcessLabel::Rethrow, _) => {}
                _ => step.target = self.states.handling(raised, step.target),
            }
        }
        steps
    }
}

/// A condition and its opposite.
pub(super) fn both(terms: &mut Terms, condition: Term) -> (Term, Term) {
    let opposite = terms.complement(condition);
    // A simpler form may look at operations that the condition itself does not reach.
    if terms.is_partial(condition) {
        (condition, opposite)
    } else {
        (condition, terms.simplify(opposite))
    }
}

fn parts(form: &Form) -> Vec<StateId> {
    match form {
        Form::Sequence(part, _)
        | Form::Begin(_, part)
        | Form::Handling(_, part)
        | Form::Quiet(part) => vec![*part],
        Form::Flow(branches) => branches.to_vec(),
        Form::Scope { body, beside, .. } => beside.iter().copied().chain([*body]).collect(),
        _ => Vec::new(),
    }
}

fn fault(raised: RaisedFault, updates: Vec<Update>, origin: Option<Span>) -> ProcessStep {
    ProcessStep {
        updates,
        ..stop(ProcessLabel::Raise(raised), origin)
    }
}

fn stop(label: ProcessLabel, origin: Option<Span>) -> ProcessStep {
    ProcessStep {
        guard: Term::TRUE,
        label,
        updates: Vec::new(),
        target: States::STOP,
        patient: false,
        sense: Sense::Ordinary,
        claim: None,
        origin,
    }
}

fn sent(terms: &mut Terms, process: &Process, sending: &Sending) -> Message {
    Message {
        operation: sending.operation,
        from: process.role,
        to: sending.partner,
        direction: Direction::Send,
        fault: sending.fault,
        fields: sending
            .wire
            .map(|wire| unlabelled(FieldValue::Free(terms.var(wire))))
            .into_iter()
            .collect(),
    }
}

pub(super) fn unlabelled(value: FieldValue) -> Field {
    Field { label: None, value }
}
