//! How many traces a graph has, without writing one down.
//!
//! A trace is what is seen of a run from the start to a termination (Figure 4.2 of Nguyen's thesis for Chor).
//! The graph is determinised as far as it is reached, so that each trace is one path, and paths are counted backwards:
//! `116 640` traces cost as much as the states they run through.
//!
//! Data play no part: a message counts once, whatever it carries, and a guard counts as satisfiable unless it is the
//! constant *false*.

use choros_base::{Budget, StopReason};
use choros_data::Term;
use num_bigint::BigUint;
use num_traits::Zero;
use rustc_hash::FxHashMap;

use super::{Direction, Event, Message, NodeId, Operation, Role, Stg};

/// A number of traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Traces {
    /// So many.
    Finite(BigUint),
    /// A loop can be taken any number of times.
    Infinite,
}

/// Counts the traces of a graph; `budget` is spent by the state of the determinised graph.
pub fn count_traces(stg: &Stg, budget: &Budget) -> Result<Traces, StopReason> {
    let graph = determinise(stg, budget)?;
    let useful = useful(&graph);
    if !useful[0] {
        return Ok(Traces::Finite(BigUint::zero()));
    }
    // Depth first; a state is counted when all that it leads to is.
    let mut counts: Vec<Option<BigUint>> = vec![None; graph.len()];
    let mut open = vec![false; graph.len()];
    let mut path: Vec<(usize, usize)> = vec![(0, 0)];
    open[0] = true;
    while let Some((state, position)) = path.last_mut() {
        let (state, at) = (*state, *position);
        *position += 1;
        match graph[state].steps.get(at) {
            Some(&next) if !useful[next] || counts[next].is_some() => {}
            Some(&next) if open[next] => return Ok(Traces::Infinite),
            Some(&next) => {
                open[next] = true;
                path.push((next, 0));
            }
            None => {
                let mut count = BigUint::from(u8::from(graph[state].ends));
                for &next in &graph[state].steps {
                    if let Some(further) = &counts[next] {
                        count += further;
                    }
                }
                counts[state] = Some(count);
                open[state] = false;
                path.pop();
            }
        }
    }
    Ok(Traces::Finite(counts.swap_remove(0).unwrap_or_default()))
}

#[derive(Debug, Default)]
struct State {
    ends: bool,
    /// Where each message leads.
    steps: Vec<usize>,
}

/// What is seen of a message.
type Letter = (Operation, Role, Role, Direction);

fn letter(message: &Message) -> Letter {
    (
        message.operation,
        message.from,
        message.to,
        message.direction,
    )
}

fn determinise(stg: &Stg, budget: &Budget) -> Result<Vec<State>, StopReason> {
    let start = close(stg, vec![stg.initial()]);
    let mut ids: FxHashMap<Vec<NodeId>, usize> = [(start.clone(), 0)].into_iter().collect();
    let mut sets = vec![start];
    let mut graph: Vec<State> = Vec::new();
    while graph.len() < sets.len() {
        budget.spend()?;
        let set = sets[graph.len()].clone();
        let ends = set.iter().any(|&node| {
            let mut terminations = stg.node(node).terminations.iter();
            terminations.any(|termination| termination.guard != Term::FALSE)
        });
        let mut order: Vec<Letter> = Vec::new();
        let mut targets: FxHashMap<Letter, Vec<NodeId>> = FxHashMap::default();
        for &node in &set {
            for (_, edge) in stg.outgoing(node) {
                let (Event::Message(message), true) = (&edge.event, edge.guard != Term::FALSE)
                else {
                    continue;
                };
                let letter = letter(message);
                let reached = targets.entry(letter).or_insert_with(|| {
                    order.push(letter);
                    Vec::new()
                });
                reached.push(edge.target);
            }
        }
        let mut steps = Vec::with_capacity(order.len());
        for letter in order {
            let target = close(stg, targets.remove(&letter).unwrap_or_default());
            let next = sets.len();
            let id = *ids.entry(target.clone()).or_insert(next);
            if id == next {
                sets.push(target);
            }
            steps.push(id);
        }
        graph.push(State { ends, steps });
    }
    Ok(graph)
}

/// The nodes and what unseen steps lead to, sorted.
fn close(stg: &Stg, nodes: Vec<NodeId>) -> Vec<NodeId> {
    let mut reached = nodes;
    reached.sort_unstable();
    reached.dedup();
    let mut seen: rustc_hash::FxHashSet<NodeId> = reached.iter().copied().collect();
    let mut next = 0;
    while next < reached.len() {
        for (_, edge) in stg.outgoing(reached[next]) {
            if edge.event.message().is_none()
                && edge.guard != Term::FALSE
                && seen.insert(edge.target)
            {
                reached.push(edge.target);
            }
        }
        next += 1;
    }
    reached.sort_unstable();
    reached
}

/// From which states a termination can be reached.
fn useful(graph: &[State]) -> Vec<bool> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); graph.len()];
    for (index, state) in graph.iter().enumerate() {
        for &next in &state.steps {
            before[next].push(index);
        }
    }
    let mut useful: Vec<bool> = graph.iter().map(|state| state.ends).collect();
    let mut work: Vec<usize> = (0..graph.len()).filter(|&index| useful[index]).collect();
    while let Some(state) = work.pop() {
        for &earlier in &before[state] {
            if !std::mem::replace(&mut useful[earlier], true) {
                work.push(earlier);
            }
        }
    }
    useful
}

#[cfg(test)]
mod tests {
    use choros_base::SourceMap;
    use choros_data::Terms;

    use super::super::read_stg;
    use super::*;

    fn count(text: &str) -> Traces {
        let (mut terms, mut sources) = (Terms::new(), SourceMap::new());
        let file = sources.add("test.stg", text);
        let (stg, diagnostics) = read_stg(file, text, &mut terms);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        count_traces(&stg, &Budget::steps(1_000)).unwrap()
    }

    #[test]
    fn two_paths_with_the_same_messages_are_one_trace() {
        let text = "stg t sinks\ninitial 0\n0 -> 1: a[x,y]\n0 -> 2: a[x,y]\n1 -> 3: b[x,y]\n2 -> 3: b[x,y]\n";
        assert_eq!(count(text), Traces::Finite(1u8.into()));
    }

    #[test]
    fn silent_steps_are_not_seen() {
        let text =
            "stg t sinks\ninitial 0\n0 -> 1: tau\n0 -> 2: a[x,y]\n1 -> 2: a[x,y]\n1 -> 3: b[x,y]\n";
        assert_eq!(count(text), Traces::Finite(2u8.into()));
    }

    #[test]
    fn a_loop_has_infinitely_many_if_it_can_be_left() {
        assert_eq!(
            count("stg t sinks\ninitial 0\n0 -> 0: a[x,y]\n0 -> 1: b[x,y]\n"),
            Traces::Infinite
        );
        assert_eq!(
            count("stg t explicit\ninitial 0\n0 -> 0: a[x,y]\n"),
            Traces::Finite(0u8.into())
        );
    }

    #[test]
    fn more_traces_than_any_machine_could_list_are_counted() {
        // 100 choices of two messages in a row: 2¹⁰⁰.
        let mut text = String::from("stg t sinks\ninitial 0\n");
        for node in 0..100 {
            for operation in ["a", "b"] {
                text.push_str(&format!("{node} -> {}: {operation}[x,y]\n", node + 1));
            }
        }
        assert_eq!(count(&text), Traces::Finite(BigUint::from(1u8) << 100));
    }
}
