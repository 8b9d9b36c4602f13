//! Do these logs follow the choreography?

mod bus;
mod doubts;
mod found;
mod logs;
mod solvers;
mod streamed;

pub(crate) use self::found::blame as found_blame;
pub use self::solvers::Solvers;

use choros_base::{Budget, Diagnostic};
use choros_bind::Vocabulary;
use choros_codes::diagnostics::role_logged_twice::{self, TwiceLogged};
use choros_codes::diagnostics::unauditable_model;
use choros_data::Terms;
use choros_exec::log::{LogFormat, can_be_read_again};
use choros_model::stg::{Direction, DotMarks, Stg, is_split};
use choros_monitor::audit::{
    self as engine, Auditing, Hypothesis, MessageMoment, NotAudited, Order,
};
use choros_report::GraphDrawing;
use choros_report::answers::{Audit, RunNotes, Stop};

use self::found::found_answer;
use self::logs::{AuditedModel, SplitSession, read_logs};
use self::streamed::LongLogs;
use crate::WatchContext;

/// Which logs are judged, and how they are read.
#[derive(Debug, Clone)]
pub struct LogsRequest {
    /// The logs, each with its role; without one, each observation says whose it is.
    pub files: Vec<(Option<String>, String)>,
    /// The form of all logs, where the extension does not say.
    pub format: Option<LogFormat>,
    /// A mapping file: which paths of foreign logs are what.
    pub mapping: Option<String>,
    /// Addresses and the roles they stand for.
    pub names: Vec<(String, String)>,
    /// What the log of a role, or of any, may lack; the last one that fits counts.
    pub hypotheses: Vec<(Option<String>, Hypothesis)>,
    /// A record that is not an observation ends the run.
    pub strict: bool,
    /// Logs are not held in memory beyond so many.
    pub most_observations: usize,
    /// Logs with more observations are not held as wholes: their sessions are judged as they end.
    pub whole_up_to: usize,
    /// A session of which nothing was seen for this many seconds, by the times of the logs, is cut.
    pub quiet_after: Option<u64>,
}

impl Default for LogsRequest {
    fn default() -> Self {
        LogsRequest {
            files: Vec::new(),
            format: None,
            mapping: None,
            names: Vec::new(),
            hypotheses: Vec::new(),
            strict: false,
            most_observations: 2_000_000,
            whole_up_to: 20_000,
            quiet_after: None,
        }
    }
}

/// The logs of the roles of a model.
pub struct RoleLogs {
    logs: Vec<engine::Log>,
    /// Those of which something could not be read.
    torn: Vec<SplitSession>,
    /// They were read by a binding in which something is left to do.
    by_draft: bool,
    /// They are longer than what is held: nothing of them is here.
    is_long: bool,
}

impl RoleLogs {
    /// Reads the logs that a model is to judge.
    ///
    /// A log that cannot be read is reported, and the others are judged.
    pub fn read(
        (name, stg): (&str, &Stg),
        terms: &Terms,
        request: &LogsRequest,
        world: WatchContext<'_>,
        run: &mut RunNotes,
    ) -> Result<RoleLogs, Stop> {
        let Some(roles) = roles(stg, terms) else {
            run.findings.push(unauditable_model::diagnostic(name));
            return Err(Stop::Mistakes);
        };
        let words = Vocabulary::of(stg, terms);
        let mut paths = request.files.iter().map(|(_, path)| path);
        let is_stream = paths.any(|path| !can_be_read_again(path));
        let most = request.most_observations;
        // What cannot be read again is held.
        let held = match request.quiet_after {
            _ if is_stream => most,
            Some(_) => 0,
            None => most.min(request.whole_up_to),
        };
        for (_, path) in request.given_again() {
            run.note(format!("`{path}` was given more than once, and read once"));
        }
        let mut notes = run.clone();
        let model = || AuditedModel {
            roles: &roles,
            takes_turns: bus::takes_turns(stg),
        };
        if held > 0 {
            let read = read_logs(request, (model(), words), held, world, &mut notes);
            if let Some(read) = read.transpose() {
                *run = notes;
                let read = read?;
                lacking_notes(&read.logs, run);
                note_uncut(request, run);
                return Ok(read);
            }
        }
        Ok(RoleLogs {
            logs: Vec::new(),
            torn: Vec::new(),
            by_draft: false,
            is_long: true,
        })
    }

    /// Judges them; where they are long, as `request` says.
    pub fn judge(
        self,
        (request, stg, how): (&LogsRequest, &Stg, &Auditing),
        world: WatchContext<'_>,
        terms: &mut Terms,
        solvers: &mut Solvers<'_>,
        budget: &Budget,
        run: &mut RunNotes,
    ) -> Result<Audit, Stop> {
        let asked = how.reading;
        let how = &how.clone().suited_to(stg);
        if how.reading != asked {
            run.semantics.channels = Some(order_words(how).to_owned());
        }
        let mut logs = self;
        if logs.is_long {
            let roles = roles(stg, terms).unwrap_or_default();
            let long = LongLogs {
                request,
                stg,
                roles: &roles,
                how,
                world,
                budget,
            };
            if let Some(answer) = long.judge(terms, solvers, run)? {
                return Ok(answer);
            }
            let words = Vocabulary::of(stg, terms);
            let model = AuditedModel {
                roles: &roles,
                takes_turns: bus::takes_turns(stg),
            };
            let most = request.most_observations;
            let Some(whole) = read_logs(request, (model, words), most, world, run)? else {
                return Err(Stop::Mistakes);
            };
            lacking_notes(&whole.logs, run);
            note_uncut(request, run);
            logs = whole;
        }
        let audited =
            solvers.with(|solver| engine::audit(stg, &logs.logs, how, terms, solver, budget));
        let found = audited.map_err(|reason| not_audited(reason, run))?;
        run.findings.extend(split_sessions(&found));
        let drawings = GraphDrawing::pictures(&[(stg, DotMarks::default())], terms);
        let mut answer = found_answer(found, &logs.torn, drawings);
        if logs.by_draft {
            found::left_open(&mut answer);
        }
        Ok(answer)
    }
}

/// Says that no session was cut, if that was asked for: logs were judged as wholes.
fn note_uncut(request: &LogsRequest, run: &mut RunNotes) {
    if request.quiet_after.is_some() {
        run.note("no session was cut, because these logs must be judged as wholes");
    }
}

/// Says what logs may lack.
fn lacking_notes(logs: &[engine::Log], run: &mut RunNotes) {
    for log in logs {
        let words = match log.hypothesis {
            Hypothesis::Cut => continue,
            Hypothesis::Late => "may have begun late",
            Hypothesis::Gaps => "may have gaps",
        };
        let (source, role) = (&log.source, &log.role);
        let note = format!("`{source}`, the log of `{role}`, {words}");
        run.semantics.notes.push(note);
    }
}

/// Sessions of which several logs of one role tell.
fn split_sessions(found: &engine::Audit) -> Vec<Diagnostic> {
    let twice = found.torn.iter().map(|it| TwiceLogged {
        sources: [&it.sources[0], &it.sources[1]],
        session: &it.session,
        role: &it.role,
    });
    let twice: Vec<TwiceLogged<'_>> = twice.collect();
    role_logged_twice::diagnostics(&twice)
}

fn not_audited(reason: NotAudited, run: &mut RunNotes) -> Stop {
    match reason {
        NotAudited::Cancelled => {
            run.interrupted = true;
            Stop::Mistakes
        }
        NotAudited::Solver(error) => Stop::World(error.to_string()),
    }
}

/// The roles whose logs the model can judge: all of a choreography, or the one of a role's own model.
///
/// `None` if the model speaks of whole messages here and of single ends there; where a message can be late it has both
/// ends.
pub(crate) fn roles(stg: &Stg, terms: &Terms) -> Option<Vec<String>> {
    let text = |name| terms.names.text(name).to_owned();
    let whole = stg
        .messages()
        .any(|it| it.direction == Direction::Interaction);
    let ends = stg
        .messages()
        .any(|it| it.direction != Direction::Interaction);
    if whole && ends && !is_split(stg) {
        return None;
    }
    let mut roles: Vec<String> = Vec::new();
    for message in stg.messages() {
        let acting = match message.direction {
            Direction::Interaction => vec![message.from, message.to],
            Direction::Send => vec![message.from],
            Direction::Receive => vec![message.to],
        };
        for role in acting {
            let role = text(role.0);
            if !roles.contains(&role) {
                roles.push(role);
            }
        }
    }
    Some(roles)
}

/// In which orders messages are taken to have happened, in words.
pub fn order_words(how: &Auditing) -> &'static str {
    match (how.order, how.reading) {
        (Order::Local, MessageMoment::Whole) => {
            "all orders of whole messages that agree with the local logs"
        }
        (Order::Local, MessageMoment::Sendings) => {
            "all orders of sends that agree with the local logs"
        }
        (Order::Local, MessageMoment::Receptions) => {
            "all orders of receptions that agree with the local logs"
        }
        (Order::Time, MessageMoment::Whole) => {
            "by time, each message received before the next is sent"
        }
        (Order::Time, MessageMoment::Sendings) => "by time of sending",
        (Order::Time, MessageMoment::Receptions) => "by time of reception",
    }
}
