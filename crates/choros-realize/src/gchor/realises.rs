//! Whether machines realise a g-choreography (Coto's thesis, Definition 3.3): every run of the machines is in its
//! language, and none comes to an unsafe configuration.
//!
//! The machines and the language go step by step together.
//! Deterministic machines are in one configuration after a word, so an event that is possible on one side only ends a
//! word of the difference.

use choros_base::{Budget, StopReason};
use choros_model::cfsm::{Channels, DeadKind, Move, System};
use choros_model::evidence::{Departure, Step, StepEvent, Trace, WrongEvent};
use choros_model::gchor::{Form, Gchor, Interaction};
use choros_model::lts::{Action, ActionId, Lts, StateId};
use choros_model::pomset::Event;
use choros_model::stg::Direction;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use super::language::{GchorLanguage, WordCounts, WordState};
use super::residual::EventId;

/// What was found.
#[derive(Debug, Clone)]
pub struct RealisedWords {
    /// Configurations of the machines, together with what may be left of the g-choreography.
    pub states: usize,
    /// A run that the g-choreography does not allow; its last step is the first that is too much.
    pub excess: Option<Trace>,
    /// A run to an unsafe configuration, and what is unsafe about it.
    pub stuck: Option<(Trace, DeadKind)>,
    /// A word of the g-choreography that the machines cannot do; its last event is the first they refuse.
    pub missing: Option<Trace>,
    /// A full channel refused a message, so longer queues may show more.
    pub bound_reached: bool,
    /// Why the rest was not examined, if something was left.
    pub stopped: Option<StopReason>,
}

impl RealisedWords {
    /// Whether the machines realise it: yes, no, or not known.
    pub fn answer(&self) -> Option<bool> {
        match (&self.excess, &self.stuck) {
            (None, None) if self.bound_reached || self.stopped.is_some() => None,
            (None, None) => Some(true),
            _ => Some(false),
        }
    }
}

/// A bound that no channel reaches when nothing is repeated: every interaction is under way at most once.
pub fn ample_bound(gchor: &Gchor) -> Option<u32> {
    if gchor.has_loops() {
        return None;
    }
    // Nodes may be shared, so occurrences are counted along the tree.
    let mut counts: Vec<u32> = Vec::with_capacity(gchor.len());
    for id in gchor.ids() {
        let parts = gchor.form(id).parts().iter();
        let below = parts.fold(0_u32, |sum, part| sum.saturating_add(counts[part.index()]));
        counts.push(match gchor.form(id) {
            Form::Interaction(_) => 1,
            _ => below,
        });
    }
    gchor.root().map(|root| counts[root.index()].max(1))
}

/// Lets a system and a g-choreography go together, breadth-first, so that what is found is found by a shortest run.
///
/// Each pair of a configuration and a state of the language takes a step of the budget.
pub fn realises(gchor: &Gchor, system: &mut System<'_>, budget: &Budget) -> RealisedWords {
    let mut language = GchorLanguage::new(gchor);
    let mut found = RealisedWords {
        states: 0,
        excess: None,
        stuck: None,
        missing: None,
        bound_reached: false,
        stopped: None,
    };
    // After a step that is too much the language has nothing more to say, but machines may still get stuck.
    let start = (system.initial(), Some(language.start()));
    let mut ids: FxHashMap<(StateId, Option<WordState>), u32> = FxHashMap::default();
    ids.insert(start, 0);
    let mut pairs = vec![Reached {
        pair: start,
        from: None,
    }];
    let mut moves: Vec<Move> = Vec::new();
    let mut next = 0;
    while next < pairs.len() {
        if let Err(spent) = budget.spend() {
            found.stopped = Some(spent);
            break;
        }
        let here = next as u32;
        let (state, word) = pairs[next].pair;
        next += 1;
        moves.clear();
        system.moves(state, &mut moves);
        let refused = system.is_send_blocked(state);
        found.bound_reached |= refused;
        if moves.is_empty() && found.stuck.is_none() {
            let kind = system.dead_kind(state);
            if kind.is_unsafe() {
                let conclusion = format!("{}: {}", kind.word(), system.describe(state));
                let run = run(&pairs, here, None, system, conclusion);
                found.stuck = Some((run, kind));
            }
        }
        let mut done: Vec<EventId> = Vec::new();
        for step in &moves {
            let event = event_of(system, step.action)
                .and_then(|event| language.residuals().event_id(event));
            done.extend(event);
            let after = match (word, event) {
                (Some(word), Some(event)) => language.after(word, event),
                _ => None,
            };
            if let (Some(word), None, None) = (word, after, &found.excess) {
                let conclusion = excess_words(&mut language, word, system, step);
                let last = Some((step.action, step.target));
                found.excess = Some(run(&pairs, here, last, system, conclusion));
            }
            let pair = (step.target, after);
            let number = pairs.len() as u32;
            if *ids.entry(pair).or_insert(number) == number {
                pairs.push(Reached {
                    pair,
                    from: Some((here, step.action)),
                });
            }
        }
        if let (Some(word), None, false) = (word, &found.missing, refused) {
            let steps = language.steps(word);
            let missing = steps.iter().find(|(event, _)| !done.contains(event));
            if let Some(&(event, _)) = missing {
                let event = language.residuals().events()[event.index()];
                let text = event.text(system.names());
                let conclusion = format!(
                    "the machines cannot do `{text}` here: {}",
                    system.describe(state)
                );
                let mut run = run(&pairs, here, None, system, conclusion);
                let missing = step_of(event, system, None);
                run.departure.expected.push(missing.event.into());
                found.missing = Some(run);
            }
        }
        if found.excess.is_some() && found.stuck.is_some() {
            break;
        }
    }
    found.states = pairs.len();
    found
}

/// How many words a g-choreography and its machines have, where that can be counted quickly.
pub fn words_of_both(
    gchor: &Gchor,
    system: &mut System<'_>,
    budget: &Budget,
) -> Option<[WordCounts; 2]> {
    if gchor.has_loops() {
        return None;
    }
    let counts = GchorLanguage::new(gchor)
        .counts(&budget.part(QUICKLY))
        .ok()?;
    let machines = system_words(system, &budget.part(QUICKLY)).ok()??;
    Some([counts, machines])
}

/// States that are examined for numbers that no verdict depends on.
const QUICKLY: u64 = 20_000;

/// How many words a system of deterministic machines has, if it comes to an end: runs to where nothing follows, and
/// their prefixes.
///
/// `None` when a run can continue forever.
pub fn system_words(
    system: &mut System<'_>,
    budget: &Budget,
) -> Result<Option<WordCounts>, StopReason> {
    let start = system.initial();
    let mut known: FxHashMap<StateId, (BigUint, BigUint)> = FxHashMap::default();
    let mut entered: FxHashMap<StateId, ()> = FxHashMap::default();
    let mut open = vec![start];
    let mut moves: Vec<Move> = Vec::new();
    while let Some(&state) = open.last() {
        if known.contains_key(&state) {
            open.pop();
            continue;
        }
        moves.clear();
        system.moves(state, &mut moves);
        let missing: Vec<StateId> = moves
            .iter()
            .map(|step| step.target)
            .filter(|target| !known.contains_key(target))
            .collect();
        if missing.is_empty() {
            let mut whole = BigUint::from(u8::from(moves.is_empty()));
            let mut prefixes = BigUint::from(1_u8);
            for step in &moves {
                if let Some((words, beginnings)) = known.get(&step.target) {
                    whole += words;
                    prefixes += beginnings;
                }
            }
            known.insert(state, (whole, prefixes));
            open.pop();
            continue;
        }
        budget.spend()?;
        // A configuration that waits for its successors and is met again lies on a cycle.
        if entered.insert(state, ()).is_some() {
            return Ok(None);
        }
        open.extend(missing);
    }
    Ok(known
        .remove(&start)
        .map(|(linearisations, prefixes)| WordCounts {
            linearisations,
            prefixes,
        }))
}

struct Reached {
    pair: (StateId, Option<WordState>),
    from: Option<(u32, ActionId)>,
}

/// The run to a pair, and perhaps one step more.
fn run(
    pairs: &[Reached],
    to: u32,
    last: Option<(ActionId, StateId)>,
    system: &System<'_>,
    conclusion: String,
) -> Trace {
    let mut steps = Vec::new();
    let mut at = to;
    if let Some((action, target)) = last {
        let states = (
            system.describe(pairs[at as usize].pair.0),
            system.describe(target),
        );
        steps.extend(event_of(system, action).map(|event| step_of(event, system, Some(states))));
    }
    while let Some((from, action)) = pairs[at as usize].from {
        let states = (
            system.describe(pairs[from as usize].pair.0),
            system.describe(pairs[at as usize].pair.0),
        );
        steps.extend(event_of(system, action).map(|event| step_of(event, system, Some(states))));
        at = from;
    }
    steps.reverse();
    let wrong = if last.is_some() {
        WrongEvent::LastStep
    } else {
        WrongEvent::Nothing
    };
    Trace {
        steps,
        conclusion,
        departure: Departure {
            wrong,
            ..Departure::default()
        },
        ..Trace::default()
    }
}

fn excess_words(
    language: &mut GchorLanguage,
    word: WordState,
    system: &System<'_>,
    step: &Move,
) -> String {
    let names = system.names();
    let text = event_of(system, step.action).map_or_else(String::new, |event| event.text(names));
    let allowed: Vec<String> = language
        .steps(word)
        .iter()
        .map(|(event, _)| {
            let event = language.residuals().events()[event.index()];
            format!("`{}`", event.text(names))
        })
        .collect();
    if allowed.is_empty() {
        format!("the choreography has ended here and does not allow `{text}`")
    } else {
        format!(
            "the choreography does not allow `{text}` here, only {}",
            allowed.join(", ")
        )
    }
}

fn event_of(system: &System<'_>, action: ActionId) -> Option<Event> {
    match system.action(action) {
        Action::Named {
            name,
            ends: Some((from, to)),
            direction,
            ..
        } if system.discipline().channels != Channels::Synchronous => Some(Event {
            interaction: Interaction {
                from: *from,
                to: *to,
                message: *name,
            },
            is_output: *direction == Direction::Send,
        }),
        _ => None,
    }
}

fn step_of(event: Event, system: &System<'_>, states: Option<(String, String)>) -> Step {
    let names = system.names();
    let Interaction { from, to, message } = event.interaction;
    Step {
        event: StepEvent::Message {
            operation: names.text(message).to_owned(),
            from: names.text(from).to_owned(),
            to: names.text(to).to_owned(),
            direction: event.direction(),
            fields: Vec::new(),
        },
        guard: None,
        bindings: Vec::new(),
        states,
        origin: None,
    }
}
