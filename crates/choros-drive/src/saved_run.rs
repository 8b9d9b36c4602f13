//! Driving what was saved: a suite, or the tests of a report with the very same values.

use std::collections::BTreeMap;

use choros_base::Diagnostic;
use choros_codes::diagnostics::unusable_drive_input;
use choros_data::Terms;
use choros_report::{SavedDriving, SavedResult, SavedSymbolicSuite, SavedTiming, read_report};
use choros_suite::{read_conversation, read_paths, read_verdict};
use choros_symex::DerivedTests;
use choros_symex::driver::ConversationEntry;

use crate::{DriveOptions, EarlierResult};

/// A report whose tests are run again.
#[derive(Debug, Clone)]
pub struct SavedRun {
    /// Its file.
    pub path: String,
    /// The tests that were run.
    pub results: Vec<SavedResult>,
    /// How they were run.
    pub driving: SavedDriving,
}

/// What a saved file holds that can be driven.
#[derive(Debug)]
pub enum SavedSource {
    Suite(Box<SavedSymbolicSuite>),
    /// The report of a run before.
    Report(Box<SavedRun>),
}

impl SavedSource {
    /// Reads a file; the finding says why it can not be driven.
    pub fn read(path: &str, text: &str) -> Result<SavedSource, Box<Diagnostic>> {
        if let Ok(report) = read_report(text)
            && let Some(driving) = report.driving
        {
            return Ok(SavedSource::Report(Box::new(SavedRun {
                path: path.to_owned(),
                results: report.results,
                driving: *driving,
            })));
        }
        let suite = read_paths(text).map_err(|error| {
            let reason = format!(
                "no suite of symbolic tests, and no report of `choros drive`: {}",
                error.reason
            );
            Box::new(unusable_drive_input::diagnostic(path, &reason))
        })?;
        Ok(SavedSource::Suite(Box::new(suite)))
    }
}

impl SavedRun {
    /// The suite of the run, whose options are taken over where the user does not say otherwise.
    pub fn restore(&self, options: &mut DriveOptions) -> SavedSymbolicSuite {
        options.restore(&self.driving);
        self.driving.suite.clone()
    }

    /// How time passed.
    pub fn timing(&self) -> SavedTiming {
        self.driving.tempo
    }
    /// The tests that are run again, by number: those that are named, or else those that did not pass, or else all.
    pub fn chosen(
        &self,
        derived: &DerivedTests,
        named: &[String],
        terms: &mut Terms,
    ) -> Result<BTreeMap<usize, EarlierResult>, Box<Diagnostic>> {
        let wrong = |reason: &str| Box::new(unusable_drive_input::diagnostic(&self.path, reason));
        let mut chosen: Vec<&SavedResult> = self.results.iter().collect();
        chosen.retain(|it| it.conversation.is_some());
        let is_failed = |it: &SavedResult| it.verdict.as_deref() != Some("holds");
        match named {
            [] if chosen.iter().any(|it| is_failed(it)) => chosen.retain(|it| is_failed(it)),
            [] => {}
            named => {
                let is_there = |name: &&String| chosen.iter().any(|it| it.name == **name);
                if let Some(name) = named.iter().find(|name| !is_there(name)) {
                    return Err(wrong(&format!("it has no conversation of a test `{name}`")));
                }
                chosen.retain(|it| named.contains(&it.name));
            }
        }
        let mut tests = BTreeMap::new();
        for result in chosen {
            let mut paths = derived.suite.paths.iter();
            let number = paths.position(|it| it.name == result.name);
            let (Some(number), Some(conversation)) = (number, &result.conversation) else {
                let name = &result.name;
                return Err(wrong(&format!(
                    "the model no longer has the path of `{name}`"
                )));
            };
            let log = read_conversation(conversation, &derived.orchestration, terms);
            let log = log.map_err(|reason| {
                let name = &result.name;
                wrong(&format!("`{name}` does not fit the model: {reason}"))
            })?;
            let sent = log.into_iter().filter_map(|entry| match entry {
                ConversationEntry::Sent { message, .. } => Some(message),
                _ => None,
            });
            let before = EarlierResult {
                verdict: read_verdict(result.verdict.as_deref().unwrap_or_default()),
                why: conversation.why.clone(),
                sent: sent.collect(),
            };
            tests.insert(number, before);
        }
        Ok(tests)
    }
}
