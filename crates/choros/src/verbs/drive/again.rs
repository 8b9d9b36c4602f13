//! Driving the tests of a saved report again, with the very same values.

use std::collections::BTreeMap;

use choros_data::Terms;
use choros_report::{Report, SavedReport, SavedTempo};
use choros_symex::driver::{ConcreteMessage, Entry, TestVerdict, is_same_reason};

use super::record::{read_conversation, verdict};
use super::{Driving, Suite, restore};
use crate::diagnostics::drive_mapping;
use crate::verbs::symbolic::{Orchestration, SymbolicTesting};

/// A test as it went before.
#[derive(Debug, Clone)]
pub(super) struct Before {
    pub(super) verdict: TestVerdict,
    pub(super) why: String,
    /// What the tester sent.
    pub(super) sent: Vec<ConcreteMessage>,
}

/// What a saved report asks for, where the command line does not say otherwise; the length of time in it.
pub(super) fn restore_driving(
    saved: &SavedReport,
    testing: &mut SymbolicTesting,
    driving: &mut Driving,
) -> Option<SavedTempo> {
    let of = saved.driving.as_deref()?;
    restore(&of.suite, testing);
    driving.target = driving.target.take().or_else(|| of.target.clone());
    driving.mapping = driving.mapping.take().or_else(|| of.mapping.clone());
    driving.mock_partners |= of.mock_partners;
    // The first address that is named for a role counts.
    driving.mock_at.extend(of.mock_at.iter().cloned());
    driving.adaptive |= of.adaptive;
    driving
        .timeout_verdict
        .get_or_insert(verdict(&of.timeout_verdict));
    Some(of.tempo)
}

impl Before {
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

    /// What it means that the test ends so this time.
    pub(super) fn remark(&self, now: TestVerdict, why: &str) -> String {
        let is_same = is_same_reason(why, &self.why);
        match (self.verdict, now) {
            (TestVerdict::Fail, TestVerdict::Fail) if is_same => {
                "sent again: the failure is seen again".to_owned()
            }
            (TestVerdict::Fail, TestVerdict::Fail) => {
                format!("sent again: it fails otherwise than before: {}", self.why)
            }
            (TestVerdict::Fail, _) => {
                format!("sent again: the failure is not seen again: {}", self.why)
            }
            (before, now) if before == now => format!("sent again: {}, as before", now.word()),
            (before, _) => format!("sent again: before it was {}: {}", before.word(), self.why),
        }
    }
}

fn is_failed(result: &choros_report::SavedResult) -> bool {
    result.verdict.as_deref() != Some("holds")
}
