//! Sagas in programs: `saga`, `step`, `undo` and `abort`.

use choros_base::{Diagnostic, Name, Span};

use super::ast::{Block, Field, FieldValue, Program, StatementKind};
use super::labels::variable_of;
use super::resolve::ends;
use crate::diagnostics::{MAX_FINDINGS, misplaced_abort, unknown_identity};

/// `saga { step { … } undo { … } step { … } }`
#[derive(Debug, Clone)]
pub struct Saga {
    /// One after the other.
    pub steps: Vec<SagaStep>,
    /// From brace to brace.
    pub span: Span,
}

/// `step { … } undo { … }`
#[derive(Debug, Clone)]
pub struct SagaStep {
    /// What happens.
    pub body: Block,
    /// What happens if a later step aborts the saga; nothing if it is left out.
    pub undo: Option<Block>,
    /// From `step` to the last brace.
    pub span: Span,
}

impl Saga {
    /// The blocks within it, in the order of the text.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        let steps = self.steps.iter();
        steps.flat_map(|step| std::iter::once(&step.body).chain(&step.undo))
    }
}

/// Where an `abort` may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In a step, where it leads out of the saga.
    Step,
    /// In no step.
    Outside,
    /// In a step, but beside something else or in rounds.
    Kept,
}

/// Reports every `abort` that cannot end a saga, and every `once by` that names no field.
pub(super) fn check(program: &Program, text: impl Fn(Name) -> String) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for item in &program.items {
        let Some(body) = item.body() else { continue };
        block(program, body, Place::Outside, &mut found);
        for (_, statement) in program.statements.walk(body) {
            let StatementKind::Message(message) = &statement.kind else {
                continue;
            };
            for &field in &message.once {
                let known = message
                    .fields
                    .iter()
                    .filter_map(|it| field_name(it, program));
                let known: Vec<String> = known.map(&text).collect();
                let name = text(field.name);
                // A message of a role that is unknown is reported as such.
                if !known.contains(&name) && ends(item, message).is_some() {
                    found.push(unknown_identity::diagnostic(field.span, &name, &known));
                }
            }
        }
    }
    found.truncate(MAX_FINDINGS);
    found
}

/// What a field is called: by its label, or by the variable that it carries.
fn field_name(field: &Field, program: &Program) -> Option<Name> {
    let label = field.label.map(|it| it.name);
    label.or_else(|| match &field.value {
        FieldValue::Bind(binding) => Some(binding.variable.name),
        FieldValue::Free(_) => variable_of(field, &program.exprs),
    })
}

/// Blocks nest only as deep as the parser allows.
fn block(program: &Program, block_: &Block, place: Place, found: &mut Vec<Diagnostic>) {
    let last = block_.statements.len().saturating_sub(1);
    for (position, &id) in block_.statements.iter().enumerate() {
        let statement = program.statements.get(id);
        match &statement.kind {
            StatementKind::Abort => {
                let span = statement.span;
                match place {
                    Place::Outside => found.push(misplaced_abort::outside(span)),
                    Place::Kept => found.push(misplaced_abort::kept(span)),
                    Place::Step if position < last => {
                        found.push(misplaced_abort::not_last(span));
                    }
                    Place::Step => {}
                }
            }
            StatementKind::Saga(saga) => {
                for step in &saga.steps {
                    block(program, &step.body, Place::Step, found);
                    if let Some(undo) = &step.undo {
                        block(program, undo, Place::Outside, found);
                    }
                }
            }
            StatementKind::Timeout(timeout) => {
                block(program, &timeout.body, place, found);
                block(program, &timeout.otherwise, place, found);
                for late in &timeout.late {
                    block(program, &late.answer, kept(place), found);
                }
            }
            kind => {
                let leads_out = matches!(
                    kind,
                    StatementKind::Choice(..)
                        | StatementKind::When(..)
                        | StatementKind::If(..)
                        | StatementKind::Loop(..)
                );
                let place = if leads_out { place } else { kept(place) };
                for inner in kind.blocks() {
                    block(program, inner, place, found);
                }
            }
        }
    }
}

fn kept(place: Place) -> Place {
    match place {
        Place::Step => Place::Kept,
        other => other,
    }
}

/// Whether a statement may abort the saga around it.
pub(super) fn aborts(program: &Program, kind: &StatementKind) -> bool {
    let mut pending: Vec<&StatementKind> = vec![kind];
    while let Some(kind) = pending.pop() {
        match kind {
            StatementKind::Abort => return true,
            // An `abort` within it is its own.
            StatementKind::Saga(_) => {}
            kind => {
                let blocks = kind.blocks();
                let inner = blocks.into_iter().flat_map(|it| &it.statements);
                pending.extend(inner.map(|&id| &program.statements.get(id).kind));
            }
        }
    }
    false
}
