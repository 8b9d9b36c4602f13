//! From tokens to expressions: recursive descent after the grammar of XPath 1.0, section 3.

use choros_base::{Diagnostic, Span};
use choros_data::Op;

use super::WrittenExpression;
use super::ast::{Arithmetic, Expr, ExprKind, Path, Start, StepExpr, Test};
use super::token::{Token, TokenKind, lex};
use crate::diagnostics::{double_equals, xpath_syntax};
use crate::schema::read_decimal;

/// How many expressions may stand inside each other.
const HIGHEST: usize = 100;

/// Reads an expression; `None` after an error.
pub(super) fn parse(
    written: &WrittenExpression,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expr> {
    let tokens = match lex(&written.text) {
        Ok(tokens) => tokens,
        Err((start, end, message)) => {
            diagnostics.push(xpath_syntax::because(message, written.place(start, end)));
            return None;
        }
    };
    let mut parser = Parser {
        written,
        tokens,
        at: 0,
        depth: 0,
        diagnostics,
    };
    let expression = parser.or()?;
    match parser.peek() {
        TokenKind::End => Some(expression),
        _ => parser.unexpected("an operator or the end"),
    }
}

struct Parser<'p> {
    written: &'p WrittenExpression,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    diagnostics: &'p mut Vec<Diagnostic>,
}

impl Parser<'_> {
    fn token(&self) -> &Token {
        // The last token is the end, and nothing goes beyond it.
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn peek(&self) -> &TokenKind {
        &self.token().kind
    }

    fn advance(&mut self) -> Token {
        let token = self.token().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), TokenKind::Sign(found) if *found == sign)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), TokenKind::Name(name) if name == word);
        if found {
            self.advance();
        }
        found
    }

    fn here(&self) -> Span {
        let token = self.token();
        self.written.place(token.start, token.end)
    }

    fn unexpected<T>(&mut self, expected: &str) -> Option<T> {
        let diagnostic = xpath_syntax::diagnostic(expected, &self.peek().words(), self.here());
        self.diagnostics.push(diagnostic);
        None
    }

    fn expect(&mut self, sign: &str) -> Option<()> {
        if self.eat(sign) {
            Some(())
        } else {
            self.unexpected(&format!("`{sign}`"))
        }
    }

    /// An expression of some parts, unless it is too high.
    fn node(&mut self, kind: ExprKind, span: Span, parts: usize) -> Option<Expr> {
        let height = parts + 1;
        if height > HIGHEST {
            self.diagnostics.push(xpath_syntax::because(
                format!("expressions are nested more than {HIGHEST} deep"),
                span,
            ));
            return None;
        }
        Some(Expr { kind, span, height })
    }

    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= HIGHEST {
            let span = self.here();
            self.diagnostics.push(xpath_syntax::because(
                format!("expressions are nested more than {HIGHEST} deep"),
                span,
            ));
            return None;
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn or(&mut self) -> Option<Expr> {
        self.deeper(|parser| parser.connective("or", Self::and, ExprKind::Or))
    }

    fn and(&mut self) -> Option<Expr> {
        self.connective("and", Self::equality, ExprKind::And)
    }

    fn connective(
        &mut self,
        word: &str,
        inner: fn(&mut Self) -> Option<Expr>,
        kind: fn(Vec<Expr>) -> ExprKind,
    ) -> Option<Expr> {
        let first = inner(self)?;
        let mut all = vec![first];
        while self.eat_word(word) {
            all.push(inner(self)?);
        }
        if all.len() == 1 {
            return all.pop();
        }
        let span = all[0].span.to(all[all.len() - 1].span);
        let height = all.iter().map(|it| it.height).max().unwrap_or(0);
        self.node(kind(all), span, height)
    }

    fn equality(&mut self) -> Option<Expr> {
        let mut left = self.relation()?;
        loop {
            let here = self.here();
            let op = if self.eat("==") {
                self.diagnostics.push(double_equals::diagnostic(here));
                Op::Equal
            } else if self.eat("=") {
                Op::Equal
            } else if self.eat("!=") {
                Op::NotEqual
            } else {
                return Some(left);
            };
            let right = self.relation()?;
            left = self.comparison(op, left, right)?;
        }
    }

    fn relation(&mut self) -> Option<Expr> {
        let mut left = self.sum()?;
        loop {
            let op = if self.eat("<=") {
                Op::LessEqual
            } else if self.eat(">=") {
                Op::GreaterEqual
            } else if self.eat("<") {
                Op::Less
            } else if self.eat(">") {
                Op::Greater
            } else {
                return Some(left);
            };
            let right = self.sum()?;
            left = self.comparison(op, left, right)?;
        }
    }

    fn comparison(&mut self, op: Op, left: Expr, right: Expr) -> Option<Expr> {
        let (span, height) = (left.span.to(right.span), left.height.max(right.height));
        let kind = ExprKind::Compare(op, Box::new(left), Box::new(right));
        self.node(kind, span, height)
    }

    fn sum(&mut self) -> Option<Expr> {
        let mut left = self.product()?;
        loop {
            let op = if self.eat("+") {
                Arithmetic::Add
            } else if self.eat("-") {
                Arithmetic::Subtract
            } else {
                return Some(left);
            };
            let right = self.product()?;
            left = self.arithmetic(op, left, right)?;
        }
    }

    fn product(&mut self) -> Option<Expr> {
        let mut left = self.unary()?;
        loop {
            let op = if self.eat("*") {
                Arithmetic::Multiply
            } else if self.eat_word("div") {
                Arithmetic::Divide
            } else if self.eat_word("mod") {
                Arithmetic::Modulo
            } else {
                return Some(left);
            };
            let right = self.unary()?;
            left = self.arithmetic(op, left, right)?;
        }
    }

    fn arithmetic(&mut self, op: Arithmetic, left: Expr, right: Expr) -> Option<Expr> {
        let (span, height) = (left.span.to(right.span), left.height.max(right.height));
        let kind = ExprKind::Arithmetic(op, Box::new(left), Box::new(right));
        self.node(kind, span, height)
    }

    fn unary(&mut self) -> Option<Expr> {
        let start = self.here();
        if self.eat("-") {
            let inner = self.deeper(Self::unary)?;
            let (span, height) = (start.to(inner.span), inner.height);
            return self.node(ExprKind::Negate(Box::new(inner)), span, height);
        }
        let first = self.path()?;
        if self.is_sign("|") {
            let span = self.here();
            self.diagnostics.push(xpath_syntax::because(
                "a union of paths is not supported",
                span,
            ));
            return None;
        }
        Some(first)
    }

    fn path(&mut self) -> Option<Expr> {
        let span = self.here();
        match self.peek().clone() {
            TokenKind::Number(text) => {
                self.advance();
                match read_decimal(&text) {
                    Some(number) => self.node(ExprKind::Number(number), span, 0),
                    None => {
                        self.diagnostics
                            .push(xpath_syntax::because("the number is too long", span));
                        None
                    }
                }
            }
            TokenKind::Literal(text) => {
                self.advance();
                self.node(ExprKind::Literal(text), span, 0)
            }
            TokenKind::Variable(name) => {
                self.advance();
                self.steps_behind(Start::Variable(name), span, 0)
            }
            TokenKind::Sign("(") => {
                self.advance();
                let inner = self.or()?;
                self.expect(")")?;
                match (self.is_sign("/") || self.is_sign("["), inner.kind) {
                    (false, kind) => Some(Expr { kind, ..inner }),
                    (true, ExprKind::Path(path)) if self.is_sign("/") => {
                        self.more_steps(path, inner.span, inner.height)
                    }
                    (true, _) => self.unexpected("an operator or the end"),
                }
            }
            TokenKind::Name(name)
                if self.next_is("(") && !matches!(&*name, "text" | "node" | "comment") =>
            {
                self.call(name, span)
            }
            TokenKind::Sign("/") => {
                self.advance();
                let path = Path {
                    start: Start::Root,
                    steps: Vec::new(),
                };
                if self.is_step() {
                    self.first_step(path, span)
                } else {
                    self.node(ExprKind::Path(path), span, 0)
                }
            }
            _ if self.is_step() => {
                let path = Path {
                    start: Start::Context,
                    steps: Vec::new(),
                };
                self.first_step(path, span)
            }
            _ => self.unexpected("an expression"),
        }
    }

    fn next_is(&self, sign: &str) -> bool {
        matches!(
            self.tokens.get(self.at + 1).map(|token| &token.kind),
            Some(TokenKind::Sign(found)) if *found == sign
        )
    }

    fn is_step(&self) -> bool {
        match self.peek() {
            TokenKind::Name(_) => true,
            TokenKind::Sign(sign) => matches!(*sign, "@" | "." | ".." | "*" | "//"),
            _ => false,
        }
    }

    fn call(&mut self, name: String, span: Span) -> Option<Expr> {
        self.advance();
        self.expect("(")?;
        let mut arguments = Vec::new();
        if !self.is_sign(")") {
            loop {
                arguments.push(self.or()?);
                if !self.eat(",") {
                    break;
                }
            }
        }
        let end = self.here();
        self.expect(")")?;
        let height = arguments.iter().map(|it| it.height).max().unwrap_or(0);
        let call = self.node(ExprKind::Call(name, arguments), span.to(end), height)?;
        if self.is_sign("/") {
            let height = call.height;
            self.steps_behind(Start::Call(Box::new(call)), span, height)
        } else {
            Some(call)
        }
    }

    fn steps_behind(&mut self, start: Start, span: Span, height: usize) -> Option<Expr> {
        let path = Path {
            start,
            steps: Vec::new(),
        };
        self.more_steps(path, span, height)
    }

    fn first_step(&mut self, mut path: Path, span: Span) -> Option<Expr> {
        let (step, height) = self.step()?;
        path.steps.push(step);
        self.more_steps(path, span, height)
    }

    fn more_steps(&mut self, mut path: Path, span: Span, mut height: usize) -> Option<Expr> {
        let mut end = span;
        loop {
            if self.is_sign("//") {
                self.diagnostics.push(xpath_syntax::because(
                    "`//` is not supported: name the steps between",
                    self.here(),
                ));
                return None;
            }
            // `$v[1]` is a step to itself with a predicate.
            let step = if self.eat("/") {
                self.step()?
            } else if self.is_sign("[") && path.steps.is_empty() {
                let here = self.here();
                let (predicates, height) = self.predicates()?;
                let step = StepExpr {
                    test: Test::Itself,
                    predicates,
                    span: here,
                };
                (step, height)
            } else {
                break;
            };
            end = step.0.span;
            height = height.max(step.1);
            path.steps.push(step.0);
        }
        self.node(ExprKind::Path(path), span.to(end), height)
    }

    /// A step, and the height of its predicates.
    fn step(&mut self) -> Option<(StepExpr, usize)> {
        let start = self.here();
        let test = if self.eat(".") {
            Test::Itself
        } else if self.eat("..") {
            Test::Unsupported("a step to the parent".to_owned())
        } else if self.eat("@") {
            self.named_test(true)?
        } else if let TokenKind::Name(axis) = self.peek().clone()
            && self.next_is("::")
        {
            self.advance();
            self.advance();
            match &*axis {
                "child" => self.named_test(false)?,
                "attribute" => self.named_test(true)?,
                "self" => match self.named_test(false)? {
                    Test::Itself => Test::Itself,
                    _ => Test::Unsupported("a test of the node's own name".to_owned()),
                },
                other => {
                    self.named_test(false)?;
                    Test::Unsupported(format!("the axis `{other}`"))
                }
            }
        } else {
            self.named_test(false)?
        };
        let end = self.tokens[self.at.saturating_sub(1)].end;
        let span = start.to(self.written.place(end, end));
        let (predicates, height) = self.predicates()?;
        let step = StepExpr {
            test,
            predicates,
            span,
        };
        Some((step, height))
    }

    fn named_test(&mut self, is_attribute: bool) -> Option<Test> {
        match self.peek().clone() {
            TokenKind::Sign("*") => {
                self.advance();
                Some(Test::Unsupported("a step to whatever is there".to_owned()))
            }
            TokenKind::Name(name) if self.next_is("(") => {
                self.advance();
                self.advance();
                self.expect(")")?;
                Some(match &*name {
                    "text" => Test::Text,
                    "node" => Test::Itself,
                    other => Test::Unsupported(format!("the test `{other}()`")),
                })
            }
            TokenKind::Name(name) => {
                self.advance();
                Some(if is_attribute {
                    Test::Attribute(name)
                } else {
                    Test::Child(name)
                })
            }
            _ => self.unexpected("a name"),
        }
    }

    fn predicates(&mut self) -> Option<(Vec<Expr>, usize)> {
        let mut predicates = Vec::new();
        while self.eat("[") {
            predicates.push(self.or()?);
            self.expect("]")?;
        }
        let height = predicates.iter().map(|it| it.height).max().unwrap_or(0);
        Some((predicates, height))
    }
}
