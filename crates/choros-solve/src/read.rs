//! Reading problems.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use choros_base::{Diagnostic, Name, Span, has_errors, nearest};
use choros_data::syntax::{
    Expression, Exprs, Parser, SortExpr, SortExprId, TokenKind, lex, unquote,
};
use choros_data::{Inference, Sort, SortKind, Terms};

use crate::problem_declaration;
use crate::{Problem, ProblemVariable, VariableContent};
use choros_xml::diagnostics::{declared_twice, unknown_prefix};
use choros_xml::document::{Library, Namespaces, QName, relative};
use choros_xml::schema::XSD;
use choros_xml::wsdl::Definitions;
use choros_xml::xpath::{ExpressionPurpose, Scope, VariableType, WrittenExpression, Xpath};

/// Reads a problem and the documents it imports; `None` when something is wrong, which the library was told.
pub fn read(
    library: &mut Library<'_>,
    terms: &mut Terms,
    path: &str,
    text: &str,
) -> Option<Problem> {
    let before = library.diagnostics.len();
    let file = library.sources.add(path, text);
    let (tokens, mut diagnostics) = lex(file, text, 0);
    let mut exprs = Exprs::default();
    let mut parser = Parser::new(
        text,
        0,
        &tokens,
        &mut terms.names,
        &mut exprs,
        &mut diagnostics,
    );
    let lines = lines(&mut parser);
    library.diagnostics.append(&mut diagnostics);
    let mut reader = Reader {
        library,
        terms,
        path,
        exprs: &exprs,
        namespaces: Namespaces::default(),
        types: BTreeMap::new(),
        places: BTreeMap::new(),
        has_broken_imports: false,
        problem: Problem {
            variables: Vec::new(),
            words: None,
            assertions: Vec::new(),
            definitions: Definitions::default(),
        },
    };
    reader.namespaces.bind("xs", XSD);
    reader.declarations(&lines);
    reader.assertions(&lines);
    let problem = reader.problem;
    (!has_errors(&library.diagnostics[before..])).then_some(problem)
}

/// A line, as it is written.
enum Line {
    Import(String, Span),
    Namespace(String, String),
    Type(Name, SortExprId, Span),
    Words(Vec<String>, Span),
    Variable(Name, WrittenType, Span),
    Assert(Expression),
    Xpath(String, Span),
}

/// A written type: a sort, or a name of a document.
enum WrittenType {
    Sort(SortExprId),
    Qualified(String, String, Span),
}

const ITEMS: &str = "`import`, `namespace`, `type`, `words`, `var`, `assert` or `xpath`";

fn lines(parser: &mut Parser<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    while parser.peek() != TokenKind::End {
        let position = parser.position();
        if parser.eat(TokenKind::Semicolon).is_some() {
            continue;
        }
        lines.extend(line(parser));
        if parser.position() == position {
            parser.unexpected(ITEMS);
            parser.advance();
            skip_to_line(parser);
        }
    }
    lines
}

fn skip_to_line(parser: &mut Parser<'_>) {
    let words = [
        "import",
        "namespace",
        "type",
        "words",
        "var",
        "assert",
        "xpath",
    ];
    while parser.peek() != TokenKind::End && !words.iter().any(|word| parser.at_word(word)) {
        parser.advance();
    }
}

fn text(parser: &mut Parser<'_>, expected: &str) -> Option<(String, Span)> {
    let token = parser.expect(TokenKind::Text, expected)?;
    Some((unquote(parser.text_of(token.span)), token.span))
}

fn line(parser: &mut Parser<'_>) -> Option<Line> {
    if parser.eat_word("import").is_some() {
        let (location, span) = text(parser, "the path of a document in quotes")?;
        return Some(Line::Import(location, span));
    }
    if parser.eat_word("namespace").is_some() {
        let prefix = parser.expect(TokenKind::Identifier, "a prefix")?;
        let prefix = parser.text_of(prefix.span).to_owned();
        parser.expect(TokenKind::Equal, "`=`")?;
        let (namespace, _) = text(parser, "a namespace in quotes")?;
        return Some(Line::Namespace(prefix, namespace));
    }
    if parser.eat_word("type").is_some() {
        let token = parser.expect(TokenKind::Identifier, "the name of the type")?;
        let name = parser.names.intern(parser.text_of(token.span));
        parser.expect(TokenKind::Equal, "`=`")?;
        return Some(Line::Type(name, parser.sort(), token.span));
    }
    if let Some(start) = parser.eat_word("words") {
        let mut words = vec![text(parser, "a word in quotes")?.0];
        while parser.eat(TokenKind::Comma).is_some() {
            words.push(text(parser, "a word in quotes")?.0);
        }
        return Some(Line::Words(words, start.span));
    }
    if parser.eat_word("var").is_some() {
        let token = parser.expect(TokenKind::Identifier, "the name of the variable")?;
        let name = parser.names.intern(parser.text_of(token.span));
        parser.expect(TokenKind::Colon, "`:` and the variable's type")?;
        if parser.peek() == TokenKind::Identifier && parser.peek_second() == TokenKind::Colon {
            let prefix = parser.advance();
            parser.advance();
            let local = match parser.peek() {
                TokenKind::Text => parser.advance(),
                _ => parser.expect(TokenKind::Identifier, "a name, in quotes if it has dashes")?,
            };
            let span = prefix.span.to(local.span);
            let prefix = parser.text_of(prefix.span).to_owned();
            let local = match local.kind {
                TokenKind::Text => unquote(parser.text_of(local.span)),
                _ => parser.text_of(local.span).to_owned(),
            };
            let holds = WrittenType::Qualified(prefix, local, span);
            return Some(Line::Variable(name, holds, token.span));
        }
        return Some(Line::Variable(
            name,
            WrittenType::Sort(parser.sort()),
            token.span,
        ));
    }
    if parser.eat_word("assert").is_some() {
        return Some(Line::Assert(parser.expression()));
    }
    if parser.eat_word("xpath").is_some() {
        let (expression, span) = text(parser, "an expression in quotes")?;
        return Some(Line::Xpath(expression, span));
    }
    None
}

struct Reader<'r, 's> {
    library: &'r mut Library<'s>,
    terms: &'r mut Terms,
    path: &'r str,
    exprs: &'r Exprs,
    namespaces: Namespaces,
    types: BTreeMap<String, Sort>,
    places: BTreeMap<String, Span>,
    has_broken_imports: bool,
    problem: Problem,
}

impl Reader<'_, '_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.library.report(diagnostic);
    }

    /// Documents and prefixes first: they may be named before they are brought.
    fn declarations(&mut self, lines: &[Line]) {
        let before = self.library.diagnostics.len();
        for line in lines {
            match line {
                Line::Namespace(prefix, namespace) => {
                    self.namespaces.bind(prefix.as_str(), namespace.as_str());
                }
                Line::Import(location, span) => {
                    let path = relative(self.path, location);
                    self.problem
                        .definitions
                        .read(self.library, &path, Some(*span));
                }
                _ => {}
            }
        }
        self.has_broken_imports = has_errors(&self.library.diagnostics[before..]);
        for line in lines {
            match line {
                Line::Type(name, sort, span) => self.declare_type(*name, *sort, *span),
                Line::Words(words, span) => {
                    let mut unique = BTreeSet::new();
                    let words = words
                        .iter()
                        .filter(|word| unique.insert(word.as_str()))
                        .map(|word| Arc::from(word.as_str()))
                        .collect();
                    if self.problem.words.replace(words).is_some() {
                        self.report(problem_declaration::diagnostic(
                            "the words are listed twice",
                            *span,
                            "again here",
                        ));
                    }
                }
                Line::Variable(name, holds, span) => self.declare_variable(*name, holds, *span),
                _ => {}
            }
        }
    }

    fn declare_type(&mut self, name: Name, sort: SortExprId, span: Span) {
        let text = self.terms.names.text(name).to_owned();
        let Some(sort) = self.sort(sort) else {
            return;
        };
        if let Some(&first) = self.places.get(&format!("type {text}")) {
            self.report(declared_twice::diagnostic("type", &text, first, span));
            return;
        }
        self.places.insert(format!("type {text}"), span);
        self.types.insert(text, sort);
    }

    /// The sort that is written; types of this file come before built-in sorts.
    fn sort(&mut self, id: SortExprId) -> Option<Sort> {
        // Depth is limited by the parser.
        match self.exprs.sort(id).clone() {
            SortExpr::Error => None,
            SortExpr::List(element) => {
                let element = self.sort(element)?;
                Some(self.terms.list_sort(element))
            }
            SortExpr::Record(fields) => {
                let mut sorts = Vec::new();
                for (label, sort) in fields {
                    sorts.push((label, self.sort(sort)?));
                }
                Some(self.terms.sort(SortKind::Record(sorts)))
            }
            SortExpr::Named(name, span) => {
                let text = self.terms.names.text(name).to_owned();
                let built_in = match text.as_str() {
                    "Bool" => Some(Sort::BOOL),
                    "Int" => Some(Sort::INT),
                    "Real" => Some(Sort::REAL),
                    "String" => Some(Sort::STRING),
                    _ => None,
                };
                if let Some(sort) = self.types.get(&text).copied().or(built_in) {
                    return Some(sort);
                }
                let known = self.types.keys().map(String::as_str);
                let near = nearest(&text, known.chain(["Bool", "Int", "Real", "String"]))
                    .map(str::to_owned);
                let diagnostic = problem_declaration::diagnostic(
                    format!("no type is called `{text}`"),
                    span,
                    "not declared above",
                );
                self.report(match near {
                    Some(near) => {
                        diagnostic.suggest("a type with a similar name exists", span, near)
                    }
                    None => diagnostic,
                });
                None
            }
        }
    }

    fn declare_variable(&mut self, name: Name, holds: &WrittenType, span: Span) {
        let text = self.terms.names.text(name).to_owned();
        if let Some(&first) = self.places.get(&format!("var {text}")) {
            self.report(declared_twice::diagnostic("variable", &text, first, span));
            return;
        }
        self.places.insert(format!("var {text}"), span);
        let found = match holds {
            WrittenType::Sort(id) => self.sort(*id).map(|sort| (sort, VariableContent::Sort)),
            WrittenType::Qualified(prefix, local, span) => self.qualified(prefix, local, *span),
        };
        if let Some((sort, holds)) = found {
            let variable = self.terms.variable(name, sort);
            self.problem.variables.push(ProblemVariable {
                name: text,
                variable,
                holds,
                span,
            });
        }
    }

    /// A type, an element or a message of a document.
    fn qualified(
        &mut self,
        prefix: &str,
        local: &str,
        span: Span,
    ) -> Option<(Sort, VariableContent)> {
        let Some(namespace) = self.namespaces.of(prefix).cloned() else {
            self.report(unknown_prefix::diagnostic(prefix, &self.namespaces, span));
            return None;
        };
        let name = QName::new(namespace, local);
        let definitions = &mut self.problem.definitions;
        let is_declared = definitions.schema.has_element(&name)
            || definitions.schema.has_type(&name)
            || definitions.messages.contains_key(&name);
        if !is_declared && self.has_broken_imports {
            // It may stand in the document that could not be read, of which enough was said.
            return None;
        }
        if definitions.schema.has_element(&name) {
            let id = definitions
                .schema
                .element_type(self.library, self.terms, &name, span)?;
            let sort = definitions.schema.get(id).sort;
            return Some((sort, VariableContent::Element(name, id)));
        }
        if definitions.messages.contains_key(&name) && !definitions.schema.has_type(&name) {
            let shape = definitions.message(self.library, self.terms, &name, span)?;
            return Some((shape.sort, VariableContent::Message(shape)));
        }
        let id = definitions
            .schema
            .named_type(self.library, self.terms, &name, span)?;
        Some((definitions.schema.get(id).sort, VariableContent::Type(id)))
    }

    fn assertions(&mut self, lines: &[Line]) {
        let mut inference = Inference::new(Sort::INT);
        let scope = inference.scope();
        for variable in &self.problem.variables {
            let name = self.terms.variable_name(variable.variable);
            let slot = inference.variable(scope, name, variable.span);
            let sort = self.terms.variable_sort(variable.variable);
            let known = inference.known(sort, variable.span, "the variable is declared so");
            inference.unify(self.terms, slot, variable.span, known);
        }
        let mut checked = Vec::new();
        for line in lines {
            if let Line::Assert(expression) = line
                && self.names_are_declared(*expression)
            {
                let why = "it is asserted";
                inference.check_guard(self.terms, self.exprs, *expression, scope, why);
                checked.push(*expression);
            }
        }
        let is_sound = !has_errors(&inference.diagnostics);
        self.library.diagnostics.append(&mut inference.diagnostics);
        for expression in checked {
            if let (Some(term), true) = (
                inference.build(self.terms, self.exprs, expression),
                is_sound,
            ) {
                let term = self.terms.close(term);
                self.problem.assertions.push((term, expression.span));
            }
        }
        for line in lines {
            if let Line::Xpath(text, span) = line {
                self.xpath(text, *span);
            }
        }
    }

    fn names_are_declared(&mut self, expression: Expression) -> bool {
        let mut is_sound = true;
        for (name, span) in self.exprs.names(expression) {
            let text = self.terms.names.text(name).to_owned();
            let variables = &self.problem.variables;
            let is_constant = text.starts_with(char::is_uppercase);
            // A variable whose declaration is wrong was reported there.
            let is_known = self.places.contains_key(&format!("var {text}"));
            if is_constant || is_known {
                is_sound &= is_constant || variables.iter().any(|one| one.name == text);
                continue;
            }
            is_sound = false;
            let near = nearest(&text, variables.iter().map(|one| one.name.as_str()));
            let near = near.map(str::to_owned);
            let diagnostic = problem_declaration::diagnostic(
                format!("no variable is called `{text}`"),
                span,
                "not declared",
            );
            self.report(match near {
                Some(near) => {
                    diagnostic.suggest("a variable with a similar name exists", span, near)
                }
                None => diagnostic,
            });
        }
        is_sound
    }

    fn xpath(&mut self, text: &str, span: Span) {
        let mut types: BTreeMap<Arc<str>, VariableType> = BTreeMap::new();
        let mut terms_of = BTreeMap::new();
        for variable in &self.problem.variables {
            let held = match &variable.holds {
                // Sorts without a schema have no names of elements.
                VariableContent::Sort => continue,
                VariableContent::Type(id) | VariableContent::Element(_, id) => {
                    VariableType::Holds(*id)
                }
                VariableContent::Message(shape) => VariableType::Message(shape.clone()),
            };
            let name: Arc<str> = variable.name.as_str().into();
            types.insert(name.clone(), held);
            terms_of.insert(name, self.terms.var(variable.variable));
        }
        let range = span.range();
        let inner = Span::new(span.file(), range.start as u32 + 1, range.end as u32 - 1);
        let written = WrittenExpression {
            text: text.into(),
            span: inner,
            namespaces: self.namespaces.clone(),
        };
        let scope = Scope {
            definitions: &self.problem.definitions,
            variables: &types,
            context: None,
        };
        let (xpath, mut found) = Xpath::read(&written, scope, ExpressionPurpose::Condition);
        self.library.diagnostics.append(&mut found);
        let Some(xpath) = xpath else {
            return;
        };
        match xpath.condition(self.terms, &terms_of, None) {
            Ok(condition) => {
                let condition = self.terms.close(condition);
                self.problem.assertions.push((condition, span));
            }
            Err(diagnostic) => self.report(*diagnostic),
        }
    }
}
