//! A log whose records become observations by a binding.

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::sync::Arc;

use choros_bind::{
    Binder, BindingTally, Envelope, LogRules, Part, PartSource, Place, RankedEnvelope,
};
use choros_model::observation::{Datum, Observation};
use choros_model::stg::Direction;

use super::RecordProblem;
use super::attempts::{self, Held};
use super::forms::{EnvelopeReader, NextEnvelope};
use super::hidden::HiddenFields;
use super::plan::WantedValues;
use super::problem::RecordFlaw;
use super::reader::{LogOptions, LogPosition};

/// How a log is bound.
#[derive(Debug, Clone)]
pub struct BoundOptions {
    pub binder: Arc<Binder>,
    /// The rules of this log, where the binding has some.
    pub rules: Option<LogRules>,
}

/// A log that is read by a binding.
pub(super) struct BoundLog {
    reader: EnvelopeReader,
    binding: BoundOptions,
    service: Option<String>,
    wanted: WantedValues,
    hidden: Option<HiddenFields>,
    /// Records of which more is known when others have come.
    held: Vec<Held>,
    /// Conversations of which nothing is known, because records of them are in doubt.
    doubtful: HashSet<String>,
    ready: VecDeque<Observation<'static>>,
    tally: BindingTally,
    /// Events that came, by their hashes.
    seen: HashSet<u64>,
}

/// After this many events, one that comes again is a new one: who writes events twice does it soon.
const MOST_SEEN: usize = 1 << 20;

/// What comes next.
pub(super) enum NextBound {
    Observation(Observation<'static>),
    Problem(RecordProblem),
    End,
    Failed(std::io::Error),
}

impl BoundLog {
    pub(super) fn new(
        input: Box<dyn Read + Send>,
        options: &LogOptions,
        binding: BoundOptions,
    ) -> BoundLog {
        let reader = EnvelopeReader::new(input, options.format, options.longest, options.grows);
        let secret = binding.binder.binding.hide.secret.join(", ");
        BoundLog {
            reader: reader.with_rules(binding.rules.clone()),
            binding,
            service: options.service.clone(),
            wanted: options.wanted.clone(),
            hidden: HiddenFields::of(&secret)
                .ok()
                .filter(|_| !secret.is_empty()),
            held: Vec::new(),
            doubtful: HashSet::new(),
            ready: VecDeque::new(),
            tally: BindingTally::default(),
            seen: HashSet::new(),
        }
    }

    pub(super) fn position(&self) -> LogPosition {
        self.reader.position()
    }

    pub(super) fn close(&mut self) {
        self.reader.close();
    }

    pub(super) fn tally(&self) -> &BindingTally {
        &self.tally
    }

    pub(super) fn next(&mut self) -> NextBound {
        loop {
            if let Some(seen) = self.ready.pop_front() {
                return NextBound::Observation(seen);
            }
            match self.reader.next() {
                NextEnvelope::Failed(error) => return NextBound::Failed(error),
                NextEnvelope::Problem(problem) => return NextBound::Problem(problem),
                NextEnvelope::End if self.held.is_empty() => {
                    self.tally.repeated += self.reader.take_repeated();
                    return NextBound::End;
                }
                NextEnvelope::End => self.settle(),
                NextEnvelope::Envelope(ranked) => self.hold(*ranked),
            }
        }
    }

    /// Binds a record, and holds what it is as long as others may change it.
    fn hold(&mut self, mut ranked: RankedEnvelope) {
        self.hide(&mut ranked.envelope);
        let rules = self.binding.rules.as_ref();
        let own = self.service.as_deref();
        let it = &ranked.envelope;
        let is_told = own.is_some() || it.by.is_some() || it.side.is_some();
        if !is_told && is_repeated(&mut self.seen, it) {
            self.tally.repeated += 1;
            return;
        }
        let lacks_side = own.is_none() && it.by.is_some() && it.side.is_none();
        let mut sighting = self.binding.binder.observe(it, rules, own);
        let seen = std::mem::take(&mut sighting.observations);
        sighting.observations = seen.into_iter().map(|it| self.shown(it)).collect();
        let waits = self.reader.is_ordered_at_the_end() || it.attempt.is_some();
        self.held.push(Held {
            start: ranked.start,
            end: ranked.end,
            status: it.http.as_ref().and_then(|it| it.status),
            is_told,
            lacks_side,
            sighting,
            session: ranked.envelope.session,
            attempt: ranked.envelope.attempt,
            is_contradicted: ranked.envelope.is_contradicted,
        });
        if !waits {
            self.settle();
        }
    }

    /// Counts what is held, and gives the observations in their order.
    fn settle(&mut self) {
        let mut held = std::mem::take(&mut self.held);
        self.tally.resent += attempts::settle(&mut held, &mut self.doubtful);
        let mut found: Vec<(u64, Observation<'static>)> = Vec::with_capacity(held.len());
        for record in held {
            let sighting = record.sighting;
            self.tally.add(&sighting);
            self.tally.unattributed += u64::from(!record.is_told);
            if record.lacks_side {
                let sent = |it: &&Observation<'_>| it.direction == Direction::Send;
                match sighting.observations.first() {
                    Some(seen) if sent(&seen) => self.tally.by_sender += 1,
                    Some(_) => self.tally.by_receiver += 1,
                    None => {}
                }
            }
            let first = usize::from(sighting.ignored);
            for (half, seen) in sighting.observations.into_iter().enumerate() {
                let is_request = half + first == 0;
                let rank = if is_request { record.start } else { record.end };
                found.push((rank, seen));
            }
        }
        if self.reader.is_ordered_at_the_end() {
            found.sort_by_key(|(rank, _)| *rank);
        }
        self.ready.extend(found.into_iter().map(|(_, seen)| seen));
    }

    /// Without what must not be shown, and without what no one asked for.
    fn shown(&self, mut seen: Observation<'static>) -> Observation<'static> {
        if let WantedValues::Paths(paths) = &self.wanted {
            seen.data
                .retain(|(path, _)| paths.iter().any(|it| *it == **path));
        }
        if let Some(hidden) = &self.hidden {
            hidden.data(&mut seen.data);
            let binding = &self.binding.binder.binding;
            let session = seen.session.take();
            let id = seen.id.take();
            seen.session = self.shown_word(hidden, Part::Session, &binding.session, session);
            seen.id = self.shown_word(hidden, Part::Id, &binding.id, id);
        }
        seen
    }

    /// A session or an identity, hidden if it is called so or may come from where something is.
    fn shown_word(
        &self,
        hidden: &HiddenFields,
        part: Part,
        places: &[Place],
        word: Option<Cow<'static, str>>,
    ) -> Option<Cow<'static, str>> {
        let rules = self.binding.rules.as_ref();
        let sources = rules.map_or(&[][..], |it| it.part(part)).iter();
        let paths = sources.filter_map(|source| match source {
            PartSource::Path(path) => Some(path.clone()),
            PartSource::Value(_) => None,
        });
        let places = places.iter().map(Place::to_string);
        let mut names = paths.chain(places).chain([part.name().to_owned()]);
        let is_hidden = names.any(|it| hidden.covers(&it));
        word.map(|word| if is_hidden { hidden.word(word) } else { word })
    }

    /// Replaces what must not be shown before anything is made of it: a field or a session may have another name.
    ///
    /// What tells messages apart stays: it is compared with values that the binding names.
    fn hide(&self, envelope: &mut Envelope) {
        let Some(hidden) = &self.hidden else { return };
        let messages = &self.binding.binder.binding.messages;
        let is_asked = |place: String| {
            let mut asked = messages.iter().flat_map(|it| &it.when);
            asked.any(|(it, _)| it.to_string() == place)
        };
        let values = |kind: &str, values: &mut Vec<(String, Datum<'static>)>| {
            for (path, value) in values {
                if hidden.covers(path) && !is_asked(format!("{kind}.{path}")) {
                    hidden.datum(value);
                }
            }
        };
        let words = |kind: &str, words: &mut Vec<(String, String)>| {
            for (name, word) in words {
                if hidden.covers(name) && !is_asked(format!("{kind}.{name}")) {
                    *word = hidden.word(std::mem::take(word).into()).into_owned();
                }
            }
        };
        values("attribute", &mut envelope.attributes);
        let response = envelope.http.as_mut().and_then(|it| it.response.as_mut());
        for content in std::iter::once(&mut envelope.content).chain(response) {
            values("body", &mut content.body);
            words("header", &mut content.headers);
        }
        if let Some(http) = &mut envelope.http {
            words("query", &mut http.query);
        }
    }
}

/// Whether the same event came before: one with the same sender, name, identity and content.
fn is_repeated(seen: &mut HashSet<u64>, envelope: &Envelope) -> bool {
    let Some(id) = &envelope.id else {
        return false;
    };
    let mut hasher = DefaultHasher::new();
    (id, &envelope.from, &envelope.to, &envelope.names).hash(&mut hasher);
    for (path, value) in &envelope.content.body {
        (path, value.key()).hash(&mut hasher);
    }
    if seen.len() >= MOST_SEEN {
        seen.clear();
    }
    !seen.insert(hasher.finish())
}

/// Why a log cannot be read without a binding.
pub(super) fn unbound(form: &str) -> RecordFlaw {
    RecordFlaw::Malformed {
        what: format!("records of the form {form} are read with the words of a model only"),
        offset: 0,
    }
}
