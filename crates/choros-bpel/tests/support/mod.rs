//! Processes put together by hand.

#![allow(dead_code)]

use choros_base::Name;
use choros_bpel::calculus::*;
use choros_data::{Op, Sort, Term, Terms, Var};
use choros_model::stg::{Operation, Role, Update};

/// A process in the making.
pub(crate) struct Maker {
    pub(crate) terms: Terms,
    pub(crate) process: Process,
}

impl Maker {
    pub(crate) fn new() -> Self {
        let mut terms = Terms::new();
        let role = Role(terms.names.intern("P"));
        let violation = terms.names.intern("bpel:correlationViolation");
        Self {
            terms,
            process: Process::new(role, violation),
        }
    }

    pub(crate) fn name(&mut self, text: &str) -> Name {
        self.terms.names.intern(text)
    }

    pub(crate) fn int(&mut self, name: &str) -> Var {
        let name = self.name(name);
        self.terms.variable(name, Sort::INT)
    }

    pub(crate) fn flag(&mut self, name: &str) -> Term {
        self.terms.named(name, Sort::BOOL)
    }

    pub(crate) fn set(&mut self, variable: &str, value: i64) -> Update {
        let variable = self.int(variable);
        let value = self.terms.int(value);
        Update { variable, value }
    }

    pub(crate) fn copy(&mut self, to: &str, from: &str) -> Update {
        let variable = self.int(to);
        let from = self.int(from);
        let value = self.terms.var(from);
        Update { variable, value }
    }

    pub(crate) fn add(&mut self, activity: Activity) -> ActivityId {
        self.process.add(activity, None)
    }

    pub(crate) fn empty(&mut self) -> ActivityId {
        self.add(Activity::Empty)
    }

    /// `x := value`.
    pub(crate) fn assign(&mut self, variable: &str, value: i64) -> ActivityId {
        let update = self.set(variable, value);
        self.add(Activity::Assign(vec![update]))
    }

    /// `x := x + 1`.
    pub(crate) fn increase(&mut self, variable: &str) -> ActivityId {
        let variable = self.int(variable);
        let (old, one) = (self.terms.var(variable), self.terms.int(1));
        let value = self.terms.arithmetic(Op::Add, old, one);
        self.add(Activity::Assign(vec![Update { variable, value }]))
    }

    pub(crate) fn throw(&mut self, fault: &str) -> ActivityId {
        let fault = self.name(fault);
        self.add(Activity::Throw(
            RaisedFault { fault, data: None },
            Vec::new(),
        ))
    }

    pub(crate) fn receive(&mut self, operation: &str, variable: &str) -> ActivityId {
        self.receive_with(operation, variable, None, &[])
    }

    pub(crate) fn receive_with(
        &mut self,
        operation: &str,
        variable: &str,
        correlation: Option<Correlation>,
        faults: &[&str],
    ) -> ActivityId {
        let wire = format!("{variable}_a");
        let store = vec![self.copy(variable, &wire)];
        let faults = faults
            .iter()
            .map(|fault| ReceivedFault {
                raised: RaisedFault {
                    fault: self.name(fault),
                    data: None,
                },
            })
            .collect();
        let reception = Reception {
            partner: Role(self.name("USER")),
            operation: Operation(self.name(operation)),
            wire: Some(self.int(&wire)),
            store,
            correlation,
            delivery: None,
            faults,
            opens: None,
            contest: None,
        };
        self.add(Activity::Receive(reception))
    }

    pub(crate) fn send(&mut self, operation: &str, variable: &str) -> ActivityId {
        self.send_with(operation, variable, None, None)
    }

    pub(crate) fn send_with(
        &mut self,
        operation: &str,
        variable: &str,
        correlation: Option<Correlation>,
        fault: Option<&str>,
    ) -> ActivityId {
        let wire = format!("{variable}_a");
        let prepare = vec![self.copy(&wire, variable)];
        let sending = Sending {
            partner: Role(self.name("USER")),
            operation: Operation(self.name(operation)),
            fault: fault.map(|fault| self.name(fault)),
            wire: Some(self.int(&wire)),
            prepare,
            correlation,
            closes: None,
        };
        self.add(Activity::Send(sending))
    }

    /// A two-way call.
    pub(crate) fn invoke(&mut self, operation: &str, variable: &str) -> ActivityId {
        let send = self.send(operation, variable);
        let receive = self.receive(operation, variable);
        self.sequence(&[send, receive])
    }

    pub(crate) fn sequence(&mut self, parts: &[ActivityId]) -> ActivityId {
        self.add(Activity::Sequence(parts.to_vec()))
    }

    pub(crate) fn flow(&mut self, parts: &[ActivityId]) -> ActivityId {
        self.add(Activity::Flow(parts.to_vec()))
    }

    pub(crate) fn either(&mut self, guard: Term, yes: ActivityId, no: ActivityId) -> ActivityId {
        let otherwise = self.terms.complement(guard);
        let arm = |guard, body| Arm {
            guard,
            updates: Vec::new(),
            body,
        };
        self.add(Activity::Choice {
            arms: vec![arm(guard, yes), arm(otherwise, no)],
            waits: false,
        })
    }

    pub(crate) fn while_(&mut self, enter: Term, body: ActivityId, body_first: bool) -> ActivityId {
        let leave = self.terms.complement(enter);
        self.add(Activity::Loop {
            enter,
            leave,
            body,
            body_first,
            undefined: None,
        })
    }

    pub(crate) fn time(&mut self) -> ActivityId {
        self.add(Activity::Time)
    }

    pub(crate) fn wait(&mut self, ticks: u32) -> ActivityId {
        let body = self.time();
        let then = self.empty();
        let mut scope = Scope::around(body);
        scope.style = Style::Disabling;
        scope.alarms.push(OnAlarm {
            after: ticks,
            every: None,
            body: then,
        });
        self.add(Activity::Scope(scope))
    }

    pub(crate) fn catch(
        &mut self,
        body: ActivityId,
        fault: Option<&str>,
        handler: ActivityId,
    ) -> ActivityId {
        let mut scope = Scope::around(body);
        let fault = fault.map(|fault| self.name(fault));
        scope.handlers.push(Handling {
            fault,
            variable: None,
            body: handler,
            rethrows: false,
        });
        self.add(Activity::Scope(scope))
    }

    pub(crate) fn correlation(&mut self) -> Correlation {
        let violation = self.flag("G");
        let updates = vec![self.set("vcs", 1)];
        Correlation { violation, updates }
    }

    /// What a correlation set delivers: with `no`, `yes` or `join`.
    pub(crate) fn delivery(&mut self, kind: usize) -> Delivery {
        let initiated = self.flag("init");
        let fresh = self.terms.complement(initiated);
        // A message that must match has the number that is known.
        let (wire, known) = (self.int("x_a"), self.int("vcs"));
        let (carried, known) = (self.terms.var(wire), self.terms.var(known));
        let consistent = self.terms.equal(carried, known);
        let matches = match kind {
            0 => consistent,
            1 => Term::TRUE,
            _ => self.terms.or([fresh, consistent]),
        };
        let record = self.set("vcs", 1);
        let mut updates = vec![record];
        if matches != Term::TRUE {
            let name = self.name("delivered");
            let delivered = self.terms.variable(name, Sort::BOOL);
            self.process.delivered = Some(delivered);
            updates.insert(0, Process::accepting(&mut self.terms, delivered, matches));
        }
        let (unready, refused) = match kind {
            0 => (fresh, Vec::new()),
            1 => (Term::FALSE, vec![(initiated, self.process.violation)]),
            _ => (Term::FALSE, Vec::new()),
        };
        Delivery {
            unready,
            refused,
            matches,
            updates,
            is_correlated: true,
        }
    }

    /// A reception for whose messages others may wait.
    pub(crate) fn contested(&mut self, id: ActivityId, sets: &[&str], starts: bool) -> ActivityId {
        let sets = sets.iter().map(|it| self.int(it)).collect();
        if let Activity::Receive(reception) = self.process.activity_mut(id) {
            reception.contest = Some(Contest {
                sets,
                starts,
                is_open: true,
            });
        }
        id
    }

    pub(crate) fn receive_delivered(
        &mut self,
        operation: &str,
        variable: &str,
        delivery: Delivery,
    ) -> ActivityId {
        let id = self.receive(operation, variable);
        if let Activity::Receive(reception) = self.process.activity_mut(id) {
            reception.delivery = Some(delivery);
        }
        id
    }

    /// The graph of the process that begins with an activity.
    pub(crate) fn graph(&mut self, root: ActivityId) -> choros_model::stg::Stg {
        self.process.root = root;
        let budget = choros_base::Budget::steps(100_000);
        unfold(&mut self.terms, &self.process, "P", &budget)
            .expect("small")
            .graph
    }

    /// States, transitions, and one line per edge: `0 -label-> 1`.
    pub(crate) fn drawn(&mut self, root: ActivityId) -> (usize, usize, Vec<String>) {
        let graph = self.graph(root);
        let counts = graph.counts();
        let lines = graph
            .edges()
            .iter()
            .map(|edge| {
                let label = edge.label_text(&self.terms);
                format!("{} -{label}-> {}", edge.source.0, edge.target.0)
            })
            .collect();
        (counts.states, counts.transitions, lines)
    }
}
