//! Random models: loops, choices, ticks, partners, data, two threads side by side; and mutants of them.

use choros_data::{Op, Sort, Term, Terms, Var};
use choros_model::interface::{Contract, Interface, MessageType, Side, Signature};
use choros_model::stg::{
    Direction, Edge, Ending, Event, Field, FieldValue, Message, NodeId, Operation, Role, Stg,
    StgBuilder, Update,
};
use choros_testkit::Random;

use super::naive::COMPARISONS;

/// A model.
pub(crate) struct Model {
    pub(crate) stg: Stg,
    pub(crate) interface: Interface,
    pub(crate) variables: Vec<Var>,
    pub(crate) bank: Role,
}

/// An edge between numbered nodes.
struct Draft {
    source: usize,
    target: usize,
    guard: Term,
    event: Event,
    updates: Vec<Update>,
}

struct Maker<'m> {
    random: &'m mut Random,
    terms: &'m mut Terms,
    service: Role,
    user: Role,
    bank: Role,
    operations: [Operation; 5],
    broken: choros_base::Name,
    variables: Vec<Var>,
}

/// A model of a service with a user and a bank.
pub(crate) fn model(random: &mut Random, terms: &mut Terms) -> Model {
    let mut name = |text: &str| terms.names.intern(text);
    let (service, user, bank) = (Role(name("S")), Role(name("USER")), Role(name("BK")));
    let operations = ["ask", "tell", "lend", "note", "news"].map(|text| Operation(name(text)));
    let broken = name("broken");
    let variables = ["x", "y"]
        .iter()
        .map(|text| {
            let name = terms.names.intern(text);
            terms.variable(name, Sort::INT)
        })
        .collect();
    let mut maker = Maker {
        random,
        terms,
        service,
        user,
        bank,
        operations,
        broken,
        variables,
    };
    let interface = maker.interface();
    let (count, drafts) = if maker.random.percent(30) {
        maker.side_by_side()
    } else {
        let count = maker.random.between(3, 7) as usize;
        (count, maker.thread(count, 5 + count))
    };
    let stg = maker.finish(count, drafts);
    Model {
        stg,
        interface,
        variables: maker.variables,
        bank,
    }
}

/// The same model with a few mistakes.
pub(crate) fn mutant(model: &Model, random: &mut Random, terms: &mut Terms) -> Stg {
    let stg = &model.stg;
    let mut builder = StgBuilder::new("mutant", Ending::Explicit);
    let nodes: Vec<NodeId> = stg
        .nodes()
        .iter()
        .map(|node| builder.node(node.label.clone()))
        .collect();
    let mut edges: Vec<Edge> = stg.edges().to_vec();
    for _ in 0..random.between(1, 4) {
        // The first edge only gives the variables their values.
        let position = random.below(edges.len());
        if edges[position].source == stg.initial() {
            continue;
        }
        let one = terms.int(1);
        let edge = &mut edges[position];
        match random.below(9) {
            0 => edge.target = NodeId(random.below(nodes.len() - 1) as u32),
            1 => edge.guard = terms.not(edge.guard),
            2 => edge.guard = Term::TRUE,
            3 => {
                edges.remove(position);
                continue;
            }
            4 => {
                edge.event = match &edge.event {
                    Event::Tick => Event::Silent,
                    Event::Silent => Event::Tick,
                    other => other.clone(),
                }
            }
            5 => edge.updates.clear(),
            _ => {
                if let Event::Message(message) = &mut edge.event
                    && let FieldValue::Free(term) = message.fields[0].value
                {
                    let more = terms.arithmetic(Op::Add, term, one);
                    message.fields[0].value = FieldValue::Free(more);
                }
            }
        }
    }
    for edge in edges {
        builder.edge(terms, edge);
    }
    for (index, node) in stg.nodes().iter().enumerate() {
        for termination in &node.terminations {
            builder.terminate(terms, nodes[index], termination.guard, None);
        }
    }
    builder.finish(stg.initial())
}

impl Maker<'_> {
    fn interface(&mut self) -> Interface {
        let name = self.terms.names.intern("message");
        let carries = || MessageType {
            name,
            sort: Sort::INT,
            constraint: None,
        };
        let signature = |partner, operation, side, output: bool| Signature {
            partner,
            operation,
            side,
            input: carries(),
            output: output.then(carries),
            faults: Vec::new(),
            contract: None,
        };
        let [ask, tell, lend, note, news] = self.operations;
        let mut operations = vec![
            signature(self.user, ask, Side::Provided, false),
            signature(self.user, tell, Side::Provided, true),
            signature(self.bank, lend, Side::Used, true),
            signature(self.bank, note, Side::Used, false),
            signature(self.user, news, Side::Used, false),
        ];
        operations[1].faults.push((self.broken, carries()));
        if self.random.percent(40) {
            let mut variable = |text: &str| {
                let name = self.terms.names.intern(text);
                self.terms.variable(name, Sort::INT)
            };
            let (input, output) = (variable("in'"), variable("out'"));
            let (asked, answer) = (self.terms.var(input), self.terms.var(output));
            let op = *self.random.pick(&[Op::Equal, Op::GreaterEqual, Op::Less]);
            let formula = self.terms.compare(op, answer, asked);
            operations[2].contract = Some(Contract {
                input,
                output,
                formula,
            });
        }
        Interface {
            orchestrator: self.service,
            user: self.user,
            operations,
            list_bound: None,
            unfollowed: Vec::new(),
            transports: Vec::new(),
            misread: false,
        }
    }

    /// A graph with this many nodes and edges; the last node ends.
    fn thread(&mut self, nodes: usize, edges: usize) -> Vec<Draft> {
        (0..edges)
            .map(|number| {
                let source = if number < nodes - 1 {
                    number
                } else {
                    self.random.below(nodes - 1)
                };
                let target = if number < nodes - 1 && self.random.percent(60) {
                    number + 1
                } else {
                    self.random.below(nodes)
                };
                self.edge(source, target, number == 0)
            })
            .collect()
    }

    /// Two threads: either continues by itself, and time passes in both at once.
    fn side_by_side(&mut self) -> (usize, Vec<Draft>) {
        let threads = [self.thread(3, 3), self.thread(3, 3)];
        let at = |left: usize, right: usize| 3 * left + right;
        let mut drafts = Vec::new();
        for left in 0..3 {
            for right in 0..3 {
                let here = [left, right];
                let mut ticks: Vec<(usize, usize)> = Vec::new();
                let mut is_urgent = false;
                for (which, thread) in threads.iter().enumerate() {
                    for draft in thread.iter().filter(|draft| draft.source == here[which]) {
                        if draft.event == Event::Tick {
                            ticks.push((which, draft.target));
                            continue;
                        }
                        is_urgent |= match &draft.event {
                            Event::Message(message) => message.from == self.service,
                            _ => true,
                        };
                        let mut there = here;
                        there[which] = draft.target;
                        drafts.push(Draft {
                            source: at(left, right),
                            target: at(there[0], there[1]),
                            guard: draft.guard,
                            event: draft.event.clone(),
                            updates: draft.updates.clone(),
                        });
                    }
                }
                // A tick is one for both, and waits for the one that has something to do.
                if ticks.is_empty() || is_urgent {
                    continue;
                }
                let mut there = here;
                for (which, target) in ticks {
                    there[which] = target;
                }
                drafts.push(Draft {
                    source: at(left, right),
                    target: at(there[0], there[1]),
                    guard: Term::TRUE,
                    event: Event::Tick,
                    updates: Vec::new(),
                });
            }
        }
        (9, drafts)
    }

    fn edge(&mut self, source: usize, target: usize, is_first: bool) -> Draft {
        let guard = if self.random.percent(35) {
            let variable = self.terms.var(*self.random.pick(&self.variables));
            let constant = self.terms.int(self.random.between(0, 4));
            let op = *self.random.pick(&COMPARISONS);
            self.terms.compare(op, variable, constant)
        } else {
            Term::TRUE
        };
        let kind = if is_first {
            self.random.between(2, 3)
        } else {
            self.random.between(0, 12)
        };
        let [ask, tell, lend, note, news] = self.operations;
        let (user, bank) = (self.user, self.bank);
        let event = match kind {
            0 => Event::Silent,
            1 if self.random.percent(20) => Event::Raise(self.broken),
            1 | 12 => Event::Tick,
            2 => self.message(user, ask, false),
            3 => self.message(user, tell, false),
            4..=6 => self.message(user, tell, true),
            7 => self.message(user, news, true),
            8 | 9 => self.message(bank, lend, true),
            10 => self.message(bank, lend, false),
            _ => self.message(bank, note, true),
        };
        let updates = if self.random.percent(30) && event != Event::Tick {
            let variable = *self.random.pick(&self.variables);
            let value = self.term(true);
            vec![Update { variable, value }]
        } else {
            Vec::new()
        };
        Draft {
            source,
            target,
            guard,
            event,
            updates,
        }
    }

    fn message(&mut self, partner: Role, operation: Operation, sends: bool) -> Event {
        // Now and then a reception takes one value alone.
        let is_picky = !sends && self.random.percent(10);
        let value = if sends || is_picky {
            FieldValue::Free(self.term(false))
        } else {
            FieldValue::Bind(*self.random.pick(&self.variables))
        };
        let is_fault = sends && operation == self.operations[1] && self.random.percent(15);
        Event::Message(Message {
            operation,
            from: if sends { self.service } else { partner },
            to: if sends { partner } else { self.service },
            direction: if sends {
                Direction::Send
            } else {
                Direction::Receive
            },
            fault: is_fault.then_some(self.broken),
            fields: vec![Field { label: None, value }],
        })
    }

    /// A number that is computed; in updates also one that may have no value.
    fn term(&mut self, may_be_undefined: bool) -> Term {
        let variable = self.terms.var(*self.random.pick(&self.variables));
        let constant = self.terms.int(self.random.between(0, 3));
        match self.random.below(if may_be_undefined { 8 } else { 7 }) {
            0..=2 => variable,
            3 | 4 => self.terms.arithmetic(Op::Add, variable, constant),
            5 | 6 => constant,
            _ => self.terms.arithmetic(Op::IntegerDivide, constant, variable),
        }
    }

    fn finish(&mut self, count: usize, drafts: Vec<Draft>) -> Stg {
        let mut builder = StgBuilder::new("random", Ending::Explicit);
        let nodes: Vec<NodeId> = (0..count)
            .map(|node| builder.node(node.to_string()))
            .collect();
        for draft in drafts {
            let edge = Edge {
                source: nodes[draft.source],
                target: nodes[draft.target],
                guard: draft.guard,
                event: draft.event,
                updates: draft.updates,
                origin: None,
            };
            builder.edge(self.terms, edge);
        }
        builder.terminate(self.terms, nodes[count - 1], Term::TRUE, None);
        let initial = builder.node("start");
        let zero = self.terms.int(0);
        let updates = self
            .variables
            .iter()
            .map(|&variable| Update {
                variable,
                value: zero,
            })
            .collect();
        let first = Edge {
            source: initial,
            target: nodes[0],
            guard: Term::TRUE,
            event: Event::Silent,
            updates,
            origin: None,
        };
        builder.edge(self.terms, first);
        builder.finish(initial)
    }
}
