//! Which links to turn round so that no cycle is left: those that a depth-first search finds going back.

use super::Plan;

/// For each link, whether it is turned round.
pub(super) fn flipped(plan: &Plan) -> Vec<bool> {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); plan.boxes.len()];
    for (index, link) in plan.links.iter().enumerate() {
        leaving[link.source].push(index);
    }
    let mut flipped = vec![false; plan.links.len()];
    let mut state = vec![State::New; plan.boxes.len()];
    let starts = std::iter::once(plan.first).chain(0..plan.boxes.len());
    let mut path: Vec<(usize, usize)> = Vec::new();
    for start in starts {
        if state[start] != State::New {
            continue;
        }
        state[start] = State::Open;
        path.push((start, 0));
        while let Some((vertex, next)) = path.last_mut() {
            let Some(&index) = leaving[*vertex].get(*next) else {
                state[*vertex] = State::Done;
                path.pop();
                continue;
            };
            *next += 1;
            let target = plan.links[index].target;
            match state[target] {
                State::New => {
                    state[target] = State::Open;
                    path.push((target, 0));
                }
                State::Open => flipped[index] = true,
                State::Done => {}
            }
        }
    }
    flipped
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}
