//! Random orchestrations and services that run them: a service that does what its specification says is never blamed,
//! and one that says something else is never passed.
//!
//! The service is the naive semantics of the graph with concrete values and random scheduling, after channels that
//! delay messages and let those of different operations overtake each other.

use choros_base::Budget;
use choros_data::{Assignment, Op, Sort, Term, Terms, Value, Var};
use choros_model::interface::{Interface, MessageType, Side, Signature};
use choros_model::stg::run::{self, RunState, RunStep};
use choros_model::stg::{
    Direction, Edge, Ending, Event, Field, FieldValue, Message, NodeId, Operation, Role, Stg,
    StgBuilder, Update,
};
use choros_smt::Solver;
use choros_symex::driver::{
    ConcreteMessage, ConversationEntry, ConversationRules, Delay, Driver, DriverAction,
    SearchBounds, Specification, SymbolicPath, TestVerdict, Timing, Unseen, ValueStrategy, View,
    judge_again, judge_by_model,
};
use choros_symex::{Execution, ExecutionRules, Graph, TestCase, execute};
use choros_testkit::{Random, seed_from_env};

const UNIT: u64 = 1_000_000;
const TEMPO: Timing = Timing {
    unit: UNIT,
    tolerance: 100_000,
    answer: 5_000_000,
    quiet: 300_000,
};

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// Sends a value that no branch computes.
    Value,
    /// Says nothing any more after its first output.
    Silent,
}

#[test]
fn a_correct_service_is_never_blamed_and_a_wrong_one_never_passes() {
    let first = seed_from_env();
    let mut verdicts = [[0_usize; 3]; 3];
    let mut withheld = [[0_usize; 3]; 3];
    for seed in (0..40).map(|number| first.wrapping_add(number)) {
        for (row, fault) in [Fault::None, Fault::Value, Fault::Silent]
            .into_iter()
            .enumerate()
        {
            for in_the_large in [false, true] {
                let mut solver = find_solver();
                let found = drive(seed, fault, in_the_large, None, &mut solver);
                for (verdict, _) in found {
                    verdicts[row][verdict as usize] += 1;
                }
                // Partners may keep a message back while a timer runs.
                for delay in [Delay::UntilLate, Delay::Forever] {
                    let mut solver = find_solver();
                    let found = drive(seed, fault, in_the_large, Some(delay), &mut solver);
                    for (verdict, _) in found.iter().filter(|it| it.1) {
                        withheld[row][*verdict as usize] += 1;
                    }
                }
            }
        }
    }
    let [correct, wrong, silent] = verdicts;
    assert!(correct[TestVerdict::Pass as usize] > 100, "{verdicts:?}");
    assert!(wrong[TestVerdict::Fail as usize] > 30, "{verdicts:?}");
    assert!(silent[TestVerdict::Fail as usize] > 5, "{verdicts:?}");
    assert!(withheld[0].iter().sum::<usize>() > 5, "{withheld:?}");
}

/// A solver, which serves one store of terms.
fn find_solver() -> impl Solver {
    choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh")
}

/// Drives a random service along all paths of a small tree; with each verdict, whether a message was kept back.
fn drive(
    seed: u64,
    fault: Fault,
    in_the_large: bool,
    delay: Option<Delay>,
    solver: &mut impl Solver,
) -> Vec<(TestVerdict, bool)> {
    let mut random = Random::new(seed);
    let mut terms = Terms::new();
    let (stg, interface) = random_orchestration(&mut random, &mut terms);
    let bank = interface.operations[2].partner;
    let view = View {
        service: interface.orchestrator,
        played: if in_the_large {
            vec![interface.user, bank]
        } else {
            vec![interface.user]
        },
        unseen: Unseen::ByService,
        identities: Vec::new(),
    };
    let graph = Graph::of_model(&stg, &mut terms);
    let budget = Budget::steps(400);
    let execution = Execution {
        depth: 5,
        silent: 6,
        inclusion: false,
        merge: true,
        rules: ExecutionRules {
            interface: Some(&interface),
            words: &[],
        },
        budget: &budget,
    };
    let tree = execute(&graph, &execution, solver, &mut terms).expect("a solver that works");
    let mut paths: Vec<SymbolicPath> = tree
        .ids()
        .filter(|&id| tree.is_leaf(id))
        .map(|id| {
            SymbolicPath::of(&TestCase::of(
                &tree,
                id,
                format!("test_{}", id.0),
                &view.played,
            ))
        })
        .collect();
    paths.truncate(6);
    let specification = Specification {
        stg: &stg,
        interface: &interface,
        view: &view,
        tempo: TEMPO,
        bounds: SearchBounds {
            hidden: 40,
            branches: 200,
            outbox: 3,
        },
    };
    let mut found = Vec::new();
    for number in 0..paths.len() {
        let conduct = ConversationRules {
            is_adaptive: random.percent(50),
            on_timeout: TestVerdict::Fail,
            strategy: ValueStrategy::Seeded(seed),
        };
        let mut service = Service::new(&stg, &view, fault, random.number(), &terms);
        let mut driver =
            Driver::new(specification, &paths, number, conduct, 0, &mut terms).expect("a path");
        if let Some(delay) = delay {
            driver = driver.withholding(delay, Vec::new(), Vec::new());
        }
        let mut now = 0;
        let mut is_wrong = false;
        loop {
            match driver.next(now, &mut terms, solver).expect("a solver") {
                DriverAction::Stop => break,
                DriverAction::Send(message) => {
                    driver.arrived(message.operation, now);
                    service.receive(message);
                }
                DriverAction::Listen(until) => match service.run(&mut now, until, &terms) {
                    Some((message, wrong)) => {
                        is_wrong |= wrong;
                        driver
                            .observe(message, now, &mut terms, solver)
                            .expect("a solver");
                    }
                    None => driver.elapsed(now, &mut terms, solver).expect("a solver"),
                },
            }
        }
        let outcome = driver.outcome();
        let told = || {
            let lines: Vec<String> = outcome
                .log
                .iter()
                .map(|entry| match entry {
                    ConversationEntry::Sent { at, message } => {
                        format!("{at} > {}", message.text(&terms))
                    }
                    ConversationEntry::Seen { at, message } => {
                        format!("{at} < {}", message.text(&terms))
                    }
                    other => format!("{other:?}"),
                })
                .collect();
            format!(
                "CHOROS_SEED={seed}, path {number}, in the large: {in_the_large}: {}\n{}\n{}",
                outcome.reason,
                lines.join("\n"),
                choros_model::stg::write_stg(&stg, &terms)
            )
        };
        if outcome.withheld.is_some() {
            match fault {
                Fault::None => assert_ne!(outcome.verdict, TestVerdict::Fail, "{}", told()),
                _ if is_wrong && in_the_large => {
                    assert_ne!(outcome.verdict, TestVerdict::Pass, "{}", told())
                }
                _ => {}
            }
            found.push((outcome.verdict, true));
            continue;
        }
        // What was recorded gives the same verdict again, along its path and, if it fails, by the model alone.
        let judged = judge_again(
            specification,
            &paths,
            number,
            conduct,
            &outcome.log,
            &mut terms.clone(),
            solver,
        );
        let judged = judged.expect("a solver").expect("a path");
        let why = &judged.reason;
        assert_eq!(
            judged.verdict,
            outcome.verdict,
            "{}\njudged again: {why}",
            told()
        );
        let judged = judge_by_model(
            specification,
            conduct,
            &outcome.log,
            &mut terms.clone(),
            solver,
        );
        let judged = judged.expect("a solver");
        let why = &judged.reason;
        let fails = [judged.verdict, outcome.verdict].map(|it| it == TestVerdict::Fail);
        assert_eq!(fails[0], fails[1], "{}\nby the model alone: {why}", told());
        match fault {
            Fault::None => assert_ne!(outcome.verdict, TestVerdict::Fail, "{}", told()),
            // What a bank that no one sees has said may be anything.
            _ if is_wrong && in_the_large => {
                assert_ne!(outcome.verdict, TestVerdict::Pass, "{}", told())
            }
            _ => {}
        }
        found.push((outcome.verdict, false));
    }
    found
}

/// A service that runs the graph.
struct Service<'g> {
    stg: &'g Stg,
    view: &'g View,
    fault: Fault,
    random: Random,
    at: RunState,
    entered: u64,
    queue: Vec<ConcreteMessage>,
    outbox: Vec<(u64, ConcreteMessage, bool)>,
    sent: usize,
    ended: bool,
}

impl<'g> Service<'g> {
    fn new(stg: &'g Stg, view: &'g View, fault: Fault, seed: u64, terms: &Terms) -> Service<'g> {
        let mut random = Random::new(seed);
        let mut values = Assignment::default();
        for variable in stg.variables(terms) {
            values.insert(variable, Value::int(random.between(0, 3)));
        }
        Service {
            stg,
            view,
            fault,
            at: run::start(stg, values),
            random,
            entered: 0,
            queue: Vec::new(),
            outbox: Vec::new(),
            sent: 0,
            ended: false,
        }
    }

    fn receive(&mut self, message: ConcreteMessage) {
        self.queue.push(message);
    }

    /// Lives until it has something to say that arrives, or until the moment; says whether it was wrong.
    fn run(&mut self, now: &mut u64, until: u64, terms: &Terms) -> Option<(ConcreteMessage, bool)> {
        // A service that never rests is stopped: what it does then, no one sees.
        for _ in 0..200 {
            if let Some(first) = self
                .outbox
                .iter()
                .map(|(at, _, _)| *at)
                .min()
                .filter(|&at| at <= until)
            {
                // What else happens before it arrives, happens first, sometimes.
                if self.random.percent(50) || !self.step(*now, terms) {
                    let position = self.outbox.iter().position(|(at, _, _)| *at == first)?;
                    let (at, message, wrong) = self.outbox.remove(position);
                    *now = at.max(*now);
                    return Some((message, wrong));
                }
                continue;
            }
            if self.step(*now, terms) {
                continue;
            }
            // Time passes: to the next tick, if there is one before the end.
            let tick = self.entered + UNIT + self.random.below(50_000) as u64;
            match self.tick(terms) {
                Some(edge) if tick.max(*now) <= until && !self.ended => {
                    *now = tick.max(*now);
                    self.fire(edge, Vec::new(), *now, terms);
                }
                _ => {
                    *now = until;
                    return None;
                }
            }
        }
        *now = until;
        None
    }

    fn tick(&self, terms: &Terms) -> Option<choros_model::stg::EdgeId> {
        run::enabled(self.stg, &self.at, terms)
            .ok()?
            .into_iter()
            .find(|&id| self.stg.edge(id).event.is_tick())
    }

    /// One step that takes no time; false if there is none.
    fn step(&mut self, now: u64, terms: &Terms) -> bool {
        if self.ended {
            return false;
        }
        let mut steps = Vec::new();
        for id in run::enabled(self.stg, &self.at, terms).unwrap_or_default() {
            match &self.stg.edge(id).event {
                Event::Silent | Event::Choose(_) | Event::Raise(_) | Event::Disturbance(_) => {
                    steps.push((id, None))
                }
                Event::Tick | Event::TickOf(_) => {}
                Event::Message(message) => {
                    let partner = if message.from == self.view.service {
                        message.to
                    } else {
                        message.from
                    };
                    let is_seen = self.view.played.contains(&partner);
                    match (message.direction, is_seen) {
                        (Direction::Receive, true) => {
                            let first = self
                                .queue
                                .iter()
                                .position(|waiting| waiting.operation == message.operation);
                            if let Some(position) = first {
                                steps.push((id, Some(position)));
                            }
                        }
                        _ => steps.push((id, None)),
                    }
                }
            }
        }
        // Of two messages for one choice, the first that came is taken.
        let first = steps.iter().filter_map(|(_, taken)| *taken).min();
        steps.retain(|(_, taken)| taken.is_none() || *taken == first);
        let ends = run::may_end(self.stg, &self.at, terms).unwrap_or(false);
        if ends && (steps.is_empty() || self.random.percent(30)) {
            self.ended = true;
            return false;
        }
        if steps.is_empty() {
            return false;
        }
        let (edge, taken) = *self.random.pick(&steps);
        let brought: Vec<Value> = match taken {
            Some(position) => self.queue.remove(position).values,
            None => self
                .stg
                .edge(edge)
                .event
                .bound_variables()
                .map(|_| Value::int(self.random.between(0, 4)))
                .collect(),
        };
        self.fire(edge, brought, now, terms);
        true
    }

    fn fire(
        &mut self,
        edge: choros_model::stg::EdgeId,
        brought: Vec<Value>,
        now: u64,
        terms: &Terms,
    ) {
        let Ok(fired) = run::fire(
            self.stg,
            &self.at,
            &RunStep {
                edge,
                bound_values: brought,
            },
            terms,
        ) else {
            return;
        };
        if let Event::Message(message) = &self.stg.edge(edge).event
            && message.direction == Direction::Send
            && self.view.played.contains(&message.to)
        {
            let is_wrong = self.fault == Fault::Value && self.random.percent(60);
            let values = if is_wrong {
                vec![Value::int(-999)]
            } else {
                fired.carried.clone()
            };
            self.sent += 1;
            if self.fault != Fault::Silent || self.sent == 1 {
                let last = self
                    .outbox
                    .iter()
                    .filter(|(_, other, _)| other.operation == message.operation)
                    .map(|(at, _, _)| *at)
                    .max()
                    .unwrap_or(0);
                let at = (now + self.random.below(40_000) as u64).max(last + 1);
                let message = ConcreteMessage {
                    operation: message.operation,
                    from: message.from,
                    to: message.to,
                    fault: message.fault,
                    values,
                };
                self.outbox.push((at, message, is_wrong));
            }
        }
        self.at = fired.state;
        self.entered = now;
    }
}

/// A service with a user and a bank: two operations of each kind, integers, silent steps, ticks and faults.
fn random_orchestration(random: &mut Random, terms: &mut Terms) -> (Stg, Interface) {
    let mut name = |text: &str| terms.names.intern(text);
    let (service, user, bank) = (Role(name("S")), Role(name("USER")), Role(name("BK")));
    let operations = ["ask", "tell", "lend", "note"].map(|text| Operation(name(text)));
    let (message, broken) = (name("message"), name("broken"));
    let carries = || MessageType {
        name: message,
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
    let interface = Interface {
        orchestrator: service,
        user,
        operations: vec![
            signature(user, operations[0], Side::Provided, false),
            signature(user, operations[1], Side::Provided, true),
            signature(bank, operations[2], Side::Used, true),
            signature(bank, operations[3], Side::Used, false),
        ],
        list_bound: None,
        unfollowed: Vec::new(),
        transports: Vec::new(),
        misread: false,
    };
    let variables: Vec<Var> = ["x", "y"]
        .iter()
        .map(|text| {
            let name = terms.names.intern(text);
            terms.variable(name, Sort::INT)
        })
        .collect();
    let mut builder = StgBuilder::new("random", Ending::Explicit);
    let nodes: Vec<NodeId> = (0..7).map(|node| builder.node(node.to_string())).collect();
    let term = |random: &mut Random, terms: &mut Terms| {
        let variable = terms.var(*random.pick(&variables));
        let constant = terms.int(random.between(0, 3));
        match random.below(3) {
            0 => variable,
            1 => terms.arithmetic(Op::Add, variable, constant),
            _ => constant,
        }
    };
    for edge in 0..12 {
        let source = nodes[if edge < 6 { edge } else { random.below(7) }];
        let target = nodes[random.below(7)];
        let guard = if random.percent(40) {
            let variable = terms.var(*random.pick(&variables));
            let constant = terms.int(random.between(0, 4));
            let op = *random.pick(&[Op::Less, Op::GreaterEqual, Op::Equal]);
            terms.compare(op, variable, constant)
        } else {
            Term::TRUE
        };
        let kind = if edge == 0 { 2 } else { random.below(9) };
        let say = |partner, operation, sends: bool, terms: &mut Terms, random: &mut Random| {
            let value = if sends {
                FieldValue::Free(term(random, terms))
            } else {
                FieldValue::Bind(*random.pick(&variables))
            };
            Event::Message(Message {
                operation,
                from: if sends { service } else { partner },
                to: if sends { partner } else { service },
                direction: if sends {
                    Direction::Send
                } else {
                    Direction::Receive
                },
                fault: None,
                fields: vec![Field { label: None, value }],
            })
        };
        let event = match kind {
            0 => Event::Silent,
            1 => {
                if random.percent(20) {
                    Event::Raise(broken)
                } else {
                    Event::Tick
                }
            }
            2 => say(user, operations[0], false, terms, random),
            3 => say(user, operations[1], false, terms, random),
            4 | 5 => say(user, operations[1], true, terms, random),
            6 => say(bank, operations[2], true, terms, random),
            7 => say(bank, operations[2], false, terms, random),
            _ => say(bank, operations[3], true, terms, random),
        };
        let updates = if random.percent(40) {
            vec![Update {
                variable: *random.pick(&variables),
                value: term(random, terms),
            }]
        } else {
            Vec::new()
        };
        builder.edge(
            terms,
            Edge {
                source,
                target,
                guard,
                event,
                updates,
                origin: None,
            },
        );
    }
    builder.terminate(terms, nodes[6], Term::TRUE, None);
    let initial = builder.node("start");
    let zero = terms.int(0);
    let updates = variables
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
    builder.edge(terms, first);
    (builder.finish(initial), interface)
}
