//! Do the properties hold on these logs or streams?

use choros_base::has_errors;
use choros_bind::Binding;
use choros_query::property::{MessageSchema, Properties};
use choros_report::answers::{Answered, Monitoring, PropertyForm, RunNotes, Stop};
use choros_watch::WatchContext;
use choros_watch::monitor::{self as watch, WatchRequest};

use crate::diagnostics::nothing_declared;
use crate::{Settings, Workspace};

#[derive(Debug, Clone, Default)]
pub struct MonitorRequest {
    /// Files of properties.
    pub properties: Vec<String>,
    pub watch: WatchRequest,
    /// Show the automata of the properties.
    pub explain: bool,
    /// Write the properties as XQuery.
    #[cfg(feature = "theses")]
    pub xquery: bool,
}

impl MonitorRequest {
    /// Whether nothing is watched, and the properties are shown.
    fn is_about_forms(&self) -> bool {
        #[cfg(feature = "theses")]
        if self.xquery {
            return true;
        }
        self.explain
    }
}

/// Watches properties over logs, or hears the verdicts of others.
pub fn monitor(
    workspace: &mut Workspace<'_>,
    request: &MonitorRequest,
    settings: &Settings,
) -> Answered<Monitoring> {
    // No bound of a search has any part in it.
    let mut run = RunNotes {
        deny_warnings: settings.deny_warnings,
        ..RunNotes::default()
    };
    run.semantics.relation = Some("passive testing of properties".to_owned());
    let answer = answer(workspace, request, settings, &mut run);
    run.interrupted = !request.is_about_forms() && settings.is_cancelled();
    Answered { answer, run }
}

fn answer(
    workspace: &mut Workspace<'_>,
    request: &MonitorRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Monitoring, Stop> {
    let paths = &request.properties;
    let properties = workspace.properties(paths, &MessageSchema::default(), &mut run.findings);
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
    if request.is_about_forms() {
        return Ok(forms(workspace, &properties, request));
    }
    let binding = workspace.log_binding(request.watch.mapping.as_deref(), run)?;
    let world = world(workspace, binding.as_ref(), settings);
    watch::monitor(&properties, &request.watch, &workspace.terms, world, run)
}

/// The properties themselves, in another form.
#[cfg_attr(not(feature = "theses"), allow(unused_variables))]
fn forms(
    workspace: &mut Workspace<'_>,
    properties: &Properties,
    request: &MonitorRequest,
) -> Monitoring {
    let forms = properties.local.iter().map(|property| PropertyForm {
        name: property.name.clone(),
        automaton: request.explain.then(|| watch::automaton(property)),
        #[cfg(feature = "theses")]
        xquery: request
            .xquery
            .then(|| choros_emit::xquery(property, &mut workspace.terms)),
        #[cfg(not(feature = "theses"))]
        xquery: None,
    });
    Monitoring {
        forms: forms.collect(),
        ..Monitoring::default()
    }
}

/// What monitors, audits and captures meet.
pub(super) fn world<'w>(
    workspace: &'w Workspace<'_>,
    binding: Option<&'w Binding>,
    settings: &'w Settings,
) -> WatchContext<'w> {
    WatchContext {
        sources: workspace,
        binding,
        cancel: &settings.cancel,
        events: &settings.events,
    }
}
