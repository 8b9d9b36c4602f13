//! The names of a file of properties, for editors.
//!
//! The tokens are walked and not the tree, because the tree keeps texts without their places.
//! A word counts as what it would be in a property without mistakes.

use choros_base::{FileId, Span};
use choros_data::syntax::{EXPRESSIONS, Token, TokenKind, lex, unquote};
use choros_model::symbols::{Section, SymbolKind, Symbols};
use choros_syntax::Lexicon;

/// The words of `.prop` files.
pub static LEXICON: Lexicon = Lexicon {
    keywords: &[
        "property", "global", "on", "context", "with", "session", "id", "within", "messages", "ms",
        "s", "min", "h", "per", "expect", "never", "or", "any", "where", "when", "then", "and",
        "not", "in", "div", "mod", "if", "else",
    ],
    operators: &[],
    sorts: &[],
    ..EXPRESSIONS
};

/// The names in a text.
pub fn symbols(file: FileId, text: &str) -> Symbols {
    let mut walk = Walk {
        text,
        tokens: lex(file, text, 0).0,
        found: Symbols::default(),
    };
    let mut starts: Vec<usize> = Vec::new();
    for at in 0..walk.tokens.len() {
        if walk.word(at) == "property" && walk.is_name(at + 1) {
            starts.push(at);
        }
    }
    for (index, &start) in starts.iter().enumerate() {
        let end = match starts.get(index + 1) {
            // The word `global` belongs to what it begins.
            Some(&next) => next - usize::from(next > start + 1 && walk.word(next - 1) == "global"),
            None => walk.tokens.len() - 1,
        };
        walk.property(start, end);
    }
    walk.found.in_order()
}

struct Walk<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    found: Symbols,
}

impl<'t> Walk<'t> {
    fn kind(&self, at: usize) -> TokenKind {
        self.tokens.get(at).map_or(TokenKind::End, |it| it.kind)
    }

    fn span(&self, at: usize) -> Span {
        self.tokens[at.min(self.tokens.len() - 1)].span
    }

    fn text_at(&self, at: usize) -> &'t str {
        self.text.get(self.span(at).range()).unwrap_or_default()
    }

    fn word(&self, at: usize) -> &'t str {
        match self.kind(at) {
            TokenKind::Identifier => self.text_at(at),
            _ => "",
        }
    }

    fn is_name(&self, at: usize) -> bool {
        matches!(
            self.kind(at),
            TokenKind::Identifier | TokenKind::Integer | TokenKind::Text
        )
    }

    fn name(&self, at: usize) -> String {
        match self.kind(at) {
            TokenKind::Text => unquote(self.text_at(at)),
            _ => self.text_at(at).to_owned(),
        }
    }

    fn used(&mut self, kind: SymbolKind, at: usize) {
        if self.is_name(at) && self.word(at) != "any" {
            let (name, span) = (self.name(at), self.span(at));
            self.found.symbol(kind, &name, None).used(span);
        }
    }

    /// The tokens from `property` up to the next one.
    fn property(&mut self, start: usize, end: usize) {
        let is_global = start > 0 && self.word(start - 1) == "global";
        let whole = self
            .span(start)
            .to(self.span(end.saturating_sub(1).max(start)));
        let (name, name_span) = (self.name(start + 1), self.span(start + 1));
        self.found
            .symbol(SymbolKind::Question, &name, None)
            .declared(name_span);
        self.found.sections.push(Section {
            kind: SymbolKind::Question,
            name,
            word: if is_global {
                "global property"
            } else {
                "property"
            },
            span: whole,
            name_span,
            is_model: false,
        });
        let mut at = start + 2;
        if is_global {
            self.global(at, end);
            return;
        }
        if self.word(at) == "on" {
            self.used(SymbolKind::Role, at + 1);
            at += 2;
        }
        while at < end {
            if self.is_event(at) {
                at = self.event(at, end, whole);
            } else if self.word(at) == "where" {
                at = self.condition(at + 1, end, whole);
            } else {
                at += 1;
            }
        }
    }

    /// The names of local properties between braces.
    fn global(&mut self, from: usize, end: usize) {
        for at in from..end {
            if !["when", "then", "never"].contains(&self.word(at)) {
                self.used(SymbolKind::Question, at);
            }
        }
    }

    /// `name[name,`, which no expression looks like.
    fn is_event(&self, at: usize) -> bool {
        self.is_name(at)
            && self.kind(at + 1) == TokenKind::LeftBracket
            && self.is_name(at + 2)
            && self.kind(at + 3) == TokenKind::Comma
    }

    fn event(&mut self, at: usize, end: usize, scope: Span) -> usize {
        let message = self.name(at);
        self.used(SymbolKind::Message, at);
        self.used(SymbolKind::Role, at + 2);
        self.used(SymbolKind::Role, at + 4);
        let mut at = at + 5;
        while at < end && self.kind(at) == TokenKind::RightBracket
            || matches!(self.kind(at), TokenKind::Question | TokenKind::Exclamation)
        {
            at += 1;
        }
        if self.kind(at) != TokenKind::LeftParenthesis {
            return at;
        }
        at += 1;
        while at < end && self.kind(at) != TokenKind::RightParenthesis {
            let is_label = self.is_name(at) && self.kind(at + 1) == TokenKind::Equal;
            let begins = matches!(
                self.kind(at.saturating_sub(1)),
                TokenKind::LeftParenthesis | TokenKind::Comma
            );
            if is_label && begins {
                let (label, span) = (self.name(at), self.span(at));
                self.found.field(&message, &label).used(span);
            }
            if self.kind(at) == TokenKind::Equal && self.kind(at + 1) == TokenKind::Identifier {
                let (name, span) = (self.name(at + 1), self.span(at + 1));
                self.found
                    .symbol(SymbolKind::Variable, &name, Some(scope))
                    .declared(span);
                at += 1;
            }
            at += 1;
        }
        at
    }

    /// The words of an expression are variables, unless they belong to it or are called.
    fn condition(&mut self, from: usize, end: usize, scope: Span) -> usize {
        let mut at = from;
        while at < end && !self.is_event(at) && !CLAUSES.contains(&self.word(at)) {
            let word = self.word(at);
            let is_variable = !word.is_empty()
                && !EXPRESSION_WORDS.contains(&word)
                && self.kind(at + 1) != TokenKind::LeftParenthesis
                && self.kind(at.saturating_sub(1)) != TokenKind::Dot
                && !word.starts_with(char::is_uppercase);
            if is_variable {
                let span = self.span(at);
                self.found
                    .symbol(SymbolKind::Variable, word, Some(scope))
                    .used(span);
            }
            at += 1;
        }
        at
    }
}

/// Words that end a condition.
const CLAUSES: [&str; 6] = ["context", "with", "within", "per", "expect", "never"];

const EXPRESSION_WORDS: [&str; 11] = [
    "and", "or", "not", "in", "div", "mod", "if", "then", "else", "true", "false",
];
