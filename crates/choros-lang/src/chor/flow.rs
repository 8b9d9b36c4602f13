//! Which variables have values where, and which roles can know them.
//!
//! A forward data flow over the text: a variable has a value after a statement if it has one whatever happened in it.

use choros_base::{Diagnostic, Name, Names, Span};
use choros_data::syntax::Expression;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{
    Block, BoundVariable, Field, FieldValue, Item, MessageStatement, Program, Statement,
    StatementKind,
};
use super::first::FirstSenders;
use super::labels::variable_of;
use super::resolve::ends;
use super::saga::{Saga, aborts};
use super::time::Timeout;
use crate::diagnostics::{
    MAX_FINDINGS, bound_already, missing_sort, parallel_writes, unbound_variable, unknowable_value,
};

/// A role gets to know the value that a variable got at a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Learnt {
    /// Where the variable got it.
    pub(super) bound: Span,
    /// Who.
    pub(super) role: Name,
    /// Where; the same place for those who take part in the binding.
    pub(super) at: Span,
}

/// What a role knows when it has taken part in a message.
#[derive(Debug, Clone)]
pub(super) struct Known {
    /// The role, as the message names it.
    pub(super) role: Span,
    /// The variables whose values it knows, in the order in which they are bound.
    pub(super) variables: Vec<Name>,
}

/// What was found out on the way.
#[derive(Debug, Default)]
pub(super) struct Knowledge {
    pub(super) learnt: Vec<Learnt>,
    pub(super) known: Vec<Known>,
}

/// With more variables than this, what a role knows is not kept: no one reads such a list.
const MAX_VARIABLES: usize = 100;

/// Follows the values through all choreographies and roles.
pub(super) fn check(
    program: &Program,
    values: &FxHashSet<Name>,
    first: &mut FirstSenders<'_>,
    names: &Names,
) -> (Vec<Diagnostic>, Knowledge) {
    let mut diagnostics = Vec::new();
    let mut knowledge = Knowledge::default();
    for item in &program.items {
        let Some(body) = item.body() else { continue };
        let mut bindings: FxHashSet<Name> = FxHashSet::default();
        let mut sorted: FxHashSet<Name> = FxHashSet::default();
        for parameter in item.parameters() {
            bindings.insert(parameter.name.name);
            sorted.insert(parameter.name.name);
        }
        for (_, statement) in program.statements.walk(body) {
            for binding in statement.kind.bindings() {
                bindings.insert(binding.variable.name);
                if binding.sort.is_some() {
                    sorted.insert(binding.variable.name);
                }
            }
        }
        let mut flow = Flow {
            program,
            item,
            values,
            bindings,
            sorted,
            first,
            names,
            diagnostics: Vec::new(),
            said: FxHashSet::default(),
            knowledge: &mut knowledge,
        };
        let mut state = State::default();
        for parameter in item.parameters() {
            state.0.insert(
                parameter.name.name,
                Bound {
                    place: parameter.name.span,
                    sometimes: None,
                    knows: Knows::All,
                },
            );
        }
        flow.block(body, &mut state);
        diagnostics.append(&mut flow.diagnostics);
        if diagnostics.len() >= MAX_FINDINGS {
            break;
        }
    }
    diagnostics.truncate(MAX_FINDINGS);
    (diagnostics, knowledge)
}

/// The variables that may have values.
#[derive(Debug, Clone, Default)]
struct State(FxHashMap<Name, Bound>, Goes);

/// Whether what is written next is ever reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Goes {
    #[default]
    On,
    /// Another round has begun instead.
    Back,
}

#[derive(Debug, Clone)]
struct Bound {
    /// Where it got its value.
    place: Span,
    /// Why it may have none after all.
    sometimes: Option<&'static str>,
    knows: Knows,
}

/// Who knows a value.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Knows {
    All,
    These(Vec<Name>),
}

impl Knows {
    fn has(&self, role: Name) -> bool {
        match self {
            Knows::All => true,
            Knows::These(roles) => roles.contains(&role),
        }
    }

    fn meet(&mut self, other: &Knows) {
        match (&mut *self, other) {
            (_, Knows::All) => {}
            (Knows::All, other) => *self = other.clone(),
            (Knows::These(roles), other) => roles.retain(|&role| other.has(role)),
        }
    }
}

/// What is known when one of several ways was taken.
fn join(ways: Vec<State>, why: &'static str) -> State {
    let mut all: FxHashMap<Name, (Bound, usize)> = FxHashMap::default();
    // A way that goes back does not come here.
    let comes = |way: &&State| way.1 == Goes::On;
    let goes = if ways.iter().any(|way| comes(&way)) {
        Goes::On
    } else {
        Goes::Back
    };
    let count = match goes {
        Goes::On => ways.iter().filter(comes).count(),
        Goes::Back => ways.len(),
    };
    for way in ways {
        if way.1 != goes {
            continue;
        }
        #[expect(clippy::iter_over_hash_type, reason = "each name is joined on its own")]
        for (name, bound) in way.0 {
            match all.get_mut(&name) {
                None => {
                    all.insert(name, (bound, 1));
                }
                Some((known, ways)) => {
                    *ways += 1;
                    known.knows.meet(&bound.knows);
                    known.place = known.place.min(bound.place);
                    known.sometimes = known.sometimes.or(bound.sometimes);
                }
            }
        }
    }
    let joined = all.into_iter().map(|(name, (mut bound, ways))| {
        if ways < count {
            bound.sometimes = bound.sometimes.or(Some(why));
        }
        (name, bound)
    });
    State(joined.collect(), goes)
}

struct Flow<'a, 'f, 's> {
    program: &'a Program,
    item: &'a Item,
    /// Constants and values of types.
    values: &'a FxHashSet<Name>,
    /// The variables that something in this item binds.
    bindings: FxHashSet<Name>,
    /// Those whose sort is written somewhere.
    sorted: FxHashSet<Name>,
    first: &'f mut FirstSenders<'s>,
    names: &'a Names,
    diagnostics: Vec<Diagnostic>,
    /// What was said about which role and variable: once is enough.
    said: FxHashSet<(Name, Name)>,
    knowledge: &'f mut Knowledge,
}

impl Flow<'_, '_, '_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_FINDINGS {
            self.diagnostics.push(diagnostic);
        }
    }

    fn block(&mut self, block: &Block, state: &mut State) {
        let program = self.program;
        for &id in &block.statements {
            self.statement(program.statements.get(id), state);
        }
    }

    fn way(&mut self, block: &Block, state: &State) -> State {
        let mut state = state.clone();
        self.block(block, &mut state);
        state
    }

    fn statement(&mut self, statement: &Statement, state: &mut State) {
        match &statement.kind {
            StatementKind::Message(message) => self.message(message, statement.span, state),
            StatementKind::Choice(_, blocks) => {
                let ways = blocks.iter().map(|block| self.way(block, state)).collect();
                *state = join(ways, "but another branch does not bind it");
            }
            StatementKind::Parallel(blocks) => self.parallel(blocks, state),
            StatementKind::Try(_, blocks) => {
                let mut ways: Vec<State> = Vec::new();
                let why = "but the interrupt may come before that";
                for block in blocks {
                    // Whatever was bound before the interrupt may be there, or not.
                    let start = match ways.last() {
                        Some(before) => join(vec![state.clone(), before.clone()], why),
                        None => state.clone(),
                    };
                    ways.push(self.way(block, &start));
                }
                *state = join(ways, why);
            }
            StatementKind::When(guard, block) => {
                self.guard(*guard, &[block], state);
                self.block(block, state);
            }
            StatementKind::If(arms, otherwise) => {
                let mut ways = Vec::new();
                for (guard, block) in arms {
                    self.guard(*guard, &[block], state);
                    ways.push(self.way(block, state));
                }
                match otherwise {
                    Some(block) => {
                        if let [(guard, _)] = arms[..] {
                            self.guard(guard, &[block], state);
                        }
                        ways.push(self.way(block, state));
                    }
                    None => ways.push(state.clone()),
                }
                *state = join(ways, "but another branch does not bind it");
            }
            StatementKind::While(guard, block) => {
                self.guard(*guard, &[block], state);
                let body = self.way(block, state);
                *state = join(vec![state.clone(), body], LOOPS);
            }
            StatementKind::Repeat(_, block) => {
                let body = self.way(block, state);
                *state = join(vec![state.clone(), body], LOOPS);
            }
            StatementKind::Loop(_, block) => self.block(block, state),
            StatementKind::Again(_) => state.1 = Goes::Back,
            StatementKind::Assign(binding, value) => self.assign(*binding, *value, state),
            StatementKind::Do(call) => {
                for &argument in &call.arguments {
                    self.reads(argument, state);
                }
            }
            StatementKind::Timeout(timeout) => self.timeout(timeout, state),
            StatementKind::OnCrash(it) => {
                let why = "but a crash may come before that";
                let body = self.way(&it.body, state);
                let start = join(vec![state.clone(), body.clone()], why);
                let handler = self.way(&it.handler, &start);
                *state = join(vec![body, handler], why);
            }
            StatementKind::Saga(saga) => self.saga(saga, state),
            // What is written next in the block is not reached.
            StatementKind::Abort => state.1 = Goes::Back,
            StatementKind::Wait(_) | StatementKind::Skip | StatementKind::Error => {}
        }
    }

    /// When the time is over, what the body has bound by then may be there or not; an answer knows the late message.
    fn timeout(&mut self, timeout: &Timeout, state: &mut State) {
        let body = self.way(&timeout.body, state);
        let why = "but the time may be over before that";
        let start = join(vec![state.clone(), body.clone()], why);
        let otherwise = self.way(&timeout.otherwise, &start);
        for late in &timeout.late {
            let mut answer = state.clone();
            for (_, statement) in self.program.statements.walk(&timeout.body) {
                if let StatementKind::Message(message) = &statement.kind
                    && message.operation.name == late.operation.name
                {
                    for binding in statement.kind.bindings() {
                        let name = binding.variable.name;
                        if let Some(bound) = body.0.get(&name) {
                            let bound = Bound {
                                sometimes: None,
                                ..bound.clone()
                            };
                            answer.0.insert(name, bound);
                        }
                    }
                }
            }
            self.way(&late.answer, &answer);
        }
        *state = join(vec![body, otherwise], why);
    }

    /// What a step has bound is there when it is undone; after the saga only what was there before, if it may abort.
    fn saga(&mut self, saga: &Saga, state: &mut State) {
        let before = state.clone();
        for step in &saga.steps {
            self.block(&step.body, state);
            if let Some(undo) = &step.undo {
                let start = State(state.0.clone(), Goes::On);
                self.way(undo, &start);
            }
        }
        let mut bodies = saga.steps.iter().flat_map(|it| &it.body.statements);
        let may_abort =
            bodies.any(|&id| aborts(self.program, &self.program.statements.get(id).kind));
        if may_abort {
            let why = "but the saga may be aborted before that";
            *state = join(vec![before, state.clone()], why);
        }
    }

    fn message(&mut self, message: &MessageStatement, span: Span, state: &mut State) {
        let ends = ends(self.item, message);
        let global = matches!(self.item, Item::Choreography(_));
        for field in &message.fields {
            if let FieldValue::Free(expression) = field.value {
                if !self.receives_unbound(message, field, expression.span, state) {
                    self.reads(expression, state);
                }
                if let (true, Some(ends)) = (global, ends) {
                    self.known_to(ends.from, expression, span, state);
                }
            }
        }
        for field in &message.fields {
            match (&field.value, ends) {
                (FieldValue::Bind(binding), ends) => {
                    let knows = match ends {
                        Some(ends) if global => Knows::These(vec![ends.from, ends.to]),
                        _ => Knows::All,
                    };
                    self.bind(*binding, knows, state);
                }
                // Who receives the value of a variable knows it from then on.
                (FieldValue::Free(_), Some(ends)) => {
                    let variable = variable_of(field, &self.program.exprs);
                    let bound = variable.and_then(|variable| state.0.get_mut(&variable));
                    if let Some(Bound {
                        knows: Knows::These(roles),
                        place,
                        ..
                    }) = bound
                        && !roles.contains(&ends.to)
                    {
                        roles.push(ends.to);
                        self.knowledge.learnt.push(Learnt {
                            bound: *place,
                            role: ends.to,
                            at: span,
                        });
                    }
                }
                (FieldValue::Free(_), None) => {}
            }
        }
        if global {
            self.keep_known(message, state);
        }
    }

    /// Keeps what sender and receiver know when the message has happened, whatever happened before.
    fn keep_known(&mut self, message: &MessageStatement, state: &State) {
        if state.0.len() > MAX_VARIABLES {
            return;
        }
        let mut bound: Vec<(&Name, &Bound)> = state.0.iter().collect();
        bound.retain(|(_, it)| it.sometimes.is_none());
        bound.sort_by_key(|(_, it)| it.place);
        for role in [message.from, message.to].into_iter().flatten() {
            let known = bound.iter().filter(|(_, it)| it.knows.has(role.name));
            self.knowledge.known.push(Known {
                role: role.span,
                variables: known.map(|(name, _)| **name).collect(),
            });
        }
    }

    /// `<- a: Op(x)` where `x: Int` is meant.
    fn receives_unbound(
        &mut self,
        message: &MessageStatement,
        field: &Field,
        span: Span,
        state: &State,
    ) -> bool {
        let Some(name) = variable_of(field, &self.program.exprs) else {
            return false;
        };
        let text = self.names.text(name);
        let receives = message.to.is_none()
            && !state.0.contains_key(&name)
            && !self.values.contains(&name)
            && !text.starts_with(char::is_uppercase);
        if receives {
            self.report(unbound_variable::received(span, text));
        }
        receives
    }

    fn bind(&mut self, binding: BoundVariable, knows: Knows, state: &mut State) {
        let BoundVariable {
            again, variable, ..
        } = binding;
        if let Some(bound) = state.0.get(&variable.name)
            && !again
        {
            let name = self.names.text(variable.name);
            let diagnostic = bound_already::diagnostic(variable.span, name, bound.place);
            self.report(diagnostic);
        }
        if binding.sort.is_none() && !self.sorted.contains(&variable.name) {
            let name = self.names.text(variable.name);
            self.report(missing_sort::diagnostic(variable.span, name));
        }
        if let Knows::These(roles) = &knows {
            self.knowledge
                .learnt
                .extend(roles.iter().map(|&role| Learnt {
                    bound: variable.span,
                    role,
                    at: variable.span,
                }));
        }
        state.0.insert(
            variable.name,
            Bound {
                place: variable.span,
                sometimes: None,
                knows,
            },
        );
    }

    fn assign(&mut self, binding: BoundVariable, value: Expression, state: &mut State) {
        self.reads(value, state);
        let mut knows = Knows::All;
        for (name, _) in self.program.exprs.names(value) {
            if let Some(bound) = state.0.get(&name) {
                knows.meet(&bound.knows);
            }
        }
        if binding.again || binding.sort.is_some() {
            return self.bind(binding, knows, state);
        }
        let variable = binding.variable;
        match state.0.get_mut(&variable.name) {
            Some(bound) => {
                bound.sometimes = None;
                bound.knows = knows;
            }
            None => self.unbound(variable.name, variable.span, state),
        }
    }

    fn parallel(&mut self, blocks: &[Block], state: &mut State) {
        let mut written: FxHashMap<Name, (usize, Span)> = FxHashMap::default();
        let mut reported = FxHashSet::default();
        for (index, block) in blocks.iter().enumerate() {
            for (_, statement) in self.program.statements.walk(block) {
                for binding in statement.kind.bindings() {
                    let here = binding.variable.span;
                    let variable = binding.variable.name;
                    let &mut (branch, first) = written.entry(variable).or_insert((index, here));
                    if branch != index && reported.insert(variable) {
                        let name = self.names.text(variable);
                        self.report(parallel_writes::diagnostic(name, first, here));
                    }
                }
            }
        }
        let ways: Vec<State> = blocks.iter().map(|block| self.way(block, state)).collect();
        for way in ways {
            #[expect(clippy::iter_over_hash_type, reason = "each name is joined on its own")]
            for (name, bound) in way.0 {
                let known = state.0.get(&name);
                if known.is_none_or(|known| known.place != bound.place || known.sometimes.is_some())
                {
                    state.0.insert(name, bound);
                }
            }
        }
    }

    /// The variables of a guard have values, and who begins one of the blocks knows them.
    fn guard(&mut self, guard: Expression, blocks: &[&Block], state: &State) {
        self.reads(guard, state);
        if !matches!(self.item, Item::Choreography(_)) {
            return;
        }
        for block in blocks {
            for (role, span) in self.first.of_block(self.item, block).senders {
                self.known_to(role, guard, span, state);
            }
        }
    }

    fn known_to(&mut self, role: Name, expression: Expression, acts: Span, state: &State) {
        for (variable, span) in self.program.exprs.names(expression) {
            let Some(bound) = state.0.get(&variable) else {
                continue;
            };
            let Knows::These(roles) = &bound.knows else {
                continue;
            };
            if !roles.contains(&role) && self.said.insert((role, variable)) {
                let knows: Vec<&str> = roles.iter().map(|&role| self.names.text(role)).collect();
                let diagnostic = unknowable_value::diagnostic(
                    span,
                    self.names.text(role),
                    self.names.text(variable),
                    acts,
                    &knows,
                );
                self.report(diagnostic);
            }
        }
    }

    fn reads(&mut self, expression: Expression, state: &State) {
        for (name, span) in self.program.exprs.names(expression) {
            match state.0.get(&name) {
                Some(Bound {
                    sometimes: None, ..
                }) => {}
                Some(Bound {
                    sometimes: Some(why),
                    place,
                    ..
                }) => {
                    let text = self.names.text(name);
                    let because = Some((*place, *why));
                    self.report(unbound_variable::diagnostic(span, text, because, []));
                }
                None if self.values.contains(&name) => {}
                // Capitalised names that no one declares are values, unless a variable of this item is called so.
                None if self.names.text(name).starts_with(char::is_uppercase)
                    && !self.bindings.contains(&name) => {}
                None => self.unbound(name, span, state),
            }
        }
    }

    fn unbound(&mut self, name: Name, span: Span, state: &State) {
        let mut known: Vec<&str> = state.0.keys().map(|&it| self.names.text(it)).collect();
        known.sort_unstable();
        let text = self.names.text(name);
        let diagnostic = unbound_variable::diagnostic(span, text, None, known);
        self.report(diagnostic);
    }
}

/// Why what the body of a loop binds may have no value after it.
const LOOPS: &str = "but the loop might not run at all";
