//! A drawing in which groups of states are boxes.

use std::collections::BTreeMap;

use super::groups::Group;
use crate::{DrawnEdge, DrawnNode, DrawnTermination, GraphDrawing};

/// Between two boxes, more transitions than this become one.
const MAX_PARALLEL: usize = 2;

/// The drawing with one box per group of several states.
pub(super) fn fold(drawing: &GraphDrawing, groups: &[Group]) -> GraphDrawing {
    let mut group_of = vec![None; drawing.nodes.len()];
    let several = groups.iter().enumerate();
    for (place, group) in several.filter(|(_, it)| it.members.len() > 1) {
        for &member in &group.members {
            group_of[member] = Some(place);
        }
    }
    // A box is where its first state was.
    let mut nodes: Vec<DrawnNode> = Vec::new();
    let mut box_of_group = vec![None; groups.len()];
    let mut new_place = Vec::new();
    for (node, group) in group_of.iter().enumerate() {
        let place = match group {
            None => {
                nodes.push(drawing.nodes[node].clone());
                nodes.len() - 1
            }
            Some(group) => *box_of_group[*group].get_or_insert_with(|| {
                nodes.push(group_box(drawing, &groups[*group]));
                nodes.len() - 1
            }),
        };
        new_place.push(place);
    }
    let edges = edges(drawing, &new_place, &nodes);
    GraphDrawing {
        name: drawing.name.clone(),
        roles: drawing.roles.clone(),
        parameters: drawing.parameters.clone(),
        initial: new_place.get(drawing.initial).copied().unwrap_or(0),
        is_state_chart: drawing.is_state_chart,
        dot: String::new(),
        nodes,
        edges,
    }
}

fn group_box(drawing: &GraphDrawing, group: &Group) -> DrawnNode {
    let members = || group.members.iter().map(|&it| &drawing.nodes[it]);
    let mut label = format!("{} states", group.members.len());
    label.push_str(&group.where_it_is);
    let stuck = members().filter(|it| it.stuck).count();
    if stuck > 0 {
        label.push_str(&format!(", {stuck} stuck"));
    }
    let may_end = members().any(|it| it.terminations.iter().any(|it| !it.dead));
    DrawnNode {
        label,
        variables: Vec::new(),
        terminations: if may_end {
            vec![DrawnTermination::default()]
        } else {
            Vec::new()
        },
        stuck: stuck > 0,
        folded: true,
    }
}

/// Transitions between what is left; those inside a box are gone, and many between two boxes are one.
fn edges(drawing: &GraphDrawing, new_place: &[usize], nodes: &[DrawnNode]) -> Vec<DrawnEdge> {
    let mut edges: Vec<DrawnEdge> = Vec::new();
    // Where the edges between two boxes are.
    let mut between: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    let mut more: BTreeMap<usize, usize> = BTreeMap::new();
    for edge in &drawing.edges {
        let (source, target) = (new_place[edge.source], new_place[edge.target]);
        let is_folded = nodes[source].folded || nodes[target].folded;
        if source == target && is_folded {
            continue;
        }
        let edge = DrawnEdge {
            source,
            target,
            ..edge.clone()
        };
        if is_folded {
            let known = between.entry((source, target)).or_default();
            if known.iter().any(|&it| edges[it] == edge) {
                continue;
            }
            if known.len() == MAX_PARALLEL {
                *more.entry(known[0]).or_default() += 1;
                continue;
            }
            known.push(edges.len());
        }
        edges.push(edge);
    }
    // One edge says how many others there are, instead of the second one.
    let mut gone = Vec::new();
    for (first, count) in more {
        let ends = (edges[first].source, edges[first].target);
        gone.extend(between[&ends].iter().skip(1));
        let others = count + MAX_PARALLEL - 1;
        let event = if edges[first].silent {
            "τ"
        } else {
            &edges[first].event
        };
        edges[first] = DrawnEdge {
            source: ends.0,
            target: ends.1,
            event: format!("{event} and {others} more"),
            ..DrawnEdge::default()
        };
    }
    let mut place = 0;
    edges.retain(|_| {
        place += 1;
        !gone.contains(&(place - 1))
    });
    edges.sort_by_key(|it| it.source);
    edges
}
