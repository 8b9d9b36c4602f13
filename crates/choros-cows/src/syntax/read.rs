//! From text to a specification.
//!
//! Recursive descent with recovery: a mistake in a term costs that term, a mistake in a definition at most that
//! definition.

use std::sync::Arc;

use choros_base::{Diagnostic, FileId, Span};
use choros_syntax::{Comment, Cursor};

use super::ast::{
    Abstractions, Binder, Definition, Endpoint, Identifier, Specification, Term, TermKind,
};
use super::token::{TokenKind, lex};
use crate::diagnostics::{MAX_FINDINGS, nested_too_deeply, unexpected_token, unknown_character};

/// How deep terms may nest.
///
/// A level costs up to four calls here and in everything that walks over terms; 200 levels fit into the smallest
/// stack that threads get, in debug builds too.
pub const DEPTH_LIMIT: u32 = 200;

/// Reads a specification; what does not parse is reported and left out.
pub fn parse(file: FileId, text: &str) -> (Specification, Vec<Diagnostic>) {
    let (tokens, comments) = lex(file, text);
    let mut reader = Reader {
        cursor: Cursor::new(text, 0, tokens),
        depth: 0,
        diagnostics: Vec::new(),
    };
    let mut specification = reader.specification();
    let inside_rules = |comment: &Comment| {
        let rules = specification.abstractions.as_ref();
        rules.is_some_and(|rules| rules.span.range().contains(&comment.span.range().start))
    };
    let (_, outside): (Vec<_>, Vec<_>) = comments.into_iter().partition(inside_rules);
    specification.comments = outside;
    let mut diagnostics = reader.diagnostics;
    // Where the text ends too early, each open construct misses something at the same place.
    diagnostics.dedup_by(|next, first| {
        next.code.code == first.code.code && next.primary() == first.primary()
    });
    diagnostics.truncate(MAX_FINDINGS);
    (specification, diagnostics)
}

struct Reader<'t> {
    cursor: Cursor<'t, TokenKind>,
    depth: u32,
    diagnostics: Vec<Diagnostic>,
}

/// Words that are not identifiers.
pub(super) const KEYWORDS: [&str; 6] = ["let", "in", "end", "nil", "kill", "Abstractions"];

choros_syntax::reads!(Reader, TokenKind, cursor);

impl Reader<'_> {
    fn specification(&mut self) -> Specification {
        let mut specification = Specification::default();
        if self.eat_word("let") {
            while self.at_definition() {
                if let Some(definition) = self.definition() {
                    specification.definitions.push(definition);
                }
                while self.eat(TokenKind::Semicolon) {}
            }
            if !self.eat_word("in") {
                self.complain("a definition or `in`");
                self.skip_until(|reader| {
                    ["in", "end", "Abstractions"].contains(&reader.word())
                        || reader.peek() == TokenKind::End
                });
                self.eat_word("in");
            }
        }
        if self.peek() == TokenKind::End || self.word() == "Abstractions" {
            self.complain("a term");
        } else {
            specification.main = Some(self.parallel());
        }
        self.eat_word("end");
        if self.word() != "Abstractions" && self.peek() != TokenKind::End {
            self.complain("`|`, `end`, `Abstractions` or the end of the file");
            self.skip_until(|reader| {
                reader.word() == "Abstractions" || reader.peek() == TokenKind::End
            });
        }
        if self.word() == "Abstractions" {
            specification.abstractions = self.abstractions();
            if self.peek() != TokenKind::End {
                self.complain("the end of the file");
            }
        }
        specification
    }

    /// A word, then `=` at once or after parameters: no term looks like that.
    fn at_definition(&self) -> bool {
        if self.peek() != TokenKind::Word || self.word() == "in" {
            return false;
        }
        let mut next = 1;
        if self.ahead(next).kind == TokenKind::OpenParenthesis {
            next += 1;
            while matches!(
                self.ahead(next).kind,
                TokenKind::Word | TokenKind::Number | TokenKind::Comma
            ) {
                next += 1;
            }
            if self.ahead(next).kind != TokenKind::CloseParenthesis {
                return false;
            }
            next += 1;
        }
        self.ahead(next).kind == TokenKind::Equals
    }

    fn definition(&mut self) -> Option<Definition> {
        let name = self.identifier("a name for the definition (a keyword is not a name)");
        if name.is_none() {
            // The rest is read as if it had a name.
            self.advance();
        }
        let parameters = match self.peek() {
            TokenKind::OpenParenthesis => self.arguments("a parameter"),
            _ => Vec::new(),
        };
        self.expect(TokenKind::Equals, "`=`");
        let body = self.parallel();
        Some(Definition {
            name: name?,
            parameters,
            body,
        })
    }

    fn abstractions(&mut self) -> Option<Abstractions> {
        self.advance();
        let open = self.token().span;
        if !self.expect(TokenKind::OpenBrace, "`{`") {
            self.skip_until(|_| false);
            return None;
        }
        let mut open_braces = 1;
        while self.peek() != TokenKind::End {
            match self.peek() {
                TokenKind::OpenBrace => open_braces += 1,
                TokenKind::CloseBrace => open_braces -= 1,
                _ => {}
            }
            if open_braces == 0 {
                break;
            }
            self.advance();
        }
        let (start, end) = (open.range().end, self.token().span.range().start);
        let span = Span::new(open.file(), start as u32, end as u32);
        self.expect(TokenKind::CloseBrace, "`}` after the rules");
        Some(Abstractions {
            span,
            text: self.text_of(span).into(),
        })
    }

    fn parallel(&mut self) -> Term {
        self.chain(TokenKind::Bar, Self::choice, TermKind::Parallel)
    }

    fn choice(&mut self) -> Term {
        self.chain(TokenKind::Plus, Self::unary, TermKind::Choice)
    }

    fn chain(
        &mut self,
        sign: TokenKind,
        operand: fn(&mut Self) -> Term,
        together: fn(Vec<Term>) -> TermKind,
    ) -> Term {
        let first = operand(self);
        if self.peek() != sign {
            return first;
        }
        let mut operands = vec![first];
        while self.eat(sign) {
            operands.push(operand(self));
        }
        let span = match (operands.first(), operands.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => self.token().span,
        };
        Term {
            kind: together(operands),
            span,
        }
    }

    fn unary(&mut self) -> Term {
        let start = self.token().span;
        if self.depth >= DEPTH_LIMIT {
            // One report is enough: everything inside fails for the same reason.
            let code = nested_too_deeply::CODE.code;
            if !self.diagnostics.iter().any(|one| one.code.code == code) {
                let finding = nested_too_deeply::in_text(start, DEPTH_LIMIT);
                self.diagnostics.push(finding);
            }
            self.skip_until(|_| false);
            return Term {
                kind: TermKind::Error,
                span: start,
            };
        }
        self.depth += 1;
        let kind = self.unary_kind();
        self.depth -= 1;
        let span = start.to(self.previous_span());
        match kind {
            // Parentheses leave no trace but in the place.
            Ok(term) => Term { span, ..term },
            Err(kind) => Term { kind, span },
        }
    }

    /// A parenthesised term, or what another one is.
    fn unary_kind(&mut self) -> Result<Term, TermKind> {
        match self.peek() {
            TokenKind::Star => {
                self.advance();
                Err(TermKind::Replication(Box::new(self.unary())))
            }
            TokenKind::OpenBracket => {
                let binders = self.binders();
                Err(TermKind::Delimitation(binders, Box::new(self.unary())))
            }
            TokenKind::OpenBrace => {
                self.advance();
                let body = self.parallel();
                self.close(TokenKind::CloseBrace, "`|`, `+` or `}`");
                Err(TermKind::Protection(Box::new(body)))
            }
            TokenKind::OpenParenthesis => {
                self.advance();
                let body = self.parallel();
                self.close(TokenKind::CloseParenthesis, "`|`, `+` or `)`");
                Ok(body)
            }
            TokenKind::Number if self.text_here() == "0" => {
                self.advance();
                Err(TermKind::Nil)
            }
            TokenKind::Word => Err(self.worded()),
            _ => {
                self.complain("a term");
                self.skip_until(|reader| {
                    matches!(
                        reader.peek(),
                        TokenKind::Bar
                            | TokenKind::Plus
                            | TokenKind::CloseBrace
                            | TokenKind::CloseParenthesis
                            | TokenKind::End
                    ) || ["in", "end", "Abstractions"].contains(&reader.word())
                        || reader.at_definition()
                });
                Err(TermKind::Error)
            }
        }
    }

    fn worded(&mut self) -> TermKind {
        match self.word() {
            "nil" => {
                self.advance();
                TermKind::Nil
            }
            "kill" => {
                self.advance();
                self.expect(TokenKind::OpenParenthesis, "`(`");
                let label = self.identifier("a killer label");
                self.close(TokenKind::CloseParenthesis, "`)`");
                label.map_or(TermKind::Error, TermKind::Kill)
            }
            "let" | "in" | "end" | "Abstractions" => {
                self.complain("a term");
                TermKind::Error
            }
            _ => {
                let Some(word) = self.identifier("a term") else {
                    return TermKind::Error;
                };
                match self.peek() {
                    TokenKind::Dot => {
                        self.advance();
                        self.activity(word)
                    }
                    TokenKind::OpenParenthesis => {
                        let arguments = self.arguments("an argument");
                        TermKind::Call(word, arguments)
                    }
                    _ => TermKind::Call(word, Vec::new()),
                }
            }
        }
    }

    /// What comes after `partner.`.
    fn activity(&mut self, partner: Identifier) -> TermKind {
        // After the full stop keywords are ordinary words: `assistance.end` is an endpoint of the paper's.
        if self.peek() != TokenKind::Word {
            self.complain("an operation");
            return TermKind::Error;
        }
        let operation = self.take_word();
        let is_receive = match self.peek() {
            TokenKind::Question => true,
            TokenKind::Bang => false,
            _ => {
                self.complain("`!` or `?`");
                return TermKind::Error;
            }
        };
        self.advance();
        let endpoint = Endpoint {
            partner,
            operation,
            tuple: self.tuple(),
        };
        if !is_receive {
            return TermKind::Invoke(endpoint);
        }
        let continuation = self.eat(TokenKind::Dot).then(|| Box::new(self.unary()));
        TermKind::Receive(endpoint, continuation)
    }

    fn tuple(&mut self) -> Vec<Identifier> {
        if !self.expect(TokenKind::Less, "`<`") {
            return Vec::new();
        }
        self.list(TokenKind::Greater, "a value or variable", "`,` or `>`")
    }

    fn arguments(&mut self, what: &str) -> Vec<Identifier> {
        self.advance();
        self.list(TokenKind::CloseParenthesis, what, "`,` or `)`")
    }

    fn list(&mut self, close: TokenKind, what: &str, behind: &str) -> Vec<Identifier> {
        let mut found = Vec::new();
        if self.eat(close) {
            return found;
        }
        loop {
            match self.peek() {
                TokenKind::Number => {
                    let span = self.token().span;
                    let text: Arc<str> = self.text_here().into();
                    self.advance();
                    found.push(Identifier { text, span });
                }
                _ => match self.identifier(what) {
                    Some(identifier) => found.push(identifier),
                    None => break,
                },
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(close, behind);
        found
    }

    fn binders(&mut self) -> Vec<Binder> {
        self.advance();
        let mut binders = Vec::new();
        while let Some(identifier) =
            self.identifier("a variable, a name with `#` or a killer label")
        {
            let is_name = self.eat(TokenKind::Hash);
            binders.push(Binder {
                identifier,
                is_name,
            });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::CloseBracket, "`#`, `,` or `]`");
        binders
    }

    fn identifier(&mut self, expected: &str) -> Option<Identifier> {
        if self.peek() != TokenKind::Word || KEYWORDS.contains(&self.word()) {
            self.complain(expected);
            return None;
        }
        Some(self.take_word())
    }

    fn take_word(&mut self) -> Identifier {
        let identifier = Identifier {
            text: self.text_here().into(),
            span: self.token().span,
        };
        self.advance();
        identifier
    }

    fn expect(&mut self, kind: TokenKind, words: &str) -> bool {
        let is_there = self.eat(kind);
        if !is_there {
            self.complain(words);
        }
        is_there
    }

    /// Expects a closing sign; what stands before one within this construct is reported once and skipped.
    fn close(&mut self, kind: TokenKind, words: &str) {
        if self.expect(kind, words) {
            return;
        }
        let start = self.position();
        let mut open = 0_i32;
        loop {
            match self.peek() {
                found if found == kind && open == 0 => {
                    self.advance();
                    return;
                }
                TokenKind::OpenBrace | TokenKind::OpenParenthesis | TokenKind::OpenBracket => {
                    open += 1;
                }
                TokenKind::CloseBrace | TokenKind::CloseParenthesis | TokenKind::CloseBracket
                    if open > 0 =>
                {
                    open -= 1;
                }
                // The sign was forgotten: continue as if it were there.
                TokenKind::CloseBrace
                | TokenKind::CloseParenthesis
                | TokenKind::CloseBracket
                | TokenKind::Bar
                | TokenKind::Plus
                | TokenKind::End
                    if open <= 0 =>
                {
                    return;
                }
                _ => {}
            }
            if self.peek() == TokenKind::End
                || ["in", "end", "Abstractions"].contains(&self.word())
                || self.at_definition()
            {
                // Nothing closes it: forget the search.
                self.go_to(start);
                return;
            }
            self.advance();
        }
    }

    fn skip_until(&mut self, is_enough: impl Fn(&Self) -> bool) {
        while !self.is_at_end() && !is_enough(self) {
            self.advance();
        }
    }

    fn complain(&mut self, expected: &str) {
        // After what was too deep to be read, nothing is as it should be.
        let too_deep = nested_too_deeply::CODE.code;
        if self.diagnostics.iter().any(|one| one.code.code == too_deep) {
            return;
        }
        let token = self.token();
        let finding = match token.kind {
            TokenKind::Other => unknown_character::diagnostic(token.span, self.text_here()),
            _ => unexpected_token::diagnostic(token.span, self.text_here(), expected),
        };
        // One complaint per place: what follows from a mistake is none of its own.
        if self.diagnostics.last().and_then(Diagnostic::primary) != finding.primary() {
            self.diagnostics.push(finding);
        }
    }
}
