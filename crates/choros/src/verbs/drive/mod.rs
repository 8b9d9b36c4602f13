//! Does the running service pass?

mod judge;

use choros_base::has_errors;
use choros_drive::{
    AccessRequest, DriveOptions, SavedRun, SavedSource, Secrets, ServiceAccess, Session,
    SoapService, refuse_empty,
};
use choros_report::SavedSymbolicSuite;
use choros_report::answers::{Answered, Driving, RunNotes, Stop};
use choros_suite::{SymbolicTestOptions, save_paths};

pub use self::judge::judge;
use super::symbolic::{DerivedTests, derive, model_of, restored, settings_of};
use super::tests::origin;
use crate::diagnostics::{changed_model, unreadable};
use crate::{Request, Settings, Workspace};

#[derive(Debug, Clone, Default)]
pub struct DriveRequest {
    /// The model, a suite, or a report of a run before.
    pub model: Request,
    /// How tests are derived, unless a suite says so.
    pub tests: SymbolicTestOptions,
    /// How the service is tested.
    pub options: DriveOptions,
    /// What must not be shown: bindings add to it, and every writer asks it.
    pub secrets: Secrets,
}

/// Derives tests from a model, or takes those of a suite, and runs them against the service.
pub fn drive(
    workspace: &mut Workspace<'_>,
    request: &DriveRequest,
    settings: &Settings,
) -> Answered<Driving> {
    let mut run = settings.run();
    run.semantics.relation = Some("online testing against all branches".to_owned());
    run.semantics.seed = Some(request.options.seed);
    let answer = driven(workspace, request, settings, &mut run);
    run.interrupted |= settings.is_cancelled();
    Answered { answer, run }
}

/// What became of the tests.
fn driven(
    workspace: &mut Workspace<'_>,
    request: &DriveRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Driving, Stop> {
    let mut options = request.options.clone();
    let asked = Asked::read(workspace, request, &mut options, run)?;
    let settings = &match &asked.saved {
        Some((_, saved)) => settings_of(saved, settings),
        None => settings.clone(),
    };
    let derived = asked.tests(workspace, settings, run)?;
    if let Err(finding) = refuse_empty(&derived) {
        // A tree that was stopped says nothing about the paths of the model.
        let name = &derived.orchestration.name;
        return Err(if settings.is_cancelled() {
            settings.cut(name.clone())
        } else {
            run.mistake(*finding)
        });
    }
    let again = match &asked.again {
        None => None,
        Some(again) => {
            let chosen = again.chosen(&derived, &options.tests, &mut workspace.terms);
            Some(chosen.map_err(|finding| run.mistake(*finding))?)
        }
    };
    let reached = reach(
        workspace,
        (&asked.model, &request.secrets),
        &derived,
        &options,
        settings,
        run,
    )?;
    // What cannot be judged is not begun.
    let mut first = settings.solver();
    let started = first.start();
    started.map_err(|error| Stop::World(error.to_string()))?;
    settings.name_solver(&first, &mut run.semantics);
    let suite = match asked.saved {
        Some((_, saved)) => saved,
        None => {
            let origin = origin(&asked.model, settings);
            save_paths(&derived, &origin, &asked.testing, &workspace.terms)
        }
    };
    let session = Session {
        derived: &derived,
        suite,
        before: asked.again.as_ref().map(SavedRun::timing),
        again,
        options: &options,
        secrets: &request.secrets,
        cancel: &settings.cancel,
        solver: &|| Box::new(settings.solver()),
        progress: &|what| settings.events.doing(what),
        answered: &|result| settings.events.result(result),
        seen: &|message| settings.events.message(|| message),
    };
    let terms = &workspace.terms;
    let announce = &mut |line: &str| settings.events.listening(line);
    choros_drive::drive(session, reached, Box::new(first), terms, run, announce)
}

/// The model, and how its tests are derived or which tests of it are saved.
struct Asked {
    model: Request,
    testing: SymbolicTestOptions,
    /// The suite as it was saved, by itself or in a report, and its file.
    saved: Option<(String, SavedSymbolicSuite)>,
    /// The report whose tests are run again.
    again: Option<SavedRun>,
}

impl Asked {
    fn read(
        workspace: &Workspace<'_>,
        request: &DriveRequest,
        options: &mut DriveOptions,
        run: &mut RunNotes,
    ) -> Result<Asked, Stop> {
        let path = &request.model.path;
        if !path.ends_with(".json") {
            return Ok(Asked {
                model: request.model.clone(),
                testing: SymbolicTestOptions {
                    play_all: options.mock_partners,
                    ..request.tests.clone()
                },
                saved: None,
                again: None,
            });
        }
        let text = workspace.read(path);
        let text = text.map_err(|error| run.mistake(unreadable::diagnostic(&error)))?;
        let source = SavedSource::read(path, &text).map_err(|finding| run.mistake(*finding))?;
        // In which order a service answers several sessions is its own affair.
        options.adaptive |= match &source {
            SavedSource::Suite(suite) => suite.sessions.is_some(),
            SavedSource::Report(_) => false,
        };
        let (word, suite, again) = match source {
            SavedSource::Suite(suite) => ("suite", *suite, None),
            SavedSource::Report(again) => {
                let suite = again.restore(options);
                ("report", suite, Some(*again))
            }
        };
        run.semantics
            .inputs
            .extend([(path.clone(), word.to_owned())]);
        Ok(Asked {
            model: model_of(&suite),
            testing: SymbolicTestOptions {
                play_all: again.is_none() && options.mock_partners,
                ..SymbolicTestOptions::of(&suite)
            },
            saved: Some((path.clone(), suite)),
            again,
        })
    }

    /// The tests that were saved, or else those of the model.
    fn tests(
        &self,
        workspace: &mut Workspace<'_>,
        settings: &Settings,
        run: &mut RunNotes,
    ) -> Result<DerivedTests, Stop> {
        let Some((file, saved)) = &self.saved else {
            return derive(workspace, &self.model, &self.testing, settings, run);
        };
        let restored = restored(workspace, saved, &self.testing, settings, run)?;
        restored.map_err(|reason| run.mistake(changed_model::diagnostic(file, &reason)))
    }
}

/// Finds out how the service is reached.
fn reach(
    workspace: &mut Workspace<'_>,
    (request, secrets): (&Request, &Secrets),
    derived: &DerivedTests,
    options: &DriveOptions,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<ServiceAccess, Stop> {
    let reached = if request.is_process() && options.mapping.is_none() {
        let target = options.target.clone();
        let service = soap_service(workspace, &request.path, target, settings, run)?;
        reaching(workspace, derived, options, run).by_soap(service)
    } else {
        let binding = workspace
            .drive_binding(options.mapping.as_deref(), run)?
            .unwrap_or_default();
        reaching(workspace, derived, options, run).by_json(binding, secrets)
    };
    reached
        .filter(|_| !has_errors(&run.findings))
        .ok_or(Stop::Mistakes)
}

fn reaching<'r>(
    workspace: &'r mut Workspace<'_>,
    derived: &'r DerivedTests,
    options: &'r DriveOptions,
    run: &'r mut RunNotes,
) -> AccessRequest<'r> {
    AccessRequest {
        derived,
        options,
        terms: &mut workspace.terms,
        findings: &mut run.findings,
    }
}

/// How a process talks: at the target, or at the address in its WSDL.
pub(super) fn soap_service(
    workspace: &mut Workspace<'_>,
    path: &str,
    target: Option<String>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<SoapService, Stop> {
    // It was read before, and what was said then is not said again.
    let mut unheard = Vec::new();
    let process = workspace.process(path, settings, &mut unheard);
    let process = process.ok_or(Stop::Mistakes)?;
    let (service, mut found) = workspace.with_library(|library, terms| {
        SoapService::new(
            &process.name,
            process.interface.orchestrator,
            process.partners.clone(),
            process.definitions.clone(),
            target,
            library,
            terms,
        )
    });
    unheard.append(&mut found);
    if has_errors(&unheard) {
        run.findings.append(&mut unheard);
        return Err(Stop::Mistakes);
    }
    let mut service = service.map_err(|finding| run.mistake(*finding))?;
    let unit = process.unit.map(|unit| unit.milliseconds);
    service.tick = unit.map(std::time::Duration::from_millis);
    Ok(service)
}
