//! Receptions that wait for the same messages at the same time (WS-BPEL 2.0, 10.4).
//!
//! With the same correlation sets they conflict, whatever comes; with others, a message that is for several of them is
//! ambiguous.
//! Which receptions wait together is known of a state of the whole process, so each of them offers what it would do,
//! and this is where it is settled.

use choros_data::{Term, Terms};
use rustc_hash::FxHashMap;

use super::activity::{Activity, ActivityId, Process, Reception, Style};
use super::rules::{ProcessRules, ProcessStep};

/// What a step of a reception is, where others may wait for the same messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// It takes the message.
    Takes,
    /// It raises `conflictingReceive`, if another with the same correlation sets waits.
    Conflicts,
    /// It raises `ambiguousReceive` when the message comes, if that is for another with other sets, too.
    Ambiguous,
}

/// Which activity is part of which.
#[derive(Debug)]
pub(super) struct Nesting {
    parent: Vec<Option<ActivityId>>,
    /// The scope beside whose body a reception is an event.
    scope_of: FxHashMap<ActivityId, ActivityId>,
}

impl Nesting {
    pub(super) fn of(process: &Process) -> Self {
        let mut parent = vec![None; process.len()];
        let mut scope_of = FxHashMap::default();
        for id in process.ids() {
            for part in process.parts(id) {
                parent[part.index()] = Some(id);
            }
            if let Activity::Scope(scope) = process.activity(id)
                && scope.style == Style::Concurrent
            {
                scope_of.extend(scope.events.iter().map(|it| (it.reception, id)));
            }
        }
        Self { parent, scope_of }
    }

    /// Whether one is an event of a scope that the other is inside: it waits from the start of the scope on, so the
    /// other is the later one.
    pub(super) fn waits_before(&self, event: ActivityId, other: ActivityId) -> bool {
        let Some(&scope) = self.scope_of.get(&event) else {
            return false;
        };
        let mut inside = other;
        while let Some(around) = self.parent[inside.index()] {
            if around == scope {
                return !self.scope_of.contains_key(&inside);
            }
            inside = around;
        }
        false
    }
}

/// The steps of a state of the whole process.
pub(super) struct Settled {
    pub(super) steps: Vec<ProcessStep>,
    /// Whether a conflict is about to be raised: no time passes before.
    pub(super) is_conflict: bool,
}

impl ProcessRules<'_> {
    fn reception(&self, id: ActivityId) -> Option<&Reception> {
        match self.process.activity(id) {
            Activity::Receive(reception) => Some(reception),
            _ => None,
        }
    }

    /// Whether two receptions wait for the same messages; if so, whether with the same correlation sets.
    pub(super) fn rivals(&self, one: ActivityId, other: ActivityId) -> Option<bool> {
        let (first, second) = (self.reception(one)?, self.reception(other)?);
        let same = (first.partner, first.operation) == (second.partner, second.operation);
        let (sets, others) = (first.contest.as_ref()?, second.contest.as_ref()?);
        let are_rivals = one != other && same && !(sets.starts && others.starts);
        are_rivals.then(|| sets.sets == others.sets)
    }

    /// What of the steps that receptions offer happens in a state with all of them.
    pub(super) fn settled(&self, terms: &mut Terms, steps: &[ProcessStep]) -> Settled {
        let claims = |step: &&ProcessStep| matches!(step.claim, Some((_, Claim::Takes)));
        let takers: Vec<&ProcessStep> = steps.iter().filter(claims).collect();
        let mut is_conflict = false;
        let mut settled = Vec::new();
        for step in steps {
            let Some((own, claim)) = step.claim else {
                settled.push(step.clone());
                continue;
            };
            let is_open = |id| {
                let contest = self.reception(id).and_then(|it| it.contest.as_ref());
                contest.is_some_and(|it| it.is_open)
            };
            let mut same = Vec::new();
            let mut others = Vec::new();
            for taker in takers.iter().filter(|_| is_open(own)) {
                let other = taker.claim.map_or(own, |it| it.0);
                match self.rivals(own, other) {
                    Some(true) => same.push(other),
                    Some(false) => others.push(*taker),
                    None => {}
                }
            }
            match claim {
                Claim::Takes if others.is_empty() && same.is_empty() => settled.push(step.clone()),
                Claim::Conflicts => {
                    // One that has waited from the start on was there first.
                    if same.iter().any(|&it| !self.nesting.waits_before(own, it)) {
                        is_conflict = true;
                        settled.push(step.clone());
                    }
                }
                Claim::Takes | Claim::Ambiguous if same.is_empty() && !others.is_empty() => {
                    let fits: Vec<Term> = others
                        .into_iter()
                        .map(|it| self.takes_when(terms, it, own))
                        .collect();
                    let several = terms.or(fits);
                    let alone = terms.complement(several);
                    let wanted = if claim == Claim::Takes {
                        alone
                    } else {
                        several
                    };
                    settled.extend(self.only_when(terms, step, own, wanted));
                }
                Claim::Takes | Claim::Ambiguous => {}
            }
        }
        Settled {
            steps: settled,
            is_conflict,
        }
    }

    /// A step of a reception that is only taken if a condition holds, which may speak of its message.
    fn only_when(
        &self,
        terms: &mut Terms,
        step: &ProcessStep,
        own: ActivityId,
        wanted: Term,
    ) -> Option<ProcessStep> {
        let wanted = terms.simplify(wanted);
        if wanted == Term::FALSE {
            return None;
        }
        let mut step = step.clone();
        let wire = self.reception(own).and_then(|it| it.wire);
        let speaks_of_it = wire.is_some_and(|it| terms.free_variables(wanted).contains(&it));
        match self.process.apart {
            // It speaks of the state before the step, so it comes first.
            Some(apart) if speaks_of_it => {
                step.updates
                    .insert(0, Process::accepting(terms, apart, wanted));
            }
            _ => step.guard = terms.and([step.guard, wanted]),
        }
        Some(step)
    }

    /// When a reception takes the message of another, in terms of the state before the message and the variable of
    /// the other's message.
    fn takes_when(&self, terms: &mut Terms, takes: &ProcessStep, of: ActivityId) -> Term {
        let own = takes.claim.and_then(|it| self.reception(it.0));
        let matches = own.and_then(|it| it.delivery.as_ref());
        let matches = matches.map_or(Term::TRUE, |it| it.matches);
        // What the step assigns before it looks at the message.
        let mut now = FxHashMap::default();
        for update in &takes.updates {
            if Some(update.variable) == self.process.delivered {
                break;
            }
            let value = terms.substitute(update.value, &now);
            now.insert(update.variable, value);
        }
        let matches = terms.substitute(matches, &now);
        let formula = terms.and([takes.guard, matches]);
        let wires = (
            own.and_then(|it| it.wire),
            self.reception(of).and_then(|it| it.wire),
        );
        let (Some(wire), Some(other)) = wires else {
            return formula;
        };
        let other = terms.var(other);
        terms.substitute(formula, &[(wire, other)].into_iter().collect())
    }
}
