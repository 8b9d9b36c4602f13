//! Recursive descent over tokens, with recovery.
//!
//! The grammar of expressions, loosest first: `if` and quantifiers, `=>` (right), `or`, `and`, `not`, comparisons and `in` (no
//! chains), `+ - ++`, `* / div mod`, unary `-`, then `.label` and `[index]`.
//! Nesting is limited to [`DEPTH_LIMIT`](super::DEPTH_LIMIT), which is what keeps the call stack safe.

use choros_base::{Diagnostic, Name, Names, Span};
use choros_syntax::Cursor;
use num_bigint::BigInt;
use num_rational::BigRational;

use super::expression::{Binary, ExprId, ExprKind, Expression, Exprs, SortExpr, SortExprId, Unary};
use super::token::{Token, TokenKind, unquote};
use crate::Quantifier;
use crate::diagnostics::{number_too_long, unexpected_token};

/// A position in a stream of tokens, and what was found wrong so far.
#[derive(Debug)]
pub struct Parser<'t> {
    cursor: Cursor<'t, TokenKind>,
    pub(super) depth: u32,
    /// Variables of the quantifiers around the position, innermost last.
    bound: Vec<(Name, SortExprId)>,
    /// The keyword that is a name where an operand is expected.
    lent: Option<&'static str>,
    /// Where identifiers are interned.
    pub names: &'t mut Names,
    /// Where expressions are put.
    pub exprs: &'t mut Exprs,
    /// What was found wrong.
    pub diagnostics: &'t mut Vec<Diagnostic>,
}

choros_syntax::reads!(Parser, TokenKind, cursor);

impl<'t> Parser<'t> {
    /// Starts at the first of `tokens`, which were lexed from `text` at byte `offset` of its file and end with
    /// [`TokenKind::End`].
    pub fn new(
        text: &'t str,
        offset: u32,
        tokens: &'t [Token],
        names: &'t mut Names,
        exprs: &'t mut Exprs,
        diagnostics: &'t mut Vec<Diagnostic>,
    ) -> Self {
        Self {
            cursor: Cursor::new(text, offset, tokens),
            depth: 0,
            bound: Vec::new(),
            lent: None,
            names,
            exprs,
            diagnostics,
        }
    }

    /// From here on, this keyword is a name wherever an operand is expected.
    ///
    /// For languages whose papers call something `in`.
    pub fn lend(&mut self, keyword: &'static str) {
        self.lent = Some(keyword);
    }

    /// Takes the next token if it is of this kind.
    pub fn eat(&mut self, kind: TokenKind) -> Option<Token> {
        (self.peek() == kind).then(|| self.advance())
    }

    /// Takes the next token if it is this word.
    pub fn eat_word(&mut self, word: &str) -> Option<Token> {
        self.at_word(word).then(|| self.advance())
    }

    /// Takes the next token if it is of this kind; reports what was `expected` otherwise.
    pub fn expect(&mut self, kind: TokenKind, expected: &str) -> Option<Token> {
        let token = self.eat(kind);
        if token.is_none() {
            self.unexpected(expected);
        }
        token
    }

    /// Reports that the next token is not what was `expected`.
    pub fn unexpected(&mut self, expected: &str) {
        let token = self.token();
        let diagnostic =
            unexpected_token::diagnostic(token.span, self.text_of(token.span), expected);
        self.diagnostics.push(diagnostic);
    }

    /// Skips tokens until one of `kinds` at this level of brackets, which is not taken.
    pub fn skip_to(&mut self, kinds: &[TokenKind]) {
        let mut open = 0usize;
        loop {
            let kind = self.peek();
            if kind == TokenKind::End || (open == 0 && kinds.contains(&kind)) {
                return;
            }
            match kind {
                TokenKind::LeftParenthesis | TokenKind::LeftBracket | TokenKind::LeftBrace => {
                    open += 1;
                }
                TokenKind::RightParenthesis | TokenKind::RightBracket | TokenKind::RightBrace => {
                    open = open.saturating_sub(1);
                }
                _ => {}
            }
            self.advance();
        }
    }

    pub fn expression(&mut self) -> Expression {
        self.whole(Self::loosest)
    }

    /// An expression without operators outside brackets, except a leading `-`: `x`, `-5`, `[1, 2]`, `(x + 1)`.
    ///
    /// For languages in which an operator sign after the expression means something else.
    pub fn operand(&mut self) -> Expression {
        self.whole(Self::unary)
    }

    fn whole(&mut self, part: fn(&mut Self) -> ExprId) -> Expression {
        let first = self.exprs.next();
        let start = self.token().span;
        let root = part(self);
        let span = self.exprs.span(root);
        // Recovery may have added parts after the root; the root must be last.
        let root = if root.0 + 1 == self.exprs.next().0 {
            root
        } else {
            self.exprs.add(ExprKind::Error, start)
        };
        Expression { first, root, span }
    }

    fn loosest(&mut self) -> ExprId {
        match self.deeper(Self::conditional) {
            Some(id) => id,
            None => {
                let span = self.token().span;
                self.skip_to(&[
                    TokenKind::RightParenthesis,
                    TokenKind::RightBracket,
                    TokenKind::RightBrace,
                    TokenKind::Comma,
                    TokenKind::Semicolon,
                ]);
                self.exprs.add(ExprKind::Error, span)
            }
        }
    }

    fn conditional(&mut self) -> ExprId {
        if self.peek_second() == TokenKind::Identifier {
            for (word, quantifier) in [
                ("forall", Quantifier::Forall),
                ("exists", Quantifier::Exists),
            ] {
                if let Some(start) = self.eat_word(word) {
                    return self.quantified(start.span, quantifier);
                }
            }
        }
        let Some(start) = self.eat_word("if") else {
            return self.implication();
        };
        let condition = self.loosest();
        if self.eat_word("then").is_none() {
            self.unexpected("`then`");
        }
        let yes = self.loosest();
        if self.eat_word("else").is_none() {
            self.unexpected("`else`");
        }
        let no = self.loosest();
        let span = start.span.to(self.exprs.span(no));
        self.exprs.add(ExprKind::If(condition, yes, no), span)
    }

    fn quantified(&mut self, start: Span, quantifier: Quantifier) -> ExprId {
        let mut variables = Vec::new();
        while let Some(name) = self.expect(TokenKind::Identifier, "a variable") {
            let name = self.names.intern(self.text_of(name.span));
            self.expect(TokenKind::Colon, "`:` and the variable's sort");
            variables.push((name, self.sort()));
            if self.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.expect(TokenKind::Dot, "`.` before the quantified formula");
        let outer = self.bound.len();
        self.bound.extend_from_slice(&variables);
        let body = self.loosest();
        self.bound.truncate(outer);
        let span = start.to(self.exprs.span(body));
        self.exprs
            .add(ExprKind::Quantified(quantifier, variables, body), span)
    }

    /// A sort: a name, `List(sort)` or `{label: sort, …}`.
    pub fn sort(&mut self) -> SortExprId {
        let sort = match self.deeper(Self::sort_here) {
            Some(sort) => sort,
            None => SortExpr::Error,
        };
        self.exprs.add_sort(sort)
    }

    fn sort_here(&mut self) -> SortExpr {
        if self.eat(TokenKind::LeftBrace).is_some() {
            let mut fields = Vec::new();
            while self.peek() != TokenKind::RightBrace {
                let Some(label) = self.expect(TokenKind::Identifier, "a field label") else {
                    break;
                };
                let label = self.names.intern(self.text_of(label.span));
                self.expect(TokenKind::Colon, "`:` and the field's sort");
                fields.push((label, self.sort()));
                if self.eat(TokenKind::Comma).is_none() {
                    break;
                }
            }
            self.expect(TokenKind::RightBrace, "`}`");
            return SortExpr::Record(fields);
        }
        let Some(name) = self.expect(TokenKind::Identifier, "a sort") else {
            return SortExpr::Error;
        };
        if self.text_of(name.span) == "List" && self.eat(TokenKind::LeftParenthesis).is_some() {
            let element = self.sort();
            self.expect(TokenKind::RightParenthesis, "`)`");
            return SortExpr::List(element);
        }
        SortExpr::Named(self.names.intern(self.text_of(name.span)), name.span)
    }

    fn implication(&mut self) -> ExprId {
        let mut operands = vec![self.disjunction()];
        while self.eat(TokenKind::DoubleArrow).is_some() {
            operands.push(self.disjunction());
        }
        // To the right, in a loop: a chain of arrows is not a nesting.
        let mut result = operands.pop().unwrap_or_else(|| self.error());
        while let Some(premise) = operands.pop() {
            let span = self.exprs.span(premise).to(self.exprs.span(result));
            result = self
                .exprs
                .add(ExprKind::Binary(Binary::Implies, premise, result), span);
        }
        result
    }

    fn disjunction(&mut self) -> ExprId {
        self.chain(Binary::Or, Self::conjunction, |parser| {
            parser.eat_word("or").is_some() || parser.eat(TokenKind::BarBar).is_some()
        })
    }

    fn conjunction(&mut self) -> ExprId {
        self.chain(Binary::And, Self::negation, |parser| {
            parser.eat_word("and").is_some()
                || parser.eat(TokenKind::AmpersandAmpersand).is_some()
                || parser.eat(TokenKind::Ampersand).is_some()
        })
    }

    fn chain(
        &mut self,
        op: Binary,
        operand: fn(&mut Self) -> ExprId,
        operator: fn(&mut Self) -> bool,
    ) -> ExprId {
        let first = operand(self);
        let mut operands = vec![first];
        while operator(self) {
            operands.push(operand(self));
        }
        self.finish_chain(op, operands)
    }

    fn finish_chain(&mut self, op: Binary, operands: Vec<ExprId>) -> ExprId {
        match operands[..] {
            [only] => only,
            [first, .., last] => {
                let span = self.exprs.span(first).to(self.exprs.span(last));
                self.exprs.add(ExprKind::Chain(op, operands), span)
            }
            [] => self.error(),
        }
    }

    fn negation(&mut self) -> ExprId {
        let mut starts = Vec::new();
        loop {
            if let Some(token) = self.eat_word("not") {
                starts.push(token.span);
            } else if self.peek() == TokenKind::Exclamation {
                starts.push(self.advance().span);
            } else {
                break;
            }
        }
        let mut result = self.comparison();
        while let Some(start) = starts.pop() {
            let span = start.to(self.exprs.span(result));
            result = self.exprs.add(ExprKind::Unary(Unary::Not, result), span);
        }
        result
    }

    fn comparison(&mut self) -> ExprId {
        let left = self.sum();
        let op = match self.peek() {
            TokenKind::Equal | TokenKind::EqualEqual => Binary::Equal,
            TokenKind::NotEqual => Binary::NotEqual,
            TokenKind::Less => Binary::Less,
            TokenKind::LessEqual => Binary::LessEqual,
            TokenKind::Greater => Binary::Greater,
            TokenKind::GreaterEqual => Binary::GreaterEqual,
            _ if self.at_word("in") => Binary::Member,
            _ => return left,
        };
        self.advance();
        let right = self.sum();
        let span = self.exprs.span(left).to(self.exprs.span(right));
        self.exprs.add(ExprKind::Binary(op, left, right), span)
    }

    fn sum(&mut self) -> ExprId {
        self.left_associative(Self::product, |parser| match parser.peek() {
            TokenKind::Plus => Some(Binary::Add),
            TokenKind::Minus => Some(Binary::Subtract),
            TokenKind::PlusPlus => Some(Binary::Concat),
            _ => None,
        })
    }

    fn product(&mut self) -> ExprId {
        self.left_associative(Self::unary, |parser| match parser.peek() {
            TokenKind::Star => Some(Binary::Multiply),
            TokenKind::Slash => Some(Binary::Divide),
            _ if parser.at_word("div") => Some(Binary::IntegerDivide),
            _ if parser.at_word("mod") => Some(Binary::Modulo),
            _ => None,
        })
    }

    fn left_associative(
        &mut self,
        operand: fn(&mut Self) -> ExprId,
        operator: fn(&Self) -> Option<Binary>,
    ) -> ExprId {
        let mut result = operand(self);
        while let Some(op) = operator(self) {
            if matches!(op, Binary::Add | Binary::Multiply | Binary::Concat) {
                let mut operands = vec![result];
                while operator(self) == Some(op) {
                    self.advance();
                    operands.push(operand(self));
                }
                result = self.finish_chain(op, operands);
            } else {
                self.advance();
                let right = operand(self);
                let span = self.exprs.span(result).to(self.exprs.span(right));
                result = self.exprs.add(ExprKind::Binary(op, result, right), span);
            }
        }
        result
    }

    fn unary(&mut self) -> ExprId {
        let mut starts = Vec::new();
        while let Some(token) = self.eat(TokenKind::Minus) {
            starts.push(token.span);
        }
        let mut result = self.postfix();
        while let Some(start) = starts.pop() {
            let span = start.to(self.exprs.span(result));
            result = self.exprs.add(ExprKind::Unary(Unary::Negate, result), span);
        }
        result
    }

    fn postfix(&mut self) -> ExprId {
        let mut result = self.primary();
        loop {
            let start = self.exprs.span(result);
            if self.peek() == TokenKind::Dot && self.peek_second() == TokenKind::Identifier {
                self.advance();
                let label = self.advance().span;
                let name = self.names.intern(self.text_of(label));
                result = self
                    .exprs
                    .add(ExprKind::Field(result, name), start.to(label));
            } else if self.eat(TokenKind::LeftBracket).is_some() {
                let index = self.loosest();
                self.expect(TokenKind::RightBracket, "`]` after the index");
                let span = start.to(self.previous_span());
                result = self.exprs.add(ExprKind::Index(result, index), span);
            } else {
                return result;
            }
        }
    }

    fn primary(&mut self) -> ExprId {
        let token = self.token();
        let text = self.text_of(token.span);
        let kind = match token.kind {
            TokenKind::Identifier => return self.name_or_call(token),
            TokenKind::Integer | TokenKind::Decimal if text.len() > number_too_long::MAX_DIGITS => {
                self.diagnostics
                    .push(number_too_long::diagnostic(token.span));
                ExprKind::Error
            }
            TokenKind::Integer => match text.parse::<BigInt>() {
                Ok(value) => ExprKind::Integer(value),
                Err(_) => ExprKind::Error,
            },
            TokenKind::Decimal => decimal(text).map_or(ExprKind::Error, ExprKind::Decimal),
            TokenKind::Text | TokenKind::EscapedText => ExprKind::Text(unquote(text)),
            TokenKind::LeftParenthesis => return self.parenthesised(),
            TokenKind::LeftBracket => return self.list(),
            TokenKind::LeftBrace => return self.record(),
            _ => {
                self.unexpected("an expression");
                return self.error();
            }
        };
        self.advance();
        self.exprs.add(kind, token.span)
    }

    fn parenthesised(&mut self) -> ExprId {
        self.advance();
        let inner = self.loosest();
        self.expect(TokenKind::RightParenthesis, "`)`");
        inner
    }

    fn name_or_call(&mut self, token: Token) -> ExprId {
        let text = self.text_of(token.span);
        let is_lent = self.lent == Some(text);
        if !is_lent
            && matches!(
                text,
                "then" | "else" | "and" | "or" | "in" | "div" | "mod" | "not" | "if"
            )
        {
            self.unexpected("an expression");
            return self.error();
        }
        self.advance();
        match text {
            "true" => return self.exprs.add(ExprKind::Bool(true), token.span),
            "false" => return self.exprs.add(ExprKind::Bool(false), token.span),
            _ => {}
        }
        let name = self.names.intern(text);
        if self.eat(TokenKind::LeftParenthesis).is_none() {
            let kind = match self.bound.iter().rev().find(|(bound, _)| *bound == name) {
                Some(&(_, sort)) => ExprKind::Bound(name, sort),
                None => ExprKind::Name(name),
            };
            return self.exprs.add(kind, token.span);
        }
        let arguments = self.items(TokenKind::RightParenthesis, "`)`");
        let span = token.span.to(self.previous_span());
        self.exprs.add(ExprKind::Call(name, arguments), span)
    }

    fn list(&mut self) -> ExprId {
        let start = self.advance().span;
        let items = self.items(TokenKind::RightBracket, "`]`");
        let span = start.to(self.previous_span());
        self.exprs.add(ExprKind::List(items), span)
    }

    fn record(&mut self) -> ExprId {
        let start = self.advance().span;
        let mut fields = Vec::new();
        while self.peek() != TokenKind::RightBrace {
            let Some(label) = self.expect(TokenKind::Identifier, "a field label") else {
                break;
            };
            let name = self.names.intern(self.text_of(label.span));
            self.expect(TokenKind::Colon, "`:` after the field label");
            let value = self.loosest();
            fields.push((name, value));
            if self.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.expect(TokenKind::RightBrace, "`}`");
        let span = start.to(self.previous_span());
        self.exprs.add(ExprKind::Record(fields), span)
    }

    fn items(&mut self, closing: TokenKind, expected: &str) -> Vec<ExprId> {
        let mut items = Vec::new();
        while self.peek() != closing && self.peek() != TokenKind::End {
            items.push(self.loosest());
            if self.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.expect(closing, expected);
        items
    }

    fn error(&mut self) -> ExprId {
        let span = self.token().span;
        self.exprs.add(ExprKind::Error, span)
    }
}

/// The value of digits with a dot.
fn decimal(text: &str) -> Option<BigRational> {
    let (whole, fraction) = text.split_once('.')?;
    let numerator: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let denominator = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
    Some(BigRational::new(numerator, denominator))
}
