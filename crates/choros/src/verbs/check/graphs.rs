//! Is a graph sound?

use choros_data::Terms;
use choros_model::stg::Stg;
use choros_realize::soundness;
use choros_report::answers::{RunNotes, Soundness, Stop};
use choros_smt::LazySolver;

use crate::Settings;

/// Finds transitions that can never fire, and states in which nothing continues.
pub(super) fn check(
    stg: &Stg,
    terms: &mut Terms,
    solver: &mut LazySolver,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Soundness, Stop> {
    let mut found = soundness(stg, terms, solver, &settings.until_cancelled())
        .map_err(|error| Stop::World(error.to_string()))?;
    run.findings.append(&mut found.findings);
    let (answer, mut notes) = Soundness::of_graph(stg, &found, terms);
    run.semantics.notes.append(&mut notes);
    Ok(answer)
}
