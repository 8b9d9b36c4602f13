//! Do the properties hold on these logs or streams?

mod changed_verdicts;
mod doubt;
mod evidence;
mod hear;
mod inputs;
mod ledger;
mod watch;

use std::time::Duration;

use choros_base::has_errors;
use choros_exec::log::LogFormat;
use choros_exec::verdicts::VerdictForm;
use choros_query::property::{Properties, Reading};
use choros_report::answers::{Answered, Monitoring, PropertyForm, Run, Stop};

use crate::diagnostics::nothing_declared;
use crate::{Settings, Workspace};

/// What is to be monitored, and how.
#[derive(Debug, Clone)]
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
    /// Logs are samples that lose records by design.
    pub lossy: bool,
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

impl Default for MonitorRequest {
    fn default() -> Self {
        MonitorRequest {
            properties: Vec::new(),
            logs: Vec::new(),
            format: None,
            mapping: None,
            names: Vec::new(),
            listen: None,
            connections: None,
            verdicts_from: Vec::new(),
            patience: Duration::from_secs(30),
            publish: None,
            verdicts: None,
            form: VerdictForm::default(),
            follow: false,
            strict: false,
            strict_end: false,
            lossy: false,
            slack: None,
            related_only: false,
            longest: 1 << 20,
            most_windows: 1_000_000,
            state: None,
            state_every: Duration::from_secs(1),
            explain: false,
            xquery: false,
        }
    }
}

/// Watches properties over logs, or hears the verdicts of others; `announce` is told where it listens.
pub fn monitor(
    workspace: &mut Workspace<'_>,
    request: &MonitorRequest,
    settings: &Settings,
    announce: &mut dyn FnMut(&str),
) -> Answered<Monitoring> {
    // No bound of a search has any part in it.
    let mut run = Run {
        deny_warnings: settings.deny_warnings,
        ..Run::default()
    };
    run.semantics.relation = Some("passive testing of properties".to_owned());
    let answer = answer(workspace, request, settings, announce, &mut run);
    let is_watching = !request.explain && !request.xquery;
    run.interrupted = is_watching && settings.is_cancelled();
    Answered { answer, run }
}

fn answer(
    workspace: &mut Workspace<'_>,
    request: &MonitorRequest,
    settings: &Settings,
    announce: &mut dyn FnMut(&str),
    run: &mut Run,
) -> Result<Monitoring, Stop> {
    let paths = &request.properties;
    let properties = workspace.properties(paths, &Reading::default(), &mut run.findings);
    for path in paths {
        let inputs = &mut run.semantics.inputs;
        inputs.insert(path.clone(), "prop".to_owned());
    }
    let empty = properties.local.is_empty() && properties.global.is_empty();
    if empty && !has_errors(&run.findings) {
        let nothing = paths.iter().map(|path| nothing_declared::diagnostic(path));
        run.findings.extend(nothing);
    }
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    if request.explain || request.xquery {
        return Ok(forms(workspace, &properties, request));
    }
    match request.verdicts_from.is_empty() {
        true => watch::watch(workspace, &properties, request, settings, announce, run),
        false => hear::hear(&properties, request, settings, run),
    }
}

/// The properties themselves, in another form.
fn forms(
    workspace: &mut Workspace<'_>,
    properties: &Properties,
    request: &MonitorRequest,
) -> Monitoring {
    let forms = properties.local.iter().map(|property| PropertyForm {
        name: property.name.clone(),
        automaton: request.explain.then(|| evidence::automaton(property)),
        xquery: request
            .xquery
            .then(|| choros_emit::xquery(property, &mut workspace.terms)),
    });
    Monitoring {
        forms: forms.collect(),
        ..Monitoring::default()
    }
}
