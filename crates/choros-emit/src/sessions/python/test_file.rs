//! `test_<name>.py`: the tests.

use choros_base::Name;
use choros_testgen::TestMachine;

use crate::sessions::plan::{MachinePlan, Plan};
use crate::{Code, TargetLanguage};

/// An abstract test has its choices made, so that fewer runs see all of it than where they are drawn.
const FEWER_RUNS: u32 = 5;

pub(super) fn text(plan: &Plan<'_>, stem: &str) -> String {
    let drawn = |role: &Name| case(plan, "drawn", &plan.tests.undecided(*role));
    let made = |role: &Name| !plan.tests.tests_of(*role).is_empty();
    let parametrized = plan.tests.roles.iter().any(made);
    let cases = parametrized
        || plan
            .tests
            .roles
            .iter()
            .any(|it| !drawn(it).ends_with("{})"));
    let mut code = Code::new();
    code.line("\"\"\"Tests of the implementations, each against the machines of all the others.");
    code.blank();
    code.line("Generated, and generated again when the model changes.");
    code.line("\"\"\"");
    code.blank();
    if parametrized {
        code.line("import pytest");
    }
    code.line("from hypothesis import given");
    code.line("from hypothesis import strategies as st");
    code.blank();
    code.line(format!("import {stem}_implementations as implementations"));
    let mut ours = vec!["conform".to_owned()];
    if cases {
        ours.insert(0, "Case".to_owned());
    }
    super::import(&mut code, "choros_sessions.testing", &ours);
    code.line(format!("from {stem}_implementations import OPTIONS"));
    code.line(format!("from {stem}_machines import MODEL"));
    let tested = |role: &Name| plan.machine_of(*role);
    let sessions: Vec<String> = plan
        .tests
        .roles
        .iter()
        .filter_map(tested)
        .map(|it| it.session.clone())
        .collect();
    super::import(&mut code, &format!("{stem}_session_types"), &sessions);
    let classes: Vec<String> = plan
        .tests
        .roles
        .iter()
        .filter_map(tested)
        .map(|it| it.participant.clone())
        .collect();
    super::import(&mut code, &format!("{stem}_types"), &classes);
    for role in plan.tests.roles {
        if let Some(machine) = tested(role) {
            code.line("").line("");
            role_tests(plan, *role, machine, &mut code);
        }
    }
    code.finish()
}

fn role_tests(plan: &Plan<'_>, role: Name, machine: &MachinePlan<'_>, code: &mut Code) {
    let name = &machine.participant;
    let session = &machine.session;
    let call = format!("MODEL, {name}, {session}, implementations.play_{name}, OPTIONS");
    code.line("@OPTIONS.settings()");
    code.line("@given(data=st.data())");
    code.line(format!("def test_{name}(data: st.DataObject) -> None:"));
    code.indented(|code| {
        code.line("\"\"\"The others make their choices as they are drawn.\"\"\"");
        let drawn = case(plan, "drawn", &plan.tests.undecided(role));
        code.line(if drawn.ends_with("{})") {
            format!("conform(data, {call})")
        } else {
            format!("conform(data, {call}, {drawn})")
        });
    });
    let tests = plan.tests.tests_of(role);
    if tests.is_empty() {
        return;
    }
    code.line("").line("");
    code.block(&format!("{name}_CASES = ("), ")", |code| {
        for test in tests {
            let case = case(plan, &plan.tests.title(test), &test.machines);
            code.line(format!("{case},"));
        }
    });
    code.line("").line("");
    code.line(format!(
        "@pytest.mark.parametrize(\"case\", {name}_CASES, ids=str)"
    ));
    code.line(format!("@OPTIONS.settings({FEWER_RUNS})"));
    code.line("@given(data=st.data())");
    code.line(format!(
        "def test_{name}_with_choices_made(case: Case, data: st.DataObject) -> None:"
    ));
    code.indented(|code| {
        code.line("\"\"\"The others have made their choices before.\"\"\"");
        code.line(format!("conform(data, {call}, case)"));
    });
}

/// A test by the transitions it leaves out.
fn case(plan: &Plan<'_>, title: &str, players: &[TestMachine]) -> String {
    let names = plan.tests.names;
    let text = |name: &str| TargetLanguage::Python.text_literal(name);
    let mut without: Vec<String> = Vec::new();
    let mut success: Vec<String> = Vec::new();
    for played in players {
        let role = played.machine.participant();
        let Some(whole) = plan.machine_of(role) else {
            continue;
        };
        let key = text(names.text(role));
        let left_out: Vec<String> = whole
            .left_out(&played.machine, names)
            .iter()
            .map(|method| text(method))
            .collect();
        if !left_out.is_empty() {
            without.push(format!("{key}: frozenset({{{}}})", left_out.join(", ")));
        }
        if let Some(own) = whole.other_success(played, names) {
            let own: Vec<String> = own.iter().map(|state| text(state)).collect();
            let own = if own.is_empty() {
                "frozenset[str]()".to_owned()
            } else {
                format!("frozenset({{{}}})", own.join(", "))
            };
            success.push(format!("{key}: {own}"));
        }
    }
    let mut arguments = vec![text(title), format!("{{{}}}", without.join(", "))];
    if !success.is_empty() {
        arguments.push(format!("{{{}}}", success.join(", ")));
    }
    format!("Case({})", arguments.join(", "))
}
