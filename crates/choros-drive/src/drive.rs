//! From a suite and a way to reach the service to verdicts.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use choros_base::Diagnostic;
use choros_codes::diagnostics::{nothing_to_drive, other_suite, strange_target};
use choros_data::Terms;
use choros_report::answers::{Driving, RunNotes as Findings, Stop};
use choros_report::{LiveMessage, NamedResult, SavedSymbolicSuite, SavedTiming};
use choros_smt::Solver;
use choros_symex::DerivedTests;

use crate::outcome::tell;
use crate::{
    DriveOptions, EarlierResult, Files, NotOpened, RunContext, Secrets, ServiceAccess,
    check_target, run,
};

/// Everything that is known before a service is driven.
pub struct Session<'s> {
    /// The tests and their model.
    pub derived: &'s DerivedTests,
    /// The same in the form that is saved.
    pub suite: SavedSymbolicSuite,
    /// The tests of a report that are run again, by number, and no others.
    pub again: Option<BTreeMap<usize, EarlierResult>>,
    /// How time passed then.
    pub before: Option<SavedTiming>,
    /// How they are run.
    pub options: &'s DriveOptions,
    /// What must not be shown.
    pub secrets: &'s Secrets,
    /// Ends the run when it becomes true.
    pub cancel: &'s AtomicBool,
    /// Makes a solver.
    pub solver: &'s (dyn Fn() -> Box<dyn Solver> + Sync),
    /// Is told what is being done.
    pub progress: &'s (dyn Fn(String) + Sync),
    /// Is told what became of each test, as soon as that is known.
    pub answered: &'s (dyn Fn(NamedResult) + Sync),
    /// Is told of each message.
    pub seen: &'s (dyn Fn(LiveMessage) + Sync),
}

/// Whether there is anything to run; otherwise why not.
pub fn refuse_empty(derived: &DerivedTests) -> Result<(), Box<Diagnostic>> {
    let paths = &derived.suite.paths;
    if paths.iter().any(|path| !path.steps.is_empty()) {
        return Ok(());
    }
    let finding = nothing_to_drive::diagnostic(&derived.orchestration.name);
    Err(Box::new(finding))
}

/// Runs the tests against the service; `first` is the first solver, and `announce` is told where partners are played.
pub fn drive(
    session: Session<'_>,
    reached: ServiceAccess,
    first: Box<dyn Solver>,
    terms: &Terms,
    findings: &mut Findings,
    announce: &mut dyn FnMut(&str),
) -> Result<Driving, Stop> {
    let (derived, options) = (session.derived, session.options);
    let mut refuse = |finding: Diagnostic| {
        findings.findings.push(finding);
        Stop::Mistakes
    };
    let target = reached.codec.target();
    check_target(target, options.roots.as_deref())
        .map_err(|reason| refuse(strange_target::diagnostic(target, &reason)))?;
    let fingerprint = derived.suite.fingerprint(&derived.digest(terms), terms);
    let (resume, transcript) = (options.resume.as_deref(), options.transcript.as_deref());
    let opened = Files::open(resume, transcript, &fingerprint, session.secrets);
    let (files, done) = opened.map_err(|error| match error {
        NotOpened::OtherSuite { path, reason } => refuse(other_suite::diagnostic(&path, &reason)),
        NotOpened::World(reason) => Stop::World(reason),
    })?;
    let timing = options.timing(session.before, reached.tick, !reached.listeners.is_empty());
    let how = options.save(session.suite, timing);
    let view = derived.orchestration.view();
    let run_of = RunContext {
        derived,
        view: &view,
        plan: options.plan(&derived.suite, timing),
        codec: reached.codec,
        listeners: &reached.listeners,
        done,
        again: session.again,
        cancel: session.cancel,
        solver: session.solver,
        progress: session.progress,
        answered: session.answered,
        seen: session.seen,
    };
    let driven = run(&run_of, files, first, terms, announce);
    findings.interrupted = session.cancel.load(Ordering::Relaxed);
    let (tests, notes) = tell(&run_of, driven.tests, terms);
    findings.semantics.notes.extend(notes);
    Ok(Driving {
        tests,
        how: Box::new(how),
        broken: driven.broken,
    })
}
