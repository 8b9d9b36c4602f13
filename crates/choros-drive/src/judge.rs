//! Is a recorded conversation judged again as it was?

use std::sync::atomic::{AtomicBool, Ordering};

use choros_data::Terms;
use choros_model::{Evidence, Judging, Observed};
use choros_report::answers::{RejudgedTest, Rejudgement, RunNotes};
use choros_report::{SavedDriving, SavedReport, SavedResult, VerdictKind};
use choros_smt::{Solver, SolverError};
use choros_suite::{read_conversation, read_timing, read_verdict};
use choros_symex::DerivedTests;
use choros_symex::driver::{
    ConversationEntry, ConversationRules, SearchBounds, Specification, TestOutcome, TestVerdict,
    ValueStrategy, is_same_reason, judge_again, judge_by_model,
};

/// Judges the conversations of a saved report again, against the tests of its model or of another.
///
/// One answer per test that was recorded, with the verdict that it gets now and whether that is the one it had.
pub fn judge(
    derived: &DerivedTests,
    (saved, driving): (&SavedReport, &SavedDriving),
    cancel: &AtomicBool,
    run: &mut RunNotes,
    solver: &mut dyn Solver,
    terms: &mut Terms,
) -> Rejudgement {
    let view = derived.orchestration.view();
    let judge = Judge {
        derived,
        specification: Specification {
            stg: &derived.orchestration.stg,
            interface: &derived.orchestration.interface,
            view: &view,
            tempo: read_timing(driving.tempo),
            bounds: SearchBounds::default(),
        },
        conduct: ConversationRules {
            is_adaptive: driving.adaptive,
            on_timeout: read_verdict(&driving.timeout_verdict),
            strategy: ValueStrategy::Any,
        },
    };
    let mut judged = Rejudgement::default();
    for result in &saved.results {
        if cancel.load(Ordering::Relaxed) {
            run.interrupted = true;
            break;
        }
        match judge.result(result, terms, solver) {
            Ok(Some(test)) => judged.tests.push(test),
            Ok(None) => {
                let note = format!("{} has no record", result.name);
                run.semantics.notes.push(note);
            }
            Err(error) => {
                judged.broken = Some(error.to_string());
                break;
            }
        }
    }
    judged
}

struct Judge<'j> {
    derived: &'j DerivedTests,
    specification: Specification<'j>,
    conduct: ConversationRules,
}

impl Judge<'_> {
    fn result(
        &self,
        result: &SavedResult,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Option<RejudgedTest>, SolverError> {
        let Some(conversation) = &result.conversation else {
            return Ok(None);
        };
        let before = read_verdict(result.verdict.as_deref().unwrap_or_default());
        let orchestration = &self.derived.orchestration;
        let log = match read_conversation(conversation, orchestration, terms) {
            Ok(log) => log,
            Err(reason) => {
                let reason = format!("a recorded message does not fit the model: {reason}");
                return Ok(Some(told(result, VerdictKind::Unknown, Some(reason), None)));
            }
        };
        let paths = &self.derived.suite.paths;
        let number = paths.iter().position(|path| path.name == result.name);
        let mut now: Option<TestOutcome> = None;
        if let Some(number) = number {
            let (specification, conduct) = (self.specification, self.conduct);
            now = judge_again(specification, paths, number, conduct, &log, terms, solver)?;
        }
        // A path that is not followed any more hides what the model says against the conversation.
        let is_hidden = now
            .as_ref()
            .is_none_or(|now| now.verdict == TestVerdict::Inconclusive && now.verdict != before);
        if is_hidden {
            now = Some(self.otherwise(&log, terms, solver)?);
        }
        let Some(now) = now else {
            return Ok(None);
        };
        let word = match now.verdict {
            TestVerdict::Pass => VerdictKind::Holds,
            TestVerdict::Fail => VerdictKind::Fails,
            TestVerdict::Inconclusive => VerdictKind::Unknown,
        };
        let reason = (word == VerdictKind::Unknown).then(|| now.reason.clone());
        let was = result.verdict.as_deref().unwrap_or("nothing");
        if now.verdict == before && is_same_reason(&now.reason, &conversation.why) {
            // The evidence is that of the report.
            let mut told = told(result, word, reason, None);
            told.lines = vec![format!("judged again: {was}, as recorded")];
            return Ok(Some(told));
        }
        let mut lines = vec![format!(
            "judged again: {}, recorded as {was}: {}",
            word.text(),
            conversation.why
        )];
        if word == VerdictKind::Fails {
            lines.push(now.reason.clone());
            let allowed = now.expected.iter();
            lines.extend(allowed.map(|expected| format!("allowed: {expected}")));
        }
        if now.verdict == TestVerdict::Pass && Some(now.path) != number {
            let other = &paths[now.path].name;
            lines.push(format!("it follows the path of {other} now"));
        }
        let trace = now.trace(self.specification.view.service, terms);
        let evidence = Some(Evidence::Trace(trace));
        Ok(Some(RejudgedTest {
            lines,
            ..told(result, word, reason, evidence)
        }))
    }

    /// What the model says of a conversation that does not follow its path: it may follow another.
    fn otherwise(
        &self,
        log: &[ConversationEntry],
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<TestOutcome, SolverError> {
        let (specification, conduct) = (self.specification, self.conduct);
        let free = judge_by_model(specification, conduct, log, terms, solver)?;
        if free.verdict != TestVerdict::Pass {
            return Ok(free);
        }
        let paths = &self.derived.suite.paths;
        for number in 0..paths.len() {
            let along = judge_again(specification, paths, number, conduct, log, terms, solver)?;
            if let Some(along) = along.filter(|it| it.verdict == TestVerdict::Pass) {
                return Ok(along);
            }
        }
        Ok(TestOutcome {
            verdict: TestVerdict::Inconclusive,
            reason: "the model allows all of it, but no path is followed to its end".to_owned(),
            ..free
        })
    }
}

fn told(
    result: &SavedResult,
    word: VerdictKind,
    reason: Option<String>,
    evidence: Option<Evidence>,
) -> RejudgedTest {
    let verdict = match word {
        VerdictKind::Holds => {
            let events = result.conversation.iter().flat_map(|it| &it.events);
            Observed::holds(
                Judging::of(events),
                evidence,
                "nothing was recorded in this test",
            )
        }
        VerdictKind::Fails => Observed::Fails { evidence },
        VerdictKind::Conditional | VerdictKind::Unknown => {
            Observed::unknown(reason.unwrap_or_default(), evidence)
        }
    };
    RejudgedTest {
        name: result.name.clone(),
        verdict,
        lines: Vec::new(),
    }
}
