//! The syntax of the calculus (Bentakouk's thesis, 3.3.2, with what WS-BPEL 2.0 has beyond it).
//!
//! Activities stand in an arena: an [`ActivityId`] is one *occurrence* of an activity in the text, and two occurrences
//! that look alike are still two (the normal form of states rests on that).

use choros_base::{Choice, Name, Span};
use choros_data::{Sort, Term, Terms, Var};
use choros_model::stg::{Operation, Role, Update};
use rustc_hash::FxHashMap;

/// A process: all its activities, and the one that it begins with.
#[derive(Debug, Clone)]
pub struct Process {
    /// The orchestrator; it sends and receives every message.
    pub role: Role,
    /// The fault that a broken correlation raises.
    pub violation: Name,
    /// Variables that get any value in each step that reads them: what is not known of the process.
    pub unknowns: Vec<Var>,
    /// Is undefined where a message is not for the reception that would take it; no one reads it.
    pub delivered: Option<Var>,
    /// The same, where it is for several at once.
    pub apart: Option<Var>,
    /// The faults of the standard after which a scope may end the process; a failed join is not one of them.
    pub standard_faults: Vec<Name>,
    /// The types of messages that the data of faults are, and the variables of their handlers.
    pub data_types: FxHashMap<Var, Name>,
    /// The whole of it.
    pub root: ActivityId,
    activities: Vec<(Activity, Option<Span>)>,
}

/// One occurrence of an activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActivityId(pub u32);

choros_base::indices!(ActivityId);

#[derive(Debug, Clone)]
pub enum Activity {
    /// Ends at once.
    Empty,
    /// `0`: does nothing, and does not end either.
    Stop,
    /// `time`: only lets time pass.
    Time,
    /// One silent step with assignments, carried out in order.
    Assign(Vec<Update>),
    /// A fault is raised, after assignments that keep its data.
    Throw(RaisedFault, Vec<Update>),
    /// The fault that is being handled is raised again.
    Rethrow,
    /// The whole process ends at once, and no handler runs.
    Exit,
    /// A message comes in.
    Receive(Reception),
    /// A message goes out.
    Send(Sending),
    /// One after the other.
    Sequence(Vec<ActivityId>),
    /// One of several, by conditions.
    Choice {
        /// What may be chosen, in order.
        arms: Vec<Arm>,
        /// Whether no arm may be open for a while; time passes then.
        waits: bool,
    },
    /// Repeats its body.
    Loop {
        /// When the body is carried out (again).
        enter: Term,
        /// When the loop is left.
        leave: Term,
        /// What is repeated.
        body: ActivityId,
        /// Whether the body comes before the first test: repeat … until.
        body_first: bool,
        /// When the test has no value, and what is done then.
        undefined: Option<(Term, ActivityId)>,
    },
    /// Side by side.
    Flow(Vec<ActivityId>),
    /// An activity with handlers.
    Scope(Scope),
    /// Assignments that the first step of the body carries.
    Begin {
        /// The assignments.
        updates: Vec<Update>,
        /// What begins.
        body: ActivityId,
    },
}

/// One arm of a choice.
#[derive(Debug, Clone)]
pub struct Arm {
    /// When it may be chosen.
    pub guard: Term,
    /// What choosing it assigns.
    pub updates: Vec<Update>,
    /// What it does.
    pub body: ActivityId,
}

/// A fault with its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RaisedFault {
    /// Its name.
    pub fault: Name,
    /// Where its data are found while it is handled.
    pub data: Option<Var>,
}

/// The reception of a message or, after a call, of one of its faults.
#[derive(Debug, Clone)]
pub struct Reception {
    /// Who sends it.
    pub partner: Role,
    pub operation: Operation,
    /// The anonymous variable of the message's type; a message without data has none.
    pub wire: Option<Var>,
    /// What is done with it: `v := va_m`.
    pub store: Vec<Update>,
    /// The check of correlation sets after the message has come, as in the thesis and for the answer to a call.
    pub correlation: Option<Correlation>,
    /// Which messages are delivered at all, where the correlation sets decide it (WS-BPEL 2.0, 9.2).
    pub delivery: Option<Delivery>,
    /// The faults that may come instead.
    pub faults: Vec<ReceivedFault>,
    /// The call that waits for an answer then.
    pub opens: Option<Exchange>,
    /// How it stands to others that wait for the same messages; the answer to a call has none.
    pub contest: Option<Contest>,
}

/// What decides between receptions of one operation that wait at the same time (WS-BPEL 2.0, 10.4).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contest {
    /// The correlation sets that it names, in the order of their names.
    pub sets: Vec<Var>,
    /// Whether it may create the instance: before there is one, nothing waits.
    pub starts: bool,
    /// Whether another may wait at the same time; otherwise there is nothing to decide.
    pub is_open: bool,
}

/// A call that waits for its answer: one per partner link, operation and message exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Exchange(pub u32);

/// Which messages come to a reception with correlation sets.
///
/// A message that does not match belongs to another instance: it is not delivered, and there is no step for it.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// A set that must have values has none: no message can match, and the correlation is broken at once.
    pub unready: Term,
    /// Messages that are taken and raise a fault: one that would initiate a set which has values already, or one that
    /// comes before the last was answered.
    pub refused: Vec<(Term, Name)>,
    /// What must hold of the message.
    pub matches: Term,
    /// What is recorded; if not every message matches, the first is [`Process::accepting`] it.
    pub updates: Vec<Update>,
    /// Whether there are correlation sets; otherwise only calls without an answer decide.
    pub is_correlated: bool,
}

/// A fault that may come in place of an answer; it is raised then.
#[derive(Debug, Clone, Copy)]
pub struct ReceivedFault {
    /// Its name; `data` is the anonymous variable that receives what it carries.
    pub raised: RaisedFault,
}

/// The sending of a message.
#[derive(Debug, Clone)]
pub struct Sending {
    /// Who gets it.
    pub partner: Role,
    pub operation: Operation,
    /// The fault it carries, if it is a faulty answer.
    pub fault: Option<Name>,
    /// The anonymous variable of the message's type; a message without data has none.
    pub wire: Option<Var>,
    /// How it is filled: `va_m := v`.
    pub prepare: Vec<Update>,
    /// The check of correlation sets.
    pub correlation: Option<Correlation>,
    /// The call that it answers.
    pub closes: Option<Exchange>,
}

/// `G` and `A` of one communication: when its correlation is broken, and what it sets otherwise.
#[derive(Debug, Clone)]
pub struct Correlation {
    /// `G`.
    pub violation: Term,
    /// `A`.
    pub updates: Vec<Update>,
}

/// How event handlers act on the body of their scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Style {
    /// They take its place: `pick`, and the thesis' scopes.
    Disabling,
    /// They run in parallel with it, as in WS-BPEL 2.0.
    #[default]
    Concurrent,
}

impl Choice for Style {
    const CHOICES: &'static [(&'static str, Style, &'static str)] = &[
        (
            "standard",
            Style::Concurrent,
            "They run in parallel with it, as in WS-BPEL 2.0",
        ),
        (
            "thesis",
            Style::Disabling,
            "They replace it, as in Bentakouk's thesis",
        ),
    ];
}

/// A scope: a body and its handlers.
#[derive(Debug, Clone)]
pub struct Scope {
    pub body: ActivityId,
    /// How messages and alarms act on the body.
    pub style: Style,
    /// Handlers of messages, in order.
    pub events: Vec<OnMessage>,
    /// Handlers of alarms, in order.
    pub alarms: Vec<OnAlarm>,
    /// Handlers of faults; the first that fits is taken.
    pub handlers: Vec<Handling>,
    /// What successful completion assigns, in a silent step of its own if there is anything.
    pub completed: Vec<Update>,
    /// What catching a fault assigns.
    pub abandoned: Vec<Update>,
    /// What is done when the scope is ended from outside.
    pub termination: Option<ActivityId>,
    /// Whether its events and alarms are there only after the body has received a message: those of the process,
    /// whose instance does not exist before.
    pub starts_dormant: bool,
    /// Whether a standard fault, except a failed join, ends the process (`exitOnStandardFault`).
    pub exits: bool,
}

impl Scope {
    /// A scope with a body and no handlers.
    pub fn around(body: ActivityId) -> Self {
        Self {
            body,
            style: Style::default(),
            events: Vec::new(),
            alarms: Vec::new(),
            handlers: Vec::new(),
            completed: Vec::new(),
            abandoned: Vec::new(),
            termination: None,
            starts_dormant: false,
            exits: false,
        }
    }

    /// Whether the scope changes what happens in its body.
    pub fn is_plain(&self) -> bool {
        self.events.is_empty()
            && self.alarms.is_empty()
            && self.handlers.is_empty()
            && self.completed.is_empty()
            && self.termination.is_none()
            && !self.exits
    }
}

/// A handler of messages.
#[derive(Debug, Clone, Copy)]
pub struct OnMessage {
    /// An [`Activity::Receive`].
    pub reception: ActivityId,
    /// What follows it.
    pub body: ActivityId,
}

/// A handler of alarms.
#[derive(Debug, Clone, Copy)]
pub struct OnAlarm {
    /// After how many ticks it goes off.
    pub after: u32,
    /// After how many further ticks it goes off again, and again; only beside a body.
    pub every: Option<u32>,
    /// What it does.
    pub body: ActivityId,
}

/// A handler of faults.
#[derive(Debug, Clone, Copy)]
pub struct Handling {
    /// The fault it handles; without it, any.
    pub fault: Option<Name>,
    /// The variable that gets the fault's data; a handler that has one handles only faults with data of its type.
    pub variable: Option<Var>,
    /// What it does.
    pub body: ActivityId,
    /// Whether its body may raise the fault again.
    pub rethrows: bool,
}

impl Process {
    /// A process without activities; its root is to be set.
    pub fn new(role: Role, violation: Name) -> Self {
        Self {
            role,
            violation,
            unknowns: Vec::new(),
            delivered: None,
            apart: None,
            standard_faults: Vec::new(),
            data_types: FxHashMap::default(),
            root: ActivityId(0),
            activities: Vec::new(),
        }
    }

    /// An assignment to a variable that is undefined unless a condition holds: the edge does not fire then.
    ///
    /// The condition may speak of the message that comes, which a guard cannot.
    pub fn accepting(terms: &mut Terms, variable: Var, condition: Term) -> Update {
        let flags = terms.list_sort(Sort::BOOL);
        let none = terms.list(flags, &[]);
        let zero = terms.int(0);
        let undefined = terms.index(none, zero);
        let value = terms.if_then_else(condition, Term::TRUE, undefined);
        Update { variable, value }
    }

    /// Adds an occurrence.
    pub fn add(&mut self, activity: Activity, origin: Option<Span>) -> ActivityId {
        let id = ActivityId(self.activities.len() as u32);
        self.activities.push((activity, origin));
        id
    }

    /// An occurrence.
    pub fn activity(&self, id: ActivityId) -> &Activity {
        &self.activities[id.index()].0
    }

    /// Where an occurrence is written.
    pub fn origin(&self, id: ActivityId) -> Option<Span> {
        self.activities[id.index()].1
    }

    /// The occurrences that one is made of.
    pub fn parts(&self, id: ActivityId) -> Vec<ActivityId> {
        match self.activity(id) {
            Activity::Sequence(parts) | Activity::Flow(parts) => parts.clone(),
            Activity::Choice { arms, .. } => arms.iter().map(|arm| arm.body).collect(),
            Activity::Loop {
                body, undefined, ..
            } => [*body]
                .into_iter()
                .chain(undefined.map(|it| it.1))
                .collect(),
            Activity::Begin { body, .. } => vec![*body],
            Activity::Scope(scope) => {
                let mut parts = vec![scope.body];
                for event in &scope.events {
                    parts.extend([event.reception, event.body]);
                }
                parts.extend(scope.alarms.iter().map(|it| it.body));
                parts.extend(scope.handlers.iter().map(|it| it.body));
                parts.extend(scope.termination);
                parts
            }
            _ => Vec::new(),
        }
    }

    /// All lists of assignments of an occurrence.
    pub fn updates_mut(&mut self, id: ActivityId) -> Vec<&mut Vec<Update>> {
        match &mut self.activities[id.index()].0 {
            Activity::Assign(updates)
            | Activity::Throw(_, updates)
            | Activity::Begin { updates, .. } => vec![updates],
            Activity::Receive(reception) => vec![&mut reception.store],
            Activity::Send(sending) => vec![&mut sending.prepare],
            Activity::Choice { arms, .. } => arms.iter_mut().map(|it| &mut it.updates).collect(),
            Activity::Scope(scope) => vec![&mut scope.completed, &mut scope.abandoned],
            _ => Vec::new(),
        }
    }

    /// An occurrence, to be changed.
    pub fn activity_mut(&mut self, id: ActivityId) -> &mut Activity {
        &mut self.activities[id.index()].0
    }

    /// How many occurrences there are.
    pub fn len(&self) -> usize {
        self.activities.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.activities.is_empty()
    }

    /// All occurrences.
    pub fn ids(&self) -> impl Iterator<Item = ActivityId> + use<> {
        (0..self.activities.len() as u32).map(ActivityId)
    }
}
