//! Statements of DOT that describe a graph; SChorA scripts contain them without the braces around.

use choros_base::{Diagnostic, Span};
use choros_data::syntax::{Expression, Exprs, Parser, Token, TokenKind, lex};
use choros_data::{Inference, Scope, Term, Terms};
use rustc_hash::FxHashMap;

use crate::diagnostics::{dot_statement, stg_initial};
use crate::stg::label::{
    GUARDS, LabelSyntax, MessageSorts, Receptions, build_guard, parse_guard, parse_label,
};
use crate::stg::{Edge, Ending, Stg, StgBuilder};

/// The statements read so far.
///
/// Call [`GraphSyntax::statement`] for each, then [`GraphSyntax::declare`], [`GraphSyntax::check`] and
/// [`GraphSyntax::build`], as for labels ([`crate::stg::label`]).
#[derive(Debug, Default)]
pub struct GraphSyntax {
    nodes: Vec<NodeSyntax>,
    ids: FxHashMap<String, usize>,
    /// The first node that was listed, which is the initial one.
    listed: Option<usize>,
    edges: Vec<(usize, usize, EdgeSyntax, Span)>,
    /// How it ends, where the graph says so.
    ending: Option<Ending>,
}

#[derive(Debug)]
struct NodeSyntax {
    label: String,
    role: NodeRole,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NodeRole {
    State,
    /// A state that does not terminate although nothing leaves it.
    Stuck,
    /// The point from which an arrow leads to the initial node.
    Start,
    /// The target of `√`-edges.
    End,
}

#[derive(Debug)]
enum EdgeSyntax {
    Label(Box<LabelSyntax>),
    Termination(Option<Expression>),
    /// Only an arrow to the initial node has no label.
    Unlabelled,
    /// It was reported.
    Broken,
}

/// What stands in square brackets.
#[derive(Debug, Default)]
struct Attributes {
    label: Option<Token>,
    point: bool,
    comment: Option<String>,
}

impl GraphSyntax {
    /// Reads one statement and the semicolon after it: a node, an edge, or settings of Graphviz.
    ///
    /// Something is read in any case, unless the text is at its end.
    pub fn statement(&mut self, parser: &mut Parser<'_>) {
        let start = parser.token();
        let Some(first) = identifier(parser) else {
            parser
                .diagnostics
                .push(dot_statement::diagnostic(start.span));
            parser.advance();
            parser.skip_to(&[TokenKind::Semicolon, TokenKind::RightBrace]);
            parser.eat(TokenKind::Semicolon);
            return;
        };
        if parser.eat(TokenKind::Equal).is_some() {
            let value = identifier(parser);
            match (first.as_str(), value.as_deref()) {
                ("comment", Some("explicit")) => self.ending = Some(Ending::Explicit),
                ("comment", Some("stopped")) => self.ending = Some(Ending::Stopped),
                _ => {}
            }
        } else if matches!(first.as_str(), "node" | "edge" | "graph")
            && parser.peek() == TokenKind::LeftBracket
        {
            attributes(parser);
        } else if parser.peek() == TokenKind::Arrow {
            self.edge(parser, first, start.span);
        } else {
            let node = self.node(&first);
            let attributes = attributes(parser);
            self.listed = self.listed.or(Some(node));
            self.describe(node, &attributes, parser);
        }
        parser.eat(TokenKind::Semicolon);
    }

    fn describe(&mut self, node: usize, attributes: &Attributes, parser: &Parser<'_>) {
        let node = &mut self.nodes[node];
        if attributes.comment.as_deref() == Some("stuck") {
            node.role = NodeRole::Stuck;
        }
        if attributes.point {
            node.role = NodeRole::Start;
        }
        if let Some(token) = attributes.label {
            let label = unescape(parser.text_of(token.span));
            // Below the first line stand the free variables.
            let label = label.lines().next().unwrap_or("").trim();
            if label == "√" {
                node.role = NodeRole::End;
            }
            if !label.is_empty() {
                node.label = label.to_owned();
            }
        }
    }

    /// `0 -> 1 -> 2 [label="…"]`, after the first node.
    fn edge(&mut self, parser: &mut Parser<'_>, first: String, start: Span) {
        let mut chain = vec![self.node(&first)];
        while parser.eat(TokenKind::Arrow).is_some() {
            match identifier(parser) {
                Some(next) => chain.push(self.node(&next)),
                None => {
                    parser.unexpected("a node");
                    parser.skip_to(&[TokenKind::Semicolon, TokenKind::RightBrace]);
                    return;
                }
            }
        }
        let attributes = attributes(parser);
        let span = start.to(parser.previous_span());
        for ends in chain.windows(2) {
            let label = match attributes.label {
                None => EdgeSyntax::Unlabelled,
                Some(token) => edge_label(parser, token),
            };
            self.edges.push((ends[0], ends[1], label, span));
        }
    }

    fn node(&mut self, id: &str) -> usize {
        if let Some(&node) = self.ids.get(id) {
            return node;
        }
        let node = self.nodes.len();
        self.nodes.push(NodeSyntax {
            label: id.to_owned(),
            role: NodeRole::State,
        });
        self.ids.insert(id.to_owned(), node);
        node
    }

    fn labels(&self) -> impl Iterator<Item = &LabelSyntax> {
        self.edges
            .iter()
            .filter_map(|(_, _, label, _)| match label {
                EdgeSyntax::Label(label) => Some(&**label),
                _ => None,
            })
    }

    /// Makes known which names are variables.
    pub fn declare(&self, inference: &mut Inference, scope: Scope) {
        for label in self.labels() {
            label.declare(inference, scope);
        }
    }

    /// Tells the inference what the labels say about sorts.
    pub fn check(
        &self,
        terms: &mut Terms,
        exprs: &Exprs,
        inference: &mut Inference,
        scope: Scope,
        sorts: &mut MessageSorts,
    ) {
        for label in self.labels() {
            label.check(terms, exprs, inference, scope, sorts);
        }
        for (_, _, label, _) in &self.edges {
            if let EdgeSyntax::Termination(Some(guard)) = label {
                inference.check_guard(terms, exprs, *guard, scope, GUARDS);
            }
        }
    }

    /// The graph; what was reported is left out. `span` is where findings about the whole are put.
    pub fn build(
        &self,
        name: &str,
        span: Span,
        terms: &mut Terms,
        exprs: &Exprs,
        inference: &mut Inference,
        scope: Scope,
    ) -> (Stg, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let ending = self.ending.unwrap_or(Ending::Sinks);
        let mut builder = StgBuilder::new(name, ending);
        let is_state =
            |node: usize| matches!(self.nodes[node].role, NodeRole::State | NodeRole::Stuck);
        let mut ids = vec![None; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            if is_state(index) {
                ids[index] = Some(builder.node(node.label.clone()));
            }
        }
        let mut sink = vec![true; self.nodes.len()];
        let mut pointed_at = None;
        for &(source, target, ref label, place) in &self.edges {
            sink[source] = false;
            match (label, ids[source], ids[target]) {
                (EdgeSyntax::Label(label), Some(source), Some(target)) => {
                    if let Some(built) = label.build(terms, exprs, inference, scope) {
                        let edge = Edge {
                            source,
                            target,
                            guard: built.guard,
                            event: built.event,
                            updates: built.updates,
                            origin: Some(label.span),
                        };
                        builder.edge(terms, edge);
                    }
                }
                (EdgeSyntax::Termination(guard), Some(source), _) => {
                    let guard = match guard {
                        Some(guard) => build_guard(*guard, terms, exprs, inference),
                        None => Some(Term::TRUE),
                    };
                    if let Some(guard) = guard {
                        builder.terminate(terms, source, guard, Some(place));
                    }
                }
                (EdgeSyntax::Unlabelled, None, Some(target)) => {
                    pointed_at = pointed_at.or(Some(target));
                }
                (EdgeSyntax::Broken, ..) => {}
                _ => diagnostics.push(dot_statement::without_label(place)),
            }
        }
        if self.ending.is_none() {
            for (index, node) in self.nodes.iter().enumerate() {
                if let (Some(id), true, NodeRole::State) = (ids[index], sink[index], node.role) {
                    builder.terminate(terms, id, Term::TRUE, None);
                }
            }
        }
        let listed = self.listed.and_then(|node| ids[node]);
        let first = pointed_at
            .or(listed)
            .or_else(|| ids.iter().flatten().next().copied());
        let initial = first.unwrap_or_else(|| {
            diagnostics.push(stg_initial::no_nodes(span));
            builder.node("0")
        });
        (builder.finish_as_built(initial), diagnostics)
    }
}

/// A name, number or string.
fn identifier(parser: &mut Parser<'_>) -> Option<String> {
    let token = parser.token();
    let text = parser.text_of(token.span);
    let id = match token.kind {
        TokenKind::Identifier | TokenKind::Integer | TokenKind::Decimal => text.to_owned(),
        TokenKind::Text => unescape(text),
        _ => return None,
    };
    parser.advance();
    Some(id)
}

/// `[label="…", shape=point]`, if it is there.
fn attributes(parser: &mut Parser<'_>) -> Attributes {
    let mut found = Attributes::default();
    while parser.eat(TokenKind::LeftBracket).is_some() {
        while !matches!(parser.peek(), TokenKind::RightBracket | TokenKind::End) {
            let name = identifier(parser);
            let has_value = parser.eat(TokenKind::Equal).is_some();
            let token = parser.token();
            let value = if has_value { identifier(parser) } else { None };
            match (name.as_deref(), value) {
                (Some("label"), Some(_)) if token.kind == TokenKind::Text => {
                    found.label = Some(token);
                }
                (Some("shape"), Some(shape)) => found.point |= shape == "point",
                (Some("comment"), Some(comment)) => found.comment = Some(comment),
                (Some(_), Some(_)) => {}
                _ => {
                    parser.unexpected("an attribute such as `label=\"…\"`");
                    parser.skip_to(&[TokenKind::RightBracket]);
                }
            }
            if parser.eat(TokenKind::Comma).is_none() {
                parser.eat(TokenKind::Semicolon);
            }
        }
        parser.expect(TokenKind::RightBracket, "`]` after the attributes");
    }
    found
}

/// Reads the label within a string.
fn edge_label(parser: &mut Parser<'_>, token: Token) -> EdgeSyntax {
    let quoted = parser.text_of(token.span);
    let offset = token.span.start().offset + 1;
    // With escapes, places in what follows lie a little before their true ones.
    let text = unescape(quoted);
    let (text, termination) = match text.trim_end().strip_suffix('√') {
        Some(rest) => (rest.to_owned(), true),
        None => (text, false),
    };
    let (tokens, mut findings) = lex(token.span.file(), &text, offset);
    parser.diagnostics.append(&mut findings);
    let mut inner = Parser::new(
        &text,
        offset,
        &tokens,
        parser.names,
        parser.exprs,
        parser.diagnostics,
    );
    let before = inner.diagnostics.len();
    let label = if termination {
        EdgeSyntax::Termination(parse_guard(&mut inner))
    } else {
        match parse_label(&mut inner, Receptions::Bind) {
            Some(label) => EdgeSyntax::Label(Box::new(label)),
            None => return EdgeSyntax::Broken,
        }
    };
    if inner.peek() != TokenKind::End && inner.diagnostics.len() == before {
        inner.unexpected("the end of the label");
    }
    label
}

/// The text of a DOT string, with or without its quotes.
fn unescape(quoted: &str) -> String {
    let inner = quoted.strip_prefix('"').unwrap_or(quoted);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut out = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n' | 'l' | 'r') => out.push('\n'),
                Some(other) => out.push(other),
                None => {}
            },
            other => out.push(other),
        }
    }
    out
}
