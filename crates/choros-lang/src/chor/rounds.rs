//! Where `again` may stand: at the end of a round, after something that happened in it.

use choros_base::{Diagnostic, Name, Names};
use rustc_hash::FxHashSet;

use super::ast::{Block, Item, Program, StatementKind};
use crate::diagnostics::{MAX_FINDINGS, misplaced_again, undeclared_name};

/// Checks all loops.
pub(super) fn check(program: &Program, names: &Names) -> Vec<Diagnostic> {
    let mut rounds = Rounds {
        program,
        names,
        busy: FxHashSet::default(),
        diagnostics: Vec::new(),
    };
    rounds.find_busy();
    for item in &program.items {
        if let Some(body) = item.body() {
            rounds.block(body, &[]);
        }
    }
    rounds.diagnostics.truncate(MAX_FINDINGS);
    rounds.diagnostics
}

/// A loop around a statement.
#[derive(Clone, Copy)]
struct Round {
    name: Name,
    /// Whether something has happened in it.
    begun: bool,
    /// Whether it ends where this statement does.
    ends_here: bool,
}

struct Rounds<'a> {
    program: &'a Program,
    names: &'a Names,
    /// Choreographies in which something happens, however they run.
    busy: FxHashSet<Name>,
    diagnostics: Vec<Diagnostic>,
}

/// How deep inclusions are followed; below, nothing is known to happen.
const DEEPEST_INCLUSION: usize = 64;

impl Rounds<'_> {
    /// The least set, so that a choreography that contains itself is not in it by its own word.
    fn find_busy(&mut self) {
        for _ in 0..DEEPEST_INCLUSION {
            let is_new = |item: &&Item| {
                let happens = |id| self.happens(&self.program.statements.get(id).kind);
                let body = item
                    .body()
                    .filter(|_| !self.busy.contains(&item.name().name));
                body.is_some_and(|it| it.statements.iter().copied().any(happens))
            };
            let found = self.program.items.iter().filter(is_new);
            let found: Vec<Name> = found.map(|it| it.name().name).collect();
            if found.is_empty() {
                return;
            }
            self.busy.extend(found);
        }
    }

    /// Whether something happens in a statement before what is after it.
    fn happens(&self, kind: &StatementKind) -> bool {
        let in_block = |block: &&Block| {
            let mut inner = block.statements.iter();
            inner.any(|&id| self.happens(&self.program.statements.get(id).kind))
        };
        let blocks = kind.blocks();
        match kind {
            StatementKind::Message(_) | StatementKind::Assign(..) | StatementKind::Again(_) => true,
            StatementKind::Wait(wait) => wait.duration.count > 0,
            StatementKind::Timeout(timeout) => {
                [&timeout.body, &timeout.otherwise].iter().all(in_block)
            }
            // An abort in the first step ends the saga.
            StatementKind::Saga(saga) => saga.steps.first().is_some_and(|it| in_block(&&it.body)),
            StatementKind::Do(call) => self.busy.contains(&call.target.name),
            StatementKind::Choice(..)
            | StatementKind::When(..)
            | StatementKind::Loop(..)
            | StatementKind::If(_, Some(_)) => blocks.iter().all(in_block),
            StatementKind::Parallel(_) => blocks.iter().any(in_block),
            StatementKind::If(_, None)
            | StatementKind::Try(..)
            | StatementKind::OnCrash(_)
            | StatementKind::Abort
            | StatementKind::While(..)
            | StatementKind::Repeat(..)
            | StatementKind::Skip
            | StatementKind::Error => false,
        }
    }

    // Blocks nest only as deep as the parser allows.
    fn block(&mut self, block: &Block, around: &[Round]) {
        let mut around = around.to_vec();
        let last = block.statements.len().saturating_sub(1);
        for (position, &id) in block.statements.iter().enumerate() {
            let statement = self.program.statements.get(id);
            let is_last = position == last;
            match &statement.kind {
                StatementKind::Message(_) | StatementKind::Assign(..) => {
                    around.iter_mut().for_each(|round| round.begun = true);
                }
                StatementKind::Again(name) => {
                    let text = self.names.text(name.name);
                    let round = around.iter().rev().find(|round| round.name == name.name);
                    let finding = match round {
                        None => {
                            let known = around.iter().map(|round| self.names.text(round.name));
                            let what = "loop around this, called";
                            Some(undeclared_name::diagnostic(name.span, what, text, known))
                        }
                        Some(round) if !round.ends_here || !is_last => {
                            Some(misplaced_again::not_last(statement.span, text))
                        }
                        Some(round) if !round.begun => {
                            Some(misplaced_again::empty_round(statement.span, text))
                        }
                        Some(_) => None,
                    };
                    self.diagnostics.extend(finding);
                }
                kind => {
                    let goes_on = matches!(
                        kind,
                        StatementKind::Choice(..)
                            | StatementKind::When(..)
                            | StatementKind::If(..)
                            | StatementKind::Loop(..)
                            | StatementKind::Timeout(_)
                    );
                    let mut inner: Vec<Round> = around
                        .iter()
                        .map(|round| Round {
                            ends_here: round.ends_here && is_last && goes_on,
                            ..*round
                        })
                        .collect();
                    if let StatementKind::Loop(name, _) = kind {
                        inner.push(Round {
                            name: name.name,
                            begun: false,
                            ends_here: true,
                        });
                    }
                    for block in kind.blocks() {
                        self.block(block, &inner);
                    }
                    if self.happens(kind) {
                        around.iter_mut().for_each(|round| round.begun = true);
                    }
                }
            }
        }
    }
}
