//! Text to formula, and which variables are bound where.
//!
//! Precedence, from loose to tight: `implies` (to the right), `or`, `and`, everything with one operand.
//! `$v` binds in the position of a `γ` where `v` has no value yet; everywhere else `$v` and `%v` use a value that is
//! there (section 2.2: a variable of `γ` reaches into the right side of its operator, not into its left side or `χ`).

use choros_base::{Diagnostic, FileId, Name, Names, Span};

use super::cursor::{Cursor, Failed, Parsed};
use super::diagnostics::{misplaced_binder, repeated_variable, unbound_variable};
use super::formula::{
    Actions, Argument, Atom, Formula, Node, NodeId, NodeKind, Quantifier, Until, Variable,
    free_variables,
};
use super::token::TokenKind;

/// Reads one formula that takes up the whole text.
pub fn parse_formula(
    file: FileId,
    text: &str,
    names: &mut Names,
) -> Result<Formula, Vec<Diagnostic>> {
    let mut cursor = Cursor::new(file, text, 0..text.len());
    let formula = formula(&mut cursor, names);
    if formula.is_ok() && !cursor.is_at_end() {
        cursor.unexpected("the end of the formula, `and`, `or` or `implies`");
    }
    match formula {
        Ok(formula) if cursor.diagnostics.is_empty() => Ok(formula),
        _ => Err(cursor.diagnostics),
    }
}

/// Reads a formula and stops after it; mistakes in its variables are reported, and the formula is not to be used.
pub(crate) fn formula(cursor: &mut Cursor<'_>, names: &mut Names) -> Parsed<Formula> {
    let mut parser = Parser {
        cursor,
        names,
        nodes: Vec::new(),
        variables: Vec::new(),
        scope: Vec::new(),
    };
    let root = parser.implies()?;
    Ok(Formula {
        nodes: parser.nodes,
        root,
        variables: parser.variables,
    })
}

/// Words that are not types of actions unless they stand in quotes.
pub(crate) const KEYWORDS: &[&str] = &[
    "true", "false", "not", "and", "or", "implies", "tt", "ff", "tau", "A", "E", "U", "W", "AG",
    "EG", "AF", "EF", "AX", "EX", "AF_", "EF_", "AX_", "EX_",
];

pub(super) struct Parser<'c, 't, 'n> {
    pub(super) cursor: &'c mut Cursor<'t>,
    pub(super) names: &'n mut Names,
    nodes: Vec<Node>,
    variables: Vec<Name>,
    scope: Vec<Variable>,
}

/// Where an action or proposition stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// A `γ`: binders are welcome where they stand alone.
    Gamma,
    /// A `χ`.
    Chi,
    /// A state.
    Proposition,
}

impl Parser<'_, '_, '_> {
    pub(super) fn add(&mut self, kind: NodeKind, from: Span) -> NodeId {
        let to = kind
            .parts()
            .iter()
            .map(|part| self.nodes[part.index()].span)
            .fold(from, Span::to);
        let free = free_variables(&kind, &self.nodes);
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            kind,
            span: to,
            free,
        });
        id
    }

    fn implies(&mut self) -> Parsed<NodeId> {
        let start = self.cursor.span();
        let mut left = self.or()?;
        if self.cursor.eat_word("implies") {
            self.cursor.descend()?;
            let right = self.implies()?;
            self.cursor.rise();
            left = self.add(NodeKind::Implies(left, right), start);
        }
        Ok(left)
    }

    fn or(&mut self) -> Parsed<NodeId> {
        let start = self.cursor.span();
        let mut parts = vec![self.and()?];
        while self.cursor.eat_word("or") {
            parts.push(self.and()?);
        }
        Ok(match parts.len() {
            1 => parts[0],
            _ => self.add(NodeKind::Or(parts), start),
        })
    }

    fn and(&mut self) -> Parsed<NodeId> {
        let start = self.cursor.span();
        let mut parts = vec![self.unary()?];
        while self.cursor.eat_word("and") {
            parts.push(self.unary()?);
        }
        Ok(match parts.len() {
            1 => parts[0],
            _ => self.add(NodeKind::And(parts), start),
        })
    }

    fn unary(&mut self) -> Parsed<NodeId> {
        self.cursor.descend()?;
        let result = self.unary_inside();
        if result.is_ok() {
            self.cursor.rise();
        }
        result
    }

    fn unary_inside(&mut self) -> Parsed<NodeId> {
        if let Some(state) = self.state_formula() {
            return state;
        }
        let token = self.cursor.piece();
        let start = token.span;
        match (token.kind, token.text) {
            (TokenKind::Sign('('), _) => {
                self.cursor.advance();
                let inner = self.implies()?;
                self.cursor.expect_sign(')')?;
                Ok(inner)
            }
            (TokenKind::Sign('['), _) => {
                self.cursor.advance();
                let actions = self.actions(Position::Gamma)?;
                self.cursor.expect_sign(']')?;
                let part = self.under(&actions)?;
                Ok(self.add(NodeKind::Box(actions, part), start))
            }
            (TokenKind::Sign('<'), _) => {
                self.cursor.advance();
                let actions = self.actions(Position::Gamma)?;
                self.cursor.expect_sign('>')?;
                let part = self.under(&actions)?;
                Ok(self.add(NodeKind::Diamond(actions, part), start))
            }
            (TokenKind::Sign('~' | '!'), _) | (TokenKind::Word, "not") => {
                self.cursor.advance();
                let part = self.unary()?;
                Ok(self.add(NodeKind::Not(part), start))
            }
            (TokenKind::Word, "true" | "false") => {
                self.cursor.advance();
                let value = token.text == "true";
                Ok(self.add(NodeKind::Constant(value), start))
            }
            (TokenKind::Word, "AG" | "EG") => {
                self.cursor.advance();
                let part = self.unary()?;
                Ok(self.add(NodeKind::Always(quantifier(token.text), part), start))
            }
            (TokenKind::Word, "AF" | "EF" | "AF_" | "EF_") => {
                self.cursor.advance();
                let actions = self.braced(Position::Gamma)?;
                let part = match &actions {
                    Some(actions) => self.under(actions)?,
                    None => self.unary()?,
                };
                let kind = NodeKind::Eventually(quantifier(token.text), actions, part);
                Ok(self.add(kind, start))
            }
            (TokenKind::Word, "AX" | "EX" | "AX_" | "EX_") => {
                self.cursor.advance();
                let actions = self.braced(Position::Gamma)?;
                let actions = actions.unwrap_or(Actions::Constant(true));
                let part = self.under(&actions)?;
                let kind = NodeKind::Next(quantifier(token.text), actions, part);
                Ok(self.add(kind, start))
            }
            (TokenKind::Word, "A" | "E") => {
                self.cursor.advance();
                let (open, close) = match self.cursor.peek() {
                    TokenKind::Sign('(') => ('(', ')'),
                    _ => ('[', ']'),
                };
                self.cursor.expect_sign(open)?;
                let until = self.until(quantifier(token.text))?;
                let end = self.cursor.expect_sign(close)?;
                Ok(self.add(NodeKind::Until(Box::new(until)), start.to(end)))
            }
            (TokenKind::Word, word) if !KEYWORDS.contains(&word) => self.proposition(),
            (TokenKind::Quoted, _) => self.proposition(),
            _ => Err(self.cursor.unexpected("a formula")),
        }
    }

    fn proposition(&mut self) -> Parsed<NodeId> {
        let atom = self.atom(Position::Proposition)?;
        let span = atom.span;
        Ok(self.add(NodeKind::Proposition(atom), span))
    }

    fn until(&mut self, quantifier: Quantifier) -> Parsed<Until> {
        let left = self.implies()?;
        let steps = self
            .braced(Position::Chi)?
            .unwrap_or(Actions::Constant(true));
        let weak = match self.cursor.piece().text {
            "U" => false,
            "W" => true,
            _ => return Err(self.cursor.unexpected("`U` or `W`")),
        };
        self.cursor.advance();
        let last = self.braced(Position::Gamma)?;
        let known = self.scope.len();
        if let Some(last) = &last {
            self.scope.extend(last.binders());
        }
        let right = self.implies()?;
        self.scope.truncate(known);
        Ok(Until {
            quantifier,
            left,
            steps,
            weak,
            last,
            right,
        })
    }

    /// The operand of an operator whose action formula may bind variables.
    fn under(&mut self, actions: &Actions) -> Parsed<NodeId> {
        let known = self.scope.len();
        self.scope.extend(actions.binders());
        let part = self.unary()?;
        self.scope.truncate(known);
        Ok(part)
    }

    fn braced(&mut self, position: Position) -> Parsed<Option<Actions>> {
        if !self.cursor.take_sign('{') {
            return Ok(None);
        }
        let actions = self.actions(position)?;
        self.cursor.expect_sign('}')?;
        Ok(Some(actions))
    }

    fn actions(&mut self, position: Position) -> Parsed<Actions> {
        let actions = self.action_or(position)?;
        if !matches!(actions, Actions::Atom(_)) {
            for atom in actions.atoms() {
                for argument in &atom.arguments {
                    if let Argument::Binder(variable) = argument {
                        let name = self.names.text(self.variables[variable.index()]);
                        self.cursor
                            .diagnostics
                            .push(misplaced_binder::in_connective(atom.span, name));
                    }
                }
            }
        }
        Ok(actions)
    }

    fn action_or(&mut self, position: Position) -> Parsed<Actions> {
        let mut parts = vec![self.action_and(position)?];
        while self.cursor.eat_word("or") {
            parts.push(self.action_and(position)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Actions::Or(parts),
        })
    }

    fn action_and(&mut self, position: Position) -> Parsed<Actions> {
        let mut parts = vec![self.action_unary(position)?];
        while self.cursor.eat_word("and") {
            parts.push(self.action_unary(position)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Actions::And(parts),
        })
    }

    fn action_unary(&mut self, position: Position) -> Parsed<Actions> {
        self.cursor.descend()?;
        let token = self.cursor.piece();
        let constant = match (token.kind, token.text) {
            (TokenKind::Word, "tt" | "true") => Some(Actions::Constant(true)),
            (TokenKind::Word, "ff" | "false") => Some(Actions::Constant(false)),
            (TokenKind::Word, "tau") => Some(Actions::Silent),
            _ => None,
        };
        let actions = match (token.kind, token.text) {
            (TokenKind::Sign('('), _) => {
                self.cursor.advance();
                let inner = self.action_or(position)?;
                self.cursor.expect_sign(')')?;
                inner
            }
            (TokenKind::Sign('~' | '!'), _) | (TokenKind::Word, "not") => {
                self.cursor.advance();
                Actions::Not(Box::new(self.action_unary(position)?))
            }
            (TokenKind::Word, word) if constant.is_none() && !KEYWORDS.contains(&word) => {
                Actions::Atom(self.atom(position)?)
            }
            (TokenKind::Quoted, _) => Actions::Atom(self.atom(position)?),
            _ => match constant {
                Some(constant) => {
                    self.cursor.advance();
                    constant
                }
                None => return Err(self.cursor.unexpected("an action, `tt`, `tau` or `not`")),
            },
        };
        self.cursor.rise();
        Ok(actions)
    }

    fn atom(&mut self, position: Position) -> Parsed<Atom> {
        let token = self.cursor.take();
        let kind = self.names.intern(token.text);
        let mut span = token.span;
        let mut arguments = Vec::new();
        let mut here: Vec<(Name, Variable)> = Vec::new();
        if self.cursor.take_sign('(') {
            while !self.cursor.is_sign(')') {
                let argument = self.argument(position, &mut here)?;
                arguments.push(argument);
                if !self.cursor.take_sign(',') {
                    break;
                }
            }
            span = span.to(self.cursor.expect_sign(')')?);
        }
        let mut conditions = Vec::new();
        if position != Position::Proposition && self.cursor.eat_word("where") {
            conditions = self.conditions(&here)?;
        }
        Ok(Atom {
            kind,
            arguments,
            conditions,
            span,
        })
    }

    /// The variable of a name that has a value here.
    pub(super) fn known(&self, name: Name) -> Option<Variable> {
        let mut scope = self.scope.iter().rev();
        let known = scope.find(|variable| self.variables[variable.index()] == name);
        known.copied()
    }

    pub(super) fn bound_names(&self) -> Vec<String> {
        let scope = self.scope.iter();
        let names = scope.map(|it| self.names.text(self.variables[it.index()]).to_owned());
        names.collect()
    }

    /// `here` are the binders of the same tuple.
    fn argument(
        &mut self,
        position: Position,
        here: &mut Vec<(Name, Variable)>,
    ) -> Parsed<Argument> {
        let token = self.cursor.piece();
        let name = match token.kind {
            TokenKind::Word | TokenKind::Quoted => {
                self.cursor.advance();
                return Ok(Argument::Value(self.names.intern(token.text)));
            }
            TokenKind::Dollar | TokenKind::Percent if !token.text.is_empty() => {
                self.cursor.advance();
                self.names.intern(token.text)
            }
            _ => return Err(self.cursor.unexpected("a value or a variable such as `$v`")),
        };
        if let Some(variable) = self.known(name) {
            return Ok(Argument::Use(variable));
        }
        if let Some(&(_, variable)) = here.iter().find(|(other, _)| *other == name) {
            self.cursor
                .diagnostics
                .push(repeated_variable::diagnostic(token.span, token.text));
            return Ok(Argument::Use(variable));
        }
        let complaint = match (token.kind, position) {
            (TokenKind::Dollar, Position::Gamma) => None,
            (TokenKind::Dollar, Position::Chi) => {
                Some(misplaced_binder::in_steps(token.span, token.text))
            }
            (TokenKind::Dollar, Position::Proposition) => {
                Some(misplaced_binder::in_proposition(token.span, token.text))
            }
            _ => {
                let bound = self.bound_names();
                let bound: Vec<&str> = bound.iter().map(String::as_str).collect();
                Some(unbound_variable::diagnostic(token.span, token.text, &bound))
            }
        };
        let variable = Variable(self.variables.len() as u32);
        self.variables.push(name);
        match complaint {
            None => {
                here.push((name, variable));
                Ok(Argument::Binder(variable))
            }
            Some(complaint) => {
                self.cursor.diagnostics.push(complaint);
                Ok(Argument::Use(variable))
            }
        }
    }
}

fn quantifier(word: &str) -> Quantifier {
    if word.starts_with('A') {
        Quantifier::All
    } else {
        Quantifier::Some
    }
}

/// Skips to after the next `;`, or to a `}` or the end.
pub(crate) fn skip_statement(cursor: &mut Cursor<'_>, _failed: Failed) {
    cursor.surface();
    let mut open = 0usize;
    while !cursor.is_at_end() {
        match cursor.peek() {
            TokenKind::Sign(';') if open == 0 => {
                cursor.advance();
                return;
            }
            TokenKind::Sign('{') => open += 1,
            TokenKind::Sign('}') if open == 0 => return,
            TokenKind::Sign('}') => open -= 1,
            _ => {}
        }
        cursor.advance();
    }
}
