//! Runs of machines and the words that a g-choreography allows (Coto's thesis, Definition 3.3).
//!
//! The machines realise it if every run of theirs is an allowed word and none ends where something still waits.
//! A list of words, one for each pair of a configuration and what may still follow, shows it: the empty word is among
//! them, and whatever step the machines can take after one of them is allowed and leads to the pair of another.
//! By induction no run leaves the list.
//! One run shows the opposite: its last step is not allowed, or nothing follows it and something waits.
//!
//! What is allowed after a word is the meaning of the g-choreography and part of the question, so it is asked for
//! ([`Words`]); configurations are computed here.

use choros_base::Budget;
use choros_model::pomset::Event;
use rustc_hash::FxHashMap;

use crate::flaw::Flaw;
use crate::machines::{JointState, Machines};

/// The words that are allowed.
pub trait Words {
    /// Where a word leads; equal states allow the same.
    type State: Copy + Eq + std::hash::Hash;

    /// Where the empty word leads.
    fn start(&self) -> Self::State;

    /// Where an event leads, if it is allowed.
    fn after(&mut self, state: Self::State, event: Event) -> Option<Self::State>;
}

/// What an answer about a g-choreography and its machines rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WordProof {
    /// Words, each an earlier one, by its number, and one event more; the empty word is number 0.
    Realised(Vec<(u32, Event)>),
    /// A run whose last event is not allowed.
    Excess(Vec<Event>),
    /// A run after which nothing follows although something waits.
    Stuck(Vec<Event>),
}

/// Nothing if the claim of a proof is true, otherwise the first thing that is not as it should be.
pub fn check_words<W: Words>(
    proof: &WordProof,
    machines: &Machines<'_>,
    words: &mut W,
    budget: &Budget,
) -> Result<(), Flaw> {
    match proof {
        WordProof::Realised(list) => realised(list, machines, words, budget),
        WordProof::Excess(run) => {
            let Some((last, before)) = run.split_last() else {
                return Err(Flaw::wrong("the run is empty"));
            };
            let (joint, allowed) = end_of(before, machines, words)?;
            let Some(allowed) = allowed else {
                return Err(Flaw::wrong("the run leaves what is allowed too early"));
            };
            step(machines, &joint, *last)?;
            match words.after(allowed, *last) {
                None => Ok(()),
                Some(_) => Err(Flaw::wrong("the last step of the run is allowed")),
            }
        }
        WordProof::Stuck(run) => {
            let (joint, _) = end_of(run, machines, words)?;
            let (steps, refused) = machines.events(&joint).map_err(Flaw::wrong)?;
            match (steps.is_empty() && !refused, machines.is_over(&joint)) {
                (true, false) => Ok(()),
                (true, true) => Err(Flaw::wrong("nothing waits at the end of the run")),
                (false, _) => Err(Flaw::wrong("the run can continue")),
            }
        }
    }
}

fn realised<W: Words>(
    list: &[(u32, Event)],
    machines: &Machines<'_>,
    words: &mut W,
    budget: &Budget,
) -> Result<(), Flaw> {
    let mut pairs = vec![(machines.initial(), words.start())];
    for (index, &(from, event)) in list.iter().enumerate() {
        budget.spend().map_err(Flaw::spent)?;
        let number = index + 1;
        let Some((joint, allowed)) = pairs.get(from as usize) else {
            return Err(Flaw::wrong(format!("word {number} continues a later one")));
        };
        let to = step(machines, joint, event)?;
        match words.after(*allowed, event) {
            Some(allowed) => pairs.push((to, allowed)),
            None => return Err(Flaw::wrong(format!("word {number} is not allowed"))),
        }
    }
    let known: FxHashMap<&(JointState, W::State), usize> = pairs.iter().zip(0..).collect();
    for (number, (joint, allowed)) in pairs.iter().enumerate() {
        budget.spend().map_err(Flaw::spent)?;
        let (steps, refused) = machines.events(joint).map_err(Flaw::wrong)?;
        if refused {
            return Err(Flaw::wrong(format!(
                "a channel is full after word {number}"
            )));
        }
        if steps.is_empty() && !machines.is_over(joint) {
            return Err(Flaw::wrong(format!(
                "something waits forever after word {number}"
            )));
        }
        for (event, to) in steps {
            let Some(after) = words.after(*allowed, event) else {
                return Err(Flaw::wrong(format!(
                    "the machines can do what is not allowed after word {number}"
                )));
            };
            if !known.contains_key(&(to, after)) {
                return Err(Flaw::wrong(format!(
                    "a step leads out of the list after word {number}"
                )));
            }
        }
    }
    Ok(())
}

/// The configuration after a run, and what may follow if all of it is allowed.
fn end_of<W: Words>(
    run: &[Event],
    machines: &Machines<'_>,
    words: &mut W,
) -> Result<(JointState, Option<W::State>), Flaw> {
    let mut joint = machines.initial();
    let mut allowed = Some(words.start());
    for &event in run {
        joint = step(machines, &joint, event)?;
        allowed = allowed.and_then(|it| words.after(it, event));
    }
    Ok((joint, allowed))
}

/// The configuration after an event; there must be one and no other.
fn step(machines: &Machines<'_>, joint: &JointState, event: Event) -> Result<JointState, Flaw> {
    let (steps, _) = machines.events(joint).map_err(Flaw::wrong)?;
    let mut found = steps.into_iter().filter(|it| it.0 == event);
    match (found.next(), found.next()) {
        (Some((_, to)), None) => Ok(to),
        (None, _) => Err(Flaw::wrong("the machines cannot take a step of a run")),
        (Some(_), Some(_)) => Err(Flaw::wrong("a step of a run leads to two configurations")),
    }
}
