//! Do the machines of a g-choreography realise it?

use choros_base::{Diagnostic, Names, SourceMap};
use choros_data::Terms;
use choros_model::cfsm::Discipline;
use choros_model::evidence::{StepEvent, Trace, Tree};
use choros_model::gchor::{Form, Gchor, Interaction};
use choros_model::pomset::Event;
use choros_model::stg::Direction;
use choros_model::{Bound, Evidence};
use choros_realize::Criterion;
use choros_realize::gchor::{RealisedWords, WellFormedness, WordCounts};

use super::super::silence::nothing_judged;
use crate::{
    Answer, Block, NamedResult, Realization, Sizes, Stat, Stats, VerdictKind, Violation,
    with_advice,
};

/// What is known about the realizability of a g-choreography over one kind of channels.
#[derive(Debug, Clone)]
pub struct GchorRealizability {
    /// The channels, and where several were asked about, the file.
    pub name: String,
    /// The g-choreography.
    pub gchor: Gchor,
    /// Whether it is well-formed, and where not.
    pub form: WellFormedness,
    /// How the machines send to each other.
    pub discipline: Discipline,
    /// What the machines do.
    pub runs: RealisedWords,
    /// How many words the g-choreography and the machines have, where that was counted.
    pub words: Option<[WordCounts; 2]>,
    /// Whether the form gives the verdict, or the runs.
    pub criterion: Criterion,
    /// Whether both are shown where they agree, too.
    pub compares_criteria: bool,
    /// It exchanges no message, so neither judged anything.
    pub is_about_nothing: bool,
}

impl GchorRealizability {
    /// The verdict by the form.
    pub fn by_form(&self) -> VerdictKind {
        match self.form.holds() {
            true if self.is_about_nothing => VerdictKind::Unknown,
            true => VerdictKind::Holds,
            false => VerdictKind::Fails,
        }
    }

    /// The verdict by the runs of the machines.
    pub fn by_runs(&self) -> VerdictKind {
        match self.runs.answer() {
            Some(true) if self.is_about_nothing => VerdictKind::Unknown,
            Some(true) => VerdictKind::Holds,
            Some(false) => VerdictKind::Fails,
            None => VerdictKind::Unknown,
        }
    }

    /// Why the verdict by the runs is as it is.
    fn reason(&self) -> String {
        match (self.by_runs(), &self.runs.stopped, &self.runs.missing) {
            (VerdictKind::Unknown, ..) if self.is_about_nothing => nothing_judged().reason,
            (VerdictKind::Unknown, Some(stopped), _) => {
                with_advice(&stopped.to_string(), Some(Bound::States(None)))
            }
            (VerdictKind::Unknown, None, _) => with_advice(
                &format!(
                    "a channel was full: with room for more than {} messages the machines may do more",
                    self.discipline.bound
                ),
                Some(Bound::Places(None)),
            ),
            (VerdictKind::Fails, ..) => {
                "the machines have a run that the choreography forbids".to_owned()
            }
            (_, _, None) => "the machines do exactly what the choreography allows".to_owned(),
            (_, _, Some(_)) => "the machines do part of what the choreography allows".to_owned(),
        }
    }

    /// The answer by the criterion that was asked for.
    fn answer(&self, reason: &str, names: &Names) -> Answer {
        let form = || Some(Evidence::Tree(self.form.tree(&self.gchor, names)));
        let (word, evidence) = match (self.criterion, self.by_runs()) {
            (Criterion::Conditions, _) => (self.by_form(), form()),
            // A participant that is said to decide and does not is wrong in the runs as well, as `check` says.
            (Criterion::Semantic, VerdictKind::Holds | VerdictKind::Unknown)
                if self.form.misleads() =>
            {
                (VerdictKind::Fails, form())
            }
            (Criterion::Semantic, VerdictKind::Unknown) => (VerdictKind::Unknown, None),
            (Criterion::Semantic, word) => (word, Some(evidence(&self.runs, reason))),
        };
        Answer {
            word,
            condition: None,
            reason: (word == VerdictKind::Unknown).then(|| reason.to_owned()),
            evidence,
        }
    }

    /// What is said beside the answer.
    fn lines(&self, reason: &str, names: &Names) -> Vec<String> {
        let agree = self.by_form() == self.by_runs() && self.by_runs() != VerdictKind::Unknown;
        let mut lines = vec![if agree && !self.compares_criteria {
            reason.to_owned()
        } else {
            // Why a question was not settled stands with the answer.
            let because = match (self.by_runs(), self.criterion) {
                (VerdictKind::Unknown, Criterion::Semantic) => String::new(),
                _ => format!(" ({reason})"),
            };
            format!(
                "by form: {}; by runs: {}{because}",
                self.by_form().text(),
                self.by_runs().text()
            )
        }];
        lines.extend(self.words.as_ref().map(|[choreography, machines]| {
            format!(
                "words: the choreography has {} and {} prefixes, the machines {} and {}",
                choreography.linearisations,
                choreography.prefixes,
                machines.linearisations,
                machines.prefixes
            )
        }));
        if let (VerdictKind::Holds, Some(missing)) = (self.by_runs(), &self.runs.missing) {
            let word = word_text(missing, names);
            lines.push(format!("allowed, but the machines cannot: {word}"));
        }
        lines
    }

    pub(super) fn outcome(self, terms: &Terms) -> NamedResult {
        let names = &terms.names;
        let reason = self.reason();
        let lines = self.lines(&reason, names).into_iter();
        let violations = self.form.violations.iter();
        NamedResult {
            answer: Some(self.answer(&reason, names)),
            sizes: Sizes {
                stats: sizes_of_gchor(&self.gchor).with(Stat::States, self.runs.states),
                complete: self.runs.stopped.is_none() && !self.runs.bound_reached,
            },
            blocks: lines.map(Block::Line).collect(),
            realization: Some(Box::new(Realization {
                conditions: self.by_form(),
                semantic: self.by_runs(),
                violations: violations
                    .map(|it| broken(it, &self.gchor, names))
                    .collect(),
                semantic_reason: reason,
                untold: Vec::new(),
                repair: None,
                late: None,
            })),
            name: self.name,
            ..NamedResult::default()
        }
    }
}

/// Participants and different messages.
pub(in crate::answers) fn sizes_of_gchor(gchor: &Gchor) -> Stats {
    Stats::default()
        .with(Stat::Messages, gchor.interactions().len())
        .with(Stat::Roles, gchor.roles().names().len())
}

/// Who decides what, one line each.
pub(in crate::answers) fn decision_lines(
    form: &WellFormedness,
    gchor: &Gchor,
    names: &Names,
    sources: &SourceMap,
) -> Vec<String> {
    let decisions = form.decisions.iter();
    decisions
        .map(|(id, decider)| {
            let what = match gchor.form(*id) {
                Form::Repeat { .. } => "loop",
                _ => "choice",
            };
            let place = gchor.node(*id).origin.map(|span| sources.locate(span));
            let decider = decider.map_or("no one", |it| names.text(it));
            let place = place.unwrap_or_else(|| "?".to_owned());
            format!("{what} at {place}: {decider} decides")
        })
        .collect()
}

/// What does not wait and need not, in one note: the first place, and how many more there are.
pub fn unsequenced_note(form: &WellFormedness, gchor: &Gchor, names: &Names) -> Option<Diagnostic> {
    let (first, more) = form.unsequenced.split_first()?;
    let mut note = Diagnostic::without_place(first.code(), first.message(gchor, names));
    for (text, origin) in first.places(gchor, names).into_iter().skip(1).rev() {
        if let Some(span) = origin {
            note = note.label(span, format!("`{text}`"));
        }
    }
    note = match more.len() {
        0 => note,
        1 => note.note("the same in 1 more place"),
        many => note.note(format!("the same in {many} more places")),
    };
    Some(
        note.note(
            "`;` orders only what the same participant does; `--strict` makes this a violation",
        ),
    )
}

/// A broken condition as the report carries it.
fn broken(
    violation: &choros_realize::gchor::GchorViolation,
    gchor: &Gchor,
    names: &Names,
) -> Violation {
    let roles = violation.roles().into_iter();
    Violation {
        code: violation.code().code,
        condition: violation.condition(),
        roles: roles.map(|it| names.text(it).to_owned()).collect(),
        transitions: violation.places(gchor, names),
        message: violation.message(gchor, names),
        reason: violation.suggestion(gchor, names),
    }
}

fn evidence(found: &RealisedWords, reason: &str) -> Evidence {
    let leaf = |claim: &str, trace: &Trace| Tree {
        claim: claim.to_owned(),
        origin: None,
        evidence: Some(Box::new(Evidence::Trace(trace.clone()))),
        because: Vec::new(),
    };
    let mut because = Vec::new();
    because.extend(found.excess.as_ref().map(|run| {
        let claim = "the machines can do what the choreography does not allow";
        leaf(claim, run)
    }));
    because.extend(found.stuck.as_ref().map(|(run, kind)| {
        let claim = format!("the machines can get stuck: {}", kind.word());
        leaf(&claim, run)
    }));
    if let (true, Some(run)) = (because.is_empty(), &found.missing) {
        let claim = "the choreography allows what the machines cannot do";
        because.push(leaf(claim, run));
    }
    Evidence::Tree(Tree {
        claim: format!("{reason}; {} situations were explored", found.states),
        origin: None,
        evidence: None,
        because,
    })
}

/// The events of a run, one after the other.
fn word_text(trace: &Trace, names: &Names) -> String {
    let done = trace.steps.iter().map(|step| &step.event);
    let events = done.chain(trace.departure.expected.iter().map(|it| &it.event));
    let events = events.filter_map(|event| match event {
        StepEvent::Message {
            operation,
            from,
            to,
            direction,
            ..
        } => {
            let interaction = Interaction {
                from: names.get(from)?,
                to: names.get(to)?,
                message: names.get(operation)?,
            };
            let event = Event {
                interaction,
                is_output: *direction == Direction::Send,
            };
            Some(event.text(names))
        }
        _ => None,
    });
    let events: Vec<String> = events.collect();
    events.join(" ")
}
