//! A graph that is a product of graphs which have nothing in common.
//!
//! Conversations side by side are one graph with all orders of their steps.
//! What is asked about them can often be asked of each by itself, for the sum of the costs in place of their product.
//!
//! Messages are put into classes: two are in one class if they have a variable in common (or what [`Separation`] says), or
//! if one of them changes what the other can do somewhere.
//! The part of a class is what its messages can do from the initial node.
//! That the graph is the product of the parts is then *checked*, node by node and edge by edge, so a wrong guess about
//! classes can only mean that nothing is taken apart.
//! Time: proportional to the edges, times the classes for the check, and few rounds.

use choros_base::Name;
use choros_data::{Term, Terms, Var};
use rustc_hash::FxHashMap;

use super::definedness::conjuncts;
use super::{Edge, EdgeId, Event, Message, NodeId, Operation, Role, Stg, StgBuilder, Termination};

/// A graph taken apart: it is the product of its parts, which share neither messages nor variables.
#[derive(Debug, Clone)]
pub struct Factors {
    /// The parts, in the order of first occurrence; a node of a part is called as where the other parts have not begun.
    pub parts: Vec<Stg>,
    /// For each node of the graph, the node of each part.
    pub tuples: Vec<Vec<NodeId>>,
    /// For each edge of the graph, its part and its edge there.
    pub edges: Vec<(usize, EdgeId)>,
}

/// What different parts do not have in common, beside messages and variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separation {
    /// Nothing else.
    Messages,
    /// Sender and receiver: no two parts use one channel.
    Channels,
    Roles,
}

/// The parts of a graph; `None` if it is not shown to have more than one.
///
/// A graph with silent steps, faults that are raised, or time is not taken apart, nor is one in which a part never
/// ends: when the others end cannot be seen there.
pub fn factors(stg: &Stg, apart: Separation, terms: &mut Terms) -> Option<Factors> {
    let mut classes = Classes::of(stg, apart, terms)?;
    classes.join_what_meets(stg);
    classes.settle()?;
    let mut parts: Vec<Part> = (0..classes.count)
        .map(|class| Part::of(stg, class, &classes))
        .collect();
    let (tuples, edges) = product_of(stg, &parts, &classes)?;
    endings(stg, &tuples, &mut parts, &classes, terms)?;
    let parts = parts.into_iter().map(|part| part.finish(stg, terms));
    Some(Factors {
        parts: parts.collect(),
        tuples,
        edges,
    })
}

/// Which messages belong together.
struct Classes {
    /// For each edge, the kind of its message.
    kinds: Vec<usize>,
    /// For each kind, another of its class, nearer to the one that stands for it.
    parent: Vec<usize>,
    /// For each kind its class, once they are settled.
    class: Vec<usize>,
    count: usize,
    /// For each variable, a kind that has it.
    owner: FxHashMap<Var, usize>,
}

/// Whatever makes two messages one kind.
type Kind = (Operation, Role, Role, Option<Name>);

impl Classes {
    /// The classes by variables and roles; `None` if there is one only, or something that is not a message.
    fn of(stg: &Stg, apart: Separation, terms: &Terms) -> Option<Classes> {
        let mut known: FxHashMap<Kind, usize> = FxHashMap::default();
        let mut classes = Classes {
            kinds: Vec::with_capacity(stg.edges().len()),
            parent: Vec::new(),
            class: Vec::new(),
            count: 0,
            owner: FxHashMap::default(),
        };
        let mut channels: FxHashMap<(Role, Role), usize> = FxHashMap::default();
        let mut roles: FxHashMap<Role, usize> = FxHashMap::default();
        for edge in stg.edges() {
            let Event::Message(message) = &edge.event else {
                return None;
            };
            let kind = *known.entry(key(message)).or_insert(classes.parent.len());
            if kind == classes.parent.len() {
                classes.parent.push(kind);
                let (from, to) = (message.from, message.to);
                match apart {
                    Separation::Messages => {}
                    Separation::Channels => {
                        classes.join(kind, *channels.entry((from, to)).or_insert(kind));
                    }
                    Separation::Roles => {
                        for role in [from, to] {
                            classes.join(kind, *roles.entry(role).or_insert(kind));
                        }
                    }
                }
            }
            classes.kinds.push(kind);
            classes.own(kind, edge, terms);
        }
        for node in stg.nodes() {
            for termination in &node.terminations {
                for conjunct in conjuncts(termination.guard, terms) {
                    classes.join_owners(conjunct, terms);
                }
            }
        }
        classes.several().then_some(classes)
    }

    /// A kind has the variables of its edge.
    fn own(&mut self, kind: usize, edge: &Edge, terms: &Terms) {
        let read = std::iter::once(edge.guard)
            .chain(edge.event.free_terms())
            .chain(edge.updates.iter().map(|it| it.value));
        let mut variables: Vec<Var> = Vec::new();
        for term in read.filter(|&it| it != Term::TRUE) {
            variables.extend(terms.free_variables(term));
        }
        variables.extend(edge.event.bound_variables());
        variables.extend(edge.updates.iter().map(|it| it.variable));
        for variable in variables {
            let owner = *self.owner.entry(variable).or_insert(kind);
            self.join(kind, owner);
        }
    }

    /// The kinds whose variables are in one condition belong together.
    fn join_owners(&mut self, condition: Term, terms: &Terms) {
        let owners: Vec<usize> = terms
            .free_variables(condition)
            .iter()
            .filter_map(|variable| self.owner.get(variable).copied())
            .collect();
        for pair in owners.windows(2) {
            self.join(pair[0], pair[1]);
        }
    }

    /// Joins the classes of which one changes what the other can do, until none does.
    fn join_what_meets(&mut self, stg: &Stg) {
        loop {
            let mut changed = false;
            for edge in stg.edges().iter().enumerate() {
                let (index, edge) = edge;
                let own = self.root(self.kinds[index]);
                if let Some(other) = self.changed_by(own, edge, stg) {
                    self.join(own, other);
                    changed = true;
                }
            }
            if !changed || !self.several() {
                return;
            }
        }
    }

    /// A class that can do something else after an edge of another class.
    fn changed_by(&mut self, own: usize, edge: &Edge, stg: &Stg) -> Option<usize> {
        let mut others = |node: NodeId| -> Vec<(usize, EdgeId)> {
            let leaving = stg.outgoing(node).map(|(id, _)| id);
            let mut found: Vec<(usize, EdgeId)> = leaving
                .map(|id| (self.root(self.kinds[id.index()]), id))
                .filter(|it| it.0 != own)
                .collect();
            found.sort_by_key(|it| it.0);
            found
        };
        let (before, after) = (others(edge.source), others(edge.target));
        let mut pairs = before.iter().zip(&after);
        let different = pairs
            .find(|(one, other)| one.0 != other.0 || !alike(stg.edge(one.1), stg.edge(other.1)));
        match different {
            Some((one, other)) => Some(one.0.min(other.0)),
            None => {
                let rest = before.len().min(after.len());
                before.get(rest).or(after.get(rest)).map(|it| it.0)
            }
        }
    }

    fn root(&mut self, kind: usize) -> usize {
        let mut root = kind;
        while self.parent[root] != root {
            root = self.parent[root];
        }
        self.parent[kind] = root;
        root
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parent[one.max(other)] = one.min(other);
    }

    fn several(&mut self) -> bool {
        (0..self.parent.len()).any(|kind| self.root(kind) != self.root(0))
    }

    /// Numbers the classes by first occurrence; `None` if there is only one.
    fn settle(&mut self) -> Option<()> {
        let mut number: FxHashMap<usize, usize> = FxHashMap::default();
        for kind in 0..self.parent.len() {
            let root = self.root(kind);
            let count = number.len();
            self.class.push(*number.entry(root).or_insert(count));
        }
        self.count = number.len();
        (self.count > 1).then_some(())
    }

    fn of_edge(&self, edge: EdgeId) -> usize {
        self.class[self.kinds[edge.index()]]
    }

    /// The edges of a class that leave a node.
    fn leaving<'a>(
        &'a self,
        class: usize,
        node: NodeId,
        stg: &'a Stg,
    ) -> impl Iterator<Item = EdgeId> + 'a {
        let leaving = stg.outgoing(node).map(|(id, _)| id);
        leaving.filter(move |&id| self.of_edge(id) == class)
    }
}

fn key(message: &Message) -> Kind {
    (message.operation, message.from, message.to, message.fault)
}

/// Whether two edges do the same under the same condition.
fn alike(one: &Edge, other: &Edge) -> bool {
    one.guard == other.guard && one.event == other.event && one.updates == other.updates
}

/// What the messages of a class can do while nothing else happens.
struct Part {
    /// The nodes of the whole graph.
    nodes: Vec<NodeId>,
    /// For each node, its edges: the edge of the whole graph, and the node of the part that it leads to.
    leaving: Vec<Vec<(EdgeId, NodeId)>>,
    ends: Vec<Option<Termination>>,
    /// The number of the first edge of each node.
    first: Vec<u32>,
}

impl Part {
    fn of(stg: &Stg, class: usize, classes: &Classes) -> Part {
        let mut part = Part {
            nodes: vec![stg.initial()],
            leaving: Vec::new(),
            ends: Vec::new(),
            first: Vec::new(),
        };
        let mut number = FxHashMap::from_iter([(stg.initial(), NodeId(0))]);
        let mut edges = 0;
        while part.leaving.len() < part.nodes.len() {
            let node = part.nodes[part.leaving.len()];
            let mut leaving = Vec::new();
            for id in classes.leaving(class, node, stg) {
                let target = stg.edge(id).target;
                let new = NodeId(part.nodes.len() as u32);
                let to = *number.entry(target).or_insert(new);
                if to == new {
                    part.nodes.push(target);
                }
                leaving.push((id, to));
            }
            part.first.push(edges);
            edges += leaving.len() as u32;
            part.leaving.push(leaving);
        }
        part.ends = vec![None; part.nodes.len()];
        part
    }

    fn finish(self, stg: &Stg, terms: &mut Terms) -> Stg {
        let mut builder = StgBuilder::new(stg.name(), stg.ending());
        for (&node, end) in self.nodes.iter().zip(&self.ends) {
            let new = builder.node(stg.node(node).label.clone());
            if let Some(end) = end {
                builder.terminate(terms, new, end.guard, end.origin);
            }
        }
        for (index, leaving) in self.leaving.iter().enumerate() {
            for &(id, target) in leaving {
                let edge = Edge {
                    source: NodeId(index as u32),
                    target,
                    ..stg.edge(id).clone()
                };
                builder.edge(terms, edge);
            }
        }
        builder.finish_as_built(NodeId(0))
    }
}

/// For each node the nodes of the parts; for each edge its part and its edge there.
type Tuples = (Vec<Vec<NodeId>>, Vec<(usize, EdgeId)>);

/// Checks that a graph is the product of its parts, but for endings.
///
/// From the initial node on, each class can do in a node just what its part can do in its place there, in the same
/// order; and no two nodes are the same tuple.
fn product_of(stg: &Stg, parts: &[Part], classes: &Classes) -> Option<Tuples> {
    let mut tuples: Vec<Vec<NodeId>> = vec![Vec::new(); stg.nodes().len()];
    let mut edges = vec![(0, EdgeId(0)); stg.edges().len()];
    let initial = vec![NodeId(0); parts.len()];
    let mut known = FxHashMap::from_iter([(initial.clone(), stg.initial())]);
    tuples[stg.initial().index()] = initial;
    let mut work = vec![stg.initial()];
    let mut reached = 1;
    while let Some(node) = work.pop() {
        let tuple = tuples[node.index()].clone();
        for (class, part) in parts.iter().enumerate() {
            let place = tuple[class].index();
            let mut own = classes.leaving(class, node, stg);
            for (position, &(of_part, to)) in part.leaving[place].iter().enumerate() {
                let id = own.next()?;
                if !alike(stg.edge(id), stg.edge(of_part)) {
                    return None;
                }
                edges[id.index()] = (class, EdgeId(part.first[place] + position as u32));
                let mut after = tuple.clone();
                after[class] = to;
                let target = stg.edge(id).target;
                match known.get(&after) {
                    Some(&other) if other != target => return None,
                    Some(_) => {}
                    None if !tuples[target.index()].is_empty() => return None,
                    None => {
                        known.insert(after.clone(), target);
                        tuples[target.index()] = after;
                        reached += 1;
                        work.push(target);
                    }
                }
            }
            if own.next().is_some() {
                return None;
            }
        }
    }
    (reached == stg.nodes().len()).then_some((tuples, edges))
}

/// Finds when each part ends, and checks that the graph ends just where all of them do.
fn endings(
    stg: &Stg,
    tuples: &[Vec<NodeId>],
    parts: &mut [Part],
    classes: &Classes,
    terms: &mut Terms,
) -> Option<()> {
    for (node, tuple) in stg.nodes().iter().zip(tuples) {
        let termination = match &node.terminations[..] {
            [] => continue,
            [one] => one,
            _ => return None,
        };
        let mut shares: Vec<Vec<Term>> = vec![Vec::new(); parts.len()];
        for conjunct in conjuncts(termination.guard, terms) {
            let variable = *terms.free_variables(conjunct).first()?;
            let class = classes.class[*classes.owner.get(&variable)?];
            shares[class].push(conjunct);
        }
        for ((part, &place), share) in parts.iter_mut().zip(tuple).zip(shares) {
            let end = Termination {
                guard: terms.and(share),
                origin: termination.origin,
            };
            let known = part.ends[place.index()].get_or_insert(end);
            if known.guard != end.guard {
                return None;
            }
        }
    }
    let never_ends = |part: &Part| part.ends.iter().all(Option::is_none);
    if parts.iter().any(never_ends) {
        return None;
    }
    for (node, tuple) in stg.nodes().iter().zip(tuples) {
        let mut places = parts.iter().zip(tuple);
        let all_end = places.all(|(part, place)| part.ends[place.index()].is_some());
        if all_end == node.terminations.is_empty() {
            return None;
        }
    }
    Some(())
}
