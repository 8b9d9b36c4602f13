//! When a session is over: the model allows nothing more in it that a log would show.
//!
//! Each role's log leads through the nodes of the model where it may stand, whatever the data are; the model is at a node
//! that all roles agree on.
//! If nothing that is seen can follow any of these nodes, no run has more to show.
//! A session in which a role left the model, or that waits in a loop, is not over in this sense; it stays open until the
//! logs end, or until it has been quiet for long enough.
//! Data do not matter here, so a session may be taken for open that is over, and never the other way round.

use std::rc::Rc;

use choros_data::Terms;
use choros_model::stg::{Direction, Role};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::alphabet::LetterId;
use super::super::automaton::{Automaton, View};
use super::super::judge::Subject;
use super::judging::Facts;

/// Where the log of a role leads: a set of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::audit) struct Point(u32);

impl Point {
    /// More sets than are kept, or none at all: the end cannot be seen from here.
    const LOST: Point = Point(u32::MAX);
}

/// No more sets of nodes of one role are kept, and no more combinations of them.
const MAX_POINTS: usize = 1 << 14;

struct Course {
    role: usize,
    automaton: Automaton,
    sets: Vec<Rc<[u32]>>,
    points: FxHashMap<Rc<[u32]>, Point>,
    after: FxHashMap<(Point, LetterId, Direction), Point>,
}

/// The courses of all roles that have logs.
pub(in crate::audit) struct Courses {
    courses: Vec<Course>,
    /// Nodes after which nothing is seen directly.
    is_still: Vec<bool>,
    over: FxHashMap<Box<[Point]>, bool>,
}

impl Courses {
    pub(in crate::audit) fn of(facts: &Facts, terms: &Terms) -> Courses {
        let (model, alphabet) = (&facts.prepared.model, &facts.prepared.alphabet);
        let is_alone = Subject::of(model) == Subject::OneRole;
        let mut observed = Vec::new();
        let mut courses = Vec::new();
        for (number, role) in facts.roles().iter().enumerate() {
            let name = terms.names.get(role).map(Role);
            let Some(role) = name.filter(|it| model.roles().contains(it)) else {
                continue;
            };
            observed.push(role);
            let view = if is_alone {
                View::Whole
            } else {
                View::Of(role)
            };
            courses.push(Course {
                role: number,
                automaton: Automaton::of(model, view, alphabet, terms),
                sets: Vec::new(),
                points: FxHashMap::default(),
                after: FxHashMap::default(),
            });
        }
        let whole = if is_alone {
            View::Whole
        } else {
            View::Observed(&observed)
        };
        let whole = Automaton::of(model, whole, alphabet, terms);
        let is_still = |node| whole.outgoing(node).iter().all(|it| it.seen.is_none());
        Courses {
            courses,
            is_still: (0..whole.nodes.len() as u32).map(is_still).collect(),
            over: FxHashMap::default(),
        }
    }

    /// Where all logs begin.
    pub(in crate::audit) fn start(&mut self) -> Box<[Point]> {
        self.courses.iter_mut().map(Course::start).collect()
    }

    /// A role saw a message.
    pub(in crate::audit) fn step(
        &mut self,
        points: &mut [Point],
        role: usize,
        (letter, direction): (LetterId, Direction),
    ) {
        for (course, point) in self.courses.iter_mut().zip(points) {
            if course.role == role {
                *point = course.step(*point, letter, direction);
            }
        }
    }

    /// Whether nothing more is to be seen.
    pub(in crate::audit) fn is_over(&mut self, points: &[Point]) -> bool {
        if points.contains(&Point::LOST) || points.is_empty() {
            return false;
        }
        if let Some(&known) = self.over.get(points) {
            return known;
        }
        let mut nodes: Vec<u32> = self.courses[0].set(points[0]).to_vec();
        for (course, point) in self.courses.iter().zip(points).skip(1) {
            let others = course.set(*point);
            nodes.retain(|it| others.binary_search(it).is_ok());
        }
        let is_over = !nodes.is_empty() && nodes.iter().all(|&it| self.is_still[it as usize]);
        if self.over.len() >= MAX_POINTS {
            self.over.clear();
        }
        self.over.insert(points.into(), is_over);
        is_over
    }
}

impl Course {
    fn set(&self, point: Point) -> &[u32] {
        &self.sets[point.0 as usize]
    }

    fn start(&mut self) -> Point {
        let initial = self.automaton.initial;
        self.closed(vec![initial])
    }

    fn step(&mut self, point: Point, letter: LetterId, direction: Direction) -> Point {
        if point == Point::LOST {
            return Point::LOST;
        }
        if let Some(&known) = self.after.get(&(point, letter, direction)) {
            return known;
        }
        let mut reached = Vec::new();
        for &node in self.set(point) {
            let steps = self.automaton.outgoing(node).iter();
            let fitting = steps.filter(|it| it.seen == Some((letter, direction)));
            reached.extend(fitting.map(|it| it.target));
        }
        let target = self.closed(reached);
        self.after.insert((point, letter, direction), target);
        target
    }

    /// Adds what silent steps lead to, and numbers the set.
    fn closed(&mut self, mut work: Vec<u32>) -> Point {
        let mut reached: FxHashSet<u32> = work.iter().copied().collect();
        let mut nodes: Vec<u32> = reached.iter().copied().collect();
        while let Some(node) = work.pop() {
            for step in self.automaton.outgoing(node) {
                if step.seen.is_none() && reached.insert(step.target) {
                    nodes.push(step.target);
                    work.push(step.target);
                }
            }
        }
        if nodes.is_empty() {
            return Point::LOST;
        }
        nodes.sort_unstable();
        let nodes: Rc<[u32]> = nodes.into();
        if let Some(&known) = self.points.get(&nodes) {
            return known;
        }
        if self.sets.len() >= MAX_POINTS {
            return Point::LOST;
        }
        let point = Point(self.sets.len() as u32);
        self.sets.push(nodes.clone());
        self.points.insert(nodes, point);
        point
    }
}
