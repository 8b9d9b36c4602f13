//! A service among the most general partners that keep the choreography.
//!
//! The partners are the part of the role turned round: they send what it receives, under the same guards and with the
//! same values, and take what it sends.
//! A service may send anything, so they take anything; what the part does not send here leads to a state where nothing
//! happens any more.
//! The part put together with these partners is the part itself, so a service conforms to its role if the service
//! among them conforms to the part: what it sends wrongly the part cannot do, what it does not take when it comes the
//! part can do, and what never comes does not matter.
//!
//! | part of the role | partners |
//! |---|---|
//! | `[φ] o?(x)`, `[φ] o?<x>` | `[φ] o!x`, `[φ] o!<x>` |
//! | `[φ] o!<x>` | `[φ] o?<x>`, and `[¬φ] o?<w>` to the state of errors |
//! | `[φ] o!t` | `[φ] o?<w>`, and `[¬φ] o?<w>` to the state of errors; the part itself compares the values |
//! | `χr` | `χr`: both measure it, or neither |
//! | several `[φ] o!t` | `o?<w>`, then `[φ ∧ w = t] τ`, or else the state of errors |
//!
//! The part is taken as the role can follow it (`beliefs.rs`): without values that the role does not see, and with one way
//! on for each message.
//! Where it cannot be written like that, the part is not composed.

use choros_base::Budget;
use choros_conform::mixed_views;
use choros_data::{Quantifier, Term, Terms, Var};
use choros_model::evidence::Binding;
use choros_model::stg::{
    Direction, Edge, Event, Field, FieldValue, Message, NodeId, Renaming, Role, Stg, StgBuilder,
    Update, product, rename, restrict,
};
use choros_model::{Evidence, Help, Unknown, Verdict};
use choros_smt::{Satisfiability, Solver, SolverError};
use rustc_hash::FxHashSet;

use crate::beliefs::{Believed, Halt, believed};
use crate::projection::Projection;
use crate::reachability::contradiction::{Oracle, Together};
use crate::service_view::{fixed_among, relabelled, visible, with_never_sent};
use crate::shape::Shape;
use crate::stopped::AnalysisStop;

/// A service among partners.
#[derive(Debug)]
pub enum AmongPartners {
    /// The service and its partners, and what it is compared with.
    Composed {
        /// Sendings and receptions of the service, under its name; parameters of the part are those of the part.
        stg: Stg,
        /// The part as the role can follow it.
        part: Box<Stg>,
        /// The parameters that the service has in common with the part.
        shared: Vec<String>,
        /// Parameters that stand for values which partners may send; the answer is for all of them.
        told: Vec<Var>,
    },
    /// Why there are no such partners, as the end of "because".
    Unclear(String),
}

impl AmongPartners {
    fn unclear(reason: String) -> AmongPartners {
        AmongPartners::Unclear(Unknown::whatever_the_bound(reason).reason)
    }
}

/// How variables of partners end.
const ENDING: &str = "@partners";

/// The verdict on a composition as one on the service: for all values that partners may send, and with evidence that
/// does not speak of what its partners keep.
pub fn verdict_on_service(
    verdict: Verdict,
    told: &[Var],
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Verdict, SolverError> {
    let mut verdict = match verdict {
        Verdict::HoldsIf(condition, evidence) => {
            for_all_told(condition, evidence, told, terms, solver)?
        }
        verdict => verdict,
    };
    let told: Vec<&str> = told.iter().map(|&it| terms.variable_text(it)).collect();
    let is_told = |name: &str| told.contains(&name.split('@').next().unwrap_or(name));
    let is_seen =
        |binding: &Binding| !binding.variable.ends_with(ENDING) && !is_told(&binding.variable);
    if let Verdict::Fails(Evidence::Trace(trace)) = &mut verdict {
        trace.start.retain(is_seen);
        for step in &mut trace.steps {
            step.bindings.retain(is_seen);
            step.guard = step.guard.take().filter(|it| !it.contains(ENDING));
        }
    }
    Ok(verdict)
}

/// A condition is one on what is given; a service does not choose what it is told.
fn for_all_told(
    condition: Term,
    evidence: Evidence,
    told: &[Var],
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Verdict, SolverError> {
    let free = terms.free_variables(condition);
    let (of, rest): (Vec<Var>, Vec<Var>) = free.into_iter().partition(|it| told.contains(it));
    if of.is_empty() {
        return Ok(Verdict::HoldsIf(condition, evidence));
    }
    let whole = if rest.is_empty() {
        // It is not always so, or it would be no condition.
        Term::FALSE
    } else {
        let question = terms.quantify(Quantifier::Forall, &of, condition);
        let found = solver.eliminate(terms, question)?.term();
        match solver.satisfiable(terms, &[found])? {
            Satisfiability::Unsat => Term::FALSE,
            _ => found,
        }
    };
    if whole != Term::FALSE {
        return Ok(Verdict::HoldsIf(whole, evidence));
    }
    let run = match &evidence {
        Evidence::Tree(tree) => tree.because.iter().find_map(|it| it.evidence.clone()),
        _ => None,
    };
    Ok(match run {
        Some(run) => Verdict::Fails(*run),
        None => Verdict::Unknown(Unknown {
            reason: "it fails for some values that partners may send, but no run shows it"
                .to_owned(),
            help: Help::Other,
            evidence: Some(evidence),
        }),
    })
}

/// Puts a service among the partners of the role that it plays.
///
/// `shared` are names of parameters that the service has in common with the part; everyone knows the parameters of the
/// choreography.
pub fn among_partners(
    service: &Stg,
    part: &Projection,
    (shared, choreography): (&[String], &Stg),
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<AmongPartners, AnalysisStop> {
    if let Some(found) = mixed_views::diagnostic(service, &part.stg) {
        return Err(AnalysisStop::Unfit(Box::new(found)));
    }
    let role = part.role;
    let given = choreography.parameters(terms);
    let found = believed(&part.stg, &given, terms, solver, budget);
    let Believed {
        stg: part,
        told,
        absorbed,
    } = match found {
        Ok(believed) => believed,
        Err(Halt::Stopped(stopped)) => return Err(stopped),
        Err(Halt::Unclear(reason)) => return Ok(AmongPartners::unclear(reason)),
    };
    if let Some(message) = fixed_among(&absorbed, service) {
        let name = terms.names.text(message.operation.0);
        let reason = format!(
            "the role may send `{name}` with any value or with one that it knows, and Choros does not distinguish the two"
        );
        return Ok(AmongPartners::unclear(reason));
    }
    let oracle = Oracle::new(solver);
    let part = with_never_sent(part, (role, choreography), terms);
    let service = restrict(service, &visible(service, choreography), terms);
    let service = relabelled(&service, &part, terms);
    let parameters = part.parameters(terms);
    let service = apart(&service, &parameters, shared, terms);
    let rebound = rebound(&service, &part, &parameters, shared, terms);
    let mut partners = Partners {
        part: &part,
        used: names(&[&service, &part], terms),
        builder: StgBuilder::new("partners", part.ending()),
        wrong: None,
        oracle,
        terms,
    };
    let sent = shapes(&service, role, partners.terms);
    if let Some(reason) = partners.build(&sent)? {
        return Ok(AmongPartners::unclear(reason));
    }
    let graph = partners.builder.finish_as_built(part.initial());
    let (away, back) = renamings(&graph, &parameters, &rebound, partners.used, terms);
    let graph = rename(&graph, &away, terms);
    let joint = product(service.name(), &[&service, &graph], budget, terms)?;
    let label = |node: NodeId| {
        let own = joint.tuples[node.index()][0];
        service.node(own).label.clone()
    };
    let mut builder = StgBuilder::new(service.name(), service.ending());
    for node in joint.stg.node_ids() {
        let new = builder.node(label(node));
        for termination in &joint.stg.node(node).terminations {
            builder.terminate(terms, new, termination.guard, termination.origin);
        }
    }
    for edge in joint.stg.edges() {
        let mut edge = edge.clone();
        if let Event::Message(message) = &mut edge.event {
            message.direction = if message.from == role {
                Direction::Send
            } else {
                Direction::Receive
            };
        }
        builder.edge(terms, edge);
    }
    let mut initial = joint.stg.initial();
    if !rebound.is_empty() {
        let first = builder.node(label(initial));
        let given = |&variable: &Var| Update {
            variable: away.variables.get(&variable).copied().unwrap_or(variable),
            value: terms.var(variable),
        };
        let edge = Edge {
            source: first,
            target: initial,
            guard: Term::TRUE,
            event: Event::Silent,
            updates: rebound.iter().map(given).collect(),
            origin: None,
        };
        builder.edge(terms, edge);
        initial = first;
    }
    let joint = builder.finish_as_built(initial);
    let stg = rename(&joint, &back, terms);
    let known = stg.variables(terms);
    let mut shared = shared.to_vec();
    for parameter in parameters.into_iter().filter(|it| known.contains(it)) {
        let text = terms.variable_text(parameter);
        if !shared.iter().any(|it| it == text) {
            shared.push(text.to_owned());
        }
    }
    let part = Box::new(part);
    Ok(AmongPartners::Composed {
        stg,
        part,
        shared,
        told,
    })
}

/// What the service sends, each kind of message once.
fn shapes(service: &Stg, role: Role, terms: &Terms) -> Vec<Shape> {
    let mut seen = FxHashSet::default();
    service
        .messages()
        .filter(|message| message.direction == Direction::Send && message.from == role)
        .map(|message| Shape::of(message, terms))
        .filter(|shape| seen.insert(shape.clone()))
        .collect()
}

/// A way on in the part with a message of some shape.
struct Way<'a> {
    edge: &'a Edge,
    values: Vec<FieldValue>,
}

struct Partners<'a, 's> {
    part: &'a Stg,
    used: FxHashSet<String>,
    builder: StgBuilder,
    wrong: Option<NodeId>,
    oracle: Oracle<'s>,
    terms: &'a mut Terms,
}

impl Partners<'_, '_> {
    /// Builds all; the reason if they are ambiguous.
    fn build(&mut self, sent: &[Shape]) -> Result<Option<String>, AnalysisStop> {
        let part = self.part;
        for node in part.nodes() {
            let new = self.builder.node(node.label.clone());
            for termination in &node.terminations {
                self.builder
                    .terminate(self.terms, new, termination.guard, termination.origin);
            }
        }
        for edge in part.edges() {
            // A step is written where the service has it.
            let mut edge = Edge {
                origin: None,
                ..edge.clone()
            };
            match &mut edge.event {
                Event::Message(message) if message.direction == Direction::Receive => {
                    message.direction = Direction::Send;
                    self.builder.edge(self.terms, edge);
                }
                // They know when the role's time is over, which is what they compare.
                Event::TickOf(_) => {
                    self.builder.edge(self.terms, edge);
                }
                _ => {}
            }
        }
        for shape in sent {
            let heard = self.heard(shape);
            for node in part.node_ids() {
                let mut ways = Vec::new();
                for (_, edge) in part.outgoing(node) {
                    let message = edge.event.message();
                    let sent = message.filter(|it| it.direction == Direction::Send);
                    if let Some(values) = sent.and_then(|it| shape.values(it, self.terms)) {
                        ways.push(Way { edge, values });
                    }
                }
                match &ways[..] {
                    [] => self.take(node, Term::TRUE, shape, &heard),
                    [only] => self.take_one(node, only, shape, &heard),
                    several => {
                        if self.may_be_two(several, &heard)? {
                            let name = self.terms.names.text(shape.operation.0);
                            return Ok(Some(format!(
                                "the role may send `{name}` with the same values in two ways"
                            )));
                        }
                        self.take_some(node, several, shape, &heard);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Variables for what is heard of a shape.
    fn heard(&mut self, shape: &Shape) -> Vec<Var> {
        let operation = self.terms.names.text(shape.operation.0).to_owned();
        let mut variables = Vec::with_capacity(shape.fields.len());
        for (position, (label, sort)) in shape.fields.iter().enumerate() {
            let what = match label {
                Some(label) => self.terms.names.text(*label).to_owned(),
                None => (position + 1).to_string(),
            };
            let mut name = format!("{operation}_{what}");
            while !self.used.insert(name.clone()) {
                name.push('_');
            }
            let name = self.terms.names.intern(&name);
            variables.push(self.terms.variable(name, *sort));
        }
        variables
    }

    /// A message that the part does not send here under a condition.
    fn take(&mut self, node: NodeId, guard: Term, shape: &Shape, heard: &[Var]) {
        if guard == Term::FALSE {
            return;
        }
        let builder = &mut self.builder;
        let wrong = *self.wrong.get_or_insert_with(|| builder.node("error"));
        let event = reception(shape, heard);
        self.edge(node, wrong, guard, event, Vec::new());
    }

    /// The only way with a shape: its guard says whether it is open.
    fn take_one(&mut self, node: NodeId, way: &Way<'_>, shape: &Shape, heard: &[Var]) {
        let into: Vec<Var> = way
            .values
            .iter()
            .zip(heard)
            .map(|(value, &heard)| match value {
                FieldValue::Bind(variable) => *variable,
                FieldValue::Free(_) => heard,
            })
            .collect();
        let event = reception(shape, &into);
        let (guard, updates) = (way.edge.guard, way.edge.updates.clone());
        self.edge(node, way.edge.target, guard, event, updates);
        let closed = self.terms.not(guard);
        self.take(node, closed, shape, heard);
    }

    /// Several ways: what was heard says which.
    fn take_some(&mut self, node: NodeId, ways: &[Way<'_>], shape: &Shape, heard: &[Var]) {
        let between = self.builder.node(self.part.node(node).label.clone());
        let event = reception(shape, heard);
        self.edge(node, between, Term::TRUE, event, Vec::new());
        let mut open = Vec::new();
        for way in ways {
            let guard = self.is_way(way, heard);
            open.push(guard);
            let kept = way.values.iter().zip(heard);
            let mut updates: Vec<Update> = Vec::new();
            for (value, &heard) in kept {
                if let FieldValue::Bind(variable) = *value {
                    let value = self.terms.var(heard);
                    updates.push(Update { variable, value });
                }
            }
            updates.extend(&way.edge.updates);
            self.edge(between, way.edge.target, guard, Event::Silent, updates);
        }
        let open = self.terms.or(open);
        let closed = self.terms.not(open);
        let builder = &mut self.builder;
        let wrong = *self.wrong.get_or_insert_with(|| builder.node("error"));
        self.edge(between, wrong, closed, Event::Silent, Vec::new());
    }

    /// That a message is of this way.
    fn is_way(&mut self, way: &Way<'_>, heard: &[Var]) -> Term {
        let mut conditions = vec![way.edge.guard];
        for (value, &heard) in way.values.iter().zip(heard) {
            if let FieldValue::Free(term) = *value {
                let heard = self.terms.var(heard);
                let same = self.terms.equal(heard, term);
                conditions.push(self.terms.close(same));
            }
        }
        self.terms.and(conditions)
    }

    /// Whether one message may be of two ways.
    fn may_be_two(&mut self, ways: &[Way<'_>], heard: &[Var]) -> Result<bool, AnalysisStop> {
        let all: Vec<Term> = ways.iter().map(|way| self.is_way(way, heard)).collect();
        for (position, &one) in all.iter().enumerate() {
            for &other in &all[position + 1..] {
                let together = self.oracle.together(self.terms, &[one, other])?;
                if together != Together::Impossible {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn edge(
        &mut self,
        source: NodeId,
        target: NodeId,
        guard: Term,
        event: Event,
        updates: Vec<Update>,
    ) {
        let edge = Edge {
            source,
            target,
            guard,
            event,
            updates,
            origin: None,
        };
        self.builder.edge(self.terms, edge);
    }
}

/// The reception of a shape into variables.
fn reception(shape: &Shape, into: &[Var]) -> Event {
    let fields = shape.fields.iter().zip(into);
    Event::Message(Message {
        operation: shape.operation,
        from: shape.from,
        to: shape.to,
        direction: Direction::Receive,
        fault: shape.fault,
        fields: fields
            .map(|(&(label, _), &variable)| Field {
                label,
                value: FieldValue::Bind(variable),
            })
            .collect(),
    })
}

/// The parameters that service and partners have in common and that one of them writes.
///
/// What it writes is its own, so the partners keep theirs apart, and begin with the value that is given.
fn rebound(
    service: &Stg,
    part: &Stg,
    parameters: &[Var],
    shared: &[String],
    terms: &Terms,
) -> Vec<Var> {
    let own = service.variables(terms);
    let mut written: FxHashSet<Var> = FxHashSet::default();
    for edge in service.edges().iter().chain(part.edges()) {
        written.extend(edge.event.bound_variables());
        written.extend(edge.updates.iter().map(|it| it.variable));
    }
    let is_shared = |variable: Var| {
        let text = terms.variable_text(variable);
        shared.iter().any(|it| it == text)
    };
    let all = parameters.iter().copied();
    all.filter(|it| own.contains(it) && written.contains(it) && is_shared(*it))
        .collect()
}

/// The service with other names for variables that are called as parameters of the part and are not shared.
fn apart(service: &Stg, parameters: &[Var], shared: &[String], terms: &mut Terms) -> Stg {
    let mut used = names(&[service], terms);
    used.extend(
        parameters
            .iter()
            .map(|&it| terms.variable_text(it).to_owned()),
    );
    let mut renaming = Renaming::default();
    for variable in service.variables(terms) {
        let text = terms.variable_text(variable).to_owned();
        let taken = parameters.iter().any(|&it| terms.variable_text(it) == text);
        if taken && !shared.contains(&text) {
            let ending = format!("@{}", service.name());
            let new = fresh(&text, &ending, variable, &mut used, terms);
            renaming.variables.insert(variable, new);
        }
    }
    rename(service, &renaming, terms)
}

/// Names of their own for the variables of the partners, and the way back for parameters of the part that stay as they are.
fn renamings(
    partners: &Stg,
    parameters: &[Var],
    rebound: &[Var],
    mut used: FxHashSet<String>,
    terms: &mut Terms,
) -> (Renaming, Renaming) {
    let (mut away, mut back) = (Renaming::default(), Renaming::default());
    for variable in partners.variables(terms) {
        let text = terms.variable_text(variable).to_owned();
        let new = fresh(&text, ENDING, variable, &mut used, terms);
        away.variables.insert(variable, new);
        if parameters.contains(&variable) && !rebound.contains(&variable) {
            back.variables.insert(new, variable);
        }
    }
    (away, back)
}

fn fresh(
    text: &str,
    ending: &str,
    like: Var,
    used: &mut FxHashSet<String>,
    terms: &mut Terms,
) -> Var {
    let stem = text.replace('@', "_");
    let mut name = format!("{stem}{ending}");
    let mut number = 2;
    while !used.insert(name.clone()) {
        name = format!("{stem}_{number}{ending}");
        number += 1;
    }
    let name = terms.names.intern(&name);
    terms.variable(name, terms.variable_sort(like))
}

fn names(graphs: &[&Stg], terms: &Terms) -> FxHashSet<String> {
    let variables = graphs.iter().flat_map(|graph| graph.variables(terms));
    variables
        .map(|variable| terms.variable_text(variable).to_owned())
        .collect()
}
