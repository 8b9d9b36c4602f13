//! Sessions that ended, judged as [`audit`](super::super::audit) judges whole logs.

use std::collections::BTreeMap;

use choros_base::{Budget, Name};
use choros_data::Terms;
use choros_model::observation::Observation;
use choros_smt::Solver;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::alphabet::LetterId;
use super::super::judge::{Auditor, Prepared};
use super::super::presence::Unseen;
use super::super::redacted::Redacted;
use super::super::sessions::Key;
use super::super::sorted::{Sorted, sort};
use super::super::walk::{Ground, Stopped, WrittenData};
use super::super::{Auditing, Log, NotAudited};
use super::gathered::Gathered;
use super::open::Session;

/// What judging a session rests on beside its observations.
pub(in crate::audit) struct Facts {
    pub(in crate::audit) prepared: Prepared,
    /// The logs, without observations.
    pub(in crate::audit) heads: Vec<Log>,
    pub(super) key: Key,
    foreign: FxHashSet<Name>,
    /// Messages whose data no one wrote down.
    pub(super) unseen: Unseen,
    /// The roles that have logs, in the order of logs.
    roles: Vec<String>,
    /// Of each log its role.
    role_of: Vec<usize>,
    /// Of each role how many observations may belong to any session.
    pub(super) adrift: Vec<u64>,
    /// Logs that show nothing of the model are one session, as a whole log is that shows nothing.
    pub(super) expects_nothing: bool,
}

impl Facts {
    pub(super) fn new(
        prepared: Prepared,
        heads: Vec<Log>,
        key: Key,
        foreign: FxHashSet<Name>,
    ) -> Facts {
        let mut roles: Vec<String> = Vec::new();
        let mut role_of = Vec::new();
        for head in &heads {
            let known = roles.iter().position(|it| *it == head.role);
            role_of.push(known.unwrap_or(roles.len()));
            if known.is_none() {
                roles.push(head.role.clone());
            }
        }
        Facts {
            prepared,
            key,
            foreign,
            unseen: Unseen::default(),
            adrift: vec![0; roles.len()],
            roles,
            role_of,
            heads,
            expects_nothing: false,
        }
    }

    pub(super) fn set_adrift(&mut self, by_role: &BTreeMap<String, u64>) {
        for (role, adrift) in self.roles.iter().zip(&mut self.adrift) {
            *adrift = by_role.get(role).copied().unwrap_or(0);
        }
    }

    pub(super) fn roles(&self) -> &[String] {
        &self.roles
    }

    pub(in crate::audit) fn role_of(&self, log: usize) -> usize {
        self.role_of[log]
    }

    /// Whether what a role saw is divided among several logs.
    pub(in crate::audit) fn is_divided(&self, log: usize) -> bool {
        let role = self.role_of[log];
        self.role_of.iter().filter(|it| **it == role).count() > 1
    }

    /// The message of the model that an observation is.
    pub(in crate::audit) fn letter(
        &self,
        log: usize,
        observation: &Observation<'_>,
        terms: &Terms,
    ) -> Option<LetterId> {
        let alphabet = &self.prepared.alphabet;
        let letter = alphabet.of_observation(observation, &self.heads[log].role, terms);
        letter.filter(|it| !alphabet.letter(*it).is_refusal)
    }

    /// The session of a message of which the model does not speak.
    ///
    /// Where sessions are distinguished by data, messages have no identities here, so it answers none of the model.
    pub(super) fn session_of_stranger(
        &self,
        observation: &Observation<'_>,
        terms: &Terms,
    ) -> Option<String> {
        match &self.key {
            Key::Data(_) => None,
            key => {
                let sessions = key.of_outsider(observation, &FxHashMap::default(), terms);
                sessions.into_iter().next()
            }
        }
    }

    /// The logs without observations, sorted.
    pub(super) fn nothing<'f>(&'f self, how: &Auditing, terms: &Terms) -> Sorted<'f> {
        let known = (&self.prepared.alphabet, self.key.clone());
        let mut sorted = sort(&self.prepared.model, &self.heads, how, known, terms);
        sorted.runs.clear();
        sorted.adrift.clone_from(&self.adrift);
        sorted
    }

    pub(super) fn ground<'g>(
        &self,
        how: &Auditing,
        (terms, solver): (&'g mut Terms, &'g mut dyn Solver),
        budget: &'g Budget,
    ) -> Ground<'g> {
        Ground {
            terms,
            solver,
            budget,
            foreign: self.foreign.clone(),
            redacted: Redacted::default(),
            data: WrittenData::default(),
            limit: how.limit,
        }
    }

    /// Judges sessions.
    pub(super) fn judge(
        &self,
        mut sessions: Vec<Session>,
        how: &Auditing,
        (terms, solver): (&mut Terms, &mut dyn Solver),
        budget: &Budget,
    ) -> Result<Gathered, NotAudited> {
        sessions.sort_by_key(|it| it.place);
        let mut logs = self.heads.clone();
        // In the order of places, which is the one in which sorting finds their runs.
        let mut begins = Vec::new();
        for session in sessions {
            begins.extend(session.place.map(|it| (it, session.cut)));
            for (log, observation) in session.observations {
                logs[log].observations.push(observation);
            }
        }
        let known = (&self.prepared.alphabet, self.key.clone());
        let mut sorted = sort(&self.prepared.model, &logs, how, known, terms);
        sorted.adrift.clone_from(&self.adrift);
        if begins.is_empty() && !self.expects_nothing {
            sorted.runs.clear();
        }
        for (run, (place, cut)) in sorted.runs.iter_mut().zip(begins) {
            run.place = place;
            run.cut = cut;
        }
        let ground = self.ground(how, (terms, solver), budget);
        let mut auditor = Auditor::new(&self.prepared, &sorted, how, ground);
        match Gathered::of(&mut auditor, &sorted) {
            Ok(gathered) => Ok(gathered),
            Err(Stopped::Solver(error)) => Err(NotAudited::Solver(error)),
            Err(Stopped::Spent(_)) => Err(NotAudited::Cancelled),
        }
    }
}
