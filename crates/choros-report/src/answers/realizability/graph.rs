//! Can the roles of a graph of interactions realise it?

use choros_base::Suggestion;
use choros_data::Terms;
use choros_model::Evidence;
use choros_model::stg::{DotMarks, Stg};
use choros_realize::{
    AwarenessViolation, Conditions, Criterion, Question, Realizability as Found,
    Violation as Broken,
};

use super::super::silence;
use super::lines;
use crate::{
    Addition, Answer, Block, GraphDrawing, LateRepair, NamedResult, Realization, Repair, Sizes,
    Stat, Stats, VerdictKind, Violation,
};

/// What is known about the realizability of a graph of interactions.
#[derive(Debug, Clone)]
pub struct GraphRealizability {
    /// The choreography as it was given.
    pub graph: Stg,
    /// What was asked.
    pub question: Question,
    /// What was found, by both criteria, and what would fix it; roles and edges are those of `found.reachable`.
    pub found: Found,
    /// Whether both criteria are shown where they agree, too.
    pub compares_criteria: bool,
    /// It exchanges no message, so no criterion judged anything.
    pub is_about_nothing: bool,
    /// For each addition, the change of the text that makes it.
    pub edits: Vec<Option<Suggestion>>,
    /// What becomes of late messages, where a message races with a timer.
    pub late: Option<LateRepair>,
}

impl GraphRealizability {
    /// The verdict by the conditions on ordering, data and branching.
    pub fn by_conditions(&self) -> VerdictKind {
        let found = &self.found.conditions;
        match (found.violations.is_empty(), found.doubtful.is_empty()) {
            (false, _) => VerdictKind::Fails,
            (true, _) if self.is_about_nothing || found.timed => VerdictKind::Unknown,
            (true, false) => VerdictKind::Unknown,
            (true, true) => VerdictKind::Holds,
        }
    }

    /// Takes back what holds of nothing.
    pub(in crate::answers) fn doubt(&mut self) {
        self.is_about_nothing = true;
        silence::doubt(&mut self.found.semantic.verdict);
    }

    /// The answer by the criterion that was asked for.
    fn answer(&self, semantic: &Answer, violations: &[Violation]) -> Answer {
        if self.question.criterion == Criterion::Semantic {
            return semantic.clone();
        }
        let word = self.by_conditions();
        let doubtful = &self.found.conditions.doubtful;
        Answer {
            word,
            condition: None,
            reason: match word {
                VerdictKind::Unknown if self.found.conditions.timed => {
                    Some("the conditions know nothing of time".to_owned())
                }
                VerdictKind::Unknown => doubtful
                    .first()
                    .map(|(_, reason)| format!("whether guards exclude each other: {reason}")),
                // One line alone must not mislead its reader.
                VerdictKind::Holds if semantic.word == VerdictKind::Fails => {
                    Some("by the conditions; the behaviour disagrees".to_owned())
                }
                _ => None,
            },
            evidence: Some(Evidence::Tree(lines::explanation(
                violations,
                doubtful.len(),
            ))),
        }
    }

    pub(in crate::answers) fn outcome(self, terms: &Terms) -> NamedResult {
        let found = &self.found;
        let reachable = &found.reachable;
        let by_conditions = self.by_conditions();
        let semantic = Answer::of(&found.semantic.verdict, terms);
        let semantic_reason = match &semantic.reason {
            // With the option to raise.
            Some(reason) => reason.clone(),
            None => found.semantic.reason.clone(),
        };
        let violations: Vec<Violation> = all_violations(&found.conditions)
            .map(|violation| broken(violation, reachable, terms))
            .collect();
        let faults = found.told.faults.iter();
        let untold: Vec<Violation> = faults.map(|it| not_told(it, reachable, terms)).collect();
        let mut text = lines::branchings(reachable, &found.conditions, terms);
        let agree = (by_conditions == semantic.word && semantic.word != VerdictKind::Unknown)
            || (found.conditions.timed && by_conditions == VerdictKind::Unknown);
        if agree && !self.compares_criteria {
            text.push(semantic_reason.clone());
        } else {
            text.push(format!(
                "by conditions: {}; by semantics: {} ({semantic_reason})",
                by_conditions.text(),
                semantic.word.text(),
            ));
        }
        let closing = &self.question.closing;
        text.extend(lines::remarks(&found.semantic, closing, &self.graph, terms));
        text.extend(lines::apart(
            by_conditions,
            semantic.word,
            &found.conditions,
        ));
        // The conditions explain in the words of the choreography what the run shows.
        let explains = self.question.criterion == Criterion::Semantic;
        if explains && semantic.word != VerdictKind::Holds {
            let explained = explained(&found.conditions, &violations, &untold);
            text.extend(explained.map(|it| {
                let Violation { code, message, .. } = it;
                format!("{} [{code}]: {message} ({})", it.condition, it.reason)
            }));
        }
        text.extend(lines::dead(found.dead));
        let repair = self
            .question
            .repair
            .then(|| repair(found, &self.edits, terms));
        let additions = |it| lines::repair(it, terms.notation);
        text.extend(repair.iter().flat_map(additions));
        text.extend(self.late.iter().flat_map(lines::late));
        NamedResult {
            name: self.graph.name().to_owned(),
            answer: Some(self.answer(&semantic, &violations)),
            sizes: Sizes {
                stats: Stats::of_graph(reachable)
                    .with(Stat::Roles, reachable.roles().len())
                    .with(Stat::Dead, found.dead),
                complete: true,
            },
            models: GraphDrawing::pictures(&[(&self.graph, DotMarks::default())], terms),
            blocks: text.into_iter().map(Block::Line).collect(),
            realization: Some(Box::new(Realization {
                conditions: by_conditions,
                semantic: semantic.word,
                semantic_reason,
                violations,
                untold,
                repair,
                late: self.late.clone(),
            })),
            ..NamedResult::default()
        }
    }
}

fn all_violations(found: &Conditions) -> impl Iterator<Item = &Broken> {
    let doubtful = found.doubtful.iter().map(|(violation, _)| violation);
    found.violations.iter().chain(doubtful)
}

/// What explains a *no*: that a role does not learn in time says more than the thesis' rule about who is informed.
fn explained<'a>(
    found: &'a Conditions,
    violations: &'a [Violation],
    untold: &'a [Violation],
) -> impl Iterator<Item = &'a Violation> {
    let said = |violation: &Broken, mirror: &Violation| {
        let role = mirror.roles.last();
        matches!(violation, Broken::Uninformed { .. })
            && untold.iter().any(|it| it.roles.first() == role)
    };
    let kept = all_violations(found)
        .zip(violations)
        .filter(move |(violation, mirror)| !said(violation, mirror));
    kept.map(|(_, mirror)| mirror).chain(untold)
}

/// A broken condition as the report carries it.
fn broken(violation: &Broken, stg: &Stg, terms: &Terms) -> Violation {
    let roles = violation.roles(stg).into_iter();
    Violation {
        code: violation.code().code,
        condition: violation.condition(),
        roles: roles
            .map(|role| terms.names.text(role.0).to_owned())
            .collect(),
        transitions: lines::transitions(violation.edges(), stg, terms),
        message: violation.message(stg, terms),
        reason: violation.reason(terms),
    }
}

/// A role that does not learn in time, as the report carries it.
fn not_told(untold: &AwarenessViolation, stg: &Stg, terms: &Terms) -> Violation {
    let role = untold.role().into_iter();
    Violation {
        code: untold.code().code,
        condition: "informed",
        roles: role
            .map(|role| terms.names.text(role.0).to_owned())
            .collect(),
        transitions: lines::transitions(untold.edges(), stg, terms),
        message: untold.message(stg, terms),
        reason: untold.reason(stg, terms),
    }
}

/// What would fix it, as the report carries it.
fn repair(found: &Found, edits: &[Option<Suggestion>], terms: &Terms) -> Repair {
    let (verified, reason) = found.verified();
    let mended = found.mended.as_ref();
    let additions = mended.map_or(&[][..], |it| &it.repair.additions).iter();
    let name = |name| terms.names.text(name).to_owned();
    let additions: Vec<Addition> = additions
        .enumerate()
        .map(|(position, addition)| Addition {
            operation: name(addition.operation.0),
            from: name(addition.from.0),
            to: name(addition.to.0),
            carries: addition
                .carries
                .map(|variable| terms.variable_text(variable).to_owned()),
            before: addition.before.clone(),
            reason: addition.reason.clone(),
            edit: edits.get(position).cloned().flatten(),
        })
        .collect();
    let minimal = mended.and_then(|it| it.minimal);
    let among = mended.filter(|_| minimal.is_some() && !additions.is_empty());
    Repair {
        verified,
        verified_reason: reason.to_owned(),
        minimal,
        minimal_reason: among.map(|it| it.minimal_among),
        additions,
    }
}
