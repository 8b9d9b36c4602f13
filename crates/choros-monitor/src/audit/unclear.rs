//! Data of which neither their names nor their positions say which field they are.
//!
//! A field without a label is the datum that has the name of its variable, or else the one in its position.
//! Where an observation has more data than the message has fields, and none of that name, any of them may be meant: the
//! order in which a log writes them means nothing.
//! Such a datum is taken for unknown, so that no role is blamed for it; but what the model says about it was not judged,
//! and a *yes* would say more than is known.
//! The same is true of what was redacted, where what the model says is true of some values and not of others.

use choros_base::Name;
use choros_data::{SortKind, Term, Terms, Var};
use choros_model::Evidence;
use choros_model::evidence::Trace;
use choros_model::stg::{FieldValue, Message, Stg};
use rustc_hash::{FxHashMap, FxHashSet};

use super::alphabet::{Alphabet, LetterId};
use super::conditions::Conditions;
use super::judge::{Auditor, session_words};
use super::run::{Run, Sighting};
use super::tale::place;
use super::tally::SessionResult;
use super::values::plain_name;
use super::walk::Stopped;

/// The fields without labels of each message, about which the model says something.
#[derive(Debug, Default)]
pub(super) struct Unclear {
    letters: FxHashMap<LetterId, Nameless>,
}

#[derive(Debug, Default)]
struct Nameless {
    /// The names of the variables.
    names: Vec<Name>,
    /// How many fields the message has at most.
    fields: usize,
}

impl Unclear {
    pub(super) fn of(model: &Stg, alphabet: &Alphabet, terms: &Terms) -> Unclear {
        let used = used(model, terms);
        let mut unclear = Unclear::default();
        for message in model.messages() {
            let letter = alphabet.id(message.operation.0, message.from.0, message.to.0);
            let Some(letter) = letter else { continue };
            let nameless = unclear.letters.entry(letter).or_default();
            nameless.fields = nameless.fields.max(message.fields.len());
            let plain = plain_variables(message, terms);
            for variable in plain.filter(|it| used.contains(it)) {
                let name = terms.variable_name(variable);
                if !nameless.names.contains(&name) {
                    nameless.names.push(name);
                }
            }
        }
        unclear
    }

    /// The first field of an observation of which it is not clear what it is.
    fn in_sighting(&self, sighting: &Sighting<'_>, terms: &Terms) -> Option<Name> {
        let nameless = self.letters.get(&sighting.letter)?;
        let observation = sighting.observation;
        if observation.data.len() <= nameless.fields {
            return None;
        }
        let mut names = nameless.names.iter().copied();
        names.find(|&name| {
            let name = plain_name(terms.names.text(name));
            observation.datum(name).is_none()
        })
    }
}

impl<'o> Auditor<'_, 'o, '_> {
    /// The outcome of a session, unless it says yes to data that no one could distinguish.
    pub(super) fn clear(
        &mut self,
        outcome: SessionResult,
        run: &Run<'o>,
        logs: &[usize],
    ) -> Result<SessionResult, Stopped> {
        let SessionResult::Conforms {
            condition,
            evidence,
            finished,
        } = outcome
        else {
            return Ok(outcome);
        };
        let mut condition = condition;
        if !finished && !run.cut.is_empty() {
            let reason = format!("{}{}", session_words(&run.name), run.cut);
            let evidence = evidence.unwrap_or_default();
            return Ok(SessionResult::Either(reason, Evidence::Trace(evidence)));
        }
        if let Some(reason) = self.may_refuse(run, logs) {
            let evidence = evidence.unwrap_or_default();
            return Ok(SessionResult::Either(reason, Evidence::Trace(evidence)));
        }
        if let Some(reason) = self.depends_on_redacted(condition, run, logs)? {
            let evidence = evidence.unwrap_or_default();
            let evidence = Trace {
                conclusion: reason.clone(),
                ..evidence
            };
            return Ok(SessionResult::Either(reason, Evidence::Trace(evidence)));
        }
        if !self
            .ground
            .redacted
            .texts(condition, self.ground.terms)
            .is_empty()
        {
            // True of all redacted values.
            condition = Term::TRUE;
        }
        let outcome = SessionResult::Conforms {
            condition,
            evidence: evidence.clone(),
            finished,
        };
        let terms = &*self.ground.terms;
        let sightings = || logs.iter().flat_map(|&log| &run.logs[log]);
        let mut sightings = sightings();
        let unclear = sightings.find_map(|sighting| {
            let name = self.unclear.in_sighting(sighting, terms)?;
            Some((sighting, name))
        });
        let Some((sighting, name)) = unclear else {
            return Ok(outcome);
        };
        let reason = format!(
            "{}{}: it is not clear which datum of {} is `{}`: none has that name, and there are more than the model has \
             fields",
            session_words(&run.name),
            place(sighting.source, sighting.observation, ""),
            sighting.observation.shown(terms),
            plain_name(terms.names.text(name))
        );
        let evidence = evidence.unwrap_or_default();
        Ok(SessionResult::Either(reason, Evidence::Trace(evidence)))
    }

    /// Why it is not known whether a condition is true: it is of some redacted values, and of others it is not.
    pub(super) fn depends_on_redacted(
        &mut self,
        condition: Term,
        run: &Run<'o>,
        logs: &[usize],
    ) -> Result<Option<String>, Stopped> {
        let ground = &mut self.ground;
        if ground.redacted.texts(condition, ground.terms).is_empty() {
            return Ok(None);
        }
        let otherwise = ground.terms.not(condition);
        if !Conditions::default().possible(otherwise, ground)? {
            return Ok(None);
        }
        let texts = ground.redacted.texts(condition, ground.terms);
        let sightings = logs.iter().flat_map(|&log| &run.logs[log]);
        let mut places = sightings.flat_map(|sighting| {
            let data = sighting.observation.data.iter();
            data.map(move |(path, datum)| (sighting, path, datum))
        });
        let found = places.find(|(_, _, datum)| datum.text().is_some_and(|it| texts.contains(&it)));
        let words = match found {
            Some((sighting, path, _)) => format!(
                "{}: `{path}`",
                place(sighting.source, sighting.observation, "")
            ),
            None => "a value".to_owned(),
        };
        Ok(Some(format!(
            "{}{words} was redacted, so what the model says about it cannot be judged",
            session_words(&run.name),
        )))
    }
}

/// The variables of fields without labels that are one datum each.
pub(super) fn plain_variables<'m>(
    message: &'m Message,
    terms: &'m Terms,
) -> impl Iterator<Item = Var> + 'm {
    let nameless = message.fields.iter().filter(|it| it.label.is_none());
    let variables = nameless.filter_map(|field| match field.value {
        FieldValue::Bind(variable) => Some(variable),
        FieldValue::Free(term) => terms.as_variable(term),
    });
    variables.filter(|&it| {
        let kind = terms.sort_kind(terms.variable_sort(it));
        !matches!(kind, SortKind::Record(_) | SortKind::List(_))
    })
}

/// The variables whose values are ever examined: in guards, in what is sent, in what is computed.
pub(super) fn used(model: &Stg, terms: &Terms) -> FxHashSet<Var> {
    let mut used: FxHashSet<Var> = FxHashSet::default();
    for edge in model.edges() {
        used.extend(terms.free_variables(edge.guard));
        for update in &edge.updates {
            used.extend(terms.free_variables(update.value));
        }
    }
    for field in model.messages().flat_map(|message| &message.fields) {
        if let FieldValue::Free(term) = field.value {
            used.extend(terms.free_variables(term));
        }
    }
    let ends = model.nodes().iter().flat_map(|node| &node.terminations);
    for end in ends {
        used.extend(terms.free_variables(end.guard));
    }
    used
}
