//! Receptions that wait for the same messages at the same time, by the text of section 10.4.

use choros_bpel::calculus::*;
use choros_data::Term;

use super::{A, Label, P, Steps, Twin};

fn reception(process: &Process, id: ActivityId) -> &Reception {
    match process.activity(id) {
        Activity::Receive(it) => it,
        other => panic!("{other:?} is no reception"),
    }
}

/// What a reception does besides taking its message, if others may wait for it.
pub(super) fn offers(
    twin: &mut Twin<'_>,
    id: ActivityId,
    it: &Reception,
    steps: &mut Steps,
) -> Steps {
    let Some((takes, _)) = steps.last_mut() else {
        return Vec::new();
    };
    let mut both = takes.clone();
    if let Some(label) = takes.label() {
        label.claim = Some((id, Claim::Takes));
    }
    if !it.contest.as_ref().is_some_and(|it| it.is_open) {
        return Vec::new();
    }
    if let Some(label) = both.label() {
        label.claim = Some((id, Claim::Ambiguous));
        let accepted = twin.process.delivered;
        label.updates.retain(|it| Some(it.variable) == accepted);
    }
    let mut fault = |name: &str| {
        let name = twin.terms.names.intern(name);
        twin.fault(name)
    };
    let mut conflict = Label::plain();
    conflict.claim = Some((id, Claim::Conflicts));
    vec![
        (
            A::Fault(fault("bpel:conflictingReceive"), conflict),
            P::Stop,
        ),
        (both, P::Throw(fault("bpel:ambiguousReceive"))),
    ]
}

/// Whether a step is one only if another reception waits for the same messages.
pub(super) fn conflicts(a: &A) -> bool {
    let label = match a {
        A::End | A::Tick => return false,
        A::Fault(_, label) | A::Rethrow(label) | A::Exit(label) => label,
        A::Silent(label, _) | A::Message(_, _, label) => label,
    };
    matches!(label.claim, Some((_, Claim::Conflicts)))
}

/// Whether an activity is another one, or inside it.
fn is_within(process: &Process, inner: ActivityId, outer: ActivityId) -> bool {
    let mut parts = process.parts(outer).into_iter();
    inner == outer || parts.any(|part| is_within(process, inner, part))
}

/// An event waits from the start of its scope on, before anything in the scope does; two events start together.
fn waits_before(process: &Process, event: ActivityId, other: ActivityId) -> bool {
    process.ids().any(|id| {
        let Activity::Scope(scope) = process.activity(id) else {
            return false;
        };
        let is_event = |id| scope.events.iter().any(|it| it.reception == id);
        scope.style == Style::Concurrent
            && is_event(event)
            && !is_event(other)
            && is_within(process, other, id)
    })
}

/// What happens of all that is offered.
pub(super) fn settled(twin: &mut Twin<'_>, offered: Steps) -> Steps {
    let mut waiting: Vec<(ActivityId, Label)> = Vec::new();
    for (a, _) in &offered {
        if let Some(label) = a.clone().label()
            && let Some((id, Claim::Takes)) = label.claim
        {
            waiting.push((id, label.clone()));
        }
    }
    let process = twin.process;
    let rivals = |own: ActivityId, same_sets: bool| -> Vec<(ActivityId, Label)> {
        let it = reception(process, own);
        let Some(sets) = it.contest.as_ref().filter(|it| it.is_open) else {
            return Vec::new();
        };
        let is_rival = |other: ActivityId| {
            let them = reception(process, other);
            let Some(theirs) = &them.contest else {
                return false;
            };
            other != own
                && (it.partner, it.operation) == (them.partner, them.operation)
                && !(sets.starts && theirs.starts)
                && (sets.sets == theirs.sets) == same_sets
        };
        waiting
            .iter()
            .filter(|it| is_rival(it.0))
            .cloned()
            .collect()
    };
    let mut steps = Vec::new();
    let mut conflict = false;
    for (mut a, target) in offered {
        let Some((own, claim)) = a.label().and_then(|it| it.claim) else {
            steps.push((a, target));
            continue;
        };
        let conflicting = rivals(own, true);
        let others = rivals(own, false);
        if claim == Claim::Conflicts {
            if conflicting
                .iter()
                .any(|it| !waits_before(process, own, it.0))
            {
                conflict = true;
                steps.push((a, target));
            }
            continue;
        }
        if !conflicting.is_empty() || claim == Claim::Ambiguous && others.is_empty() {
            continue;
        }
        if !others.is_empty() {
            let fits: Vec<Term> = others
                .iter()
                .map(|(other, label)| fits(twin, *other, label, own))
                .collect();
            let several = twin.terms.or(fits);
            let wanted = match claim {
                Claim::Ambiguous => several,
                _ => twin.terms.complement(several),
            };
            let wanted = twin.terms.simplify(wanted);
            if wanted == Term::FALSE {
                continue;
            }
            let wire = reception(process, own).wire;
            let free = twin.terms.free_variables(wanted);
            let speaks_of_it = wire.is_some_and(|it| free.contains(&it));
            match (process.apart, a.label()) {
                (Some(apart), Some(label)) if speaks_of_it => {
                    let update = Process::accepting(&mut twin.terms, apart, wanted);
                    label.updates.insert(0, update);
                }
                (_, Some(label)) => label.guard = twin.terms.and([label.guard, wanted]),
                _ => {}
            }
        }
        steps.push((a, target));
    }
    // A fault that must be raised does not wait.
    steps.retain(|(a, _)| !conflict || *a != A::Tick);
    steps
}

/// When the message that comes to one reception is for another, too: its guard holds, and its correlation sets match.
fn fits(twin: &mut Twin<'_>, other: ActivityId, label: &Label, own: ActivityId) -> Term {
    let (it, them) = (reception(twin.process, own), reception(twin.process, other));
    let mut condition = them.delivery.as_ref().map_or(Term::TRUE, |it| it.matches);
    let before = label
        .updates
        .iter()
        .take_while(|it| Some(it.variable) != twin.process.delivered);
    // What is assigned before: the last assignment is undone first.
    for update in before.collect::<Vec<_>>().into_iter().rev() {
        let by = [(update.variable, update.value)].into_iter().collect();
        condition = twin.terms.substitute(condition, &by);
    }
    let whole = twin.terms.and([label.guard, condition]);
    match (them.wire, it.wire) {
        (Some(theirs), Some(ours)) => {
            let ours = twin.terms.var(ours);
            twin.terms
                .substitute(whole, &[(theirs, ours)].into_iter().collect())
        }
        _ => whole,
    }
}
