//! An audit as what judges a partition.

use std::sync::Arc;

use choros_base::Budget;
use choros_model::observation::Observation;
use choros_monitor::WindowVerdict;
use choros_monitor::audit::{
    Log, NotAudited, OnlineAudit, OnlineBounds, OnlineState, SessionVerdict,
};
use choros_smt::{LazySolver, Solver};
use choros_stream::{Content, Entry, Judge, Misfit, Told, VerdictId};

use super::SessionModel;

/// The only version: a model does not change while it is watched.
pub(in crate::monitor) const ONLY: u32 = 1;

/// Makes judges.
pub(in crate::monitor) struct Maker<'m> {
    pub(in crate::monitor) model: &'m SessionModel<'m>,
    /// The logs that there are, without observations.
    pub(in crate::monitor) heads: &'m [Log],
    pub(in crate::monitor) bounds: OnlineBounds,
}

impl<'m> Maker<'m> {
    /// An audit that has seen nothing.
    pub(in crate::monitor) fn online(&self) -> OnlineAudit {
        OnlineAudit::new(
            self.model.stg,
            self.heads.to_vec(),
            self.model.how,
            self.bounds.clone(),
            self.model.terms,
        )
    }

    /// A judge of a stream with this incarnation.
    pub(in crate::monitor) fn judge(&self, incarnation: &str) -> SessionJudge<'m> {
        SessionJudge {
            incarnation: incarnation.to_owned(),
            online: self.online(),
            solvers: self.model.solvers,
            budget: Budget::unlimited(),
        }
    }
}

/// Audits one partition.
pub(in crate::monitor) struct SessionJudge<'j> {
    incarnation: String,
    online: OnlineAudit,
    solvers: &'j (dyn Fn() -> LazySolver + Sync),
    /// What a session may cost is bounded by situations, so that it is the same everywhere.
    budget: Budget,
}

impl SessionJudge<'_> {
    pub(in crate::monitor) fn online(&self) -> &OnlineAudit {
        &self.online
    }

    /// The verdicts on a session: one for each part.
    fn tell(
        &self,
        sessions: Vec<SessionVerdict>,
        before: u64,
        verdicts: &mut Vec<Told<WindowVerdict>>,
    ) {
        for (session, number) in sessions.into_iter().zip(before..) {
            let parts = self.online.parts();
            let all: Arc<[Observation<'static>]> = session.observations.into();
            let (service, key): (Arc<str>, Arc<str>) =
                (session.opener.into(), session.session.into());
            for ((name, outcome), property) in parts.iter().zip(session.outcomes).zip(0..) {
                verdicts.push(Told {
                    id: VerdictId {
                        incarnation: self.incarnation.clone(),
                        version: ONLY,
                        property: name.clone(),
                        session: key.to_string(),
                        service: service.to_string(),
                        opened: session.opened.line,
                    },
                    verdict: WindowVerdict {
                        sequence: number * parts.len() as u64 + property as u64 + 1,
                        property,
                        service: service.clone(),
                        outcome,
                        opened: session.opened.clone(),
                        decided: session.decided.clone(),
                        key: Some(key.clone()),
                        window: all.clone(),
                    },
                });
            }
        }
    }
}

impl Judge for SessionJudge<'_> {
    type State = OnlineState;
    type Verdict = WindowVerdict;

    fn take(
        &mut self,
        entry: &Entry,
        verdicts: &mut Vec<Told<WindowVerdict>>,
    ) -> Result<(), Misfit> {
        let before = self.online.found().sessions_judged;
        let solvers = self.solvers;
        let mut make = || Box::new(solvers()) as Box<dyn Solver>;
        let mut sessions = Vec::new();
        let judged = match &entry.content {
            Content::Seen(all) => all.iter().try_for_each(|seen| {
                let with = (&mut make as &mut dyn FnMut() -> _, &self.budget);
                self.online.take(seen, &mut sessions, with)
            }),
            Content::Tick(now) => {
                let with = (&mut make as &mut dyn FnMut() -> _, &self.budget);
                self.online.tick(now, &mut sessions, with)
            }
            Content::Change(_) => {
                return Err(Misfit(
                    "someone changed what is judged, and a model cannot be changed while it is watched"
                        .to_owned(),
                ));
            }
            Content::End(_) => {
                let with = (&mut make as &mut dyn FnMut() -> _, &self.budget);
                self.online.finish(&mut sessions, with)
            }
        };
        judged.map_err(|error| {
            Misfit(match error {
                NotAudited::Solver(error) => error.to_string(),
                NotAudited::Cancelled => "it was interrupted".to_owned(),
            })
        })?;
        self.tell(sessions, before, verdicts);
        Ok(())
    }

    fn save(&self) -> OnlineState {
        self.online.save()
    }

    fn restore(&mut self, state: Option<&OnlineState>) -> Result<(), Misfit> {
        if self.online.restore(state) {
            Ok(())
        } else {
            Err(Misfit("the state is of another model".to_owned()))
        }
    }
}
