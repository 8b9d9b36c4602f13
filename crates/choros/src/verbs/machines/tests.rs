//! The tests of machines.

use choros_base::FileSet;
use choros_report::answers::{RunNotes, Stop, TestFiles, Tests};
use choros_suite::{Suite, folders_of, roles_of};

use super::findings::tell_discipline;
#[cfg(feature = "emitters")]
use super::program::program;
use super::suite::make_suite;
use crate::verbs::tests::{TestForm, TestsRequest, origin};
use crate::{Settings, Workspace};

/// The tests of machines, and the files that hold them.
pub(in crate::verbs) fn tests(
    workspace: &mut Workspace<'_>,
    request: &TestsRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Tests, Stop> {
    run.semantics.relation = Some("tests by splitting and oracle".to_owned());
    tell_discipline(&mut run.semantics, settings);
    let made = make_suite(workspace, &request.model, &request.machines, settings, run)?;
    let components = roles_of(&made, &workspace.terms.names);
    // A reader takes a file for whole.
    let files = match request.form.filter(|_| made.is_complete) {
        None => FileSet::new(),
        Some(TestForm::Fsa) => folders_of(&made, &workspace.terms.names),
        #[cfg(feature = "emitters")]
        Some(TestForm::Code(language)) => {
            let program = program(&made, request, language, workspace, settings, run);
            program.unwrap_or_default()
        }
        Some(TestForm::Json) => {
            let mut files = FileSet::new();
            let origin = origin(&request.model, settings);
            let suite = Suite::Machines(made);
            let text = suite.save(&origin, &request.symbolic, &workspace.terms);
            files.add("suite.json", text);
            files
        }
    };
    Ok(Tests {
        components,
        files: TestFiles {
            suite: files,
            ..TestFiles::default()
        },
    })
}
