//! Does the running service pass?

mod codec;
mod outcome;
mod paths;
mod run;
mod soap;

use std::path::PathBuf;
use std::time::Duration;

use choros_base::has_errors;
use choros_exec::drive::{LineFile, WireLimits, check_target, read_done, suite_line};
use choros_report::{Report, SavedSymbolicSuite};
use choros_symex::driver::{Bounds, Tempo, TestVerdict, View};

pub(super) use self::codec::{AnyCodec, json_codec, mapping};
use self::codec::{Reached, reach};
use self::paths::{Suite, suite};
use self::run::{Files, Run, run};
pub(super) use self::soap::soap_codec;
use super::symbolic::{CoverageCriterion, Derived, PurposeActions, SymbolicTesting, derive};
use crate::diagnostics::{drive_mapping, nothing_to_drive, other_suite, strange_target};
use crate::{Project, Request, Settings};

/// How a running service is tested.
#[derive(Debug, Clone)]
pub struct Driving {
    /// How tests are derived, unless a suite says so.
    pub testing: SymbolicTesting,
    /// Where the service is.
    pub target: Option<String>,
    /// The file that says how messages look as JSON over HTTP.
    pub mapping: Option<String>,
    /// Play all partners, not only the user.
    pub mock_partners: bool,
    /// Where partners are played: `ROLE=ADDR`.
    pub mock_at: Vec<String>,
    /// A file of certificates that services are checked against, instead of the system's.
    pub roots: Option<PathBuf>,
    /// Which values are sent.
    pub values: Values,
    /// The seed of random values.
    pub seed: u64,
    /// How often an inconclusive test is run again.
    pub retries: u32,
    /// Go on along another path when the service takes another branch.
    pub adaptive: bool,
    /// Stop at the first failure.
    pub fail_fast: bool,
    /// The verdict when an answer that is due does not come.
    pub on_timeout: TestVerdict,
    /// So many tests at a time.
    pub parallel: usize,
    /// How long a tick of the model is, where the model does not say.
    pub tick: Duration,
    /// By how much a tick is stretched.
    pub time_scale: f64,
    /// By how much a service may be early or late.
    pub tolerance: Duration,
    /// How long an answer may take.
    pub answer_within: Duration,
    /// How long to listen at the end of a test.
    pub quiet: Duration,
    /// How long to wait between tests.
    pub pause: Duration,
    /// The longest body that is read.
    pub body_limit: usize,
    /// Paths that end before the service has ended are driven too.
    pub incomplete: bool,
    /// The file of what is done already.
    pub resume: Option<String>,
    /// The file that everything is written to.
    pub transcript: Option<String>,
}

/// Which values are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// What the solver gives.
    Any,
    /// Small ones, and then large ones: the bounds that a path sets.
    Bounds,
    /// Different ones for each seed.
    Random,
}

/// Derives tests from a model, or takes those of a suite, and runs them against the service.
pub fn drive(
    project: &mut Project<'_>,
    request: &Request,
    driving: &Driving,
    settings: &Settings,
    announce: &mut dyn FnMut(&str),
) -> Report {
    let mut report = Report {
        verb: "drive",
        semantics: settings.semantics(),
        deny_warnings: settings.deny_warnings,
        ..Report::default()
    };
    report.semantics.relation = Some("online testing against all branches".to_owned());
    report.semantics.seed = Some(driving.seed);
    let Some((request, testing, wanted)) = asked(project, request, driving, &mut report) else {
        return report;
    };
    let Some(mut derived) = derive(project, &request, &testing, settings, &mut report) else {
        return report;
    };
    if driving.mock_partners {
        play_all(&mut derived);
    }
    let suite = suite(&derived, wanted.as_deref(), driving);
    if suite.paths.is_empty() {
        let finding = nothing_to_drive::diagnostic(&derived.orchestration.name);
        report.diagnostics.push(finding);
        return report;
    }
    let reached = reach(project, &request, &derived, driving, settings, &mut report);
    let Some(reached) = reached.filter(|_| !has_errors(&report.diagnostics)) else {
        return report;
    };
    if let Err(reason) = check_target(reached.codec.target(), driving.roots.as_deref()) {
        let finding = strange_target::diagnostic(reached.codec.target(), &reason);
        report.diagnostics.push(finding);
        return report;
    }
    if driving.parallel > 1 && !reached.listeners.is_empty() {
        let reason = "`--parallel` needs a tester who is called by nobody: calls of the service to \
                      its partners cannot be told apart by test";
        report
            .diagnostics
            .push(drive_mapping::diagnostic("--parallel", reason));
        return report;
    }
    let Some((files, done)) = files(driving, &suite, &derived, &mut report) else {
        return report;
    };
    let view = View {
        service: derived.orchestration.interface.orchestrator,
        played: derived.orchestration.played.clone(),
    };
    let run_of = Run {
        derived: &derived,
        suite: &suite,
        view: &view,
        driving,
        settings,
        tempo: tempo(driving, &reached),
        bounds: Bounds::default(),
        limits: WireLimits {
            body: driving.body_limit,
            connect: Duration::from_secs(5),
            // A response that is later than any verdict is of no use; connections are not kept for it.
            response: driving.answer_within * 2 + Duration::from_secs(1),
        },
        reached: &reached,
        done,
    };
    let results = run(&run_of, files, &project.terms, announce, &mut report);
    outcome::tell(&run_of, results, &mut report);
    report.interrupted = settings.is_cancelled();
    report
}

/// The model, how its tests are derived, and which of them are wanted: all, or those of a suite.
fn asked(
    project: &Project<'_>,
    request: &Request,
    driving: &Driving,
    report: &mut Report,
) -> Option<(Request, SymbolicTesting, Option<Vec<u32>>)> {
    let mut testing = driving.testing.clone();
    if !request.path.ends_with(".json") {
        return Some((request.clone(), testing, None));
    }
    let text = match project.read(&request.path) {
        Ok(text) => text,
        Err(error) => {
            report
                .diagnostics
                .push(crate::diagnostics::unreadable::diagnostic(&error));
            return None;
        }
    };
    let saved = match SavedSymbolicSuite::of_json(&text) {
        Ok(saved) => saved,
        Err(error) => {
            let reason = format!("no suite of symbolic tests: {}", error.reason);
            report
                .diagnostics
                .push(drive_mapping::diagnostic(&request.path, &reason));
            return None;
        }
    };
    restore(&saved, &mut testing);
    let wanted = saved.tests.iter().map(|test| test.end).collect();
    let model = Request {
        path: saved.model,
        component: saved.component,
        kind: None,
    };
    report
        .semantics
        .inputs
        .insert(request.path.clone(), "suite".to_owned());
    Some((model, testing, Some(wanted)))
}

/// What a suite says about how it was made.
fn restore(saved: &SavedSymbolicSuite, testing: &mut SymbolicTesting) {
    *testing = SymbolicTesting {
        role: saved.role.clone(),
        user: Some(saved.user.clone()),
        play: saved.played.clone(),
        purpose: saved.purpose.clone(),
        actions: match saved.purpose_actions.as_str() {
            "last" => PurposeActions::Last,
            _ => PurposeActions::First,
        },
        contracts: saved.contracts.clone(),
        words: saved.words.clone(),
        depth: saved.depth,
        coverage: match saved.coverage.as_str() {
            "states" => CoverageCriterion::States,
            "branches" => CoverageCriterion::Branches,
            "paths" => CoverageCriterion::Paths,
            "purpose" => CoverageCriterion::Purpose,
            _ => CoverageCriterion::Transitions,
        },
        only_terminating: saved.only_terminating,
        inclusion: saved.inclusion,
    };
}

/// Lets the tester play everybody; steps that were hidden become its own.
fn play_all(derived: &mut Derived) {
    let orchestration = &mut derived.orchestration;
    let service = orchestration.interface.orchestrator;
    let mut partners = orchestration.stg.roles();
    partners.retain(|&role| role != service);
    orchestration.played = partners;
}

/// How time passes.
fn tempo(driving: &Driving, reached: &Reached) -> Tempo {
    let micros = |duration: Duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    let tick = reached.tick.unwrap_or(driving.tick).as_secs_f64() * driving.time_scale;
    // A tick of nothing would let time stand still.
    let unit = Duration::try_from_secs_f64(tick.max(0.001)).unwrap_or(Duration::MAX);
    // Without a place to be called at, only answers to open calls can come, and those are waited for apart.
    let quiet = match reached.listeners.is_empty() {
        true => Duration::ZERO,
        false => driving.quiet,
    };
    Tempo {
        unit: micros(unit),
        tolerance: micros(driving.tolerance),
        answer: micros(driving.answer_within),
        quiet: micros(quiet),
    }
}

/// The files that are written, and the tests that are done already.
fn files(
    driving: &Driving,
    suite: &Suite,
    derived: &Derived,
    report: &mut Report,
) -> Option<(Files, Vec<choros_exec::drive::Done>)> {
    let mut files = Files::default();
    let mut done = Vec::new();
    let mut open = |path: &str, goes_on: bool| match LineFile::open(path, goes_on) {
        Ok(file) => Some(file),
        Err(error) => {
            report.world_failed = Some(format!("cannot write `{path}`: {error}"));
            None
        }
    };
    if let Some(path) = &driving.resume {
        let name = suite.fingerprint(&derived.orchestration.name);
        let known = choros_exec::state_file::load(path).ok().flatten();
        let mut known = known.filter(|text| !text.is_empty());
        // A line that was cut off when the run was killed goes away, so that the next one is whole.
        if let Some(text) = &mut known
            && !text.ends_with('\n')
        {
            text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
            if let Err(error) = choros_exec::state_file::save(path, text) {
                report.world_failed = Some(format!("cannot write `{path}`: {error}"));
                return None;
            }
        }
        let known = known.filter(|text| !text.is_empty());
        if let Some(text) = &known {
            let reason = match read_done(text) {
                Ok((of, before)) if of == name => {
                    done = before;
                    None
                }
                Ok(_) => Some("it belongs to another suite".to_owned()),
                Err(reason) => Some(reason),
            };
            if let Some(reason) = reason {
                report
                    .diagnostics
                    .push(other_suite::diagnostic(path, &reason));
                return None;
            }
        }
        let mut file = open(path, known.is_some())?;
        let begun = match known {
            None => file.add(&[suite_line(&name)]),
            Some(_) => Ok(()),
        };
        if let Err(error) = begun {
            report.world_failed = Some(format!("cannot write `{path}`: {error}"));
            return None;
        }
        files.resume = Some(file);
    }
    if let Some(path) = &driving.transcript {
        files.transcript = Some(open(path, driving.resume.is_some() && !done.is_empty())?);
    }
    Some((files, done))
}
