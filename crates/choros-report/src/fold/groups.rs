//! Groups of states that a reader can take as one.
//!
//! The best group has one way in: all that can only be reached through one state. Where states interleave there are
//! few such groups, and a large one is divided by the distance from its entrance.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::dominators::immediate_dominators;
use crate::GraphDrawing;

/// States that become one box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) members: Vec<usize>,
    /// What the box says after the number of its states.
    pub(super) where_it_is: String,
}

impl Group {
    pub(super) fn plain(members: Vec<usize>) -> Group {
        Group {
            members,
            where_it_is: String::new(),
        }
    }
}

/// Groups by which the drawing has at most `most` boxes; states in none of them stay as they are.
pub(super) fn groups(drawing: &GraphDrawing, most: usize) -> Vec<Group> {
    let above = immediate_dominators(drawing);
    let mut below = vec![Vec::new(); drawing.nodes.len()];
    let mut unreached = Vec::new();
    for (node, up) in above.iter().enumerate() {
        match up {
            Some(up) => below[*up].push(node),
            None if node != drawing.initial => unreached.push(node),
            None => {}
        }
    }
    let sizes = sizes(drawing.initial, &below);
    // The largest group is opened while there is room: its entrance becomes a state of its own.
    let mut closed = BTreeSet::new();
    let mut open = vec![drawing.initial];
    let mut boxes = 1 + usize::from(!unreached.is_empty());
    while let Some(place) = (0..open.len()).max_by_key(|&it| (sizes[open[it]], usize::MAX - it)) {
        let head = open.swap_remove(place);
        if sizes[head] == 1 {
            continue;
        }
        if boxes + below[head].len() > most {
            closed.insert((sizes[head], head));
            continue;
        }
        boxes += below[head].len();
        open.extend(&below[head]);
    }
    let mut groups = Vec::new();
    for (_, head) in closed.into_iter().rev() {
        let members = subtree(head, &below);
        let room = most.saturating_sub(boxes) + 1;
        let bands = bands(drawing, head, &members, room);
        // If it is divided, its entrance is a box as well.
        boxes += if bands.len() > 1 { bands.len() } else { 0 };
        groups.extend(bands);
    }
    if !unreached.is_empty() {
        let where_it_is = " that no run reaches".to_owned();
        groups.push(Group {
            members: unreached,
            where_it_is,
        });
    }
    groups
}

/// How many nodes are at or below each node.
fn sizes(root: usize, below: &[Vec<usize>]) -> Vec<usize> {
    let mut sizes = vec![1; below.len()];
    for &node in subtree(root, below).iter().rev() {
        sizes[node] = 1 + below[node].iter().map(|&it| sizes[it]).sum::<usize>();
    }
    sizes
}

/// A node and all below it, each after what is above it.
fn subtree(head: usize, below: &[Vec<usize>]) -> Vec<usize> {
    let mut members = vec![head];
    let mut next = 0;
    while let Some(&node) = members.get(next) {
        next += 1;
        members.extend(&below[node]);
    }
    members
}

/// A group with one entrance, divided by distance from it if there is room for that.
fn bands(drawing: &GraphDrawing, head: usize, members: &[usize], room: usize) -> Vec<Group> {
    let entrance = &drawing.nodes[head].label;
    let whole = || Group {
        members: members.to_vec(),
        where_it_is: format!(" from {entrance} on"),
    };
    if room < 4 {
        return vec![whole()];
    }
    let steps = distances(drawing, head, members);
    let Some(farthest) = steps.values().copied().max() else {
        return vec![whole()];
    };
    // The entrance stays; the others are cut into bands of the same depth.
    let depth = farthest.div_ceil(room - 1).max(1);
    let mut bands: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &node in members {
        let distance = steps.get(&node).copied().unwrap_or(farthest);
        bands
            .entry(distance.div_ceil(depth))
            .or_default()
            .push(node);
    }
    let place = |band: usize| {
        let (first, last) = (depth * (band - 1) + 1, (depth * band).min(farthest));
        let one_or_several = match (first == last, last) {
            (true, 1) => "1 step".to_owned(),
            (true, _) => format!("{last} steps"),
            (false, _) => format!("{first} to {last} steps"),
        };
        format!(", {one_or_several} after {entrance}")
    };
    let later = bands.into_iter().filter(|(band, _)| *band > 0);
    let groups = later.map(|(band, members)| Group {
        members,
        where_it_is: place(band),
    });
    groups.collect()
}

/// How far the members of a group are from its entrance.
fn distances(drawing: &GraphDrawing, head: usize, members: &[usize]) -> BTreeMap<usize, usize> {
    let mut inside = vec![false; drawing.nodes.len()];
    for &node in members {
        inside[node] = true;
    }
    let leaving = drawing.leaving();
    let mut steps = BTreeMap::from([(head, 0)]);
    let mut open = VecDeque::from([(head, 0)]);
    while let Some((node, distance)) = open.pop_front() {
        for &edge in &leaving[node] {
            let target = drawing.edges[edge].target;
            if inside[target] && !steps.contains_key(&target) {
                steps.insert(target, distance + 1);
                open.push_back((target, distance + 1));
            }
        }
    }
    steps
}
