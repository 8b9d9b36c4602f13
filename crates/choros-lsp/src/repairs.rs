//! Repairs of choreographies as changes of their texts.

use choros::base::{SourceMap, Suggestion};
use choros::report::{NamedResult, Report, VerdictKind};
use choros::verbs::{self, RealizeRequest};
use choros::{Request, Settings};

use crate::documents::Snapshot;
use crate::findings::Repairs;

/// The repairs of an answer that can be written into the text.
///
/// A report has verified the choreography with its additions; what counts here is the text after the change, so that
/// is read and asked about again, and a change after which it does not hold is not proposed.
pub(crate) fn proved(
    request: &RealizeRequest,
    report: &Report,
    sources: &SourceMap,
    snapshot: &Snapshot,
    settings: &Settings,
) -> Repairs {
    let mut repairs = Repairs::new();
    let Some(file) = request.files.first() else {
        return repairs;
    };
    for outcome in &report.outcomes {
        let Some(edits) = edits(outcome) else {
            continue;
        };
        let own = |it: &Suggestion| sources.file(it.span.file()).name() == file.path;
        let Some(text) = snapshot.text(&file.path) else {
            continue;
        };
        if !edits.iter().all(own) {
            continue;
        }
        let is_part = report.outcomes.len() > 1;
        let again = RealizeRequest {
            files: vec![Request {
                component: is_part
                    .then(|| outcome.name.clone())
                    .or(file.component.clone()),
                ..file.clone()
            }],
            repair: false,
            ..request.clone()
        };
        let changed = snapshot.but(&file.path, &edited(&text, &edits));
        let holds = changed.with(|workspace| {
            let report = verbs::realize(workspace, &again, settings).report(&workspace.terms);
            report
                .answer()
                .is_some_and(|it| it.word == VerdictKind::Holds)
        });
        if holds {
            repairs.insert(outcome.name.clone(), edits);
        }
    }
    repairs
}

/// All that a verified repair changes; `None` where there is none, or a part of it is not a change of a text.
fn edits(outcome: &NamedResult) -> Option<Vec<Suggestion>> {
    let realization = outcome.realization.as_deref()?;
    if let Some(late) = realization.late.as_ref()
        && late.verified == "yes"
        && late.services.is_empty()
    {
        return Some(late.edits.clone());
    }
    let repair = realization.repair.as_ref()?;
    if repair.verified != "yes" || repair.additions.is_empty() {
        return None;
    }
    repair.additions.iter().map(|it| it.edit.clone()).collect()
}

/// A text after changes; of those at one place, the first comes first.
fn edited(text: &str, edits: &[Suggestion]) -> String {
    let mut edits: Vec<&Suggestion> = edits.iter().collect();
    edits.sort_by_key(|it| it.span.range().start);
    let mut text = text.to_owned();
    for edit in edits.into_iter().rev() {
        text.replace_range(edit.span.range(), &edit.replacement);
    }
    text
}
