//! Which tests does the model imply?

#[cfg(feature = "emitters")]
use choros_emit::TargetLanguage;
use choros_report::answers::{Answered, Tests};
use choros_suite::{MachineTestOptions, Origin, SymbolicTestOptions};

use super::{Picture, machines, symbolic};
use crate::{FileKind, Request, Settings, Workspace};

/// Which tests are made, and in which form.
#[derive(Debug, Clone, Default)]
pub struct TestsRequest {
    /// The model: machines, or a graph with data.
    pub model: Request,
    /// How tests of machines are made.
    pub machines: MachineTestOptions,
    /// How tests of a graph with data are made.
    pub symbolic: SymbolicTestOptions,
    /// The form of the files that hold them.
    pub form: Option<TestForm>,
    /// The file that says how messages look as JSON over HTTP, for programs that test a graph with data.
    pub mapping: Option<String>,
    /// Runs with values are part of the answer.
    pub is_concrete: bool,
    /// So is the tree that paths are chosen from.
    pub tree: Option<Picture>,
}

/// The form in which tests are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestForm {
    /// One file, `suite.json`.
    Json,
    /// A folder for each test, with its machines and its oracle.
    Fsa,
    /// A program that tests an implementation.
    #[cfg(feature = "emitters")]
    Code(TargetLanguage),
}

/// Makes the tests of a model, and the files that hold them.
///
/// Where the user stops the work, the answer has the tests that were made until then, and says that there are more.
pub fn tests(
    workspace: &mut Workspace<'_>,
    request: &TestsRequest,
    settings: &Settings,
) -> Answered<Tests> {
    let kind = request.model.known_kind();
    settings.answered(|run| {
        if kind.is_some_and(FileKind::has_graphs) {
            symbolic::tests(workspace, request, settings, run)
        } else {
            machines::tests(workspace, request, settings, run)
        }
    })
}

/// What a suite remembers of its model.
pub(super) fn origin(request: &Request, settings: &Settings) -> Origin {
    Origin {
        model: request.path.clone(),
        kind: request.kind.map(|kind| kind.name().to_owned()),
        component: request.component.clone(),
        parameters: settings.parameters.iter().cloned().collect(),
        sessions: settings.sessions.clone(),
    }
}
