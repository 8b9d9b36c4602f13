//! Does this machine pass the tests?

use choros_base::has_errors;
use choros_model::cfsm::{Cfsm, read_fsa};
use choros_report::answers::{Answered, ComplianceOfTests, RunNotes, Stop};
use choros_suite::{MachineTest, MachineTestOptions, NoMachineTest, read_machines, read_tests};
use choros_testgen::diagnostics::no_test_case;

use super::findings::tell_discipline;
use super::load::{machines_of, participant, read_oracle};
use super::suite::{in_sessions, make_suite};
use crate::diagnostics::not_a_suite;
use crate::{Content, Request, Settings, Workspace};

/// Which machine runs against which tests.
#[derive(Debug, Clone, Default)]
pub struct ComplyRequest {
    /// The machine: all of a file, or the one that is named.
    pub machine: Request,
    /// Saved suites, tests with an oracle beside them, or models.
    pub tests: Vec<Request>,
    /// How the tests of models are made.
    pub options: MachineTestOptions,
}

/// Lets a machine run against tests.
pub fn comply(
    workspace: &mut Workspace<'_>,
    request: &ComplyRequest,
    settings: &Settings,
) -> Answered<ComplianceOfTests> {
    settings.answered(|run| complied(workspace, request, settings, run))
}

/// How each test ended.
fn complied(
    workspace: &mut Workspace<'_>,
    request: &ComplyRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<ComplianceOfTests, Stop> {
    run.semantics.relation =
        Some("every maximal run contains a successful configuration".to_owned());
    tell_discipline(&mut run.semantics, settings);
    let machine = &request.machine;
    let mut machines = machines_of(workspace, machine, settings, run)?;
    if let Some(name) = &machine.component {
        let wanted = participant(name, &machine.path, &machines, workspace, run)?;
        machines.retain(|it| it.participant() == wanted);
    }
    machines = in_sessions(machines, None, &machine.path, workspace, settings, run)?;
    let mut tests = Vec::new();
    for named in &request.tests {
        // What is wrong with one is said with what is wrong with the others.
        let read = named_tests(workspace, named, &machines, &request.options, settings, run);
        tests.extend(read.unwrap_or_default());
    }
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    let mut found = ComplianceOfTests::default();
    for test in &tests {
        let name = &test.test.name;
        settings.events.doing(format!("running `{name}`"));
        let own = |it: &&Cfsm| it.participant() == test.test.under_test;
        if let Some(candidate) = machines.iter().find(own) {
            let (discipline, budget) = (settings.discipline, settings.states());
            let ran = test.run(candidate, discipline, &workspace.terms, &budget);
            let so_far = ComplianceOfTests {
                tests: vec![ran.clone()],
            };
            let events = &settings.events;
            events.answer(so_far, run, &workspace.terms, &workspace.sources);
            found.tests.push(ran);
        }
    }
    if found.tests.is_empty() && !settings.is_cancelled() {
        let text = |name| workspace.terms.names.text(name);
        let mut roles: Vec<&str> = tests.iter().map(|it| text(it.test.under_test)).collect();
        roles.sort_unstable();
        roles.dedup();
        let called: Vec<&str> = machines.iter().map(|it| text(it.participant())).collect();
        let finding = not_a_suite::nothing_to_run(&called.join("`, `"), &roles);
        run.findings.push(finding);
    }
    Ok(found)
}

/// Reads what was named as tests.
fn named_tests(
    workspace: &mut Workspace<'_>,
    request: &Request,
    candidates: &[Cfsm],
    asked: &MachineTestOptions,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Vec<MachineTest>, Stop> {
    if request.kind.is_none() && request.path.ends_with(".json") {
        let input = (request.path.clone(), "suite".to_owned());
        run.semantics.inputs.extend([input]);
        return saved_tests(&request.path, workspace, run);
    }
    let beside = if request.holds(&[Content::Machines]) {
        asked
            .oracle
            .clone()
            .or_else(|| oracle_beside(workspace, &request.path))
    } else {
        None
    };
    if let Some(oracle) = beside {
        let test = test_with_oracle(workspace, &request.path, &oracle, run)?;
        return Ok(vec![test]);
    }
    // A model: its tests of the candidates.
    let mut tests = Vec::new();
    for candidate in candidates {
        let name = workspace.terms.names.text(candidate.participant());
        let asked = MachineTestOptions {
            role: Some(name.to_owned()),
            ..asked.clone()
        };
        let made = make_suite(workspace, request, &asked, settings, run)?;
        tests.extend(made.suite.tests.into_iter().map(|test| MachineTest {
            test,
            fairness: made.fairness,
            watched: made.watched.clone(),
        }));
    }
    Ok(tests)
}

/// The tests of a saved suite.
fn saved_tests(
    path: &str,
    workspace: &mut Workspace<'_>,
    run: &mut RunNotes,
) -> Result<Vec<MachineTest>, Stop> {
    let (_, text) = workspace.required(path, run)?;
    let tests = read_machines(&text).and_then(|it| read_tests(&it, &mut workspace.terms.names));
    tests.map_err(|wrong| run.mistake(not_a_suite::diagnostic(path, &wrong.reason)))
}

/// `oracle.yaml` in the folder of a file, or `NAME.oracle.yaml`.
fn oracle_beside(workspace: &Workspace<'_>, path: &str) -> Option<String> {
    let folder = path.rfind('/').map_or("", |at| &path[..=at]);
    let stem = path.strip_suffix(".fsa").unwrap_or(path);
    [
        format!("{stem}.oracle.yaml"),
        format!("{folder}oracle.yaml"),
    ]
    .into_iter()
    .find(|candidate| workspace.read(candidate).is_ok())
}

/// A test from a file of machines and an oracle: the component under test is the one that has no success states.
fn test_with_oracle(
    workspace: &mut Workspace<'_>,
    path: &str,
    oracle_path: &str,
    run: &mut RunNotes,
) -> Result<MachineTest, Stop> {
    let (file, text) = workspace.required(path, run)?;
    let (machines, mut found) = read_fsa(file, &text, &mut workspace.terms.names);
    run.findings.append(&mut found);
    let input = (path.to_owned(), "test".to_owned());
    run.semantics.inputs.extend([input]);
    let (states, watched) = read_oracle(oracle_path, &machines, workspace, run)?;
    if has_errors(&run.findings) {
        return Err(Stop::Mistakes);
    }
    let names = &workspace.terms.names;
    let test = MachineTest::of_states(path, oracle_path, machines, &states, watched, names);
    test.map_err(|reason| {
        run.findings.push(match reason {
            NoMachineTest::WhoIsTested(reason) => not_a_suite::diagnostic(path, &reason),
            NoMachineTest::Breach(reason) => no_test_case::diagnostic(path, &reason),
        });
        Stop::Mistakes
    })
}
