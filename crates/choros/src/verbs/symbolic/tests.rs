//! The tests of a model with data.

use choros_base::FileSet;
#[cfg(feature = "emitters")]
use choros_emit::TargetLanguage;
use choros_report::Block;
use choros_report::answers::{RunNotes, Stop, TestFiles, Tests, TestsOf};
use choros_suite::{Suite, paths_of, tree_aut, tree_drawing};
use choros_symex::DerivedTests;
use choros_workspace::drawing_block;

use super::derive::derive;
use crate::diagnostics::{nothing_emitted, symbolic_option};
use crate::verbs::Picture;
use crate::verbs::tests::{TestForm, TestsRequest, origin};
use crate::{Settings, Workspace};

/// Paths of the symbolic execution tree of one role, and the files that hold them.
pub(in crate::verbs) fn tests(
    workspace: &mut Workspace<'_>,
    request: &TestsRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Tests, Stop> {
    run.semantics.relation = Some("symbolic execution".to_owned());
    let mut asked = request.symbolic.clone();
    // A picture of the tree has all its nodes.
    asked.derivation.merge &= request.tree.is_none();
    let derived = derive(workspace, &request.model, &asked, settings, run)?;
    let is_nothing = derived.suite.paths.is_empty() && request.tree.is_none();
    if is_nothing {
        let finding = nothing_emitted::diagnostic(&derived.graph.name, &[]);
        run.findings.push(finding);
    }
    let criterion = asked.derivation.coverage;
    let paths = paths_of(&derived, criterion, request.is_concrete, &workspace.terms);
    let components = vec![TestsOf::Paths(Box::new(paths))];
    let program = match request.form {
        _ if is_nothing => Some(FileSet::new()),
        None | Some(TestForm::Json) => None,
        #[cfg(feature = "emitters")]
        Some(TestForm::Code(TargetLanguage::Python)) => {
            Some(program(workspace, request, &derived, settings, run)?)
        }
        Some(_) => {
            let message = "tests of models with data are emitted as json or as python";
            return Err(run.mistake(symbolic_option::diagnostic(message)));
        }
    };
    let scripts = derived.scripts(&workspace.terms);
    let tree = tree(&derived, request.tree, workspace, run);
    let suite = program.unwrap_or_else(|| {
        let mut files = FileSet::new();
        if request.form.is_some() {
            let origin = origin(&request.model, settings);
            let suite = Suite::Paths(Box::new(derived));
            files.add("suite.json", suite.save(&origin, &asked, &workspace.terms));
        }
        files
    });
    let files = TestFiles {
        suite,
        scripts,
        tree,
    };
    Ok(Tests { components, files })
}

/// The tree in the form that was asked for.
fn tree(
    derived: &DerivedTests,
    picture: Option<Picture>,
    workspace: &Workspace<'_>,
    run: &mut RunNotes,
) -> Option<String> {
    let (graph, tree, terms) = (&derived.graph, &derived.tree, &workspace.terms);
    if picture? == Picture::Aut {
        return Some(tree_aut(tree, terms));
    }
    let drawing = tree_drawing(&graph.name, graph, tree, terms);
    let blocks = drawing_block(drawing, picture?, &mut run.findings);
    blocks.into_iter().find_map(|block| match block {
        Block::Picture { text, .. } => Some(text),
        _ => None,
    })
}

/// The tests for pytest; no files where a finding says why.
#[cfg(feature = "network")]
fn program(
    workspace: &mut Workspace<'_>,
    request: &TestsRequest,
    derived: &DerivedTests,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<FileSet, Stop> {
    use choros_drive::http_tests::{Compilation, compile};

    use crate::verbs::drive::soap_service;

    let path = request.model.path.as_str();
    let of = match (request.model.is_process(), &request.mapping) {
        (true, None) => match soap_service(workspace, path, None, settings, run) {
            Ok(service) => Compilation::by_soap(path, derived, service, &workspace.terms),
            Err(_) => return Ok(FileSet::new()),
        },
        (_, named) => match workspace.drive_binding(named.as_deref(), run) {
            Ok(binding) => Compilation::by_json(path, derived, binding, &mut workspace.terms),
            Err(_) => return Ok(FileSet::new()),
        },
    };
    // The compiler takes what is not decided for possible, so a missing solver is said before it begins.
    let mut solver = settings.solver();
    solver
        .start()
        .map_err(|error| Stop::World(error.to_string()))?;
    let suite = compile(of, &mut solver, &mut workspace.terms);
    settings.name_solver(&solver, &mut run.semantics);
    for (name, reason) in &suite.left_out {
        let note = format!("{name} is not emitted: {reason}");
        run.semantics.notes.push(note);
    }
    if suite.tests.is_empty() {
        let finding = nothing_emitted::diagnostic(&suite.service, &suite.left_out);
        run.findings.push(finding);
        return Ok(FileSet::new());
    }
    Ok(choros_emit::symbolic::python(&suite))
}

#[cfg(all(feature = "emitters", not(feature = "network")))]
fn program(
    _: &mut Workspace<'_>,
    _: &TestsRequest,
    _: &DerivedTests,
    _: &Settings,
    _: &mut RunNotes,
) -> Result<FileSet, Stop> {
    let reason = "tests for pytest speak HTTP, and this program was built without the network";
    Err(Stop::World(reason.to_owned()))
}
