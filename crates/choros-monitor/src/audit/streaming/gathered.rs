//! What was found of sessions that are judged and forgotten.

use std::collections::BTreeMap;

use choros_base::Budget;
use choros_data::{Term, Terms};
use choros_model::{Judging, Observed};
use choros_smt::Solver;
use rustc_hash::FxHashSet;

use super::super::guilt::{Blame, GuiltyParty};
use super::super::judge::{Auditor, counted, torn};
use super::super::remarks::Remarks;
use super::super::sorted::Sorted;
use super::super::tally::{PartTally, Place};
use super::super::timing::TimeRemarks;
use super::super::walk::Stopped;
use super::super::{Audit, Auditing, NotAudited, SplitSession};
use super::judging::Facts;

/// Roles by the place where each was first found.
type ByRole<T> = BTreeMap<String, ((Place, usize), T)>;

/// Verdicts so far.
#[derive(Default)]
pub(super) struct Gathered {
    parts: Vec<PartTally>,
    conditions: FxHashSet<Term>,
    guilty: ByRole<GuiltyParty>,
    may_be: ByRole<()>,
    excused: ByRole<()>,
    races: usize,
    /// It was not found out who is guilty in every session.
    has_no_blame: bool,
    remarks: Remarks,
    times: TimeRemarks,
    torn: Vec<(Place, SplitSession)>,
    filtered: BTreeMap<String, u64>,
    filtered_by_role: Vec<usize>,
    sessions: usize,
    judging: Judging,
}

fn offer<T>(known: &mut ByRole<T>, role: String, at: (Place, usize), thing: T) {
    match known.get_mut(&role) {
        Some(entry) if at < entry.0 => *entry = (at, thing),
        Some(_) => {}
        None => {
            known.insert(role, (at, thing));
        }
    }
}

/// The things, in the order of their places.
fn in_order<T>(known: ByRole<T>) -> Vec<(String, T)> {
    let mut all: Vec<_> = known.into_iter().collect();
    all.sort_by_key(|(_, (at, _))| *at);
    all.into_iter().map(|(role, (_, it))| (role, it)).collect()
}

impl Gathered {
    /// What an auditor finds of its sessions.
    pub(super) fn of<'a, 'o>(
        auditor: &mut Auditor<'a, 'o, '_>,
        sorted: &'a Sorted<'o>,
    ) -> Result<Gathered, Stopped> {
        let mut gathered = Gathered {
            parts: auditor.tallies()?,
            remarks: auditor.remarks,
            times: std::mem::take(&mut auditor.times),
            sessions: sorted.runs.len(),
            judging: auditor.judging,
            filtered: sorted.filtered.clone(),
            filtered_by_role: sorted.filtered_by_role.clone(),
            ..Gathered::default()
        };
        for run in &sorted.runs {
            let torn = torn(run, &sorted.roles).into_iter();
            gathered.torn.extend(torn.map(|it| (run.place, it)));
        }
        match gathered.blame(auditor, sorted) {
            Ok(()) => Ok(gathered),
            Err(Stopped::Spent(_)) => {
                gathered.has_no_blame = true;
                Ok(gathered)
            }
            Err(other) => Err(other),
        }
    }

    /// Who is guilty, session by session, so that what is found can be put into the order of sessions.
    fn blame<'a, 'o>(
        &mut self,
        auditor: &mut Auditor<'a, 'o, '_>,
        sorted: &'a Sorted<'o>,
    ) -> Result<(), Stopped> {
        let globally = std::mem::take(&mut auditor.globally);
        let parts = std::mem::take(&mut auditor.parts);
        let untimely = std::mem::take(&mut auditor.untimely);
        if globally.len() != sorted.runs.len() {
            return Ok(());
        }
        for (number, (run, found)) in sorted.runs.iter().zip(globally).enumerate() {
            auditor.runs = std::slice::from_ref(run);
            auditor.globally = vec![found];
            let of_run = |parts: &Vec<_>| parts.get(number).copied().into_iter().collect();
            auditor.parts = parts.iter().map(of_run).collect();
            let of_run = |found: &Vec<_>| found.get(number).copied().into_iter().collect();
            auditor.untimely = untimely.iter().map(of_run).collect();
            let (
                Blame {
                    guilty,
                    may_be,
                    races,
                    ..
                },
                excused,
            ) = auditor.suspicions()?;
            for (index, party) in guilty.into_iter().enumerate() {
                let role = party.role.clone();
                offer(&mut self.guilty, role, (run.place, index), party);
            }
            for (roles, known) in [(may_be, &mut self.may_be), (excused, &mut self.excused)] {
                for (index, role) in roles.into_iter().enumerate() {
                    offer(known, role, (run.place, index), ());
                }
            }
            self.races += races;
        }
        Ok(())
    }

    /// How many sessions were judged.
    pub(super) fn sessions(&self) -> usize {
        self.sessions
    }

    /// Adds what was found of other sessions; whether a condition is among it that was not known before.
    pub(super) fn absorb(&mut self, other: Gathered) -> bool {
        let before = self.conditions.len();
        for part in &other.parts {
            self.conditions.extend(part.tally.conditions());
        }
        if self.parts.is_empty() {
            self.parts = other.parts;
        } else {
            for (part, more) in self.parts.iter_mut().zip(other.parts) {
                part.tally.absorb(more.tally);
                part.observations += more.observations;
            }
        }
        for (role, (at, party)) in other.guilty {
            offer(&mut self.guilty, role, at, party);
        }
        for (roles, known) in [
            (other.may_be, &mut self.may_be),
            (other.excused, &mut self.excused),
        ] {
            for (role, (at, ())) in roles {
                offer(known, role, at, ());
            }
        }
        self.races += other.races;
        self.has_no_blame |= other.has_no_blame;
        self.remarks.add(other.remarks);
        self.times.add(other.times);
        self.torn.extend(other.torn);
        for (text, count) in other.filtered {
            *self.filtered.entry(text).or_default() += count;
        }
        self.filtered_by_role
            .resize(other.filtered_by_role.len(), 0);
        for (count, more) in self.filtered_by_role.iter_mut().zip(other.filtered_by_role) {
            *count += more;
        }
        self.sessions += other.sessions;
        self.judging.add(other.judging);
        self.conditions.len() > before
    }

    /// The verdicts; `left_out` has what was dropped before, by message and by role.
    pub(super) fn concluded(
        mut self,
        facts: &Facts,
        left_out: (BTreeMap<String, u64>, Vec<usize>),
        how: &Auditing,
        (terms, solver): (&mut Terms, &mut dyn Solver),
        budget: &Budget,
    ) -> Result<Audit, NotAudited> {
        for (text, count) in left_out.0 {
            *self.filtered.entry(text).or_default() += count;
        }
        for (count, more) in self.filtered_by_role.iter_mut().zip(left_out.1) {
            *count += more;
        }
        let told_apart = facts.key.words(terms);
        let mut notes = self.remarks.words();
        let has_unit = facts.prepared.timed.tick().is_some();
        notes.extend(self.times.words(how.tolerance, has_unit));
        let nothing = facts.nothing(how, terms);
        let ground = facts.ground(how, (terms, solver), budget);
        let mut auditor = Auditor::new(&facts.prepared, &nothing, how, ground);
        auditor.judging = self.judging;
        auditor.unseen.clone_from(&facts.unseen);
        let mut results = Vec::new();
        for part in self.parts {
            results.push(match auditor.judged(part, &self.filtered_by_role) {
                Ok(result) => result,
                Err(Stopped::Solver(error)) => return Err(NotAudited::Solver(error)),
                Err(Stopped::Spent(_)) => return Err(NotAudited::Cancelled),
            });
        }
        let blame = if self.has_no_blame {
            Blame::default()
        } else {
            let names = |roles: ByRole<()>| in_order(roles).into_iter().map(|(role, ())| role);
            let guilty = in_order(self.guilty).into_iter().map(|(_, it)| it);
            let found = Blame {
                guilty: guilty.collect(),
                may_be: names(self.may_be).collect(),
                alone: false,
                races: self.races,
            };
            auditor.concluded(found, names(self.excused).collect())
        };
        self.torn.sort_by_key(|(place, _)| *place);
        Ok(Audit {
            results,
            sessions: self.sessions,
            told_apart,
            blame,
            repeated: 0,
            fields: Vec::new(),
            filtered: self.filtered.into_iter().collect(),
            torn: self.torn.into_iter().map(|(_, it)| it).collect(),
            notes,
        })
    }
}

/// Observations that came after their session was cut were not judged: nothing conforms for certain.
pub(super) fn doubt_after_cuts(found: &mut Audit, late: u64) {
    if late == 0 {
        return;
    }
    let words = format!(
        "{} after its session was cut and {} not judged",
        counted(late as usize, "observation came", "observations came"),
        if late == 1 { "was" } else { "were" }
    );
    for result in &mut found.results {
        if matches!(
            result.verdict,
            Observed::Holds { .. } | Observed::HoldsIf { .. } | Observed::Empty { .. }
        ) {
            result.verdict = Observed::unknown(words.clone(), None);
        }
    }
    found.notes.push(words);
}
