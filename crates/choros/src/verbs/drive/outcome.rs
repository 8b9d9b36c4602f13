//! What a run says.

use std::collections::{BTreeMap, BTreeSet};

use choros_data::Terms;
use choros_drive::{Run, Tested};
use choros_model::stg::Role;
use choros_model::{Evidence, Judging, Observed};
use choros_report::{Answer, Block, Outcome, Report, Sizes, Stat, Stats};
use choros_symex::driver::TestVerdict;

use super::record::save_conversation;

/// One outcome per test, in order, and how much of the model was seen.
pub(super) fn tell(
    run: &Run<'_>,
    results: BTreeMap<usize, Tested>,
    terms: &Terms,
    report: &mut Report,
) {
    let mut covered = BTreeSet::new();
    let mut messages = 0;
    let count = results.len();
    for (_, tested) in results {
        covered.extend(tested.done.covered.iter().copied());
        messages += tested.messages;
        report
            .outcomes
            .push(outcome(tested, run.view.service, terms));
    }
    let all = match &run.again {
        Some(again) => again.len(),
        None => run.derived.suite.paths.len(),
    };
    let left = all.saturating_sub(count);
    if left > 0 {
        let note = format!("{left} of {all} tests were not run");
        report.semantics.notes.push(note);
    }
    report.semantics.notes.push(coverage(run, &covered));
    report
        .semantics
        .notes
        .push(format!("{messages} messages were exchanged"));
}

fn outcome(tested: Tested, service: Role, terms: &Terms) -> Outcome {
    let verdict = tested.done.verdict;
    let mut blocks: Vec<Block> = Vec::new();
    let decided = tested.outcome.as_ref();
    let mut evidence = decided.map(|it| it.trace(service, terms));
    if verdict == TestVerdict::Fail {
        blocks.push(Block::Line(tested.done.reason.clone()));
        for expected in decided.iter().flat_map(|it| &it.expected) {
            blocks.push(Block::Line(format!("allowed: {expected}")));
        }
    }
    for remark in &tested.remarks {
        blocks.push(Block::Line(remark.clone()));
    }
    if let Some(trace) = &mut evidence
        && verdict == TestVerdict::Pass
    {
        trace.conclusion = "the whole path was followed".to_owned();
    }
    let evidence = evidence.map(Evidence::Trace);
    let observed = match verdict {
        // A test of a run before was run, which is all that its record says.
        TestVerdict::Pass => {
            let judging = match decided {
                Some(outcome) => Judging::of(&outcome.log),
                None => Judging::of([&tested.done]),
            };
            Observed::holds(judging, evidence, "nothing was said in this test")
        }
        TestVerdict::Fail => Observed::Fails { evidence },
        TestVerdict::Inconclusive => Observed::unknown(tested.done.reason.clone(), evidence),
    };
    let stat = match verdict {
        TestVerdict::Pass => Stat::Pass,
        TestVerdict::Fail => Stat::Fail,
        TestVerdict::Inconclusive => Stat::Inconclusive,
    };
    Outcome {
        name: tested.done.test,
        answer: Some(Answer::observed(&observed, terms)),
        sizes: Sizes {
            stats: Stats::default().with(stat, 1),
            complete: true,
        },
        blocks,
        conversation: decided.map(|it| Box::new(save_conversation(it, terms))),
        ..Outcome::default()
    }
}

/// How many transitions of the model the runs took, and the first few that none took.
fn coverage(run: &Run<'_>, covered: &BTreeSet<u32>) -> String {
    let stg = &run.derived.orchestration.stg;
    let total = stg.edges().len();
    let missing: Vec<String> = stg
        .edges()
        .iter()
        .enumerate()
        .filter(|(index, _)| !covered.contains(&(*index as u32)))
        .map(|(_, edge)| {
            format!(
                "{} -> {}",
                stg.node(edge.source).label,
                stg.node(edge.target).label
            )
        })
        .collect();
    let mut text = format!(
        "the runs took {} of {total} transitions of the model",
        total - missing.len()
    );
    if !missing.is_empty() {
        let shown: Vec<&str> = missing.iter().take(5).map(String::as_str).collect();
        let more = if missing.len() > 5 { ", …" } else { "" };
        text.push_str(&format!("; none took {}{more}", shown.join(", ")));
    }
    text
}
