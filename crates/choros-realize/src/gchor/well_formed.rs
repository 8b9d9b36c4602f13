//! Whether participants that each know their own part can do what a g-choreography says, by its form.
//!
//! - *Well-branched* (Definition 2.1): in each choice exactly one participant is *active* (it begins every branch with
//!   outputs, in no two branches the same) and every other is *passive* (it begins every branch with inputs, in no two
//!   the same, or does nothing in any).
//!   The printed definition lets a participant pass that receives in one branch and does nothing in another; example
//!   2.5 says that it must not.
//!   A loop is the choice between another round and what follows the loop, for those who take part in the round.
//! - *Well-forked*: no interaction belongs to two threads.
//! - *Well-sequenced*: in `G;G'` every last event of `G` is before every first event of `G'`.
//!   That is so exactly when all of them have the same subject, because `;` adds order between events of one subject
//!   only.
//!
//! The first two are what ChorGram and the thesis call well-formed.
//! They do not suffice: `sel A { A->C:l ; A->D:l ; D->C:x + A->D:r ; D->C:x ; A->C:r }` is well-branched, and `C` may
//! take `x` in the first branch for the beginning of the second.
//! With the third they do, as far as the random g-choreographies of `tests/gchor_laws.rs` can tell; `realize` decides it.

use std::collections::BTreeMap;

use choros_base::{Budget, Name, Names, StopReason};
use choros_model::evidence::Tree;
use choros_model::gchor::{Form, Gchor, Interaction, NodeId};
use choros_model::pomset::Event;
use rustc_hash::FxHashMap;

use super::first::{First, Firsts};
use super::projection::same_behaviour;
use super::violation::{Confusion, GchorViolation};

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Strictness {
    /// A participant that does the same in all branches need not know which was chosen.
    pub tolerate_equal_branches: bool,
    /// What does not wait for what is written before it breaks the form as well.
    pub sequenced: bool,
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct WellFormedness {
    /// What breaks branching or forking, in the order of the text; then sequencing, where that is asked for.
    pub violations: Vec<GchorViolation>,
    /// Where sequencing is broken and need not be kept.
    pub unsequenced: Vec<GchorViolation>,
    /// Each choice and loop in the order of the text, and who decides it.
    pub decisions: Vec<(NodeId, Option<Name>)>,
}

impl WellFormedness {
    /// Whether it is well-branched and well-forked.
    pub fn holds(&self) -> bool {
        self.violations.is_empty()
    }

    /// Whether someone is said to decide who does not.
    pub fn misleads(&self) -> bool {
        let mut all = self.violations.iter();
        all.any(|it| matches!(it, GchorViolation::WrongDecider { .. }))
    }

    /// What breaks the form, with the reasons.
    pub fn tree(&self, gchor: &Gchor, names: &Names) -> Tree {
        let claim = match self.violations.len() {
            0 => "well-branched and well-forked".to_owned(),
            1 => "one condition is broken".to_owned(),
            count => format!("{count} conditions are broken"),
        };
        let violations = self.violations.iter();
        Tree {
            claim,
            origin: None,
            evidence: None,
            because: violations.map(|it| it.tree(gchor, names)).collect(),
        }
    }
}

/// Checks the form of a g-choreography.
pub fn well_formedness(
    gchor: &Gchor,
    strictness: Strictness,
    budget: &Budget,
) -> Result<WellFormedness, StopReason> {
    let firsts = Firsts::new(gchor);
    let mut found = WellFormedness::default();
    for id in gchor.in_order() {
        budget.spend()?;
        match gchor.form(id) {
            Form::Choice { decider, branches } => {
                let decision = Decision {
                    at: id,
                    said: *decider,
                    options: branches.iter().map(|&it| Some(it)).collect(),
                };
                decision.check(gchor, &firsts, strictness, budget, &mut found)?;
            }
            Form::Repeat { controller, body } => {
                let decision = Decision {
                    at: id,
                    said: *controller,
                    options: vec![Some(*body), None],
                };
                decision.check(gchor, &firsts, strictness, budget, &mut found)?;
            }
            Form::Fork(parts) => forking(gchor, id, parts, &mut found),
            Form::Empty | Form::Interaction(_) | Form::Sequence(_) => {}
        }
    }
    sequencing(gchor, &firsts, &mut found);
    if strictness.sequenced {
        found.violations.append(&mut found.unsequenced);
    }
    Ok(found)
}

/// A choice, or a loop taken as one.
struct Decision {
    at: NodeId,
    said: Option<Name>,
    /// The branches; `None` is leaving the loop.
    options: Vec<Option<NodeId>>,
}

impl Decision {
    fn check(
        &self,
        gchor: &Gchor,
        firsts: &Firsts<'_>,
        strictness: Strictness,
        budget: &Budget,
        found: &mut WellFormedness,
    ) -> Result<(), StopReason> {
        let roles = match (gchor.form(self.at), self.options.first()) {
            (Form::Repeat { .. }, Some(Some(body))) => firsts.roles.of_node(*body),
            _ => firsts.roles.of_node(self.at),
        };
        let mut active = Vec::new();
        let mut confused = Vec::new();
        for number in roles.iter() {
            budget.spend()?;
            let role = firsts.roles.names()[number];
            let begins: Vec<First> = self
                .options
                .iter()
                .map(|option| self.begins(*option, firsts, number))
                .collect();
            match confusion(&begins) {
                Standing::Active => active.push(role),
                Standing::Passive => {}
                Standing::Confused(because) => confused.push((role, because)),
            }
        }
        if strictness.tolerate_equal_branches {
            let mut kept = Vec::new();
            for (role, because) in confused {
                if !self.does_the_same(gchor, role, budget)? {
                    kept.push((role, because));
                }
            }
            confused = kept;
        }
        let decider = match active[..] {
            [only] => Some(only),
            _ => None,
        };
        found.decisions.push((self.at, decider));
        match (&active[..], self.said) {
            // No one takes part, or those that do need not know: nothing is decided.
            ([], _) if confused.is_empty() => {}
            ([], _) => found
                .violations
                .push(GchorViolation::NoDecider { at: self.at }),
            ([is], Some(said)) if *is != said => {
                found.violations.push(GchorViolation::WrongDecider {
                    at: self.at,
                    said,
                    is: *is,
                });
            }
            ([_], _) => {}
            _ => found.violations.push(GchorViolation::SeveralDeciders {
                at: self.at,
                deciders: active,
            }),
        }
        found
            .violations
            .extend(
                confused
                    .into_iter()
                    .map(|(role, because)| GchorViolation::Uninformed {
                        at: self.at,
                        role,
                        because,
                        decider,
                    }),
            );
        Ok(())
    }

    /// How a participant begins one of the options; where it may do nothing in it after all, what follows counts too.
    fn begins(&self, option: Option<NodeId>, firsts: &Firsts<'_>, role: usize) -> First {
        match option {
            None => firsts.behind(self.at, role),
            Some(branch) => match firsts.at(branch, role) {
                None => First::default(),
                Some(first) => {
                    let mut first = first.clone();
                    if first.may_skip && self.options.iter().all(Option::is_some) {
                        let behind = firsts.behind(self.at, role);
                        first.events.extend(behind.events);
                    }
                    first
                }
            },
        }
    }

    fn does_the_same(
        &self,
        gchor: &Gchor,
        role: Name,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let branches: Option<Vec<NodeId>> = self.options.iter().copied().collect();
        let Some(branches) = branches else {
            return Ok(false);
        };
        for pair in branches.windows(2) {
            if !same_behaviour(gchor, (pair[0], pair[1]), role, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

enum Standing {
    Active,
    Passive,
    Confused(Confusion),
}

fn confusion(begins: &[First]) -> Standing {
    if begins.iter().all(|first| first.events.is_empty()) {
        return Standing::Passive;
    }
    let with = begins.iter().position(|first| !first.events.is_empty());
    let without = begins.iter().position(|first| first.events.is_empty());
    if let (Some(with), Some(without)) = (with, without) {
        let (event, place) = begins[with].events[0];
        return Standing::Confused(Confusion::Absent {
            without,
            with,
            event,
            place,
        });
    }
    for (left, first) in begins.iter().enumerate() {
        for (right, second) in begins.iter().enumerate().skip(left + 1) {
            for &(event, place) in &first.events {
                // The same event at the same place is no confusion: wherever it came from, the participant continues
                // from there.
                let same = second
                    .events
                    .iter()
                    .find(|it| it.0 == event && it.1 != place);
                let is_here_too = second.events.contains(&(event, place));
                if let Some(&(_, other)) = same
                    && !is_here_too
                {
                    return Standing::Confused(Confusion::Same {
                        branches: (left, right),
                        event,
                        places: (place, other),
                    });
                }
            }
        }
    }
    let all = || begins.iter().flat_map(|first| &first.events);
    if all().all(|(event, _)| event.is_output) {
        return Standing::Active;
    }
    let starts = begins.iter().enumerate().find_map(|(branch, first)| {
        let found = first.events.iter().find(|(event, _)| event.is_output)?;
        Some((branch, *found))
    });
    match starts {
        None => Standing::Passive,
        Some((branch, (event, place))) => Standing::Confused(Confusion::Starts {
            branch,
            event,
            place,
        }),
    }
}

/// No interaction in two threads; one finding for each that is.
fn forking(gchor: &Gchor, id: NodeId, threads: &[NodeId], found: &mut WellFormedness) {
    let mut seen: FxHashMap<Interaction, (usize, NodeId, bool)> = FxHashMap::default();
    for (thread, &root) in threads.iter().enumerate() {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if let Form::Interaction(interaction) = gchor.form(node) {
                let known = seen.entry(*interaction).or_insert((thread, node, false));
                if known.0 != thread && !known.2 {
                    known.2 = true;
                    found.violations.push(GchorViolation::SharedInteraction {
                        at: id,
                        interaction: *interaction,
                        places: (known.1, node),
                        threads: (known.0, thread),
                    });
                }
            }
            open.extend(gchor.form(node).parts().iter().rev());
        }
    }
}

/// The subjects of first and last events of a part, each with such an event.
#[derive(Default, Clone)]
struct Edges {
    first: BTreeMap<usize, (Event, NodeId)>,
    last: BTreeMap<usize, (Event, NodeId)>,
}

fn sequencing(gchor: &Gchor, firsts: &Firsts<'_>, found: &mut WellFormedness) {
    let mut edges: Vec<Edges> = Vec::with_capacity(gchor.len());
    let mut findings: BTreeMap<NodeId, Vec<GchorViolation>> = BTreeMap::new();
    for id in gchor.ids() {
        let mut own = Edges::default();
        let mut tell = |before: &Edges, after: &Edges| {
            let pair = before.last.iter().find_map(|(role, last)| {
                let first = after.first.iter().find(|(other, _)| *other != role)?;
                Some((*last, *first.1))
            });
            if let Some((last, first)) = pair {
                let violation = GchorViolation::Unsequenced {
                    at: id,
                    last,
                    first,
                };
                findings.entry(id).or_default().push(violation);
            }
        };
        match gchor.form(id) {
            Form::Empty => {}
            Form::Interaction(interaction) => {
                let (output, input) = (Event::output(*interaction), Event::input(*interaction));
                if let Some(role) = firsts.roles.number(interaction.from) {
                    own.first.insert(role, (output, id));
                }
                if let Some(role) = firsts.roles.number(interaction.to) {
                    own.last.insert(role, (input, id));
                }
            }
            Form::Sequence(parts) => {
                for (position, &part) in parts.iter().enumerate() {
                    let next = &edges[part.index()];
                    tell(&own, next);
                    own.last.retain(|&role, _| firsts.may_skip(part, role));
                    own.last
                        .extend(next.last.iter().map(|(&role, &it)| (role, it)));
                    for (&role, &event) in &next.first {
                        let before = &parts[..position];
                        if before.iter().all(|&it| firsts.may_skip(it, role)) {
                            own.first.entry(role).or_insert(event);
                        }
                    }
                }
            }
            Form::Fork(parts)
            | Form::Choice {
                branches: parts, ..
            } => {
                for part in parts {
                    let next = &edges[part.index()];
                    own.first
                        .extend(next.first.iter().map(|(&role, &it)| (role, it)));
                    own.last
                        .extend(next.last.iter().map(|(&role, &it)| (role, it)));
                }
            }
            Form::Repeat { body, .. } => {
                own = edges[body.index()].clone();
                tell(&own, &own);
            }
        }
        edges.push(own);
    }
    for id in gchor.in_order() {
        found
            .unsequenced
            .extend(findings.remove(&id).unwrap_or_default());
    }
}
