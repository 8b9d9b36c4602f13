//! What a run says.

use std::collections::{BTreeMap, BTreeSet};

use choros_data::{Notation, Terms};
use choros_model::interface::not_followed;
use choros_model::stg::Role;
use choros_model::{Evidence, Judging, Observed};
use choros_report::answers::DrivenTest;
use choros_suite::save_conversation;
use choros_symex::driver::TestVerdict;

use crate::{RunContext, TestResult};

/// The tests in order, and notes on how much of the model was seen.
pub(crate) fn tell(
    run: &RunContext<'_>,
    results: BTreeMap<usize, TestResult>,
    terms: &Terms,
) -> (Vec<DrivenTest>, Vec<String>) {
    let mut covered = BTreeSet::new();
    let mut messages = 0;
    let mut tests = Vec::new();
    for (_, mut tested) in results {
        covered.extend(tested.done.covered.iter().copied());
        messages += tested.messages;
        let mut test = match tested.told.take() {
            Some(told) => *told,
            None => driven_test(tested, run.view.service, terms),
        };
        let interface = &run.derived.orchestration.interface;
        let depends = match test.verdict {
            // What the model leaves open, no answer can break.
            Observed::Holds { .. } => true,
            Observed::Fails { .. } => interface.misread,
            _ => false,
        };
        if let (true, [first, rest @ ..]) = (depends, &interface.unfollowed[..]) {
            test.reason = not_followed(first, rest.len());
            test.verdict = Observed::unknown(test.reason.clone(), None);
        }
        if let (Observed::Fails { .. }, [first, rest @ ..]) =
            (&test.verdict, &interface.transports[..])
        {
            test.reason = not_followed(first, rest.len());
            test.verdict = Observed::unknown(test.reason.clone(), None);
        }
        tests.push(test);
    }
    let all = match &run.again {
        Some(again) => again.len(),
        None => run.derived.suite.paths.len(),
    };
    let left = all.saturating_sub(tests.len());
    let mut notes = Vec::new();
    if left > 0 {
        notes.push(format!("{left} of {all} tests were not run"));
    }
    let has_failed = |test: &DrivenTest| matches!(test.verdict, Observed::Fails { .. });
    let counted = if tests.iter().any(has_failed) {
        "the runs that did not fail"
    } else {
        "the runs"
    };
    notes.push(coverage(run, counted, &covered, terms));
    notes.push(format!("{messages} messages were exchanged"));
    (tests, notes)
}

pub(crate) fn driven_test(tested: TestResult, service: Role, terms: &Terms) -> DrivenTest {
    let decided = tested.outcome.as_ref();
    let mut trace = decided.map(|it| it.trace(service, terms));
    if let Some(trace) = &mut trace
        && tested.done.verdict == TestVerdict::Pass
    {
        trace.conclusion = "the whole path was followed".to_owned();
    }
    let evidence = trace.map(Evidence::Trace);
    let verdict = match tested.done.verdict {
        // A test of a run before was run, which is all that its record says.
        TestVerdict::Pass => {
            let judging = match decided {
                Some(outcome) => Judging::of(outcome.judged()),
                None => Judging::of([&tested.done]),
            };
            Observed::holds(judging, evidence, "nothing was said in this test")
        }
        TestVerdict::Fail => Observed::Fails { evidence },
        TestVerdict::Inconclusive => Observed::unknown(tested.done.reason.clone(), evidence),
    };
    DrivenTest {
        name: tested.done.test,
        verdict,
        reason: tested.done.reason,
        allowed: decided
            .map(|it| it.expected.iter().map(ToString::to_string).collect())
            .unwrap_or_default(),
        remarks: tested.remarks,
        conversation: decided.map(|it| Box::new(save_conversation(it, terms))),
    }
}

/// How many transitions of the model the runs took, and the first few that none took.
fn coverage(run: &RunContext<'_>, counted: &str, covered: &BTreeSet<u32>, terms: &Terms) -> String {
    let stg = &run.derived.orchestration.stg;
    let total = stg.edges().len();
    let missing: Vec<String> = stg
        .edges()
        .iter()
        .enumerate()
        .filter(|(index, _)| !covered.contains(&(*index as u32)))
        .map(|(_, edge)| match terms.notation {
            Notation::Native => format!("`{}`", edge.shown(terms)),
            Notation::Calculus => format!(
                "{} -> {}",
                stg.node(edge.source).label,
                stg.node(edge.target).label
            ),
        })
        .collect();
    let mut text = format!(
        "{counted} took {} of {total} transitions of the model",
        total - missing.len()
    );
    if !missing.is_empty() {
        let shown: Vec<&str> = missing.iter().take(5).map(String::as_str).collect();
        let more = if missing.len() > 5 { ", …" } else { "" };
        text.push_str(&format!("; none took {}{more}", shown.join(", ")));
    }
    text
}
