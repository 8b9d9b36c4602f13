//! Records from which a binding is proposed.

use choros_base::SourceError;
use choros_bind::propose::{Proposal, SampledLog};
use choros_codes::diagnostics::{no_log_format, unreadable};
use choros_exec::log::{EnvelopeReader, LogFormat, NextEnvelope, open_log};
use choros_report::answers::{BindingProposal, RunNotes, Stop};

use crate::WatchContext;

/// Which logs are examined.
#[derive(Debug, Clone)]
pub struct SampleRequest {
    /// The logs, each with its role where that is known.
    pub files: Vec<(Option<String>, String)>,
    /// The form of all logs, where they do not tell.
    pub format: Option<LogFormat>,
    /// No more records are examined.
    pub most_records: usize,
}

/// No record is longer, in bytes.
const LONGEST: usize = 1 << 20;
/// More problems of one log tell nothing new.
const MOST_PROBLEMS: usize = 5;

/// Reads the beginning of each log; what cannot be read is reported.
pub fn read_samples(
    request: &SampleRequest,
    world: WatchContext<'_>,
    run: &mut RunNotes,
) -> Result<Vec<SampledLog>, Stop> {
    let mut logs = Vec::new();
    let room = (request.most_records / request.files.len().max(1)).max(1);
    for (role, path) in &request.files {
        world.events.doing(format!("reading `{path}`"));
        let failed = |error: std::io::Error| {
            unreadable::diagnostic(&SourceError {
                path: path.clone(),
                reason: error.to_string(),
            })
        };
        let opened = match open_log(path, request.format) {
            Ok(Some(opened)) => opened,
            Ok(None) => {
                run.findings.push(no_log_format::diagnostic(path));
                continue;
            }
            Err(error) => {
                run.findings.push(failed(error));
                continue;
            }
        };
        let inputs = &mut run.semantics.inputs;
        inputs.insert(path.clone(), opened.description.clone());
        let mut log = SampledLog {
            path: path.clone(),
            form: opened.description,
            own: role.clone(),
            ..SampledLog::default()
        };
        let mut reader = EnvelopeReader::new(opened.input, opened.form, LONGEST, false);
        let mut problems = 0;
        loop {
            match reader.next() {
                NextEnvelope::End => break,
                NextEnvelope::Envelope(_) if log.records.len() >= room => {
                    log.is_cut = true;
                    break;
                }
                NextEnvelope::Envelope(record) => log.records.push(*record),
                NextEnvelope::Problem(problem) => {
                    problems += 1;
                    if problems <= MOST_PROBLEMS {
                        run.findings.push(problem.diagnostic(path));
                    }
                }
                NextEnvelope::Failed(error) => {
                    run.findings.push(failed(error));
                    break;
                }
            }
        }
        if problems > 0 {
            let note = format!("{problems} records of `{path}` could not be read");
            run.semantics.notes.push(note);
        }
        logs.push(log);
    }
    if logs.is_empty() {
        return Err(Stop::Mistakes);
    }
    Ok(logs)
}

/// What was found, as an answer about a model.
pub fn proposal(model: &str, is_written: bool, found: Proposal) -> BindingProposal {
    let messages = found.messages.into_iter();
    BindingProposal {
        model: model.to_owned(),
        text: found.text,
        is_written,
        messages: messages.map(|it| (it.name, it.looks, it.count)).collect(),
        records: (found.records, found.bound),
        conversations: found.conversations,
        others: found.others,
        unseen: found.unseen,
        choices: found.choices,
        missing: found.missing,
        is_translation: false,
    }
}

/// The model as a file in another folder names it, where both are in the same one.
pub fn beside(model: &str, output: Option<&str>) -> String {
    let split = |path: &str| match path.rsplit_once('/') {
        Some((folder, name)) => (folder.to_owned(), name.to_owned()),
        None => (String::new(), path.to_owned()),
    };
    let (folder, name) = split(model);
    let (other, _) = split(output.unwrap_or(model));
    if folder == other {
        name
    } else {
        model.to_owned()
    }
}
