//! A run of machines, kept as tests of those who took part in it.

use choros_model::cfsm::{Cfsm, Discipline, LocalAction};
use choros_model::evidence::StepEvent;
use choros_model::stg::Direction;
use choros_model::walk::Walk;
use choros_report::answers::RunTests;
use choros_suite::{Origin, Suite, SymbolicTestOptions};
use choros_testgen::{
    AfterRun, ChosenRun, Compliance, MachineSuite, TestSuite, WatchedChannels, comply,
    fairness_of_run, test_of_run,
};

use choros_workspace::{Settings, Workspace};

/// Configurations that are explored to see whether the model's own machine passes: a step should be shown at once.
const MAX_CONFIGURATIONS: u64 = 20_000;

/// The tests that a run gives, one for each participant whose own machine passes; none before the first step.
pub(crate) fn machine_tests(
    machines: &[Cfsm],
    discipline: Discipline,
    walk: &Walk,
    model: &str,
    workspace: &mut Workspace<'_>,
    settings: &Settings,
) -> Option<RunTests> {
    let run = chosen(walk, workspace)?;
    let fairness = fairness_of_run(machines);
    let watched = WatchedChannels::All;
    let (mut tests, mut suitability) = (Vec::new(), Vec::new());
    let mut found = RunTests::default();
    for machine in machines {
        let role = machine.participant();
        let mut reason = None;
        for after in [AfterRun::GoOn, AfterRun::Listen] {
            let names = &mut workspace.terms.names;
            let Some(test) = test_of_run(machines, role, &run, after, names) else {
                break;
            };
            let (terms, budget) = (&workspace.terms, settings.states().part(MAX_CONFIGURATIONS));
            let answer = comply(
                machine, &test, discipline, &watched, fairness, terms, &budget,
            );
            reason = match &answer {
                Compliance::Passes(_) => None,
                Compliance::Fails(failure) => Some(failure.run.conclusion.clone()),
                Compliance::Inconclusive(unknown) => Some(unknown.reason.clone()),
            };
            if reason.is_none() {
                found
                    .roles
                    .push(workspace.terms.names.text(role).to_owned());
                tests.push(test);
                suitability.push(answer);
                break;
            }
        }
        if let Some(reason) = reason {
            let name = workspace.terms.names.text(role).to_owned();
            found.left_out.push((name, reason));
        }
    }
    if !tests.is_empty() {
        let suite = Suite::Machines(MachineSuite {
            suite: TestSuite {
                machines: machines.to_vec(),
                tests,
            },
            fairness,
            watched,
            suitability,
            is_complete: true,
        });
        let origin = Origin {
            model: model.to_owned(),
            ..Origin::default()
        };
        let asked = SymbolicTestOptions::default();
        found.suite = Some(suite.save(&origin, &asked, &workspace.terms));
    }
    Some(found)
}

/// The run as the machines did it; none where it has no steps, or one that is not a machine's.
fn chosen(walk: &Walk, workspace: &mut Workspace<'_>) -> Option<ChosenRun> {
    let names = &mut workspace.terms.names;
    let mut steps = Vec::new();
    for step in &walk.run.steps {
        let StepEvent::Message {
            operation,
            from,
            to,
            direction,
            ..
        } = &step.event
        else {
            return None;
        };
        let (from, to) = (names.intern(from), names.intern(to));
        let message = names.intern(operation);
        if matches!(direction, Direction::Send | Direction::Interaction) {
            steps.push((from, LocalAction::output(to, message)));
        }
        if matches!(direction, Direction::Receive | Direction::Interaction) {
            steps.push((to, LocalAction::input(from, message)));
        }
    }
    let mut waiting = walk.configuration.channels.iter();
    (!steps.is_empty()).then(|| ChosenRun {
        steps,
        is_settled: waiting.all(|(_, messages)| messages.is_empty()),
    })
}
