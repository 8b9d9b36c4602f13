//! Which messages a model allows in either order, always and with the same outcome.
//!
//! Two messages *commute* if, wherever the model lets one follow the other, it lets them follow in the other order as
//! well, to the same node, and neither reads or writes what the other writes.
//! Then every two interleavings that differ by exchanging such neighbours lead to the same set of standings
//! (A. Mazurkiewicz' traces), and one of them stands for all.
//! Parallel parts of a choreography commute, which is what keeps the search linear for choreographies that their roles
//! can realise.

use choros_data::Terms;
use choros_model::stg::Direction;
use rustc_hash::{FxHashMap, FxHashSet};

use super::alphabet::{Alphabet, LetterId};
use super::automaton::{Automaton, AutomatonEdge};

/// A message, as a whole or at one of its ends.
pub(crate) type Act = (LetterId, Direction);

/// Pairs of messages that do not commute.
#[derive(Debug, Default)]
pub(crate) struct Commuting {
    clashes: FxHashMap<Act, Vec<Act>>,
}

impl Commuting {
    /// Looks at every two steps in a row.
    pub(crate) fn of(automaton: &Automaton, alphabet: &Alphabet, terms: &Terms) -> Commuting {
        let mut clashes: FxHashSet<(Act, Act)> = FxHashSet::default();
        let all = || {
            (0..alphabet.len() as u32).flat_map(|letter| {
                let directions = [Direction::Interaction, Direction::Send, Direction::Receive];
                directions.map(|direction| (LetterId(letter), direction))
            })
        };
        if automaton.has_silent_steps {
            // What silent steps decide in between is not examined: nothing is taken to commute.
            return Commuting {
                clashes: all().map(|act| (act, all().collect())).collect(),
            };
        }
        for node in 0..automaton.nodes.len() as u32 {
            for first in automaton.outgoing(node) {
                for second in automaton.outgoing(first.target) {
                    let (Some(x), Some(y)) = (first.seen, second.seen) else {
                        continue;
                    };
                    if x == y || clashes.contains(&(x, y)) {
                        continue;
                    }
                    if !independent(first, second, terms)
                        || !exchanged(automaton, node, first, second)
                    {
                        clashes.extend([(x, y), (y, x)]);
                    }
                }
            }
        }
        let mut sorted: Vec<(Act, Act)> = clashes.into_iter().collect();
        sorted.sort_unstable();
        let mut commuting = Commuting::default();
        for (x, y) in sorted {
            commuting.clashes.entry(x).or_default().push(y);
        }
        commuting
    }

    /// The messages that do not commute with this one.
    pub(crate) fn clashes(&self, act: Act) -> &[Act] {
        self.clashes.get(&act).map_or(&[], Vec::as_slice)
    }
}

fn independent(first: &AutomatonEdge, second: &AutomatonEdge, terms: &Terms) -> bool {
    let ((first_reads, first_writes), (second_reads, second_writes)) =
        (first.uses(terms), second.uses(terms));
    first_writes.is_disjoint(&second_reads)
        && first_writes.is_disjoint(&second_writes)
        && second_writes.is_disjoint(&first_reads)
}

/// Whether the same two steps lead from the node to the same target in the other order.
fn exchanged(
    automaton: &Automaton,
    node: u32,
    first: &AutomatonEdge,
    second: &AutomatonEdge,
) -> bool {
    automaton
        .outgoing(node)
        .iter()
        .filter(|step| alike(step, second))
        .any(|step| {
            automaton
                .outgoing(step.target)
                .iter()
                .any(|last| alike(last, first) && last.target == second.target)
        })
}

/// Whether two steps do the same, wherever they lead.
fn alike(left: &AutomatonEdge, right: &AutomatonEdge) -> bool {
    left.seen == right.seen
        && left.guard == right.guard
        && left.fields == right.fields
        && left.updates == right.updates
        && left.forgets == right.forgets
}
