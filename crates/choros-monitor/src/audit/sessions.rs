//! Which observations belong to one run of the choreography.
//!
//! A choreography says what happens once; services serve many at a time.
//! `r = c1[1,2]! + c2[1,3]!` with the log `c1, c2` is wrong in one session and right in two, so sessions that cannot be
//! distinguished cannot be judged.

use choros_base::Name;
use choros_data::{Terms, Var};
use choros_model::observation::{Correlation, Datum, Observation};
use choros_model::stg::{Event, FieldValue, Message, Stg};
use rustc_hash::{FxHashMap, FxHashSet};

use super::alphabet::{Alphabet, LetterId};
use super::values::plain_name;

/// How sessions are distinguished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sessions {
    /// By the `session` of observations where any has one, else by data that the model carries through a whole run,
    /// else not at all.
    Found,
    /// By this.
    By(Correlation),
    /// All observations belong to one.
    One,
}

/// Where a message carries a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field {
    label: Option<Name>,
    /// Without a label, a log may call it by the name of its variable.
    variable: Var,
    /// Its position without a label, among so many.
    position: usize,
    count: usize,
}

impl Field {
    fn value<'o, 't>(
        &self,
        observation: &'o Observation<'t>,
        terms: &Terms,
    ) -> Option<&'o Datum<'t>> {
        let called = self.called(observation, terms);
        if self.label.is_some() {
            return called;
        }
        // The order in which a log writes its data means nothing where there are others.
        let only = observation.data.len() <= self.count;
        let placed = observation.data.get(self.position).filter(|_| only);
        called.or(placed.map(|(_, value)| value))
    }

    /// The datum that is called as the field is.
    fn called<'o, 't>(
        &self,
        observation: &'o Observation<'t>,
        terms: &Terms,
    ) -> Option<&'o Datum<'t>> {
        match self.label {
            Some(label) => observation.datum(&terms.names.text(label).replace('/', ".")),
            None => observation.datum(plain_name(terms.variable_text(self.variable))),
        }
    }
}

/// How sessions are distinguished in a run, after looking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Key {
    Correlation(Correlation),
    /// For each message the labels or positions of the fields that all messages of a run agree on.
    Data(Vec<Vec<Field>>),
    None,
}

impl Key {
    /// Decides, given whether any observation has a session.
    pub(crate) fn find(
        rule: &Sessions,
        any_session: bool,
        stg: &Stg,
        alphabet: &Alphabet,
        terms: &Terms,
    ) -> Key {
        match rule {
            Sessions::By(correlation) => Key::Correlation(correlation.clone()),
            Sessions::One => Key::None,
            Sessions::Found if any_session => Key::Correlation(Correlation::Session),
            Sessions::Found => match carried_through(stg, alphabet, terms) {
                Some(fields) => Key::Data(fields),
                None => Key::None,
            },
        }
    }

    /// The session of an observation; `None` if it does not say.
    pub(crate) fn of(
        &self,
        observation: &Observation<'_>,
        letter: LetterId,
        terms: &Terms,
    ) -> Option<String> {
        match self {
            Key::None => Some(String::new()),
            Key::Correlation(correlation) => {
                correlation.key(observation).map(|key| key.into_owned())
            }
            Key::Data(fields) => {
                let mut key = Vec::new();
                for field in &fields[letter.index()] {
                    key.push(field.value(observation, terms)?.key().into_owned());
                }
                Some(key.join(", "))
            }
        }
    }

    /// The sessions to which an observation may belong that is not of the model, the likeliest first; none if it does
    /// not say.
    pub(crate) fn of_outsider(
        &self,
        observation: &Observation<'_>,
        ids: &FxHashMap<&str, String>,
        terms: &Terms,
    ) -> Vec<String> {
        let Key::Data(letters) = self else {
            return self
                .of(observation, LetterId(0), terms)
                .into_iter()
                .collect();
        };
        let answered = observation.id.as_deref().and_then(|id| ids.get(id));
        let mut sessions: Vec<String> = answered.cloned().into_iter().collect();
        for fields in letters.iter().filter(|it| !it.is_empty()) {
            let values = fields.iter().map(|it| it.called(observation, terms));
            let Some(values) = values.collect::<Option<Vec<&Datum<'_>>>>() else {
                continue;
            };
            let values: Vec<String> = values.iter().map(|it| it.key().into_owned()).collect();
            let session = values.join(", ");
            if !sessions.contains(&session) {
                sessions.push(session);
            }
        }
        sessions
    }

    /// In words, for the report.
    pub(crate) fn words(&self, terms: &Terms) -> String {
        match self {
            Key::None => "all observations belong to one session".to_owned(),
            Key::Correlation(Correlation::Session) => {
                "sessions are separated by `session`".to_owned()
            }
            Key::Correlation(by) => format!("sessions are separated by `{by}`"),
            Key::Data(fields) => {
                let mut names: Vec<String> = Vec::new();
                for field in fields.iter().flatten() {
                    let name = match field.label {
                        Some(label) => format!("`{}`", terms.names.text(label)),
                        None => format!("field {}", field.position + 1),
                    };
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                format!(
                    "sessions are separated by {}, which every message of the model carries unchanged",
                    names.join(" and ")
                )
            }
        }
    }
}

/// The fields by which messages of one run can be recognised: variables that the first message of every run binds,
/// that are never given another value, and that every message carries.
fn carried_through(stg: &Stg, alphabet: &Alphabet, terms: &Terms) -> Option<Vec<Vec<Field>>> {
    let initial = stg.initial();
    if stg.edges().iter().any(|edge| edge.target == initial) {
        return None;
    }
    let mut bound_first: Option<Vec<Var>> = None;
    let mut written_later: FxHashSet<Var> = FxHashSet::default();
    for edge in stg.edges() {
        written_later.extend(edge.updates.iter().map(|update| update.variable));
        if edge.source != initial {
            written_later.extend(edge.event.bound_variables());
            continue;
        }
        // A silent first step would have to be looked after; such models are rare and say `--correlate`.
        let Event::Message(_) = &edge.event else {
            return None;
        };
        let bound: Vec<Var> = edge.event.bound_variables().collect();
        match &mut bound_first {
            Some(known) => known.retain(|variable| bound.contains(variable)),
            None => bound_first = Some(bound),
        }
    }
    let mut fields: Vec<Vec<Field>> = vec![Vec::new(); alphabet.len()];
    let mut found = false;
    for variable in bound_first? {
        if written_later.contains(&variable) {
            continue;
        }
        let mut places: FxHashMap<LetterId, Field> = FxHashMap::default();
        let everywhere = stg.messages().all(|message| {
            let place = carries(message, variable, terms);
            let letter = alphabet.id(message.operation.0, message.from.0, message.to.0);
            match (place, letter) {
                (Some(place), Some(letter)) => *places.entry(letter).or_insert(place) == place,
                _ => false,
            }
        });
        if everywhere {
            found = true;
            for (index, fields) in fields.iter_mut().enumerate() {
                fields.extend(places.get(&LetterId(index as u32)));
            }
        }
    }
    found.then_some(fields)
}

/// The field in which a message carries a variable.
fn carries(message: &Message, variable: Var, terms: &Terms) -> Option<Field> {
    message
        .fields
        .iter()
        .enumerate()
        .find_map(|(position, field)| {
            let carried = match field.value {
                FieldValue::Bind(bound) => Some(bound),
                FieldValue::Free(term) => terms.as_variable(term),
            };
            let place = Field {
                label: field.label,
                variable,
                position: field.label.map_or(position, |_| 0),
                count: message.fields.len(),
            };
            (carried == Some(variable)).then_some(place)
        })
}
