//! The answer of one run of one verb.

use std::collections::BTreeMap;

use choros_base::{Diagnostic, Severity};
use choros_data::Terms;
use choros_model::diagram::Diagram;
use choros_model::walk::Walk;
use choros_model::{Evidence, Observed, Verdict};

use crate::answers::FaultRow;
use crate::{
    Blame, GraphDrawing, MachineSafety, Plot, Realization, SavedConversation, SavedDriving, Stats,
    StuckPlace, VerdictKind, unknown_text,
};

/// Everything a run has to say.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// What was asked, as the command line calls it.
    pub verb: &'static str,
    /// One per question of the run, in the order asked.
    pub outcomes: Vec<NamedResult>,
    /// What was found wrong with the input, or worth knowing about it.
    pub diagnostics: Vec<Diagnostic>,
    /// Under which rules the answers hold.
    pub semantics: Semantics,
    /// Warnings count as errors.
    pub deny_warnings: bool,
    /// So do findings with these codes, however severe.
    pub deny_codes: Vec<&'static str>,
    /// What was found and is known: it does not count.
    pub known: Vec<KnownFinding>,
    /// What a plain yes rests on is shown to people as well.
    pub explain: bool,
    /// Someone stopped the run.
    pub interrupted: bool,
    /// What the world refused: no solver, no disk.
    pub world_failed: Option<String>,
    /// The files that were generated, where a folder for them was named.
    pub files: Vec<GeneratedFile>,
    /// How a service was driven.
    pub driving: Option<Box<SavedDriving>>,
    /// Who is guilty where logs do not conform.
    pub blame: Option<Box<Blame>>,
    /// What grew from one question to the next.
    pub plot: Option<Box<Plot>>,
    /// What the table of sizes says beside them.
    pub overview: Overview,
}

/// What the table of sizes says beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overview {
    /// Whether the verdicts stand in it: one run answers many questions about one model.
    pub verdicts: bool,
    /// What is said of sizes that are not all of it.
    pub incomplete: &'static str,
}

impl Default for Overview {
    fn default() -> Overview {
        Overview {
            verdicts: false,
            incomplete: "(cut by a bound)",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownFinding {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// Why it is left.
    pub reason: String,
}

/// What became of a generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Where it is.
    pub path: String,
    /// `written`, `unchanged` or `kept`.
    pub fate: &'static str,
}

/// The answer to one question.
#[derive(Debug, Clone, Default)]
pub struct NamedResult {
    /// What it is about: a component, a command's text.
    pub name: String,
    /// The question in the operators of its logic, where it was asked in words.
    pub reading: Option<String>,
    /// The answer, where something was asked.
    pub answer: Option<Answer>,
    /// What the answer takes for granted, after the verdict: `for samples of the data`.
    pub proviso: Option<String>,
    /// How big it is, and whether that is all of it.
    pub sizes: Sizes,
    /// Variables whose values are fixed before a run, with their sorts.
    pub parameters: Vec<(String, String)>,
    /// What is shown to people beside the answer.
    pub blocks: Vec<Block>,
    /// The models that were asked about, for reports with pictures.
    pub models: Vec<GraphDrawing>,
    /// Why the question was not taken.
    pub rejected: Option<Rejection>,
    /// The answer is known and does not count: until when, and why.
    pub known: Option<String>,
    /// What `realize` says beside the answer.
    pub realization: Option<Box<Realization>>,
    /// The states in which nothing continues for some data.
    pub stuck: Vec<StuckPlace>,
    /// What is said of machines beside the answer.
    pub safety: Option<Box<MachineSafety>>,
    /// What each fault does, where all of them were asked about.
    pub faults: Vec<FaultRow>,
    /// Where a run stands that someone chose.
    pub walk: Option<Box<Walk>>,
    /// What was exchanged with a running service in the run that decided.
    pub conversation: Option<Box<SavedConversation>>,
}

/// Sizes and whether they are all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sizes {
    /// The sizes.
    pub stats: Stats,
    /// Whether no bound cut the result.
    pub complete: bool,
}

impl Default for Sizes {
    fn default() -> Self {
        Sizes {
            stats: Stats::default(),
            complete: true,
        }
    }
}

impl Sizes {
    /// Of what was not built to its end.
    pub(crate) fn cut() -> Sizes {
        Sizes {
            complete: false,
            ..Sizes::default()
        }
    }
}

/// A verdict whose condition is printed, so that it needs no store of terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The verdict's word.
    pub word: VerdictKind,
    /// With *conditional*.
    pub condition: Option<String>,
    /// With *unknown*: why, and which bound would help.
    pub reason: Option<String>,
    /// What it rests on.
    pub evidence: Option<Evidence>,
}

/// Something to look at.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A line of prose.
    Line(String),
    /// A picture or listing, shown as it is.
    Picture {
        /// `text`, `dot`, `aut`, `stg`.
        format: &'static str,
        /// The picture.
        text: String,
    },
    /// A graph, in the form that suits the report: text, DOT, or a picture.
    Graph(Box<GraphDrawing>),
    /// A sequence diagram, in the form that suits the report: text, Mermaid, or a picture.
    Diagram(Box<Diagram>),
    /// Evidence that is examined for its own sake.
    Evidence(Box<Evidence>),
    /// Numbers that grow.
    Plot(Box<Plot>),
}

/// The form of a [`Block::Picture`] that is a suite of tests: reports for people leave it out.
pub const SUITE: &str = "suite";

/// A question that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The code of a diagnostic, or of the command line.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
}

/// The rules under which answers hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Semantics {
    /// The relation or analysis, in words.
    pub relation: Option<String>,
    /// How messages travel.
    pub channels: Option<String>,
    /// Bounds, by option.
    pub bounds: BTreeMap<String, u64>,
    /// The seed of what was random.
    pub seed: Option<u64>,
    /// The solver that was used, with its version.
    pub solver: Option<String>,
    /// Each input and how it was read.
    pub inputs: BTreeMap<String, String>,
    /// Values that `--param` fixed.
    pub parameters: BTreeMap<String, String>,
    /// What a checker confirmed before answers were given, counted.
    pub checked: BTreeMap<String, u64>,
    /// Further remarks on how the answer is to be read.
    pub notes: Vec<String>,
}

impl Semantics {
    /// Adds the rules of a part of the run.
    pub fn absorb(&mut self, mut part: Semantics) {
        self.relation = self.relation.take().or(part.relation);
        self.channels = self.channels.take().or(part.channels);
        self.bounds.append(&mut part.bounds);
        self.seed = self.seed.or(part.seed);
        self.solver = self.solver.take().or(part.solver);
        self.inputs.append(&mut part.inputs);
        self.parameters.append(&mut part.parameters);
        for (what, count) in part.checked {
            *self.checked.entry(what).or_default() += count;
        }
        for note in part.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }
}

impl Report {
    /// The answer to the whole: that of the only question, or the worst.
    pub fn answer(&self) -> Option<Answer> {
        let open = self.outcomes.iter().filter(|it| it.known.is_none());
        let mut answers = open.filter_map(|it| it.answer.as_ref());
        if self.outcomes.len() == 1 {
            return answers.next().cloned();
        }
        let word = answers.map(|answer| answer.word).max()?;
        let undecided = self.outcomes.iter().find_map(|outcome| {
            if outcome.known.is_some() {
                return None;
            }
            let reason = outcome.answer.as_ref()?.reason.as_ref()?;
            Some(format!("{}: {reason}", outcome.name))
        });
        Some(Answer {
            word,
            condition: None,
            reason: undecided.filter(|_| word == VerdictKind::Unknown),
            evidence: None,
        })
    }

    /// All sizes together.
    pub fn sizes(&self) -> Sizes {
        let mut sum = Sizes::default();
        for outcome in &self.outcomes {
            sum.stats.add(&outcome.sizes.stats);
            sum.complete &= outcome.sizes.complete;
        }
        sum
    }

    /// Adds the report of a part of the run, under a name for all its answers.
    pub fn add_part(&mut self, part: Report, label: &str) {
        let named = part.outcomes.into_iter().map(|outcome| NamedResult {
            name: format!("{label}: {}", outcome.name),
            ..outcome
        });
        self.outcomes.extend(named);
        for diagnostic in part.diagnostics {
            // Two parts may read the same file.
            if !self.diagnostics.contains(&diagnostic) {
                self.diagnostics.push(diagnostic);
            }
        }
        self.interrupted |= part.interrupted;
        self.world_failed = self.world_failed.take().or(part.world_failed);
        let relation = part.semantics.relation.clone();
        self.semantics.absorb(part.semantics);
        if let (Some(relation), Some(known)) = (relation, &mut self.semantics.relation)
            && !known.split("; ").any(|it| it == relation)
        {
            *known = format!("{known}; {relation}");
        }
        let is_error = |it: &Diagnostic| it.severity == Severity::Error;
        self.diagnostics.sort_by_key(|it| !is_error(it));
    }

    /// Whether a finding counts as if it were an error, though it is none.
    pub fn denies(&self, diagnostic: &Diagnostic) -> bool {
        let denied = match diagnostic.severity {
            Severity::Error => return false,
            Severity::Warning => self.deny_warnings,
            Severity::Information => false,
        };
        denied || self.deny_codes.contains(&diagnostic.code.code)
    }

    /// How many diagnostics of a severity there are.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == severity)
            .count()
    }
}

impl Answer {
    /// *Unknown*, for a reason that no bound is about.
    pub fn unknown(reason: impl Into<String>) -> Answer {
        Answer {
            word: VerdictKind::Unknown,
            condition: None,
            reason: Some(reason.into()),
            evidence: None,
        }
    }

    /// The answer a verdict gives.
    pub fn of(verdict: &Verdict, terms: &Terms) -> Answer {
        let (word, condition, reason) = match verdict {
            Verdict::Holds(_) => (VerdictKind::Holds, None, None),
            Verdict::HoldsIf(condition, _) => (
                VerdictKind::Conditional,
                Some(terms.print(*condition)),
                None,
            ),
            Verdict::Fails(_) => (VerdictKind::Fails, None, None),
            Verdict::Unknown(unknown) => (VerdictKind::Unknown, None, Some(unknown_text(unknown))),
        };
        Answer {
            word,
            condition,
            reason,
            evidence: verdict.evidence().cloned(),
        }
    }

    /// The answer that a verdict on what happened gives.
    pub fn observed(observed: &Observed, terms: &Terms) -> Answer {
        let (word, condition, reason) = match observed {
            Observed::Holds { .. } | Observed::Empty { .. } => (VerdictKind::Holds, None, None),
            Observed::HoldsIf { condition, .. } => (
                VerdictKind::Conditional,
                Some(terms.print(*condition)),
                None,
            ),
            Observed::Fails { .. } => (VerdictKind::Fails, None, None),
            Observed::Unknown(unknown) => (VerdictKind::Unknown, None, Some(unknown_text(unknown))),
        };
        Answer {
            word,
            condition,
            reason,
            evidence: observed.evidence().cloned(),
        }
    }
}
