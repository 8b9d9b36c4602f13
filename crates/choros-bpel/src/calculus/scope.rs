//! The rules of scopes: messages, alarms and faults around a body.

use choros_data::{Term, Terms};
use choros_model::stg::{Direction, Event, Update};

use super::activity::{Activity, ActivityId, OnAlarm, RaisedFault, Scope, Style};
use super::contest::Claim;
use super::rules::{ProcessLabel, ProcessRules, ProcessStep};
use super::state::{StateId, States};

impl ProcessRules<'_> {
    /// The steps of a scope: its body's, its running handlers', then the messages and alarms that it waits for.
    pub(super) fn scope_steps(
        &mut self,
        terms: &mut Terms,
        id: ActivityId,
        body: StateId,
        (beside, left): (&[StateId], &[Option<u32>]),
        dormant: bool,
    ) -> Vec<ProcessStep> {
        let process = self.process;
        let Activity::Scope(scope) = process.activity(id) else {
            return Vec::new();
        };
        let mut steps = Vec::new();
        for step in self.known(body).iter() {
            if scope.style == Style::Disabling && self.shadowed(scope, step) {
                continue;
            }
            let dormant = dormant && !is_received(step);
            let step = self.inside(terms, scope, step, |rules, inner, lost| {
                if lost {
                    rules.remains(inner, beside)
                } else {
                    rules
                        .states
                        .scope(process, id, inner, beside.into(), left.into(), dormant)
                }
            });
            steps.push(step);
        }
        for (position, &handler) in beside.iter().enumerate() {
            for step in self.known(handler).iter() {
                let step = self.inside(terms, scope, step, |rules, inner, lost| {
                    let mut beside = beside.to_vec();
                    beside[position] = inner;
                    if lost {
                        rules.remains(body, &beside)
                    } else {
                        rules
                            .states
                            .scope(process, id, body, beside.into(), left.into(), dormant)
                    }
                });
                steps.push(step);
            }
        }
        if dormant
            || body == States::EMPTY
            || (scope.style == Style::Disabling && self.urgent(body))
        {
            return steps;
        }
        for (position, event) in scope.events.iter().enumerate() {
            if beside[position] != States::EMPTY {
                continue;
            }
            let reception = self.states.start(process, event.reception);
            let then = self.states.start(process, event.body);
            let received = self.steps(terms, reception);
            for step in received.iter() {
                // A handler beside a body waits until its correlation sets have values.
                if scope.style == Style::Concurrent && conflicts(step) {
                    let step = self.inside(terms, scope, step, |rules, _, _| {
                        rules.remains(body, beside)
                    });
                    steps.push(step);
                    continue;
                }
                if scope.style == Style::Concurrent && !is_received(step) {
                    continue;
                }
                let handler = self.states.sequence(step.target, then);
                let target = match scope.style {
                    Style::Disabling => handler,
                    Style::Concurrent => {
                        let mut beside = beside.to_vec();
                        beside[position] = handler;
                        self.states
                            .scope(process, id, body, beside.into(), left.into(), false)
                    }
                };
                steps.push(ProcessStep {
                    target,
                    ..step.clone()
                });
            }
        }
        // An alarm of no time at all goes off without a tick.
        if let Some(target) = self.alarm(id, scope, body, beside, left, 0) {
            steps.push(self.silent(id, Term::TRUE, Vec::new(), target));
        }
        steps
    }

    /// Where a scope gets by letting time pass.
    pub(super) fn scope_tick(
        &mut self,
        id: ActivityId,
        body: StateId,
        (beside, left): (&[StateId], &[Option<u32>]),
        dormant: bool,
    ) -> Option<StateId> {
        let process = self.process;
        let Activity::Scope(scope) = process.activity(id) else {
            return None;
        };
        if dormant {
            let body = self.known_tick(body)?;
            let (beside, left) = (beside.into(), left.into());
            return Some(self.states.scope(process, id, body, beside, left, true));
        }
        let urgent = scope.style == Style::Disabling && self.urgent(body);
        if urgent || left.contains(&Some(0)) {
            return None;
        }
        let mut all = beside.to_vec();
        all.push(body);
        let mut all = self.tick_all(&all)?;
        let body = all.pop().unwrap_or(States::EMPTY);
        if !left.contains(&Some(1)) {
            let left = left.iter().map(|it| it.map(|it| it - 1)).collect();
            return Some(
                self.states
                    .scope(process, id, body, all.into(), left, false),
            );
        }
        self.alarm(id, scope, body, &all, left, 1)
    }

    /// What the alarms lead to that go off when `elapsed` ticks have passed; the first takes the body's place.
    fn alarm(
        &mut self,
        id: ActivityId,
        scope: &Scope,
        body: StateId,
        beside: &[StateId],
        left: &[Option<u32>],
        elapsed: u32,
    ) -> Option<StateId> {
        let process = self.process;
        let due = |position: &usize| left[*position] == Some(elapsed);
        let due: Vec<usize> = (0..left.len()).filter(due).collect();
        let first = *due.first()?;
        if scope.style == Style::Disabling {
            return Some(self.states.start(process, scope.alarms[first].body));
        }
        let mut beside = beside.to_vec();
        let mut left: Vec<Option<u32>> = left
            .iter()
            .map(|it| it.map(|it| it.saturating_sub(elapsed)))
            .collect();
        for position in due {
            let OnAlarm { every, body, .. } = scope.alarms[position];
            let handler = &mut beside[scope.events.len() + position];
            // While its handler is still at work, an alarm that repeats is skipped.
            if *handler == States::EMPTY {
                *handler = self.states.start(process, body);
            } else {
                self.skipped.insert(body);
            }
            left[position] = every.map(|ticks| ticks.max(1));
        }
        Some(
            self.states
                .scope(process, id, body, beside.into(), left.into(), false),
        )
    }

    /// `a ∈ Ex ∪ {τ, √}`: something in the body will happen before anything else does.
    fn urgent(&self, body: StateId) -> bool {
        let hasty = |step: &ProcessStep| match step.label {
            _ if conflicts(step) => false,
            ProcessLabel::Event(Event::Silent | Event::Choose(_)) => !step.patient,
            ProcessLabel::Event(_) => false,
            ProcessLabel::Raise(_) | ProcessLabel::Rethrow | ProcessLabel::Exit => true,
        };
        body == States::EMPTY || self.known(body).iter().any(hasty)
    }

    /// Whether a message of the body has the partner and operation of a handler.
    fn shadowed(&self, scope: &Scope, step: &ProcessStep) -> bool {
        let ProcessLabel::Event(Event::Message(message)) = &step.label else {
            return false;
        };
        let partner = if message.from == self.process.role {
            message.to
        } else {
            message.from
        };
        scope.events.iter().any(|event| {
            matches!(self.process.activity(event.reception), Activity::Receive(it)
                if it.partner == partner && it.operation == message.operation)
        })
    }

    /// A step of something in the scope, seen from outside it.
    ///
    /// `whole` gives what is left of the scope, or, after a fault, what is to be ended of it.
    fn inside(
        &mut self,
        terms: &mut Terms,
        scope: &Scope,
        step: &ProcessStep,
        whole: impl FnOnce(&mut Self, StateId, bool) -> StateId,
    ) -> ProcessStep {
        match step.label {
            ProcessLabel::Event(_) => ProcessStep {
                target: whole(self, step.target, false),
                ..step.clone()
            },
            ProcessLabel::Exit | ProcessLabel::Rethrow => ProcessStep {
                target: States::STOP,
                ..step.clone()
            },
            ProcessLabel::Raise(raised) => {
                let ending = whole(self, step.target, true);
                self.caught(terms, scope, step, raised, ending)
            }
        }
    }

    /// What a fault finds in the scope beside itself, to be ended.
    fn remains(&mut self, body: StateId, beside: &[StateId]) -> StateId {
        let mut all = beside.to_vec();
        all.push(body);
        let ended: Vec<StateId> = all.into_iter().map(|part| self.terminate(part)).collect();
        self.states.flow(ended)
    }

    /// FAULT: a handler that fits takes over; otherwise the fault continues.
    fn caught(
        &mut self,
        terms: &mut Terms,
        scope: &Scope,
        step: &ProcessStep,
        raised: RaisedFault,
        ending: StateId,
    ) -> ProcessStep {
        if scope.exits && self.process.standard_faults.contains(&raised.fault) {
            return ProcessStep {
                label: ProcessLabel::Exit,
                target: States::STOP,
                ..step.clone()
            };
        }
        let fits = scope.handlers.iter().find(|handler| {
            let types = &self.process.data_types;
            let same_type = |variable| {
                raised.data.is_some_and(|data| {
                    let same_message = match (types.get(&data), types.get(&variable)) {
                        (Some(data), Some(wanted)) => data == wanted,
                        _ => true,
                    };
                    same_message && terms.variable_sort(data) == terms.variable_sort(variable)
                })
            };
            handler.fault.is_none_or(|fault| fault == raised.fault)
                && handler.variable.is_none_or(same_type)
        });
        let Some(handler) = fits else {
            return self.escape(step, raised, ending);
        };
        let mut updates = step.updates.clone();
        updates.extend(scope.abandoned.iter().copied());
        if let (Some(variable), Some(data)) = (handler.variable, raised.data) {
            let value = terms.var(data);
            updates.push(Update { variable, value });
        }
        let body = self.states.start(self.process, handler.body);
        let body = self
            .states
            .handling(handler.rethrows.then_some(raised), body);
        ProcessStep {
            label: ProcessLabel::Event(Event::Silent),
            updates,
            target: self.ending_first(ending, body),
            ..step.clone()
        }
    }

    /// A fault that is not handled here: it continues once everything beside it is ended.
    pub(super) fn escape(
        &mut self,
        step: &ProcessStep,
        raised: RaisedFault,
        ending: StateId,
    ) -> ProcessStep {
        if ending == States::EMPTY {
            return ProcessStep {
                target: States::STOP,
                ..step.clone()
            };
        }
        let raise = self.states.raise(raised);
        ProcessStep {
            label: ProcessLabel::Event(Event::Silent),
            target: self.ending_first(ending, raise),
            ..step.clone()
        }
    }

    /// What a fault ends comes first, and belongs to handling it.
    fn ending_first(&mut self, ending: StateId, then: StateId) -> StateId {
        let whole = self.states.sequence(ending, then);
        if ending == States::EMPTY {
            return whole;
        }
        self.states.handling(None, whole)
    }
}

/// Whether a step is one only if another reception waits for the same messages.
fn conflicts(step: &ProcessStep) -> bool {
    matches!(step.claim, Some((_, Claim::Conflicts)))
}

/// Whether a step takes a message.
fn is_received(step: &ProcessStep) -> bool {
    matches!(&step.label, ProcessLabel::Event(Event::Message(message))
        if message.direction == Direction::Receive)
}
