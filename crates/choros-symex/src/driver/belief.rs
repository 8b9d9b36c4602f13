//! All branches of the specification that explain what was seen so far.
//!
//! The set is closed under everything that the tester does not see: silent steps, faults that are raised, messages
//! between others, time, the service taking an input that is on its way, and the service sending an output that has
//! not arrived yet.
//! So a correct service always stands in one of the branches, and an observation that none of them explains is a
//! violation, unless the closure was cut short, which is remembered.

use choros_data::{Term, Terms};
use choros_model::stg::{Edge, EdgeId, Event, Message, Operation};
use choros_smt::{Satisfiability, Solver, SolverError};

use super::branch::{Branch, Emitted, Waiting};
use super::clock::{Moment, Timers, Window};
use super::closing::Closing;
use super::message::ConcreteMessage;
use super::outcome::ExpectedEvent;
use super::rest::{rests, stays};
use super::specification::Specification;
use super::view::Sight;

/// Whether something is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Allowed {
    /// No branch allows it.
    No,
    /// No one can say: the solver gave up, or branches were not followed to their end.
    Unknown,
    /// Some branch allows it.
    Yes,
}

/// The set.
#[derive(Debug, Clone)]
pub(crate) struct Belief {
    pub(crate) branches: Vec<Branch>,
    /// What was not followed.
    pub(crate) cut: Option<String>,
    /// Whether the service may go round unseen forever, as far as the last closure shows.
    diverges: bool,
}

/// What the solver says of conditions.
pub(super) enum Feasible {
    Yes,
    No,
    Doubtful,
}

impl Belief {
    pub(crate) fn start(specification: &Specification<'_>, now: Moment) -> Belief {
        Belief {
            branches: vec![Branch::start(
                specification.stg.initial(),
                Window::start(now, specification.tempo),
            )],
            cut: None,
            diverges: false,
        }
    }

    /// Follows everything that can have happened unseen until now.
    pub(crate) fn close(
        &mut self,
        now: Moment,
        specification: &Specification<'_>,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<(), SolverError> {
        let mut closing = Closing::default();
        for branch in self.branches.drain(..) {
            closing.add(branch);
        }
        let bounds = specification.bounds;
        let mut steps = 0;
        while let Some(position) = closing.work.pop_front() {
            steps += 1;
            if closing.all.len() > bounds.branches || steps > 4 * bounds.branches {
                self.cut = Some(format!("{} branches were followed", bounds.branches));
                break;
            }
            let branch = closing.all[position].clone();
            for (id, edge) in specification.stg.outgoing(branch.node) {
                let Some(next) = self.step(&branch, (id, edge), now, specification, terms) else {
                    continue;
                };
                if next.hidden > bounds.hidden {
                    self.cut = Some(format!(
                        "{} unseen steps in a row were followed",
                        bounds.hidden
                    ));
                    continue;
                }
                if let Some(next) = checked(next, &branch, terms, solver)? {
                    let is_quiet = next.outbox.is_empty() && !edge.event.is_tick();
                    let target = closing.add(next);
                    if is_quiet {
                        closing.steps.push((position, target));
                    }
                }
            }
        }
        self.diverges = closing.has_cycle();
        self.branches = closing.all;
        Ok(())
    }

    /// One unseen step, if there is one along this edge.
    fn step(
        &mut self,
        branch: &Branch,
        (id, edge): (EdgeId, &Edge),
        now: Moment,
        specification: &Specification<'_>,
        terms: &mut Terms,
    ) -> Option<Branch> {
        let interface = specification.interface;
        let tempo = specification.tempo;
        let timers = timers(branch, specification);
        match &edge.event {
            Event::Silent | Event::Choose(_) | Event::Raise(_) | Event::Disturbance(_) => {
                let (mut next, _) = branch.fire((id, edge), None, interface, terms)?;
                next.window = branch.window.after_step(timers, tempo);
                Some(next)
            }
            Event::Tick | Event::TickOf(_) => {
                let window = branch.window.after_tick(now, tempo)?;
                // Time does not pass over a message that lies there to be taken.
                for other in specification.stg.outgoing(branch.node) {
                    let Some((_, it)) = other
                        .1
                        .event
                        .message()
                        .and_then(|message| waiting(branch, message))
                    else {
                        continue;
                    };
                    let is_late = window.earliest > it.there_by(tempo);
                    if is_late && surely_takes(branch, other, it, specification, terms) {
                        return None;
                    }
                }
                let (mut next, _) = branch.fire((id, edge), None, interface, terms)?;
                next.window = window;
                Some(next)
            }
            Event::Message(message) => match specification.view.sight(message) {
                Sight::Hidden => {
                    let (mut next, _) = branch.fire((id, edge), None, interface, terms)?;
                    next.window = branch.window.after_wait(now, timers, tempo);
                    Some(next)
                }
                Sight::Input => {
                    let (position, waiting) = waiting(branch, message)?;
                    if is_overtaken(branch, position, specification, terms) {
                        return None;
                    }
                    let values = Some(&waiting.message.values[..]);
                    let (sent, there_by) = (waiting.sent, waiting.there_by(tempo));
                    let (mut next, _) = branch.fire((id, edge), values, interface, terms)?;
                    next.queue.remove(position);
                    next.window = branch.window.after_input(sent, there_by, timers, tempo);
                    Some(next)
                }
                Sight::Output => {
                    // A reader who misses what comes next sees that the box is full.
                    if branch.outbox.len() >= specification.bounds.outbox {
                        return None;
                    }
                    let (mut next, payload) = branch.fire((id, edge), None, interface, terms)?;
                    next.window = branch.window.after_step(timers, tempo);
                    next.outbox.push(Emitted {
                        operation: message.operation,
                        from: message.from,
                        to: message.to,
                        fault: message.fault,
                        payload,
                    });
                    Some(next)
                }
            },
        }
    }

    /// The tester sends; the set need not be closed.
    pub(crate) fn send(
        &mut self,
        message: &ConcreteMessage,
        now: Moment,
        specification: &Specification<'_>,
    ) {
        self.heed_lists(message, specification);
        for branch in &mut self.branches {
            branch.hidden = 0;
            branch.queue.push(Waiting {
                message: message.clone(),
                sent: now,
                arrived: None,
            });
        }
    }

    /// What was sent last goes on its way only now.
    pub(crate) fn sending(&mut self, now: Moment) {
        for waiting in self
            .branches
            .iter_mut()
            .filter_map(|it| it.queue.last_mut())
        {
            waiting.sent = now;
        }
    }

    /// After a list that is longer than the model's conditions look, nothing is a violation.
    fn heed_lists(&mut self, message: &ConcreteMessage, specification: &Specification<'_>) {
        if let Some(bound) = specification.interface.list_bound
            && message.longest_list() > bound
            && self.cut.is_none()
        {
            self.cut = Some(format!(
                "lists were followed to their first {bound} elements"
            ));
        }
    }

    /// An input is known to have arrived.
    pub(crate) fn arrived(&mut self, operation: Operation, now: Moment) {
        for branch in &mut self.branches {
            let first = branch
                .queue
                .iter_mut()
                .find(|it| it.message.operation == operation && it.arrived.is_none());
            if let Some(waiting) = first {
                waiting.arrived = Some(now);
            }
        }
    }

    /// The tester sees an output; the set must be closed, and holds afterwards the branches that explain it.
    ///
    /// Outputs of one operation arrive in the order in which they were sent, others may overtake each other: they
    /// travel over connections of their own.
    pub(crate) fn observe(
        &mut self,
        message: &ConcreteMessage,
        specification: &Specification<'_>,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Allowed, SolverError> {
        self.heed_lists(message, specification);
        let mut after = Vec::new();
        let outbox = specification.bounds.outbox;
        let mut is_cut = false;
        for branch in &self.branches {
            let first = branch.outbox.iter().position(|emitted| {
                emitted.operation == message.operation
                    && emitted.from == message.from
                    && emitted.to == message.to
            });
            let Some(position) = first else {
                // After a full box the service may have said it.
                is_cut |= branch.outbox.len() >= outbox;
                continue;
            };
            let emitted = &branch.outbox[position];
            if emitted.fault != message.fault || emitted.payload.len() != message.values.len() {
                continue;
            }
            // A symbol that gets a value changes the payload after it, so each part is looked up again.
            let mut next = branch.clone();
            let fits = message.values.iter().enumerate().all(|(index, value)| {
                let term = next.outbox[position].payload[index];
                next.unify(term, value, terms).is_some()
            });
            if !fits {
                continue;
            }
            next.outbox.remove(position);
            next.hidden = 0;
            if let Some(next) = checked(next, branch, terms, solver)? {
                after.push(next);
            }
        }
        // Also where others explain it: the service may stand behind the box, and that branch is lost now.
        if is_cut && self.cut.is_none() {
            self.cut = Some(format!("{outbox} outputs in transit were followed"));
        }
        let allowed = self.judge(&after);
        if allowed != Allowed::No {
            self.branches = after;
        }
        Ok(allowed)
    }

    /// What was seen at this moment was sent no later, but may have been sent as late.
    pub(crate) fn seen(&mut self, now: Moment) {
        for branch in &mut self.branches {
            branch.window.latest = branch.window.latest.max(now);
        }
    }

    /// When every tick that a branch waits for is overdue.
    pub(crate) fn overdue(&self, specification: &Specification<'_>) -> Moment {
        let tempo = specification.tempo;
        let ticks = |branch: &&Branch| {
            let mut edges = specification.stg.outgoing(branch.node);
            branch.outbox.is_empty() && edges.any(|(_, edge)| edge.event.is_tick())
        };
        let waiting = self.branches.iter().filter(ticks);
        let latest = waiting.map(|branch| branch.window.latest).max();
        latest.unwrap_or(0) + tempo.unit + tempo.tolerance
    }

    /// Whether the service may stay silent from now on, until something is sent to it.
    pub(crate) fn silence(
        &self,
        now: Moment,
        specification: &Specification<'_>,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Allowed, SolverError> {
        // A service that goes round forever says nothing, and no one can tell it from a slow one.
        let mut best = if self.cut.is_some() || self.diverges {
            Allowed::Unknown
        } else {
            Allowed::No
        };
        for branch in &self.branches {
            let one = rests(branch, now, specification, terms, solver)?;
            best = best.max(one);
            if best == Allowed::Yes {
                break;
            }
        }
        Ok(best)
    }

    /// The transport could not deliver an input or gave no answer to it: allowed where the service has stopped, or
    /// stands where its model does not take it.
    pub(crate) fn refuse(
        &mut self,
        operation: Operation,
        now: Moment,
        specification: &Specification<'_>,
        terms: &mut Terms,
        solver: &mut dyn Solver,
    ) -> Result<Allowed, SolverError> {
        let mut after = Vec::new();
        for branch in &self.branches {
            let position = branch
                .queue
                .iter()
                .position(|waiting| waiting.message.operation == operation);
            let has_stopped = specification.stg.outgoing(branch.node).next().is_none();
            // An answer cannot be on its way over a connection that is closed; what else was sent before can.
            let is_answered = branch.outbox.iter().any(|it| it.operation == operation);
            if is_answered || position.is_none() && !has_stopped {
                continue;
            }
            let mut next = branch.clone();
            match stays(branch, Some(operation), now, specification, terms, solver)? {
                Allowed::No => continue,
                Allowed::Unknown => next.is_doubtful = true,
                Allowed::Yes => {}
            }
            if let Some(position) = position {
                next.queue.remove(position);
            }
            next.hidden = 0;
            after.push(next);
        }
        let allowed = self.judge(&after);
        if allowed != Allowed::No {
            self.branches = after;
        }
        Ok(allowed)
    }

    /// What the branches expect to send, for people: `request[Loan,USER]`, each once.
    pub(crate) fn expected(&self, terms: &Terms) -> Vec<ExpectedEvent> {
        let mut expected: Vec<ExpectedEvent> = Vec::new();
        for branch in &self.branches {
            for emitted in &branch.outbox {
                let text = emitted.text(&branch.conditions, terms);
                if expected.len() < 8 && !expected.iter().any(|it| it.text == text) {
                    let event = emitted.expected(&branch.conditions, terms);
                    expected.push(ExpectedEvent {
                        text,
                        expected: event,
                    });
                }
            }
        }
        expected
    }

    /// Why no one can say whether something is allowed.
    pub(crate) fn doubt(&self) -> String {
        match (&self.cut, self.diverges) {
            (Some(cut), _) => cut.clone(),
            (None, true) => "the service may go round unseen forever".to_owned(),
            (None, false) => "the solver gave up".to_owned(),
        }
    }

    fn judge(&self, after: &[Branch]) -> Allowed {
        if after.iter().any(|branch| !branch.is_doubtful) {
            Allowed::Yes
        } else if !after.is_empty() || self.cut.is_some() {
            Allowed::Unknown
        } else {
            Allowed::No
        }
    }
}

/// Whether a timer may run in the node of a branch, and continue after it.
fn timers(branch: &Branch, specification: &Specification<'_>) -> Timers {
    let goes_on = specification
        .stg
        .outgoing(branch.node)
        .any(|(_, edge)| match &edge.event {
            Event::Tick
            | Event::TickOf(_)
            | Event::Silent
            | Event::Choose(_)
            | Event::Raise(_)
            | Event::Disturbance(_) => true,
            // No time passes where the service has something to say.
            Event::Message(message) => message.from == specification.view.service,
        });
    if goes_on { Timers::GoOn } else { Timers::Begin }
}

/// The first input on its way that a reception of the model can take.
pub(super) fn waiting<'b>(branch: &'b Branch, message: &Message) -> Option<(usize, &'b Waiting)> {
    let (position, first) = branch.queue.iter().enumerate().find(|(_, waiting)| {
        waiting.message.operation == message.operation && waiting.message.from == message.from
    })?;
    first.message.is_like(message).then_some((position, first))
}

/// Whether another input lies there that came before this one was sent and can be taken just as well: of two messages
/// for one choice, the first that comes is taken.
fn is_overtaken(
    branch: &Branch,
    position: usize,
    specification: &Specification<'_>,
    terms: &mut Terms,
) -> bool {
    let sent = branch.queue[position].sent;
    for edge in specification.stg.outgoing(branch.node) {
        let Some(message) = edge.1.event.message() else {
            continue;
        };
        let Some((other, before)) = waiting(branch, message) else {
            continue;
        };
        let is_earlier = before.arrived.is_some_and(|arrived| arrived <= sent);
        if other < position
            && is_earlier
            && surely_takes(branch, edge, before, specification, terms)
        {
            return true;
        }
    }
    false
}

/// Whether a reception can take what waits, whatever the symbols stand for.
fn surely_takes(
    branch: &Branch,
    edge: (EdgeId, &Edge),
    waiting: &Waiting,
    specification: &Specification<'_>,
    terms: &mut Terms,
) -> bool {
    let values = Some(&waiting.message.values[..]);
    branch
        .fire(edge, values, specification.interface, terms)
        .is_some_and(|(next, _)| next.conditions == branch.conditions)
}

/// The branch if its conditions can be true, doubtful if no one knows.
fn checked(
    mut next: Branch,
    before: &Branch,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<Branch>, SolverError> {
    if next.conditions == before.conditions {
        return Ok(Some(next));
    }
    Ok(match feasible(&next.conditions, terms, solver)? {
        Feasible::No => None,
        Feasible::Yes => {
            next.is_doubtful = false;
            Some(next)
        }
        Feasible::Doubtful => {
            next.is_doubtful = true;
            Some(next)
        }
    })
}

pub(super) fn feasible(
    conditions: &[Term],
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Feasible, SolverError> {
    if conditions.is_empty() {
        return Ok(Feasible::Yes);
    }
    Ok(match solver.satisfiable(terms, conditions)? {
        Satisfiability::Sat => Feasible::Yes,
        Satisfiability::Unsat => Feasible::No,
        Satisfiability::Unknown(_) => Feasible::Doubtful,
    })
}
