//! Suggestions for what people write who know other languages.

use choros_base::{Span, nearest};
use choros_data::syntax::{TokenKind, is_identifier};

use super::Reader;
use crate::ast::Reference;

/// Words of other languages, and what they are called here.
const SYNONYMS: [(&str, &str); 9] = [
    ("alt", "choice"),
    ("elif", "else if"),
    ("elseif", "else if"),
    ("elsif", "else if"),
    ("global", "choreography"),
    ("opt", "if"),
    ("parallel", "par"),
    ("protocol", "choreography"),
    ("rec", "loop"),
];

impl Reader<'_> {
    /// Reports the next token, and a word that it may have been meant to be.
    pub(super) fn unexpected_word(&mut self, expected: &str, words: &[&'static str]) {
        let span = self.parser.token().span;
        let word = self.word();
        let similar = nearest(word, words.iter().copied());
        let synonym = SYNONYMS.iter().find(|(foreign, _)| *foreign == word);
        let is_comment = self.parser.text_of(span) == "#";
        self.parser.unexpected(expected);
        match (similar, synonym) {
            _ if is_comment => self.advise("a comment begins with `//`", span, "//"),
            (Some(similar), _) => self.advise("a similar word exists", span, similar),
            (None, Some((_, own))) => self.advise(&format!("it is called `{own}` here"), span, own),
            (None, None) => {}
        }
    }

    /// `choice bank {` for `choice at bank {`: the role, as if `at` were there.
    pub(super) fn claim_without_at(&mut self) -> Option<Reference> {
        let is_role = self.parser.peek() == TokenKind::Identifier
            && self.parser.peek_second() == TokenKind::LeftBrace;
        if !is_role {
            return None;
        }
        let span = self.parser.token().span;
        let corrected = format!("at {}", self.word());
        self.parser
            .unexpected("`{`, or `at` and the role that decides");
        self.advise("write `at` before the role that decides", span, &corrected);
        self.reference("the role that decides")
    }

    /// `if x > 0 at order {`: data decide, and every role that knows them.
    pub(super) fn decider_after_condition(&mut self) {
        if self.word() != "at" || self.parser.peek_second() != TokenKind::Identifier {
            return;
        }
        let start = self.parser.token().span;
        self.parser.unexpected("`{` after the condition");
        self.parser.advance();
        self.parser.advance();
        let claim = start.to(self.parser.previous_span());
        let message =
            "leave it out: the data decide, and the role that sends next has to know them";
        self.advise(message, claim, "");
    }

    /// `if x > 0 then {`: the word is read as if it were not there.
    pub(super) fn then_after_condition(&mut self) {
        if self.word() != "then" {
            return;
        }
        let span = self.parser.token().span;
        self.parser.unexpected("`{` after the condition");
        self.parser.advance();
        self.advise("leave the word out", span, "");
    }

    /// `choreography Shop(buyer, vendor)` for `choreography Shop[buyer, vendor]`: the roles, as if in brackets.
    pub(super) fn roles_in_parentheses(&mut self) -> Vec<Reference> {
        let start = self.parser.token().span;
        let mut roles = Vec::new();
        let mut texts = Vec::new();
        self.parser.advance();
        while self.parser.peek() == TokenKind::Identifier {
            texts.push(self.word().to_owned());
            roles.extend(self.reference("a role"));
            if self.parser.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        if self.parser.eat(TokenKind::RightParenthesis).is_none() {
            // Parameters, and no roles.
            self.parser.skip_to(&[TokenKind::LeftBrace]);
            return Vec::new();
        }
        let written = start.to(self.parser.previous_span());
        let corrected = format!("[{}]", texts.join(", "));
        self.advise("roles go in brackets", written, &corrected);
        roles
    }

    /// `} | {`, or another word, for `} and {` or `} or {`: it is read as the word.
    pub(super) fn eat_bar(&mut self, word: &'static str) -> bool {
        let span = self.parser.token().span;
        let is_bar = match self.parser.text_of(span) {
            "|" | "||" | "+" => true,
            "and" | "or" | "else" => self.parser.peek_second() == TokenKind::LeftBrace,
            _ => false,
        };
        if is_bar {
            self.parser
                .unexpected(&format!("`{word}` and the next block, or a new statement"));
            self.advise(&format!("these blocks are joined by `{word}`"), span, word);
            self.parser.advance();
        }
        is_bar
    }

    /// The name of a message; people put it in quotes.
    pub(super) fn message_name(&mut self) -> Option<Reference> {
        let span = self.parser.token().span;
        let text = self.parser.text_of(span).trim_matches('"').to_owned();
        let is_quoted = text.len() + 2 == self.parser.text_of(span).len();
        let name = self.reference("the name of the message");
        if name.is_none() && is_quoted && is_identifier(&text) {
            self.advise("a message has a plain name", span, &text);
        }
        name
    }

    /// `repeat 3 {`: rounds are not counted by a number.
    pub(super) fn count_of_rounds(&mut self) {
        let span = self.parser.token().span;
        let text = self.parser.text_of(span);
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return;
        }
        self.parser
            .unexpected("`{`: `repeat` is for any number of rounds");
        let message = "leave the number out, or count with a variable and `while`";
        self.advise(message, span, "");
        self.parser.advance();
    }

    /// Whether `a --> b`, `a => b` or the like comes.
    pub(super) fn at_wrong_arrow(&self) -> bool {
        matches!(
            self.parser.peek_second(),
            TokenKind::Minus | TokenKind::DoubleArrow
        )
    }

    /// `-->`, `=>` and the like, after the role that sends.
    pub(super) fn wrong_arrow(&mut self) {
        const SIGNS: [&str; 6] = ["-", "->", ">", "=", ">=", "=>"];
        let start = self.parser.token().span;
        self.parser.unexpected("`->` and the role that receives");
        while SIGNS.contains(&self.parser.text_of(self.parser.token().span)) {
            self.parser.advance();
        }
        if self.parser.peek() == TokenKind::Identifier {
            let arrow = start.to(self.parser.previous_span());
            self.advise("the arrow is `->`", arrow, "->");
        }
    }

    /// Adds a remark to what was reported last.
    pub(super) fn note_last(&mut self, note: &str) {
        if let Some(finding) = self.parser.diagnostics.pop() {
            self.parser.diagnostics.push(finding.note(note));
        }
    }

    /// Adds a suggestion to what was reported last.
    pub(super) fn advise(&mut self, message: &str, span: Span, replacement: &str) {
        if let Some(finding) = self.parser.diagnostics.pop() {
            let finding = finding.suggest(message, span, replacement);
            self.parser.diagnostics.push(finding);
        }
    }
}
