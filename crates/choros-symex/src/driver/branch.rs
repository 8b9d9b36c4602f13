//! One way in which the specification explains what was seen so far.
//!
//! A branch is a node of the symbolic execution tree (Bentakouk 3.4.1): where the service stands, what its variables
//! hold over symbols, and the condition on the symbols.
//! Between the service and the tester messages are under way: inputs that were sent and not yet taken, outputs that
//! were sent by the service and not yet seen.

use std::sync::Arc;

use choros_data::{Op, Sort, Term, TermKind, Terms, Value, Var};
use choros_model::interface::{Interface, Side};
use choros_model::stg::{Edge, EdgeId, Event, FieldValue, Message, NodeId, Operation, Role};
use rustc_hash::FxHashMap;

use super::clock::{Moment, Timing, Window};
use super::message::ConcreteMessage;
use super::unify::unify;

/// An explanation of what was seen.
#[derive(Debug, Clone)]
pub(crate) struct Branch {
    pub(crate) node: NodeId,
    /// σ; a variable that nothing was assigned to stands for its own first value.
    pub(crate) values: FxHashMap<Var, Term>,
    /// π, conjunct by conjunct, simplified.
    pub(crate) conditions: Vec<Term>,
    /// What partners were asked and have not answered: contracts relate an answer to it.
    calls: Vec<Asked>,
    /// Inputs that were sent to the service and that it has not taken.
    pub(crate) queue: Vec<Waiting>,
    /// Outputs that the service has sent and the tester has not seen.
    pub(crate) outbox: Vec<Emitted>,
    /// When it came here.
    pub(crate) window: Window,
    /// Steps since the tester sent or saw something.
    pub(crate) hidden: usize,
    /// Whether the solver could not say that the conditions can be true.
    pub(crate) is_doubtful: bool,
    /// Symbols made so far; the same way makes the same symbols, so that equal branches are equal.
    symbols: u32,
    /// The edges taken, last first.
    history: Option<Arc<Taken>>,
}

/// Calls of one operation of a partner that are not all answered yet.
///
/// Calls that run side by side may be answered in any order, so an answer may belong to any of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Asked {
    call: (Role, Operation),
    with: Vec<Term>,
    answers: usize,
}

/// An input on its way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Waiting {
    pub(crate) message: ConcreteMessage,
    pub(crate) sent: Moment,
    /// When the service was known to have it, whether it has taken it or not.
    pub(crate) arrived: Option<Moment>,
}

impl Waiting {
    /// When the service has it at the latest: soon after it was sent, unless the word that it has it took longer.
    pub(crate) fn there_by(&self, tempo: Timing) -> Moment {
        (self.sent + tempo.tolerance).max(self.arrived.unwrap_or(0))
    }
}

/// An output on its way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Emitted {
    pub(crate) operation: Operation,
    pub(crate) from: Role,
    pub(crate) to: Role,
    pub(crate) fault: Option<choros_base::Name>,
    pub(crate) payload: Vec<Term>,
}

#[derive(Debug)]
struct Taken {
    edge: EdgeId,
    before: Option<Arc<Taken>>,
}

/// What tells branches apart; their windows and histories may differ.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    node: NodeId,
    values: Vec<(usize, Term)>,
    conditions: Vec<Term>,
    calls: Vec<Asked>,
    queue: Vec<Waiting>,
    outbox: Vec<Emitted>,
    is_doubtful: bool,
}

impl Branch {
    /// Where every run starts.
    pub(crate) fn start(node: NodeId, window: Window) -> Branch {
        Branch {
            node,
            values: FxHashMap::default(),
            conditions: Vec::new(),
            calls: Vec::new(),
            queue: Vec::new(),
            outbox: Vec::new(),
            window,
            hidden: 0,
            is_doubtful: false,
            symbols: 0,
            history: None,
        }
    }

    pub(crate) fn key(&self) -> Key {
        let mut values: Vec<(usize, Term)> = self
            .values
            .iter()
            .map(|(variable, &term)| (variable.index(), term))
            .collect();
        values.sort_unstable_by_key(|&(variable, _)| variable);
        let mut conditions = self.conditions.clone();
        conditions.sort_unstable_by_key(|term| term.index());
        Key {
            node: self.node,
            values,
            conditions,
            calls: self.calls.clone(),
            queue: self.queue.clone(),
            outbox: self.outbox.clone(),
            is_doubtful: self.is_doubtful,
        }
    }

    /// The edges of the model that this explanation takes, in order.
    pub(crate) fn edges(&self) -> Vec<EdgeId> {
        let mut edges = Vec::new();
        let mut link = self.history.as_ref();
        while let Some(taken) = link {
            edges.push(taken.edge);
            link = taken.before.as_ref();
        }
        edges.reverse();
        edges
    }

    /// A term of the model in this branch.
    pub(crate) fn reading(&self, term: Term, terms: &mut Terms) -> Term {
        let term = terms.substitute(term, &self.values);
        terms.simplify(term)
    }

    /// When an edge that waits for no one is taken: its guard holds, and its updates are defined for whatever its
    /// message brings.
    pub(crate) fn moves(&self, edge: &Edge, terms: &mut Terms) -> Term {
        let guard = self.reading(edge.guard, terms);
        let accepts = edge.accepts(terms);
        if accepts == Term::TRUE {
            return guard;
        }
        let mut next = self.clone();
        for variable in edge.event.bound_variables() {
            let sort = terms.variable_sort(variable);
            let term = next.symbol(sort, terms);
            next.values.insert(variable, term);
        }
        let accepts = next.reading(accepts, terms);
        terms.and([guard, accepts])
    }

    /// Takes an edge; with `brought`, its message is known.
    ///
    /// Returns the branch after it and what its message carries; `None` if the edge cannot be taken.
    /// Whether the conditions can be true together is for the solver to say.
    pub(crate) fn fire(
        &self,
        (id, edge): (EdgeId, &Edge),
        brought: Option<&[Value]>,
        interface: &Interface,
        terms: &mut Terms,
    ) -> Option<(Branch, Vec<Term>)> {
        let mut next = self.clone();
        let guard = self.reading(edge.guard, terms);
        next.require(guard, terms)?;
        let mut payload = Vec::new();
        if let Event::Message(message) = &edge.event {
            for (position, field) in message.fields.iter().enumerate() {
                let known = brought.and_then(|values| values.get(position));
                let term = match field.value {
                    FieldValue::Free(term) => {
                        let term = self.reading(term, terms);
                        if let Some(value) = known {
                            next.unify(term, value, terms)?;
                        }
                        term
                    }
                    FieldValue::Bind(variable) => {
                        let term = match known {
                            Some(value) => {
                                if value.sort() != terms.variable_sort(variable) {
                                    return None;
                                }
                                terms.constant(value.clone())
                            }
                            None => {
                                let sort = terms.variable_sort(variable);
                                next.symbol(sort, terms)
                            }
                        };
                        next.values.insert(variable, term);
                        term
                    }
                };
                payload.push(term);
            }
            next.agree(message, &payload, brought.is_some(), interface, terms)?;
        }
        if let Event::Choose(chosen) = &edge.event {
            for &variable in chosen {
                let sort = terms.variable_sort(variable);
                let term = next.symbol(sort, terms);
                next.values.insert(variable, term);
            }
        }
        let accepts = edge.accepts(terms);
        let accepts = next.reading(accepts, terms);
        next.require(accepts, terms)?;
        for update in &edge.updates {
            let value = next.reading(update.value, terms);
            next.values.insert(update.variable, value);
        }
        next.node = edge.target;
        next.hidden += 1;
        next.history = Some(Arc::new(Taken {
            edge: id,
            before: self.history.clone(),
        }));
        Some((next, payload))
    }

    /// What types and contracts say of a message.
    fn agree(
        &mut self,
        message: &Message,
        payload: &[Term],
        is_known: bool,
        interface: &Interface,
        terms: &mut Terms,
    ) -> Option<()> {
        let Some(signature) = interface.signature(message) else {
            return Some(());
        };
        let [carried] = payload else {
            return Some(());
        };
        let is_received = message.to == interface.orchestrator;
        // What the tester sent, it sent; what others send keeps to its type.
        if is_received
            && !is_known
            && let Some((variable, constraint)) =
                interface.message_type(message).and_then(|it| it.constraint)
        {
            let replacement = FxHashMap::from_iter([(variable, *carried)]);
            let constraint = terms.substitute(constraint, &replacement);
            let constraint = terms.simplify(constraint);
            self.require(constraint, terms)?;
        }
        if signature.side != Side::Used {
            return Some(());
        }
        let Some(contract) = signature.contract else {
            return Some(());
        };
        let call = (signature.partner, signature.operation);
        let position = self.calls.iter().position(|asked| asked.call == call);
        match (is_received, position) {
            (false, Some(position)) => self.calls[position].with.push(*carried),
            (false, None) => self.calls.push(Asked {
                call,
                with: vec![*carried],
                answers: 0,
            }),
            (true, None) => {}
            (true, Some(position)) => {
                let asked = &mut self.calls[position];
                let with = asked.with.clone();
                asked.answers += 1;
                if asked.answers == with.len() {
                    self.calls.remove(position);
                }
                if !is_known && message.fault.is_none() {
                    let promises: Vec<Term> = with
                        .into_iter()
                        .map(|asked| {
                            let pair = [(contract.input, asked), (contract.output, *carried)];
                            let replacement = FxHashMap::from_iter(pair);
                            terms.substitute(contract.formula, &replacement)
                        })
                        .collect();
                    let promise = terms.or(promises);
                    let promise = terms.simplify(promise);
                    self.require(promise, terms)?;
                }
            }
        }
        Some(())
    }

    /// Adds a simplified condition; `None` if it is false.
    pub(crate) fn require(&mut self, condition: Term, terms: &Terms) -> Option<()> {
        if condition == Term::FALSE {
            return None;
        }
        match terms.kind(condition) {
            TermKind::Apply(Op::And, parts) => {
                for &part in parts {
                    self.require_one(part)?;
                }
            }
            _ => self.require_one(condition)?,
        }
        Some(())
    }

    fn require_one(&mut self, condition: Term) -> Option<()> {
        match condition {
            Term::FALSE => return None,
            Term::TRUE => {}
            _ if self.conditions.contains(&condition) => {}
            _ => self.conditions.push(condition),
        }
        Some(())
    }

    /// Makes a term over symbols equal to a value; `None` if they differ.
    pub(crate) fn unify(&mut self, term: Term, value: &Value, terms: &mut Terms) -> Option<()> {
        let facts = unify(term, value, terms)?;
        for (symbol, value) in facts.symbols {
            self.bind(symbol, value, terms)?;
        }
        for condition in facts.conditions {
            self.require(condition, terms)?;
        }
        Some(())
    }

    /// Puts a value in place of a symbol.
    fn bind(&mut self, symbol: Var, value: Value, terms: &mut Terms) -> Option<()> {
        let constant = terms.constant(value);
        let replacement = FxHashMap::from_iter([(symbol, constant)]);
        let replace = |term: Term, terms: &mut Terms| {
            let term = terms.substitute(term, &replacement);
            terms.simplify(term)
        };
        self.values
            .values_mut()
            .for_each(|term| *term = replace(*term, terms));
        for term in self.calls.iter_mut().flat_map(|asked| &mut asked.with) {
            *term = replace(*term, terms);
        }
        for emitted in &mut self.outbox {
            for term in &mut emitted.payload {
                *term = replace(*term, terms);
            }
        }
        // A model variable that still stands for its first value is its own symbol.
        self.values.entry(symbol).or_insert(constant);
        for condition in std::mem::take(&mut self.conditions) {
            let condition = replace(condition, terms);
            self.require(condition, terms)?;
        }
        Some(())
    }

    fn symbol(&mut self, sort: Sort, terms: &mut Terms) -> Term {
        // No identifier of a model has an apostrophe.
        let name = terms.names.intern(&format!("unseen'{}", self.symbols));
        self.symbols += 1;
        let variable = terms.variable(name, sort);
        terms.var(variable)
    }
}
