//! Systems made small: states that no one can distinguish become one.

mod branching;
mod partition;
mod strong;

use choros_base::Choice;
use choros_data::Terms;
use choros_model::lts::{Action, Cut, ExplicitLts, ExplicitLtsBuilder, Lts, StateId};
use partition::Partition;

/// When states are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Equivalence {
    /// Strong bisimilarity (D. Park, 1981): each step of one is a step of the other with the same label.
    Strong,
    /// Branching bisimilarity with explicit divergence (R. J. van Glabbeek and W. P. Weijland, 1996): silent steps that
    /// change nothing are not seen, but being able to continue silently forever is.
    Branching,
}

impl Choice for Equivalence {
    const CHOICES: &'static [(&'static str, Equivalence, &'static str)] = &[
        (
            "strong",
            Equivalence::Strong,
            "Every step of one can be matched by the other",
        ),
        (
            "branching",
            Equivalence::Branching,
            "As `strong`, but silent steps that change nothing are ignored",
        ),
    ];
}

/// The smallest system that is equivalent, with states numbered in the order of discovery.
///
/// What counts is the labels of transitions and whether a state has ended; propositions of states are left out.
/// A forced termination is as silent as `τ`: whatever the rules, it is never observed.
///
/// A system of which a part is missing is not made small, because states whose successors are missing look alike; the
/// answer is then the bound that cut it.
pub fn minimize(system: &ExplicitLts, equivalence: Equivalence) -> Result<ExplicitLts, Cut> {
    if let Some(cut) = system.extent().cut_by() {
        return Err(cut.clone());
    }
    let partition = classes(system, equivalence);
    Ok(quotient(system, &partition, equivalence))
}

/// Which states are equivalent: a class for each state.
pub fn bisimilar(system: &ExplicitLts, equivalence: Equivalence) -> Vec<u32> {
    classes(system, equivalence).classes
}

fn classes(system: &ExplicitLts, equivalence: Equivalence) -> Partition {
    match equivalence {
        Equivalence::Strong => strong::partition(system),
        Equivalence::Branching => branching::partition(system),
    }
}

/// Whether a label is never observed.
fn is_silent(action: &Action) -> bool {
    matches!(action, Action::Silent | Action::Hidden(_))
}

fn quotient(system: &ExplicitLts, partition: &Partition, equivalence: Equivalence) -> ExplicitLts {
    let mut members: Vec<Vec<StateId>> = vec![Vec::new(); partition.count];
    for state in system.states() {
        members[partition.class(state) as usize].push(state);
    }
    let endless = match equivalence {
        Equivalence::Strong => vec![false; system.counts().states],
        Equivalence::Branching => branching::endless(system),
    };
    let mut numbers: Vec<Option<StateId>> = vec![None; partition.count];
    let mut queue: Vec<u32> = Vec::new();
    let mut number = |class: u32, queue: &mut Vec<u32>| {
        *numbers[class as usize].get_or_insert_with(|| {
            queue.push(class);
            StateId(queue.len() as u32 - 1)
        })
    };
    let first = partition.class(system.start());
    number(first, &mut queue);
    let mut builder = ExplicitLtsBuilder::new();
    let mut next = 0;
    while next < queue.len() {
        let class = queue[next];
        next += 1;
        let mut transitions = Vec::new();
        let own = &members[class as usize];
        if own.iter().any(|state| endless[state.index()]) {
            transitions.push((builder.action(&Action::Silent), number(class, &mut queue)));
        }
        for &state in &members[class as usize] {
            for &(action, target) in system.transitions(state) {
                let label = system.action(action);
                let target = partition.class(target);
                let is_inert = equivalence == Equivalence::Branching && is_silent(label);
                if !(is_inert && target == class) {
                    transitions.push((builder.action(label), number(target, &mut queue)));
                }
            }
            // Strongly bisimilar states all say the same.
            if equivalence == Equivalence::Strong {
                break;
            }
        }
        let has_ended = members[class as usize]
            .iter()
            .any(|&state| system.ended(state));
        builder.state(transitions, &[], has_ended);
    }
    let terms: Terms = system.terms().clone();
    builder.finish(StateId(0), terms)
}
