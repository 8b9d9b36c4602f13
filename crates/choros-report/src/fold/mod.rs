//! Which part of a picture is shown, and what the rest becomes: boxes that say how much they stand for.

mod diagram;
mod dominators;
mod groups;
mod quotient;

use std::collections::{BTreeSet, VecDeque};

use choros_base::nearest;

use crate::GraphDrawing;
use groups::Group;

pub use diagram::diagram_part;

/// Which part of a model a picture shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Part {
    /// All of it; where that is too much to read, groups are folded.
    #[default]
    Folded,
    /// All of it, however large.
    Whole,
    /// What is near a state, a message or a role.
    Around(String),
}

/// A name that the picture does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NothingThere {
    /// The name that was asked for.
    pub name: String,
    /// A name that the picture has.
    pub similar: Option<String>,
    /// All names that the picture has, each once.
    pub known: Vec<String>,
}

impl NothingThere {
    fn among<'a>(name: &str, all: impl Iterator<Item = &'a str>) -> NothingThere {
        let mut known: Vec<&str> = Vec::new();
        for one in all {
            if !known.contains(&one) {
                known.push(one);
            }
        }
        NothingThere {
            name: name.to_owned(),
            similar: nearest(name, known.iter().copied()).map(str::to_owned),
            known: known.into_iter().map(str::to_owned).collect(),
        }
    }
}

/// Larger graphs are folded.
const MAX_LEGIBLE: usize = 100;
/// A folded graph has at most this many boxes.
const MAX_BOXES: usize = 50;
/// How many steps before and after a state are shown.
const STEPS_AROUND: usize = 2;

impl GraphDrawing {
    /// The part that is asked for.
    pub fn part(self, part: &Part) -> Result<GraphDrawing, NothingThere> {
        match part {
            Part::Whole => Ok(self),
            Part::Folded => Ok(self.folded()),
            Part::Around(name) => self.around(name),
        }
    }

    /// The same, or fewer boxes that stand for groups of states. Graphviz still gets all of it.
    #[must_use]
    pub fn folded(self) -> GraphDrawing {
        if self.nodes.len() <= MAX_LEGIBLE {
            return self;
        }
        let groups = groups::groups(&self, MAX_BOXES);
        GraphDrawing {
            dot: self.dot.clone(),
            ..quotient::fold(&self, &groups)
        }
    }

    /// What is near a state or near the events that mention a message or a role.
    fn around(self, name: &str) -> Result<GraphDrawing, NothingThere> {
        let mut near = vec![None; self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            if node.label == name {
                near[place] = Some(0);
            }
        }
        if near.iter().all(Option::is_none) {
            // Both ends of an event belong to it.
            for edge in self.edges.iter().filter(|it| mentions(&it.event, name)) {
                near[edge.source] = Some(1);
                near[edge.target] = Some(1);
            }
        }
        if near.iter().all(Option::is_none) {
            let known: BTreeSet<&str> = self
                .edges
                .iter()
                .flat_map(|edge| words(&edge.event))
                .collect();
            let states = self.nodes.iter().map(|it| it.label.as_str());
            return Err(NothingThere::among(name, known.into_iter().chain(states)));
        }
        self.spread(&mut near);
        // What comes before and what can follow are apart, so that the picture runs from top to bottom.
        let after = self.after(&near);
        let left_out = |place: usize| near[place].is_none();
        let mut groups = self.connected(|place| left_out(place) && !after[place]);
        groups.extend(self.connected(|place| left_out(place) && after[place]));
        let drawing = quotient::fold(&self, &groups);
        Ok(drawing.with_dot())
    }

    /// Marks what is at most some steps away, in any direction.
    fn spread(&self, near: &mut [Option<usize>]) {
        let neighbours = self.neighbours();
        let mut open: VecDeque<usize> = (0..near.len()).filter(|&it| near[it].is_some()).collect();
        while let Some(place) = open.pop_front() {
            let next = near[place].map_or(0, |steps| steps + 1);
            if next > STEPS_AROUND {
                continue;
            }
            for &other in &neighbours[place] {
                if near[other].is_none() {
                    near[other] = Some(next);
                    open.push_back(other);
                }
            }
        }
    }

    /// What a run can reach from the marked nodes.
    fn after(&self, near: &[Option<usize>]) -> Vec<bool> {
        let leaving = self.leaving();
        let mut after: Vec<bool> = near.iter().map(Option::is_some).collect();
        let mut open: Vec<usize> = (0..after.len()).filter(|&it| after[it]).collect();
        while let Some(place) = open.pop() {
            for &edge in &leaving[place] {
                let target = self.edges[edge].target;
                if !std::mem::replace(&mut after[target], true) {
                    open.push(target);
                }
            }
        }
        after
    }

    fn neighbours(&self) -> Vec<Vec<usize>> {
        let mut neighbours = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            neighbours[edge.source].push(edge.target);
            neighbours[edge.target].push(edge.source);
        }
        neighbours
    }

    /// Chosen nodes that hang together, as groups.
    fn connected(&self, chosen: impl Fn(usize) -> bool) -> Vec<Group> {
        let neighbours = self.neighbours();
        let mut seen = vec![false; self.nodes.len()];
        let mut groups = Vec::new();
        for start in 0..self.nodes.len() {
            if seen[start] || !chosen(start) {
                continue;
            }
            seen[start] = true;
            let mut members = vec![start];
            let mut next = 0;
            while let Some(&place) = members.get(next) {
                next += 1;
                for &other in &neighbours[place] {
                    if !seen[other] && chosen(other) {
                        seen[other] = true;
                        members.push(other);
                    }
                }
            }
            groups.push(Group::plain(members));
        }
        groups
    }
}

/// Whether a word of an event is this name.
fn mentions(event: &str, name: &str) -> bool {
    event == name || words(event).any(|word| word == name)
}

fn words(event: &str) -> impl Iterator<Item = &str> {
    let is_letter = |it: char| it.is_alphanumeric() || it == '_' || it == '-';
    let parts = event.split(move |it: char| !is_letter(it));
    parts
        .map(|it| it.trim_matches('-'))
        .filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests;
