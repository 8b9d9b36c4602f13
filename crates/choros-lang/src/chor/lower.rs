//! From statements to process terms, and from there, by the rules that SChorA scripts obey too, to a graph.
//!
//! | statement | term |
//! |---|---|
//! | lines | `A ; B` |
//! | `choice { A } or { B }` | `A + B` |
//! | `par { A } and { B }` | `A \| B` |
//! | `try { A } interrupt { B }` | `A [> B` |
//! | `try { A } interrupt until done { B }` | `A [>> B` |
//! | `when e { A }` | `[e] \|> A` |
//! | `if e { A } else { B }` | `[e] \|> A + [¬e] \|> B` |
//! | `while e { A }` | `[e] * A` |
//! | `loop X { A }`, `again X` | `X`, where `X = A` |
//! | `wait n`, measured by `r` | `χr ; … ; χr` |
//! | `timeout n { A } else { B }`, measured by `r` | `⟨n,A,B⟩r` |
//! | `retry n times every t { m A } else { B }`, measured by `r` | `m ; ⟨n·t,A,B⟩r`, which sends `m` again every `t` |
//! | `saga { … }` | its steps one after the other; `abort` leads to what undoes them ([`saga`]) |
//! | `try { A } on crash of s { B }`, noticed by `r` | `A [>> (r notices that s has crashed) ; B` |
//! | `skip`, `{ }` | `1` |
//!
//! An assignment belongs to the event before it in the same block; without one, it is a silent step.

mod saga;

use choros_base::{Budget, Name, Span};
use choros_data::{Term, Terms, Var};
use choros_model::stg::{
    Disturbance, Event, Field, FieldValue as Value, Message, Operation, Role, Stg, Update,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{
    Block, BoundVariable, Call, FieldValue, Interruption, Item, MessageStatement, StatementId,
    StatementKind,
};
use super::clocks::Clocks;
use super::model::Model;
use super::resolve::ends;
use super::time::{Timeout, TimeoutForm};
use crate::ast::Operator;
use crate::lower::{Act, Form, NoGraph, ProcessTerm, Store, Timer, join, lower_term};

/// The graph of a choreography or role.
pub(super) fn lower_item(
    model: &Model,
    position: usize,
    clocks: &Clocks,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Stg, NoGraph> {
    let item = &model.program.items[position];
    let body = item.body().ok_or(NoGraph::Mistakes)?;
    let name = terms.names.text(item.name().name).to_owned();
    let variables = model.meanings.variables(position);
    // Loops of one name are taken for one loop, unless they turn out to be different.
    for sharing in [true, false] {
        let mut lowering = Lowering {
            model,
            clocks,
            store: Store::default(),
            once: Vec::new(),
            used: variables
                .iter()
                .map(|&variable| terms.variable_name(variable))
                .collect(),
            sharing,
            loops: FxHashMap::default(),
            differ: false,
            inclusions: 0,
            terms: &mut *terms,
            budget,
        };
        let frame = Frame {
            position,
            roles: FxHashMap::default(),
            variables: FxHashMap::default(),
            parallel: false,
            included: 0,
        };
        let initial = lowering.block(&frame, body)?;
        if !lowering.differ {
            let once = lowering.once;
            let once = once.into_iter().filter(|it| it.1).map(|it| it.0).collect();
            let store = lowering.store;
            let stg = lower_term(&name, store, initial, terms, budget)?;
            let tick = clocks.milliseconds();
            let stg = stg.with_once(once);
            return Ok(match stg.clocks()[..] {
                [] => stg,
                _ => stg.with_tick(tick),
            });
        }
    }
    Err(NoGraph::Mistakes)
}

/// A choreography or role, or a choreography included in one: whom its roles and variables stand for.
struct Frame {
    position: usize,
    roles: FxHashMap<Name, Name>,
    variables: FxHashMap<Var, Term>,
    /// Whether something may happen at the same time.
    parallel: bool,
    /// A number for each inclusion, which has loops of its own.
    included: usize,
}

struct Lowering<'a> {
    model: &'a Model,
    clocks: &'a Clocks,
    store: Store,
    /// The messages, and whether their receivers drop copies wherever they occur.
    once: Vec<((Operation, Role, Role), bool)>,
    /// The names of variables in use.
    used: FxHashSet<Name>,
    /// Whether loops of one name are one loop.
    sharing: bool,
    /// The recursions of the loops, by inclusion and name.
    loops: FxHashMap<(usize, Name), u32>,
    /// Whether loops of one name turned out to be different.
    differ: bool,
    /// How many choreographies were included.
    inclusions: usize,
    terms: &'a mut Terms,
    budget: &'a Budget,
}

/// The terms of a block so far; the last event waits for assignments that belong to it.
#[derive(Default)]
struct Sequence {
    terms: Vec<ProcessTerm>,
    last: Option<(Act, Span)>,
}

impl Lowering<'_> {
    // Blocks and inclusions nest to a limited depth (see `inclusion`).
    fn block(&mut self, frame: &Frame, block: &Block) -> Result<ProcessTerm, NoGraph> {
        match self.statements(frame, &block.statements)? {
            Some(term) => Ok(term),
            None => Ok(self.store.term(Form::Skip(Some(block.span)))),
        }
    }

    /// What statements are, one after the other; `None` without any.
    fn statements(
        &mut self,
        frame: &Frame,
        statements: &[StatementId],
    ) -> Result<Option<ProcessTerm>, NoGraph> {
        let model = self.model;
        let mut sequence = Sequence::default();
        for &id in statements {
            self.budget.spend()?;
            let statement = model.program.statements.get(id);
            let span = statement.span;
            match &statement.kind {
                StatementKind::Error => return Err(NoGraph::Mistakes),
                StatementKind::Message(message) => {
                    let event = self.message(frame, id, message)?;
                    self.event(&mut sequence, event, span);
                }
                StatementKind::Wait(wait) => {
                    let ticks = self.clocks.ticks(wait.duration);
                    let clock = self.clocks.measures(id);
                    let tick = clock.map_or(Event::Tick, |it| Event::TickOf(Role(frame.role(it))));
                    for _ in 0..ticks {
                        self.budget.spend()?;
                        self.event(&mut sequence, tick.clone(), span);
                    }
                    if ticks == 0 {
                        self.push(&mut sequence, Form::Skip(Some(span)));
                    }
                }
                StatementKind::Assign(binding, value) => {
                    let value = self.term(frame, model.meanings.term(*value))?;
                    let variable = self.variable(frame, *binding)?;
                    let update = Update { variable, value };
                    self.update(&mut sequence, update, span);
                }
                StatementKind::Do(call) => self.call(frame, call, span, &mut sequence)?,
                StatementKind::Skip => self.push(&mut sequence, Form::Skip(Some(span))),
                StatementKind::OnCrash(it) => {
                    let by = self.clocks.measures(id).ok_or(NoGraph::Mistakes)?;
                    let noticed = Event::Disturbance(Disturbance::Noticed {
                        crashed: Role(frame.role(it.crashed.name)),
                        by: Role(frame.role(by)),
                    });
                    let event = self.store.event_id(&(noticed, Vec::new()));
                    let noticed = self.store.term(Form::Act(event, Some(it.crashed.span)));
                    let body = self.block(frame, &it.body)?;
                    let handler = self.block(frame, &it.handler)?;
                    let handler = self.join(Operator::Sequence, &[noticed, handler])?;
                    self.flush(&mut sequence);
                    let term = self.store.term(Form::Until(body, handler));
                    sequence.terms.push(term);
                }
                StatementKind::Timeout(timeout) => {
                    let term = self.timeout(frame, id, timeout)?;
                    self.flush(&mut sequence);
                    sequence.terms.push(term);
                }
                kind => {
                    let term = self.compound(frame, kind, span)?;
                    self.flush(&mut sequence);
                    sequence.terms.push(term);
                }
            }
        }
        self.flush(&mut sequence);
        match sequence.terms[..] {
            [] => Ok(None),
            [only] => Ok(Some(only)),
            ref terms => self.join(Operator::Sequence, terms).map(Some),
        }
    }

    fn compound(
        &mut self,
        frame: &Frame,
        kind: &StatementKind,
        span: Span,
    ) -> Result<ProcessTerm, NoGraph> {
        match kind {
            StatementKind::Choice(_, blocks) => self.blocks(frame, Operator::Choice, blocks),
            StatementKind::Try(Interruption::UntilEnd, blocks) => {
                self.blocks(frame, Operator::Interruption, blocks)
            }
            StatementKind::Try(Interruption::UntilDone, blocks) => {
                let mut until = None;
                for block in blocks {
                    let next = self.block(frame, block)?;
                    until = Some(match until {
                        None => next,
                        Some(before) => self.store.term(Form::Until(before, next)),
                    });
                }
                until.ok_or(NoGraph::Mistakes)
            }
            StatementKind::Saga(saga) => self.saga(frame, saga, span),
            StatementKind::Parallel(blocks) => {
                let inner = Frame {
                    position: frame.position,
                    roles: frame.roles.clone(),
                    variables: frame.variables.clone(),
                    parallel: true,
                    included: frame.included,
                };
                self.blocks(&inner, Operator::Parallel, blocks)
            }
            StatementKind::When(guard, block) => {
                let guard = self.term(frame, self.model.meanings.term(*guard))?;
                let inner = self.block(frame, block)?;
                Ok(self.store.term(Form::Guarded(guard, inner)))
            }
            StatementKind::While(guard, block) => {
                let guard = self.term(frame, self.model.meanings.term(*guard))?;
                let inner = self.block(frame, block)?;
                Ok(self.store.term(Form::Loop(guard, inner, Some(span))))
            }
            StatementKind::Repeat(_, block) => {
                let inner = self.block(frame, block)?;
                Ok(self.store.term(Form::Repeat(inner, Some(span))))
            }
            StatementKind::Loop(name, block) => {
                let key = (frame.included, name.name);
                self.round(key, |lowering| lowering.block(frame, block))
            }
            StatementKind::Again(name) => {
                let own = self.loops.get(&(frame.included, name.name));
                let own = *own.ok_or(NoGraph::Mistakes)?;
                Ok(self.store.term(Form::Recursion(own)))
            }
            StatementKind::If(arms, otherwise) => {
                let mut rest = match otherwise {
                    Some(block) => self.block(frame, block)?,
                    None => self.store.term(Form::Skip(Some(span.after()))),
                };
                for (guard, block) in arms.iter().rev() {
                    let guard = self.term(frame, self.model.meanings.term(*guard))?;
                    let inner = self.block(frame, block)?;
                    let yes = self.store.term(Form::Guarded(guard, inner));
                    let opposite = self.terms.complement(guard);
                    let no = self.store.term(Form::Guarded(opposite, rest));
                    rest = self.join(Operator::Choice, &[yes, no])?;
                }
                Ok(rest)
            }
            _ => Err(NoGraph::Mistakes),
        }
    }

    /// A loop with its rounds, whose body is made by `body`.
    fn round(
        &mut self,
        key: (usize, Name),
        body: impl FnOnce(&mut Self) -> Result<ProcessTerm, NoGraph>,
    ) -> Result<ProcessTerm, NoGraph> {
        let outer = self.loops.get(&key).copied();
        let own = match outer {
            Some(known) if self.sharing => known,
            _ => self.store.recursion(),
        };
        self.loops.insert(key, own);
        let body = body(self)?;
        self.differ |= !self.store.define(own, body);
        if let (Some(outer), false) = (outer, self.sharing) {
            self.loops.insert(key, outer);
        }
        Ok(self.store.term(Form::Recursion(own)))
    }

    fn timeout(
        &mut self,
        frame: &Frame,
        id: StatementId,
        timeout: &Timeout,
    ) -> Result<ProcessTerm, NoGraph> {
        let body = match self.statements(frame, timeout.awaited())? {
            Some(body) => body,
            None => self.store.term(Form::Skip(Some(timeout.body.span))),
        };
        let otherwise = self.block(frame, &timeout.otherwise)?;
        self.timer(frame, (id, timeout), body, otherwise)
    }

    /// A timeout, or a message and the timeout that sends it again, of which what is awaited and the rest are known.
    fn timer(
        &mut self,
        frame: &Frame,
        (id, timeout): (StatementId, &Timeout),
        body: ProcessTerm,
        otherwise: ProcessTerm,
    ) -> Result<ProcessTerm, NoGraph> {
        let clocks = self.clocks;
        let clock = clocks.measures(id).ok_or(NoGraph::Mistakes)?;
        let ticks = clocks.ticks(timeout.limit);
        let mut late = Vec::with_capacity(timeout.late.len());
        for it in &timeout.late {
            let answer = self.block(frame, &it.answer)?;
            late.push((Operation(it.operation.name), answer));
        }
        let mut timer = Timer {
            clock: Role(frame.role(clock)),
            otherwise,
            late,
            again: None,
            origin: timeout.limit.span,
        };
        let TimeoutForm::Retry(times) = timeout.form else {
            let timer = self.store.add_timer(timer);
            return Ok(self.store.term(Form::Timeout(timer, ticks, body)));
        };
        let first = timeout.body.statements.first().copied();
        let first = first.map(|it| (it, self.model.program.statements.get(it)));
        let Some((id, statement)) = first else {
            return Err(NoGraph::Mistakes);
        };
        let StatementKind::Message(message) = &statement.kind else {
            return Err(NoGraph::Mistakes);
        };
        let act = (self.message(frame, id, message)?, Vec::new());
        // A value that is bound by the first is known for the copies.
        let mut copy = act.clone();
        if let Event::Message(message) = &mut copy.0 {
            for field in &mut message.fields {
                if let Value::Bind(variable) = field.value {
                    field.value = Value::Free(self.terms.var(variable));
                }
            }
        }
        let copy = self.store.event_id(&copy);
        timer.again = Some((copy, ticks));
        let timer = self.store.add_timer(timer);
        let event = self.store.event_id(&act);
        let first = self.store.term(Form::Act(event, Some(statement.span)));
        let running = Form::Timeout(timer, ticks.saturating_mul(times), body);
        let running = self.store.term(running);
        self.join(Operator::Sequence, &[first, running])
    }

    fn blocks(
        &mut self,
        frame: &Frame,
        operator: Operator,
        blocks: &[Block],
    ) -> Result<ProcessTerm, NoGraph> {
        let blocks: Result<Vec<ProcessTerm>, NoGraph> = blocks
            .iter()
            .map(|block| self.block(frame, block))
            .collect();
        match blocks?[..] {
            [only] => Ok(only),
            ref terms => self.join(operator, terms),
        }
    }

    fn join(&mut self, operator: Operator, terms: &[ProcessTerm]) -> Result<ProcessTerm, NoGraph> {
        join(&mut self.store, operator, terms).ok_or(NoGraph::Mistakes)
    }

    fn message(
        &mut self,
        frame: &Frame,
        id: StatementId,
        message: &MessageStatement,
    ) -> Result<Event, NoGraph> {
        let model = self.model;
        let ends = ends(&model.program.items[frame.position], message).ok_or(NoGraph::Mistakes)?;
        let labels = model.labels.of(id);
        let mut fields = Vec::with_capacity(message.fields.len());
        for (position, field) in message.fields.iter().enumerate() {
            fields.push(Field {
                label: labels.get(position).copied().flatten(),
                value: match &field.value {
                    FieldValue::Bind(binding) => Value::Bind(self.variable(frame, *binding)?),
                    FieldValue::Free(value) => {
                        Value::Free(self.term(frame, model.meanings.term(*value))?)
                    }
                },
            });
        }
        let (from, to) = (Role(frame.role(ends.from)), Role(frame.role(ends.to)));
        let kind = (Operation(message.operation.name), from, to);
        let once = !message.once.is_empty();
        match self.once.iter_mut().find(|it| it.0 == kind) {
            Some(known) => known.1 &= once,
            None => self.once.push((kind, once)),
        }
        Ok(Event::Message(Message {
            operation: Operation(message.operation.name),
            from,
            to,
            direction: ends.direction,
            fault: None,
            fields,
        }))
    }

    /// Puts a copy of a choreography in its place.
    fn call(
        &mut self,
        frame: &Frame,
        call: &Call,
        span: Span,
        sequence: &mut Sequence,
    ) -> Result<(), NoGraph> {
        let model = self.model;
        let target = model.resolution.component(call.target.name);
        let position = target.ok_or(NoGraph::Mistakes)?;
        let Item::Choreography(callee) = &model.program.items[position] else {
            return Err(NoGraph::Mistakes);
        };
        if model.is_broken(position)
            || callee.roles.len() != call.roles.len()
            || callee.parameters.len() != call.arguments.len()
        {
            return Err(NoGraph::Mistakes);
        }
        self.inclusions += 1;
        let roles = callee.roles.iter().zip(&call.roles);
        let roles = roles.map(|(formal, actual)| (formal.name, frame.role(actual.name)));
        let mut inner = Frame {
            position,
            roles: roles.collect(),
            variables: FxHashMap::default(),
            parallel: frame.parallel,
            included: self.inclusions,
        };
        let written: FxHashSet<Name> = model
            .program
            .statements
            .walk(&callee.body)
            .flat_map(|(_, statement)| statement.kind.bindings())
            .map(|binding| binding.variable.name)
            .collect();
        for (index, &variable) in model.meanings.variables(position).iter().enumerate() {
            let argument = match call.arguments.get(index) {
                Some(&argument) => Some(self.term(frame, model.meanings.term(argument))?),
                None => None,
            };
            let name = self.terms.variable_name(variable);
            // The value at the time of the call, where it could change before it is used.
            let changes = written.contains(&name)
                || (frame.parallel && argument.is_some_and(|it| self.terms.has_variables(it)));
            let stands_for = match argument {
                Some(argument) if !changes => argument,
                argument => {
                    let own = self.own_variable(variable, callee.name.name);
                    if let Some(value) = argument {
                        let update = Update {
                            variable: own,
                            value,
                        };
                        self.update(sequence, update, span);
                    }
                    self.terms.var(own)
                }
            };
            inner.variables.insert(variable, stands_for);
        }
        self.flush(sequence);
        let body = self.block(&inner, &callee.body)?;
        sequence.terms.push(body);
        Ok(())
    }

    /// A variable of an included choreography: under its own name where nothing else has it.
    fn own_variable(&mut self, variable: Var, callee: Name) -> Var {
        let sort = self.terms.variable_sort(variable);
        let text = self.terms.variable_text(variable).to_owned();
        let callee = self.terms.names.text(callee).to_owned();
        let mut candidate = text.clone();
        let mut number = 1;
        loop {
            let name = self.terms.names.intern(&candidate);
            if self.used.insert(name) {
                return self.terms.variable(name, sort);
            }
            candidate = match number {
                1 => format!("{text}@{callee}"),
                _ => format!("{text}@{callee}_{number}"),
            };
            number += 1;
        }
    }

    fn term(&mut self, frame: &Frame, term: Option<Term>) -> Result<Term, NoGraph> {
        let term = term.ok_or(NoGraph::Mistakes)?;
        Ok(self.terms.substitute(term, &frame.variables))
    }

    fn variable(&mut self, frame: &Frame, binding: BoundVariable) -> Result<Var, NoGraph> {
        let name = binding.variable.name;
        let variable = self.model.meanings.variable(frame.position, name);
        let variable = variable.ok_or(NoGraph::Mistakes)?;
        match frame.variables.get(&variable) {
            Some(&term) => self.terms.as_variable(term).ok_or(NoGraph::Mistakes),
            None => Ok(variable),
        }
    }

    fn event(&mut self, sequence: &mut Sequence, event: Event, span: Span) {
        self.flush(sequence);
        sequence.last = Some(((event, Vec::new()), span));
    }

    fn update(&mut self, sequence: &mut Sequence, update: Update, span: Span) {
        let ((_, updates), _) = sequence
            .last
            .get_or_insert(((Event::Silent, Vec::new()), span));
        updates.push(update);
    }

    fn push(&mut self, sequence: &mut Sequence, form: Form) {
        self.flush(sequence);
        sequence.terms.push(self.store.term(form));
    }

    fn flush(&mut self, sequence: &mut Sequence) {
        if let Some((act, span)) = sequence.last.take() {
            let event = self.store.event_id(&act);
            sequence
                .terms
                .push(self.store.term(Form::Act(event, Some(span))));
        }
    }
}

impl Frame {
    fn role(&self, role: Name) -> Name {
        self.roles.get(&role).copied().unwrap_or(role)
    }
}
