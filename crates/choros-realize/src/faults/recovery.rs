//! Whether roles can always still end, whatever faults have happened.
//!
//! From every state a run without further faults leads to an end.
//! Where the data split a state, all its cases must reach an end; where they split what follows a step, it is assured
//! only if all cases after it reach one, and hopeless only if none does.
//! What lies between is not settled.

use choros_model::stg::{Event, Stg};

use super::search::{Next, Search};

/// What is known.
pub(super) enum Recovery {
    /// They can always still end.
    Always,
    /// From this state they cannot.
    Never(usize),
    /// It depends on data in a way that is not followed.
    Open,
}

/// Examines a search that was followed to its end.
pub(super) fn recovery(search: &Search<'_>, roles: &Stg) -> Recovery {
    let assured = reaching(search, roles, |all| !all.contains(&false));
    if assured.iter().all(|&it| it) {
        return Recovery::Always;
    }
    let hoped = reaching(search, roles, |all| all.contains(&true));
    let mut hopeless = (0..hoped.len()).filter(|&it| !hoped[it]);
    let Some(first) = hopeless.next() else {
        return Recovery::Open;
    };
    let stuck = |&it: &usize| match &search.states[it].next {
        Next::Steps { steps, .. } => steps.iter().all(|(id, _)| is_fault(&roles.edge(*id).event)),
        Next::Cases(_) | Next::Unexplored => false,
    };
    let shown = std::iter::once(first).chain(hopeless).find(stuck);
    Recovery::Never(shown.unwrap_or(first))
}

/// The states that can be reached from one.
pub(super) fn region(search: &Search<'_>, from: usize) -> Vec<usize> {
    let mut found = vec![from];
    let mut seen = vec![false; search.states.len()];
    seen[from] = true;
    let mut next = 0;
    while next < found.len() {
        let after: Vec<usize> = match &search.states[found[next]].next {
            Next::Unexplored => Vec::new(),
            Next::Cases(cases) => cases.clone(),
            Next::Steps { steps, .. } => steps.iter().flat_map(|it| it.1.clone()).collect(),
        };
        next += 1;
        for state in after {
            if !std::mem::replace(&mut seen[state], true) {
                found.push(state);
            }
        }
    }
    found
}

fn is_fault(event: &Event) -> bool {
    matches!(event, Event::Disturbance(it) if it.is_fault())
}

/// From which states an end is reached; `agree` says what is asked of the cases after a step.
fn reaching(search: &Search<'_>, roles: &Stg, agree: fn(&[bool]) -> bool) -> Vec<bool> {
    let states = &search.states;
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); states.len()];
    for (number, state) in states.iter().enumerate() {
        let mut add = |after: &[usize]| after.iter().for_each(|&it| before[it].push(number));
        match &state.next {
            Next::Unexplored => {}
            Next::Cases(cases) => add(cases),
            Next::Steps { steps, .. } => steps.iter().for_each(|it| add(&it.1)),
        }
    }
    let mut reached = vec![false; states.len()];
    let mut work: Vec<usize> = (0..states.len()).collect();
    while let Some(number) = work.pop() {
        if reached[number] {
            continue;
        }
        let known = |all: &[usize]| all.iter().map(|&it| reached[it]).collect::<Vec<_>>();
        let now = match &states[number].next {
            Next::Unexplored => false,
            Next::Cases(cases) => agree(&known(cases)),
            Next::Steps { ends, steps } => {
                *ends
                    || steps.iter().any(|(id, after)| {
                        !is_fault(&roles.edge(*id).event) && agree(&known(after))
                    })
            }
        };
        if now {
            reached[number] = true;
            work.extend(&before[number]);
        }
    }
    reached
}
