//! Tests as programs.

use choros_base::{Name, has_errors};
use choros_emit::sessions::{self, Payloads, SessionTests};
use choros_emit::{FileSet, Language};
use choros_report::Report;

use super::payloads::read_payloads;
use super::suite::{Made, Testing};
use crate::diagnostics::idle_role;
use crate::{Request, Settings, Workspace};

/// The files of the tests in a programming language; none when something is wrong, and the report is told what.
pub(super) fn executable(
    made: &Made,
    request: &Request,
    asked: &Testing,
    language: Language,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
    report: &mut Report,
) -> FileSet {
    let payloads = match &asked.payloads {
        None => Payloads::new(),
        Some(path) => match read_payloads(path, made, workspace, settings, report) {
            Some(payloads) => payloads,
            None => return FileSet::new(),
        },
    };
    let names = &workspace.terms.names;
    let acts = |role: &Name| {
        let machine = made.suite.machine(*role);
        machine.is_some_and(|it| it.transition_count() > 0)
    };
    let (roles, idle): (Vec<Name>, Vec<Name>) = made.roles().into_iter().partition(acts);
    let is_all = asked.role.is_some() || roles.is_empty();
    let findings = idle
        .into_iter()
        .map(|role| idle_role::diagnostic(names.text(role), is_all));
    report.diagnostics.extend(findings);
    if roles.is_empty() || has_errors(&report.diagnostics) {
        return FileSet::new();
    }
    let name = model_name(&request.path);
    let tests = SessionTests {
        name: &name,
        suite: &made.suite,
        roles: &roles,
        payloads: &payloads,
        names,
    };
    match language {
        Language::Python => sessions::python(&tests),
        Language::Rust => sessions::rust(&tests),
    }
}

/// The file's name without folder and extension.
fn model_name(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match file.split_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::model_name;

    #[test]
    fn a_model_is_called_as_its_file() {
        assert_eq!(model_name("models/atm.gc"), "atm");
        assert_eq!(model_name("atm"), "atm");
        assert_eq!(model_name("a.b.gc"), "a");
        assert_eq!(model_name(".gc"), ".gc");
    }
}
