//! The tests of machines in a programming language.

use choros_base::{FileSet, Name, has_errors};
use choros_emit::TargetLanguage;
use choros_emit::sessions::{self, Payloads, SessionTests};
use choros_report::answers::RunNotes;
use choros_testgen::MachineSuite;
use choros_workspace::stem;

use crate::diagnostics::{idle_role, no_payloads, unmentioned_message};
use crate::verbs::tests::TestsRequest;
use crate::{Model, Request, Settings, Workspace};

/// The tests in a programming language; none where a finding says why.
pub(super) fn program(
    made: &MachineSuite,
    request: &TestsRequest,
    language: TargetLanguage,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Option<FileSet> {
    let payloads = match &request.machines.payloads {
        None => Payloads::new(),
        Some(path) => payloads(path, made, workspace, settings, run)?,
    };
    let names = &workspace.terms.names;
    let does_something = |role: &Name| {
        let machine = made.suite.machine(*role);
        machine.is_some_and(|it| it.transition_count() > 0)
    };
    let (roles, idle): (Vec<Name>, Vec<Name>) =
        made.roles().iter().partition(|it| does_something(it));
    let is_all = request.machines.role.is_some() || roles.is_empty();
    let idle = idle.into_iter().map(|it| names.text(it));
    run.findings
        .extend(idle.map(|it| idle_role::diagnostic(it, is_all)));
    if roles.is_empty() || has_errors(&run.findings) {
        return None;
    }
    let tests = SessionTests {
        name: match stem(&request.model.path) {
            "" => &request.model.path,
            stem => stem,
        },
        suite: &made.suite,
        roles: &roles,
        payloads: &payloads,
        names,
    };
    Some(match language {
        TargetLanguage::Python => sessions::python(&tests),
        TargetLanguage::Rust => sessions::rust(&tests),
    })
}

/// What messages carry, from a model with data.
fn payloads(
    path: &str,
    made: &MachineSuite,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Option<Payloads> {
    let request = Request::parse(path, None);
    let (kind, model) = workspace.model(&request, settings, run)?;
    if has_errors(&run.findings) {
        return None;
    }
    let Model::Graphs(components, _) = model else {
        let finding = no_payloads::diagnostic(&request.path, kind.words());
        run.findings.push(finding);
        return None;
    };
    let graphs = components.iter().filter_map(|it| it.stg.as_ref().ok());
    let payloads = Payloads::of_graphs(graphs, &workspace.terms);
    let silent = payloads.unmentioned(&made.suite.machines, &workspace.terms.names);
    if !silent.is_empty() {
        run.findings
            .push(unmentioned_message::diagnostic(path, &silent));
    }
    Some(payloads)
}
