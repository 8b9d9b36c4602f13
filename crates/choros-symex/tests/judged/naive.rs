//! The naive semantics of a graph as a service: concrete values, concrete moments, everything one step at a time.
//!
//! A service chooses at random among the steps; an inquiry follows all of them.
//! Nothing here knows of symbols, windows or solvers.

use choros_data::{Assignment, Op, Terms, Value, Var};
use choros_model::interface::{Interface, Side};
use choros_model::stg::run::{self, RunState, RunStep};
use choros_model::stg::{Direction, Event, Message, NodeId, Operation, Role, Stg};
use choros_symex::driver::{ConcreteMessage, Moment, Timing, View};

/// What the semantics is taken over.
pub(crate) struct Naive<'n> {
    pub(crate) stg: &'n Stg,
    pub(crate) interface: &'n Interface,
    pub(crate) view: &'n View,
    pub(crate) terms: &'n Terms,
    pub(crate) tempo: Timing,
    pub(crate) variables: &'n [Var],
    /// Whether moments count; without them ticks come at any time, and everything may take forever.
    pub(crate) is_timed: bool,
}

/// Where a service stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) node: NodeId,
    pub(crate) values: Vec<i64>,
    /// Which of the inputs that were sent it has not taken, in their order.
    pub(crate) queue: Vec<usize>,
    /// What it has sent and no one has seen.
    pub(crate) outbox: Vec<Said>,
    /// What the bank was asked and has not answered.
    pub(crate) asked: Vec<i64>,
    /// When the timer that runs began.
    pub(crate) since: Moment,
    pub(crate) has_ended: bool,
}

/// An output.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Said {
    pub(crate) operation: Operation,
    pub(crate) to: Role,
    pub(crate) fault: Option<choros_base::Name>,
    pub(crate) value: i64,
}

/// An input that was sent.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub(crate) message: ConcreteMessage,
    pub(crate) sent: Moment,
    /// When it is there, if that is known.
    pub(crate) there: Option<Moment>,
    /// When the tester was told that it has arrived.
    pub(crate) told: Option<Moment>,
}

impl Naive<'_> {
    pub(crate) fn start(&self, values: Vec<i64>) -> State {
        State {
            node: self.stg.initial(),
            values,
            queue: Vec::new(),
            outbox: Vec::new(),
            asked: Vec::new(),
            since: 0,
            has_ended: false,
        }
    }

    /// The steps that take no time; what partners say who are not seen is one of the numbers.
    pub(crate) fn steps(
        &self,
        state: &State,
        now: Moment,
        given: &[Given],
        numbers: &[i64],
    ) -> Vec<State> {
        let mut after = Vec::new();
        if state.has_ended {
            return after;
        }
        let situation = self.situation(state);
        if run::may_end(self.stg, &situation, self.terms) == Ok(true) {
            after.push(State {
                has_ended: true,
                ..state.clone()
            });
        }
        let inputs = self.takeable(state, now, given);
        for id in run::enabled(self.stg, &situation, self.terms).unwrap_or_default() {
            let edge = self.stg.edge(id);
            let mut options: Vec<(Vec<i64>, Option<usize>, Option<usize>)> = Vec::new();
            match &edge.event {
                Event::Silent | Event::Raise(_) | Event::Disturbance(_) => {
                    options.push((Vec::new(), None, None))
                }
                Event::Choose(chosen) => {
                    let mut brought = vec![Vec::new()];
                    for _ in chosen {
                        brought = brought
                            .iter()
                            .flat_map(|some: &Vec<i64>| {
                                numbers.iter().map(|&value| [&some[..], &[value]].concat())
                            })
                            .collect();
                    }
                    options.extend(brought.into_iter().map(|it| (it, None, None)));
                }
                Event::Tick | Event::TickOf(_) => {
                    let from = state.since + self.tempo.unit - self.tempo.tolerance;
                    let is_over = inputs
                        .iter()
                        .any(|&(_, input)| now > given[input].sent + self.tempo.tolerance);
                    if !self.is_timed || now >= from && !is_over {
                        options.push((Vec::new(), None, None));
                    }
                }
                Event::Message(message) => match self.sight(message) {
                    Sight::Out | Sight::HiddenOut => options.push((Vec::new(), None, None)),
                    Sight::In => {
                        for &(edge, input) in &inputs {
                            if edge == id && !self.is_overtaken(input, &inputs, given) {
                                let value = number(&given[input].message.values[0]);
                                options.push((vec![value], None, Some(input)));
                            }
                        }
                    }
                    Sight::HiddenIn => {
                        for &value in numbers {
                            match self.contract(message) {
                                Some(_) if !state.asked.is_empty() => {
                                    for (position, &asked) in state.asked.iter().enumerate() {
                                        if self.keeps(message, asked, value) {
                                            options.push((vec![value], Some(position), None));
                                        }
                                    }
                                }
                                _ => options.push((vec![value], None, None)),
                            }
                        }
                    }
                },
            }
            for (brought, answered, taken) in options {
                let binds = edge.event.bound_variables().count();
                let brought: Vec<Value> = brought.into_iter().map(Value::int).collect();
                let choice = RunStep {
                    edge: id,
                    bound_values: brought[..binds.min(brought.len())].to_vec(),
                };
                let Ok(fired) = run::fire(self.stg, &situation, &choice, self.terms) else {
                    continue;
                };
                if !brought.is_empty() && fired.carried != brought {
                    continue;
                }
                let mut next = State {
                    node: fired.state.node,
                    values: self
                        .variables
                        .iter()
                        .map(|variable| number(&fired.state.values[variable]))
                        .collect(),
                    ..state.clone()
                };
                if let Some(position) = answered {
                    next.asked.remove(position);
                }
                if let Some(taken) = taken {
                    next.queue.retain(|&input| input != taken);
                }
                if let Event::Message(message) = &edge.event {
                    let value = number(&fired.carried[0]);
                    if message.from == self.view.service && self.contract(message).is_some() {
                        next.asked.push(value);
                    }
                    if self.sight(message) == Sight::Out {
                        next.outbox.push(Said {
                            operation: message.operation,
                            to: message.to,
                            fault: message.fault,
                            value,
                        });
                    }
                }
                self.wind(state, next, edge.event == Event::Tick, now, &mut after);
            }
        }
        after
    }

    /// The timer runs on, or begins again.
    fn wind(
        &self,
        before: &State,
        next: State,
        is_tick: bool,
        now: Moment,
        after: &mut Vec<State>,
    ) {
        if !self.is_timed {
            after.push(next);
            return;
        }
        let runs_on = self
            .stg
            .outgoing(before.node)
            .any(|(_, edge)| match &edge.event {
                Event::Tick
                | Event::TickOf(_)
                | Event::Silent
                | Event::Choose(_)
                | Event::Raise(_)
                | Event::Disturbance(_) => true,
                Event::Message(message) => message.from == self.view.service,
            });
        let old = if is_tick {
            Some(before.since + self.tempo.unit)
        } else {
            runs_on.then_some(before.since)
        };
        // A clock that is fast does not become faster by being wound up.
        let new = (!is_tick || now >= before.since + self.tempo.unit).then_some(now);
        for since in [old, new.filter(|&new| Some(new) != old)]
            .into_iter()
            .flatten()
        {
            after.push(State {
                since,
                ..next.clone()
            });
        }
    }

    /// Whether a service that lets time pass here is late with something.
    pub(crate) fn is_obliged(&self, state: &State, now: Moment, given: &[Given]) -> bool {
        if !state.outbox.is_empty() {
            return true;
        }
        let situation = self.situation(state);
        if state.has_ended || run::may_end(self.stg, &situation, self.terms) == Ok(true) {
            return false;
        }
        let tolerance = self.tempo.tolerance;
        let inputs = self.takeable(state, now, given);
        if inputs
            .iter()
            .any(|&(_, input)| now >= given[input].there.unwrap_or(given[input].sent + tolerance))
        {
            return true;
        }
        run::enabled(self.stg, &situation, self.terms)
            .unwrap_or_default()
            .into_iter()
            .any(|id| match &self.stg.edge(id).event {
                Event::Silent | Event::Choose(_) | Event::Raise(_) | Event::Disturbance(_) => true,
                Event::Tick | Event::TickOf(_) => now >= state.since + self.tempo.unit + tolerance,
                Event::Message(message) => match self.sight(message) {
                    Sight::Out | Sight::HiddenOut => true,
                    Sight::In => false,
                    Sight::HiddenIn => self.interface.is_answer(message),
                },
            })
    }

    /// The state after an output was seen, if it is the first of its operation that is on its way.
    pub(crate) fn seen(&self, state: &State, message: &ConcreteMessage) -> Option<State> {
        let position = state
            .outbox
            .iter()
            .position(|said| said.operation == message.operation && said.to == message.to)?;
        let said = &state.outbox[position];
        let fits = said.fault == message.fault && said.value == number(&message.values[0]);
        fits.then(|| {
            let mut next = state.clone();
            next.outbox.remove(position);
            next
        })
    }

    /// Receptions that can be carried out, with the input they take.
    fn takeable(
        &self,
        state: &State,
        now: Moment,
        given: &[Given],
    ) -> Vec<(choros_model::stg::EdgeId, usize)> {
        let situation = self.situation(state);
        let mut found = Vec::new();
        for id in run::enabled(self.stg, &situation, self.terms).unwrap_or_default() {
            let Some(message) = self.stg.edge(id).event.message() else {
                continue;
            };
            if self.sight(message) != Sight::In {
                continue;
            }
            let first = state
                .queue
                .iter()
                .copied()
                .find(|&input| given[input].message.operation == message.operation);
            let Some(input) = first else {
                continue;
            };
            let is_there = given[input].there.unwrap_or(given[input].sent) <= now;
            let values = &given[input].message.values;
            let binds = self.stg.edge(id).event.bound_variables().count();
            let choice = RunStep {
                edge: id,
                bound_values: values[..binds].to_vec(),
            };
            let fired = run::fire(self.stg, &situation, &choice, self.terms);
            // A reception that names its value takes no other.
            if is_there && fired.is_ok_and(|fired| fired.carried == *values) {
                found.push((id, input));
            }
        }
        found
    }

    /// Of two inputs for one choice, the one is taken that had arrived when the other was sent.
    fn is_overtaken(
        &self,
        input: usize,
        inputs: &[(choros_model::stg::EdgeId, usize)],
        given: &[Given],
    ) -> bool {
        inputs.iter().any(|&(_, other)| {
            other < input
                && given[other]
                    .told
                    .is_some_and(|told| told <= given[input].sent)
        })
    }

    fn contract(&self, message: &Message) -> Option<choros_model::interface::Contract> {
        self.interface
            .signature(message)
            .filter(|signature| signature.side == Side::Used)?
            .contract
    }

    fn keeps(&self, message: &Message, asked: i64, answer: i64) -> bool {
        self.contract(message).is_none_or(|contract| {
            let values = Assignment::from_iter([
                (contract.input, Value::int(asked)),
                (contract.output, Value::int(answer)),
            ]);
            self.terms.evaluate_guard(contract.formula, &values) == Ok(true)
        })
    }

    fn situation(&self, state: &State) -> RunState {
        let values = self
            .variables
            .iter()
            .copied()
            .zip(state.values.iter().copied().map(Value::int))
            .collect();
        RunState {
            node: state.node,
            values,
        }
    }

    fn sight(&self, message: &Message) -> Sight {
        let sends = message.direction == Direction::Send;
        let partner = if sends { message.to } else { message.from };
        match (self.view.played.contains(&partner), sends) {
            (true, true) => Sight::Out,
            (true, false) => Sight::In,
            (false, true) => Sight::HiddenOut,
            (false, false) => Sight::HiddenIn,
        }
    }
}

#[derive(PartialEq, Eq)]
enum Sight {
    Out,
    In,
    HiddenOut,
    HiddenIn,
}

/// The number that a value is; these models have no others.
pub(crate) fn number(value: &Value) -> i64 {
    match value {
        Value::Int(number) => i64::try_from(number).expect("a small number"),
        other => panic!("{other:?} is not a number"),
    }
}

/// The constants that a term may be compared with.
pub(crate) const COMPARISONS: [Op; 3] = [Op::Less, Op::GreaterEqual, Op::Equal];
