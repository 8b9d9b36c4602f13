//! From text to [`Script`]: recursive descent with recovery.
//!
//! The words `component`, `end component`, `DECLARATIONS` and `COMMANDS` are found first; each body is then read by a
//! parser that sees only its own tokens.
//! So a mistake in one component never costs the next, however wrong the brackets are.

mod commands;
mod graph;
mod process;

use choros_base::{Diagnostic, FileId, Name, Names, Span, nearest};
use choros_data::syntax::{Parser, Token, TokenKind, lex};
use rustc_hash::FxHashSet;

use crate::ast::{Body, Component, Processes, Reference, Script};
use crate::diagnostics::{MAX_FINDINGS, ambiguous_term, unclosed_component};
pub(crate) use process::parenthesised;

/// Reads a script; whatever is wrong with it is in the second part, at most a hundred findings of each stage.
pub fn parse(file: FileId, text: &str, names: &mut Names) -> (Script, Vec<Diagnostic>) {
    let (tokens, diagnostics) = lex(file, text, 0);
    let mut reader = Reader {
        text,
        tokens,
        at: 0,
        names,
        declared: FxHashSet::default(),
        script: Script::default(),
        diagnostics,
    };
    reader.script();
    let Reader {
        script,
        mut diagnostics,
        ..
    } = reader;
    // Where the text ends too early, each open construct misses something at the same place.
    diagnostics.dedup_by(|next, first| {
        next.code.code == first.code.code && next.primary() == first.primary()
    });
    diagnostics.truncate(MAX_FINDINGS);
    diagnostics.extend(ambiguous_term::check(&script, text));
    (script, diagnostics)
}

/// Words that begin a part of a script wherever they stand; as names they are written in quotes.
pub(crate) const RESERVED: [&str; 3] = ["component", "COMMANDS", "DECLARATIONS"];

/// The kinds of components.
const KINDS: [&str; 2] = ["chorD", "STG"];

/// What lies between components.
struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    /// Position of the next token.
    at: usize,
    names: &'t mut Names,
    /// The names of components so far.
    declared: FxHashSet<Name>,
    script: Script,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Reader<'t> {
    fn script(&mut self) {
        if self.at_word("DECLARATIONS") {
            self.at += 1;
        } else {
            self.unexpected("`DECLARATIONS`");
        }
        let mut commands_seen = false;
        while self.token().kind != TokenKind::End && self.diagnostics.len() < MAX_FINDINGS {
            if self.at_word("component") {
                if commands_seen {
                    self.unexpected("a command; components are declared before `COMMANDS`");
                }
                self.at += 1;
                self.component();
            } else if self.at_word("COMMANDS") {
                self.at += 1;
                commands_seen = true;
                self.commands();
            } else if KINDS.contains(&self.word_at(self.at + 1)) {
                self.unexpected("`component`");
                self.component();
            } else if KINDS.contains(&self.word_at(self.at + 2)) {
                // Some other word stands for `component`.
                self.unexpected("`component`");
                self.at += 1;
                self.component();
            } else if nearest(self.word_at(self.at), ["COMMANDS"]).is_some() {
                self.unexpected("`COMMANDS`");
                self.at += 1;
                commands_seen = true;
                self.commands();
            } else {
                self.unexpected("`component` or `COMMANDS`");
                self.at = self.boundary(self.at + 1);
                if self.at_end_component() {
                    self.end_component();
                }
            }
        }
    }

    /// A component from its name on.
    fn component(&mut self) {
        let start = self.tokens[self.at.saturating_sub(1)].span;
        let name = self.component_name();
        let word = self.word_at(self.at);
        let kind = nearest(word, KINDS);
        if kind != Some(word) {
            self.unexpected("`chorD` or `STG`");
        }
        if kind.is_some() {
            self.at += 1;
        }
        let stop = self.boundary(self.at);
        let is_graph = kind == Some("STG")
            || (kind.is_none() && self.tokens[self.at].kind == TokenKind::Integer);
        let is_composition = self.tokens[self.at].kind == TokenKind::Identifier
            && self.at + 1 < stop
            && self.tokens[self.at + 1].kind == TokenKind::BarBar;
        // `end` and then something else than `component`: the body ends there all the same.
        let lonely_end = stop > self.at && self.word_at(stop - 1) == "end";
        let body_stop = if lonely_end { stop - 1 } else { stop };
        let tokens = self.part(self.at, body_stop);
        let body = self.with_parser(&tokens, |parser, processes| {
            if is_graph {
                Body::Graph(graph::parse(parser))
            } else if is_composition {
                Body::Composition(composition(parser))
            } else {
                Body::Process(process::parse(parser, processes))
            }
        });
        self.at = stop;
        if self.at_end_component() {
            self.end_component();
        } else if lonely_end {
            self.unexpected("`component` after `end`");
        } else {
            let next = self.token().span;
            let name = self.names.text(name.name);
            self.diagnostics
                .push(unclosed_component::diagnostic(start, name, next));
        }
        let span = start.to(self.tokens[self.at.saturating_sub(1)].span);
        self.declared.insert(name.name);
        self.script.components.push(Component { name, body, span });
    }

    fn component_name(&mut self) -> Reference {
        let token = self.token();
        let word = self.word_at(self.at);
        if token.kind == TokenKind::Identifier
            && !KINDS.contains(&word)
            && self.boundary(self.at) > self.at
        {
            let name = self.names.intern(word);
            self.at += 1;
            return Reference {
                name,
                span: token.span,
            };
        }
        self.unexpected("the component's name");
        Reference {
            name: self.names.intern(""),
            span: token.span,
        }
    }

    /// The position of the next word that begins or ends a component or a part of the script.
    fn boundary(&self, from: usize) -> usize {
        (from..self.tokens.len())
            .find(|&at| match self.word_at(at) {
                "end" => is_component(self.word_at(at + 1)),
                word if RESERVED.contains(&word) => true,
                _ => self.tokens[at].kind == TokenKind::End,
            })
            .unwrap_or(self.tokens.len() - 1)
    }

    fn at_end_component(&self) -> bool {
        self.at_word("end") && is_component(self.word_at(self.at + 1))
    }

    /// Takes `end component`, or what was meant to be it.
    fn end_component(&mut self) {
        self.at += 1;
        if !self.at_word("component") {
            self.unexpected("`component` after `end`");
        }
        self.at += 1;
    }

    fn at_word(&self, word: &str) -> bool {
        self.word_at(self.at) == word
    }

    /// The identifier at a position; empty where there is none.
    fn word_at(&self, at: usize) -> &'t str {
        match self.tokens.get(at) {
            Some(token) if token.kind == TokenKind::Identifier => {
                self.text.get(token.span.range()).unwrap_or("")
            }
            _ => "",
        }
    }

    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    /// The tokens of a part, with an end that says what comes after it.
    fn part(&self, from: usize, to: usize) -> Vec<Token> {
        let mut tokens = self.tokens[from..to].to_vec();
        tokens.push(Token {
            kind: TokenKind::End,
            span: self.tokens[to].span,
        });
        tokens
    }

    fn unexpected(&mut self, expected: &str) {
        let tokens = self.part(
            self.at,
            self.at + usize::from(self.token().kind != TokenKind::End),
        );
        self.with_parser(&tokens, |parser, _| parser.unexpected(expected));
    }

    fn with_parser<T>(
        &mut self,
        tokens: &[Token],
        read: impl FnOnce(&mut Parser<'_>, &mut Processes) -> T,
    ) -> T {
        let mut parser = Parser::new(
            self.text,
            0,
            tokens,
            self.names,
            &mut self.script.exprs,
            &mut self.diagnostics,
        );
        read(&mut parser, &mut self.script.processes)
    }
}

/// Whether a word is `component`, perhaps with a slip in it.
fn is_component(word: &str) -> bool {
    nearest(word, ["component"]).is_some()
}

/// `a || b || …`
fn composition(parser: &mut Parser<'_>) -> Vec<Reference> {
    let mut parts = Vec::new();
    loop {
        match parser.expect(TokenKind::Identifier, "the name of a component") {
            Some(token) => parts.push(Reference {
                name: intern(parser, token.span),
                span: token.span,
            }),
            None => parser.skip_to(&[TokenKind::BarBar]),
        }
        if parser.eat(TokenKind::BarBar).is_none() {
            break;
        }
        if parser.diagnostics.len() >= MAX_FINDINGS {
            return parts;
        }
    }
    if parser.peek() != TokenKind::End {
        parser.unexpected("`||` and the name of a component, or `end component`");
    }
    parts
}

fn intern(parser: &mut Parser<'_>, span: Span) -> Name {
    let text = parser.text_of(span);
    parser.names.intern(text)
}
