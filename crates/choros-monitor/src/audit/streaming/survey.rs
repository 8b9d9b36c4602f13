//! What must be known of logs as wholes before any session is judged.

use std::collections::BTreeMap;

use choros_base::Name;
use choros_data::Terms;
use choros_model::observation::Observation;
use choros_model::stg::Stg;
use rustc_hash::FxHashSet;

use super::super::alphabet::Alphabet;
use super::super::judge::Prepared;
use super::super::outside::may_refuse_some;
use super::super::presence::{PresenceCount, Unseen};
use super::super::sessions::Key;
use super::super::{Auditing, Integers, Log, Network, Presence, Sessions};
use super::judging::Facts;

/// Looks at every observation once, and holds none but a few examples.
#[derive(Debug)]
pub struct Survey {
    alphabet: Alphabet,
    network: Network,
    integers: Integers,
    by_session: Option<Census>,
    otherwise: Census,
    presence: PresenceCount,
    has_session: bool,
    has_ids: bool,
    /// An observation with a fraction.
    fraction: Option<Observation<'static>>,
    /// Of each log one observation of each message that may refuse one of the model.
    refusals: BTreeMap<(usize, usize), Vec<Observation<'static>>>,
    refused: FxHashSet<[String; 3]>,
    /// Messages that were seen without the data about which the model says something.
    unseen: Unseen,
}

/// What sessions there are, if they are distinguished in one way.
#[derive(Debug)]
struct Census {
    key: Key,
    is_asked: bool,
    /// Of each role how many observations do not say to which session they belong.
    adrift: BTreeMap<String, u64>,
    first: Option<Option<String>>,
    has_several: bool,
}

impl Census {
    fn new(key: Key, is_asked: bool) -> Census {
        Census {
            key,
            is_asked,
            adrift: BTreeMap::new(),
            first: None,
            has_several: false,
        }
    }

    fn see(&mut self, role: &str, session: Option<String>) {
        if session.is_none() {
            match self.adrift.get_mut(role) {
                Some(count) => *count += 1,
                None => {
                    self.adrift.insert(role.to_owned(), 1);
                }
            }
        }
        match &self.first {
            None => self.first = Some(session),
            Some(first) => self.has_several |= *first != session,
        }
    }
}

impl Survey {
    /// Of logs that a model is to judge.
    pub fn new(model: &Stg, how: &Auditing, terms: &mut Terms) -> Survey {
        let prepared = Prepared::of(model, &[], std::iter::empty(), how, terms);
        let (model, alphabet) = (&prepared.model, prepared.alphabet.clone());
        let find = |any_session| Key::find(&how.sessions, any_session, model, &alphabet, terms);
        let is_found = how.sessions == Sessions::Found;
        Survey {
            by_session: is_found.then(|| Census::new(find(true), false)),
            otherwise: Census::new(find(false), matches!(how.sessions, Sessions::By(_))),
            presence: PresenceCount::of(model, &alphabet, terms),
            network: how.network,
            integers: how.integers,
            has_session: false,
            has_ids: false,
            fraction: None,
            refusals: BTreeMap::new(),
            refused: FxHashSet::default(),
            unseen: Unseen::default(),
            alphabet,
        }
    }

    /// Looks at an observation of a role; `log` is the number of its log, in the order in which logs are judged.
    pub fn see(
        &mut self,
        log: (usize, usize),
        (role, is_promised): (&str, bool),
        observation: &Observation<'_>,
        terms: &Terms,
    ) {
        self.has_session |= observation.session.is_some();
        let mut numbers = observation.data.iter().filter_map(|(_, it)| it.number());
        if self.integers == Integers::WhereComputed
            && self.fraction.is_none()
            && numbers.any(|it| !it.is_whole())
        {
            self.fraction = Some(observation.clone().into_owned());
        }
        if may_refuse_some(observation, &self.alphabet, terms) {
            let name = [&observation.operation, &observation.from, &observation.to];
            let name = name.map(|it| it.to_string());
            if self.refused.insert(name) {
                let examples = self.refusals.entry(log).or_default();
                examples.push(observation.clone().into_owned());
            }
        }
        let Some(letter) = self.alphabet.of_observation(observation, role, terms) else {
            return;
        };
        self.has_ids |= observation.id.is_some();
        if self.presence.is_without_data(letter, observation) {
            self.unseen.add(role, &observation.operation);
        }
        self.presence.add(letter, observation, is_promised, terms);
        for census in self.by_session.iter_mut().chain([&mut self.otherwise]) {
            census.see(role, census.key.of(observation, letter, terms));
        }
    }

    fn census(&self) -> &Census {
        match &self.by_session {
            Some(by_session) if self.has_session => by_session,
            _ => &self.otherwise,
        }
    }

    /// Why the logs must be judged as wholes, if they must.
    pub fn needs_whole_logs(&self) -> Option<&'static str> {
        match self.census().key {
            _ if self.network == Network::MayRepeat => {
                Some("a message that is delivered again may be in any session")
            }
            Key::None => Some("all observations belong to one session"),
            Key::Data(_) if self.has_ids || !self.refused.is_empty() => Some(
                "a message belongs to the session of the one with its identity, which may be anywhere",
            ),
            Key::Data(_) | Key::Correlation(_) => None,
        }
    }

    /// What judging rests on, how often fields were there, and how many observations are one session because none
    /// says to which it belongs.
    pub(in crate::audit) fn settled(
        self,
        model: &Stg,
        mut heads: Vec<Log>,
        how: &Auditing,
        terms: &mut Terms,
    ) -> (Facts, Vec<Presence>, u64) {
        let census = match self.by_session {
            Some(by_session) if self.has_session => by_session,
            _ => self.otherwise,
        };
        let mut refusals: Vec<Log> = Vec::new();
        if let Some(head) = heads.first() {
            refusals.push(Log {
                observations: self.refusals.into_values().flatten().collect(),
                ..head.clone()
            });
        }
        let prepared = Prepared::of(model, &refusals, self.fraction.iter(), how, terms);
        heads.iter_mut().for_each(|it| it.observations.clear());
        let (fields, foreign): (_, FxHashSet<Name>) = self.presence.settled();
        let mut facts = Facts::new(prepared, heads, census.key, foreign);
        facts.unseen = self.unseen;
        let total = census.adrift.values().sum();
        let mut without_key = 0;
        if !census.has_several && census.first == Some(None) && !census.is_asked {
            without_key = total;
        } else {
            facts.set_adrift(&census.adrift);
        }
        (facts, fields, without_key)
    }
}
