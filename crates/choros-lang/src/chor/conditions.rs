//! Under which conditions a message happens, as far as the text around it says.
//!
//! Only what is written counts: that an earlier message has to happen first is not said, and a condition over a
//! variable that is assigned later is about the value at its own place.

use std::rc::Rc;

use choros_base::Names;
use choros_data::syntax::Expression;
use rustc_hash::FxHashMap;

use super::ast::{Block, Program, StatementId, StatementKind};

/// The conditions around each message of a block that has any, in words.
pub(super) fn conditions(
    program: &Program,
    body: &Block,
    names: &Names,
) -> FxHashMap<StatementId, Rc<str>> {
    let text = |guard: &Expression| program.exprs.print(names, *guard);
    let mut found = FxHashMap::default();
    let mut pending: Vec<(&Block, Option<Rc<str>>)> = vec![(body, None)];
    while let Some((block, around)) = pending.pop() {
        for &id in &block.statements {
            let kind = &program.statements.get(id).kind;
            match kind {
                StatementKind::Message(_) => {
                    found.extend(around.clone().map(|it| (id, it)));
                }
                StatementKind::When(guard, inner) => {
                    pending.push((inner, Some(both(&around, &text(guard)))));
                }
                StatementKind::While(guard, inner) => {
                    let said = format!("while {}", text(guard));
                    pending.push((inner, Some(both(&around, &said))));
                }
                StatementKind::If(arms, otherwise) => {
                    let mut before = around.clone();
                    for (guard, inner) in arms {
                        pending.push((inner, Some(both(&before, &text(guard)))));
                        let not = format!("not ({})", text(guard));
                        before = Some(both(&before, &not));
                    }
                    if let Some(inner) = otherwise {
                        pending.push((inner, before));
                    }
                }
                _ => {
                    let inner = kind.blocks().into_iter();
                    pending.extend(inner.map(|it| (it, around.clone())));
                }
            }
        }
    }
    found
}

/// Longer conditions are cut: no one reads them.
const MAX_CONDITION_LENGTH: usize = 300;

fn both(around: &Option<Rc<str>>, own: &str) -> Rc<str> {
    match around {
        None => own.into(),
        Some(around) if around.len() > MAX_CONDITION_LENGTH => around.clone(),
        Some(around) => format!("{around}, {own}").into(),
    }
}
