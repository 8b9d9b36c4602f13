//! A folded drawing forgets no state and no way between what is shown.

use super::*;
use crate::{DrawnEdge, DrawnNode};
use choros_testkit::{Random, seed_from_env};

fn random_drawing(random: &mut Random) -> GraphDrawing {
    let size = 101 + random.below(300);
    // From a tree to a heap of interleavings.
    let more = random.below(3 * size);
    let mut edges: Vec<(usize, usize)> = (1..size).map(|it| (random.below(it), it)).collect();
    edges.extend((0..more).map(|_| (random.below(size), random.below(size))));
    edges.sort_unstable();
    let edges = edges.into_iter().map(|(source, target)| DrawnEdge {
        source,
        target,
        event: format!("e{}", source % 7),
        ..DrawnEdge::default()
    });
    let node = |label: usize| DrawnNode {
        label: format!("n{label}"),
        ..DrawnNode::default()
    };
    GraphDrawing {
        name: "g".to_owned(),
        nodes: (0..size).map(node).collect(),
        edges: edges.collect(),
        ..GraphDrawing::default()
    }
}

/// How many states a box says that it stands for.
fn counted(node: &DrawnNode) -> usize {
    let first = node.label.split(' ').next();
    let count = first.and_then(|it| it.parse().ok());
    if node.folded { count.unwrap_or(0) } else { 1 }
}

#[test]
fn every_state_is_counted_and_the_rest_can_be_read() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    for _ in 0..200 {
        let whole = random_drawing(&mut random);
        let states = whole.nodes.len();
        let folded = whole.clone().folded();
        assert!(folded.nodes.len() <= MAX_BOXES, "CHOROS_SEED={seed}");
        assert!(folded.nodes.len() > 1, "CHOROS_SEED={seed}");
        let count = folded.nodes.iter().map(counted).sum::<usize>();
        assert_eq!(count, states, "CHOROS_SEED={seed}");

        let name = format!("n{}", random.below(states));
        let part = whole.clone().part(&Part::Around(name.clone()));
        let part = part.expect("the state is there");
        let count = part.nodes.iter().map(counted).sum::<usize>();
        assert_eq!(count, states, "CHOROS_SEED={seed}");
        assert!(part.nodes.iter().any(|it| it.label == name));
        // All steps of the state itself are shown: none of its neighbours is in a box.
        let steps = |drawing: &GraphDrawing| {
            let at = |place: usize| drawing.nodes[place].label == name;
            let mut near = drawing.edges.iter();
            let is_near = |it: &&DrawnEdge| at(it.source) || at(it.target);
            near.by_ref().filter(is_near).count()
        };
        assert_eq!(steps(&part), steps(&whole), "CHOROS_SEED={seed}");
    }
}

#[test]
fn what_has_one_entrance_is_a_group() {
    // Two long arms: each is one group, named by its first state.
    let mut edges = vec![(0, 1), (0, 101)];
    edges.extend((1..100).map(|it| (it, it + 1)));
    edges.extend((101..200).map(|it| (it, it + 1)));
    edges.sort_unstable();
    let mut drawing = random_drawing(&mut Random::new(1));
    drawing.nodes = (0..201)
        .map(|label| DrawnNode {
            label: label.to_string(),
            ..DrawnNode::default()
        })
        .collect();
    drawing.edges = edges
        .into_iter()
        .map(|(source, target)| DrawnEdge {
            source,
            target,
            ..DrawnEdge::default()
        })
        .collect();
    let groups = groups::groups(&drawing, 3);
    let words: Vec<&str> = groups.iter().map(|it| it.where_it_is.as_str()).collect();
    assert_eq!(words, [" from 101 on", " from 1 on"]);
}

#[test]
fn a_name_that_is_not_there_gets_the_nearest() {
    let drawing = random_drawing(&mut Random::new(2));
    let missing = drawing.part(&Part::Around("e33".to_owned()));
    let missing = missing.err().unwrap();
    assert_eq!(missing.similar.as_deref(), Some("e3"));
    assert!(missing.known.iter().any(|it| it == "e3"));
}
