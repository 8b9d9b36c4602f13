//! What is said to people about the realizability of a graph of interactions, a line each.

use choros_base::Span;
use choros_data::{Notation, Terms};
use choros_model::evidence::Tree;
use choros_model::stg::{EdgeId, Role, Stg};
use choros_realize::{Closing, Conditions, Decision, SemanticAnswer};

use crate::{CountedNoun, LateRepair, Repair, Stat, VerdictKind, Violation};

/// What decides each branching.
pub(super) fn branchings(stg: &Stg, found: &Conditions, terms: &Terms) -> Vec<String> {
    let name = |role: &Role| terms.names.text(role.0);
    let more = found.branchings.len().saturating_sub(MOST_BRANCHINGS);
    let more = (more > 0).then(|| format!("and {more} more states that branch"));
    let branchings = found.branchings.iter().take(MOST_BRANCHINGS);
    branchings
        .map(|branching| {
            let label = &stg.node(branching.node).label;
            let branches = branching.branches.iter();
            let mut ways: Vec<String> = branches
                .map(|&branch| format!("`{}`", stg.edge(branch).event.shown(terms)))
                .collect();
            if branching.may_end {
                ways.push("the end".to_owned());
            }
            let decision = match &branching.decision {
                Decision::Data => "data decide".to_owned(),
                Decision::Role(role) => format!("{} decides", name(role)),
                Decision::Undecided(role, _) => {
                    format!("data decide, or {} (not decided)", name(role))
                }
            };
            format!("state {label}: {decision} between {}", ways.join(", "))
        })
        .chain(more)
        .collect()
}

/// More lines would hide the verdict below them.
const MOST_BRANCHINGS: usize = 20;

/// What else the composition shows.
pub(super) fn remarks(
    semantic: &SemanticAnswer,
    closing: &Closing,
    stg: &Stg,
    terms: &Terms,
) -> Vec<String> {
    let name = |role: &Role| terms.names.text(role.0).to_owned();
    let mut remarks = Vec::new();
    if semantic.nobody_could {
        remarks.push(
            "no services with these messages could do better: they cannot prevent this run"
                .to_owned(),
        );
    }
    if let (Closing::Alone { services }, true) = (closing, semantic.holds()) {
        let roles = stg.roles();
        let staying = roles.iter().filter(|it| services.contains(it));
        let staying: Vec<String> = staying.map(name).collect();
        if !staying.is_empty() {
            remarks.push(format!(
                "services that wait for the next conversation at the end: {}",
                staying.join(", ")
            ));
        }
    }
    let serve: Vec<String> = semantic.would_serve.iter().map(name).collect();
    if !serve.is_empty() {
        let (are, this, it) = match serve.len() {
            1 => ("is", "this is a service that waits", "it"),
            _ => ("are", "these are services that wait", "them"),
        };
        let (declarations, options): (Vec<String>, Vec<String>) = serve
            .iter()
            .map(|name| (format!("`service {name}`"), format!("--service {name}")))
            .unzip();
        remarks.push(format!(
            "{} {are} never informed of the end; if {this} for the next conversation, declare {it} with {} (or {}), and it holds",
            serve.join(" and "),
            declarations.join(", "),
            options.join(" ")
        ));
    }
    remarks
}

/// Why the two criteria differ, where they do.
pub(super) fn apart(
    conditions: VerdictKind,
    semantic: VerdictKind,
    found: &Conditions,
) -> Option<String> {
    let mut violations = found.violations.iter();
    let why = match (conditions, semantic) {
        (VerdictKind::Fails, VerdictKind::Holds)
            if violations.any(|it| it.condition() == "ordering") =>
        {
            "steps that can happen out of order are also allowed in that order"
        }
        (VerdictKind::Fails, VerdictKind::Holds) => {
            "a role that does not learn of the choice does the same on every branch, or may wait"
        }
        (VerdictKind::Holds, VerdictKind::Fails) => {
            "the conditions compare only neighbouring steps, the run all of them"
        }
        _ => return None,
    };
    Some(format!("the criteria differ: {why}"))
}

/// What can never happen.
pub(super) fn dead(count: usize) -> Option<String> {
    let counted = CountedNoun(Stat::Transitions, count as u64);
    (count > 0).then(|| format!("ignored, because it can never happen: {counted}"))
}

/// What a repair says.
pub(super) fn repair(repair: &Repair, notation: Notation) -> Vec<String> {
    let additions = repair.additions.iter();
    let mut lines: Vec<String> = additions
        .map(|it| {
            let message = it.text(notation);
            let message = match notation {
                Notation::Calculus => format!("+{message}"),
                Notation::Native => format!("`{message}`"),
            };
            format!("add {message} before {}: {}", it.before, it.reason)
        })
        .collect();
    let minimal = match (repair.minimal, repair.minimal_reason) {
        (Some(word), Some(reason)) => format!("; minimal: {word} ({reason})"),
        (Some(word), None) => format!("; minimal: {word}"),
        (None, _) => String::new(),
    };
    lines.push(format!(
        "additions: {}{minimal}; verified: {} ({})",
        repair.additions.len(),
        repair.verified,
        repair.verified_reason
    ));
    lines
}

/// What would become of late messages.
pub(super) fn late(late: &LateRepair) -> Vec<String> {
    let mut lines: Vec<String> = late.edits.iter().map(|it| it.message.clone()).collect();
    if !late.services.is_empty() {
        let declared: Vec<String> = late
            .services
            .iter()
            .map(|it| format!("`service {it}`"))
            .collect();
        lines.push(format!(
            "declare {}: who may still get a late message never learns that none comes",
            declared.join(", ")
        ));
    }
    lines.push(format!(
        "changes: {}; verified: {} ({})",
        late.edits.len() + late.services.len(),
        late.verified,
        late.reason
    ));
    lines
}

/// Transitions, each with its place.
pub(super) fn transitions(
    edges: Vec<EdgeId>,
    stg: &Stg,
    terms: &Terms,
) -> Vec<(String, Option<Span>)> {
    let edges = edges.into_iter().map(|id| stg.edge(id));
    edges.map(|edge| (edge.shown(terms), edge.origin)).collect()
}

/// The violations as evidence, of which the last ones are none if guards exclude each other.
pub(super) fn explanation(violations: &[Violation], doubtful: usize) -> Tree {
    let leaf = |claim: String, origin: Option<Span>, because: Vec<Tree>| Tree {
        claim,
        origin,
        evidence: None,
        because,
    };
    let because = violations.iter().map(|it| {
        let origin = it.transitions.last().and_then(|(_, origin)| *origin);
        let claim = format!("{} [{}]: {}", it.condition, it.code, it.message);
        let reason = leaf(it.reason.clone(), None, Vec::new());
        leaf(claim, origin, vec![reason])
    });
    let claim = match violations.len() {
        0 => "no condition is broken".to_owned(),
        1 => "one condition is broken".to_owned(),
        many => format!("{many} conditions are broken"),
    };
    let claim = match doubtful {
        0 => claim,
        all if all == violations.len() => format!("{claim} unless the guards exclude each other"),
        some => format!("{claim}, the last {some} unless guards exclude each other"),
    };
    leaf(claim, None, because.collect())
}
