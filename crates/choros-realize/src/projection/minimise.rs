//! States that behave alike become one.

use choros_data::{Term, Terms};
use choros_model::stg::{Edge, Event, NodeId, Stg, StgBuilder, Update};
use rustc_hash::FxHashMap;

use crate::projection::Foresight;

/// In a long chain, each round distinguishes one more state; beyond this many rounds a graph is left as it is.
const MAX_ROUNDS: usize = 256;

/// What a state does: its class, when it may end, what the role knows there, and its labels with the classes they lead
/// to.
type Signature = (usize, Vec<usize>, Option<Foresight>, Vec<(usize, usize)>);

/// The quotient by strong bisimilarity with equal labels, numbered breadth-first from 1.
///
/// Partition refinement in its plain form: states with different signatures are parted until nothing changes.
pub(crate) fn minimise(stg: &Stg, terms: &mut Terms) -> Stg {
    minimise_knowing(stg, &[], terms).0
}

/// The same for states that also differ in what the role knows there.
pub(crate) fn minimise_knowing(
    stg: &Stg,
    foresights: &[Foresight],
    terms: &mut Terms,
) -> (Stg, Vec<Foresight>) {
    let labels = labels(stg);
    let mut classes = vec![0; stg.nodes().len()];
    let mut count = 1;
    for _ in 0..MAX_ROUNDS {
        let mut numbers: FxHashMap<Signature, usize> = FxHashMap::default();
        let mut refined = vec![0; classes.len()];
        for node in stg.node_ids() {
            let ends = stg.node(node).terminations.iter();
            let mut ends: Vec<usize> = ends.map(|end| end.guard.index()).collect();
            ends.sort_unstable();
            let mut steps: Vec<(usize, usize)> = stg
                .outgoing(node)
                .map(|(id, edge)| (labels[id.index()], classes[edge.target.index()]))
                .collect();
            steps.sort_unstable();
            steps.dedup();
            let next = numbers.len();
            let foresight = foresights.get(node.index()).copied();
            let signature = (classes[node.index()], ends, foresight, steps);
            refined[node.index()] = *numbers.entry(signature).or_insert(next);
        }
        classes = refined;
        if numbers.len() == count {
            let (stg, kept) = quotient(stg, &classes, terms);
            let kept = kept.into_iter();
            let foresights = kept.filter_map(|it| foresights.get(it.index()).copied());
            return (stg, foresights.collect());
        }
        count = numbers.len();
    }
    (stg.clone(), foresights.to_vec())
}

/// For each edge a number that it shares with all edges of the same guard, event and updates.
fn labels(stg: &Stg) -> Vec<usize> {
    let mut numbers: FxHashMap<(Term, &Event, &[Update]), usize> = FxHashMap::default();
    stg.edges()
        .iter()
        .map(|edge| {
            let next = numbers.len();
            *numbers
                .entry((edge.guard, &edge.event, &edge.updates))
                .or_insert(next)
        })
        .collect()
}

/// One state for each class, and which one stands for it.
fn quotient(stg: &Stg, classes: &[usize], terms: &mut Terms) -> (Stg, Vec<NodeId>) {
    let mut builder = StgBuilder::new(stg.name(), stg.ending());
    let mut new: FxHashMap<usize, NodeId> = FxHashMap::default();
    let mut order: Vec<NodeId> = Vec::new();
    let mut node_of = |node: NodeId, order: &mut Vec<NodeId>, builder: &mut StgBuilder| {
        *new.entry(classes[node.index()]).or_insert_with(|| {
            order.push(node);
            builder.node(order.len().to_string())
        })
    };
    let initial = node_of(stg.initial(), &mut order, &mut builder);
    let mut next = 0;
    while next < order.len() {
        let old = order[next];
        let source = NodeId(next as u32);
        next += 1;
        for termination in &stg.node(old).terminations {
            builder.terminate(terms, source, termination.guard, termination.origin);
        }
        for (_, edge) in stg.outgoing(old) {
            let target = node_of(edge.target, &mut order, &mut builder);
            let edge = Edge {
                source,
                target,
                ..edge.clone()
            };
            builder.edge(terms, edge);
        }
    }
    (builder.finish_as_built(initial), order)
}
