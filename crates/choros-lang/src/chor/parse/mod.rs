//! From text to a program: declarations.
//!
//! Recursive descent with recovery: a mistake in a statement costs that statement, a mistake in a declaration at most
//! that declaration.

mod advice;
mod fields;
mod saga;
mod sessions;
mod statements;
mod time;

use choros_base::{Diagnostic, FileId, Name, Names, Span};
use choros_data::syntax::{Exprs, Parser, TokenKind, lex};

use super::ast::{
    Block, Choreography, ConstantItem, Item, Parameter, Program, RoleItem, Statements, System,
    TypeItem,
};
use super::layout::layout;
use crate::ast::Reference;
use crate::diagnostics::{MAX_FINDINGS, unclosed_block};

/// Reads a program; what does not parse is reported and left out.
pub fn parse(file: FileId, text: &str, names: &mut Names) -> (Program, Vec<Diagnostic>) {
    let (tokens, mut diagnostics) = lex(file, text, 0);
    let (tokens, comments) = layout(file, text, tokens);
    let mut exprs = Exprs::default();
    let parser = Parser::new(text, 0, &tokens, names, &mut exprs, &mut diagnostics);
    let mut reader = Reader {
        parser,
        statements: Statements::default(),
        items: Vec::new(),
        closed: true,
        expected: Vec::new(),
    };
    reader.program();
    let Reader {
        statements, items, ..
    } = reader;
    // Where the text ends too early, each open construct misses something at the same place.
    diagnostics.dedup_by(|next, first| {
        next.code.code == first.code.code && next.primary() == first.primary()
    });
    diagnostics.truncate(MAX_FINDINGS);
    let program = Program {
        items,
        statements,
        exprs,
        comments,
    };
    (program, diagnostics)
}

/// Words that begin declarations.
const DECLARATIONS: [&str; 6] = [
    "type",
    "const",
    "choreography",
    "role",
    "system",
    "sessions",
];

struct Reader<'t> {
    parser: Parser<'t>,
    statements: Statements,
    items: Vec<Item>,
    /// Whether the last block had its closing brace.
    closed: bool,
    /// The words that may follow the blocks around the position.
    expected: Vec<&'static str>,
}

impl Reader<'_> {
    fn program(&mut self) {
        loop {
            while self.parser.eat(TokenKind::Semicolon).is_some() {}
            if self.parser.peek() == TokenKind::End || self.too_many() {
                break;
            }
            let start = self.parser.token().span;
            let item = match self.word() {
                "type" => self.type_item(start),
                "const" => self.constant(start),
                "choreography" => self.choreography(start),
                "role" => self.role(start),
                "system" => self.system(start),
                "sessions" => self.sessions(start),
                _ => {
                    let expected = "a declaration: `choreography`, `role`, `system`, `sessions`, `type` or `const`";
                    self.unexpected_word(expected, &DECLARATIONS);
                    self.parser.advance();
                    None
                }
            };
            match item {
                Some(item) => {
                    self.items.push(item);
                    self.end_of_item();
                }
                None => self.skip_item(),
            }
        }
    }

    /// After a declaration comes `;`, a newline or the end; a block ends by itself.
    fn end_of_item(&mut self) {
        let ended = matches!(self.parser.peek(), TokenKind::Semicolon | TokenKind::End)
            || self.text_of_previous() == "}"
            || !std::mem::replace(&mut self.closed, true);
        if !ended {
            self.parser
                .unexpected("the end of the declaration: a new line or `;`");
            self.skip_item();
        }
    }

    /// Goes on at the next word that begins a declaration at the start of a line.
    fn skip_item(&mut self) {
        while self.parser.peek() != TokenKind::End {
            if self.parser.eat(TokenKind::Semicolon).is_some() || self.text_of_previous() == "}" {
                if DECLARATIONS.contains(&self.word()) {
                    return;
                }
                if self.parser.peek() == TokenKind::Semicolon {
                    continue;
                }
            }
            self.parser.advance();
        }
    }

    fn type_item(&mut self, start: Span) -> Option<Item> {
        self.parser.advance();
        let name = self.reference("the name of the type")?;
        let mut constructors = Vec::new();
        if self.parser.eat(TokenKind::Equal).is_some() {
            loop {
                constructors.push(self.reference("a value of the type")?);
                if self.parser.eat(TokenKind::Bar).is_none() {
                    break;
                }
            }
        }
        Some(Item::Type(TypeItem {
            name,
            constructors,
            span: start.to(self.parser.previous_span()),
        }))
    }

    fn constant(&mut self, start: Span) -> Option<Item> {
        self.parser.advance();
        let name = self.reference("the name of the constant")?;
        self.parser
            .expect(TokenKind::Colon, "`:` and the constant's sort")?;
        let sort = self.parser.sort();
        self.parser
            .expect(TokenKind::Equal, "`=` and the constant's value")?;
        let value = self.parser.expression();
        Some(Item::Constant(ConstantItem {
            name,
            sort,
            value,
            span: start.to(self.parser.previous_span()),
        }))
    }

    fn choreography(&mut self, start: Span) -> Option<Item> {
        self.parser.advance();
        let name = self.reference("the name of the choreography")?;
        let lists_roles = self.parser.peek() == TokenKind::LeftBracket;
        let mut services = Vec::new();
        let roles = if lists_roles {
            self.roles_and_services(&mut services)?
        } else {
            self.parser
                .unexpected("`[` and the roles, as in `choreography Shop[buyer, vendor]`");
            if self.parser.peek() == TokenKind::LeftParenthesis {
                self.roles_in_parentheses()
            } else {
                Vec::new()
            }
        };
        let parameters = self.parameters()?;
        let body = self.body("choreography", name)?;
        Some(Item::Choreography(Choreography {
            name,
            roles,
            services,
            lists_roles,
            parameters,
            body,
            span: start.to(self.parser.previous_span()),
        }))
    }

    fn role(&mut self, start: Span) -> Option<Item> {
        self.parser.advance();
        let name = self.reference("the name of the role")?;
        let plays = match self.parser.eat_word("plays") {
            Some(_) => Some(self.reference("the role it plays")?),
            None => None,
        };
        let partners = match self.parser.peek() {
            TokenKind::LeftBracket => Some(self.role_list()?),
            _ => None,
        };
        let parameters = self.parameters()?;
        let body = self.body("role", name)?;
        Some(Item::Role(RoleItem {
            name,
            plays,
            partners,
            parameters,
            body,
            span: start.to(self.parser.previous_span()),
        }))
    }

    fn system(&mut self, start: Span) -> Option<Item> {
        self.parser.advance();
        let name = self.reference("the name of the system")?;
        self.parser
            .expect(TokenKind::Equal, "`=` and the parts of the system")?;
        let mut parts = Vec::new();
        loop {
            parts.push(self.reference("the name of a role or choreography")?);
            if self.parser.peek() == TokenKind::Bar {
                self.parser.unexpected("`||` between the parts");
                return None;
            }
            if self.parser.eat(TokenKind::BarBar).is_none() {
                break;
            }
        }
        let mut hiding = Vec::new();
        if self.parser.eat_word("hiding").is_some() {
            loop {
                hiding.push(self.reference("the message to hide")?);
                if self.parser.eat(TokenKind::Comma).is_none() {
                    break;
                }
            }
        }
        Some(Item::System(System {
            name,
            parts,
            hiding,
            span: start.to(self.parser.previous_span()),
        }))
    }

    /// `[a, b]`
    fn role_list(&mut self) -> Option<Vec<Reference>> {
        self.roles_until_bracket(|parser| parser.reference("a role"))
    }

    /// `[a, service b]`; `service` alone is the name of a role.
    fn roles_and_services(&mut self, services: &mut Vec<Reference>) -> Option<Vec<Reference>> {
        self.roles_until_bracket(|parser| {
            let declared = parser.parser.at_word("service")
                && parser.parser.peek_second() == TokenKind::Identifier;
            if declared {
                parser.parser.advance();
            }
            let role = parser.reference("a role")?;
            if declared {
                services.push(role);
            }
            Some(role)
        })
    }

    fn roles_until_bracket(
        &mut self,
        mut role: impl FnMut(&mut Self) -> Option<Reference>,
    ) -> Option<Vec<Reference>> {
        self.parser
            .expect(TokenKind::LeftBracket, "`[` and the roles")?;
        let mut roles = Vec::new();
        while self.parser.peek() != TokenKind::RightBracket {
            roles.push(role(self)?);
            if self.parser.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.parser
            .expect(TokenKind::RightBracket, "`,` or `]` after the role")?;
        Some(roles)
    }

    /// `(limit: Int)`, or nothing.
    fn parameters(&mut self) -> Option<Vec<Parameter>> {
        let mut parameters = Vec::new();
        if self.parser.eat(TokenKind::LeftParenthesis).is_none() {
            return Some(parameters);
        }
        while self.parser.peek() != TokenKind::RightParenthesis {
            let name = self.reference("a parameter")?;
            self.parser.expect(
                TokenKind::Colon,
                "`:` and the parameter's sort, as in `limit: Int`",
            )?;
            let sort = self.parser.sort();
            parameters.push(Parameter { name, sort });
            if self.parser.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.parser.expect(
            TokenKind::RightParenthesis,
            "`,` or `)` after the parameter",
        )?;
        Some(parameters)
    }

    fn body(&mut self, what: &str, name: Reference) -> Option<Block> {
        if self.parser.peek() != TokenKind::LeftBrace {
            self.parser
                .unexpected(&format!("`{{` and what happens in the {what}"));
            let before = self.parser.previous_span();
            let corrected = format!("{} {{", self.parser.text_of(before));
            self.advise("open the block", before, &corrected);
            return None;
        }
        let open = self.parser.token().span;
        let block = self.block();
        if !self.closed {
            let next = self.parser.token().span;
            let text = self.parser.names.text(name.name);
            let finding = unclosed_block::diagnostic(open, Some((what, text)), next);
            self.parser.diagnostics.push(finding);
        }
        Some(block)
    }

    /// An identifier.
    fn reference(&mut self, expected: &str) -> Option<Reference> {
        let token = self.parser.expect(TokenKind::Identifier, expected)?;
        Some(Reference {
            name: self.intern(token.span),
            span: token.span,
        })
    }

    fn intern(&mut self, span: Span) -> Name {
        let text = self.parser.text_of(span);
        self.parser.names.intern(text)
    }

    /// The next token, if it is a word; empty otherwise.
    fn word(&self) -> &str {
        match self.parser.peek() {
            TokenKind::Identifier => self.parser.text_of(self.parser.token().span),
            _ => "",
        }
    }

    fn text_of_previous(&self) -> &str {
        self.parser.text_of(self.parser.previous_span())
    }

    fn too_many(&self) -> bool {
        self.parser.diagnostics.len() >= MAX_FINDINGS
    }
}
