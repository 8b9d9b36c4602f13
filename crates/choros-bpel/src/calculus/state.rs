//! States: what is left to do, as hash-consed terms in normal form.
//!
//! The normal form makes `empty` the only state that terminates:
//! `empty;Q = Q`, `0;Q = 0`, `throw e;Q = throw e`, `(P;Q);R = P;(Q;R)`, a flow whose branches have all ended is `empty`,
//! and so is a scope whose body and handlers have.
//! States are distinguished by the occurrences of activities in them, so that two places in the text never share one;
//! `empty`, `0` and the faults that no occurrence raises (a broken correlation) are shared.

use rustc_hash::FxHashMap;

use super::activity::{Activity, ActivityId, Process, RaisedFault};

/// A state in a store of [`States`]; what it is made of has smaller ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

choros_base::indices!(StateId);

/// What a state is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Form {
    /// Has ended.
    Empty,
    /// Is stuck forever: what a fault that no one handles leaves behind.
    Stop,
    /// A fault is about to be raised.
    Raise(RaisedFault),
    /// An occurrence that has not begun.
    Start(ActivityId),
    /// A sending whose message is filled.
    Ready(ActivityId),
    /// A reception whose correlation is to be checked.
    Received(ActivityId),
    /// The test of a loop.
    Test(ActivityId),
    /// A scope whose completion is to be noted.
    Completed(ActivityId),
    /// One, then the other.
    Sequence(StateId, StateId),
    /// Side by side.
    Flow(Box<[StateId]>),
    /// A body whose first step carries the assignments of a [`Activity::Begin`].
    Begin(ActivityId, StateId),
    Scope {
        /// Which.
        scope: ActivityId,
        body: StateId,
        /// The handlers of messages, then those of alarms, that run beside the body; `empty` where none does.
        beside: Box<[StateId]>,
        /// Ticks until each alarm; `None` where it will not go off any more.
        left: Box<[Option<u32>]>,
        /// Whether its handlers wait for the first message of the body.
        dormant: bool,
    },
    /// The handler of a fault at work, or what ends before it begins.
    Handling(Option<RaisedFault>, StateId),
    /// What completes although it is ended from outside: its faults go nowhere.
    Quiet(StateId),
}

/// The store of states.
#[derive(Debug, Clone)]
pub struct States {
    forms: Vec<Form>,
    ids: FxHashMap<Form, StateId>,
    /// The state in which each occurrence begins, where it is known.
    starts: Vec<Option<StateId>>,
}

impl States {
    /// Ended.
    pub const EMPTY: StateId = StateId(0);
    /// Stuck forever.
    pub const STOP: StateId = StateId(1);

    /// A store for the states of a process.
    pub fn new(process: &Process) -> Self {
        let mut states = Self {
            forms: Vec::new(),
            ids: FxHashMap::default(),
            starts: vec![None; process.len()],
        };
        states.intern(Form::Empty);
        states.intern(Form::Stop);
        states
    }

    /// What a state is made of.
    pub fn form(&self, state: StateId) -> &Form {
        &self.forms[state.index()]
    }

    pub(super) fn intern(&mut self, form: Form) -> StateId {
        if let Some(&known) = self.ids.get(&form) {
            return known;
        }
        let id = StateId(self.forms.len() as u32);
        self.forms.push(form.clone());
        self.ids.insert(form, id);
        id
    }

    /// `throw fault`, in the state that all share.
    pub fn raise(&mut self, raised: RaisedFault) -> StateId {
        self.intern(Form::Raise(raised))
    }

    /// `P;Q`.
    pub fn sequence(&mut self, first: StateId, then: StateId) -> StateId {
        // A loop and no recursion: the spine of the first is as long as the text likes.
        let mut spine = Vec::new();
        let mut last = first;
        while let Form::Sequence(head, tail) = self.form(last) {
            spine.push(*head);
            last = *tail;
        }
        let mut whole = match self.form(last) {
            Form::Empty => then,
            Form::Stop | Form::Raise(_) => last,
            _ if then == Self::EMPTY => last,
            _ => self.intern(Form::Sequence(last, then)),
        };
        for head in spine.into_iter().rev() {
            whole = match whole {
                Self::EMPTY => head,
                whole => self.intern(Form::Sequence(head, whole)),
            };
        }
        whole
    }

    /// `flow({P_i})`.
    pub fn flow(&mut self, branches: impl Into<Box<[StateId]>>) -> StateId {
        let branches = branches.into();
        if branches.iter().all(|&branch| branch == Self::EMPTY) {
            Self::EMPTY
        } else {
            self.intern(Form::Flow(branches))
        }
    }

    pub(super) fn begin(&mut self, begun: ActivityId, body: StateId) -> StateId {
        match self.form(body) {
            Form::Empty | Form::Stop => body,
            _ => self.intern(Form::Begin(begun, body)),
        }
    }

    pub(super) fn handling(&mut self, raised: Option<RaisedFault>, body: StateId) -> StateId {
        match self.form(body) {
            Form::Empty | Form::Stop | Form::Raise(_) => body,
            // What ends before a handler begins is part of handling the fault (WS-BPEL 2.0, 12.5).
            Form::Handling(..) if raised.is_none() => body,
            _ => self.intern(Form::Handling(raised, body)),
        }
    }

    pub(super) fn quiet(&mut self, body: StateId) -> StateId {
        match self.form(body) {
            Form::Raise(_) => Self::EMPTY,
            Form::Empty | Form::Stop | Form::Quiet(_) => body,
            _ => self.intern(Form::Quiet(body)),
        }
    }

    pub(super) fn scope(
        &mut self,
        process: &Process,
        scope: ActivityId,
        body: StateId,
        beside: Box<[StateId]>,
        left: Box<[Option<u32>]>,
        dormant: bool,
    ) -> StateId {
        let ended = body == Self::EMPTY && beside.iter().all(|&one| one == Self::EMPTY);
        if !ended {
            // Handlers are no longer enabled when the body has ended, so what time is left does not matter.
            let left = if body == Self::EMPTY {
                left.iter().map(|_| None).collect()
            } else {
                left
            };
            return self.intern(Form::Scope {
                scope,
                body,
                beside,
                left,
                dormant: dormant && body != Self::EMPTY,
            });
        }
        match process.activity(scope) {
            Activity::Scope(it) if !it.completed.is_empty() => self.intern(Form::Completed(scope)),
            _ => Self::EMPTY,
        }
    }

    /// The state in which an occurrence begins.
    pub fn start(&mut self, process: &Process, activity: ActivityId) -> StateId {
        // What an occurrence is made of begins first; the stack replaces recursion over the text.
        let mut stack = vec![activity];
        while let Some(&current) = stack.last() {
            if self.starts[current.index()].is_some() {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            for part in begins_with(process.activity(current)) {
                if self.starts[part.index()].is_none() {
                    stack.push(part);
                }
            }
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let state = self.start_of(process, current);
            self.starts[current.index()] = Some(state);
        }
        self.started(activity)
    }

    fn started(&self, activity: ActivityId) -> StateId {
        self.starts[activity.index()].unwrap_or(Self::STOP)
    }

    /// The state in which an occurrence begins whose parts have theirs.
    fn start_of(&mut self, process: &Process, id: ActivityId) -> StateId {
        match process.activity(id) {
            Activity::Empty => Self::EMPTY,
            Activity::Stop => Self::STOP,
            Activity::Sequence(parts) => {
                let mut whole = Self::EMPTY;
                for &part in parts.iter().rev() {
                    let part = self.started(part);
                    whole = self.sequence(part, whole);
                }
                whole
            }
            Activity::Flow(branches) => {
                let branches: Vec<StateId> = branches.iter().map(|&it| self.started(it)).collect();
                self.flow(branches)
            }
            Activity::Loop {
                body, body_first, ..
            } => {
                let test = self.intern(Form::Test(id));
                let body = self.started(*body);
                if *body_first {
                    self.sequence(body, test)
                } else {
                    test
                }
            }
            Activity::Begin { body, .. } => {
                let body = self.started(*body);
                self.begin(id, body)
            }
            Activity::Scope(scope) => {
                let body = self.started(scope.body);
                let beside = vec![Self::EMPTY; scope.events.len() + scope.alarms.len()];
                let left = scope.alarms.iter().map(|alarm| Some(alarm.after)).collect();
                self.scope(process, id, body, beside.into(), left, scope.starts_dormant)
            }
            _ => self.intern(Form::Start(id)),
        }
    }
}

/// The parts whose beginning belongs to the beginning of the whole.
fn begins_with(activity: &Activity) -> Vec<ActivityId> {
    match activity {
        Activity::Sequence(parts) | Activity::Flow(parts) => parts.clone(),
        Activity::Loop { body, .. } | Activity::Begin { body, .. } => vec![*body],
        Activity::Scope(scope) => vec![scope.body],
        _ => Vec::new(),
    }
}
