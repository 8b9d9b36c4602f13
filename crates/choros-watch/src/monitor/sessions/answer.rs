//! What was found of all sessions, as the answer of an audit.

use choros_base::Budget;
use choros_bind::DRAFT;
use choros_model::stg::DotMarks;
use choros_model::{Judging, Observed};
use choros_monitor::Outcome;
use choros_monitor::audit::{AuditVerdict, Hypothesis, OnlineAudit, OnlineState};
use choros_report::GraphDrawing;
use choros_report::answers::{Audit, AuditedPart, Stop};

use super::judge::Maker;
use crate::audit::found_blame;
use crate::monitor::evidence::Sample;
use crate::monitor::ledger::Ledger;

/// What the partitions found together.
#[derive(Debug, Default)]
pub(in crate::monitor) struct SessionSums {
    state: OnlineState,
    /// Sessions that are open still.
    open: u64,
}

impl SessionSums {
    /// Adds what a partition found.
    pub(in crate::monitor) fn add(&mut self, state: &OnlineState) {
        self.state.absorb(state);
        self.open += state.sessions.len() as u64;
    }
}

/// What an answer is made of.
pub(in crate::monitor) struct Answering<'a> {
    pub(in crate::monitor) maker: &'a Maker<'a>,
    pub(in crate::monitor) sums: SessionSums,
    /// Records that could not be read.
    pub(in crate::monitor) left_out: u64,
    pub(in crate::monitor) is_draft: bool,
}

impl Answering<'_> {
    pub(in crate::monitor) fn answer(self, ledger: &Ledger<'_>) -> Result<Audit, Stop> {
        let online = self.maker.online();
        let state = &self.sums.state;
        let mut parts = Vec::new();
        for (number, name) in online.parts().iter().enumerate() {
            let counts = state.parts.get(number).cloned().unwrap_or_default();
            let outcome = match (counts.fail, counts.inconclusive + self.sums.open) {
                (1.., _) => Outcome::Fail,
                (0, 1..) => Outcome::Inconclusive,
                (0, 0) => Outcome::Pass,
            };
            let example = ledger.samples[number].get(&outcome);
            let explained = example.map(|it| self.explained(&online, it, name));
            let explained = explained.transpose()?.flatten();
            let count = |it: u64| usize::try_from(it).unwrap_or(usize::MAX);
            parts.push(AuditedPart {
                verdict: self.verdict(outcome, example, explained),
                name: name.clone(),
                finished: counts.unfinished == 0 && self.sums.open == 0,
                observations: count(counts.observations),
                filtered: count(counts.filtered),
                pass: count(counts.pass),
                fail: count(counts.fail),
                inconclusive: count(counts.inconclusive + self.sums.open),
                growth: Vec::new(),
            });
        }
        let model = self.maker.model;
        Ok(Audit {
            parts,
            sessions: usize::try_from(state.sessions_judged + self.sums.open).unwrap_or(usize::MAX),
            told_apart: "sessions are separated by `session`".to_owned(),
            blame: found_blame(state.blame.concluded(online.is_observed())),
            repeated: 0,
            fields: Vec::new(),
            filtered: state.filtered.clone().into_iter().collect(),
            notes: self.notes(),
            drawings: GraphDrawing::pictures(&[(model.stg, DotMarks::default())], model.terms),
        })
    }

    /// What is found of the session of an example, judged again.
    fn explained(
        &self,
        online: &OnlineAudit,
        example: &Sample,
        part: &str,
    ) -> Result<Option<AuditVerdict>, Stop> {
        let model = self.maker.model;
        let mut terms = model.terms.clone();
        let mut solver = (model.solvers)();
        let with = (
            &mut solver as &mut dyn choros_smt::Solver,
            &Budget::unlimited(),
        );
        let found = online.explain(&example.window.window, &mut terms, with);
        match found {
            Ok(found) => Ok(found.results.into_iter().find(|it| it.name == part)),
            Err(choros_monitor::audit::NotAudited::Solver(error)) => {
                Err(Stop::World(error.to_string()))
            }
            Err(choros_monitor::audit::NotAudited::Cancelled) => Ok(None),
        }
    }

    fn verdict(
        &self,
        outcome: Outcome,
        example: Option<&Sample>,
        explained: Option<AuditVerdict>,
    ) -> Observed {
        let state = &self.sums.state;
        let (evidence, reason) = match explained.map(|it| it.verdict) {
            Some(Observed::Fails { evidence } | Observed::Holds { evidence, .. }) => {
                (evidence, None)
            }
            Some(Observed::Unknown(unknown)) => (unknown.evidence, Some(unknown.reason)),
            _ => (None, None),
        };
        if self.is_draft {
            return Observed::unknown(DRAFT.to_owned(), None);
        }
        let may_lack = |head: &choros_monitor::audit::Log| head.hypothesis == Hypothesis::Gaps;
        if self.left_out > 0 && (outcome != Outcome::Fail || !self.maker.heads.iter().all(may_lack))
        {
            let words = match outcome {
                Outcome::Fail => "what could be read does not conform",
                _ => "what could be read conforms",
            };
            let records = counted(self.left_out, "record", "records");
            return Observed::unknown(format!("{words}, but {records} could not"), evidence);
        }
        match outcome {
            Outcome::Fail => Observed::Fails { evidence },
            Outcome::Inconclusive => {
                let reason = reason.unwrap_or_else(|| self.open_words(example));
                Observed::unknown(reason, evidence)
            }
            Outcome::Pass => match self.doubt() {
                Some(reason) => Observed::unknown(reason, evidence),
                None => {
                    let judged = state.parts.iter().map(|it| it.observations).max();
                    let judging = Judging::resumed(judged.unwrap_or(0));
                    Observed::holds(judging, evidence, "no message of the model was seen")
                }
            },
        }
    }

    /// Why it is not known of a session whether it conforms, though as far as it goes it does.
    fn open_words(&self, example: Option<&Sample>) -> String {
        let state = &self.sums.state;
        let key = example.and_then(|it| it.window.key.as_deref());
        let session = key.map_or_else(String::new, |it| format!("session {it}: "));
        let quiet = &self.maker.bounds.quiet.words;
        match (key, state.conditional, state.cut_for_room) {
            (None, _, _) => format!(
                "{} open: the logs did not come to their end",
                if self.sums.open == 1 {
                    "1 session is".to_owned()
                } else {
                    format!("{} sessions are", self.sums.open)
                }
            ),
            (_, 1.., _) => format!(
                "{session}it conforms under a condition on parameters; give them values with `-p`"
            ),
            (_, 0, 0) => {
                format!("{session}nothing was seen of it for {quiet}, so it was cut")
            }
            (_, 0, _) => format!(
                "{session}it was cut, because it was quiet for {quiet} or because more than {} observations were held",
                self.maker.bounds.most_held
            ),
        }
    }

    /// Why nothing conforms for certain although all that was judged does.
    fn doubt(&self) -> Option<String> {
        let state = &self.sums.state;
        match (state.unnamed, state.late) {
            (0, 0) => None,
            (1, _) => Some(
                "1 observation does not say to which session it belongs, and may belong to any"
                    .to_owned(),
            ),
            (0, late) => Some(late_words(late)),
            (many, _) => Some(format!(
                "{many} observations do not say to which session they belong, and may belong to any"
            )),
        }
    }

    fn notes(&self) -> Vec<String> {
        let state = &self.sums.state;
        let mut notes = Vec::new();
        for (name, count) in &state.strangers {
            notes.push(format!(
                "{} from `{name}`, which is not a role that writes a log",
                counted(*count, "record is", "records are")
            ));
        }
        let cut = state.cut_quiet + state.cut_for_room;
        if cut > 0 {
            notes.push(format!(
                "{} cut",
                counted(cut, "session was", "sessions were")
            ));
        }
        if state.late > 0 {
            notes.push(late_words(state.late));
        }
        if state.forgotten > 0 {
            notes.push(format!(
                "a message of one of the first {} sessions that ended would count as the beginning of another",
                state.forgotten
            ));
        }
        notes
    }
}

fn late_words(late: u64) -> String {
    match late {
        1 => "1 observation came after its session was judged, and was not judged".to_owned(),
        many => format!(
            "{many} observations came after their sessions were judged, and were not judged"
        ),
    }
}

fn counted(count: u64, one: &str, several: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {several}"),
    }
}
