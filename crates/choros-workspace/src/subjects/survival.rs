//! Roles that are judged under faults.

use choros_model::faults::{Fault, FaultKind, FaultModel};
use choros_model::stg::{Stg, StgCounts};
use choros_model::{Unknown, Verdict};
use choros_realize::Effort;
use choros_realize::faults::{Cast, FaultQuestion, Survival, as_seen};
use choros_report::answers::{FaultRow, RunNotes, Stop, Survived};
use choros_report::{Stat, Stats};

use super::casts::{fits, stop};
use crate::{FaultChoice, FaultSettings, Settings, Workspace};

/// Whether roles survive the faults that are asked about; how many messages a queue holds is said by `bound`.
pub fn survived(
    cast: &Cast,
    bound: usize,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Survived, Stop> {
    let Some(asked) = &settings.faults else {
        return Err(Stop::Mistakes);
    };
    fits(cast, workspace, settings)?;
    run.semantics.relation = Some(relation(asked));
    run.semantics.channels = Some("queues, ordered by sends".to_owned());
    run.semantics
        .bounds
        .insert("bound".to_owned(), bound as u64);
    let mut judging = Judging {
        cast,
        bound,
        workspace,
        settings,
        run,
    };
    match &asked.choice {
        FaultChoice::These(model) => {
            let found = judging.one(model, asked.recovers)?;
            Ok(Survived {
                name: cast.name.clone(),
                proviso: proviso(model, asked.recovers),
                reason: found.reason,
                verdict: found.verdict,
                stats: stats(found.counts),
                rows: Vec::new(),
            })
        }
        FaultChoice::Each => {
            let (messages, roles) = cast.names(&judging.workspace.terms);
            let mut rows = Vec::new();
            for model in FaultModel::each(&messages, &roles) {
                rows.push(judging.row(&model)?);
            }
            let first = rows
                .iter()
                .find(|it| it.safe == "fails" || it.recovers == "fails");
            if let Some(first) = first {
                let recovers = if first.safe == "fails" {
                    ""
                } else {
                    " --recovers"
                };
                judging.run.note(format!(
                    "`--faults {}{recovers}` shows the run of a row as a chart",
                    first.fault
                ));
            }
            Ok(Survived::of_rows(cast.name.clone(), rows, asked.recovers))
        }
    }
}

/// The roles put together under the faults that are asked about, as formulas see them.
pub fn disturbed(
    cast: &Cast,
    bound: usize,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Stg, Stop> {
    fits(cast, workspace, settings)?;
    let model = match settings.faults.as_ref().map(|it| &it.choice) {
        Some(FaultChoice::These(model)) => model.clone(),
        _ => FaultModel {
            faults: ALL
                .map(|kind| Fault {
                    kind,
                    of: None,
                    most: None,
                })
                .to_vec(),
        },
    };
    let effort = Effort {
        bound,
        states: settings.max_states,
    };
    let (budget, terms) = (settings.until_cancelled(), &mut workspace.terms);
    let composed = cast.composed(&model, effort, &budget, terms);
    let composed = composed.map_err(|stopped| stop(stopped, cast.name.clone(), run))?;
    if !composed.refused.is_empty() {
        return Err(Stop::Unsettled {
            name: cast.name.clone(),
            reason: format!("a queue was full with {bound} messages"),
        });
    }
    run.note(format!(
        "roles over queues, under the faults {}",
        model.text()
    ));
    Ok(as_seen(&composed.stg, terms).renamed(&cast.name))
}

const ALL: [FaultKind; 4] = [
    FaultKind::Lose,
    FaultKind::Duplicate,
    FaultKind::Reorder,
    FaultKind::Crash,
];

/// What is asked, in words.
fn relation(asked: &FaultSettings) -> String {
    let faults = match &asked.choice {
        FaultChoice::Each => "each fault".to_owned(),
        FaultChoice::These(model) => model.text(),
    };
    let ends = if asked.recovers {
        ", and the roles can always still end"
    } else {
        ""
    };
    format!("under {faults}: every run, faults hidden, is the beginning of an allowed run{ends}")
}

/// For which faults something is said: the bounds are part of it.
fn proviso(model: &FaultModel, recovers: bool) -> String {
    let within = match model.bounds() {
        Some(bounds) if model.faults.iter().all(|it| it.most.is_some()) => {
            format!("for {bounds}")
        }
        Some(bounds) => format!("under {} (for {bounds})", model.text()),
        None => format!("under {}", model.text()),
    };
    let ends = if recovers {
        ", and an end is always in reach"
    } else {
        ""
    };
    within + ends
}

fn stats(counts: StgCounts) -> Stats {
    Stats::default()
        .with(Stat::States, counts.states)
        .with(Stat::Transitions, counts.transitions)
        .with(Stat::Messages, counts.messages)
}

struct Judging<'a, 's> {
    cast: &'a Cast,
    bound: usize,
    workspace: &'a mut Workspace<'s>,
    settings: &'a Settings,
    run: &'a mut RunNotes,
}

impl Judging<'_, '_> {
    fn one(&mut self, model: &FaultModel, recovers: bool) -> Result<Survival, Stop> {
        let (settings, name) = (self.settings, &self.cast.name);
        settings
            .events
            .doing(format!("judging `{name}` under {}", model.text()));
        let asked = FaultQuestion {
            faults: model.clone(),
            recovers,
            effort: Effort {
                bound: self.bound,
                states: settings.max_states,
            },
        };
        let mut solver = settings.solver();
        let budget = settings.until_cancelled();
        let terms = &mut self.workspace.terms;
        let found = self.cast.survives(&asked, terms, &mut solver, &budget);
        settings.name_solver(&solver, &mut self.run.semantics);
        found.map_err(|stopped| stop(stopped, name.clone(), self.run))
    }

    fn row(&mut self, model: &FaultModel) -> Result<FaultRow, Stop> {
        let safe = self.one(model, false)?;
        let recovers = match safe.verdict {
            Verdict::Holds(_) => Some(self.one(model, true)?),
            _ => None,
        };
        let found = recovers.as_ref().unwrap_or(&safe);
        let first = match &found.verdict {
            Verdict::Holds(_) | Verdict::HoldsIf(..) => String::new(),
            Verdict::Fails(_) => found.reason.clone(),
            Verdict::Unknown(Unknown { reason, .. }) => reason.clone(),
        };
        Ok(FaultRow {
            fault: model.text(),
            safe: safe.verdict.word(),
            recovers: found.verdict.word(),
            first,
        })
    }
}
