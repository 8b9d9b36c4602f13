//! What do the states of services look like?

use choros_model::lts::explore;
use choros_report::{Outcome, Report, Sizes, cut_text};

use crate::Settings;
use crate::diagnostics::state_bound;
use crate::service::Service;
use crate::verbs::Picture;
use crate::verbs::draw::system_block;
use crate::verbs::explore::relation_of_services;

/// Draws the graph of all states.
pub(in crate::verbs) fn draw(
    path: &str,
    service: &Service,
    picture: Picture,
    settings: &Settings,
    report: &mut Report,
) {
    report.semantics.relation = Some(relation_of_services(settings).to_owned());
    let Some(mut system) = service.system(settings) else {
        return;
    };
    settings.progress.show(format!("exploring `{path}`"));
    let found = explore(&mut system, &settings.states());
    if let Some(cut) = found.lts.extent().cut_by() {
        report
            .diagnostics
            .push(state_bound::cut(path, &cut_text(cut)));
    }
    report.outcomes.push(Outcome {
        name: path.to_owned(),
        blocks: system_block(path, &found.lts, picture, &mut report.diagnostics),
        sizes: Sizes {
            complete: found.complete(),
            ..Sizes::default()
        },
        ..Outcome::default()
    });
}
