//! Driving the tests of a saved report again, with the very same values.

use std::collections::BTreeMap;

use choros_data::Terms;
use choros_drive::Before;
use choros_report::{Report, SavedDriving, SavedReport, SavedTiming};
use choros_symex::driver::Entry;
use choros_symex::{Orchestration, Suite};

use super::DriveRequest;
use super::record::{read_conversation, verdict};
use crate::diagnostics::drive_mapping;

/// What a saved report asks for, where the command line does not say otherwise; the length of time in it.
pub(super) fn restore_driving(of: &SavedDriving, driving: &mut DriveRequest) -> SavedTiming {
    driving.target = driving.target.take().or_else(|| of.target.clone());
    driving.mapping = driving.mapping.take().or_else(|| of.mapping.clone());
    driving.mock_partners |= of.mock_partners;
    // The first address that is named for a role counts.
    driving.mock_at.extend(of.mock_at.iter().cloned());
    driving.adaptive |= of.adaptive;
    driving
        .timeout_verdict
        .get_or_insert(verdict(&of.timeout_verdict));
    of.tempo
}

/// The tests that are run again, by number: those that are named, or else those that did not pass, or else all.
pub(super) fn chosen(
    (path, saved): (&str, &SavedReport),
    suite: &Suite,
    named: &[String],
    model: &Orchestration,
    terms: &mut Terms,
    report: &mut Report,
) -> Option<BTreeMap<usize, Before>> {
    let mut wrong = |reason: &str| {
        let finding = drive_mapping::diagnostic(path, reason);
        report.diagnostics.push(finding);
    };
    let recorded = saved.results.iter().filter(|it| it.conversation.is_some());
    let recorded: Vec<_> = recorded.collect();
    let failed = |it: &&_| is_failed(it);
    let chosen: Vec<_> = match named {
        [] if recorded.iter().copied().any(|it| failed(&it)) => {
            recorded.into_iter().filter(failed).collect()
        }
        [] => recorded,
        named => {
            for name in named {
                if !recorded.iter().any(|it| it.name == *name) {
                    wrong(&format!("it has no conversation of a test `{name}`"));
                    return None;
                }
            }
            let is_named = |it: &&choros_report::SavedResult| named.contains(&it.name);
            recorded.into_iter().filter(is_named).collect()
        }
    };
    let mut tests = BTreeMap::new();
    for result in chosen {
        let number = suite.paths.iter().position(|it| it.name == result.name);
        let (Some(number), Some(conversation)) = (number, &result.conversation) else {
            wrong(&format!(
                "the model has no path of `{}` any more",
                result.name
            ));
            return None;
        };
        let log = match read_conversation(conversation, model, terms) {
            Ok(log) => log,
            Err(reason) => {
                wrong(&format!(
                    "`{}` does not fit the model: {reason}",
                    result.name
                ));
                return None;
            }
        };
        let before = Before {
            verdict: verdict(result.verdict.as_deref().unwrap_or_default()),
            why: conversation.why.clone(),
            sent: log
                .into_iter()
                .filter_map(|entry| match entry {
                    Entry::Sent { message, .. } => Some(message),
                    _ => None,
                })
                .collect(),
        };
        tests.insert(number, before);
    }
    Some(tests)
}

fn is_failed(result: &choros_report::SavedResult) -> bool {
    result.verdict.as_deref() != Some("holds")
}
