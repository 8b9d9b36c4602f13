//! Is a recorded conversation judged again as it was?

use choros_data::Terms;
use choros_model::{Evidence, Judging, Observed};
use choros_report::{
    Answer, Block, NamedResult, Report, SavedReport, SavedResult, SavedSymbolicSuite, VerdictKind,
};
use choros_smt::{Solver, SolverError};
use choros_symex::Derived;
use choros_symex::driver::{
    Bounds, Conduct, Entry, Specification, TestOutcome, TestVerdict, ValueStrategy, is_same_reason,
    judge_again, judge_by_model,
};

use super::record::{read_conversation, saved_tempo, verdict};
use crate::diagnostics::drive_mapping;
use crate::verbs::symbolic::{SymbolicTesting, derive, model_of, restore, settings_of, testing_of};
use crate::{Request, Settings, Workspace};

/// Judges the conversations of a saved report of `drive` again: against its model, or another, without any service.
///
/// One outcome per test that was recorded, with the verdict that it gets now and whether that is the one it had.
pub fn judge(
    workspace: &mut Workspace<'_>,
    path: &str,
    saved: &SavedReport,
    model: Option<&Request>,
    settings: &Settings,
) -> Report {
    let mut report = Report {
        verb: "replay",
        semantics: settings.semantics(),
        deny_warnings: settings.deny_warnings,
        ..Report::default()
    };
    report.semantics.relation = Some("recorded conversations against all branches".to_owned());
    let Some(driving) = &saved.driving else {
        let reason =
            "it holds no conversations with a service; `choros drive --format json` writes them";
        report
            .diagnostics
            .push(drive_mapping::diagnostic(path, reason));
        return report;
    };
    let saved_suite = &driving.suite;
    let mut testing = testing_of(saved_suite);
    testing.play_all = driving.mock_partners;
    let settings = &settings_of(saved_suite, settings);
    let Some(derived) = paths(
        workspace,
        saved_suite,
        model,
        &testing,
        settings,
        &mut report,
    ) else {
        return report;
    };
    let view = derived.orchestration.view();
    let mut solver = settings.solver();
    let judge = Judge {
        derived: &derived,
        specification: Specification {
            stg: &derived.orchestration.stg,
            interface: &derived.orchestration.interface,
            view: &view,
            tempo: saved_tempo(driving.tempo),
            bounds: Bounds::default(),
        },
        conduct: Conduct {
            is_adaptive: driving.adaptive,
            on_timeout: verdict(&driving.timeout_verdict),
            strategy: ValueStrategy::Any,
        },
    };
    for result in &saved.results {
        if settings.is_cancelled() {
            report.interrupted = true;
            break;
        }
        match judge.result(result, workspace, &mut solver) {
            Ok(Some(told)) => report.outcomes.push(told),
            Ok(None) => {
                let note = format!("{} has no record", result.name);
                report.semantics.notes.push(note);
            }
            Err(error) => {
                report.world_failed = Some(error.to_string());
                break;
            }
        }
    }
    settings.name_solver(&solver, &mut report.semantics);
    report
}

/// The paths of the record, or those of another model, or of the same that has changed: what was recorded may follow one
/// of them.
fn paths(
    workspace: &mut Workspace<'_>,
    saved: &SavedSymbolicSuite,
    model: Option<&Request>,
    testing: &SymbolicTesting,
    settings: &Settings,
    report: &mut Report,
) -> Option<Derived> {
    if let Some(model) = model {
        return derive(workspace, model, testing, settings, report);
    }
    match restore(workspace, saved, testing, settings, report)? {
        Ok(derived) => Some(derived),
        Err(reason) => {
            let note = format!("judged by the model as it is now: {reason}");
            report.semantics.notes.push(note);
            derive(workspace, &model_of(saved), testing, settings, report)
        }
    }
}

struct Judge<'j> {
    derived: &'j Derived,
    specification: Specification<'j>,
    conduct: Conduct,
}

impl Judge<'_> {
    fn result(
        &self,
        result: &SavedResult,
        workspace: &mut Workspace<'_>,
        solver: &mut dyn Solver,
    ) -> Result<Option<NamedResult>, SolverError> {
        let Some(conversation) = &result.conversation else {
            return Ok(None);
        };
        let before = verdict(result.verdict.as_deref().unwrap_or_default());
        let orchestration = &self.derived.orchestration;
        let log = match read_conversation(conversation, orchestration, &mut workspace.terms) {
            Ok(log) => log,
            Err(reason) => {
                let reason = format!("a recorded message does not fit the model: {reason}");
                return Ok(Some(told(
                    result,
                    VerdictKind::Unknown,
                    Some(reason),
                    None,
                    &workspace.terms,
                )));
            }
        };
        let terms = &mut workspace.terms;
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
            let mut told = told(result, word, reason, None, terms);
            let line = format!("judged again: {was}, as recorded");
            told.blocks.push(Block::Line(line));
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
        let mut told = told(result, word, reason, evidence, terms);
        told.blocks = lines.into_iter().map(Block::Line).collect();
        Ok(Some(told))
    }
}

impl Judge<'_> {
    /// What the model says of a conversation that does not follow its path: it may follow another.
    fn otherwise(
        &self,
        log: &[Entry],
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
    terms: &Terms,
) -> NamedResult {
    let observed = match word {
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
    NamedResult {
        name: result.name.clone(),
        answer: Some(Answer::observed(&observed, terms)),
        ..NamedResult::default()
    }
}
