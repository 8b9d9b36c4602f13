//! What a verdict about a g-choreography and its machines rests on, for `choros-certify`.

use choros_base::Budget;
use choros_certify::{JointState, Machines, WordProof, Words, check_words};
use choros_model::cfsm::{Cfsm, Discipline};
use choros_model::gchor::Gchor;
use choros_model::pomset::Event;
use rustc_hash::FxHashMap;

use super::language::{GchorLanguage, WordState};

impl Words for GchorLanguage {
    type State = WordState;

    fn start(&self) -> WordState {
        GchorLanguage::start(self)
    }

    fn after(&mut self, state: WordState, event: Event) -> Option<WordState> {
        let event = self.residuals().event_id(event)?;
        GchorLanguage::after(self, state, event)
    }
}

/// The proof that machines realise a g-choreography, or that they do not; it has been checked.
///
/// Each word that is listed takes a step of the budget.
pub fn word_proof(
    gchor: &Gchor,
    machines: &[Cfsm],
    discipline: Discipline,
    budget: &Budget,
) -> Result<WordProof, String> {
    let checker = Machines::new(machines, discipline);
    let proof = found(&mut GchorLanguage::new(gchor), &checker, budget)?;
    match check_words(&proof, &checker, &mut GchorLanguage::new(gchor), budget) {
        Ok(()) => Ok(proof),
        Err(_) => Err("what was found could not be confirmed step by step".to_owned()),
    }
}

/// All words, shortest first, up to one that shows that the machines do not realise it.
fn found(
    language: &mut GchorLanguage,
    machines: &Machines<'_>,
    budget: &Budget,
) -> Result<WordProof, String> {
    let start = (machines.initial(), Words::start(language));
    let mut numbers: FxHashMap<(JointState, WordState), u32> = FxHashMap::default();
    numbers.insert(start.clone(), 0);
    let mut pairs = vec![start];
    let mut list: Vec<(u32, Event)> = Vec::new();
    let mut is_full = false;
    let mut next = 0;
    while next < pairs.len() {
        budget.spend().map_err(|spent| spent.to_string())?;
        let (joint, allowed) = pairs[next].clone();
        let (steps, refused) = machines.events(&joint)?;
        is_full |= refused;
        if steps.is_empty() && !refused && !machines.is_over(&joint) {
            return Ok(WordProof::Stuck(word(&list, next as u32)));
        }
        for (event, to) in steps {
            let Some(after) = Words::after(language, allowed, event) else {
                let mut run = word(&list, next as u32);
                run.push(event);
                return Ok(WordProof::Excess(run));
            };
            let number = pairs.len() as u32;
            let pair = (to, after);
            if *numbers.entry(pair.clone()).or_insert(number) == number {
                pairs.push(pair);
                list.push((next as u32, event));
            }
        }
        next += 1;
    }
    if is_full {
        return Err("a channel was full, so the question was not settled".to_owned());
    }
    Ok(WordProof::Realised(list))
}

/// The events of a word.
fn word(list: &[(u32, Event)], number: u32) -> Vec<Event> {
    let mut events = Vec::new();
    let mut at = number;
    while let Some((from, event)) = at.checked_sub(1).and_then(|it| list.get(it as usize)) {
        events.push(*event);
        at = *from;
    }
    events.reverse();
    events
}
