//! One step of symbolic execution.
//!
//! A node is η = (s, π, σ). The step over `s ─[g] e / A→ s'` does, in this order:
//!
//! 1. the guard: `g·σ` is added to π;
//! 2. the event: what it binds gets a fresh symbol, which obeys the type of the message; if it is the answer of a
//!    partner, the partner's contract `π(o)` is added, over what was sent last to that operation and what came back;
//! 3. the actions, one after the other: every variable that is assigned gets one fresh symbol, and `symbol = t·σ` is
//!    added. Values are records written as a whole, so what an assignment does not touch keeps its value.
//!
//! Beside the thesis' form of π, in which every assignment is an equation, a node keeps the form in which all
//! equations are put in: it speaks of values that came from outside only, most of its conjuncts fold to *true* or
//! *false*, and solvers get nothing else.

use std::sync::Arc;

use choros_base::Name;
use choros_data::{Op, SortKind, Term, TermKind, Terms, Value, Var};
use choros_model::interface::{Interface, Side};
use choros_model::stg::{Direction, FieldValue, Message};
use choros_query::purpose::MessageHead;
use rustc_hash::FxHashMap;

use crate::graph::{EdgeLabel, Graph, GraphEdge};
use crate::label::{SymbolicField, SymbolicMessage, TreeLabel};
use crate::tree::{Symbol, SymbolSource, Tree, TreeCut, TreeNode, TreeNodeId};

/// What is known beside the graph.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExecutionRules<'a> {
    /// The types of messages and the contracts of partners.
    pub interface: Option<&'a Interface>,
    /// The only strings that messages from outside may hold; all strings where there are none.
    pub words: &'a [Arc<str>],
}

/// A tree that is built node by node, for callers that decide which nodes are wanted.
#[derive(Debug)]
pub struct TreeBuilder<'a> {
    graph: &'a Graph,
    rules: ExecutionRules<'a>,
    positions: FxHashMap<Var, usize>,
    /// What was built so far.
    pub tree: Tree,
}

/// A node that was not added yet.
#[derive(Debug, Clone)]
pub struct Successor {
    /// The node; its condition says whether the step can be taken.
    pub node: TreeNode,
    pub(crate) symbols: Vec<Symbol>,
}

impl<'a> TreeBuilder<'a> {
    /// A tree with its root: every variable has a symbol, and nothing is known of them.
    pub fn new(graph: &'a Graph, rules: ExecutionRules<'a>, terms: &mut Terms) -> TreeBuilder<'a> {
        let mut unfolding = TreeBuilder {
            graph,
            rules,
            positions: graph
                .variables
                .iter()
                .enumerate()
                .map(|(position, &variable)| (variable, position))
                .collect(),
            tree: Tree {
                variables: graph.variables.clone(),
                ..Tree::default()
            },
        };
        let mut symbols = Vec::with_capacity(graph.variables.len());
        let mut values = Vec::with_capacity(graph.variables.len());
        for &variable in &graph.variables {
            let symbol = unfolding.name(symbols.len(), variable, terms);
            symbols.push(symbol);
            values.push(terms.var(symbol));
            unfolding.tree.symbols.push(Symbol {
                symbol,
                variable,
                source: SymbolSource::Start,
                node: TreeNodeId::ROOT,
            });
        }
        unfolding.tree.nodes.push(TreeNode {
            state: graph.initial,
            parent: None,
            label: None,
            edge: None,
            depth: 0,
            increment: Vec::new(),
            condition: Term::TRUE,
            decision: Term::TRUE,
            symbols: symbols.into(),
            values: values.into(),
            children: Vec::new(),
            cut: TreeCut::Not,
            witness: Some(Arc::default()),
        });
        unfolding
    }

    /// The graph that is unfolded.
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// What is known beside it.
    pub fn rules(&self) -> ExecutionRules<'a> {
        self.rules
    }

    /// The node that an edge leads to from a node; no one has asked yet whether it can be taken.
    pub fn successor(&self, from: TreeNodeId, edge: usize, terms: &mut Terms) -> Successor {
        let taken = self.graph.edge(edge);
        let before = self.tree.node(from);
        let mut step = Stepping {
            unfolding: self,
            symbols: before.symbols.to_vec(),
            values: before.values.to_vec(),
            fresh: Vec::new(),
            increment: Vec::new(),
            conditions: Vec::new(),
            types: Vec::new(),
        };
        step.require(taken.guard, terms);
        let label = step.event(from, taken, terms);
        step.require(taken.accepts, terms);
        step.actions(taken, terms);
        let decision = terms.and(step.conditions.iter().copied());
        let decision = terms.simplify(decision);
        let condition = terms.and(step.types.into_iter().chain(step.conditions));
        let condition = terms.simplify(condition);
        let unchanged = step.fresh.is_empty();
        Successor {
            node: TreeNode {
                state: taken.target,
                parent: Some(from),
                depth: before.depth + u32::from(label.counts()),
                label: Some(label),
                edge: Some(edge),
                increment: step.increment,
                condition,
                decision,
                symbols: if unchanged {
                    before.symbols.clone()
                } else {
                    step.symbols.into()
                },
                values: if unchanged {
                    before.values.clone()
                } else {
                    step.values.into()
                },
                children: Vec::new(),
                cut: TreeCut::Not,
                witness: None,
            },
            symbols: step.fresh,
        }
    }

    /// Adds a node; its symbols keep their numbers, so it must be the one that was made last or none in between was
    /// added.
    pub fn add(&mut self, successor: Successor) -> TreeNodeId {
        let id = TreeNodeId(self.tree.nodes.len() as u32);
        if let Some(parent) = successor.node.parent {
            self.tree.nodes[parent.index()].children.push(id);
        }
        self.tree.symbols.extend(
            successor
                .symbols
                .into_iter()
                .map(|symbol| Symbol { node: id, ..symbol }),
        );
        self.tree.nodes.push(successor.node);
        id
    }

    /// `vsN` of the sort of a variable.
    fn name(&self, number: usize, variable: Var, terms: &mut Terms) -> Var {
        let name = terms.names.intern(&format!("vs{number}"));
        let sort = terms.variable_sort(variable);
        terms.variable(name, sort)
    }

    /// What was sent last to an operation of a partner on the way to a node: over symbols, and with definitions put in.
    fn last_sent(
        &self,
        from: TreeNodeId,
        head: MessageHead,
        terms: &mut Terms,
    ) -> Option<[Term; 2]> {
        let mut at = Some(from);
        while let Some(node) = at {
            let node = self.tree.node(node);
            if let Some(TreeLabel::Message(message)) = &node.label
                && message.head == head
            {
                let fields = message.fields.clone();
                return datum(&fields, terms);
            }
            at = node.parent;
        }
        None
    }
}

struct Stepping<'u, 'a> {
    unfolding: &'u TreeBuilder<'a>,
    symbols: Vec<Var>,
    values: Vec<Term>,
    fresh: Vec<Symbol>,
    increment: Vec<Term>,
    conditions: Vec<Term>,
    /// What the types of messages ask for, which is known of every path.
    types: Vec<Term>,
}

impl Stepping<'_, '_> {
    /// A term over variables, over symbols and with definitions put in.
    fn resolve(&self, term: Term, terms: &mut Terms) -> [Term; 2] {
        let (mut over_symbols, mut over_values) = (FxHashMap::default(), FxHashMap::default());
        for variable in terms.free_variables(term) {
            if let Some(&position) = self.unfolding.positions.get(&variable) {
                let symbol = terms.var(self.symbols[position]);
                over_symbols.insert(variable, symbol);
                over_values.insert(variable, self.values[position]);
            }
        }
        let symbolic = terms.substitute(term, &over_symbols);
        let valued = terms.substitute(term, &over_values);
        [symbolic, terms.simplify(valued)]
    }

    fn require(&mut self, condition: Term, terms: &mut Terms) {
        if condition == Term::TRUE {
            return;
        }
        let [symbolic, valued] = self.resolve(condition, terms);
        self.add([symbolic, valued], terms);
    }

    fn add(&mut self, [symbolic, valued]: [Term; 2], terms: &Terms) {
        self.increase(symbolic, terms);
        self.conditions.push(valued);
    }

    fn add_type(&mut self, [symbolic, valued]: [Term; 2], terms: &Terms) {
        self.increase(symbolic, terms);
        self.types.push(valued);
    }

    fn increase(&mut self, symbolic: Term, terms: &Terms) {
        match terms.kind(symbolic) {
            TermKind::Apply(Op::And, conjuncts) => self.increment.extend_from_slice(conjuncts),
            _ if symbolic == Term::TRUE => {}
            _ => self.increment.push(symbolic),
        }
    }

    /// A fresh symbol for a variable.
    fn fresh(&mut self, variable: Var, terms: &mut Terms) -> Var {
        let number = self.unfolding.tree.symbols.len() + self.fresh.len();
        let symbol = self.unfolding.name(number, variable, terms);
        self.fresh.push(Symbol {
            symbol,
            variable,
            source: SymbolSource::Received,
            node: TreeNodeId::ROOT,
        });
        symbol
    }

    fn event(&mut self, from: TreeNodeId, edge: &GraphEdge, terms: &mut Terms) -> TreeLabel {
        let message = match &edge.label {
            EdgeLabel::Silent => return TreeLabel::Silent,
            EdgeLabel::Choose(chosen) => {
                for &variable in chosen {
                    self.bind(variable, terms);
                }
                return TreeLabel::Silent;
            }
            EdgeLabel::Tick => return TreeLabel::Tick,
            EdgeLabel::Raise(fault) => return TreeLabel::Raise(*fault),
            EdgeLabel::End => return TreeLabel::End,
            EdgeLabel::Accept => return TreeLabel::Accept,
            EdgeLabel::Message(message) => message,
        };
        // Free terms are read before anything is bound.
        let read: Vec<Option<[Term; 2]>> = message
            .fields
            .iter()
            .map(|field| match field.value {
                FieldValue::Free(term) => Some(self.resolve(term, terms)),
                FieldValue::Bind(_) => None,
            })
            .collect();
        let mut fields = Vec::with_capacity(message.fields.len());
        for (field, read) in message.fields.iter().zip(read) {
            let ([term, value], fresh) = match (field.value, read) {
                (FieldValue::Bind(variable), _) => {
                    let symbol = self.bind(variable, terms);
                    let term = terms.var(symbol);
                    ([term, term], Some(symbol))
                }
                (FieldValue::Free(_), Some(read)) => (read, None),
                (FieldValue::Free(term), None) => ([term, term], None),
            };
            fields.push(SymbolicField {
                label: field.label,
                term,
                value,
                fresh,
            });
        }
        self.obey_type(message, &fields, terms);
        self.obey_contract(from, message, &fields, terms);
        TreeLabel::Message(SymbolicMessage {
            from: message.from,
            to: message.to,
            head: MessageHead::of(message),
            fields,
        })
    }

    fn bind(&mut self, variable: Var, terms: &mut Terms) -> Var {
        let symbol = self.fresh(variable, terms);
        if let Some(&position) = self.unfolding.positions.get(&variable) {
            self.symbols[position] = symbol;
            self.values[position] = terms.var(symbol);
        }
        symbol
    }

    /// What comes from outside has the type of its message, and strings of the word list.
    fn obey_type(&mut self, message: &Message, fields: &[SymbolicField], terms: &mut Terms) {
        let brought: Vec<Var> = fields.iter().filter_map(|field| field.fresh).collect();
        if brought.is_empty() {
            return;
        }
        let constraint = self
            .unfolding
            .rules
            .interface
            .and_then(|interface| interface.message_type(message))
            .and_then(|carried| carried.constraint);
        if let (Some((variable, formula)), Some([term, value])) = (constraint, datum(fields, terms))
            && terms.sort_of(term) == terms.variable_sort(variable)
        {
            let over_symbols = FxHashMap::from_iter([(variable, term)]);
            let over_values = FxHashMap::from_iter([(variable, value)]);
            let symbolic = terms.substitute(formula, &over_symbols);
            let valued = terms.substitute(formula, &over_values);
            let valued = terms.simplify(valued);
            self.add_type([symbolic, valued], terms);
        }
        for symbol in brought {
            let term = terms.var(symbol);
            if let Some(spoken) = spoken(term, self.unfolding.rules.words, terms) {
                self.add_type([spoken, spoken], terms);
            }
        }
    }

    /// `π(o)[σ(v_in)/in, v_s/out]` where a partner answers.
    fn obey_contract(
        &mut self,
        from: TreeNodeId,
        message: &Message,
        fields: &[SymbolicField],
        terms: &mut Terms,
    ) {
        let Some(interface) = self.unfolding.rules.interface else {
            return;
        };
        let Some(signature) = interface.signature(message) else {
            return;
        };
        let is_partners_answer =
            signature.side == Side::Used && message.fault.is_none() && interface.is_answer(message);
        let (true, Some(contract)) = (is_partners_answer, signature.contract) else {
            return;
        };
        let call = MessageHead {
            direction: Direction::Send,
            ..MessageHead::of(message)
        };
        let Some(sent) = self.unfolding.last_sent(from, call, terms) else {
            return;
        };
        let Some(came) = datum(fields, terms) else {
            return;
        };
        let fits = terms.sort_of(sent[0]) == terms.variable_sort(contract.input)
            && terms.sort_of(came[0]) == terms.variable_sort(contract.output);
        if !fits {
            return;
        }
        let promised = [0, 1].map(|form| {
            let given =
                FxHashMap::from_iter([(contract.input, sent[form]), (contract.output, came[form])]);
            terms.substitute(contract.formula, &given)
        });
        let valued = terms.simplify(promised[1]);
        self.add([promised[0], valued], terms);
    }

    /// The updates in their order; a variable that is written twice gets one symbol, for the value it has at the end.
    fn actions(&mut self, edge: &GraphEdge, terms: &mut Terms) {
        let updates = &edge.updates;
        // What a variable holds between two assignments to it has no symbol: it is written out.
        let mut between: FxHashMap<Var, [Term; 2]> = FxHashMap::default();
        for (index, update) in updates.iter().enumerate() {
            let [symbolic, valued] = self.resolve_between(update.value, &between, terms);
            let again = updates[index + 1..]
                .iter()
                .any(|later| later.variable == update.variable);
            if again {
                between.insert(update.variable, [symbolic, valued]);
                continue;
            }
            between.remove(&update.variable);
            let symbol = self.fresh(update.variable, terms);
            if let Some(made) = self.fresh.last_mut() {
                made.source = SymbolSource::Assigned(valued);
            }
            let term = terms.var(symbol);
            self.increment.push(terms.equal(term, symbolic));
            if let Some(&position) = self.unfolding.positions.get(&update.variable) {
                self.symbols[position] = symbol;
                self.values[position] = valued;
            }
        }
    }

    fn resolve_between(
        &self,
        term: Term,
        between: &FxHashMap<Var, [Term; 2]>,
        terms: &mut Terms,
    ) -> [Term; 2] {
        if between.is_empty() {
            return self.resolve(term, terms);
        }
        let forms = [0, 1].map(|form| {
            let mut map = FxHashMap::default();
            for variable in terms.free_variables(term) {
                let known = between.get(&variable).map(|forms| forms[form]);
                let position = self.unfolding.positions.get(&variable);
                let value = match (known, position) {
                    (Some(known), _) => known,
                    (None, Some(&position)) if form == 0 => terms.var(self.symbols[position]),
                    (None, Some(&position)) => self.values[position],
                    (None, None) => continue,
                };
                map.insert(variable, value);
            }
            terms.substitute(term, &map)
        });
        [forms[0], terms.simplify(forms[1])]
    }
}

/// What a message carries as one value: its only unnamed datum, or a record of all.
pub fn datum(fields: &[SymbolicField], terms: &mut Terms) -> Option<[Term; 2]> {
    match fields {
        [] => None,
        [only] if only.label.is_none() => Some([only.term, only.value]),
        fields => {
            let labels: Vec<(Name, choros_data::Sort)> = fields
                .iter()
                .enumerate()
                .map(|(position, field)| {
                    let label = match field.label {
                        Some(label) => label,
                        None => terms.names.intern(&format!("part{}", position + 1)),
                    };
                    (label, terms.sort_of(field.term))
                })
                .collect();
            let sort = terms.sort(SortKind::Record(labels));
            let over_symbols: Vec<Term> = fields.iter().map(|field| field.term).collect();
            let over_values: Vec<Term> = fields.iter().map(|field| field.value).collect();
            Some([
                terms.record(sort, &over_symbols),
                terms.record(sort, &over_values),
            ])
        }
    }
}

/// That all strings in a value are among these words.
///
/// Strings inside lists are not reached: a list has no bound that a formula without quantifiers could follow.
fn spoken(value: Term, words: &[Arc<str>], terms: &mut Terms) -> Option<Term> {
    if words.is_empty() {
        return None;
    }
    let mut conjuncts = Vec::new();
    let mut stack = vec![value];
    while let Some(term) = stack.pop() {
        match terms.sort_kind(terms.sort_of(term)).clone() {
            SortKind::String => {
                let among: Vec<Term> = words
                    .iter()
                    .map(|word| {
                        let word = terms.constant(Value::String(word.clone()));
                        terms.equal(term, word)
                    })
                    .collect();
                conjuncts.push(terms.or(among));
            }
            SortKind::Record(fields) => {
                for (label, _) in fields.iter().rev() {
                    stack.extend(terms.field(term, *label));
                }
            }
            _ => {}
        }
    }
    (!conjuncts.is_empty()).then(|| terms.and(conjuncts))
}
