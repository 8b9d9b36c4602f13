//! From tokens to the tree, whatever is wrong with them.

use choros_base::{Diagnostic, FileId, Names, Span};
use choros_syntax::Cursor;

use super::ast::{Branch, Expression, ExpressionKind, Guard, Program, Word};
use super::diagnostics::{
    MAX_FINDINGS, guards, macros, one_branch, too_deep, unclosed, unexpected,
};
use super::token::{Token, tokens};

/// Braces, parentheses and loops may nest so deeply; four levels of the tree belong to each.
const DEPTH_LIMIT: u32 = 120;

/// Reads a file as far as it goes; what is wrong is told, and reading continues after it.
pub fn parse(file: FileId, text: &str, names: &mut Names) -> (Program, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let (tokens, comments) = tokens(file, text, &mut diagnostics);
    let mut parser = Parser {
        cursor: Cursor::new(text, 0, tokens),
        depth: 0,
        names,
        diagnostics,
    };
    let mut choreography = match parser.peek() {
        Token::End => None,
        _ => Some(parser.fork(false)),
    };
    while parser.peek() != Token::End {
        // A closing brace too much, or two choreographies without an operator between them.
        parser.unexpected("the end, or `;`, `+` or `|` and what follows");
        parser.skip();
        if matches!(parser.peek(), Token::Close | Token::End) {
            parser.advance();
            continue;
        }
        parser.advance();
        if parser.peek() != Token::End {
            let more = parser.fork(false);
            if choreography.is_none() {
                choreography = Some(more);
            }
        }
    }
    let program = Program {
        choreography,
        comments,
    };
    // Signs and comments were examined first; people read from top to bottom.
    parser.diagnostics.sort_by_key(Diagnostic::primary);
    (program, parser.diagnostics)
}

struct Parser<'a> {
    cursor: Cursor<'a, Token>,
    depth: u32,
    names: &'a mut Names,
    diagnostics: Vec<Diagnostic>,
}

choros_syntax::reads!(Parser, Token, cursor);

impl Parser<'_> {
    fn unexpected(&mut self, expected: &str) {
        let (span, found) = (self.span(), self.text_here());
        let is_end = self.is_at_end();
        self.tell(unexpected::diagnostic(span, found, is_end, expected));
    }

    fn tell(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_FINDINGS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Goes on to the next operator or closing brace of this level.
    fn skip(&mut self) {
        let mut depth = 0;
        loop {
            match self.peek() {
                Token::End => return,
                Token::Open => depth += 1,
                Token::Close if depth == 0 => return,
                Token::Close => depth -= 1,
                Token::Semicolon | Token::Plus | Token::Bar if depth == 0 => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// `G | … | G`; in a block of branches, `+` ends it.
    fn fork(&mut self, in_branches: bool) -> Expression {
        let first = self.alternatives(in_branches);
        let mut rest = Vec::new();
        while self.eat(Token::Bar) {
            rest.push(self.alternatives(in_branches));
        }
        together(first, rest, ExpressionKind::Fork)
    }

    /// `G + … + G` outside of blocks.
    fn alternatives(&mut self, in_branches: bool) -> Expression {
        let first = self.sequence();
        if in_branches || self.peek() != Token::Plus {
            return first;
        }
        let mut rest = Vec::new();
        while self.eat(Token::Plus) {
            rest.push(self.sequence());
        }
        together(first, rest, |parts| ExpressionKind::Choice {
            decider: None,
            is_block: false,
            branches: parts
                .into_iter()
                .map(|body| Branch {
                    body,
                    unless: Vec::new(),
                })
                .collect(),
        })
    }

    /// `G ; … ; G`, perhaps with one `;` more.
    fn sequence(&mut self) -> Expression {
        let first = self.atom();
        let mut rest = Vec::new();
        while self.eat(Token::Semicolon) {
            let ends = matches!(
                self.peek(),
                Token::End | Token::Close | Token::Plus | Token::Bar
            );
            if ends || self.at_word("unless") {
                break;
            }
            rest.push(self.atom());
        }
        together(first, rest, ExpressionKind::Sequence)
    }

    fn atom(&mut self) -> Expression {
        let start = self.span();
        if self.depth >= DEPTH_LIMIT {
            self.tell_depth(start);
            self.skip();
            return nothing(start);
        }
        self.depth += 1;
        let atom = self.deeper(start);
        self.depth -= 1;
        atom
    }

    fn tell_depth(&mut self, span: Span) {
        // Once is enough: everything inside is too deep for the same reason.
        let code = too_deep::CODE.code;
        if !self.diagnostics.iter().any(|one| one.code.code == code) {
            self.diagnostics
                .push(too_deep::diagnostic(span, DEPTH_LIMIT));
        }
    }

    fn deeper(&mut self, start: Span) -> Expression {
        match self.peek() {
            Token::Empty => {
                self.advance();
                nothing(start)
            }
            Token::Open => {
                let open = self.advance().span;
                let inner = self.fork(false);
                let end = self.close(open);
                // Braces only group; the tree says the same without them.
                Expression {
                    span: start.to(end),
                    ..inner
                }
            }
            Token::Star => {
                self.advance();
                let body = self.atom();
                let controller = if self.eat(Token::At) {
                    self.word("the participant that decides")
                } else {
                    self.unexpected("`@` and the participant that decides");
                    None
                };
                self.repeat(start, controller, body, Vec::new())
            }
            Token::Word if self.at_word("sel") || self.at_word("branch") => {
                self.block_or_interaction(start, Parser::branches)
            }
            Token::Word if self.at_word("repeat") => {
                self.block_or_interaction(start, Parser::iteration)
            }
            Token::Word if self.is_macro() => {
                let word = self.text_of(start).to_owned();
                self.tell(macros::diagnostic(start, &word));
                self.skip();
                nothing(start)
            }
            Token::Word => self.interaction(start),
            _ => {
                self.unexpected(
                    "an interaction such as `A -> B : m`, `(o)`, `sel`, `repeat` or `{`",
                );
                self.skip();
                nothing(start)
            }
        }
    }

    /// `let X = …` and `do X[…]` are macros; `let -> B : m` is a participant with an unlucky name.
    fn is_macro(&self) -> bool {
        (self.at_word("let") || self.at_word("do")) && self.peek_second() == Token::Word
    }

    fn block_or_interaction(
        &mut self,
        start: Span,
        block: impl FnOnce(&mut Self, Span) -> Expression,
    ) -> Expression {
        match self.peek_second() {
            Token::Arrow | Token::Multicast => self.interaction(start),
            _ => {
                self.advance();
                block(self, start)
            }
        }
    }

    /// `[A] { G + … + G }`, after `sel`.
    fn branches(&mut self, start: Span) -> Expression {
        let decider = match self.peek() {
            Token::Word => self.word("the participant that decides"),
            _ => None,
        };
        if self.peek() != Token::Open {
            self.unexpected("`{` and the branches");
            self.skip();
            return nothing(start);
        }
        let open = self.advance().span;
        let mut branches = vec![self.branch()];
        while self.eat(Token::Plus) {
            branches.push(self.branch());
        }
        let end = self.close(open);
        let span = start.to(end);
        if branches.len() == 1 {
            self.tell(one_branch::diagnostic(start, span));
        }
        Expression {
            kind: ExpressionKind::Choice {
                decider,
                is_block: true,
                branches,
            },
            span,
        }
    }

    fn branch(&mut self) -> Branch {
        let body = self.fork(true);
        let unless = self.guards();
        Branch { body, unless }
    }

    /// `[A] { G }`, or the thesis' `repeat G`, after `repeat`.
    fn iteration(&mut self, start: Span) -> Expression {
        let names_controller = self.peek() == Token::Word && self.peek_second() == Token::Open;
        let controller = if names_controller {
            self.word("the participant that decides")
        } else {
            None
        };
        if self.peek() != Token::Open {
            let body = self.atom();
            return self.repeat(start, controller, body, Vec::new());
        }
        let open = self.advance().span;
        let body = self.fork(false);
        let unless = self.guards();
        let end = self.close(open);
        let mut whole = self.repeat(start, controller, body, unless);
        whole.span = start.to(end);
        whole
    }

    fn repeat(
        &mut self,
        start: Span,
        controller: Option<Word>,
        body: Expression,
        unless: Vec<Guard>,
    ) -> Expression {
        let end = controller.map_or(body.span, |word| word.span);
        Expression {
            span: start.to(body.span).to(end),
            kind: ExpressionKind::Repeat {
                controller,
                body: Box::new(Branch { body, unless }),
            },
        }
    }

    /// `unless A % guard, …`, if there is one.
    fn guards(&mut self) -> Vec<Guard> {
        let mut found = Vec::new();
        if !self.at_word("unless") {
            return found;
        }
        let start = self.advance().span;
        while let Some(participant) = self.word("a participant") {
            if !self.eat(Token::Percent) {
                self.unexpected("`%` and a guard");
                break;
            }
            let Some(text) = self.word("a guard") else {
                break;
            };
            found.push(Guard { participant, text });
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.tell(guards::diagnostic(start));
        found
    }

    fn close(&mut self, open: Span) -> Span {
        if self.peek() != Token::Close {
            match self.peek() {
                Token::End => {}
                _ => {
                    self.unexpected("`;`, `+`, `|` or the closing brace");
                    while self.peek() != Token::Close && self.peek() != Token::End {
                        self.skip();
                        if !matches!(self.peek(), Token::Close | Token::End) {
                            self.advance();
                        }
                    }
                }
            }
        }
        match self.peek() {
            Token::Close => self.advance().span,
            _ => {
                let (sign, end) = (self.text_of(open), self.span());
                self.tell(unclosed::diagnostic(open, sign, end));
                self.span()
            }
        }
    }

    fn interaction(&mut self, start: Span) -> Expression {
        let Some(from) = self.participant() else {
            self.skip();
            return nothing(start);
        };
        let is_multicast = match self.peek() {
            Token::Arrow => false,
            Token::Multicast => true,
            _ => {
                self.unexpected("`->` and a receiver");
                self.skip();
                return nothing(start);
            }
        };
        self.advance();
        let mut to = Vec::new();
        while let Some(word) = self.participant() {
            to.push(word);
            if is_multicast {
                self.eat(Token::Comma);
            }
            if !(is_multicast && self.peek() == Token::Word) {
                break;
            }
        }
        if to.is_empty() {
            self.skip();
            return nothing(start);
        }
        if !self.eat(Token::Colon) {
            self.unexpected("`:` and a message");
            self.skip();
            return nothing(start);
        }
        let Some(message) = self.word("a message") else {
            self.skip();
            return nothing(start);
        };
        Expression {
            kind: ExpressionKind::Interaction {
                from,
                to,
                is_multicast,
                message,
            },
            span: start.to(message.span),
        }
    }

    /// A name that starts with a letter.
    fn participant(&mut self) -> Option<Word> {
        let word = self.word("a participant")?;
        let starts = self.text_of(word.span).chars().next();
        if !starts.is_some_and(char::is_alphabetic) {
            let text = self.text_of(word.span).to_owned();
            self.tell(unexpected::no_participant(word.span, &text));
        }
        Some(word)
    }

    fn word(&mut self, expected: &str) -> Option<Word> {
        if self.peek() != Token::Word {
            self.unexpected(expected);
            return None;
        }
        let span = self.advance().span;
        let text = self.text_of(span);
        let name = self.names.intern(text);
        Some(Word { name, span })
    }
}

fn nothing(span: Span) -> Expression {
    Expression {
        kind: ExpressionKind::Empty,
        span,
    }
}

/// One part stands for itself; several make a whole.
fn together(
    first: Expression,
    mut rest: Vec<Expression>,
    whole: impl FnOnce(Vec<Expression>) -> ExpressionKind,
) -> Expression {
    let Some(last) = rest.last() else {
        return first;
    };
    let span = first.span.to(last.span);
    rest.insert(0, first);
    Expression {
        kind: whole(rest),
        span,
    }
}
