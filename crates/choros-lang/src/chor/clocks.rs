//! Whose clock measures what, and how long a tick is.
//!
//! Time belongs to a role: it passes for the role that waits, and the others learn of it by messages only.
//! The role is the one after `at`; without it
//!
//! - in a role, that role;
//! - of `within`, the receiver of the message;
//! - of `retry`, the role that begins an attempt;
//! - of `timeout`, the role that begins the block after `else`, or else the receiver of the first message of the body;
//! - of `wait`, the role that sends next.
//!
//! A tick is the greatest common divisor of all durations of the file, so every duration is a whole number of ticks.

use choros_base::{Diagnostic, Name, Names};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{Block, Call, Item, OnCrash, Program, StatementId, StatementKind};
use super::first::FirstSenders;
use super::resolve::{Resolution, ends};
use super::time::{Duration, Timeout, TimeoutForm};
use crate::diagnostics::{
    MAX_FINDINGS, mixed_units, never_late, not_once, nothing_awaited, too_long_a_wait,
    unclear_clock, unclear_witness,
};

/// The clocks of a file.
#[derive(Debug, Default, Clone)]
pub(super) struct Clocks {
    /// Who measures a `wait` or a `timeout`, or notices a crash.
    measures: FxHashMap<StatementId, Name>,
    /// How long a tick is, in milliseconds where durations have units.
    tick: u64,
    /// Whether durations have units.
    has_units: bool,
}

impl Clocks {
    /// Who measures a statement; `None` where no role does.
    pub(super) fn measures(&self, id: StatementId) -> Option<Name> {
        self.measures.get(&id).copied()
    }

    /// The same clocks with ticks of so many milliseconds, where that divides all durations.
    pub(super) fn with_tick(&self, tick: u64) -> Clocks {
        let fits = self.has_units && tick > 0 && self.tick.is_multiple_of(tick);
        Clocks {
            tick: if fits { tick } else { self.tick },
            ..self.clone()
        }
    }

    /// How many ticks a duration has.
    pub(super) fn ticks(&self, duration: Duration) -> u32 {
        let ticks = duration.amount() / self.tick.max(1);
        u32::try_from(ticks).unwrap_or(u32::MAX)
    }

    /// How many milliseconds a tick has, where durations have units.
    pub(super) fn milliseconds(&self) -> Option<u64> {
        self.has_units.then_some(self.tick)
    }
}

/// Finds the clocks of a file, and reports what has none.
pub(super) fn find(
    program: &Program,
    resolution: &Resolution,
    broken: &FxHashSet<usize>,
    first: &mut FirstSenders<'_>,
    names: &Names,
) -> (Clocks, Vec<Diagnostic>) {
    let mut search = Search {
        program,
        resolution,
        broken,
        first,
        names,
        item: None,
        clocks: Clocks::default(),
        found: Vec::new(),
    };
    search.unit();
    for item in &program.items {
        if let Some(body) = item.body() {
            search.item = Some(item);
            search.block(body, &[]);
        }
    }
    search.found.truncate(MAX_FINDINGS);
    (search.clocks, search.found)
}

struct Search<'a, 'f, 's> {
    program: &'a Program,
    resolution: &'a Resolution,
    /// Items that contain themselves or nest too deeply.
    broken: &'a FxHashSet<usize>,
    first: &'f mut FirstSenders<'s>,
    names: &'a Names,
    item: Option<&'a Item>,
    clocks: Clocks,
    found: Vec<Diagnostic>,
}

impl<'a> Search<'a, '_, '_> {
    /// How long a tick is.
    fn unit(&mut self) {
        let bodies = self.program.items.iter().filter_map(Item::body);
        let statements = bodies.flat_map(|body| self.program.statements.walk(body));
        let durations = statements.filter_map(|(_, statement)| match &statement.kind {
            StatementKind::Wait(wait) => Some((wait.duration, 1)),
            StatementKind::Timeout(timeout) => Some((timeout.limit, timeout.attempts())),
            _ => None,
        });
        let all: Vec<(Duration, u32)> = durations.collect();
        let durations: Vec<Duration> = all.iter().map(|it| it.0).collect();
        let with = durations.iter().find(|it| it.unit.is_some());
        let without = durations.iter().find(|it| it.unit.is_none());
        if let (Some(with), Some(without)) = (with, without) {
            self.found
                .push(mixed_units::diagnostic(without.span, with.span));
        }
        self.clocks.has_units = with.is_some();
        let amounts = durations.iter().map(|it| it.amount());
        self.clocks.tick = match with {
            Some(_) => amounts.fold(0, common_divisor),
            None => 1,
        };
        for (duration, times) in &all {
            let ticks = self.clocks.ticks(*duration).saturating_mul(*times);
            if ticks > too_long_a_wait::MAX_TICKS {
                self.found.push(too_long_a_wait::diagnostic(duration.span));
            }
        }
    }

    /// Blocks nest only as deep as the parser allows; `after` send first after the block.
    fn block(&mut self, block: &'a Block, after: &[Name]) {
        let Some(item) = self.item else { return };
        let mut next: Vec<Name> = after.to_vec();
        for &id in block.statements.iter().rev() {
            let statement = self.program.statements.get(id);
            match &statement.kind {
                StatementKind::Wait(wait) => {
                    let sender = match next[..] {
                        [only] => Some(only),
                        _ => None,
                    };
                    let measures = self.own().or(wait.at.map(|at| at.name)).or(sender);
                    let measures = measures.map(|role| (id, role));
                    self.clocks.measures.extend(measures);
                }
                StatementKind::Timeout(timeout) => self.timeout(id, timeout),
                StatementKind::OnCrash(it) => self.on_crash(id, it),
                _ => {}
            }
            for inner in statement.kind.blocks() {
                self.block(inner, &next);
            }
            let alone = Block {
                statements: vec![id],
                span: statement.span,
            };
            let first = self.first.of_block(item, &alone);
            if !first.ends {
                next.clear();
            }
            // Two are as unclear as many.
            for (sender, _) in first.senders.into_iter().take(2) {
                if !next.contains(&sender) && next.len() < 2 {
                    next.push(sender);
                }
            }
        }
    }

    /// The role that is described.
    fn own(&self) -> Option<Name> {
        match self.item {
            Some(Item::Role(role)) => Some(role.role().name),
            _ => None,
        }
    }

    fn timeout(&mut self, id: StatementId, timeout: &'a Timeout) {
        let Some(item) = self.item else { return };
        let derived = match timeout.form {
            TimeoutForm::Message => self.only_receiver(&timeout.body),
            TimeoutForm::Retry(_) => match self.first.of_block(item, &timeout.body).senders[..] {
                [(only, _)] => Some(only),
                _ => None,
            },
            TimeoutForm::Block => match self.first.of_block(item, &timeout.otherwise).senders[..] {
                [(only, _)] => Some(only),
                _ => self.only_receiver(&timeout.body),
            },
        };
        let named = timeout.at.map(|at| at.name);
        let Some(measures) = self.own().or(named).or(derived) else {
            self.found
                .push(unclear_clock::diagnostic(timeout.limit.span));
            return;
        };
        self.clocks.measures.insert(id, measures);
        if let TimeoutForm::Retry(_) = timeout.form {
            let first = timeout.body.statements.first();
            let first = first.map(|&id| self.program.statements.get(id));
            let is_once = first.is_some_and(|it| match &it.kind {
                StatementKind::Message(message) => {
                    let from = ends(item, message).map(|it| it.from);
                    !message.once.is_empty() && from == Some(measures)
                }
                // It was reported.
                StatementKind::Error => true,
                _ => false,
            });
            if !is_once {
                let span = first.map_or(timeout.body.span, |it| it.span);
                let name = self.names.text(measures);
                self.found.push(not_once::diagnostic(span, name));
            }
        }
        let name = self.names.text(measures);
        if !self.always_receives(item, &timeout.body, measures) {
            let span = timeout.limit.span;
            self.found.push(nothing_awaited::diagnostic(span, name));
        }
        for late in &timeout.late {
            let awaited = self.program.statements.walk(&timeout.body);
            let comes = awaited.into_iter().any(|(_, statement)| {
                matches!(&statement.kind, StatementKind::Message(message)
                    if message.operation.name == late.operation.name
                        && ends(item, message).is_some_and(|ends| ends.to == measures))
            });
            if !comes {
                let message = self.names.text(late.operation.name);
                let span = late.operation.span;
                self.found.push(never_late::diagnostic(span, message, name));
            }
        }
    }

    /// Who notices a crash: the role after `at`, or else the one that begins the block.
    fn on_crash(&mut self, id: StatementId, it: &OnCrash) {
        let Some(item) = self.item else { return };
        let derived = match self.first.of_block(item, &it.handler).senders[..] {
            [(only, _)] => Some(only),
            _ => None,
        };
        let notices = self.own().or(it.at.map(|at| at.name)).or(derived);
        match notices.filter(|&role| role != it.crashed.name) {
            Some(role) => {
                self.clocks.measures.insert(id, role);
            }
            None => {
                let name = self.names.text(it.crashed.name);
                let found = unclear_witness::diagnostic(it.crashed.span, name);
                self.found.push(found);
            }
        }
    }

    /// Who receives the first message of a block, which is written there.
    fn only_receiver(&self, block: &Block) -> Option<Name> {
        let item = self.item?;
        let mut messages = self.program.statements.walk(block);
        let first = messages.find_map(|(_, statement)| match &statement.kind {
            StatementKind::Message(message) => Some(message),
            _ => None,
        })?;
        Some(ends(item, first)?.to)
    }

    /// Whether a role receives something in a block, however it runs.
    fn always_receives(&self, item: &Item, block: &Block, role: Name) -> bool {
        let mut statements = block.statements.iter();
        statements.any(|&id| {
            let kind = &self.program.statements.get(id).kind;
            let mut blocks = kind.blocks().into_iter();
            let mut inner = |all: bool| {
                let receives = |block: &Block| self.always_receives(item, block, role);
                if all {
                    blocks.all(receives)
                } else {
                    blocks.any(receives)
                }
            };
            match kind {
                StatementKind::Message(message) => {
                    ends(item, message).is_some_and(|ends| ends.to == role)
                }
                StatementKind::Choice(..)
                | StatementKind::Try(..)
                | StatementKind::OnCrash(_)
                | StatementKind::When(..)
                | StatementKind::Loop(..)
                | StatementKind::If(_, Some(_)) => inner(true),
                StatementKind::Timeout(timeout) => {
                    self.always_receives(item, &timeout.body, role)
                        && self.always_receives(item, &timeout.otherwise, role)
                }
                StatementKind::Parallel(_) => inner(false),
                StatementKind::Do(call) => self.call_receives(call, role),
                // Another round begins, which does.
                StatementKind::Again(_) => true,
                StatementKind::If(_, None)
                | StatementKind::While(..)
                | StatementKind::Repeat(..)
                | StatementKind::Assign(..)
                | StatementKind::Wait(_)
                | StatementKind::Abort
                | StatementKind::Skip => false,
                StatementKind::Saga(saga) => {
                    let first = saga.steps.first();
                    first.is_some_and(|it| self.always_receives(item, &it.body, role))
                }
                // It was reported.
                StatementKind::Error => true,
            }
        })
    }

    /// Inclusions nest to a limited depth, unless they are reported as broken.
    fn call_receives(&self, call: &Call, role: Name) -> bool {
        let Some(position) = self.resolution.component(call.target.name) else {
            return true;
        };
        let item = &self.program.items[position];
        let Item::Choreography(target) = item else {
            return true;
        };
        if self.broken.contains(&position) {
            return true;
        }
        let played = call.roles.iter().position(|actual| actual.name == role);
        let formal = played.and_then(|at| target.roles.get(at));
        formal.is_some_and(|formal| self.always_receives(item, &target.body, formal.name))
    }
}

fn common_divisor(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
