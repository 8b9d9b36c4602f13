//! Sagas: steps that are undone, the last one first, if a later one aborts.
//!
//! ```text
//! saga { step A₁ undo U₁ … step Aₙ undo Uₙ } ; C   is   A₁ᵃ ; … ; Aₙᵃ ; C
//! ```
//!
//! where an `abort` in `Aₖ` stands for `Uₖ₋₁ ; … ; U₁ ; C`: what is done is undone, and the saga is over.
//! The step that aborts is not undone: it was not done.
//! So a statement with an `abort` in it takes what follows it in the saga into those of its branches that do not abort.

use choros_base::Span;

use super::{Frame, Lowering};
use crate::NoGraph;
use crate::ast::Operator;
use crate::chor::ast::{Block, StatementId, StatementKind};
use crate::chor::saga::{Saga, aborts};
use crate::lower::{Form, ProcessTerm};

/// What follows in the saga, and what undoes the steps that are done.
#[derive(Clone, Copy)]
struct Ahead {
    rest: Option<ProcessTerm>,
    undone: ProcessTerm,
}

impl Lowering<'_> {
    pub(super) fn saga(
        &mut self,
        frame: &Frame,
        saga: &Saga,
        span: Span,
    ) -> Result<ProcessTerm, NoGraph> {
        let nothing = self.store.term(Form::Skip(Some(span.after())));
        let mut undone = vec![nothing];
        for step in &saga.steps {
            let before = undone.last().copied().unwrap_or(nothing);
            undone.push(match &step.undo {
                None => before,
                Some(undo) => {
                    let undo = self.block(frame, undo)?;
                    match before == nothing {
                        true => undo,
                        false => self.join(Operator::Sequence, &[undo, before])?,
                    }
                }
            });
        }
        let mut rest = None;
        for (step, &undone) in saga.steps.iter().zip(&undone).rev() {
            rest = self.then(frame, &step.body.statements, Ahead { rest, undone })?;
        }
        Ok(rest.unwrap_or(nothing))
    }

    // Blocks nest to a limited depth.
    fn then(
        &mut self,
        frame: &Frame,
        statements: &[StatementId],
        ahead: Ahead,
    ) -> Result<Option<ProcessTerm>, NoGraph> {
        let (mut rest, mut end) = (ahead.rest, statements.len());
        for (position, &id) in statements.iter().enumerate().rev() {
            let kind = &self.model.program.statements.get(id).kind;
            if !aborts(&self.model.program, kind) {
                continue;
            }
            rest = self.followed(frame, &statements[position + 1..end], rest)?;
            let ahead = Ahead { rest, ..ahead };
            rest = Some(self.aborting(frame, id, ahead)?);
            end = position;
        }
        self.followed(frame, &statements[..end], rest)
    }

    /// Statements and what follows them.
    fn followed(
        &mut self,
        frame: &Frame,
        statements: &[StatementId],
        rest: Option<ProcessTerm>,
    ) -> Result<Option<ProcessTerm>, NoGraph> {
        let first = self.statements(frame, statements)?;
        match (first, rest) {
            (Some(first), Some(rest)) => self.join(Operator::Sequence, &[first, rest]).map(Some),
            (first, rest) => Ok(first.or(rest)),
        }
    }

    /// A block and what follows it.
    fn whole(
        &mut self,
        frame: &Frame,
        block: &Block,
        ahead: Ahead,
    ) -> Result<ProcessTerm, NoGraph> {
        let term = self.then(frame, &block.statements, ahead)?;
        Ok(term.unwrap_or_else(|| self.store.term(Form::Skip(Some(block.span)))))
    }

    /// A statement that may abort.
    fn aborting(
        &mut self,
        frame: &Frame,
        id: StatementId,
        ahead: Ahead,
    ) -> Result<ProcessTerm, NoGraph> {
        self.budget.spend()?;
        let model = self.model;
        let statement = model.program.statements.get(id);
        match &statement.kind {
            StatementKind::Abort => Ok(ahead.undone),
            StatementKind::Choice(_, blocks) => {
                let branches: Result<Vec<ProcessTerm>, NoGraph> = blocks
                    .iter()
                    .map(|block| self.whole(frame, block, ahead))
                    .collect();
                match branches?[..] {
                    [only] => Ok(only),
                    ref branches => self.join(Operator::Choice, branches),
                }
            }
            StatementKind::When(guard, block) => {
                let guard = self.term(frame, model.meanings.term(*guard))?;
                let inner = self.whole(frame, block, ahead)?;
                Ok(self.store.term(Form::Guarded(guard, inner)))
            }
            StatementKind::If(arms, otherwise) => {
                let mut rest = match (otherwise, ahead.rest) {
                    (Some(block), _) => self.whole(frame, block, ahead)?,
                    (None, Some(rest)) => rest,
                    (None, None) => self.store.term(Form::Skip(Some(statement.span.after()))),
                };
                for (guard, block) in arms.iter().rev() {
                    let guard = self.term(frame, model.meanings.term(*guard))?;
                    let inner = self.whole(frame, block, ahead)?;
                    let yes = self.store.term(Form::Guarded(guard, inner));
                    let opposite = self.terms.complement(guard);
                    let no = self.store.term(Form::Guarded(opposite, rest));
                    rest = self.join(Operator::Choice, &[yes, no])?;
                }
                Ok(rest)
            }
            StatementKind::Timeout(timeout) => {
                let body = self.then(frame, timeout.awaited(), ahead)?;
                let body =
                    body.unwrap_or_else(|| self.store.term(Form::Skip(Some(timeout.body.span))));
                let otherwise = self.whole(frame, &timeout.otherwise, ahead)?;
                self.timer(frame, (id, timeout), body, otherwise)
            }
            StatementKind::Loop(name, block) => {
                let key = (frame.included, name.name);
                self.round(key, |lowering| lowering.whole(frame, block, ahead))
            }
            _ => Err(NoGraph::Mistakes),
        }
    }
}
