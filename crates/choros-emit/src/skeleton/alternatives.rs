//! What a role does in a state where data decide, as a chain of conditions.

use super::plan::{Move, State};
use super::snippet::{Guard, Snippet, any};
use crate::Code;

/// How a language writes a chain of conditions.
pub(super) struct Chain {
    pub(super) first: fn(&Snippet) -> String,
    pub(super) next: fn(&Snippet) -> String,
    pub(super) otherwise: &'static str,
    /// What closes the chain, if anything does.
    pub(super) close: Option<&'static str>,
    pub(super) or: &'static str,
}

/// What stands under the conditions.
pub(super) trait Bodies {
    fn act(&self, code: &mut Code, step: &Move);
    fn receive(&self, code: &mut Code, state: &State);
    fn end(&self, code: &mut Code);
    /// Nothing can happen, against the model.
    fn stuck(&self, code: &mut Code, state: &State);
}

/// At most one of these can happen: the first whose condition holds is the one.
pub(super) fn alternatives(code: &mut Code, state: &State, chain: &Chain, bodies: &dyn Bodies) {
    let mut written = Written {
        chain,
        is_open: true,
        is_first: true,
    };
    for step in &state.moves {
        written.add(code, &step.guard, &|code| bodies.act(code, step));
    }
    if state.waits() {
        let mut guards: Vec<&Guard> = state.receptions.iter().map(|it| &it.guard).collect();
        guards.extend(state.ticks.iter().map(|it| &it.guard));
        guards.extend(&state.end);
        // Where receptions have conditions, the reception itself says whether one holds.
        let guard = if state.moves.is_empty() && state.end.is_none() {
            None
        } else {
            any(&guards, chain.or)
        };
        written.add(code, &guard, &|code| bodies.receive(code, state));
    } else if let Some(end) = &state.end {
        written.add(code, end, &|code| bodies.end(code));
    }
    written.add(code, &None, &|code| bodies.stuck(code, state));
}

/// A chain so far.
struct Written<'c> {
    chain: &'c Chain,
    /// Whether more may come.
    is_open: bool,
    is_first: bool,
}

impl Written<'_> {
    fn add(&mut self, code: &mut Code, guard: &Guard, body: &dyn Fn(&mut Code)) {
        if !self.is_open {
            return;
        }
        self.is_open = guard.is_some();
        match guard {
            None if self.is_first => return body(code),
            None => code.line(self.chain.otherwise),
            Some(guard) => {
                let head = if self.is_first {
                    self.chain.first
                } else {
                    self.chain.next
                };
                code.uses(&guard.names).line(head(guard))
            }
        };
        code.indented(body);
        self.is_first = false;
        if let Some(close) = self.chain.close.filter(|_| !self.is_open) {
            code.line(close);
        }
    }
}
