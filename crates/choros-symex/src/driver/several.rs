//! A service that serves several sessions: what needs not be waited for, and what happens beside all paths.

use choros_data::Terms;
use choros_smt::{Solver, SolverError};

use super::belief::Allowed;
use super::clock::Moment;
use super::conversation::{Driver, Purpose};
use super::path::SymbolicPath;

impl Driver<'_> {
    /// Whether the next message would overtake one of its own session that no one has said to have arrived.
    ///
    /// Other sessions do not wait, or several users would be served one after the other.
    pub(super) fn must_wait(
        &self,
        position: usize,
        path: &SymbolicPath,
        terms: &mut Terms,
    ) -> bool {
        let Some(next) = self.guide.sends(position, path) else {
            return !self.unacknowledged.is_empty();
        };
        let view = self.specification.view;
        let session = view.identity_of(next.operation);
        let session = session.map(|place| self.guide.value_at(next, place, terms));
        self.unacknowledged.iter().any(|sent| {
            let place = view.identity_of(sent.operation);
            let own = place.and_then(|place| sent.values.get(place));
            match (&session, own) {
                // An identity without a value yet is one of a new session.
                (Some(next), Some(own)) => next.as_ref() == Some(own),
                _ => true,
            }
        })
    }

    /// Goes on by the model alone, where the service has taken a course on which no path lies.
    ///
    /// Several sessions continue in more orders than a suite has paths; nothing further is sent.
    pub(super) fn leaves_paths(&mut self) -> bool {
        let serves_several = !self.specification.view.identities.is_empty();
        if !self.conduct.is_adaptive || !serves_several || self.is_left {
            return false;
        }
        self.is_left = true;
        self.guide.finish();
        self.listening = None;
        true
    }

    /// How long to listen, and for what, beside all paths: as long as anything is due.
    pub(super) fn what_is_due(
        &self,
        now: Moment,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<(Moment, Purpose), SolverError> {
        let tempo = self.specification.tempo;
        let belief = &self.belief;
        let silence = belief.silence(now, &self.specification, terms, solver)?;
        Ok(match silence {
            Allowed::Yes => (tempo.quiet, Purpose::Quiet),
            Allowed::No | Allowed::Unknown => (tempo.answer, Purpose::Answer),
        })
    }
}
