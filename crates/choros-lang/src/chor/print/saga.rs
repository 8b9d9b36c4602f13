//! Sagas as text.

use super::Printer;
use crate::chor::saga::Saga;

impl Printer<'_> {
    pub(super) fn saga(&mut self, saga: &Saga) {
        let range = saga.span.range();
        let close = range.end.saturating_sub(1);
        let starts: Vec<usize> = saga.steps.iter().map(|it| it.span.range().start).collect();
        self.lines.text("saga {");
        self.lines
            .end(range.start + 1, starts.first().copied().unwrap_or(close));
        self.lines.deeper();
        for (position, step) in saga.steps.iter().enumerate() {
            let limit = starts.get(position + 1).copied().unwrap_or(close);
            let body = step.body.span.range();
            self.lines.lead(starts[position], body.start, false);
            self.lines.text("step ");
            self.block_before(&step.body, step.undo.as_ref());
            if let Some(undo) = &step.undo {
                self.lines.text(" undo ");
                self.block(undo);
            }
            self.lines.end(step.span.range().end, limit);
        }
        self.lines.comments_before(close);
        self.lines.back();
        self.lines.begin();
        self.lines.text("}");
    }
}
