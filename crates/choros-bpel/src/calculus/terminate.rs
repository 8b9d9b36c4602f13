//! Ending what a fault finds beside itself: the scopes that are open run their termination handlers, inner ones first.

use super::activity::{Activity, ActivityId};
use super::rules::ProcessRules;
use super::state::{Form, StateId, States};

impl ProcessRules<'_> {
    /// What is to be done to end a state from outside; `empty` where nothing is.
    ///
    /// A handler of a fault that is at work is not ended but completes, and so does what ends before it begins; their
    /// faults go nowhere, since what is around has a fault already (WS-BPEL 2.0, 12.6).
    pub(super) fn terminate(&mut self, state: StateId) -> StateId {
        let mut stack = vec![state];
        while let Some(&current) = stack.last() {
            let index = current.index();
            if self.terminated.len() <= index {
                self.terminated.resize(index + 1, None);
            }
            if self.terminated[index].is_some() {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            for part in open_parts(self.states.form(current)) {
                let known = self.terminated.get(part.index()).copied().flatten();
                if known.is_none() {
                    stack.push(part);
                }
            }
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            let ending = self.terminate_known(current);
            self.terminated[index] = Some(ending);
        }
        self.ending_of(state)
    }

    fn ending_of(&self, state: StateId) -> StateId {
        let known = self.terminated.get(state.index()).copied().flatten();
        known.unwrap_or(States::EMPTY)
    }

    fn terminate_known(&mut self, state: StateId) -> StateId {
        match self.states.form(state).clone() {
            Form::Sequence(head, _) => self.ending_of(head),
            Form::Begin(_, body) => self.ending_of(body),
            Form::Handling(..) | Form::Quiet(_) => self.states.quiet(state),
            Form::Flow(branches) => {
                let ended: Vec<StateId> = branches.iter().map(|&it| self.ending_of(it)).collect();
                self.states.flow(ended)
            }
            Form::Scope {
                scope,
                body,
                beside,
                ..
            } => {
                let parts = beside.iter().copied().chain([body]);
                let ended: Vec<StateId> = parts.map(|it| self.ending_of(it)).collect();
                let ended = self.states.flow(ended);
                let own = self.termination_of(scope);
                self.states.sequence(ended, own)
            }
            // Until its completion is noted, a scope is one that can be ended.
            Form::Completed(scope) => self.termination_of(scope),
            _ => States::EMPTY,
        }
    }

    fn termination_of(&mut self, scope: ActivityId) -> StateId {
        let own = match self.process.activity(scope) {
            Activity::Scope(it) => it.termination,
            _ => None,
        };
        match own {
            Some(handler) => self.states.start(self.process, handler),
            None => States::EMPTY,
        }
    }
}

fn open_parts(form: &Form) -> Vec<StateId> {
    match form {
        Form::Sequence(part, _) | Form::Begin(_, part) => vec![*part],
        Form::Flow(branches) => branches.to_vec(),
        Form::Scope { body, beside, .. } => beside.iter().copied().chain([*body]).collect(),
        _ => Vec::new(),
    }
}
