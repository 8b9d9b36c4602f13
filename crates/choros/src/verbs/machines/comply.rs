//! Does this machine pass the tests?

use choros_base::has_errors;
use choros_model::cfsm::{Cfsm, read_fsa};
use choros_model::evidence::Tree;
use choros_model::{Evidence, Judging, Observed, Unknown};
use choros_report::answers::{Answered, ComplianceOfTests, TestRun};
use choros_report::{NotASuite, Report, SavedSuite};
use choros_testgen::diagnostics::no_test_case;
use choros_testgen::{
    Compliance, Failure, Fairness, TestCase, TestMachine, Watched, breaches, comply as run,
    read_oracle,
};

use super::findings::tell_discipline;
use super::load::{load_machines, participant};
use super::suite::{Testing, make_suite};
use crate::diagnostics::{not_a_suite, unreadable};
use crate::{Content, Request, Settings, Workspace};

/// A test with what belongs to it.
struct Ready {
    test: TestCase,
    fairness: Fairness,
    watched: Watched,
}

/// Lets a machine run against tests: saved suites, tests with an oracle beside them, or the tests of a model.
pub fn comply(
    workspace: &mut Workspace<'_>,
    machine: &Request,
    tests: &[Request],
    asked: &Testing,
    settings: &Settings,
) -> Answered<ComplianceOfTests> {
    let mut report = settings.report("comply");
    report.semantics.relation =
        Some("every maximal run contains a successful configuration".to_owned());
    tell_discipline(&mut report.semantics, settings);
    let answer = complied(workspace, machine, tests, asked, settings, &mut report);
    Answered::of(report, answer)
}

/// How each test ended; nothing where the report says why.
fn complied(
    workspace: &mut Workspace<'_>,
    machine: &Request,
    tests: &[Request],
    asked: &Testing,
    settings: &Settings,
    report: &mut Report,
) -> Option<ComplianceOfTests> {
    let machines = load_machines(workspace, machine, settings, report)?;
    let machines = match &machine.component {
        None => machines,
        Some(name) => {
            let wanted = participant(name, &machine.path, &machines, workspace, report)?;
            let own = |it: &Cfsm| it.participant() == wanted;
            machines.into_iter().filter(own).collect()
        }
    };
    let mut ready = Vec::new();
    for request in tests {
        read_tests(
            workspace, request, &machines, asked, settings, report, &mut ready,
        );
    }
    if has_errors(&report.diagnostics) {
        return None;
    }
    let mut found = ComplianceOfTests::default();
    for ready in &ready {
        let name = &ready.test.name;
        settings.events.doing(format!("running `{name}`"));
        let own = |it: &&Cfsm| it.participant() == ready.test.under_test;
        if let Some(candidate) = machines.iter().find(own) {
            let run = test_run(candidate, ready, workspace, settings);
            report.outcomes.push(run.clone().outcome(&workspace.terms));
            settings.events.report(report, &workspace.sources);
            found.tests.push(run);
        }
    }
    if found.tests.is_empty() {
        let names = &workspace.terms.names;
        let mut roles: Vec<&str> = ready
            .iter()
            .map(|it| names.text(it.test.under_test))
            .collect();
        roles.sort_unstable();
        roles.dedup();
        let called: Vec<&str> = machines
            .iter()
            .map(|it| names.text(it.participant()))
            .collect();
        let finding = not_a_suite::nothing_to_run(&called.join("`, `"), &roles);
        report.diagnostics.push(finding);
    }
    report.interrupted = settings.is_cancelled();
    Some(found)
}

fn test_run(
    candidate: &Cfsm,
    ready: &Ready,
    workspace: &Workspace<'_>,
    settings: &Settings,
) -> TestRun {
    let names = &workspace.terms.names;
    let answer = run(
        candidate,
        &ready.test,
        settings.discipline,
        &ready.watched,
        ready.fairness,
        &workspace.terms,
        &settings.states(),
    );
    let decisions = ready.test.picks_text(names);
    let tree = |claim: String| {
        Some(Evidence::Tree(Tree {
            claim,
            origin: None,
            evidence: None,
            because: Vec::new(),
        }))
    };
    let judging = Judging::of([&answer]);
    let verdict = match answer {
        Compliance::Passes(states) => Observed::holds(
            judging,
            tree(format!(
                "every maximal run succeeds; {states} configurations come before success"
            )),
            "no run was looked at",
        ),
        Compliance::Fails(failure) => Observed::Fails {
            evidence: Some(failure_evidence(&failure, &decisions)),
        },
        Compliance::Inconclusive(unknown) => Observed::Unknown(Unknown {
            evidence: tree("no run was found that fails".to_owned()),
            ..unknown
        }),
    };
    TestRun {
        name: ready.test.name.clone(),
        verdict,
    }
}

/// The run, where it is stuck, and who is still waiting.
pub(super) fn failure_evidence(failure: &Failure, decisions: &str) -> Evidence {
    let waiting: Vec<String> = failure
        .waiting
        .iter()
        .map(|(participant, state)| format!("`{participant}` in {state}"))
        .collect();
    let mut claim = match waiting.is_empty() {
        true => "a message is left over".to_owned(),
        false => format!("not content: {}", waiting.join(", ")),
    };
    if !decisions.is_empty() {
        claim.push_str(&format!(" (the test decides: {decisions})"));
    }
    Evidence::Tree(Tree {
        claim,
        origin: None,
        evidence: Some(Box::new(Evidence::Trace(failure.run.clone()))),
        because: vec![Tree {
            claim: match failure.cycle_from {
                Some(_) => "the cycle comes back to".to_owned(),
                None => "the run ends in".to_owned(),
            },
            origin: None,
            evidence: Some(Box::new(Evidence::Configuration(
                failure.configuration.clone(),
            ))),
            because: Vec::new(),
        }],
    })
}

/// Reads what was named as tests.
fn read_tests(
    workspace: &mut Workspace<'_>,
    request: &Request,
    candidates: &[Cfsm],
    asked: &Testing,
    settings: &Settings,
    report: &mut Report,
    ready: &mut Vec<Ready>,
) {
    if request.kind.is_none() && request.path.ends_with(".json") {
        match workspace.read(&request.path) {
            Err(error) => report.diagnostics.push(unreadable::diagnostic(&error)),
            Ok(text) => match saved_tests(&text, workspace) {
                Ok(tests) => ready.extend(tests),
                Err(wrong) => {
                    let finding = not_a_suite::diagnostic(&request.path, &wrong.reason);
                    report.diagnostics.push(finding);
                }
            },
        }
        let inputs = &mut report.semantics.inputs;
        inputs.insert(request.path.clone(), "suite".to_owned());
        return;
    }
    let beside = match request.holds(&[Content::Machines]) {
        true => asked
            .oracle
            .clone()
            .or_else(|| oracle_beside(workspace, &request.path)),
        false => None,
    };
    if let Some(oracle) = beside {
        ready.extend(test_with_oracle(workspace, &request.path, &oracle, report));
        return;
    }
    // A model: its tests of the candidates.
    for candidate in candidates {
        let name = workspace
            .terms
            .names
            .text(candidate.participant())
            .to_owned();
        let asked = Testing {
            role: Some(name),
            ..asked.clone()
        };
        let Some(made) = make_suite(workspace, request, &asked, settings, report) else {
            return;
        };
        ready.extend(made.suite.tests.into_iter().map(|test| Ready {
            test,
            fairness: made.fairness,
            watched: made.watched.clone(),
        }));
    }
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

/// A test from a file of machines and an oracle: the component under test is whoever has no success states.
fn test_with_oracle(
    workspace: &mut Workspace<'_>,
    path: &str,
    oracle_path: &str,
    report: &mut Report,
) -> Option<Ready> {
    let mut texts = Vec::new();
    for path in [path, oracle_path] {
        match workspace.read(path) {
            Ok(text) => texts.push(text),
            Err(error) => {
                report.diagnostics.push(unreadable::diagnostic(&error));
                return None;
            }
        }
    }
    let file = workspace.sources.add(path, texts[0].clone());
    let (machines, mut found) = read_fsa(file, &texts[0], &mut workspace.terms.names);
    let file = workspace.sources.add(oracle_path, texts[1].clone());
    let (oracle, mut wrong) = read_oracle(file, &texts[1]);
    let names = &workspace.terms.names;
    let (states, mut unknown) = oracle.resolve(&machines, names);
    let (watched, mut no_channel) = oracle.watched(names);
    for findings in [&mut found, &mut wrong, &mut unknown, &mut no_channel] {
        report.diagnostics.append(findings);
    }
    let inputs = &mut report.semantics.inputs;
    inputs.insert(path.to_owned(), "test".to_owned());
    inputs.insert(oracle_path.to_owned(), "oracle".to_owned());
    if has_errors(&report.diagnostics) {
        return None;
    }
    let without: Vec<&Cfsm> = machines
        .iter()
        .filter(|it| !states.iter().any(|(who, _)| *who == it.participant()))
        .collect();
    let [component] = without[..] else {
        let called: Vec<&str> = without
            .iter()
            .map(|it| names.text(it.participant()))
            .collect();
        let reason = format!(
            "the component under test is whoever has no success states in `{oracle_path}`, and that must be one \
             participant; here it is {}",
            match called.is_empty() {
                true => "nobody".to_owned(),
                false => called.join(" and "),
            }
        );
        report
            .diagnostics
            .push(not_a_suite::diagnostic(path, &reason));
        return None;
    };
    let test = TestCase {
        name: path.to_owned(),
        under_test: component.participant(),
        about: Some(format!("the states of `{oracle_path}`")),
        machines: machines
            .iter()
            .filter_map(|machine| {
                let (_, own) = states
                    .iter()
                    .find(|(who, _)| *who == machine.participant())?;
                Some(TestMachine::from((machine.clone(), own.clone())))
            })
            .collect(),
    };
    if let Some(breach) = breaches(test.under_test, &test.machines).first() {
        let text = breach.text(&test.machines, names);
        let finding = no_test_case::diagnostic(&test.name, &text);
        report.diagnostics.push(finding);
        return None;
    }
    Some(Ready {
        test,
        fairness: Fairness::None,
        watched,
    })
}

/// The tests of a saved suite.
fn saved_tests(text: &str, workspace: &mut Workspace<'_>) -> Result<Vec<Ready>, NotASuite> {
    let names = &mut workspace.terms.names;
    let suite = SavedSuite::of_json(text)?;
    let mut tests = Vec::new();
    for saved in &suite.tests {
        let mut machines = Vec::new();
        for player in &saved.machines {
            let success = player
                .success
                .iter()
                .map(|state| player.machine.state(state))
                .collect::<Result<Vec<_>, _>>()?;
            machines.push(TestMachine {
                machine: player.machine.machine(names)?,
                success,
                picks: player.decides.clone(),
            });
        }
        let fairness = match saved.fairness.as_deref() {
            None | Some("none") => Fairness::None,
            Some("fair") => Fairness::Fair,
            Some(other) => {
                let reason = format!("`{other}` is no fairness");
                return Err(NotASuite { reason });
            }
        };
        let test = TestCase {
            name: saved.name.clone(),
            under_test: names.intern(&saved.role),
            about: saved.about.clone(),
            machines,
        };
        if fairness == Fairness::None
            && let Some(breach) = breaches(test.under_test, &test.machines).first()
        {
            let reason = format!("`{}`: {}", test.name, breach.text(&test.machines, names));
            return Err(NotASuite { reason });
        }
        tests.push(Ready {
            test,
            fairness,
            watched: match &saved.channels {
                None => Watched::All,
                Some(pairs) => {
                    let pairs = pairs.iter();
                    let pairs = pairs.map(|(from, to)| (names.intern(from), names.intern(to)));
                    Watched::These(pairs.collect())
                }
            },
        });
    }
    Ok(tests)
}
