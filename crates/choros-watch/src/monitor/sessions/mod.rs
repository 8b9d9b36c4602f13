//! Do sessions follow a choreography, while they come: from logs that may grow, or from a stream.
//!
//! Each session is told of when it ends; the answer at the end is that of an audit of the same logs.

mod answer;
mod judge;
#[cfg(any(feature = "nats", test))]
mod kept;
mod logs;

#[cfg(feature = "nats")]
pub(super) use answer::{Answering, SessionSums};
pub(super) use judge::Maker;
#[cfg(feature = "nats")]
pub(super) use judge::{ONLY, SessionJudge};
#[cfg(feature = "nats")]
pub(super) use kept::{restored_audit, saved_audit};

use choros_base::nearest;
use choros_codes::diagnostics::{unauditable_model, unknown_log_role};
use choros_data::Terms;
use choros_model::observation::Number;
use choros_model::stg::Stg;
use choros_monitor::audit::{Auditing, Hypothesis, Log, OnlineBounds, Quiet};
use choros_report::answers::{Audit, RunNotes, Stop};
use choros_smt::LazySolver;

use super::WatchRequest;
use super::stream;
use crate::WatchContext;
use crate::audit::roles;

/// What is audited while it comes.
#[derive(Debug, Clone)]
pub struct SessionsRequest {
    /// Where observations come from, and where verdicts go.
    pub watch: WatchRequest,
    /// The roles that write logs; without any, all of the model, or those whose logs are given.
    pub roles: Vec<String>,
    /// What the log of a role, or of any, may lack; the last one that fits counts.
    pub hypotheses: Vec<(Option<String>, Hypothesis)>,
    /// A session of which nothing was seen for this many seconds is cut.
    pub quiet_after: u64,
    /// No partition holds more observations.
    pub most_observations: usize,
}

/// After so many further observations of its partition a session that ended is judged.
const LINGER: u64 = 1_000;

/// What sessions are judged by.
pub struct SessionModel<'m> {
    pub name: &'m str,
    pub stg: &'m Stg,
    pub how: &'m Auditing,
    pub terms: &'m Terms,
    /// Makes a solver; each session is judged by one that was not used before.
    pub solvers: &'m (dyn Fn() -> LazySolver + Sync),
}

/// Judges sessions as they end.
pub fn audit(
    model: &SessionModel<'_>,
    request: &SessionsRequest,
    context: WatchContext<'_>,
    run: &mut RunNotes,
) -> Result<Audit, Stop> {
    let heads = heads(model, request, run)?;
    // What comes may come for ever: that is no progress.
    context.events.doing("");
    let maker = Maker {
        model,
        heads: &heads,
        bounds: bounds(request),
    };
    match &request.watch.stream {
        Some(broker) => stream::audit(&maker, request, broker, context, run),
        None => logs::audit(&maker, request, context, run),
    }
}

fn bounds(request: &SessionsRequest) -> OnlineBounds {
    let seconds = request.quiet_after;
    let milliseconds = i64::try_from(seconds)
        .unwrap_or(i64::MAX)
        .saturating_mul(1_000);
    OnlineBounds {
        quiet: Quiet {
            after: Number::from(milliseconds),
            words: format!("{seconds} s"),
        },
        linger: LINGER,
        most_held: request.most_observations,
    }
}

/// The logs that there are, without observations.
fn heads(
    model: &SessionModel<'_>,
    request: &SessionsRequest,
    run: &mut RunNotes,
) -> Result<Vec<Log>, Stop> {
    let Some(known) = roles(model.stg, model.terms) else {
        run.findings.push(unauditable_model::diagnostic(model.name));
        return Err(Stop::Mistakes);
    };
    let given = request.watch.logs.iter();
    let given: Vec<&String> = given.filter_map(|(role, _)| role.as_ref()).collect();
    let assumed = request.hypotheses.iter().filter_map(|(of, _)| of.as_ref());
    let named = request.roles.iter().chain(given.iter().copied());
    let mut strange: Vec<&String> = named.chain(assumed).collect();
    strange.retain(|role| !known.contains(role));
    strange.sort();
    strange.dedup();
    for role in &strange {
        let similar = nearest(role, known.iter().map(String::as_str));
        let found = unknown_log_role::diagnostic(role, &known, similar);
        run.findings.push(found);
    }
    if !strange.is_empty() {
        return Err(Stop::Mistakes);
    }
    // Logs that all name their roles are the only ones.
    let are_all_named = !given.is_empty() && given.len() == request.watch.logs.len();
    let is_there = |role: &String| {
        if !request.roles.is_empty() {
            return request.roles.contains(role);
        }
        !are_all_named || given.contains(&role)
    };
    let head = |role: String| {
        let fits = request.hypotheses.iter().rev();
        let mut fits = fits.filter(|(of, _)| of.as_ref().is_none_or(|of| *of == role));
        let usual = if request.watch.lossy {
            Hypothesis::Gaps
        } else {
            Hypothesis::Cut
        };
        Log {
            source: source(&role, request),
            hypothesis: fits.next().map_or(usual, |(_, it)| *it),
            promises_data: false,
            observations: Vec::new(),
            role,
        }
    };
    Ok(known.into_iter().filter(is_there).map(head).collect())
}

/// What a place in the log of a role begins with: its file if there is one, else the role.
fn source(role: &str, request: &SessionsRequest) -> String {
    let fits = |given: &Option<String>| given.as_ref().is_none_or(|it| it == role);
    let mut logs = request.watch.logs.iter().filter(|(given, _)| fits(given));
    match (logs.next(), logs.next()) {
        (Some((_, path)), None) => path.clone(),
        _ => role.to_owned(),
    }
}

/// Everything on which verdicts depend, as a text.
#[cfg(feature = "nats")]
pub(super) fn judged_by(maker: &Maker<'_>) -> String {
    let heads = maker.heads.iter();
    let heads: Vec<String> = heads
        .map(|it| format!("{} {:?}", it.role, it.hypothesis))
        .collect();
    format!(
        "{}\n{:?}\n{}\nquiet after {}, most observations {}\n",
        choros_model::stg::write_stg(maker.model.stg, maker.model.terms),
        maker.model.how,
        heads.join("\n"),
        maker.bounds.quiet.words,
        maker.bounds.most_held
    )
}
