//! What contains what: `do` and `system`.

use choros_base::{Diagnostic, Names, Span};
use rustc_hash::FxHashSet;

use super::ast::{Item, Program, StatementKind};
use super::resolve::Resolution;
use crate::diagnostics::{MAX_FINDINGS, inclusion_cycle};

/// How many blocks may lie within each other, inclusions counted: what keeps the call stack of lowering safe.
const MAX_NESTED: usize = 400;

/// Reports what contains itself or nests too deeply; answers which items do.
pub(super) fn check(
    program: &Program,
    resolution: &Resolution,
    names: &Names,
) -> (FxHashSet<usize>, Vec<Diagnostic>) {
    let includes: Vec<Vec<Inclusion>> = program
        .items
        .iter()
        .map(|item| inclusions(program, resolution, item))
        .collect();
    let mut diagnostics = Vec::new();
    let mut broken = FxHashSet::default();
    let mut heights: Vec<Option<usize>> = vec![None; includes.len()];
    let mut open = FxHashSet::default();
    for start in 0..includes.len() {
        let mut path = vec![(start, 0)];
        while let Some((item, position)) = path.last_mut() {
            let (item, at) = (*item, *position);
            *position += 1;
            if at == 0 {
                if heights[item].is_some() {
                    path.pop();
                    continue;
                }
                open.insert(item);
            }
            let Some(inclusion) = includes[item].get(at) else {
                open.remove(&item);
                path.pop();
                let height = height(&includes[item], &heights);
                heights[item] = Some(height);
                // What contains something broken is broken; it was reported where it breaks.
                let contains = includes[item]
                    .iter()
                    .any(|inclusion| broken.contains(&inclusion.target));
                if contains {
                    broken.insert(item);
                } else if height > MAX_NESTED {
                    broken.insert(item);
                    let span = program.items[item].name().span;
                    diagnostics.push(inclusion_cycle::depth(span, MAX_NESTED));
                }
                continue;
            };
            if open.contains(&inclusion.target) {
                broken.insert(item);
                let declared = program.items[inclusion.target].name();
                let name = names.text(declared.name);
                diagnostics.push(inclusion_cycle::cycle(inclusion.span, name, declared.span));
            } else {
                path.push((inclusion.target, 0));
            }
        }
    }
    diagnostics.truncate(MAX_FINDINGS);
    (broken, diagnostics)
}

struct Inclusion {
    target: usize,
    span: Span,
    /// How many blocks lie around it.
    depth: usize,
}

/// Deep enough to count as broken, and no deeper: numbers stay small however long the chain.
fn height(inclusions: &[Inclusion], heights: &[Option<usize>]) -> usize {
    inclusions
        .iter()
        .map(|inclusion| inclusion.depth + heights[inclusion.target].unwrap_or(0))
        .max()
        .unwrap_or(0)
        .min(MAX_NESTED + 1)
}

fn inclusions(program: &Program, resolution: &Resolution, item: &Item) -> Vec<Inclusion> {
    let mut found = Vec::new();
    if let Item::System(system) = item {
        for part in &system.parts {
            if let Some(target) = resolution.component(part.name) {
                found.push(Inclusion {
                    target,
                    span: part.span,
                    depth: 1,
                });
            }
        }
    }
    if let Item::Sessions(sessions) = item
        && let Some(target) = resolution.component(sessions.of.name)
    {
        found.push(Inclusion {
            target,
            span: sessions.of.span,
            depth: 1,
        });
    }
    let mut pending: Vec<_> = item.body().into_iter().map(|body| (body, 1)).collect();
    while let Some((block, depth)) = pending.pop() {
        for &id in &block.statements {
            let statement = program.statements.get(id);
            if let StatementKind::Do(call) = &statement.kind
                && let Some(target) = resolution.component(call.target.name)
                && matches!(program.items[target], Item::Choreography(_))
            {
                found.push(Inclusion {
                    target,
                    span: statement.span,
                    depth,
                });
            }
            pending.extend(
                statement
                    .kind
                    .blocks()
                    .into_iter()
                    .map(|inner| (inner, depth + 1)),
            );
        }
    }
    found.sort_by_key(|inclusion| inclusion.span.start());
    found
}
