//! Which choreographies the mode can judge, and the form in which it does.

use choros_base::Name;
use choros_data::{Sort, Term, Terms, Var};
use choros_model::stg::{
    Edge, EdgeId, Ending, Event, FieldValue, Message, NodeId, Operation, Role, Stg, StgBuilder,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::thin::thin;
use crate::tools::Tools;
use crate::{AnalysisStop, reachability};

/// A choreography in which one role at a time decides what comes next, and everyone could tell messages apart.
pub(super) struct Protocol {
    stg: Stg,
    roles: Vec<Role>,
    labels: Vec<Option<usize>>,
    data: bool,
}

/// Which message it is, but for the values it carries.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Label {
    operation: Operation,
    fault: Option<Name>,
    from: Role,
    to: Role,
    fields: Vec<(Option<Name>, Sort)>,
}

/// What an edge is to one role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Sends,
    Receives,
    Nothing,
}

impl Protocol {
    /// The choreography in the form that is judged; otherwise why it cannot be.
    pub(super) fn of(
        stg: &Stg,
        tools: &mut Tools<'_>,
    ) -> Result<Result<Protocol, String>, AnalysisStop> {
        let data = has_data(stg);
        let strange = stg.edges().iter().find(|edge| {
            let event = &edge.event;
            event.is_tick() || matches!(event, Event::Raise(_) | Event::Disturbance(_))
        });
        if let Some(edge) = strange {
            let event = edge.event.shown(tools.terms);
            return Ok(Err(format!("`{event}` is not a message between roles")));
        }
        if let Some(reason) = unfit_values(stg, tools.terms) {
            return Ok(Err(reason));
        }
        let stg = if data {
            stg.clone()
        } else {
            determinise(stg, tools)?
        };
        let stg = if data {
            stg
        } else {
            thin(&stg, &numbered(&stg, tools.terms), tools.terms)
        };
        let roles = stg.roles();
        if roles.len() > 64 {
            return Ok(Err("more than 64 roles".to_owned()));
        }
        let labels = numbered(&stg, tools.terms);
        let protocol = Protocol {
            stg,
            roles,
            labels,
            data,
        };
        let reason = match protocol.one_decides(tools.terms) {
            Some(reason) => Some(reason),
            None => protocol.goes_on(tools)?,
        };
        Ok(match reason {
            Some(reason) => Err(reason),
            None => Ok(protocol),
        })
    }

    pub(super) fn stg(&self) -> &Stg {
        &self.stg
    }

    pub(super) fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// Whether there are conditions or values that are passed on.
    pub(super) fn has_data(&self) -> bool {
        self.data
    }

    /// The number of the message on an edge; edges with the same number differ in values at most.
    pub(super) fn label(&self, edge: EdgeId) -> Option<usize> {
        self.labels[edge.index()]
    }

    pub(super) fn part(&self, edge: EdgeId, role: Role) -> Part {
        match self.stg.edge(edge).event.message() {
            Some(message) if message.from == role => Part::Sends,
            Some(message) if message.to == role => Part::Receives,
            _ => Part::Nothing,
        }
    }

    /// The role's place in bit sets.
    pub(super) fn bit(&self, role: Role) -> u64 {
        let position = self.roles.iter().position(|&it| it == role);
        position.map_or(0, |position| 1 << position)
    }

    /// Why the choreography is not sender-driven, if it is not.
    fn one_decides(&self, terms: &Terms) -> Option<String> {
        for node in self.stg.node_ids() {
            let label = &self.stg.node(node).label;
            let mut senders: Vec<Role> = Vec::new();
            let mut silent = 0;
            let mut edges = 0;
            for (_, edge) in self.stg.outgoing(node) {
                edges += 1;
                match edge.event.message() {
                    Some(message) if !senders.contains(&message.from) => senders.push(message.from),
                    Some(_) => {}
                    None => silent += 1,
                }
            }
            if let [first, second, ..] = senders[..] {
                let (first, second) = (terms.names.text(first.0), terms.names.text(second.0));
                return Some(format!(
                    "in state {label} both `{first}` and `{second}` may send next; this mode asks that one role does"
                ));
            }
            if silent > 0 && (edges > 1 || !self.stg.node(node).terminations.is_empty()) {
                return Some(format!(
                    "in state {label} a silent step decides; this mode asks that one role does"
                ));
            }
        }
        None
    }

    /// Why the choreography itself may stop before its end, or leave open what a message means; `None` if it does not.
    fn goes_on(&self, tools: &mut Tools<'_>) -> Result<Option<String>, AnalysisStop> {
        let stuck = |label: &str| {
            format!(
                "in state {label} of the choreography no step is possible, and it has not ended"
            )
        };
        let node = self.stg.node_ids().find(|&node| self.stg.is_stuck(node));
        if let Some(node) = node {
            return Ok(Some(stuck(&self.stg.node(node).label)));
        }
        if !self.data {
            return Ok(None);
        }
        let terms = &mut *tools.terms;
        let mut builder = StgBuilder::new("survey", Ending::Explicit);
        for node in self.stg.nodes() {
            builder.node(node.label.clone());
        }
        for edge in self.stg.edges() {
            builder.edge(terms, edge.clone());
        }
        let mut wrong: Vec<(NodeId, String)> = Vec::new();
        for node in self.stg.node_ids() {
            let label = &self.stg.node(node).label;
            let leaving: Vec<(EdgeId, &Edge)> = self.stg.outgoing(node).collect();
            let mut possible: Vec<Term> = leaving.iter().map(|(_, edge)| edge.guard).collect();
            possible.push(self.stg.termination(node, terms));
            let possible = terms.or(possible);
            let mut breaks = vec![(terms.not(possible), stuck(label))];
            for (position, &(one, first)) in leaving.iter().enumerate() {
                for &(other, second) in &leaving[position + 1..] {
                    let bound = |edge: &Edge| edge.event.bound_variables().collect::<Vec<Var>>();
                    let same = first.target == second.target
                        && first.updates == second.updates
                        && bound(first) == bound(second);
                    if self.label(one).is_none() || self.label(one) != self.label(other) || same {
                        continue;
                    }
                    let values = equal_values(first, second, terms);
                    let event = first.event.shown(terms);
                    breaks.push((
                        terms.and([first.guard, second.guard, values]),
                        format!("in state {label} `{event}` may mean two things"),
                    ));
                }
            }
            for (guard, reason) in breaks {
                if guard == Term::FALSE {
                    continue;
                }
                let target = builder.node(String::new());
                wrong.push((target, reason));
                let edge = Edge {
                    source: node,
                    target,
                    guard,
                    event: Event::Silent,
                    updates: Vec::new(),
                    origin: None,
                };
                builder.edge(terms, edge);
            }
        }
        let survey = builder.finish_as_built(self.stg.initial());
        let found = reachability(&survey, tools.terms, tools.solver, tools.budget)?;
        Ok(wrong
            .into_iter()
            .find(|(node, _)| found.cut.is_some() || found.nodes[node.index()])
            .map(|(_, reason)| format!("{reason} (or it is not settled)")))
    }
}

/// For each edge the number of its message, the same for the same one.
fn numbered(stg: &Stg, terms: &Terms) -> Vec<Option<usize>> {
    let mut known: FxHashMap<Label, usize> = FxHashMap::default();
    stg.edges()
        .iter()
        .map(|edge| {
            let label = Label::of(edge.event.message()?, terms);
            let next = known.len();
            Some(*known.entry(label).or_insert(next))
        })
        .collect()
}

impl Label {
    fn of(message: &Message, terms: &Terms) -> Label {
        let sort = |value: FieldValue| match value {
            FieldValue::Free(term) => terms.sort_of(term),
            FieldValue::Bind(variable) => terms.variable_sort(variable),
        };
        let fields = message.fields.iter();
        Label {
            operation: message.operation,
            fault: message.fault,
            from: message.from,
            to: message.to,
            fields: fields.map(|it| (it.label, sort(it.value))).collect(),
        }
    }
}

/// When two messages of one kind may carry the same values; what binds a value may bring any.
pub(super) fn equal_values(one: &Edge, other: &Edge, terms: &mut Terms) -> Term {
    let fields = |edge: &Edge| {
        let message = edge.event.message();
        message.map_or_else(Vec::new, |it| it.fields.clone())
    };
    let pairs: Vec<_> = fields(one).into_iter().zip(fields(other)).collect();
    let equations: Vec<Term> = pairs
        .into_iter()
        .filter_map(|(one, other)| match (one.value, other.value) {
            (FieldValue::Free(one), FieldValue::Free(other)) => Some(terms.equal(one, other)),
            _ => None,
        })
        .collect();
    terms.and(equations)
}

/// Whether values matter: there are conditions, or values that were known before.
fn has_data(stg: &Stg) -> bool {
    let conditions = stg.edges().iter().any(|edge| edge.guard != Term::TRUE);
    let values = stg
        .edges()
        .iter()
        .any(|edge| edge.event.free_terms().next().is_some());
    let ends = stg
        .nodes()
        .iter()
        .flat_map(|node| &node.terminations)
        .any(|termination| termination.guard != Term::TRUE);
    conditions || values || ends
}

/// Why the values of a choreography are beyond this mode, if they are.
fn unfit_values(stg: &Stg, terms: &Terms) -> Option<String> {
    let parameters = stg.parameters(terms);
    for edge in stg.edges() {
        let bound: Vec<Var> = edge.event.bound_variables().collect();
        let assigned = edge.updates.iter().map(|update| update.variable);
        let mut written = bound.iter().copied().chain(assigned);
        if written.any(|variable| parameters.contains(&variable)) {
            return Some(
                "a parameter gets a new value on the way, and the roles may know different ones"
                    .to_owned(),
            );
        }
        let carries = edge.event.free_terms().any(|term| {
            let free = terms.free_variables(term);
            free.iter().any(|variable| bound.contains(variable))
        });
        if carries {
            let event = edge.event.shown(terms);
            return Some(format!(
                "`{event}` carries the old value of a variable to which it gives a new one"
            ));
        }
    }
    None
}

/// The same words without silent steps, and with one state after each: this mode compares words.
fn determinise(stg: &Stg, tools: &Tools<'_>) -> Result<Stg, AnalysisStop> {
    let terms = &*tools.terms;
    let deterministic = stg.node_ids().all(|node| {
        let mut seen = FxHashSet::default();
        stg.outgoing(node).all(|(_, edge)| {
            let label = edge.event.message().map(|it| Label::of(it, terms));
            label.is_some_and(|label| seen.insert(label))
        })
    });
    if deterministic {
        return Ok(stg.clone());
    }
    let close = |mut nodes: Vec<NodeId>| {
        let mut next = 0;
        while next < nodes.len() {
            for (_, edge) in stg.outgoing(nodes[next]) {
                if edge.event == Event::Silent && !nodes.contains(&edge.target) {
                    nodes.push(edge.target);
                }
            }
            next += 1;
        }
        nodes.sort();
        nodes
    };
    let mut empty = Terms::new();
    let mut builder = StgBuilder::new(stg.name(), Ending::Explicit);
    let mut ids: FxHashMap<Vec<NodeId>, NodeId> = FxHashMap::default();
    let mut sets: Vec<Vec<NodeId>> = Vec::new();
    let mut node = |set: Vec<NodeId>, sets: &mut Vec<Vec<NodeId>>, builder: &mut StgBuilder| {
        *ids.entry(set.clone()).or_insert_with(|| {
            let labels: Vec<&str> = set.iter().map(|&it| stg.node(it).label.as_str()).collect();
            sets.push(set);
            builder.node(labels.join("+"))
        })
    };
    let initial = node(close(vec![stg.initial()]), &mut sets, &mut builder);
    let mut next = 0;
    while next < sets.len() {
        tools.budget.spend()?;
        let (source, set) = (NodeId(next as u32), sets[next].clone());
        next += 1;
        let ended = set.iter().flat_map(|&it| &stg.node(it).terminations).next();
        if let Some(ended) = ended {
            builder.terminate(&mut empty, source, Term::TRUE, ended.origin);
        }
        let mut leaving: Vec<(Label, &Edge, Vec<NodeId>)> = Vec::new();
        for &member in &set {
            for (_, edge) in stg.outgoing(member) {
                let Some(message) = edge.event.message() else {
                    continue;
                };
                let label = Label::of(message, terms);
                match leaving.iter_mut().find(|(known, _, _)| *known == label) {
                    Some((_, _, targets)) if targets.contains(&edge.target) => {}
                    Some((_, _, targets)) => targets.push(edge.target),
                    None => leaving.push((label, edge, vec![edge.target])),
                }
            }
        }
        for (_, edge, targets) in leaving {
            let target = node(close(targets), &mut sets, &mut builder);
            let edge = Edge {
                source,
                target,
                updates: Vec::new(),
                ..edge.clone()
            };
            builder.edge(&mut empty, edge);
        }
    }
    Ok(builder.finish_as_built(initial))
}
