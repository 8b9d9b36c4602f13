//! Answers that the model does not list.
//!
//! Messages of which the model does not speak are left out before logs are judged (Definition 9 of Nguyen's thesis):
//! services say more to each other than a choreography lists.
//! One that *answers* a message of the model belongs to the same conversation.
//! So who received it may have learned from it what the choreography does not let it expect, and is not judged from
//! there on; what it does then the sender of the answer may be guilty of as well.
//!
//! One kind of answer says more: a *refusal*, which its log marks as a fault.
//! No run has it, so who sends it leaves its part, and who receives it was wronged.
//! In a log with gaps it is left out as the others are, because what it answers need not be what it seems to answer;
//! but then the log does not conform for certain.

use choros_data::Terms;
use choros_model::observation::Observation;
use choros_model::stg::{Direction, Stg};

use super::alphabet::{Alphabet, LetterId};
use super::judge::Auditor;
use super::run::{Run, Sighting};
use super::tale::place;
use super::{Auditing, Log, Projection};

/// What a role saw of an answer outside the model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outsider<'o> {
    /// Number of the role that saw it.
    pub(crate) log: usize,
    /// So many observations of the model are before it.
    pub(crate) position: usize,
    pub(crate) observation: &'o Observation<'static>,
    /// It looks like a refusal.
    pub(crate) is_fault: bool,
    pub(crate) source: &'o str,
}

/// Whether a message is a fault that goes against the direction of some message of the model, so that it may refuse one.
pub(super) fn may_refuse_some(
    observation: &Observation<'_>,
    alphabet: &Alphabet,
    terms: &Terms,
) -> bool {
    let is_asked = |letter: u32| {
        let asked = alphabet.letter(LetterId(letter));
        terms.names.text(asked.from) == observation.to
            && terms.names.text(asked.to) == observation.from
    };
    observation.is_fault && (0..alphabet.len() as u32).any(is_asked)
}

/// Makes letters of the refusals in logs.
pub(super) fn admit_refusals(
    alphabet: &mut Alphabet,
    logs: &[Log],
    how: &Auditing,
    terms: &mut Terms,
) {
    if how.projection == Projection::Natural {
        return;
    }
    for observation in logs.iter().flat_map(|log| &log.observations) {
        if may_refuse_some(observation, alphabet, terms) {
            let mut intern = |text: &str| terms.names.intern(text);
            let key = (
                intern(&observation.operation),
                intern(&observation.from),
                intern(&observation.to),
            );
            alphabet.admit(key, true);
        }
    }
}

/// Whether a message in a log answers a message of the model: one that is in the log before it and went the other way,
/// with the same identity.
pub(super) fn is_answer(
    observation: &Observation<'_>,
    before: &[Sighting<'_>],
    alphabet: &Alphabet,
) -> bool {
    let direction = match observation.direction {
        Direction::Send => Direction::Receive,
        Direction::Receive | Direction::Interaction => Direction::Send,
    };
    before.iter().any(|it| {
        let asked = it.observation;
        asked.direction == direction
            && asked.from == observation.to
            && asked.to == observation.from
            && asked.id.is_some()
            && asked.id == observation.id
            && !alphabet.letter(it.letter).is_refusal
    })
}

/// Whether both ends of a message are roles of the model, and the log is that of the end which saw it.
pub(super) fn is_between_roles(
    observation: &Observation<'_>,
    role: &str,
    model: &Stg,
    terms: &Terms,
) -> bool {
    let end = match observation.direction {
        Direction::Send => &observation.from,
        Direction::Receive => &observation.to,
        Direction::Interaction => return false,
    };
    let roles = model.roles();
    let is_role = |name: &str| {
        let name = terms.names.get(name);
        roles.iter().any(|it| Some(it.0) == name)
    };
    *end == role
        && observation.from != observation.to
        && is_role(&observation.from)
        && is_role(&observation.to)
}

impl<'o> Auditor<'_, 'o, '_> {
    /// An answer outside the model that a role may have received before an observation of its log.
    pub(super) fn misled_by<'r>(
        &self,
        run: &'r Run<'o>,
        log: usize,
        position: usize,
    ) -> Option<&'r Outsider<'o>> {
        let role = self.roles[log].role;
        let has_gaps = self.lacks[log].gaps || self.lacks[log].beginning;
        run.outside
            .iter()
            .find(|it| match it.observation.direction {
                Direction::Receive => it.log == log && it.position <= position,
                // It may have been received in a gap.
                Direction::Send | Direction::Interaction => has_gaps && it.observation.to == role,
            })
    }

    /// Why a role is not judged at an observation, if it may have been misled before.
    pub(super) fn misled_words(
        &self,
        run: &Run<'o>,
        log: usize,
        position: usize,
    ) -> Option<String> {
        let outsider = self.misled_by(run, log, position)?;
        Some(format!(
            "{}: {} is not in the model; what `{}` did after it is not judged",
            place(outsider.source, outsider.observation, &run.name),
            outsider.observation.shown(self.ground.terms),
            self.roles[log].role
        ))
    }

    /// Why a session does not conform for certain: a role may have refused a message in one of these logs.
    pub(super) fn may_refuse(&self, run: &Run<'o>, logs: &[usize]) -> Option<String> {
        let mut outside = run.outside.iter();
        let fault = outside.find(|it| it.is_fault && logs.contains(&it.log))?;
        Some(format!(
            "{}: {} is not in the model, and may refuse a message that is",
            place(fault.source, fault.observation, &run.name),
            fault.observation.shown(self.ground.terms),
        ))
    }

    /// Whether a message is a refusal.
    pub(super) fn is_refusal(&self, letter: LetterId) -> bool {
        self.alphabet.letter(letter).is_refusal
    }
}
