//! Do the properties hold on these logs or streams?

mod changed_verdicts;
mod evidence;
mod hear;
mod ledger;
mod watch;

use std::time::Duration;

use choros_base::has_errors;
use choros_exec::log::LogFormat;
use choros_exec::verdicts::VerdictForm;
use choros_query::property::{Properties, Reading};
use choros_report::{Block, Outcome, Report};

use crate::diagnostics::nothing_declared;
use crate::{Settings, Workspace};

/// What is to be monitored, and how.
#[derive(Debug, Clone, Default)]
pub struct MonitorRequest {
    /// Files of properties.
    pub properties: Vec<String>,
    /// Logs: the service, where it is said, and the file; `-` is standard input.
    pub logs: Vec<(Option<String>, String)>,
    /// The form of all logs, where the extension does not say.
    pub format: Option<LogFormat>,
    /// A mapping file.
    pub mapping: Option<String>,
    /// Addresses and the roles they stand for.
    pub names: Vec<(String, String)>,
    /// Listen here for observations.
    pub listen: Option<String>,
    /// Stop listening after so many connections.
    pub connections: Option<usize>,
    /// Hear the verdicts of other testers: service and address.
    pub verdicts_from: Vec<(String, String)>,
    /// How long a tester that is not there is waited for.
    pub patience: Duration,
    /// Hand out verdicts here.
    pub publish: Option<String>,
    /// Write verdicts to this file; `-` is standard output.
    pub verdicts: Option<String>,
    /// How verdicts are written.
    pub form: VerdictForm,
    /// Logs may grow.
    pub follow: bool,
    /// The first problem ends the run.
    pub strict: bool,
    /// The end of a log ends its windows.
    pub strict_end: bool,
    /// Milliseconds that an observation may come late.
    pub slack: Option<u64>,
    /// Only messages that some property names count.
    pub related_only: bool,
    /// No record is longer, in bytes.
    pub longest: usize,
    /// No property holds more open windows.
    pub most_windows: usize,
    /// Save the state here, and go on from it.
    pub state: Option<String>,
    /// How often.
    pub state_every: Duration,
    /// Show the automata of the properties.
    pub explain: bool,
    /// Write the properties as XQuery.
    pub xquery: bool,
}

/// Watches properties over logs, or hears the verdicts of others; `announce` is told where it listens.
pub fn monitor(
    workspace: &mut Workspace<'_>,
    what: &MonitorRequest,
    settings: &Settings,
    announce: &mut dyn FnMut(&str),
) -> Report {
    let mut report = Report {
        verb: "monitor",
        deny_warnings: settings.deny_warnings,
        ..Report::default()
    };
    report.semantics.relation = Some("passive testing of properties".to_owned());
    let properties = workspace.properties(
        &what.properties,
        &Reading::default(),
        &mut report.diagnostics,
    );
    for path in &what.properties {
        let inputs = &mut report.semantics.inputs;
        inputs.insert(path.clone(), "prop".to_owned());
    }
    let empty = properties.local.is_empty() && properties.global.is_empty();
    if empty && !has_errors(&report.diagnostics) {
        let nothing = what
            .properties
            .iter()
            .map(|path| nothing_declared::no_question(path));
        report.diagnostics.extend(nothing);
    }
    if has_errors(&report.diagnostics) {
        return report;
    }
    if what.explain || what.xquery {
        show(workspace, &properties, what, &mut report);
        return report;
    }
    match what.verdicts_from.is_empty() {
        true => watch::watch(
            workspace,
            &properties,
            what,
            settings,
            announce,
            &mut report,
        ),
        false => hear::hear(&properties, what, settings, &mut report),
    }
    report.interrupted = settings.is_cancelled();
    report
}

/// The properties themselves, in another form.
fn show(
    workspace: &mut Workspace<'_>,
    properties: &Properties,
    what: &MonitorRequest,
    report: &mut Report,
) {
    for property in &properties.local {
        let mut blocks = Vec::new();
        if what.explain {
            let drawing = evidence::automaton(property);
            blocks.push(Block::Graph(Box::new(drawing)));
        }
        if what.xquery {
            blocks.push(Block::Picture {
                format: "xquery",
                text: choros_emit::xquery(property, &mut workspace.terms),
            });
        }
        report.outcomes.push(Outcome {
            name: property.name.clone(),
            blocks,
            ..Outcome::default()
        });
    }
}
