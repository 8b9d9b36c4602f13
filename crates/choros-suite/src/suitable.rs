//! Is every test one, and does the model itself pass it?

use choros_base::{Budget, Diagnostic};
use choros_data::Terms;
use choros_model::cfsm::Discipline;
use choros_model::{Help, Unknown};
use choros_report::unknown_text;
use choros_testgen::diagnostics::{no_test_case, unsuitable_test};
use choros_testgen::{Compliance, Fairness, MachineSuite, breaches, comply};

/// More complaints about tests tell nothing new.
const MAX_COMPLAINTS: usize = 5;

/// Checks that every test is one (Definition 3.5) and that the model itself passes it (Definition 3.7).
///
/// Returns complaints, and how many more there are; `go_on` is told what is asked, and ends the work with *no*.
pub fn judge_suite(
    made: &mut MachineSuite,
    discipline: Discipline,
    terms: &Terms,
    budget: &dyn Fn() -> Budget,
    go_on: &dyn Fn(String) -> bool,
) -> (Vec<Diagnostic>, usize) {
    let mut findings = Vec::new();
    let mut complaints = 0;
    for test in &made.suite.tests {
        let Some(own) = made.suite.machine(test.under_test) else {
            continue;
        };
        let name = &test.name;
        if !go_on(format!("is `{name}` suitable?")) {
            made.suitability.push(stopped());
            made.is_complete = false;
            continue;
        }
        if made.fairness == Fairness::None
            && let Some(breach) = breaches(test.under_test, &test.machines).first()
        {
            let text = breach.text(&test.machines, &terms.names);
            findings.push(no_test_case::diagnostic(name, &text));
        }
        let (watched, fairness) = (&made.watched, made.fairness);
        let answer = comply(own, test, discipline, watched, fairness, terms, &budget());
        let finding = match &answer {
            Compliance::Passes(_) => None,
            Compliance::Fails(failure) => {
                let role = terms.names.text(test.under_test);
                let reason = &failure.run.conclusion;
                Some(unsuitable_test::diagnostic(name, role, reason))
            }
            Compliance::Inconclusive(unknown) => {
                Some(unsuitable_test::undecided(name, &unknown_text(unknown)))
            }
        };
        complaints += usize::from(finding.is_some());
        if complaints <= MAX_COMPLAINTS {
            findings.extend(finding);
        }
        made.suitability.push(answer);
    }
    (findings, complaints.saturating_sub(MAX_COMPLAINTS))
}

/// Of a test about which nothing more is asked.
fn stopped() -> Compliance {
    Compliance::Inconclusive(Unknown {
        reason: "the run was stopped".to_owned(),
        help: Help::Other,
        evidence: None,
    })
}
