//! Sentences: the patterns of Dwyer, Avrunin and Corbett with their scopes, in words.
//!
//! A sentence is about all runs.
//! It is read into this form, which says what stands where, and then put into the operators of SocL
//! (`translate.rs`), so that no engine knows it.

use choros_base::{Name, Span};

use super::cursor::{Failed, Parsed};
use super::diagnostics::nested_too_deeply;
use super::formula::{Actions, NodeId, Variable};
use super::parse::{KEYWORDS, Parser, Position};
use super::token::TokenKind;
use super::translate::translate;

/// Words that begin a sentence if something follows that it can be about.
pub(crate) const SENTENCE_WORDS: &[&str] = &[
    "always",
    "never",
    "eventually",
    "after",
    "before",
    "between",
];

/// The other words of sentences.
pub(crate) const INNER_WORDS: &[&str] = &["until", "then", "most", "once", "twice", "times"];

/// What is said, and of which parts of a run.
pub(super) struct Sentence {
    /// What opens the part: after each of these in turn. Without any it is open from the start.
    pub(super) opening: Vec<Event>,
    pub(super) end: Option<End>,
    pub(super) body: Body,
    /// The variables that the sentence introduces.
    pub(super) variables: Vec<(Name, Variable)>,
    pub(super) span: Span,
}

/// What closes the part.
pub(super) struct End {
    pub(super) event: Event,
    /// Whether the part also counts if this never comes: `until`.
    pub(super) weak: bool,
}

/// Steps that a sentence is about.
#[derive(Clone)]
pub(super) struct Event {
    pub(super) actions: Actions,
    pub(super) span: Span,
}

/// What is said of a part of a run.
pub(super) enum Body {
    /// `never P`.
    Never(Event),
    /// `never P before S then …`.
    NeverBefore(Event, Vec<Event>),
    /// `eventually P then …`.
    Eventually(Vec<Event>),
    /// `at most 2 times P`.
    AtMost(usize, Event),
    /// `always φ`.
    Always(NodeId),
    /// `always after S eventually P then …`, in a part.
    Response(Event, Vec<Event>),
}

/// More is written as a formula.
const MAX_COUNT: usize = 20;

/// Chains have no more events.
const MAX_CHAIN: usize = 10;

/// A sentence is a formula that nests so deep at most, which counts where sentences are parts of formulas.
const LEVELS: usize = 45;

impl Parser<'_, '_, '_> {
    /// Whether a sentence begins here.
    fn at_sentence(&self) -> bool {
        let token = self.cursor.piece();
        if token.kind != TokenKind::Word {
            return false;
        }
        let second = self.cursor.peek_second();
        if token.text == "at" {
            let counts = |word: &str| {
                ["once", "twice"].contains(&word) || word.bytes().all(|it| it.is_ascii_digit())
            };
            let third = self.cursor.word_ahead(2);
            return second == TokenKind::Word
                && self.cursor.word_ahead(1) == "most"
                && !third.is_empty()
                && counts(third);
        }
        if !SENTENCE_WORDS.contains(&token.text) {
            return false;
        }
        match second {
            TokenKind::Word => {
                let next = self.cursor.word_ahead(1);
                !["and", "or", "implies", "U", "W"].contains(&next) && !next.starts_with('-')
            }
            TokenKind::Quoted | TokenKind::Sign('(' | '~') => true,
            TokenKind::Dollar | TokenKind::Percent | TokenKind::Sign('[') => token.text == "always",
            _ => false,
        }
    }

    /// A sentence, if one begins here.
    pub(super) fn sentence(&mut self) -> Option<Parsed<NodeId>> {
        self.at_sentence().then(|| {
            for _ in 0..LEVELS {
                self.cursor.descend()?;
            }
            let before = std::mem::take(&mut self.sentence_variables);
            let read = self.read_sentence();
            let variables = std::mem::replace(&mut self.sentence_variables, before);
            let mut sentence = read?;
            sentence.variables = variables;
            self.has_sentences = true;
            for _ in 0..LEVELS {
                self.cursor.rise();
            }
            Ok(translate(self, &sentence))
        })
    }

    fn read_sentence(&mut self) -> Parsed<Sentence> {
        let start = self.cursor.span();
        let (mut opening, mut end) = (Vec::new(), None);
        let is_after = self.cursor.at_word("after")
            || (self.cursor.at_word("always") && self.cursor.word_ahead(1) == "after");
        if self.cursor.eat_word("before") {
            let event = self.event()?;
            end = Some(End { event, weak: false });
        } else if self.cursor.eat_word("between") {
            opening.push(self.event()?);
            if !self.cursor.eat_word("and") {
                return Err(self.cursor.unexpected("`and` and what ends the part"));
            }
            let event = self.event()?;
            end = Some(End { event, weak: false });
        } else if is_after {
            self.cursor.eat_word("always");
            self.cursor.eat_word("after");
            opening = self.chain()?;
            if self.cursor.eat_word("until") {
                let event = self.event()?;
                end = Some(End { event, weak: true });
            }
        }
        let body = self.body(!opening.is_empty() || end.is_some(), &opening)?;
        Ok(Sentence {
            opening,
            end,
            body,
            variables: Vec::new(),
            span: start.to(self.cursor.previous_span()),
        })
    }

    fn body(&mut self, is_part: bool, opening: &[Event]) -> Parsed<Body> {
        let expected = "`never`, `eventually`, `at most` or `always`";
        match self.cursor.piece().text {
            "never" => {
                self.cursor.advance();
                let event = self.event()?;
                if !self.cursor.eat_word("before") {
                    return Ok(Body::Never(event));
                }
                Ok(Body::NeverBefore(event, self.chain()?))
            }
            "eventually" => {
                self.cursor.advance();
                Ok(Body::Eventually(self.chain()?))
            }
            "at" if self.at_sentence() => {
                self.cursor.advance();
                self.cursor.advance();
                let count = self.count()?;
                Ok(Body::AtMost(count, self.event()?))
            }
            "always" | "after"
                if is_part
                    && (self.cursor.at_word("after") || self.cursor.word_ahead(1) == "after") =>
            {
                self.cursor.eat_word("always");
                self.cursor.advance();
                let trigger = self.event()?;
                if !self.cursor.eat_word("eventually") {
                    return Err(self.cursor.unexpected("`eventually` and what follows"));
                }
                Ok(Body::Response(trigger, self.chain()?))
            }
            "always" => {
                self.cursor.advance();
                // The state may mention what the opening brought.
                let known = self.scope.len();
                for event in opening {
                    self.scope.extend(event.actions.uses());
                }
                let state = self.unary();
                self.scope.truncate(known);
                Ok(Body::Always(state?))
            }
            _ => Err(self.cursor.unexpected(expected)),
        }
    }

    fn count(&mut self) -> Parsed<usize> {
        let token = self.cursor.piece();
        let count = match token.text {
            "once" => Some(1),
            "twice" => Some(2),
            digits => digits.parse().ok().filter(|&it| it <= MAX_COUNT),
        };
        let Some(count) = count else {
            let expected = format!("a number up to {MAX_COUNT}");
            return Err(self.cursor.unexpected(&expected));
        };
        self.cursor.advance();
        if !["once", "twice"].contains(&token.text) {
            self.cursor.eat_word("times");
        }
        Ok(count)
    }

    /// `P then Q then …`.
    fn chain(&mut self) -> Parsed<Vec<Event>> {
        let mut events = vec![self.event()?];
        while self.cursor.eat_word("then") {
            if events.len() == MAX_CHAIN {
                let place = self.cursor.span();
                let found = nested_too_deeply::diagnostic(place, MAX_CHAIN);
                self.cursor.diagnostics.push(found);
                return Err(Failed);
            }
            events.push(self.event()?);
        }
        Ok(events)
    }

    /// `P or Q`; `and` belongs to the sentence or to the formula around it, unless there are brackets.
    fn event(&mut self) -> Parsed<Event> {
        let start = self.cursor.span();
        let mut parts = vec![self.action_unary(Position::Event)?];
        while self.cursor.at_word("or") && self.event_follows() {
            self.cursor.advance();
            parts.push(self.action_unary(Position::Event)?);
        }
        let actions = match parts.len() {
            1 => parts.remove(0),
            _ => Actions::Or(parts),
        };
        let span = start.to(self.cursor.previous_span());
        Ok(Event { actions, span })
    }

    /// Whether an action comes after `or`, and not another formula.
    fn event_follows(&self) -> bool {
        let next = self.cursor.word_ahead(1);
        let formula = KEYWORDS.contains(&next) && !["not", "tau", "tt", "ff"].contains(&next);
        !formula && !SENTENCE_WORDS.contains(&next)
    }
}
