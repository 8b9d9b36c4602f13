//! `tests.rs`: the tests.

use choros_base::Name;
use choros_testgen::TestMachine;

use crate::sessions::plan::{MachinePlan, Plan};
use crate::{Code, Identifiers, NamingCase, TargetLanguage};

/// An abstract test has its choices made, so that fewer runs see all of it than where they are drawn.
const FEWER_RUNS: u32 = 5;

pub(super) fn text(plan: &Plan<'_>) -> String {
    let mut code = Code::new();
    code.line("//! Tests of the implementations, each against the machines of all the others.");
    code.line("//!");
    code.line(
        "//! What they covered of the model is printed: `cargo test -- --nocapture` shows it.",
    );
    code.line("//!");
    code.line("//! Generated, and generated again when the model changes.");
    code.blank();
    code.lines(PREAMBLE);
    for role in plan.tests.roles {
        if let Some(machine) = plan.machine_of(*role) {
            code.blank();
            role_tests(plan, *role, machine, &mut code);
        }
    }
    code.finish()
}

const PREAMBLE: &str = r#"use std::cell::RefCell;
use std::future::Future;
use std::rc::Rc;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};

use crate::implementations::{self, options};
use crate::protocol::{Participant, Payloads, MODEL};
use crate::runtime::{drive, Case, Coverage, Drawn, Ended, Network, SessionError};
use crate::session_types::*;

/// Draws runs, and panics with the smallest that fails.
fn conform<F: Future<Output = Result<(), SessionError>> + 'static>(
    name: &str,
    under_test: Participant,
    implementation: impl Fn(Rc<Network>) -> F,
    case: Option<&Case>,
    fewer: u32,
) {
    let options = options();
    let config = Config {
        cases: (options.cases / fewer).max(1),
        source_file: Some(file!()),
        test_name: Some("conform"),
        ..Config::default()
    };
    let coverage = RefCell::new(Coverage::default());
    let schedules = prop::collection::vec(any::<u16>(), 0..options.max_steps);
    let runs = (schedules, Payloads::drawn())
        .prop_map(|(schedule, payloads)| Drawn { schedule, payloads });
    let result = TestRunner::new(config).run(&runs, |drawn| {
        match drive(&MODEL, under_test, &implementation, &drawn, case, &options, &coverage) {
            Ok(Ended::Well) => Ok(()),
            Ok(Ended::TooLong) => Err(TestCaseError::reject("too many steps")),
            Err(reason) => Err(TestCaseError::fail(reason)),
        }
    });
    println!("{name}: {}", coverage.borrow().report(&MODEL));
    match result {
        Ok(()) => {}
        Err(TestError::Fail(reason, drawn)) => {
            panic!("{}\n  smallest schedule: {:?}", reason.message(), drawn.schedule)
        }
        Err(TestError::Abort(reason)) => panic!("{}", reason.message()),
    }
}
"#;

fn role_tests(plan: &Plan<'_>, role: Name, machine: &MachinePlan<'_>, code: &mut Code) {
    let participant = &machine.participant;
    let snake = Identifiers::new(TargetLanguage::Rust).name(NamingCase::Snake, participant);
    let function = super::function(plan, participant);
    let test = function.replacen("play", "test", 1);
    let call = |name: &str, case: &str, fewer: u32| {
        format!(
            "conform({}, Participant::{participant}, |it| implementations::{function}({}::on(it)), {case}, {fewer});",
            TargetLanguage::Rust.text_literal(name),
            machine.session
        )
    };
    code.line("/// The others make their choices as they are drawn.");
    code.line("#[test]");
    code.block(&format!("fn {test}() {{"), "}", |code| {
        let drawn = case(plan, "drawn", &plan.tests.undecided(role));
        if drawn.ends_with("without: &[], success: &[] }") {
            code.line(call(&snake, "None", 1));
        } else {
            code.line(format!("let case = {drawn};"));
            code.line(call(&snake, "Some(&case)", 1));
        }
    });
    for (number, one) in plan.tests.tests_of(role).into_iter().enumerate() {
        let title = plan.tests.title(one);
        code.blank();
        code.line(TargetLanguage::Rust.comment(&title));
        code.line("#[test]");
        code.block(
            &format!("fn {test}_case_{}() {{", number + 1),
            "}",
            |code| {
                code.line(format!("let case = {};", case(plan, &title, &one.machines)));
                code.line(call(&format!("{snake} {title}"), "Some(&case)", FEWER_RUNS));
            },
        );
    }
}

/// A test by the transitions it leaves out.
fn case(plan: &Plan<'_>, title: &str, players: &[TestMachine]) -> String {
    let names = plan.tests.names;
    let mut without = Vec::new();
    let mut success = Vec::new();
    for played in players {
        let Some(whole) = plan.machine_of(played.machine.participant()) else {
            continue;
        };
        let left_out = whole.left_out(&played.machine, names);
        for (at, transition) in whole.transitions.iter().enumerate() {
            if left_out.contains(&transition.method.as_str()) {
                without.push(format!("(Participant::{}, {at})", whole.participant));
            }
        }
        if let Some(own) = whole.other_success(played, names) {
            let own: Vec<String> = own
                .iter()
                .map(|state| TargetLanguage::Rust.text_literal(state))
                .collect();
            success.push(format!(
                "(Participant::{}, &[{}] as &[&str])",
                whole.participant,
                own.join(", ")
            ));
        }
    }
    format!(
        "Case {{ name: {}, without: &[{}], success: &[{}] }}",
        TargetLanguage::Rust.text_literal(title),
        without.join(", "),
        success.join(", ")
    )
}
