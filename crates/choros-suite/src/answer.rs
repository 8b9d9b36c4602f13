//! What is said about tests, of either kind.

use choros_base::{Choice, FileSet, Names};
use choros_data::Terms;
use choros_model::cfsm::{Cfsm, write_fsa};
use choros_report::answers::{
    Coverage, EdgeValues, MutantFate, MutatedRole, PathTest, PathTests, RoleTest, TestsOf, TreeSize,
};
use choros_symex::{CoverageCriterion, DerivedTests};
use choros_testgen::{
    JudgedMutant, MachineSuite, MutantResult, Operator, TestCase, TestSuite, write_oracle,
};

use crate::machines::is_suitable;

/// The tests of machines, component by component.
pub fn roles_of(made: &MachineSuite, names: &Names) -> Vec<TestsOf> {
    let judged = made.suite.tests.iter().zip(&made.suitability);
    let judged: Vec<_> = judged.collect();
    let roles = made.roles().into_iter().map(|role| {
        let own = judged.iter().filter(|(test, _)| test.under_test == role);
        let tests = own.map(|(test, answer)| RoleTest {
            name: test.name.clone(),
            decisions: test.picks_text(names),
            is_suitable: is_suitable(answer),
            about: test.about.clone(),
        });
        TestsOf::Machines {
            role: names.text(role).to_owned(),
            tests: tests.collect(),
            is_complete: made.is_complete,
        }
    });
    roles.collect()
}

/// The tests of a graph with data.
pub fn paths_of(
    derived: &DerivedTests,
    criterion: CoverageCriterion,
    is_concrete: bool,
    terms: &Terms,
) -> PathTests {
    let (tree, selection) = (&derived.tree, &derived.selection);
    let paths = selection.tests.iter().zip(&derived.suite.paths);
    let tests = paths.map(|(test, path)| PathTest {
        name: test.name.clone(),
        events: test.events(terms),
        // What the types of messages ask for is the same for every test, and long.
        condition: tree.decisions(test.end),
        run: test.trace(tree, true, terms),
        edges: path
            .edges
            .iter()
            .map(|edge| EdgeValues {
                condition: edge.condition,
                sent: edge.sent.iter().map(|it| it.text(terms)).collect(),
            })
            .collect(),
    });
    let sizes = tree.sizes();
    let mut ends = selection.tests.iter().map(|test| test.end);
    PathTests {
        name: derived.graph.name.clone(),
        tests: tests.collect(),
        is_concrete,
        tree: TreeSize {
            nodes: sizes.nodes,
            leaves: sizes.leaves,
            terminating: sizes.terminating,
            is_complete: tree.is_complete(),
        },
        covered: Coverage {
            what: match criterion {
                CoverageCriterion::Purpose => "acceptances",
                criterion => criterion.word(),
            },
            items: selection.items,
            infeasible: selection.infeasible,
            missing: selection
                .missing
                .iter()
                .map(|&it| derived.item_text(it))
                .collect(),
            places: derived.places(),
            growth: selection.growth.clone(),
        },
        are_types_left_out: ends.any(|end| tree.decisions(end) != tree.solved_condition(end)),
    }
}

/// What became of the mistakes in one component.
pub fn mutation_of(
    original: &Cfsm,
    judged: &[JudgedMutant],
    operators: &[Operator],
    least_score: Option<u32>,
    names: &Names,
) -> MutatedRole {
    let role = original.participant();
    let own = judged.iter().filter(|it| it.role == role);
    let mutants = own.map(|it| {
        let of = |operator: &Operator| *operator == it.mutant.operator;
        let kind = operators.iter().position(of).unwrap_or(0);
        let fate = match &it.fate {
            MutantResult::Killed { .. } => MutantFate::Killed,
            MutantResult::Equivalent => MutantFate::Equivalent,
            MutantResult::Survived(difference) => {
                MutantFate::Survived(difference.text(original, names))
            }
            MutantResult::Undecided(reason) => MutantFate::Undecided(reason.clone()),
        };
        (kind, it.mutant.name.clone(), fate)
    });
    MutatedRole {
        role: names.text(role).to_owned(),
        operators: operators.iter().map(|it| (it.code(), it.words())).collect(),
        mutants: mutants.collect(),
        least_score,
    }
}

/// `A/test_1/test_1.fsa` and `A/test_1/oracle.yaml`, for each test.
pub fn folders_of(made: &MachineSuite, names: &Names) -> FileSet {
    let mut files = FileSet::new();
    let order: Vec<_> = made.suite.machines.iter().map(Cfsm::participant).collect();
    for test in &made.suite.tests {
        let number = test.name.rsplit('/').next().unwrap_or("test");
        let machines = with_component(test, &made.suite);
        let text = write_fsa(&machines, names);
        files.add(&format!("{}/{number}.fsa", test.name), text);
        let oracle = write_oracle(&test.machines, &order, &made.watched, names);
        files.add(&format!("{}/oracle.yaml", test.name), oracle);
    }
    files
}

/// The machines of a test together with the model's own machine of the component, in the order of the model.
fn with_component(test: &TestCase, suite: &TestSuite) -> Vec<Cfsm> {
    let mut players = test.machines.iter();
    suite
        .machines
        .iter()
        .filter_map(|machine| {
            if machine.participant() == test.under_test {
                Some(machine.clone())
            } else {
                players.next().map(|player| player.machine.clone())
            }
        })
        .collect()
}
