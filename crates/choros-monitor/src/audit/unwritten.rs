//! Guilt where data of a log were not written down.
//!
//! A role knows the values that it sent and received, also those that its log does not show.
//! For its log to conform, some values must explain it; but a role is guilty only if it left L(r) by a sending whatever
//! they are.
//! An amount that no one wrote down may explain what `payment` answered, and then `order`, which passes on the amount
//! that it asked for, would seem to send a wrong one.
//!
//! Who breaks the order of messages does so whatever the data are, as long as what was not written down is taken for
//! right.

use choros_model::stg::{Direction, Role};

use super::automaton::View;
use super::guilt::Part;
use super::judge::Auditor;
use super::run::{Run, Sighting};
use super::walk::{Stopped, WrittenData};

impl<'o> Auditor<'_, 'o, '_> {
    /// A role that is guilty by some values only is one that may be.
    pub(super) fn blamed(
        &mut self,
        role: Role,
        run: &Run<'o>,
        log: usize,
        part: Part,
    ) -> Result<Part, Stopped> {
        let judge = |it: &mut Self| {
            let mut walk = it.walk(View::Knows(role));
            it.part(&mut walk, run, log)
        };
        let [part] = self.whatever_the_data(run, log, [part], |it| Ok([judge(it)?]))?;
        Ok(part)
    }

    /// What a role did, if that is `found` by what is written; `judge` finds it again.
    pub(super) fn whatever_the_data<const N: usize>(
        &mut self,
        run: &Run<'o>,
        log: usize,
        found: [Part; N],
        judge: impl Fn(&mut Self) -> Result<[Part; N], Stopped>,
    ) -> Result<[Part; N], Stopped> {
        let has_all = found.iter().all(|part| match part {
            Part::Guilty(position) => !self.is_unwritten(run, log, *position),
            _ => true,
        });
        if has_all {
            return Ok(found);
        }
        let by_order = self.with(WrittenData::Ignored, &judge)?;
        let by_all = self.with(WrittenData::Named, &judge)?;
        let settled = |number: usize| match found[number] {
            Part::Guilty(position) => {
                let again = [by_order[number], by_all[number]];
                let is_certain = again.iter().any(|it| matches!(it, Part::Guilty(_)));
                if is_certain {
                    Part::Guilty(position)
                } else {
                    Part::Doubtful(position)
                }
            }
            part => part,
        };
        Ok(std::array::from_fn(settled))
    }

    /// The roles that may have wronged another before it sent something, as far as their own logs do not show what they
    /// sent.
    pub(super) fn may_have_wronged(
        &self,
        run: &Run<'o>,
        log: usize,
        position: usize,
    ) -> Vec<String> {
        if !self.is_unwritten(run, log, position) {
            return Vec::new();
        }
        let before = run.logs[log][..position].iter().map(|it| it.observation);
        let received = before.filter(|it| it.direction == Direction::Receive);
        let senders: Vec<&str> = received.map(|it| &*it.from).collect();
        let roles = self.roles.iter().enumerate();
        let found = roles.filter(|(other, it)| {
            let count = run.logs[*other].len();
            senders.contains(&it.role) && self.is_unwritten(run, *other, count)
        });
        found.map(|(_, it)| it.role.to_owned()).collect()
    }

    /// Whether data are missing before an observation of a log.
    fn is_unwritten(&self, run: &Run<'o>, log: usize, position: usize) -> bool {
        let mut before = run.logs[log][..position].iter();
        let is_unwritten = |it: &Sighting<'_>| {
            let seen = it.observation;
            (seen.data.is_empty() || seen.is_partial) && self.alphabet.letter(it.letter).carries
        };
        !self.ground.foreign.is_empty() || before.any(is_unwritten)
    }

    fn with<T>(
        &mut self,
        data: WrittenData,
        judge: impl Fn(&mut Self) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        let redacted = std::mem::take(&mut self.ground.redacted);
        let because = self.unclear_because.take();
        self.ground.data = data;
        let found = judge(self);
        self.ground.data = WrittenData::Known;
        self.ground.redacted = redacted;
        self.unclear_because = because;
        found
    }
}
