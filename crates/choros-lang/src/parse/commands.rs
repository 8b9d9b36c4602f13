//! Commands.

use choros_base::nearest;
use choros_data::syntax::TokenKind;

use super::Reader;
use crate::ast::{Command, CommandKind, Mode, Reference};
use crate::diagnostics::{MAX_FINDINGS, command_arguments, unknown_command};

impl Reader<'_> {
    /// The commands up to the next component or the end.
    pub(super) fn commands(&mut self) {
        let stop = self.boundary(self.at);
        while self.at < stop && self.diagnostics.len() < MAX_FINDINGS {
            if self.token().kind == TokenKind::Identifier {
                self.command(stop);
            } else {
                self.unexpected("a command");
                while self.at < stop && self.token().kind != TokenKind::Identifier {
                    self.at += 1;
                }
            }
        }
        self.at = stop;
    }

    fn command(&mut self, stop: usize) {
        let keyword = self.token().span;
        let kind = kind_of(self.word_at(self.at));
        let mut words = vec![self.word_at(self.at)];
        self.at += 1;
        let mut arguments = Vec::new();
        let mut mode = None;
        while self.at < stop && self.token().kind == TokenKind::Identifier {
            let word = self.word_at(self.at);
            if kind_of(word).is_some() || self.is_misspelt_command(word) {
                break;
            }
            let span = self.token().span;
            let meant = Mode::ALL.into_iter().find(|mode| mode.text() == word);
            match meant {
                Some(_) => mode = meant,
                None => arguments.push(Reference {
                    name: self.names.intern(word),
                    span,
                }),
            }
            words.push(word);
            self.at += 1;
            if meant.is_some() {
                break;
            }
        }
        let command = Command {
            kind,
            arguments,
            mode,
            span: keyword.to(self.tokens[self.at - 1].span),
            text: words.join(" "),
        };
        match kind {
            None => {
                self.diagnostics
                    .push(unknown_command::diagnostic(keyword, words[0]));
            }
            Some(kind) => self
                .diagnostics
                .extend(command_arguments::check(kind, &command, keyword)),
        }
        self.script.commands.push(command);
    }

    /// Whether a word that stands where a component is named is more likely a command with a slip in it.
    fn is_misspelt_command(&self, word: &str) -> bool {
        let is_declared = self
            .names
            .get(word)
            .is_some_and(|name| self.declared.contains(&name));
        // No command is short; there may be very many words.
        word.len() >= SHORTEST
            && !is_declared
            && Mode::ALL.iter().all(|mode| mode.text() != word)
            && nearest(word, CommandKind::ALL.map(CommandKind::text)).is_some()
    }
}

/// Length of the shortest command with a slip in it.
const SHORTEST: usize = 5;

fn kind_of(word: &str) -> Option<CommandKind> {
    CommandKind::ALL
        .into_iter()
        .find(|kind| kind.text() == word)
}
