//! Whether any run of the model explains what a test has seen: by following all of them.

use choros_symex::driver::{ConversationEntry, Moment};
use rustc_hash::FxHashMap;

use super::naive::{Given, Naive, State, number};

/// More states than this at a moment, or more steps in all, are not followed.
const MAX_STATES: usize = 1_000;
const STEPS: usize = 12_000;

/// What an inquiry finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// A run explains everything.
    Explained,
    /// None does.
    Unexplained,
    /// There are too many.
    Unknown,
}

/// Follows all runs until a moment; `told` says when the tester knew that an input had arrived, in their order.
pub(crate) fn inquire(
    naive: &Naive<'_>,
    log: &[ConversationEntry],
    told: &[Option<Moment>],
    until: Moment,
) -> Found {
    let numbers = numbers(log);
    let mut given: Vec<Given> = Vec::new();
    // The least time for which it has been late, for each state.
    let mut states: FxHashMap<State, Moment> = FxHashMap::default();
    states.insert(naive.start(vec![0; naive.variables.len()]), 0);
    let mut entries = log.iter().peekable();
    let mut now = 0;
    let mut steps = 0;
    let mut is_cut = false;
    loop {
        match close(naive, &mut states, now, &given, &numbers, &mut steps) {
            None => return Found::Unknown,
            Some(cut) => is_cut |= cut,
        }
        let unexplained = if is_cut {
            Found::Unknown
        } else {
            Found::Unexplained
        };
        let at = |entry: &ConversationEntry| match entry {
            ConversationEntry::Sent { at, .. }
            | ConversationEntry::Seen { at, .. }
            | ConversationEntry::Refused { at, .. }
            | ConversationEntry::Malformed { at, .. }
            | ConversationEntry::Arrived { at, .. }
            | ConversationEntry::Waited { at, .. } => *at,
        };
        match entries.next_if(|&entry| at(entry) <= now) {
            Some(ConversationEntry::Sent { message, at }) => {
                let input = given.len();
                given.push(Given {
                    message: message.clone(),
                    sent: *at,
                    there: None,
                    told: told.get(input).copied().flatten(),
                });
                states = states
                    .into_iter()
                    .map(|(mut state, late)| {
                        state.queue.push(input);
                        (state, late)
                    })
                    .collect();
                continue;
            }
            Some(ConversationEntry::Seen { message, .. }) => {
                states = states
                    .into_keys()
                    .filter_map(|state| Some((naive.seen(&state, message)?, 0)))
                    .collect();
                if states.is_empty() {
                    return unexplained;
                }
                continue;
            }
            Some(_) => continue,
            None => {}
        }
        let is_over = now >= until;
        if is_over && naive.is_timed && matches!(log.last(), Some(ConversationEntry::Waited { .. }))
        {
            // Silence is explained by who may be silent a moment longer.
            pass(naive, &mut states, now, &given);
        }
        if is_over {
            return if states.is_empty() {
                unexplained
            } else {
                Found::Explained
            };
        }
        if !naive.is_timed {
            // Nothing happens by itself: on to the next entry.
            now = entries.peek().map_or(until, |entry| at(entry)).min(until);
            continue;
        }
        pass(naive, &mut states, now, &given);
        now += 1;
    }
}

/// Lets a moment pass; who has been late for too long is not a correct service.
fn pass(naive: &Naive<'_>, states: &mut FxHashMap<State, Moment>, now: Moment, given: &[Given]) {
    states.retain(|state, late| {
        *late += Moment::from(naive.is_obliged(state, now, given));
        *late < naive.tempo.answer
    });
}

/// Adds everything that can happen without time passing, and says whether something was left out; none if that is too
/// much.
fn close(
    naive: &Naive<'_>,
    states: &mut FxHashMap<State, Moment>,
    now: Moment,
    given: &[Given],
    numbers: &[i64],
    steps: &mut usize,
) -> Option<bool> {
    let mut is_cut = false;
    let mut work: Vec<State> = states.keys().cloned().collect();
    while let Some(state) = work.pop() {
        let late = states[&state];
        *steps += 1;
        if *steps > STEPS {
            return None;
        }
        for next in naive.steps(&state, now, given, numbers) {
            if next.outbox.len() > 4 || next.asked.len() > 4 {
                is_cut = true;
                continue;
            }
            let known = states.get(&next).copied();
            if known.is_none_or(|known| late < known) {
                if states.len() > MAX_STATES {
                    return None;
                }
                states.insert(next.clone(), late);
                work.push(next);
            }
        }
    }
    Some(is_cut)
}

/// Numbers that a partner whom no one sees may say: small ones, and those from which what was seen can be computed.
fn numbers(log: &[ConversationEntry]) -> Vec<i64> {
    let mut numbers: Vec<i64> = (-1..=6).collect();
    for entry in log {
        if let ConversationEntry::Sent { message, .. } | ConversationEntry::Seen { message, .. } =
            entry
        {
            let value = number(&message.values[0]);
            numbers.extend([value - 3, value - 2, value - 1, value, value + 1]);
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
