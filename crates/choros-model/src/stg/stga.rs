//! Graphs with assignments in XML, as Prop-tester writes them (Definitions 11 and 12 of Nguyen's thesis).
//!
//! ```text
//! STGA@name,@initstate
//!   states/state@name
//!   transitions/transition
//!     source, destination             names of states
//!     guard                           an expression
//!     event@type=external|internal    name, sender, receiver, direction, data/<variable>label</variable>
//!     actions/action_k                variable := expression
//! ```
//!
//! A reception binds its variables; a sending carries values that were known before.
//! An interaction does so too, except for variables that nothing on the way to it gives a value or asks for: those it
//! binds, because otherwise the first message of a choreography would fix its data once for all runs.
//! Labels are paths (`country/code`).
//! States without outgoing transitions terminate.
//! Numbers are Int where nothing says otherwise, as in all models, and what nothing is known of has values of which
//! only equality is known.

use choros_base::{Diagnostic, FileId, Name, Span};
use choros_data::syntax::{ExprKind, Expression, Exprs, Parser, TokenKind, lex};
use choros_data::{Inference, Sort, Terms};
use roxmltree::{Document, Node};
use rustc_hash::{FxHashMap, FxHashSet};

use super::label::{
    EventSyntax, FieldSyntax, FieldValueSyntax, LabelSyntax, MessageSorts, MessageSyntax,
    UpdateSyntax,
};
use super::{Direction, Edge, Ending, NodeId, Stg, StgBuilder};
use crate::diagnostics::{self_message, stga_part, stga_xml};

/// The graph in a document, and what is wrong with the document.
///
/// What is not understood is left out, so that a graph comes back in any case.
pub fn read_stga(file: FileId, text: &str, terms: &mut Terms) -> (Stg, Vec<Diagnostic>) {
    let mut reader = Reader {
        file,
        text,
        terms,
        exprs: Exprs::default(),
        diagnostics: Vec::new(),
        states: Vec::new(),
        numbers: FxHashMap::default(),
        variables: FxHashSet::default(),
        transitions: Vec::new(),
    };
    let (name, initial) = match Document::parse(text) {
        Ok(document) => reader.document(&document),
        Err(error) => {
            let position = error.pos();
            let span = reader.line_column(position.row, position.col);
            let reason = error.to_string();
            reader.diagnostics.push(stga_xml::malformed(span, &reason));
            (String::new(), 0)
        }
    };
    reader.build(name, initial)
}

/// More findings than this in one file tell nothing new.
const MAX_DIAGNOSTICS: usize = 50;

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    terms: &'a mut Terms,
    exprs: Exprs,
    diagnostics: Vec<Diagnostic>,
    states: Vec<String>,
    numbers: FxHashMap<String, usize>,
    /// Names that are used as variables somewhere.
    variables: FxHashSet<Name>,
    transitions: Vec<(usize, usize, LabelSyntax)>,
}

impl Reader<'_> {
    fn document(&mut self, document: &Document<'_>) -> (String, usize) {
        let root = document.root_element();
        if root.tag_name().name() != "STGA" {
            let span = self.span(root);
            let found = root.tag_name().name().to_owned();
            self.diagnostics.push(stga_xml::root(span, &found));
            return (String::new(), 0);
        }
        let name = root.attribute("name").unwrap_or("model").trim().to_owned();
        for state in elements(root, "states").flat_map(|it| elements(it, "state")) {
            let Some(label) = state.attribute("name") else {
                self.report(state, "a state has no name");
                continue;
            };
            let number = self.states.len();
            if self
                .numbers
                .insert(label.trim().to_owned(), number)
                .is_some()
            {
                self.report(
                    state,
                    format!("the state `{}` is declared twice", label.trim()),
                );
            }
            self.states.push(label.trim().to_owned());
            let variables =
                elements(state, "freeVariables").flat_map(|it| elements(it, "variable"));
            for variable in variables {
                let text = content(variable);
                let text = variable
                    .attribute("name")
                    .unwrap_or(&text)
                    .trim()
                    .to_owned();
                self.variables.insert(self.terms.names.intern(&text));
            }
        }
        let transitions: Vec<Node<'_, '_>> = elements(root, "transitions")
            .flat_map(|it| elements(it, "transition"))
            .collect();
        // Which of the two names in an event's datum is the variable shows in guards and actions.
        let mut conditions = Vec::new();
        for &transition in &transitions {
            conditions.push((self.guard(transition), self.actions(transition)));
        }
        for (transition, (guard, updates)) in transitions.into_iter().zip(conditions) {
            if self.diagnostics.len() >= MAX_DIAGNOSTICS {
                break;
            }
            self.transition(transition, guard, updates);
        }
        let initial = match root.attribute("initstate") {
            None if self.states.is_empty() => {
                self.report(root, "the graph has no states");
                0
            }
            None => {
                self.report(
                    root,
                    "the graph does not say which state is the initial one",
                );
                0
            }
            Some(initial) => match self.numbers.get(initial.trim()) {
                Some(&number) => number,
                None => {
                    self.report(
                        root,
                        format!("the initial state `{initial}` is not declared"),
                    );
                    0
                }
            },
        };
        (name, initial)
    }

    fn transition(
        &mut self,
        transition: Node<'_, '_>,
        guard: Option<Expression>,
        updates: Vec<UpdateSyntax>,
    ) {
        let mut ends = Vec::new();
        for part in ["source", "destination"] {
            let Some(element) = elements(transition, part).next() else {
                self.report(transition, format!("a transition has no {part}"));
                return;
            };
            let name = content(element);
            match self.numbers.get(name.trim()) {
                Some(&number) => ends.push(number),
                None => self.report(element, format!("no state is called `{}`", name.trim())),
            }
        }
        let (Some(event), [source, target]) = (self.event(transition), &ends[..]) else {
            return;
        };
        let label = LabelSyntax {
            guard,
            event,
            updates,
            span: self.span(transition),
        };
        self.transitions.push((*source, *target, label));
    }

    fn event(&mut self, transition: Node<'_, '_>) -> Option<EventSyntax> {
        let Some(event) = elements(transition, "event").next() else {
            return Some(EventSyntax::Silent);
        };
        if event.attribute("type") == Some("internal") {
            return Some(EventSyntax::Silent);
        }
        let mut part = |name: &'static str| -> Option<(String, Span)> {
            match elements(event, name).next() {
                Some(element) => Some((content(element).trim().to_owned(), self.span(element))),
                None => {
                    self.report(event, format!("an external event has no {name}"));
                    None
                }
            }
        };
        let (operation, from, to, direction) = (
            part("name"),
            part("sender"),
            part("receiver"),
            part("direction"),
        );
        let (operation, from, to, direction) = (operation?, from?, to?, direction?);
        let direction = match direction.0.as_str() {
            "sending" => Direction::Send,
            "reception" => Direction::Receive,
            "interaction" => Direction::Interaction,
            other => {
                let what = format!(
                    "`{other}` is not a direction; expected `sending`, `reception` or `interaction`"
                );
                self.diagnostics
                    .push(stga_part::diagnostic(direction.1, what));
                return None;
            }
        };
        if from.0 == to.0 {
            self.diagnostics
                .push(self_message::diagnostic(from.1.to(to.1), &from.0));
        }
        let mut fields = Vec::new();
        for datum in elements_of(event, "data") {
            fields.push(self.field(datum, direction));
        }
        let span = self.span(event);
        let mut name = |(text, span): (String, Span)| (self.terms.names.intern(&text), span);
        Some(EventSyntax::Message(MessageSyntax {
            operation: name(operation),
            from: name(from),
            to: name(to),
            direction,
            fault: None,
            fields,
            span,
        }))
    }

    /// `<x1>weight</x1>`, or the other way round where that is what makes sense.
    fn field(&mut self, datum: Node<'_, '_>, direction: Direction) -> FieldSyntax {
        let span = self.span(datum);
        let (tag, text) = (
            datum.tag_name().name().to_owned(),
            content(datum).trim().to_owned(),
        );
        let (tag_name, text_name) = (
            self.terms.names.intern(&tag),
            self.terms.names.intern(&text),
        );
        let (variable, label) = if text.is_empty() {
            (tag_name, tag_name)
        } else if !self.variables.contains(&tag_name) && self.variables.contains(&text_name) {
            (text_name, tag_name)
        } else {
            (tag_name, text_name)
        };
        self.variables.insert(variable);
        let value = match direction {
            Direction::Receive => FieldValueSyntax::Bind(variable),
            _ => FieldValueSyntax::Free(self.exprs.single(ExprKind::Name(variable), span)),
        };
        FieldSyntax {
            label: Some(label),
            value,
            span,
        }
    }

    fn guard(&mut self, transition: Node<'_, '_>) -> Option<Expression> {
        let guard = elements(transition, "guard").next()?;
        let text = content(guard);
        if text.trim().is_empty() {
            return None;
        }
        let offset = self.offset(guard);
        let expression = self.parse(&text, offset, |parser| {
            let expression = parser.expression();
            if parser.peek() != TokenKind::End {
                parser.unexpected("the end of the guard");
            }
            Some(expression)
        })?;
        let used = self.exprs.names(expression);
        self.variables
            .extend(used.into_iter().map(|(name, _)| name));
        Some(expression)
    }

    fn actions(&mut self, transition: Node<'_, '_>) -> Vec<UpdateSyntax> {
        let mut updates = Vec::new();
        for action in elements_of(transition, "actions") {
            let text = content(action);
            if text.trim().is_empty() {
                continue;
            }
            let offset = self.offset(action);
            let update = self.parse(&text, offset, |parser| {
                let variable = parser.expect(TokenKind::Identifier, "a variable to assign")?;
                let name = parser.names.intern(parser.text_of(variable.span));
                parser.expect(TokenKind::Assign, "`:=`")?;
                let value = parser.expression();
                if parser.peek() != TokenKind::End {
                    parser.unexpected("the end of the action");
                }
                Some(UpdateSyntax {
                    variable: (name, variable.span),
                    value,
                })
            });
            if let Some(update) = update {
                self.variables.insert(update.variable.0);
                let used = self.exprs.names(update.value);
                self.variables
                    .extend(used.into_iter().map(|(name, _)| name));
                updates.push(update);
            }
        }
        updates
    }

    fn parse<T>(
        &mut self,
        text: &str,
        offset: u32,
        read: impl FnOnce(&mut Parser<'_>) -> Option<T>,
    ) -> Option<T> {
        let (tokens, mut findings) = lex(self.file, text, offset);
        let mut parser = Parser::new(
            text,
            offset,
            &tokens,
            &mut self.terms.names,
            &mut self.exprs,
            &mut findings,
        );
        let result = read(&mut parser);
        self.diagnostics.append(&mut findings);
        result
    }

    fn build(mut self, name: String, initial: usize) -> (Stg, Vec<Diagnostic>) {
        self.bind_first_values(initial);
        let mut inference = Inference::new(Sort::INT).with_anything(Sort::SYMBOL);
        let scope = inference.scope();
        for (_, _, label) in &self.transitions {
            label.declare(&mut inference, scope);
        }
        let mut sorts = MessageSorts::default();
        for (_, _, label) in &self.transitions {
            label.check(self.terms, &self.exprs, &mut inference, scope, &mut sorts);
        }
        let mut builder = StgBuilder::new(name, Ending::Sinks);
        for state in &self.states {
            builder.node(state.clone());
        }
        if self.states.is_empty() {
            builder.node("0");
        }
        for (source, target, label) in &self.transitions {
            if let Some(built) = label.build(self.terms, &self.exprs, &mut inference, scope) {
                let edge = Edge {
                    source: NodeId(*source as u32),
                    target: NodeId(*target as u32),
                    guard: built.guard,
                    event: built.event,
                    updates: built.updates,
                    origin: Some(label.span),
                };
                builder.edge(self.terms, edge);
            }
        }
        self.diagnostics.append(&mut inference.diagnostics);
        self.diagnostics.sort_by_key(Diagnostic::primary);
        self.diagnostics.truncate(MAX_DIAGNOSTICS);
        (builder.finish(NodeId(initial as u32)), self.diagnostics)
    }

    /// Lets interactions bind variables that nothing on the way to them can have given a value.
    fn bind_first_values(&mut self, initial: usize) {
        let count = self.states.len();
        let mut known: Vec<Option<FxHashSet<Name>>> = vec![None; count];
        let mut work = Vec::new();
        if let Some(first) = known.get_mut(initial) {
            *first = Some(FxHashSet::default());
            work.push(initial);
        }
        let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (index, (source, _, _)) in self.transitions.iter().enumerate() {
            outgoing[*source].push(index);
        }
        while let Some(state) = work.pop() {
            let here = known[state].clone().unwrap_or_default();
            for &index in &outgoing[state] {
                let (_, target, label) = &self.transitions[index];
                let mut after = here.clone();
                if let EventSyntax::Message(message) = &label.event
                    && message.direction != Direction::Send
                {
                    after.extend(message.fields.iter().filter_map(|it| self.carried(it)));
                }
                after.extend(label.updates.iter().map(|update| update.variable.0));
                after.extend(self.read_by(label));
                let new = known[*target].is_none();
                let there = known[*target].get_or_insert_default();
                let before = there.len();
                there.extend(after);
                if new || there.len() > before {
                    work.push(*target);
                }
            }
        }
        for index in 0..self.transitions.len() {
            let (source, _, label) = &self.transitions[index];
            let EventSyntax::Message(message) = &label.event else {
                continue;
            };
            if message.direction != Direction::Interaction {
                continue;
            }
            let mut here = known[*source].clone().unwrap_or_default();
            here.extend(label.guard.iter().flat_map(|&guard| self.names_in(guard)));
            let first: Vec<Option<Name>> = message
                .fields
                .iter()
                .map(|field| self.carried(field).filter(|it| !here.contains(it)))
                .collect();
            if let EventSyntax::Message(message) = &mut self.transitions[index].2.event {
                for (field, first) in message.fields.iter_mut().zip(first) {
                    if let Some(variable) = first {
                        field.value = FieldValueSyntax::Bind(variable);
                    }
                }
            }
        }
    }

    /// The variables whose values a transition asks for: who asks for one takes it for known.
    fn read_by(&self, label: &LabelSyntax) -> Vec<Name> {
        let values = label.updates.iter().map(|update| update.value);
        let read = label.guard.into_iter().chain(values);
        read.flat_map(|it| self.names_in(it)).collect()
    }

    fn names_in(&self, expression: Expression) -> Vec<Name> {
        let names = self.exprs.names(expression);
        names.into_iter().map(|(name, _)| name).collect()
    }

    /// The variable that a field carries.
    fn carried(&self, field: &FieldSyntax) -> Option<Name> {
        match field.value {
            FieldValueSyntax::Bind(name) => Some(name),
            FieldValueSyntax::Free(expression) => match self.exprs.kind(expression.root) {
                ExprKind::Name(name) => Some(*name),
                _ => None,
            },
        }
    }

    fn report(&mut self, node: Node<'_, '_>, what: impl Into<String>) {
        let span = self.span(node);
        self.diagnostics.push(stga_part::diagnostic(span, what));
    }

    /// The place of an element's start tag.
    fn span(&self, node: Node<'_, '_>) -> Span {
        let range = node.range();
        let whole = self.text.get(range.clone()).unwrap_or("");
        let end = whole.find('>').map_or(range.end, |at| range.start + at + 1);
        Span::new(self.file, range.start as u32, end as u32)
    }

    /// Where the text of an element begins.
    fn offset(&self, node: Node<'_, '_>) -> u32 {
        let start = match node.first_child() {
            Some(child) => child.range().start,
            None => node.range().start,
        };
        let rest = self.text.get(start..).unwrap_or("");
        let start = if rest.starts_with("<![CDATA[") {
            start + "<![CDATA[".len()
        } else {
            start
        };
        start as u32
    }

    fn line_column(&self, row: u32, column: u32) -> Span {
        let mut offset = 0;
        for (number, line) in self.text.split_inclusive('\n').enumerate() {
            if number as u32 + 1 == row {
                let within = line.char_indices().nth(column.saturating_sub(1) as usize);
                offset += within.map_or(line.len(), |(at, _)| at);
                break;
            }
            offset += line.len();
        }
        let offset = offset.min(self.text.len()) as u32;
        Span::new(self.file, offset, offset)
    }
}

/// The children of an element with this name.
fn elements<'a, 'input>(
    node: Node<'a, 'input>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>>
where
    'input: 'a,
{
    node.children()
        .filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// All elements within the child of an element with this name.
fn elements_of<'a, 'input>(node: Node<'a, 'input>, name: &'static str) -> Vec<Node<'a, 'input>>
where
    'input: 'a,
{
    elements(node, name)
        .flat_map(|it| it.children())
        .filter(Node::is_element)
        .collect()
}

/// The text of an element.
fn content(node: Node<'_, '_>) -> String {
    node.children()
        .filter(Node::is_text)
        .filter_map(|it| it.text())
        .collect()
}
