//! The names of a file of formulas or of rules, for editors.
//!
//! The tokens are walked and not the tree, because the tree keeps names without their places.

use std::ops::Range;

use choros_base::{FileId, Span};
use choros_model::symbols::{Section, SymbolKind, Symbols};
use choros_syntax::Lexicon;

use crate::socl::token::{COMMENTS, Token, TokenKind, tokens};

/// The words of `.socl` files.
pub static LEXICON: Lexicon = Lexicon {
    comments: COMMENTS,
    keywords: &[
        "rules",
        "from",
        "group",
        "using",
        "model",
        "none",
        "pattern",
        "Action",
        "State",
        "not",
        "and",
        "or",
        "implies",
        "tau",
        "A",
        "E",
        "U",
        "W",
        "AG",
        "EG",
        "AF",
        "EF",
        "AX",
        "EX",
        "AF_",
        "EF_",
        "AX_",
        "EX_",
        "always",
        "never",
        "eventually",
        "after",
        "before",
        "between",
        "until",
        "then",
        "most",
        "once",
        "twice",
        "times",
        "where",
        "at",
        "forall",
        "knows",
        "assume",
        "fair",
    ],
    values: &["true", "false", "tt", "ff"],
    sigils: &['$', '%'],
    ..Lexicon::EMPTY
};

/// The words of `.abs` files.
pub static RULES_LEXICON: Lexicon = Lexicon {
    comments: COMMENTS,
    keywords: &["Action", "State", "Abstractions"],
    sigils: &['$'],
    ..Lexicon::EMPTY
};

/// The names in a file of formulas.
pub fn symbols(file: FileId, text: &str) -> Symbols {
    let mut walk = Walk::new(file, text, 0..text.len());
    while !walk.is_at_end() {
        walk.item();
    }
    walk.found.in_order()
}

/// The names in a part of a text that holds rules.
pub fn rule_symbols(file: FileId, text: &str, range: Range<usize>) -> Symbols {
    let mut walk = Walk::new(file, text, range);
    while !walk.is_at_end() {
        walk.rule();
    }
    walk.found.in_order()
}

struct Walk<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    found: Symbols,
}

impl<'t> Walk<'t> {
    fn new(file: FileId, text: &'t str, range: Range<usize>) -> Self {
        Walk {
            tokens: tokens(file, text, range),
            at: 0,
            found: Symbols::default(),
        }
    }

    fn ahead(&self, count: usize) -> Token<'t> {
        self.tokens[(self.at + count).min(self.tokens.len() - 1)]
    }

    fn is_at_end(&self) -> bool {
        self.ahead(0).kind == TokenKind::End
    }

    fn is_sign(&self, count: usize, sign: char) -> bool {
        self.ahead(count).kind == TokenKind::Sign(sign)
    }

    fn is_word(&self, count: usize, word: &str) -> bool {
        let token = self.ahead(count);
        token.kind == TokenKind::Word && token.text == word
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.ahead(0);
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn item(&mut self) {
        let is_question = self.is_sign(1, ':');
        if self.is_word(0, "rules") && !is_question {
            self.next();
            let name = self.next();
            self.found
                .symbol(SymbolKind::Rules, name.text, None)
                .declared(name.span);
            let start = name.span;
            if self.is_sign(0, '{') {
                self.next();
                while !self.is_at_end() && !self.is_sign(0, '}') {
                    self.rule();
                }
            }
            self.section(
                SymbolKind::Rules,
                "rules",
                name,
                start.to(self.ahead(0).span),
            );
        } else if self.is_word(0, "using") {
            self.next();
            while !self.is_at_end() && !self.is_sign(0, '{') {
                let token = self.next();
                if token.kind == TokenKind::Word && !["model", "none"].contains(&token.text) {
                    self.found
                        .symbol(SymbolKind::Rules, token.text, None)
                        .used(token.span);
                }
            }
        } else if (self.is_word(0, "pattern") && !is_question)
            || (self.is_word(0, "assume") && self.is_word(1, "fair"))
        {
            // `single-response:charge` is not a formula called `response`.
            while !self.is_at_end() && !self.is_sign(0, ';') && !self.is_sign(0, '}') {
                self.next();
            }
        } else if matches!(self.ahead(0).kind, TokenKind::Word | TokenKind::Quoted) && is_question {
            self.formula();
        } else {
            self.next();
        }
    }

    /// `name: formula;`
    fn formula(&mut self) {
        let name = self.next();
        let mut end = self.at;
        let mut open = 0usize;
        while self.tokens[end].kind != TokenKind::End {
            match self.tokens[end].kind {
                TokenKind::Sign(';') if open == 0 => break,
                TokenKind::Sign('}') if open == 0 => break,
                TokenKind::Sign('{') => open += 1,
                TokenKind::Sign('}') => open -= 1,
                _ => {}
            }
            end += 1;
        }
        let whole = name.span.to(self.tokens[end.saturating_sub(1)].span);
        self.found
            .symbol(SymbolKind::Question, name.text, None)
            .declared(name.span);
        self.section(SymbolKind::Question, "formula", name, whole);
        while self.at < end {
            let token = self.next();
            self.variable(token, whole);
        }
    }

    /// `$id` binds where nothing has before, `%id` uses.
    fn variable(&mut self, token: Token<'t>, scope: Span) {
        if !matches!(token.kind, TokenKind::Dollar | TokenKind::Percent) || token.text.is_empty() {
            return;
        }
        let symbol = self
            .found
            .symbol(SymbolKind::Variable, token.text, Some(scope));
        let span = inner(token);
        if symbol.places.is_empty() {
            symbol.declared(span)
        } else {
            symbol.used(span)
        };
    }

    /// `Action partner.operation<…> -> kind(…)`, or `Action operation[from,to]<…> -> kind(…)`.
    fn rule(&mut self) {
        let is_subject = self.is_word(0, "Action") || self.is_word(0, "State");
        if !is_subject {
            self.next();
            return;
        }
        let start = self.next().span;
        let mut end = self.at;
        while !self.ends_rule(end) {
            end += 1;
        }
        let scope = start.to(self.tokens[end.saturating_sub(1)].span);
        if self.is_sign(1, '.') {
            self.used(SymbolKind::Role, 0);
            self.used(SymbolKind::Message, 2);
        } else if self.is_sign(1, '[') {
            self.used(SymbolKind::Message, 0);
            self.used(SymbolKind::Role, 2);
            self.used(SymbolKind::Role, 4);
        } else {
            self.used(SymbolKind::Message, 0);
        }
        while self.at < end {
            let token = self.next();
            self.variable(token, scope);
        }
    }

    /// Whether a rule that began before this token is over here.
    fn ends_rule(&self, at: usize) -> bool {
        let token = self.tokens[at];
        match token.kind {
            TokenKind::End | TokenKind::Sign('}' | ';') => true,
            TokenKind::Word => ["Action", "State"].contains(&token.text),
            _ => false,
        }
    }

    fn used(&mut self, kind: SymbolKind, count: usize) {
        let token = self.ahead(count);
        if matches!(token.kind, TokenKind::Word | TokenKind::Quoted) && !token.text.is_empty() {
            self.found.symbol(kind, token.text, None).used(token.span);
        }
    }

    fn section(&mut self, kind: SymbolKind, word: &'static str, name: Token<'t>, span: Span) {
        self.found.sections.push(Section {
            kind,
            name: name.text.to_owned(),
            word,
            span,
            name_span: name.span,
            is_model: false,
        });
    }
}

/// The name without the sign before it.
fn inner(token: Token<'_>) -> Span {
    let span = token.span;
    let end = span.range().end as u32;
    Span::new(span.file(), end - token.text.len() as u32, end)
}
