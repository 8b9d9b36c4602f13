//! The names of a g-choreography, for editors.

use choros_base::Names;
use choros_model::symbols::{SymbolKind, Symbols};
use choros_syntax::Lexicon;

use super::ast::{Branch, Expression, ExpressionKind, Program, Word};
use super::token::COMMENTS;

/// The words of `.gc` files.
pub static LEXICON: Lexicon = Lexicon {
    comments: COMMENTS,
    keywords: &["sel", "branch", "repeat", "unless"],
    ..Lexicon::EMPTY
};

/// The names of a file.
pub fn symbols(program: &Program, names: &Names) -> Symbols {
    let mut gathering = Gathering {
        names,
        found: Symbols::default(),
    };
    let mut pending: Vec<&Expression> = program.choreography.iter().collect();
    while let Some(expression) = pending.pop() {
        gathering.expression(expression, &mut pending);
    }
    gathering.found.in_order()
}

struct Gathering<'a> {
    names: &'a Names,
    found: Symbols,
}

impl<'a> Gathering<'a> {
    fn used(&mut self, kind: SymbolKind, word: Word) {
        let Word { name, span } = word;
        self.found
            .symbol(kind, self.names.text(name), None)
            .used(span);
    }

    fn expression(&mut self, expression: &'a Expression, pending: &mut Vec<&'a Expression>) {
        match &expression.kind {
            ExpressionKind::Empty => {}
            ExpressionKind::Interaction {
                from, to, message, ..
            } => {
                self.used(SymbolKind::Role, *from);
                for receiver in to {
                    self.used(SymbolKind::Role, *receiver);
                }
                self.used(SymbolKind::Message, *message);
                let signature = self.signature(*from, to, *message);
                let name = self.names.text(message.name);
                self.found
                    .symbol(SymbolKind::Message, name, None)
                    .fact(signature);
            }
            ExpressionKind::Sequence(parts) | ExpressionKind::Fork(parts) => {
                pending.extend(parts);
            }
            ExpressionKind::Choice {
                decider, branches, ..
            } => {
                if let Some(role) = decider {
                    self.used(SymbolKind::Role, *role);
                }
                for branch in branches {
                    self.branch(branch, pending);
                }
            }
            ExpressionKind::Repeat { controller, body } => {
                if let Some(role) = controller {
                    self.used(SymbolKind::Role, *role);
                }
                self.branch(body, pending);
            }
        }
    }

    fn branch(&mut self, branch: &'a Branch, pending: &mut Vec<&'a Expression>) {
        for guard in &branch.unless {
            self.used(SymbolKind::Role, guard.participant);
        }
        pending.push(&branch.body);
    }

    fn signature(&self, from: Word, to: &[Word], message: Word) -> String {
        let text = |word: &Word| self.names.text(word.name);
        let receivers: Vec<&str> = to.iter().map(text).collect();
        let arrow = if to.len() == 1 { "->" } else { "=>" };
        let (from, message) = (text(&from), text(&message));
        format!("{from} {arrow} {}: {message}", receivers.join(", "))
    }
}
