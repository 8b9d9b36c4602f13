//! Text to formula, and which variables are bound where.
//!
//! Precedence, from loose to tight: `implies` (to the right), `or`, `and`, everything with one operand.
//! `$v` binds in the position of a `γ` where `v` has no value yet; everywhere else `$v` and `%v` use a value that is
//! there (section 2.2: a variable of `γ` reaches into the right side of its operator, not into its left side or `χ`).

use choros_base::{Diagnostic, Name, Names, Span};

use super::cursor::{Cursor, Failed, Parsed};
use super::diagnostics::{misplaced_binder, repeated_variable, unbound_variable};
use super::formula::{
    Actions, Argument, Atom, Node, NodeId, NodeKind, Quantifier, Until, Variable, free_variables,
};
use super::token::TokenKind;

/// Words that are not types of actions unless they stand in quotes.
pub(crate) const KEYWORDS: &[&str] = &[
    "true", "false", "not", "and", "or", "implies", "tt", "ff", "tau", "A", "E", "U", "W", "AG",
    "EG", "AF", "EF", "AX", "EX", "AF_", "EF_", "AX_", "EX_",
];

pub(super) struct Parser<'c, 't, 'n> {
    pub(super) cursor: &'c mut Cursor<'t>,
    pub(super) names: &'n mut Names,
    pub(super) nodes: Vec<Node>,
    pub(super) variables: Vec<Name>,
    pub(super) scope: Vec<Variable>,
    /// The variables of the sentence that is being read.
    pub(super) sentence_variables: Vec<(Name, Variable)>,
    /// Binders of the action that is being read, where only its own condition may read them.
    suspects: Vec<(Variable, Diagnostic)>,
    /// Sentences that are about all values of some of their variables.
    pub(super) quantified: Vec<(NodeId, Vec<Variable>, Span)>,
    pub(super) has_sentences: bool,
    /// Parts of sentences that only forbid something.
    pub(super) forbidding: Vec<NodeId>,
}

/// Where an action or proposition stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// A `γ`: binders are welcome where they stand alone.
    Gamma,
    /// A `χ`.
    Chi,
    /// A state.
    Proposition,
    /// Steps of a sentence, which decides later what binds.
    Event,
}

impl<'c, 't, 'n> Parser<'c, 't, 'n> {
    pub(super) fn new(cursor: &'c mut Cursor<'t>, names: &'n mut Names) -> Self {
        Parser {
            cursor,
            names,
            nodes: Vec::new(),
            variables: Vec::new(),
            scope: Vec::new(),
            sentence_variables: Vec::new(),
            suspects: Vec::new(),
            quantified: Vec::new(),
            has_sentences: false,
            forbidding: Vec::new(),
        }
    }
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

    pub(super) fn implies(&mut self) -> Parsed<NodeId> {
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

    pub(super) fn unary(&mut self) -> Parsed<NodeId> {
        self.cursor.descend()?;
        let result = self.unary_inside();
        if result.is_ok() {
            self.cursor.rise();
        }
        result
    }

    fn unary_inside(&mut self) -> Parsed<NodeId> {
        if let Some(sentence) = self.sentence() {
            return sentence;
        }
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
        if let Some(last @ Actions::Atom(_)) = &last {
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
        // Within a connective a binder is for the condition of its own action.
        if matches!(actions, Actions::Atom(_)) {
            self.scope.extend(actions.binders());
        }
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

    pub(super) fn actions(&mut self, position: Position) -> Parsed<Actions> {
        let actions = self.action_or(position)?;
        if !matches!(actions, Actions::Atom(_)) {
            for atom in actions.atoms() {
                for argument in &atom.arguments {
                    if let Argument::Binder(variable) = argument
                        && !atom.reads(*variable)
                    {
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

    pub(super) fn action_unary(&mut self, position: Position) -> Parsed<Actions> {
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
        let (mut span, name_span) = (token.span, token.span);
        let (mut arguments, mut labels) = (Vec::new(), Vec::new());
        let mut here: Vec<(Name, Variable)> = Vec::new();
        if self.cursor.take_sign('(') {
            while !self.cursor.is_sign(')') {
                labels.push(self.label());
                let argument = self.argument(position, &mut here)?;
                arguments.push(argument);
                if !self.cursor.take_sign(',') {
                    break;
                }
            }
            span = span.to(self.cursor.expect_sign(')')?);
        }
        if labels.iter().all(Option::is_none) {
            labels.clear();
        }
        let mut conditions = Vec::new();
        let suspects = std::mem::take(&mut self.suspects);
        if position != Position::Proposition && self.cursor.eat_word("where") {
            if position == Position::Event {
                here.extend(&self.sentence_variables);
            }
            conditions = self.conditions(&here)?;
        }
        let atom = Atom {
            kind,
            arguments,
            labels,
            conditions,
            span,
            name_span,
        };
        let suspects = suspects.into_iter().filter(|it| !atom.reads(it.0));
        let complaints = suspects.map(|it| it.1);
        self.cursor.diagnostics.extend(complaints);
        Ok(atom)
    }

    /// `field =` before an argument.
    fn label(&mut self) -> Option<Name> {
        let is_label = self.cursor.peek() == TokenKind::Word
            && self.cursor.peek_second() == TokenKind::Sign('=');
        is_label.then(|| {
            let token = self.cursor.take();
            self.cursor.advance();
            self.names.intern(token.text)
        })
    }

    pub(super) fn new_variable(&mut self, name: Name) -> Variable {
        let variable = Variable(self.variables.len() as u32);
        self.variables.push(name);
        variable
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
            TokenKind::Sign('*') => {
                self.cursor.advance();
                return Ok(Argument::Any);
            }
            TokenKind::Dollar | TokenKind::Percent if !token.text.is_empty() => {
                self.cursor.advance();
                self.names.intern(token.text)
            }
            _ => {
                let expected = "a value, a variable such as `$v` or `*`";
                return Err(self.cursor.unexpected(expected));
            }
        };
        if let Some(path) = self.fields() {
            let mut known = self.sentence_variables.iter();
            let known = known.find(|(other, _)| *other == name).map(|it| it.1);
            if let Some(variable) = self.known(name).or(known) {
                return Ok(Argument::Part(variable, path));
            }
            let bound = self.bound_names();
            let bound: Vec<&str> = bound.iter().map(String::as_str).collect();
            let found = unbound_variable::diagnostic(token.span, token.text, &bound);
            self.cursor.diagnostics.push(found);
            return Ok(Argument::Any);
        }
        if let Some(variable) = self.known(name) {
            return Ok(Argument::Use(variable));
        }
        if let Some(&(_, variable)) = here.iter().find(|(other, _)| *other == name) {
            self.cursor
                .diagnostics
                .push(repeated_variable::diagnostic(token.span, token.text));
            return Ok(Argument::Use(variable));
        }
        if position == Position::Event {
            let mut known = self.sentence_variables.iter();
            let known = known.find(|(other, _)| *other == name).map(|it| it.1);
            let variable = known.unwrap_or_else(|| self.new_variable(name));
            if known.is_none() {
                self.sentence_variables.push((name, variable));
            }
            here.push((name, variable));
            return Ok(Argument::Use(variable));
        }
        let variable = self.new_variable(name);
        let complaint = match (token.kind, position) {
            (TokenKind::Dollar, Position::Gamma) => None,
            (TokenKind::Dollar, Position::Chi) => {
                let complaint = misplaced_binder::in_steps(token.span, token.text);
                self.suspects.push((variable, complaint));
                None
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
