//! Graphs from text.

use std::collections::BTreeMap;

use choros_base::{Diagnostic, FileId, Name, Span, nearest};
use choros_data::syntax::{Expression, Exprs, Parser, SortExprId, TokenKind, lex, unquote};
use choros_data::{Inference, Scope, Sort, SortKind, Term, Terms, Value};
use rustc_hash::FxHashMap;

use crate::diagnostics::{declared_twice, stg_header, stg_initial, stg_statement};
use crate::stg::label::{
    GUARDS, LabelSyntax, MessageSorts, Receptions, build_guard, parse_guard, parse_label,
};
use crate::stg::{Edge, Ending, NodeId, Stg, StgBuilder};

/// The graph in a text, and what is wrong with the text.
///
/// What is not understood is left out, so that a graph comes back in any case.
pub fn read_stg(file: FileId, text: &str, terms: &mut Terms) -> (Stg, Vec<Diagnostic>) {
    statements(file, text, terms).build(terms)
}

/// The statements of a text.
pub(super) fn statements(file: FileId, text: &str, terms: &mut Terms) -> Reader {
    let mut reader = Reader::default();
    let mut offset = 0;
    let mut whole = true;
    for line in text.split_inclusive('\n') {
        reader.line(file, line, offset, terms);
        offset += line.len() as u32;
        if reader.diagnostics.len() >= MAX_DIAGNOSTICS {
            whole = false;
            break;
        }
    }
    if whole {
        reader.report_missing(file);
    } else if let Some(last) = reader.diagnostics.last_mut() {
        last.notes
            .push("the rest of the file was not read".to_owned());
    }
    reader
}

/// More findings than this in one file tell nothing new.
const MAX_DIAGNOSTICS: usize = 50;

/// The words a statement may begin with.
const WORDS: [&str; 6] = ["stg", "sort", "constant", "variables", "initial", "node"];

#[derive(Default)]
pub(super) struct Reader {
    pub(super) exprs: Exprs,
    diagnostics: Vec<Diagnostic>,
    header: Option<(String, Ending, Span)>,
    /// The name of the graph in the text.
    pub(super) name: Option<Span>,
    initial: Option<(u32, Span)>,
    /// Label of each node that was mentioned, `None` for its number, and where it was given.
    nodes: BTreeMap<u32, Option<(String, Span)>>,
    /// Where nodes are mentioned.
    pub(super) mentions: Vec<(u32, Span)>,
    pub(super) variables: Vec<(Name, Span, SortExprId)>,
    pub(super) constants: Vec<(Name, Span, SortExprId)>,
    /// Declared sorts, each with its values.
    pub(super) sorts: Vec<SortDeclaration>,
    /// Where each variable, constant and sort was declared.
    declared: FxHashMap<Name, Span>,
    pub(super) edges: Vec<(u32, u32, LabelSyntax)>,
    pub(super) ends: Vec<(u32, Option<Expression>, Span)>,
    stuck: Vec<u32>,
}

impl Reader {
    fn line(&mut self, file: FileId, line: &str, offset: u32, terms: &mut Terms) {
        let (tokens, mut findings) = lex(file, line, offset);
        self.diagnostics.append(&mut findings);
        if tokens.len() < 2 {
            return;
        }
        let mut exprs = std::mem::take(&mut self.exprs);
        let mut findings = Vec::new();
        // Sorts are declared in the store at once; names are lent to the parser, so declarations come back.
        let mut parser = Parser::new(
            line,
            offset,
            &tokens,
            &mut terms.names,
            &mut exprs,
            &mut findings,
        );
        let declaration = self.statement(&mut parser);
        if parser.peek() != TokenKind::End && parser.diagnostics.is_empty() {
            parser.unexpected("the end of the line");
        }
        self.exprs = exprs;
        self.diagnostics.append(&mut findings);
        if let Some(declaration) = declaration {
            self.declare_sort(declaration, terms);
        }
    }

    fn statement(&mut self, parser: &mut Parser<'_>) -> Option<SortDeclaration> {
        let start = parser.token();
        if start.kind == TokenKind::Integer {
            self.edge_or_end(parser);
            return None;
        }
        let word = parser.text_of(start.span);
        if start.kind != TokenKind::Identifier || !WORDS.contains(&word) {
            let similar = nearest(word, WORDS);
            parser
                .diagnostics
                .push(stg_statement::diagnostic(start.span, similar));
            return None;
        }
        parser.advance();
        match word {
            "stg" => self.header(parser, start.span),
            "sort" => return self.sort(parser),
            "initial" => {
                let number = self.node_number(parser)?;
                match self.initial {
                    Some((_, before)) => {
                        let span = start.span.to(parser.previous_span());
                        let finding = declared_twice::diagnostic("the initial node", span, before);
                        parser.diagnostics.push(finding);
                    }
                    None => self.initial = Some((number, parser.previous_span())),
                }
            }
            "node" => self.node(parser),
            constants_or_variables => {
                let constants = constants_or_variables == "constant";
                self.sorted_names(parser, constants);
            }
        }
        None
    }

    /// `stg name explicit`.
    fn header(&mut self, parser: &mut Parser<'_>, start: Span) {
        let token = parser.token();
        let text = parser.text_of(token.span);
        let name = match token.kind {
            TokenKind::Identifier | TokenKind::Integer => text.to_owned(),
            TokenKind::Text => unquote(text),
            _ => return parser.unexpected("the name of the graph"),
        };
        parser.advance();
        let ending = if parser.eat_word("explicit").is_some() {
            Ending::Explicit
        } else if parser.eat_word("stopped").is_some() {
            Ending::Stopped
        } else if parser.eat_word("sinks").is_some() {
            Ending::Sinks
        } else {
            return parser.unexpected("`explicit`, `stopped` or `sinks`");
        };
        let span = start.to(parser.previous_span());
        match &self.header {
            Some((_, _, before)) => {
                let finding = declared_twice::diagnostic("the graph", span, *before);
                parser.diagnostics.push(finding);
            }
            None => {
                self.header = Some((name, ending, span));
                self.name = Some(token.span);
            }
        }
    }

    /// `sort Status = OK | KO`, `sort Colour`.
    fn sort(&mut self, parser: &mut Parser<'_>) -> Option<SortDeclaration> {
        let token = parser.expect(TokenKind::Identifier, "the name of the sort")?;
        let name = parser.names.intern(parser.text_of(token.span));
        let mut constructors = Vec::new();
        if parser.eat(TokenKind::Equal).is_some() {
            loop {
                let value = parser.expect(TokenKind::Identifier, "a value of the sort")?;
                constructors.push((parser.names.intern(parser.text_of(value.span)), value.span));
                if parser.eat(TokenKind::Bar).is_none() {
                    break;
                }
            }
        }
        Some(SortDeclaration {
            name,
            span: token.span,
            constructors,
        })
    }

    fn declare_sort(&mut self, declaration: SortDeclaration, terms: &mut Terms) {
        let names = std::iter::once((declaration.name, declaration.span))
            .chain(declaration.constructors.iter().copied());
        for (name, span) in names {
            self.declare(name, span, terms.names.text(name));
        }
        let mut constructors: Vec<Name> = Vec::new();
        for &(constructor, _) in &declaration.constructors {
            if !constructors.contains(&constructor) {
                constructors.push(constructor);
            }
        }
        let kind = if constructors.is_empty() {
            SortKind::Uninterpreted(declaration.name)
        } else {
            SortKind::Enumeration {
                name: declaration.name,
                constructors,
            }
        };
        let known = terms.named_sorts();
        let text = terms.names.text(declaration.name);
        // Another file of the same run may have declared it: the same way is fine, another way is not.
        match known.iter().find(|(name, _)| *name == text) {
            Some(&(_, sort)) if *terms.sort_kind(sort) != kind => {
                let finding = declared_twice::differently(text, declaration.span);
                self.diagnostics.push(finding);
            }
            _ => {
                terms.sort(kind);
            }
        }
        self.sorts.push(declaration);
    }

    /// `x: Int, y: Status`.
    fn sorted_names(&mut self, parser: &mut Parser<'_>, constants: bool) {
        let what = if constants {
            "a constant"
        } else {
            "a variable"
        };
        while let Some(token) = parser.expect(TokenKind::Identifier, what) {
            let text = parser.text_of(token.span);
            let name = parser.names.intern(text);
            if parser.expect(TokenKind::Colon, "`:` and a sort").is_none() {
                return;
            }
            let sort = parser.sort();
            self.declare(name, token.span, text);
            if constants {
                self.constants.push((name, token.span, sort))
            } else {
                self.variables.push((name, token.span, sort))
            }
            if parser.eat(TokenKind::Comma).is_none() {
                return;
            }
        }
    }

    fn declare(&mut self, name: Name, span: Span, text: &str) {
        if let Some(&before) = self.declared.get(&name) {
            let finding = declared_twice::diagnostic(&format!("`{text}`"), span, before);
            self.diagnostics.push(finding);
        }
        self.declared.entry(name).or_insert(span);
    }

    /// `node 2 "label"`.
    fn node(&mut self, parser: &mut Parser<'_>) {
        let Some(number) = self.node_number(parser) else {
            return;
        };
        let Some(token) = parser.eat(TokenKind::Text) else {
            return;
        };
        let label = unquote(parser.text_of(token.span));
        match self.nodes.get(&number) {
            Some(Some((_, before))) => {
                let what = format!("the label of node {number}");
                let finding = declared_twice::diagnostic(&what, token.span, *before);
                parser.diagnostics.push(finding);
            }
            _ => {
                self.nodes.insert(number, Some((label, token.span)));
            }
        }
    }

    /// `0 -> 1: label`, `2: end [guard]`, `2: stuck`.
    fn edge_or_end(&mut self, parser: &mut Parser<'_>) {
        let start = parser.token().span;
        let Some(source) = self.node_number(parser) else {
            return;
        };
        if parser.eat(TokenKind::Arrow).is_some() {
            let Some(target) = self.node_number(parser) else {
                return;
            };
            if parser.expect(TokenKind::Colon, "`:` and a label").is_none() {
                return;
            }
            if let Some(label) = parse_label(parser, Receptions::AsWritten) {
                self.edges.push((source, target, label));
            }
            return;
        }
        if parser
            .expect(TokenKind::Colon, "`->` or `:` after the node")
            .is_none()
        {
            return;
        }
        if parser.eat_word("stuck").is_some() {
            self.stuck.push(source);
        } else if parser.eat_word("end").is_some() {
            let guard = parse_guard(parser);
            let span = start.to(parser.previous_span());
            self.ends.push((source, guard, span));
        } else {
            parser.unexpected("`end` or `stuck`");
        }
    }

    fn node_number(&mut self, parser: &mut Parser<'_>) -> Option<u32> {
        let token = parser.token();
        match parser.text_of(token.span).parse::<u32>() {
            Ok(number) if token.kind == TokenKind::Integer => {
                parser.advance();
                self.nodes.entry(number).or_insert(None);
                self.mentions.push((number, token.span));
                Some(number)
            }
            _ => {
                parser.unexpected("the number of a node");
                None
            }
        }
    }

    fn report_missing(&mut self, file: FileId) {
        let start = Span::new(file, 0, 0);
        if self.header.is_none() {
            self.diagnostics.push(stg_header::missing(start));
        }
        if self.initial.is_none() {
            let place = self.header.as_ref().map_or(start, |(_, _, span)| *span);
            self.diagnostics.push(stg_initial::missing(place));
        }
    }

    fn build(mut self, terms: &mut Terms) -> (Stg, Vec<Diagnostic>) {
        let mut inference = Inference::new(Sort::INT);
        let scope = inference.scope();
        self.infer(&mut inference, scope, terms);
        let (name, ending) = match &self.header {
            Some((name, ending, _)) => (name.clone(), *ending),
            None => (String::new(), Ending::Explicit),
        };
        let initial = match self.initial {
            Some((number, _)) => number,
            None => {
                let first = self.nodes.keys().next().copied().unwrap_or(0);
                self.nodes.entry(first).or_insert(None);
                first
            }
        };
        let mut builder = StgBuilder::new(name, ending);
        let mut ids: FxHashMap<u32, NodeId> = FxHashMap::default();
        for (&number, label) in &self.nodes {
            let label = match label {
                Some((label, _)) => label.clone(),
                None => number.to_string(),
            };
            ids.insert(number, builder.node(label));
        }
        let mut sinks = self.nodes.clone();
        for (source, target, label) in &self.edges {
            sinks.remove(source);
            if let Some(built) = label.build(terms, &self.exprs, &mut inference, scope) {
                let edge = Edge {
                    source: ids[source],
                    target: ids[target],
                    guard: built.guard,
                    event: built.event,
                    updates: built.updates,
                    origin: Some(label.span),
                };
                builder.edge(terms, edge);
            }
        }
        for (node, guard, span) in &self.ends {
            sinks.remove(node);
            let guard = match guard {
                Some(guard) => build_guard(*guard, terms, &self.exprs, &inference),
                None => Some(Term::TRUE),
            };
            if let Some(guard) = guard {
                builder.terminate(terms, ids[node], guard, Some(*span));
            }
        }
        for node in &self.stuck {
            sinks.remove(node);
        }
        if ending == Ending::Sinks {
            for node in sinks.keys() {
                builder.terminate(terms, ids[node], Term::TRUE, None);
            }
        }
        self.diagnostics.append(&mut inference.diagnostics);
        // Sorts are found out after the last line; readers of findings go from top to bottom.
        self.diagnostics.sort_by_key(Diagnostic::primary);
        (builder.finish_as_built(ids[&initial]), self.diagnostics)
    }

    /// Learns the sorts of everything.
    fn infer(&mut self, inference: &mut Inference, scope: Scope, terms: &mut Terms) {
        for &(name, span, sort) in &self.constants {
            if let Some(sort) = inference.written_sort(terms, &self.exprs, sort) {
                match terms.sort_kind(sort) {
                    SortKind::Uninterpreted(_) => {
                        let value = terms.constant(Value::Atom { sort, name });
                        inference.constant(name, value);
                    }
                    _ => {
                        let sort = terms.sort_text(sort);
                        self.diagnostics.push(stg_statement::constant(span, &sort));
                    }
                }
            }
        }
        for &(name, span, sort) in &self.variables {
            let slot = inference.variable(scope, name, span);
            if let Some(sort) = inference.written_sort(terms, &self.exprs, sort) {
                let declared = inference.known(sort, span, "it is declared with this sort");
                inference.unify(terms, slot, span, declared);
            }
        }
        for (_, _, label) in &self.edges {
            label.declare(inference, scope);
        }
        let mut sorts = MessageSorts::default();
        for (_, _, label) in &self.edges {
            label.check(terms, &self.exprs, inference, scope, &mut sorts);
        }
        for (_, guard, _) in &self.ends {
            if let Some(guard) = guard {
                inference.check_guard(terms, &self.exprs, *guard, scope, GUARDS);
            }
        }
    }
}

pub(super) struct SortDeclaration {
    pub(super) name: Name,
    pub(super) span: Span,
    pub(super) constructors: Vec<(Name, Span)>,
}
