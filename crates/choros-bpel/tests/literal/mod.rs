//! A literal reading of the rules: terms as they are written, by recursion.

mod contest;

use std::collections::BTreeMap;

use choros_base::Span;
use choros_bpel::calculus::*;
use choros_data::{Term, Terms};
use choros_model::stg::{Direction, Edge, Event, Field, FieldValue, Message, NodeId, Update};

/// A process as the thesis writes it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum P {
    Empty,
    Stop,
    Throw(u32),
    Act(u32),
    Ready(u32),
    Received(u32),
    Test(u32),
    Seq(Box<P>, Box<P>),
    Flow(Vec<P>),
    Scope(u32, Box<P>, Vec<P>, Vec<Option<u32>>, bool),
    /// A body whose first step carries assignments.
    Begin(u32, Box<P>),
    Handling(u32, Box<P>),
    /// What a fault ends, and then what handles it.
    Ending(Box<P>),
    /// What completes although it is ended: its faults go nowhere.
    Quiet(Box<P>),
}

/// What happens: `√`, `χ`, a fault, a message; the last three with a guard and assignments.
#[derive(Debug, Clone, PartialEq)]
enum A {
    End,
    Tick,
    Fault(u32, Label),
    Rethrow(Label),
    Exit(Label),
    /// Whether it may have to wait for its guard.
    Silent(Label, bool),
    /// Operation, and what is exchanged.
    Message(u32, Box<Message>, Label),
}

/// `[guard] … / updates`.
#[derive(Debug, Clone, PartialEq)]
struct Label {
    guard: Term,
    updates: Vec<Update>,
    /// The reception that takes a message or, as soon as it is clear that another waits for it too, raises a fault.
    claim: Option<(ActivityId, Claim)>,
}

impl Label {
    fn new(guard: Term, updates: &[Update]) -> Label {
        Label {
            guard,
            updates: updates.to_vec(),
            claim: None,
        }
    }

    fn plain() -> Label {
        Label::new(Term::TRUE, &[])
    }
}

impl A {
    fn label(&mut self) -> Option<&mut Label> {
        match self {
            A::End | A::Tick => None,
            A::Fault(_, label) | A::Rethrow(label) | A::Exit(label) => Some(label),
            A::Silent(label, _) | A::Message(_, _, label) => Some(label),
        }
    }
}

/// The steps of a process.
type Steps = Vec<(A, P)>;

struct Twin<'a> {
    process: &'a Process,
    terms: Terms,
    faults: Vec<choros_base::Name>,
}

impl Twin<'_> {
    fn fault(&mut self, name: choros_base::Name) -> u32 {
        match self.faults.iter().position(|&it| it == name) {
            Some(position) => position as u32,
            None => {
                self.faults.push(name);
                self.faults.len() as u32 - 1
            }
        }
    }

    fn start(&self, id: ActivityId) -> P {
        match self.process.activity(id) {
            Activity::Empty => P::Empty,
            Activity::Stop => P::Stop,
            Activity::Sequence(parts) => parts
                .iter()
                .rev()
                .fold(None, |rest: Option<P>, &part| {
                    let part = self.start(part);
                    Some(match rest {
                        None => part,
                        Some(rest) => P::Seq(part.into(), rest.into()),
                    })
                })
                .unwrap_or(P::Empty),
            Activity::Flow(parts) => P::Flow(parts.iter().map(|&it| self.start(it)).collect()),
            Activity::Loop {
                body, body_first, ..
            } => {
                if *body_first {
                    P::Seq(self.start(*body).into(), P::Test(id.0).into())
                } else {
                    P::Test(id.0)
                }
            }
            Activity::Scope(scope) => P::Scope(
                id.0,
                self.start(scope.body).into(),
                vec![P::Empty; scope.events.len() + scope.alarms.len()],
                scope.alarms.iter().map(|it| Some(it.after)).collect(),
                scope.starts_dormant,
            ),
            Activity::Begin { body, .. } => P::Begin(id.0, self.start(*body).into()),
            _ => P::Act(id.0),
        }
    }

    fn text(&self, guard: Term, event: Event, updates: &[Update]) -> String {
        Edge {
            source: NodeId(0),
            target: NodeId(0),
            guard,
            event,
            updates: updates.to_vec(),
            origin: None::<Span>,
        }
        .label_text(&self.terms)
    }

    fn silent(&self, guard: Term, updates: &[Update]) -> A {
        A::Silent(Label::new(guard, updates), false)
    }

    /// A step of a body that begins: it assigns first, and sees what it assigns.
    fn carried(&mut self, updates: &[Update], mut a: A) -> A {
        let mut now = rustc_hash::FxHashMap::default();
        for update in updates {
            let value = self.terms.substitute(update.value, &now);
            now.insert(update.variable, value);
        }
        if let A::Message(_, message, _) = &mut a {
            for field in &mut message.fields {
                if let FieldValue::Free(term) = &mut field.value {
                    *term = self.terms.substitute(*term, &now);
                }
            }
        }
        if let Some(label) = a.label() {
            label.guard = self.terms.substitute(label.guard, &now);
            label.updates.splice(0..0, updates.iter().copied());
        }
        a
    }

    fn received(&self, it: &Reception, fault: Option<choros_base::Name>) -> A {
        let message = Message {
            operation: it.operation,
            from: it.partner,
            to: self.process.role,
            direction: Direction::Receive,
            fault,
            fields: match fault {
                None => it
                    .wire
                    .map(|wire| Field {
                        label: None,
                        value: FieldValue::Bind(wire),
                    })
                    .into_iter()
                    .collect(),
                Some(_) => Vec::new(),
            },
        };
        let store = match fault {
            None => &it.store[..],
            Some(_) => &[],
        };
        let head = head(&self.terms, &message);
        A::Message(head, message.into(), Label::new(Term::TRUE, store))
    }

    /// A call that comes to a reception with correlation sets, or breaks them.
    fn delivered(&mut self, it: &Reception, delivery: &Delivery) -> Vec<(A, P)> {
        let mut steps = Vec::new();
        let violation = self.fault(self.process.violation);
        let mut taken = self.terms.complement(delivery.unready);
        if delivery.unready != Term::FALSE {
            let label = Label::new(delivery.unready, &[]);
            steps.push((A::Silent(label, true), P::Throw(violation)));
        }
        for &(refused, fault) in &delivery.refused {
            let fault = self.fault(fault);
            let A::Message(head, message, _) = self.received(it, None) else {
                unreachable!()
            };
            let guard = self.terms.and([taken, refused]);
            steps.push((
                A::Message(head, message, Label::new(guard, &[])),
                P::Throw(fault),
            ));
            let fine = self.terms.complement(refused);
            taken = self.terms.and([taken, fine]);
        }
        let A::Message(head, message, mut label) = self.received(it, None) else {
            unreachable!()
        };
        label.guard = taken;
        label.updates.extend(delivery.updates.iter().copied());
        steps.push((A::Message(head, message, label), P::Empty));
        steps
    }

    fn steps(&mut self, p: &P) -> Vec<(A, P)> {
        match p {
            P::Empty => vec![(A::End, P::Stop)],
            P::Stop => vec![],
            P::Throw(fault) => vec![(A::Fault(*fault, Label::plain()), P::Stop)],
            P::Begin(id, body) => {
                let Activity::Begin { updates, .. } = self.process.activity(ActivityId(*id)) else {
                    unreachable!()
                };
                let mut steps = Vec::new();
                for (a, target) in self.steps(body) {
                    steps.push(match a {
                        A::End => (A::End, target),
                        A::Tick => (A::Tick, P::Begin(*id, target.into())),
                        a => (self.carried(updates, a), target),
                    });
                }
                steps
            }
            P::Act(id) => self.basic(ActivityId(*id)),
            P::Ready(id) => {
                let Activity::Send(it) = self.process.activity(ActivityId(*id)) else {
                    unreachable!()
                };
                let wire = it.wire.map(|wire| Field {
                    label: None,
                    value: FieldValue::Free(self.terms.var(wire)),
                });
                let message = Message {
                    operation: it.operation,
                    from: self.process.role,
                    to: it.partner,
                    direction: Direction::Send,
                    fault: it.fault,
                    fields: wire.into_iter().collect(),
                };
                let head = head(&self.terms, &message);
                let mut steps = vec![(A::Tick, p.clone())];
                match &it.correlation {
                    None => {
                        let a = A::Message(head, message.into(), Label::plain());
                        steps.push((a, P::Empty));
                    }
                    Some(correlation) => {
                        let kept = self.terms.complement(correlation.violation);
                        let violation = self.fault(self.process.violation);
                        steps.push((self.silent(correlation.violation, &[]), P::Throw(violation)));
                        let label = Label::new(kept, &correlation.updates);
                        steps.push((A::Message(head, message.into(), label), P::Empty));
                    }
                }
                steps
            }
            P::Received(id) => {
                let Activity::Receive(it) = self.process.activity(ActivityId(*id)) else {
                    unreachable!()
                };
                let correlation = it.correlation.as_ref().expect("checked");
                let kept = self.terms.complement(correlation.violation);
                let violation = self.fault(self.process.violation);
                vec![
                    (self.silent(correlation.violation, &[]), P::Throw(violation)),
                    (self.silent(kept, &correlation.updates), P::Empty),
                ]
            }
            P::Test(id) => {
                let Activity::Loop {
                    enter,
                    leave,
                    body,
                    undefined,
                    ..
                } = self.process.activity(ActivityId(*id))
                else {
                    unreachable!()
                };
                let again = P::Seq(self.start(*body).into(), p.clone().into());
                let mut steps = vec![
                    (self.silent(*enter, &[]), again),
                    (self.silent(*leave, &[]), P::Empty),
                ];
                if let Some((guard, body)) = undefined {
                    steps.push((self.silent(*guard, &[]), self.start(*body)));
                }
                steps
            }
            P::Seq(first, then) => {
                let mut steps = Vec::new();
                for (a, target) in self.steps(first) {
                    match a {
                        A::End => steps.extend(self.steps(then)),
                        a => steps.push((a, P::Seq(target.into(), then.clone()))),
                    }
                }
                steps
            }
            P::Flow(branches) => self.flow(branches),
            P::Scope(id, body, beside, left, dormant) => {
                self.scope(*id, body, beside, left, *dormant)
            }
            P::Ending(body) => {
                let mut steps = Vec::new();
                for (a, target) in self.steps(body) {
                    steps.push(match a {
                        A::End | A::Fault(..) | A::Rethrow(_) => (a, target),
                        a => (a, P::Ending(target.into())),
                    });
                }
                steps
            }
            P::Quiet(body) => {
                let mut steps = Vec::new();
                for (a, target) in self.steps(body) {
                    steps.push(match a {
                        A::End => (a, target),
                        A::Fault(_, label) => {
                            let ending = self.ending(&target);
                            (A::Silent(label, false), P::Quiet(ending.into()))
                        }
                        // What is about to raise a fault has nothing left to do.
                        a if self.raises(&target) => (a, P::Empty),
                        a => (a, P::Quiet(target.into())),
                    });
                }
                steps
            }
            P::Handling(fault, body) => {
                let mut steps = Vec::new();
                for (a, target) in self.steps(body) {
                    steps.push(match a {
                        A::Rethrow(label) => (A::Fault(*fault, label), target),
                        A::End | A::Fault(..) => (a, target),
                        a => (a, P::Handling(*fault, target.into())),
                    });
                }
                steps
            }
        }
    }

    /// What ends a process from outside.
    fn ending(&mut self, p: &P) -> P {
        let own = match p {
            P::Seq(..) => Vec::new(),
            p => self.steps(p),
        };
        // What has ended has completed.
        if own.iter().any(|(a, _)| *a == A::End) {
            return P::Empty;
        }
        match p {
            P::Seq(first, then) => {
                if self.steps(first).iter().any(|(a, _)| *a == A::End) {
                    self.ending(then)
                } else {
                    self.ending(first)
                }
            }
            P::Flow(branches) => P::Flow(branches.iter().map(|it| self.ending(it)).collect()),
            P::Handling(_, body) | P::Ending(body) | P::Quiet(body) if self.raises(body) => {
                P::Empty
            }
            P::Quiet(_) => p.clone(),
            P::Handling(..) | P::Ending(_) => P::Quiet(p.clone().into()),
            // Handlers of a fault apart, what has not taken its first step has nothing to end.
            P::Begin(_, body) => self.ending(body),
            P::Scope(id, body, beside, _, _) => {
                let own = match self.process.activity(ActivityId(*id)) {
                    Activity::Scope(scope) => scope.termination,
                    _ => None,
                };
                let own = own.map_or(P::Empty, |id| self.start(id));
                let inner = beside.iter().chain([&**body]).map(|it| self.ending(it));
                P::Seq(P::Flow(inner.collect()).into(), own.into())
            }
            _ => P::Empty,
        }
    }

    /// Whether a handler is about to raise a fault itself: then it has nothing to complete.
    fn raises(&mut self, p: &P) -> bool {
        match p {
            P::Throw(_) => true,
            P::Handling(_, body) | P::Ending(body) => self.raises(body),
            P::Seq(first, then) => {
                let ended = self.steps(first).iter().any(|(a, _)| *a == A::End);
                self.raises(if ended { then } else { first })
            }
            _ => false,
        }
    }

    fn escape(&mut self, fault: u32, label: Label, ending: P) -> (A, P) {
        if self.steps(&ending).iter().any(|(a, _)| *a == A::End) {
            (A::Fault(fault, label), P::Stop)
        } else {
            (
                A::Silent(label, false),
                P::Ending(P::Seq(ending.into(), P::Throw(fault).into()).into()),
            )
        }
    }

    fn basic(&mut self, id: ActivityId) -> Vec<(A, P)> {
        let idle = (A::Tick, P::Act(id.0));
        match self.process.activity(id) {
            Activity::Time => vec![idle],
            Activity::Assign(updates) => vec![(self.silent(Term::TRUE, updates), P::Empty)],
            Activity::Rethrow => vec![(A::Rethrow(Label::plain()), P::Stop)],
            Activity::Exit => vec![(A::Exit(Label::plain()), P::Stop)],
            Activity::Throw(raised, updates) => {
                let fault = self.fault(raised.fault);
                vec![(A::Fault(fault, Label::new(Term::TRUE, updates)), P::Stop)]
            }
            Activity::Receive(it) => {
                let then = match it.correlation {
                    Some(_) => P::Received(id.0),
                    None => P::Empty,
                };
                let mut steps = vec![idle];
                match &it.delivery {
                    Some(delivery) => steps.extend(self.delivered(it, delivery)),
                    None => steps.push((self.received(it, None), then)),
                }
                let faults = contest::offers(self, id, it, &mut steps);
                steps.extend(faults);
                for fault in &it.faults {
                    let number = self.fault(fault.raised.fault);
                    steps.push((
                        self.received(it, Some(fault.raised.fault)),
                        P::Throw(number),
                    ));
                }
                steps
            }
            Activity::Send(it) => vec![(self.silent(Term::TRUE, &it.prepare), P::Ready(id.0))],
            Activity::Choice { arms, waits } => arms
                .iter()
                .map(|arm| {
                    let label = Label::new(arm.guard, &arm.updates);
                    (A::Silent(label, *waits), self.start(arm.body))
                })
                .chain(waits.then_some(idle))
                .collect(),
            _ => unreachable!(),
        }
    }

    /// FLOW: internals, time, and `√` of all.
    fn flow(&mut self, branches: &[P]) -> Vec<(A, P)> {
        let all: Vec<Vec<(A, P)>> = branches.iter().map(|it| self.steps(it)).collect();
        let mut steps = Vec::new();
        for (position, own) in all.iter().enumerate() {
            for (a, target) in own {
                if !matches!(a, A::End | A::Tick) {
                    let mut branches = branches.to_vec();
                    branches[position] = target.clone();
                    steps.push((a.clone(), P::Flow(branches)));
                }
            }
        }
        if all.iter().all(|own| own.iter().any(|(a, _)| *a == A::End)) {
            steps.push((A::End, P::Stop));
        }
        if let Some(after) = time(branches, &all) {
            steps.push((A::Tick, P::Flow(after)));
        }
        steps
    }

    fn scope(
        &mut self,
        number: u32,
        body: &P,
        beside: &[P],
        left: &[Option<u32>],
        dormant: bool,
    ) -> Vec<(A, P)> {
        let Activity::Scope(scope) = self.process.activity(ActivityId(number)) else {
            unreachable!()
        };
        let disabling = scope.style == Style::Disabling;
        let own = self.steps(body);
        let ended = own.iter().any(|(a, _)| *a == A::End);
        let urgent = ended
            || own.iter().any(|(a, _)| match a {
                a if contest::conflicts(a) => false,
                A::Silent(_, patient) => !patient,
                A::Fault(..) | A::Rethrow(_) | A::Exit(_) => true,
                _ => false,
            });
        let rebuilt = |body: &P, beside: &[P], left: &[Option<u32>], dormant: bool| {
            P::Scope(
                number,
                body.clone().into(),
                beside.to_vec(),
                left.to_vec(),
                dormant,
            )
        };
        let heads: Vec<u32> = scope
            .events
            .iter()
            .map(|event| match self.process.activity(event.reception) {
                Activity::Receive(it) => match self.received(it, None) {
                    A::Message(head, _, _) => head,
                    _ => unreachable!(),
                },
                _ => unreachable!(),
            })
            .collect();
        let mut steps = Vec::new();
        let mut parts: Vec<(Option<usize>, Steps)> = vec![(None, own.clone())];
        for (position, handler) in beside.iter().enumerate() {
            parts.push((Some(position), self.steps(handler)));
        }
        let enabled = !dormant && if disabling { !urgent } else { !ended };
        // What an event raises that may not wait is raised in its scope.
        let mut raising: Vec<(Option<usize>, Steps)> = Vec::new();
        for (position, event) in scope.events.iter().enumerate() {
            let busy = !parts[position + 1].1.iter().any(|(a, _)| *a == A::End);
            if enabled && !disabling && !busy {
                let mut own = self.steps(&self.start(event.reception));
                own.retain(|(a, _)| contest::conflicts(a));
                raising.push((Some(position), own));
            }
        }
        for (position, own) in parts.iter().chain(&raising) {
            for (a, target) in own {
                match a {
                    A::End | A::Tick => {}
                    A::Message(head, _, _) if disabling && heads.contains(head) => {}
                    A::Rethrow(_) | A::Exit(_) => steps.push((a.clone(), P::Stop)),
                    A::Fault(fault, label)
                        if scope.exits
                            && self
                                .process
                                .standard_faults
                                .contains(&self.faults[*fault as usize]) =>
                    {
                        steps.push((A::Exit(label.clone()), P::Stop));
                    }
                    A::Fault(fault, label) => {
                        let (mut rest, mut others) = (body.clone(), beside.to_vec());
                        match position {
                            None => rest = target.clone(),
                            Some(position) => others[*position] = target.clone(),
                        }
                        others.push(rest);
                        let ended = others.iter().map(|it| self.ending(it)).collect();
                        let ending = P::Flow(ended);
                        let caught = scope.handlers.iter().find(|handler| {
                            handler
                                .fault
                                .is_none_or(|name| name == self.faults[*fault as usize])
                        });
                        match caught {
                            Some(handler) => {
                                let then = P::Handling(*fault, self.start(handler.body).into());
                                let then = P::Ending(P::Seq(ending.into(), then.into()).into());
                                let mut label = label.clone();
                                label.updates.extend(scope.abandoned.iter().copied());
                                steps.push((A::Silent(label, false), then));
                            }
                            None => steps.push(self.escape(*fault, label.clone(), ending)),
                        }
                    }
                    a => {
                        let (mut body, mut beside) = (body.clone(), beside.to_vec());
                        match position {
                            None => body = target.clone(),
                            Some(position) => beside[*position] = target.clone(),
                        }
                        let woken = position.is_none() && is_received(a);
                        let dormant = dormant && !woken;
                        steps.push((a.clone(), rebuilt(&body, &beside, left, dormant)));
                    }
                }
            }
        }
        let all_ended = parts
            .iter()
            .all(|(_, own)| own.iter().any(|(a, _)| *a == A::End));
        if all_ended && scope.completed.is_empty() {
            steps.push((A::End, P::Stop));
        } else if all_ended {
            steps.push((self.silent(Term::TRUE, &scope.completed), P::Empty));
        }
        if enabled {
            for (position, event) in scope.events.iter().enumerate() {
                let busy = !parts[position + 1].1.iter().any(|(a, _)| *a == A::End);
                if busy {
                    continue;
                }
                for (a, target) in self.steps(&self.start(event.reception)) {
                    if a == A::Tick || !disabling && !is_received(&a) {
                        continue;
                    }
                    let then = P::Seq(target.into(), self.start(event.body).into());
                    if disabling {
                        steps.push((a, then))
                    } else {
                        let mut beside = beside.to_vec();
                        beside[position] = then;
                        steps.push((a, rebuilt(body, &beside, left, false)));
                    }
                }
            }
        }
        let may_pass = dormant || if disabling { !urgent } else { true };
        if may_pass {
            let states: Vec<P> = beside.iter().cloned().chain([body.clone()]).collect();
            let all: Vec<Vec<(A, P)>> = parts[1..]
                .iter()
                .chain(&parts[..1])
                .map(|(_, own)| own.clone())
                .collect();
            if let Some(mut after) = time(&states, &all) {
                let body = after.pop().expect("the body");
                if dormant {
                    steps.push((A::Tick, rebuilt(&body, &after, left, true)));
                    return steps;
                }
                steps.push((
                    A::Tick,
                    self.elapse(number, scope, &body, after, left, ended),
                ));
            }
        }
        steps
    }

    fn elapse(
        &mut self,
        number: u32,
        scope: &Scope,
        body: &P,
        mut beside: Vec<P>,
        left: &[Option<u32>],
        ended: bool,
    ) -> P {
        let mut left = left.to_vec();
        if ended {
            return P::Scope(number, body.clone().into(), beside, left, false);
        }
        for (position, alarm) in scope.alarms.iter().enumerate() {
            match left[position] {
                Some(1) if scope.style == Style::Disabling => return self.start(alarm.body),
                Some(1) => {
                    let place = scope.events.len() + position;
                    if self.steps(&beside[place]).iter().any(|(a, _)| *a == A::End) {
                        beside[place] = self.start(alarm.body);
                    }
                    left[position] = alarm.every;
                }
                Some(more) => left[position] = Some(more - 1),
                None => {}
            }
        }
        P::Scope(number, body.clone().into(), beside, left, false)
    }
}

fn is_received(a: &A) -> bool {
    matches!(a, A::Message(_, message, _) if message.direction == Direction::Receive)
}

/// FLOW time.
fn time(branches: &[P], all: &[Vec<(A, P)>]) -> Option<Vec<P>> {
    let mut some = false;
    let after = branches
        .iter()
        .zip(all)
        .map(|(branch, own)| {
            if own.iter().any(|(a, _)| *a == A::End) {
                return Some(branch.clone());
            }
            some = true;
            own.iter()
                .find(|(a, _)| *a == A::Tick)
                .map(|(_, target)| target.clone())
        })
        .collect::<Option<Vec<P>>>();
    after.filter(|_| some)
}

fn head(terms: &Terms, message: &Message) -> u32 {
    terms
        .names
        .text(message.operation.0)
        .bytes()
        .fold(0, |sum, byte| sum * 31 + u32::from(byte))
}

/// Steps of a state: label and target.
pub(crate) type Graph = Vec<Vec<(String, usize)>>;

/// The twin's graph; at its top a fault ends everything.
pub(crate) fn naive(process: &Process, terms: &Terms, limit: usize) -> Option<Graph> {
    let mut twin = Twin {
        process,
        terms: terms.clone(),
        faults: Vec::new(),
    };
    let mut known = BTreeMap::new();
    let mut order = vec![twin.start(process.root)];
    known.insert(order[0].clone(), 0);
    let mut graph = Graph::new();
    while graph.len() < order.len() {
        let mut steps = Vec::new();
        let offered = twin.steps(&order[graph.len()].clone());
        for (a, target) in contest::settled(&mut twin, offered) {
            let (a, target) = match a {
                A::Fault(fault, label) => {
                    let ending = twin.ending(&target);
                    twin.escape(fault, label, ending)
                }
                A::Exit(label) => (A::Exit(label), P::Stop),
                a => (a, target),
            };
            let label = match a {
                A::End => "√".to_owned(),
                A::Tick => "tick".to_owned(),
                A::Fault(fault, label) => {
                    let event = Event::Raise(twin.faults[fault as usize]);
                    twin.text(label.guard, event, &label.updates)
                }
                A::Rethrow(_) => unreachable!("only within handlers"),
                A::Exit(label) | A::Silent(label, _) => {
                    twin.text(label.guard, Event::Silent, &label.updates)
                }
                A::Message(_, message, label) => {
                    twin.text(label.guard, Event::Message(*message), &label.updates)
                }
            };
            let next = known.len();
            let id = *known.entry(target.clone()).or_insert_with(|| {
                order.push(target);
                next
            });
            steps.push((label, id));
        }
        graph.push(steps);
        if order.len() > limit {
            return None;
        }
    }
    Some(graph)
}
