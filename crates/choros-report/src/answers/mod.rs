//! What verbs answer, as types, and how each answer is presented: one module per answer.

mod audit;
mod binding_proposal;
mod capture;
mod certification;
mod command;
mod compliance;
mod conformance;
mod counted;
mod drawn;
mod driving;
mod explanation;
mod exploration;
mod feeding;
mod formatting;
mod import;
mod machine_study;
mod monitoring;
mod mutation;
mod parts;
mod project;
mod projections;
mod realizability;
mod rejudgement;
mod sessions;
mod silence;
mod solution;
mod soundness;
mod survival;
mod tests;
mod verdicts;
mod verification;
mod walked;

use choros_base::{Diagnostic, has_errors};
use choros_data::Terms;

use crate::{Answer, NamedResult, Overview, Rejection, Report, Semantics, Sizes, VerdictKind};

pub use audit::{Audit, AuditedPart, FieldPresence};
pub use binding_proposal::BindingProposal;
pub use capture::CaptureAnswer;
pub use certification::Certification;
pub use command::{CommandAnswer, CommandOutput};
pub use compliance::{ComplianceOfTests, TestRun};
pub use conformance::Conformance;
pub use drawn::Drawn;
pub use driving::{DrivenTest, Driving};
pub use explanation::Explanation;
pub use exploration::{Deadlock, Exploration};
pub use feeding::FeedAnswer;
pub use formatting::{Formatting, FormattingResult};
pub use import::Importing;
pub use machine_study::MachineStudy;
pub use monitoring::{Monitoring, PropertyForm, PropertyVerdict, Records, WindowCounts};
pub use mutation::{MutantFate, MutatedRole, Mutation, Score};
pub use parts::Parts;
pub use project::{ItemAnswer, ProjectAnswers, ProjectItem};
pub use projections::{ProjectedRole, Projections, RoleBehaviour, Skeleton, file_blocks};
pub use realizability::{GchorRealizability, GraphRealizability, Realizability, unsequenced_note};
pub use rejudgement::{RejudgedTest, Rejudgement};
pub use sessions::{one_disturbed, one_is_like_all, one_role_keeps, one_stands, together};
pub use silence::Silence;
pub use solution::{Solution, SolvedVariable};
pub use soundness::{Soundness, SoundnessKind};
pub use survival::Survived;
pub use tests::{
    Coverage, EdgeValues, PathTest, PathTests, RoleTest, TestFiles, Tests, TestsOf, TreeSize,
};
pub use verification::{AnsweredQuestion, Verification};
pub use walked::{RunTests, WalkAnswer};

/// An answer together with what is worth knowing about the run that found it.
#[derive(Debug, Clone)]
pub struct Answered<T> {
    /// The answer, or why there is none.
    pub answer: Result<T, Stop>,
    /// What was found on the way.
    pub run: RunNotes,
}

/// What a run leaves beside its answer.
#[derive(Debug, Clone, Default)]
pub struct RunNotes {
    /// What was found wrong with the input, or worth knowing about it.
    pub findings: Vec<Diagnostic>,
    /// Under which rules the answer holds.
    pub semantics: Semantics,
    /// Whether the models that were opened exchange messages.
    pub silence: Silence,
    /// Warnings count as errors.
    pub deny_warnings: bool,
    /// Someone stopped it.
    pub interrupted: bool,
}

/// Why a verb has no answer.
#[derive(Debug, Clone)]
pub enum Stop {
    /// The input has mistakes: the findings of the run name them.
    Mistakes,
    /// The question was not taken.
    Rejected {
        /// What it is about.
        name: String,
        /// Why.
        rejection: Rejection,
    },
    /// A bound or the user ended the run before the question could be asked.
    Cut {
        /// What was being built.
        name: String,
        /// Why, and what would help.
        reason: String,
    },
    /// It was asked and not settled, and no bound is the reason.
    Unsettled {
        /// What it is about.
        name: String,
        /// Why.
        reason: String,
    },
    /// It was cut before it could be shown, and nothing was asked that could be unknown.
    NotShown {
        /// What it is about.
        name: String,
    },
    /// The world refused: no solver, no disk.
    World(String),
}

/// An answer that a report can show.
pub trait Present {
    /// The verb that gives it.
    const VERB: &'static str;

    /// What the table of sizes says beside them.
    fn overview() -> Overview {
        Overview::default()
    }

    /// Whether it shows something that a model without messages does not have.
    fn is_made_of_messages(&self) -> bool {
        false
    }

    /// Takes back every *holds* of the names that are about nothing.
    fn doubt(&mut self, _is_about_nothing: &dyn Fn(&str) -> bool) {}

    /// The answer, one outcome per question.
    fn outcomes(self, terms: &Terms) -> Vec<NamedResult>;

    /// Puts the answer into a report, with what concerns the whole.
    fn show(self, terms: &Terms, report: &mut Report)
    where
        Self: Sized,
    {
        report.outcomes.append(&mut self.outcomes(terms));
    }
}

impl<T: Present> Answered<T> {
    /// The report of the run.
    pub fn report(self, terms: &Terms) -> Report {
        let silence = self.run.silence.clone();
        let mut report = self.run.report(T::VERB);
        report.overview = T::overview();
        match self.answer {
            Ok(answer) => answer.show(terms, &mut report),
            Err(stop) => stop.show(&mut report),
        }
        if !has_errors(&report.diagnostics) {
            silence.settle(&mut report.outcomes);
        }
        report
    }
}

impl RunNotes {
    /// A report without an answer.
    pub fn report(self, verb: &'static str) -> Report {
        Report {
            verb,
            diagnostics: self.findings,
            semantics: self.semantics,
            deny_warnings: self.deny_warnings,
            interrupted: self.interrupted,
            ..Report::default()
        }
    }

    /// Adds what is wrong with the input, for which there is no answer.
    pub fn mistake(&mut self, finding: Diagnostic) -> Stop {
        self.findings.push(finding);
        Stop::Mistakes
    }

    /// Adds a remark, once.
    pub fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.semantics.notes.contains(&note) {
            self.semantics.notes.push(note);
        }
    }
}

impl Stop {
    /// The same about something that is called otherwise.
    pub fn about(mut self, new: String) -> Stop {
        match &mut self {
            Stop::Rejected { name, .. }
            | Stop::Cut { name, .. }
            | Stop::Unsettled { name, .. }
            | Stop::NotShown { name } => *name = new,
            Stop::Mistakes | Stop::World(_) => {}
        }
        self
    }

    /// The same where nothing was asked that could be unknown: what was cut is only not shown.
    pub fn without_question(self) -> Stop {
        match self {
            Stop::Cut { name, .. } => Stop::NotShown { name },
            other => other,
        }
    }

    /// Puts it into a report.
    pub fn show(self, report: &mut Report) {
        match self {
            Stop::Mistakes => {}
            Stop::World(reason) => report.world_failed = Some(reason),
            Stop::Rejected { name, rejection } => report.outcomes.push(NamedResult {
                name,
                rejected: Some(rejection),
                ..NamedResult::default()
            }),
            Stop::NotShown { name } => report.outcomes.push(NamedResult {
                name,
                sizes: Sizes::cut(),
                ..NamedResult::default()
            }),
            Stop::Cut { name, reason } => report.outcomes.push(NamedResult {
                sizes: Sizes::cut(),
                ..unknown(name, reason)
            }),
            Stop::Unsettled { name, reason } => report.outcomes.push(unknown(name, reason)),
        }
    }
}

fn unknown(name: String, reason: String) -> NamedResult {
    NamedResult {
        name,
        answer: Some(Answer {
            word: VerdictKind::Unknown,
            condition: None,
            reason: Some(reason),
            evidence: None,
        }),
        ..NamedResult::default()
    }
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stop::Mistakes => f.write_str("the input has mistakes"),
            Stop::Rejected { rejection, .. } => f.write_str(&rejection.message),
            Stop::Cut { name, reason } | Stop::Unsettled { name, reason } => {
                write!(f, "`{name}`: {reason}")
            }
            Stop::NotShown { name } => write!(f, "`{name}` was not answered"),
            Stop::World(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Stop {}
