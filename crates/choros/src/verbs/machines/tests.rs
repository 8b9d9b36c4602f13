//! Which tests does the model imply?

use choros_emit::{FileSet, Language};
use choros_model::Evidence;
use choros_model::cfsm::{Cfsm, write_fsa};
use choros_model::evidence::Table;
use choros_report::{
    Block, NamedResult, Report, SavedMachine, SavedSuite, SavedTest, SavedTestMachine, Sizes, Stat,
    Stats,
};
use choros_testgen::{Compliance, Fairness, TestCase, TestSuite, Watched, write_oracle};

use super::executable::executable;
use super::findings::tell_discipline;
use super::suite::{Made, Testing, make_suite};
use crate::{Request, Settings, Workspace};

/// The form in which tests are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestForm {
    /// One file, `suite.json`.
    Json,
    /// A folder for each test, with its machines and its oracle.
    Fsa,
    /// A program that tests an implementation.
    Code(Language),
}

/// Makes the tests of a model, and the files that hold them.
pub fn tests(
    workspace: &mut Workspace<'_>,
    request: &Request,
    asked: &Testing,
    form: Option<TestForm>,
    settings: &Settings,
) -> (Report, FileSet) {
    let mut report = settings.report("tests");
    report.semantics.relation = Some("tests by splitting and oracle".to_owned());
    tell_discipline(&mut report.semantics, settings);
    let mut files = FileSet::new();
    let Some(made) = make_suite(workspace, request, asked, settings, &mut report) else {
        return (report, files);
    };
    describe(&made, workspace, &mut report);
    match form {
        None => {}
        Some(TestForm::Json) => {
            let saved = save(&made, &request.path, workspace);
            files.add("suite.json", saved.to_json());
        }
        Some(TestForm::Fsa) => write_folders(&made, workspace, &mut files),
        Some(TestForm::Code(language)) => {
            files = executable(
                &made,
                request,
                asked,
                language,
                workspace,
                settings,
                &mut report,
            );
        }
    }
    report.interrupted = settings.is_cancelled();
    (report, files)
}

/// One outcome for each component.
fn describe(made: &Made, workspace: &Workspace<'_>, report: &mut Report) {
    let names = &workspace.terms.names;
    for role in made.roles() {
        let mut table = Table {
            columns: ["test", "decisions", "suitable"]
                .map(str::to_owned)
                .to_vec(),
            rows: Vec::new(),
        };
        let parts = made.suite.tests_of(role).any(|test| test.about.is_some());
        if parts {
            table.columns.push("about".to_owned());
        }
        let tests = made.suite.tests.iter().zip(&made.suitability);
        for (test, answer) in tests.filter(|(test, _)| test.under_test == role) {
            let suitable = match answer {
                Compliance::Passes(_) => "yes",
                Compliance::Fails(_) => "no",
                Compliance::Inconclusive(_) => "not decided",
            };
            let decisions = match test.picks_text(names) {
                text if text.is_empty() => "none".to_owned(),
                text => text,
            };
            let mut row = vec![test.name.clone(), decisions, suitable.to_owned()];
            if parts {
                row.push(test.about.clone().unwrap_or_default());
            }
            table.rows.push(row);
        }
        let count = table.rows.len();
        let suitable = table.rows.iter().filter(|row| row[2] == "yes").count();
        report.outcomes.push(NamedResult {
            name: names.text(role).to_owned(),
            sizes: Sizes {
                stats: Stats::default().with(Stat::Tests, count),
                complete: true,
            },
            blocks: vec![
                Block::Evidence(Box::new(Evidence::Table(table))),
                Block::Line(format!("tests: {count}, suitable: {suitable}")),
            ],
            ..NamedResult::default()
        });
    }
}

/// The suite in the form that is saved.
fn save(made: &Made, path: &str, workspace: &Workspace<'_>) -> SavedSuite {
    let names = &workspace.terms.names;
    let text = |name| names.text(name).to_owned();
    SavedSuite {
        schema: SavedSuite::SCHEMA,
        model: path.to_owned(),
        machines: made
            .suite
            .machines
            .iter()
            .map(|machine| SavedMachine::of(machine, names))
            .collect(),
        tests: made
            .suite
            .tests
            .iter()
            .zip(&made.suitability)
            .map(|(test, answer)| SavedTest {
                name: test.name.clone(),
                role: text(test.under_test),
                about: test.about.clone(),
                suitable: match answer {
                    Compliance::Passes(_) => Some(true),
                    Compliance::Fails(_) => Some(false),
                    Compliance::Inconclusive(_) => None,
                },
                fairness: match made.fairness {
                    Fairness::None => None,
                    Fairness::Fair => Some("fair".to_owned()),
                },
                channels: match &made.watched {
                    Watched::All => None,
                    Watched::These(pairs) => {
                        let pairs = pairs.iter();
                        Some(pairs.map(|&(from, to)| (text(from), text(to))).collect())
                    }
                },
                machines: test
                    .machines
                    .iter()
                    .map(|player| SavedTestMachine {
                        machine: SavedMachine::of(&player.machine, names),
                        success: player
                            .success
                            .iter()
                            .map(|&state| player.machine.state_text(state, names))
                            .collect(),
                        decides: player.picks.clone(),
                    })
                    .collect(),
            })
            .collect(),
    }
}

/// `A/test_1/test_1.fsa` and `A/test_1/oracle.yaml`, for each test.
fn write_folders(made: &Made, workspace: &Workspace<'_>, files: &mut FileSet) {
    let names = &workspace.terms.names;
    let order: Vec<_> = made.suite.machines.iter().map(Cfsm::participant).collect();
    for test in &made.suite.tests {
        let number = test.name.rsplit('/').next().unwrap_or("test");
        let machines = with_component(test, &made.suite);
        files.add(
            &format!("{}/{number}.fsa", test.name),
            write_fsa(&machines, names),
        );
        files.add(
            &format!("{}/oracle.yaml", test.name),
            write_oracle(&test.machines, &order, &made.watched, names),
        );
    }
}

/// The machines of a test together with the model's own machine of the component, in the order of the model.
fn with_component(test: &TestCase, suite: &TestSuite) -> Vec<Cfsm> {
    let mut players = test.machines.iter();
    suite
        .machines
        .iter()
        .filter_map(|machine| match machine.participant() == test.under_test {
            true => Some(machine.clone()),
            false => players.next().map(|player| player.machine.clone()),
        })
        .collect()
}
