//! Blocks and statements.

use choros_data::syntax::{Expression, TokenKind};

use super::{DECLARATIONS, Reader};
use crate::ast::Reference;
use crate::chor::ast::{
    Block, BoundVariable, Call, Interruption, OnCrash, StatementId, StatementKind,
};
use crate::diagnostics::unclosed_block;

impl Reader<'_> {
    /// `{ … }`; the caller reports a missing end, of which [`Reader::closed`] tells.
    pub(super) fn block(&mut self) -> Block {
        let start = self.parser.token().span;
        let mut statements = Vec::new();
        self.closed = true;
        if self.parser.expect(TokenKind::LeftBrace, "`{`").is_some() {
            let inner = self.deeper(|reader| reader.statements(&mut statements));
            if inner.is_none() {
                self.parser.skip_to(&[TokenKind::RightBrace]);
            }
            self.closed = self.parser.eat(TokenKind::RightBrace).is_some();
        }
        Block {
            statements,
            span: start.to(self.parser.previous_span()),
        }
    }

    /// A block within a declaration; `word` may follow it and begin another one.
    pub(super) fn inner_block(&mut self, word: &'static str) -> Block {
        let open = self.parser.token().span;
        self.expected.push(word);
        let block = self.block();
        self.expected.pop();
        if !self.closed {
            let next = self.parser.token().span;
            let finding = unclosed_block::diagnostic(open, None, next);
            self.parser.diagnostics.push(finding);
        }
        block
    }

    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.parser.enter()?;
        let result = inner(self);
        self.parser.leave();
        Some(result)
    }

    fn statements(&mut self, found: &mut Vec<StatementId>) {
        loop {
            while self.parser.eat(TokenKind::Semicolon).is_some() {}
            match self.parser.peek() {
                TokenKind::RightBrace | TokenKind::End => return,
                _ if self.too_many() => return self.parser.skip_to(&[TokenKind::RightBrace]),
                // The block continues with what can only come after it: a brace was forgotten.
                _ if self.at_declaration() || self.at_expected() => return,
                _ => {}
            }
            let start = self.parser.token().span;
            let before = self.parser.position();
            let kind = self.statement();
            let failed = kind.is_none();
            if failed {
                self.parser
                    .skip_to(&[TokenKind::Semicolon, TokenKind::RightBrace]);
            }
            let span = start.to(self.parser.previous_span());
            let kind = kind.unwrap_or(StatementKind::Error);
            found.push(self.statements.add(kind, span));
            self.end_of_statement(failed);
            if self.parser.position() == before {
                self.parser.advance();
            }
        }
    }

    /// After a statement comes `;`, a newline or `}`; a block ends by itself.
    fn end_of_statement(&mut self, failed: bool) {
        let ended = matches!(
            self.parser.peek(),
            TokenKind::Semicolon | TokenKind::RightBrace | TokenKind::End
        ) || self.text_of_previous() == "}"
            || self.at_expected();
        if !ended && !failed {
            self.parser
                .unexpected("the end of the statement: a new line, `;` or `}`");
            if self.parser.peek() == TokenKind::LeftBrace {
                self.note_last("fields of a message stand in parentheses, as in `Order(id: Int)`");
            }
            self.parser
                .skip_to(&[TokenKind::Semicolon, TokenKind::RightBrace]);
        }
    }

    fn at_declaration(&self) -> bool {
        DECLARATIONS.contains(&self.word()) && self.parser.peek_second() == TokenKind::Identifier
    }

    /// Whether a word comes that continues with one of the statements around this block.
    fn at_expected(&self) -> bool {
        let word = self.word();
        let follows = match self.parser.peek_second() {
            TokenKind::LeftBrace => true,
            TokenKind::Identifier => ["else", "late", "interrupt", "on"].contains(&word),
            _ => false,
        };
        follows && !word.is_empty() && self.expected.contains(&word)
    }

    fn statement(&mut self) -> Option<StatementKind> {
        let statement = self.simple_or_compound()?;
        match statement {
            StatementKind::Message(_) => self.deadline(statement),
            other => Some(other),
        }
    }

    fn simple_or_compound(&mut self) -> Option<StatementKind> {
        match self.parser.peek() {
            TokenKind::Arrow => {
                self.parser.advance();
                let to = self.reference("the role that receives")?;
                self.message(None, Some(to))
            }
            TokenKind::Less => {
                let less = self.parser.advance().span;
                if self.eat_tail_of_arrow(less).is_none() {
                    self.parser.unexpected("`<-` and the role that sends");
                    return None;
                }
                let from = self.reference("the role that sends")?;
                self.message(Some(from), None)
            }
            TokenKind::Identifier => match self.parser.peek_second() {
                TokenKind::Arrow => {
                    let from = self.reference("the role that sends")?;
                    self.parser.advance();
                    let to = self.reference("the role that receives")?;
                    self.message(Some(from), Some(to))
                }
                TokenKind::Assign | TokenKind::Colon => self.assignment(),
                _ => self.compound(),
            },
            _ => {
                self.parser.unexpected(STATEMENTS);
                None
            }
        }
    }

    fn compound(&mut self) -> Option<StatementKind> {
        let kind = match self.word() {
            "choice" => {
                self.parser.advance();
                let at = self.claim()?;
                StatementKind::Choice(at, self.blocks("or"))
            }
            "par" => {
                self.parser.advance();
                StatementKind::Parallel(self.blocks("and"))
            }
            "try" => {
                self.parser.advance();
                self.interruptible()?
            }
            "when" => {
                self.parser.advance();
                let (guard, block) = self.guarded("");
                StatementKind::When(guard, block)
            }
            "while" => {
                self.parser.advance();
                let (guard, block) = self.guarded("");
                StatementKind::While(guard, block)
            }
            "if" => self.conditional(),
            "repeat" => {
                self.parser.advance();
                self.count_of_rounds();
                let at = self.claim()?;
                StatementKind::Repeat(at, self.inner_block(""))
            }
            "loop" => {
                let word = self.parser.advance().span;
                let name = self.reference("the name of the loop, as in `loop Ask { … }`");
                if name.is_none() {
                    self.advise("rounds without a name are `repeat`", word, "repeat");
                }
                let name = name?;
                StatementKind::Loop(name, self.inner_block(""))
            }
            "again" => {
                self.parser.advance();
                let name = self.reference("the name of the loop to repeat")?;
                StatementKind::Again(name)
            }
            "do" => {
                self.parser.advance();
                self.call()?
            }
            "wait" => {
                self.parser.advance();
                self.wait()?
            }
            "timeout" => {
                self.parser.advance();
                self.timeout()?
            }
            "retry" => {
                self.parser.advance();
                self.retry()?
            }
            "saga" => {
                self.parser.advance();
                self.saga()?
            }
            "abort" => {
                self.parser.advance();
                StatementKind::Abort
            }
            "skip" => {
                self.parser.advance();
                StatementKind::Skip
            }
            "new" => return self.assignment(),
            _ => {
                // Most likely a message with another arrow: say so at the place where the arrow should be.
                if self.at_wrong_arrow() {
                    self.parser.advance();
                    self.wrong_arrow();
                    return None;
                }
                if self.parser.peek_second() == TokenKind::Equal {
                    self.parser.advance();
                    let span = self.parser.token().span;
                    self.parser.unexpected("`:=` and the value of the variable");
                    self.advise("a variable gets its value with `:=`", span, ":=");
                    return None;
                }
                self.unexpected_word(STATEMENTS, &WORDS);
                return None;
            }
        };
        Some(kind)
    }

    /// `{ … } word { … } word { … }`
    fn blocks(&mut self, word: &'static str) -> Vec<Block> {
        let mut blocks = vec![self.inner_block(word)];
        while (self.parser.eat_word(word).is_some() || self.eat_bar(word)) && !self.too_many() {
            blocks.push(self.inner_block(word));
        }
        blocks
    }

    /// `{ … } interrupt { … }`, or `{ … } interrupt until done { … }`, after `try`.
    fn interruptible(&mut self) -> Option<StatementKind> {
        self.expected.push("on");
        let first = self.inner_block("interrupt");
        self.expected.pop();
        if self.parser.eat_word("on").is_some() {
            return self.on_crash(first);
        }
        let mut blocks = vec![first];
        let mut kinds = Vec::new();
        while (self.parser.eat_word("interrupt").is_some() || self.eat_bar("interrupt"))
            && !self.too_many()
        {
            let until = self.parser.eat_word("until").is_some();
            if until && self.parser.eat_word("done").is_none() {
                self.parser
                    .unexpected("`done`: `interrupt until done { … }`");
            }
            kinds.push(until);
            blocks.push(self.inner_block("interrupt"));
        }
        if blocks.len() < 2 {
            self.parser
                .unexpected("`interrupt` and what can happen at any time");
        }
        let until = kinds.first() == Some(&true);
        if kinds.iter().any(|&it| it != until) {
            self.parser
                .unexpected("`interrupt until done` for all interruptions of a `try`, or for none");
        }
        let interruption = match until {
            true => Interruption::UntilDone,
            false => Interruption::UntilEnd,
        };
        Some(StatementKind::Try(interruption, blocks))
    }

    /// `crash of payment at order { … }`, after `on`.
    fn on_crash(&mut self, body: Block) -> Option<StatementKind> {
        let words = self.parser.eat_word("crash").is_some() && self.parser.eat_word("of").is_some();
        if !words {
            self.parser.unexpected(
                "`crash of` and the role that may crash, as in `on crash of payment { … }`",
            );
            return None;
        }
        let crashed = self.reference("the role that may crash")?;
        let at = match self.parser.eat_word("at") {
            Some(_) => Some(self.reference("the role that notices it")?),
            None => None,
        };
        let handler = self.inner_block("");
        Some(StatementKind::OnCrash(Box::new(OnCrash {
            body,
            crashed,
            at,
            handler,
        })))
    }

    fn guarded(&mut self, word: &'static str) -> (Expression, Block) {
        let guard = self.parser.expression();
        self.decider_after_condition();
        self.then_after_condition();
        if self.parser.peek() != TokenKind::LeftBrace {
            self.parser.unexpected("`{` after the condition");
            self.parser.skip_to(&[
                TokenKind::LeftBrace,
                TokenKind::Semicolon,
                TokenKind::RightBrace,
            ]);
        }
        let empty = Block {
            statements: Vec::new(),
            span: self.parser.token().span,
        };
        match self.parser.peek() {
            TokenKind::LeftBrace => (guard, self.inner_block(word)),
            _ => (guard, empty),
        }
    }

    fn conditional(&mut self) -> StatementKind {
        let mut arms = Vec::new();
        let mut otherwise = None;
        loop {
            self.parser.advance();
            arms.push(self.guarded("else"));
            if self.too_many() || self.parser.eat_word("else").is_none() {
                break;
            }
            if self.word() != "if" {
                otherwise = Some(self.inner_block(""));
                break;
            }
        }
        StatementKind::If(arms, otherwise)
    }

    /// `at role`, or nothing.
    fn claim(&mut self) -> Option<Option<Reference>> {
        match self.parser.eat_word("at") {
            Some(_) => Some(Some(self.reference("the role that decides")?)),
            None => Some(self.claim_without_at()),
        }
    }

    fn call(&mut self) -> Option<StatementKind> {
        let target = self.reference("the name of a choreography")?;
        let roles = self.role_list()?;
        let mut arguments = Vec::new();
        if self.parser.eat(TokenKind::LeftParenthesis).is_some() {
            while self.parser.peek() != TokenKind::RightParenthesis {
                arguments.push(self.parser.expression());
                if self.parser.eat(TokenKind::Comma).is_none() {
                    break;
                }
            }
            self.parser
                .expect(TokenKind::RightParenthesis, "`,` or `)` after the value")?;
        }
        Some(StatementKind::Do(Call {
            target,
            roles,
            arguments,
        }))
    }

    /// `x := e`, `x: Int := e`, `new x := e`
    fn assignment(&mut self) -> Option<StatementKind> {
        let binding = match self.binding() {
            Some(binding) => binding?,
            None => BoundVariable {
                again: false,
                variable: self.reference("a variable")?,
                sort: None,
            },
        };
        self.parser
            .expect(TokenKind::Assign, "`:=` and the value of the variable")?;
        let value = self.parser.expression();
        Some(StatementKind::Assign(binding, value))
    }
}

const STATEMENTS: &str =
    "a statement, such as `a -> b: Request`, `if x > 0 { … }`, `choice`, `repeat` or `x := 1`";

/// The words that begin statements.
const WORDS: [&str; 16] = [
    "choice", "par", "try", "when", "while", "if", "repeat", "loop", "again", "do", "wait",
    "timeout", "retry", "saga", "abort", "skip",
];
