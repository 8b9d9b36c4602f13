//! Which pomsets does a g-choreography have?

use choros_base::{Budget, Spent};
use choros_model::gchor::{Gchor, LoopUnfolding, unfold};
use choros_realize::gchor::{Language, pomsets as enumerate, resolutions};
use choros_report::{GraphDrawing, Outcome, Report, Sizes, Stat, Stats};

use super::draw::blocks as drawn;
use crate::diagnostics::{endless_pomsets, state_bound};
use crate::verbs::Picture;
use crate::{Settings, Workspace};

/// Counts pomsets, linearisations and prefixes, and draws the pomsets where they are few.
pub(super) fn pomsets(
    path: &str,
    gchor: &Gchor,
    workspace: &Workspace<'_>,
    settings: &Settings,
    report: &mut Report,
) {
    report.semantics.relation = Some("pomsets up to isomorphism, and their words".to_owned());
    let unfolded = match settings.gchor.unfold {
        None if gchor.has_loops() => {
            report.diagnostics.push(endless_pomsets::diagnostic(path));
            return;
        }
        None => gchor.clone(),
        Some(times) => match unfold(gchor, LoopUnfolding::UpTo(times), &settings.states()) {
            Ok(unfolded) => unfolded,
            Err(spent) => {
                report
                    .diagnostics
                    .push(state_bound::diagnostic(path, spent));
                return;
            }
        },
    };
    if let Some(times) = settings.gchor.unfold {
        let bound = u64::from(times);
        report.semantics.bounds.insert("unfold".to_owned(), bound);
    }
    settings
        .progress
        .show(format!("counting pomsets of `{path}`"));
    let ways = resolutions(&unfolded);
    let mut stats = Stats::default();
    let mut complete = true;
    let mut blocks = Vec::new();
    // Up to isomorphism only as far as they can be listed.
    let listed = match u64::try_from(&ways) {
        Ok(few) if few <= MOST_LISTED => {
            let budget = Budget::steps(MOST_EVENTS).cancelled_by(settings.cancel.clone());
            enumerate(&unfolded, &budget).ok()
        }
        _ => None,
    };
    match &listed {
        Some(pomsets) => stats = stats.with(Stat::Pomsets, pomsets.len()),
        None => {
            stats = stats.with(Stat::Pomsets, saturated(&ways));
            report.semantics.notes.push(format!(
                "`{path}`: there are {ways} ways to resolve the choices, and as many pomsets if it is well-formed; \
                 otherwise some may be alike"
            ));
        }
    }
    match Language::new(&unfolded).counts(&settings.states()) {
        Ok(counts) => {
            for (stat, count) in [
                (Stat::Linearisations, &counts.linearisations),
                (Stat::Prefixes, &counts.prefixes),
            ] {
                if u64::try_from(count).is_err() {
                    report.semantics.notes.push(format!(
                        "`{path}`: {count} {}, more than the table can hold",
                        stat.word()
                    ));
                }
                stats = stats.with(stat, saturated(count));
            }
        }
        Err(Spent::Cancelled) => complete = false,
        Err(spent) => {
            complete = false;
            report
                .diagnostics
                .push(state_bound::diagnostic(path, spent));
        }
    }
    let mut models = Vec::new();
    if let Some(pomsets) = &listed
        && pomsets.len() <= MOST_DRAWN
    {
        let drawing = GraphDrawing::of_pomsets(path, pomsets, &workspace.terms.names);
        match settings.picture {
            Picture::Report => models.push(drawing),
            other => blocks = drawn(drawing, "a family of pomsets", other, report),
        }
    }
    report.outcomes.push(Outcome {
        name: path.to_owned(),
        sizes: Sizes { stats, complete },
        blocks,
        models,
        ..Outcome::default()
    });
}

/// More pomsets than this are counted, not listed.
const MOST_LISTED: u64 = 2_000;
/// Nor are they if they have more events together.
const MOST_EVENTS: u64 = 200_000;
/// More than this make no readable picture.
const MOST_DRAWN: usize = 24;

fn saturated(count: &num_bigint::BigUint) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
