//! Do these logs follow the choreography?

mod bus;
mod found;
mod logs;

use choros_base::Budget;
use choros_bind::Vocabulary;
use choros_codes::diagnostics::role_logged_twice::{self, TwiceLogged};
use choros_codes::diagnostics::unauditable_model;
use choros_data::Terms;
use choros_exec::log::LogFormat;
use choros_model::stg::{Direction, DotMarks, Stg};
use choros_monitor::audit::{
    self as engine, Auditing, Hypothesis, MessageMoment, NotAudited, Order,
};
use choros_report::GraphDrawing;
use choros_report::answers::{Audit, RunNotes, Stop};
use choros_smt::Solver;

use self::found::found_answer;
use self::logs::{AuditedModel, SplitSession, read_logs};
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
        let model = AuditedModel {
            roles: &roles,
            takes_turns: bus::takes_turns(stg),
        };
        let read = read_logs(request, (model, words), world, run)?;
        for log in &read.logs {
            let words = match log.hypothesis {
                Hypothesis::Cut => continue,
                Hypothesis::Late => "may have begun late",
                Hypothesis::Gaps => "may have gaps",
            };
            let (source, role) = (&log.source, &log.role);
            let note = format!("`{source}`, the log of `{role}`, {words}");
            run.semantics.notes.push(note);
        }
        Ok(read)
    }

    /// Judges them.
    pub fn judge(
        &self,
        stg: &Stg,
        how: &Auditing,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        budget: &Budget,
        run: &mut RunNotes,
    ) -> Result<Audit, Stop> {
        match engine::audit(stg, &self.logs, how, terms, solver, budget) {
            Err(NotAudited::Cancelled) => {
                run.interrupted = true;
                Err(Stop::Mistakes)
            }
            Err(NotAudited::Solver(error)) => Err(Stop::World(error.to_string())),
            Ok(found) => {
                let twice = found.torn.iter().map(|it| TwiceLogged {
                    sources: [&it.sources[0], &it.sources[1]],
                    session: &it.session,
                    role: &it.role,
                });
                let twice: Vec<TwiceLogged<'_>> = twice.collect();
                run.findings.extend(role_logged_twice::diagnostics(&twice));
                let drawings = GraphDrawing::pictures(&[(stg, DotMarks::default())], terms);
                let mut answer = found_answer(found, &self.torn, drawings);
                if self.by_draft {
                    found::left_open(&mut answer);
                }
                Ok(answer)
            }
        }
    }
}

/// The roles whose logs the model can judge: all of a choreography, or the one of a role's own model.
///
/// `None` if the model speaks of whole messages here and of their ends there.
fn roles(stg: &Stg, terms: &Terms) -> Option<Vec<String>> {
    let text = |name| terms.names.text(name).to_owned();
    let whole = stg
        .messages()
        .any(|it| it.direction == Direction::Interaction);
    let ends = stg
        .messages()
        .any(|it| it.direction != Direction::Interaction);
    if whole && ends {
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
