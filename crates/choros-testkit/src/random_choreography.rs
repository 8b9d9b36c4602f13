//! Random choreographies shaped like trees, for measuring how analyses scale.
//!
//! After the experiments of section 3.5.3 of Nguyen's thesis ("A Symbolic Approach for the Verification and the Test of
//! Service Choreographies", 2013): the number of states, branches, roles and operations is given, and the data level
//! says whether variables stand on events only (level 1) or in guards too.
//! The thesis does not print the generator, so the rest is ours:
//!
//! - Every inner state has `branches` outgoing edges (the last one to be expanded may have fewer); which leaf is
//!   expanded next is random.
//! - An event binds a new variable or passes on one that is bound on the way to it.
//! - A guard is a conjunction of comparisons over at most `data_level - 1` variables bound on the way to it.
//!
//! What is dead is known by construction and without a solver.
//! Each state carries a *witness*: values with which a run gets there, so an edge whose guard holds for the witness of
//! its source is live.
//! A dead edge carries the negation of a comparison that stands in a guard above it; whatever lies below it is dead
//! with it.
//! No variable is bound twice and there are no updates, so a comparison that held once holds for the rest of the run.

use std::fmt::Write;

use choros_data::{Op, Sort, Term, Terms, Var};
use choros_model::stg::{
    Direction, Edge, EdgeId, Ending, Event, Field, FieldValue, Message, NodeId, Operation, Role,
    Stg, StgBuilder,
};

use crate::Random;

/// What a random choreography looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Number of states, at least 1.
    pub states: usize,
    /// Outgoing edges of an inner state, at least 1.
    pub branches: usize,
    /// Number of roles to choose from, at least 2.
    pub roles: usize,
    /// Number of operations to choose from, at least 1.
    pub operations: usize,
    /// 0: no data. 1: variables on events. *n* > 1: also guards over at most *n* − 1 variables.
    pub data_level: usize,
    /// How many out of a hundred guards contradict one above them, where there is one above them.
    pub contradictions: u32,
}

impl Shape {
    /// The base configuration of the thesis: 1,000 states, 5 branches, 5 roles, 20 operations, data level 1.
    pub const BASE: Shape = Shape {
        states: 1000,
        branches: 5,
        roles: 5,
        operations: 20,
        data_level: 1,
        contradictions: 0,
    };
}

/// A random choreography and the truth about it.
#[derive(Debug)]
pub struct RandomChoreography {
    /// The store of its terms.
    pub terms: Terms,
    /// The graph.
    pub stg: Stg,
    /// Where it was made contradictory.
    pub contradictions: Vec<Contradiction>,
    /// All edges that no run takes, in order: those with a contradiction, and those below them.
    pub dead: Vec<EdgeId>,
}

/// A guard that no run satisfies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contradiction {
    /// The dead edge.
    pub edge: EdgeId,
    /// The edge above it whose guard it contradicts.
    pub against: EdgeId,
}

/// Makes one; the same shape and seed always make the same.
///
/// # Panics
///
/// If the shape is impossible: no states, no branches, fewer than two roles, or no operations.
pub fn random_choreography(shape: Shape, seed: u64) -> RandomChoreography {
    assert!(
        shape.states > 0 && shape.branches > 0 && shape.roles > 1 && shape.operations > 0,
        "{shape:?} is impossible"
    );
    let mut growth = Growth::new(shape, seed);
    let mut leaves = vec![0];
    while growth.nodes.len() < shape.states {
        let position = growth.random.below(leaves.len());
        let source = leaves.swap_remove(position);
        for _ in 0..shape.branches.min(shape.states - growth.nodes.len()) {
            leaves.push(growth.grow(source));
        }
    }
    growth.finish()
}

impl RandomChoreography {
    /// The choreography as a SChorA script with one component of kind STG.
    pub fn script(&self) -> String {
        let mut text = format!("DECLARATIONS\n\ncomponent {} STG\n", self.stg.name());
        for node in self.stg.nodes() {
            let _ = writeln!(text, "    {};", node.label);
        }
        for edge in self.stg.edges() {
            let guard = match edge.guard {
                Term::TRUE => String::new(),
                guard => format!("[{}] ", self.terms.print(guard)),
            };
            let _ = writeln!(
                text,
                "    {} -> {} [label=\"{guard}{}\"];",
                self.stg.node(edge.source).label,
                self.stg.node(edge.target).label,
                edge.event.text(&self.terms)
            );
        }
        let name = self.stg.name();
        let _ = write!(
            text,
            "end component\n\nCOMMANDS\n\nshowStat {name}\nshowReachableSTG {name}\n"
        );
        text
    }
}

/// A tree while it grows; its edges are kept by their target, of which each has one.
struct Growth {
    shape: Shape,
    random: Random,
    terms: Terms,
    builder: StgBuilder,
    nodes: Vec<Tip>,
    edges: Vec<Twig>,
}

/// What is known about the runs that reach a node.
#[derive(Clone)]
struct Tip {
    node: NodeId,
    /// The variables bound on the way, oldest first, with the values of the witness.
    values: Vec<(Var, i64)>,
    /// Whether the newest variable stands in no guard yet, so that its value may still be chosen.
    is_open: bool,
    /// The comparisons on the way, each with the twig it stands on.
    comparisons: Vec<(Comparison, usize)>,
    is_dead: bool,
}

/// An edge that will be.
struct Twig {
    edge: Edge,
    /// The twig whose guard this one contradicts.
    against: Option<usize>,
    is_dead: bool,
}

/// `left op right + offset`, where `right` may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Comparison {
    left: Var,
    op: Op,
    right: Option<Var>,
    offset: i64,
}

impl Growth {
    fn new(shape: Shape, seed: u64) -> Growth {
        let mut builder = StgBuilder::new("random", Ending::Sinks);
        let root = Tip {
            node: builder.node("0"),
            values: Vec::new(),
            is_open: false,
            comparisons: Vec::new(),
            is_dead: false,
        };
        Growth {
            shape,
            random: Random::new(seed),
            terms: Terms::new(),
            builder,
            nodes: vec![root],
            edges: Vec::new(),
        }
    }

    /// Adds a child to a node.
    fn grow(&mut self, source: usize) -> usize {
        let mut tip = self.nodes[source].clone();
        let number = self.edges.len();
        let (guard, against) = self.guard(&mut tip, number);
        tip.is_dead |= against.is_some();
        let fields = self.fields(&mut tip);
        let source_node = tip.node;
        tip.node = self.builder.node(self.nodes.len().to_string());
        let edge = Edge {
            source: source_node,
            target: tip.node,
            guard,
            event: self.event(fields),
            updates: Vec::new(),
            origin: None,
        };
        self.edges.push(Twig {
            edge,
            against,
            is_dead: tip.is_dead,
        });
        self.nodes.push(tip);
        self.nodes.len() - 1
    }

    /// A guard, and the twig it contradicts if it does.
    fn guard(&mut self, tip: &mut Tip, number: usize) -> (Term, Option<usize>) {
        if self.shape.data_level < 2 || tip.values.is_empty() {
            return (Term::TRUE, None);
        }
        let mut variables_left = 1 + self.random.below(self.shape.data_level - 1);
        let mut comparisons = Vec::new();
        let mut against = None;
        if !tip.comparisons.is_empty() && self.random.percent(self.shape.contradictions) {
            let (above, twig) = *self.random.pick(&tip.comparisons);
            comparisons.push(above.negated());
            against = Some(twig);
            variables_left = variables_left.saturating_sub(above.variables());
        }
        if tip.is_open {
            // Siblings choose different values for what no one has examined yet, so their guards may exclude each other.
            if let Some((_, value)) = tip.values.last_mut() {
                *value = self.random.between(-LARGEST, LARGEST);
            }
            tip.is_open = false;
        }
        while variables_left > 0 {
            let comparison = self.comparison(&tip.values, variables_left);
            variables_left -= comparison.variables();
            if !comparisons.contains(&comparison) {
                comparisons.push(comparison);
            }
        }
        let terms: Vec<Term> = comparisons
            .iter()
            .map(|it| it.term(&mut self.terms))
            .collect();
        tip.comparisons
            .extend(comparisons.into_iter().map(|it| (it, number)));
        (self.terms.and(terms), against)
    }

    /// A comparison that holds for the witness.
    fn comparison(&mut self, values: &[(Var, i64)], variables_left: usize) -> Comparison {
        // The newest variable twice as often as any other: what was just received decides.
        let newest = values.len() - 1;
        let position = self.random.below(values.len() + 1).min(newest);
        let (left, value) = values[position];
        let with_right = variables_left > 1 && values.len() > 1 && self.random.percent(50);
        let (right, base) = if with_right {
            let other = (position + 1 + self.random.below(values.len() - 1)) % values.len();
            (Some(values[other].0), values[other].1)
        } else {
            (None, 0)
        };
        let distance = self.random.between(0, LARGEST / 2);
        let (op, bound) = match self.random.below(6) {
            0 => (Op::Less, value + 1 + distance),
            1 => (Op::LessEqual, value + distance),
            2 => (Op::Greater, value - 1 - distance),
            3 => (Op::GreaterEqual, value - distance),
            4 => (Op::NotEqual, value + 1 + distance),
            _ => (Op::Equal, value),
        };
        Comparison {
            left,
            op,
            right,
            offset: bound - base,
        }
    }

    /// The data of an event: a new variable or one that is known.
    fn fields(&mut self, tip: &mut Tip) -> Vec<Field> {
        if self.shape.data_level == 0 {
            return Vec::new();
        }
        let value = if tip.values.is_empty() || self.random.percent(50) {
            let name = self.terms.names.intern(&format!("x{}", self.nodes.len()));
            let variable = self.terms.variable(name, Sort::INT);
            tip.values
                .push((variable, self.random.between(-LARGEST, LARGEST)));
            tip.is_open = true;
            FieldValue::Bind(variable)
        } else {
            let (variable, _) = *self.random.pick(&tip.values);
            FieldValue::Free(self.terms.var(variable))
        };
        vec![Field { label: None, value }]
    }

    fn event(&mut self, fields: Vec<Field>) -> Event {
        let from = self.random.below(self.shape.roles);
        let to = (from + 1 + self.random.below(self.shape.roles - 1)) % self.shape.roles;
        let operation = self.random.below(self.shape.operations);
        let names = &mut self.terms.names;
        Event::Message(Message {
            operation: Operation(names.intern(&format!("o{}", operation + 1))),
            from: Role(names.intern(&format!("r{}", from + 1))),
            to: Role(names.intern(&format!("r{}", to + 1))),
            direction: Direction::Interaction,
            fault: None,
            fields,
        })
    }

    fn finish(mut self) -> RandomChoreography {
        // The graph sorts its edges by source and otherwise keeps their order; no two have the same target, so none
        // are merged.
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        order.sort_by_key(|&twig| self.edges[twig].edge.source);
        let mut ids = vec![EdgeId(0); order.len()];
        for (position, &twig) in order.iter().enumerate() {
            ids[twig] = EdgeId(position as u32);
        }
        let mut contradictions = Vec::new();
        let mut dead = Vec::new();
        for &twig in &order {
            let Twig {
                against, is_dead, ..
            } = self.edges[twig];
            if is_dead {
                dead.push(ids[twig]);
            }
            if let Some(against) = against {
                contradictions.push(Contradiction {
                    edge: ids[twig],
                    against: ids[against],
                });
            }
        }
        for twig in self.edges {
            self.builder.edge(&mut self.terms, twig.edge);
        }
        RandomChoreography {
            terms: self.terms,
            stg: self.builder.finish(NodeId(0)),
            contradictions,
            dead,
        }
    }
}

impl Comparison {
    fn variables(&self) -> usize {
        1 + usize::from(self.right.is_some())
    }

    fn negated(self) -> Comparison {
        let op = match self.op {
            Op::Less => Op::GreaterEqual,
            Op::LessEqual => Op::Greater,
            Op::Greater => Op::LessEqual,
            Op::GreaterEqual => Op::Less,
            Op::Equal => Op::NotEqual,
            _ => Op::Equal,
        };
        Comparison { op, ..self }
    }

    fn term(self, terms: &mut Terms) -> Term {
        let left = terms.var(self.left);
        let right = match (self.right, self.offset) {
            (None, offset) => terms.int(offset),
            (Some(right), 0) => terms.var(right),
            (Some(right), offset) => {
                let right = terms.var(right);
                let amount = terms.int(offset.abs());
                let op = if offset > 0 { Op::Add } else { Op::Subtract };
                terms.arithmetic(op, right, amount)
            }
        };
        terms.compare(self.op, left, right)
    }
}

/// Values of the witness lie between this and its negative.
const LARGEST: i64 = 100;

#[cfg(test)]
mod tests;
