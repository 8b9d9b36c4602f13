//! Messages that are to be added, as changes of a text.

use choros_base::{Span, Suggestion};
use choros_codes::FileKind;
use choros_lang::chor;
use choros_realize::{Addition, Realizability};

use crate::Workspace;

impl Workspace<'_> {
    /// For each addition of a repair, the change of the text that makes it.
    pub fn edits(&mut self, found: &Realizability) -> Vec<Option<Suggestion>> {
        let additions = found.mended.iter().flat_map(|it| &it.repair.additions);
        let edit = |it: &Addition| {
            let text = |name| self.terms.names.text(name);
            let carried = it
                .carries
                .map(|it| format!("({})", self.terms.variable_text(it)));
            let (from, to, operation) = (text(it.from.0), text(it.to.0), text(it.operation.0));
            let message = format!("{from} -> {to}: {operation}{}", carried.unwrap_or_default());
            self.addition(&message, &it.places, it.is_behind)
        };
        additions.map(edit).collect()
    }

    /// The change that adds a message before these places, or behind them; `None` in languages that are not changed
    /// so.
    fn addition(&mut self, message: &str, places: &[Span], is_behind: bool) -> Option<Suggestion> {
        let file = places.first()?.file();
        let source = self.sources.file(file);
        if FileKind::of_path(source.name()).map(FileKind::name) != Some("chor") {
            return None;
        }
        let text = source.text().clone();
        let around = chor::statement_around(file, &text, &mut self.terms.names, places)?.range();
        let line = text[..around.start].rfind('\n').map_or(0, |it| it + 1);
        let indent: String = text[line..around.start]
            .chars()
            .take_while(|it| it.is_whitespace())
            .collect();
        let (at, replacement) = if is_behind {
            (around.end, format!("\n{indent}{message}"))
        } else {
            (around.start, format!("{message}\n{indent}"))
        };
        Some(Suggestion {
            span: Span::new(file, at as u32, at as u32),
            message: format!("add `{message}`"),
            replacement,
        })
    }
}
