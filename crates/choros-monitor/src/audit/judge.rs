//! From a model and logs to verdicts.

use choros_base::Budget;
use choros_data::{Term, Terms};
use choros_model::evidence::{Departure, Expected, StepEvent};
use choros_model::observation::Observation;
use choros_model::stg::{Direction, Role, Stg, met_view, received_view, sent_view};
use choros_model::{Evidence, Judging, Observed};
use choros_smt::Solver;

use super::alphabet::{Alphabet, LetterId};
use super::automaton::{Automaton, View};
use super::guilt::{Blame, Globally, Part};
use super::lack::Lack;
use super::outside::admit_refusals;
use super::presence::{PresenceCount, Unseen};
use super::redacted::Redacted;
use super::remarks::Remarks;
use super::run::Run;
use super::sessions::Key;
use super::sorted::{Logged, Sorted, sort};
use super::sorts::{with_fractions, without_opaque_integers};
use super::tale::{alternatives, of_role};
use super::tally::{Grounds, PartTally, SessionResult};
use super::timing::TimeRemarks;
use super::unclear::Unclear;
use super::walk::{Ground, SetId, Stopped, Walk, WrittenData};
use super::{
    Audit, AuditVerdict, Auditing, Empty, Integers, Log, MessageMoment, NotAudited, Runs,
    SplitSession, has_late_messages,
};

/// Judges logs by a model: the graph of a choreography, or of one role.
pub fn audit(
    model: &Stg,
    logs: &[Log],
    how: &Auditing,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Audit, NotAudited> {
    let how = &how.clone().suited_to(model);
    let observations = || logs.iter().flat_map(|log| &log.observations);
    let prepared = Prepared::of(model, logs, observations(), how, terms);
    let any_session = observations().any(|observation| observation.session.is_some());
    let (model, alphabet) = (&prepared.model, &prepared.alphabet);
    let key = Key::find(&how.sessions, any_session, model, alphabet, terms);
    let sorted = sort(model, logs, how, (alphabet, key), terms);
    let mut presence = PresenceCount::of(model, alphabet, terms);
    let mut unseen = Unseen::default();
    for (role, sightings) in sorted
        .runs
        .iter()
        .flat_map(|run| sorted.roles.iter().zip(&run.logs))
    {
        for sighting in sightings {
            let promises = |log: &Log| log.promises_data && log.source == sighting.source;
            let is_promised = logs.iter().any(promises);
            presence.add(sighting.letter, sighting.observation, is_promised, terms);
            if presence.is_without_data(sighting.letter, sighting.observation) {
                unseen.add(role.role, &sighting.observation.operation);
            }
        }
    }
    let (fields, foreign) = presence.settled();
    let ground = Ground {
        terms,
        solver,
        budget,
        foreign,
        redacted: Redacted::default(),
        data: WrittenData::default(),
        limit: how.limit,
    };
    let mut auditor = Auditor::new(&prepared, &sorted, how, ground);
    auditor.unseen = unseen;
    let results = match auditor.results(&sorted.filtered_by_role) {
        Ok(results) => results,
        Err(Stopped::Solver(error)) => return Err(NotAudited::Solver(error)),
        Err(Stopped::Spent(_)) => return Err(NotAudited::Cancelled),
    };
    let blame = match auditor.blame() {
        Ok(blame) => blame,
        Err(Stopped::Solver(error)) => return Err(NotAudited::Solver(error)),
        Err(Stopped::Spent(_)) => Blame::default(),
    };
    let mut notes = auditor.remarks.words();
    notes.extend(
        auditor
            .times
            .words(how.tolerance, auditor.timed.tick().is_some()),
    );
    notes.splice(0..0, without_key_words(sorted.without_key));
    Ok(Audit {
        results,
        sessions: sorted.runs.len(),
        told_apart: sorted.key.words(terms),
        repeated: sorted.repeated,
        blame,
        fields,
        torn: sorted
            .runs
            .iter()
            .flat_map(|run| torn(run, &sorted.roles))
            .collect(),
        filtered: sorted.filtered.into_iter().collect(),
        notes,
    })
}

/// What is said where no observation says to which session it belongs.
pub(super) fn without_key_words(without_key: u64) -> Option<String> {
    (without_key > 0).then(|| {
        format!(
            "no observation says to which session it belongs: {} judged as one",
            counted(without_key as usize, "observation is", "observations are")
        )
    })
}

/// A model made ready to judge logs.
pub(super) struct Prepared {
    /// The model as it is read: a message that can be late is one step, too.
    pub(super) model: Stg,
    /// The model by which the times of roles are judged.
    pub(super) timed: Stg,
    pub(super) alphabet: Alphabet,
    unclear: Unclear,
}

impl Prepared {
    /// A model for logs; those of their observations that have fractions or refuse messages matter.
    pub(super) fn of<'o>(
        model: &Stg,
        logs: &[Log],
        observations: impl Iterator<Item = &'o Observation<'static>>,
        how: &Auditing,
        terms: &mut Terms,
    ) -> Prepared {
        let (timed, model) = match how.reading {
            _ if !has_late_messages(model) => (model.clone(), model.clone()),
            MessageMoment::Whole => {
                let met = met_view(model, terms);
                (met.clone(), met)
            }
            MessageMoment::Sendings => (model.clone(), sent_view(model, terms)),
            MessageMoment::Receptions => (model.clone(), received_view(model, terms)),
        };
        let model = &model;
        let model = match how.integers {
            Integers::Declared => model.clone(),
            Integers::WhereComputed => {
                let model = without_opaque_integers(model, terms);
                with_fractions(&model, observations, terms).unwrap_or(model)
            }
        };
        let mut alphabet = Alphabet::of(&model);
        admit_refusals(&mut alphabet, logs, how, terms);
        let unclear = Unclear::of(&model, &alphabet, terms);
        Prepared {
            model,
            timed,
            alphabet,
            unclear,
        }
    }
}

/// What a model is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// What one role sends and receives.
    OneRole,
    /// Whole messages between roles.
    Messages,
    /// Sendings and receptions of several roles, each on its own.
    Events,
}

impl Subject {
    pub(super) fn of(model: &Stg) -> Subject {
        let whole = |direction| direction == Direction::Interaction;
        if model.messages().all(|message| whole(message.direction)) {
            return Subject::Messages;
        }
        let mut subjects = model.messages().map(|message| match message.direction {
            Direction::Receive => message.to,
            Direction::Send | Direction::Interaction => message.from,
        });
        let first = subjects.next();
        if subjects.all(|it| Some(it) == first) {
            Subject::OneRole
        } else {
            Subject::Events
        }
    }
}

pub(super) struct Auditor<'a, 'o, 'g> {
    pub(super) model: &'a Stg,
    /// The model by which the times of roles are judged.
    pub(super) timed: &'a Stg,
    pub(super) roles: &'a [Logged<'o>],
    pub(super) how: &'a Auditing,
    pub(super) alphabet: &'a Alphabet,
    pub(super) runs: &'a [Run<'o>],
    /// What the log of each role may lack.
    pub(super) lacks: Vec<Lack>,
    pub(super) ground: Ground<'g>,
    pub(super) remarks: Remarks,
    /// How much is judged.
    pub(super) judging: Judging,
    /// Sessions could not be distinguished, so nothing is known about any.
    pub(super) is_keyless: bool,
    /// Of each role how many observations may belong to any session.
    pub(super) adrift: &'a [u64],
    /// Data of which the model does not say which is which.
    pub(super) unclear: &'a Unclear,
    /// For each role what it did in each session.
    pub(super) parts: Vec<Vec<Part>>,
    /// For each role where it acted at a wrong time in each session.
    pub(super) untimely: Vec<Vec<Option<usize>>>,
    /// How much of the times of roles was judged.
    pub(super) times: TimeRemarks,
    /// Why it is not known what the role that was examined last did.
    pub(super) unclear_because: Option<String>,
    /// Messages whose data no one wrote down, although the model says something about them.
    pub(super) unseen: Unseen,
    /// No order of messages agrees with the logs of the session that was judged last.
    pub(super) is_stuck: bool,
    /// What was found about all roles together in each session.
    pub(super) globally: Vec<Globally>,
}

impl<'a, 'o, 'g> Auditor<'a, 'o, 'g> {
    /// Ready to judge these observations.
    pub(super) fn new(
        prepared: &'a Prepared,
        sorted: &'a Sorted<'o>,
        how: &'a Auditing,
        ground: Ground<'g>,
    ) -> Auditor<'a, 'o, 'g> {
        let sightings = sorted.runs.iter().flat_map(|run| run.logs.iter().flatten());
        let is_finished = how.runs == Runs::MustBeFinished;
        let lacks = sorted.roles.iter();
        Auditor {
            // Sessions that a missing field tells apart are not told apart at all.
            is_keyless: !ground.foreign.is_empty() && matches!(sorted.key, Key::Data(_)),
            adrift: &sorted.adrift,
            unclear: &prepared.unclear,
            model: &prepared.model,
            timed: &prepared.timed,
            roles: &sorted.roles,
            how,
            alphabet: &prepared.alphabet,
            runs: &sorted.runs,
            lacks: lacks
                .map(|logged| Lack::of(logged.hypothesis, is_finished))
                .collect(),
            ground,
            remarks: Remarks::default(),
            judging: Judging::of(sightings.map(|it| it.observation)),
            parts: vec![Vec::new(); sorted.roles.len()],
            untimely: vec![Vec::new(); sorted.roles.len()],
            times: TimeRemarks::default(),
            globally: Vec::new(),
            is_stuck: false,
            unclear_because: None,
            unseen: Unseen::default(),
        }
    }

    fn results(&mut self, filtered: &[usize]) -> Result<Vec<AuditVerdict>, Stopped> {
        let tallies = self.tallies()?;
        let judged = tallies.into_iter().map(|it| self.judged(it, filtered));
        judged.collect()
    }

    /// What is found about each role that has a log, and about all together.
    pub(super) fn tallies(&mut self) -> Result<Vec<PartTally>, Stopped> {
        let subject = Subject::of(self.model);
        let mut tallies = Vec::new();
        for (number, logged) in self.roles.iter().enumerate() {
            let Some(name) = self.ground.terms.names.get(logged.role) else {
                continue;
            };
            let role = Role(name);
            if !self.model.roles().contains(&role) {
                continue;
            }
            let view = match subject {
                Subject::OneRole => View::Whole,
                Subject::Messages | Subject::Events => View::Of(role),
            };
            tallies.push(self.local(number, view)?);
        }
        if subject != Subject::OneRole {
            tallies.push(self.global(subject)?);
        }
        Ok(tallies)
    }

    pub(super) fn walk(&self, view: View<'_>) -> Walk<'o> {
        let terms = &*self.ground.terms;
        Walk::new(Automaton::of(self.model, view, self.alphabet, terms))
    }

    /// For each message the logs of its ends.
    pub(super) fn ends(&self) -> Vec<(Option<usize>, Option<usize>)> {
        let terms = &*self.ground.terms;
        let log = |name| {
            let role = terms.names.text(name);
            self.roles.iter().position(|logged| logged.role == role)
        };
        let letters = 0..self.alphabet.len() as u32;
        letters
            .map(|index| {
                let letter = self.alphabet.letter(LetterId(index));
                (log(letter.from), log(letter.to))
            })
            .collect()
    }

    /// What the model allows next, in words.
    pub(super) fn expected(&mut self, walk: &mut Walk<'o>, set: SetId) -> Result<String, Stopped> {
        Ok(self.expectations(walk, set)?.0)
    }

    /// What the model allows next, in words, and where a run departs from it.
    pub(super) fn expectations(
        &mut self,
        walk: &mut Walk<'o>,
        set: SetId,
    ) -> Result<(String, Departure), Stopped> {
        self.expectations_of(walk, &[set], None)
    }

    /// What the model allows next where it may stand in any of these sets, in words, and where a run departs from it;
    /// of whole messages the end of a role, if one is given.
    pub(super) fn expectations_of(
        &mut self,
        walk: &mut Walk<'o>,
        sets: &[SetId],
        role: Option<Role>,
    ) -> Result<(String, Departure), Stopped> {
        let (mut texts, mut events): (Vec<String>, Vec<Expected>) = (Vec::new(), Vec::new());
        let mut may_end = false;
        for &set in sets {
            may_end |= walk.may_end(set, &mut self.ground)?;
            for next in walk.expected(set, role, self.alphabet, self.ground.terms) {
                if !texts.contains(&next.text) {
                    texts.push(next.text);
                    events.push(next.expected);
                }
            }
        }
        events.extend(may_end.then_some(StepEvent::Termination.into()));
        let departure = Departure {
            expected: events,
            ..Departure::default()
        };
        Ok((alternatives(&texts, may_end), departure))
    }

    /// What a *yes* about a role, or about all together, can stand on.
    fn grounds(&self, part: &str) -> Grounds {
        let is_role = self.roles.iter().any(|it| it.role == part);
        let unseen = self.unseen.messages(is_role.then_some(part));
        match (self.judging.judged(), self.how.empty) {
            (Some(_), _) if !self.ground.foreign.is_empty() => {
                let mut fields: Vec<&str> = Vec::new();
                #[expect(clippy::iter_over_hash_type, reason = "sorted below")]
                for &field in &self.ground.foreign {
                    fields.push(self.ground.terms.names.text(field));
                }
                fields.sort_unstable();
                Grounds::Nothing(format!(
                    "no record has the field{} `{}` of the model",
                    if fields.len() == 1 { "" } else { "s" },
                    fields.join("`, `")
                ))
            }
            (Some(_), _) if !unseen.is_empty() => {
                let messages: Vec<String> = unseen.iter().map(|it| format!("`{it}`")).collect();
                Grounds::Nothing(format!(
                    "only the order of messages was judged: the data of {} were not written down",
                    messages.join(", ")
                ))
            }
            (Some(judged), _) => Grounds::Seen(judged),
            (None, Empty::Conforms) => Grounds::EmptyConforms,
            (None, Empty::IsUnknown) => {
                Grounds::Nothing("no message of the model is in the logs".to_owned())
            }
        }
    }

    /// The verdict on a role, or on all together; `filtered` has for each role how many observations were dropped.
    pub(super) fn judged(
        &mut self,
        part: PartTally,
        filtered: &[usize],
    ) -> Result<AuditVerdict, Stopped> {
        let PartTally {
            name,
            mut tally,
            observations,
            adrift,
        } = part;
        let filtered = match self.roles.iter().position(|it| it.role == name) {
            Some(number) => filtered[number],
            None => filtered.iter().sum(),
        };
        let grounds = self.grounds(&name);
        let finished = tally.finished;
        if adrift > 0 && !self.is_keyless {
            // Each may be what a session lacks, or what it must not have.
            let reason = match adrift {
                1 => {
                    "1 observation does not say to which session it belongs, and may belong to any"
                        .to_owned()
                }
                many => format!(
                    "{many} observations do not say to which session they belong, and may belong to any"
                ),
            };
            return Ok(AuditVerdict {
                name,
                verdict: Observed::unknown(reason, None),
                finished,
                observations,
                filtered,
                pass: 0,
                fail: 0,
                inconclusive: tally.pass + tally.fail + tally.inconclusive,
                growth: Vec::new(),
            });
        }
        let fail = if self.is_keyless { 0 } else { tally.fail };
        let (pass, inconclusive) = match grounds {
            Grounds::Nothing(_) if self.is_keyless => {
                (0, tally.inconclusive + tally.pass + tally.fail)
            }
            Grounds::Nothing(_) => (0, tally.inconclusive + tally.pass),
            _ => (tally.pass, tally.inconclusive),
        };
        let growth = match grounds {
            Grounds::Seen(_) => tally.growth(),
            _ => Vec::new(),
        };
        Ok(AuditVerdict {
            growth,
            name,
            verdict: match (self.is_keyless, &grounds) {
                (true, Grounds::Nothing(reason)) => {
                    let reason = format!("{reason}, so sessions cannot be separated");
                    Observed::unknown(reason, None)
                }
                _ => tally.verdict(grounds, &mut self.ground)?,
            },
            finished,
            observations,
            filtered,
            pass,
            fail,
            inconclusive,
        })
    }
}

/// A session of which two logs of one role tell: not even the order of what that role saw is known.
pub(super) fn torn_outcome(run: &Run<'_>, role: usize, [first, other]: [&str; 2]) -> SessionResult {
    let reason = format!(
        "{}`{first}` and `{other}` both record it, and it is unknown which came first",
        session_words(&run.name)
    );
    let trace = of_role(run, role, run.logs[role].len(), String::new());
    SessionResult::Either(reason, Evidence::Trace(trace))
}

pub(super) fn torn(run: &Run<'_>, roles: &[Logged<'_>]) -> Vec<SplitSession> {
    let torn = run.torn.iter();
    torn.map(|(role, sources)| SplitSession {
        role: roles[*role].role.to_owned(),
        session: run.name.clone(),
        sources: sources.map(str::to_owned),
    })
    .collect()
}

/// A bound that was met is the outcome of its session, and so is an interrupt: what was judged before it counts.
pub(super) fn settled(outcome: Result<SessionResult, Stopped>) -> Result<SessionResult, Stopped> {
    match outcome {
        Err(Stopped::Spent(spent)) => Ok(SessionResult::Spent(spent)),
        other => other,
    }
}

/// `1 message`, `2 messages`.
pub(super) fn counted(count: usize, one: &str, several: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {several}"),
    }
}

pub(super) fn conforms(condition: Term, ending: &str, terms: &Terms) -> String {
    match condition {
        Term::TRUE => format!("conforms{ending}"),
        condition => format!("conforms if {}{ending}", terms.print(condition)),
    }
}

pub(super) fn session_words(session: &str) -> String {
    match session {
        "" => String::new(),
        session => format!("session {session}: "),
    }
}
