//! The names of a graph as text, for editors.

use choros_base::{FileId, Name, Span};
use choros_data::Terms;
use choros_data::syntax::{EXPRESSIONS, Expression, SortExpr, SortExprId, lex};
use choros_syntax::Lexicon;
use rustc_hash::FxHashSet;

use super::read::{Reader, statements};
use crate::stg::label::{EventSyntax, FieldSyntax, FieldValueSyntax, LabelSyntax, MessageSyntax};
use crate::symbols::{Section, Symbol, SymbolKind, Symbols};

/// The words of `.stg` files.
pub static LEXICON: Lexicon = Lexicon {
    keywords: &[
        "stg",
        "explicit",
        "stopped",
        "sinks",
        "sort",
        "constant",
        "variables",
        "initial",
        "node",
        "end",
        "stuck",
        "tau",
        "skip",
        "tick",
        "raise",
    ],
    ..EXPRESSIONS
};

/// The names in a text.
///
/// Names that a quantifier binds are not among them, nor faults.
pub fn stg_symbols(file: FileId, text: &str, terms: &mut Terms) -> Symbols {
    let read = statements(file, text, terms);
    let mut gathering = Gathering {
        text,
        terms,
        variables: variables(&read),
        values: values(&read),
        read: &read,
        found: Symbols::default(),
    };
    gathering.declarations();
    for (_, _, label) in &read.edges {
        gathering.label(label);
    }
    for (_, guard, _) in &read.ends {
        gathering.expression(*guard);
    }
    gathering.found.in_order()
}

/// What is declared, bound or assigned; what is neither is a parameter, unless it looks like a value.
fn variables(read: &Reader) -> FxHashSet<Name> {
    let mut found: FxHashSet<Name> = read.variables.iter().map(|it| it.0).collect();
    for (_, _, label) in &read.edges {
        found.extend(label.updates.iter().map(|it| it.variable.0));
        match &label.event {
            EventSyntax::Choose(bound) => found.extend(bound.iter().map(|it| it.0)),
            EventSyntax::Message(message) => {
                found.extend(message.fields.iter().filter_map(|it| match it.value {
                    FieldValueSyntax::Bind(name) => Some(name),
                    FieldValueSyntax::Free(_) => None,
                }));
            }
            EventSyntax::Silent
            | EventSyntax::Tick
            | EventSyntax::TickOf(..)
            | EventSyntax::Raise(_)
            | EventSyntax::Disturbance(_) => {}
        }
    }
    found
}

fn values(read: &Reader) -> FxHashSet<Name> {
    let constants = read.constants.iter().map(|it| it.0);
    let constructors = read.sorts.iter().flat_map(|it| &it.constructors);
    constants.chain(constructors.map(|it| it.0)).collect()
}

struct Gathering<'a> {
    text: &'a str,
    terms: &'a Terms,
    read: &'a Reader,
    variables: FxHashSet<Name>,
    values: FxHashSet<Name>,
    found: Symbols,
}

impl Gathering<'_> {
    fn symbol(&mut self, kind: SymbolKind, name: Name) -> &mut Symbol {
        self.found.symbol(kind, self.terms.names.text(name), None)
    }

    fn declarations(&mut self) {
        let read = self.read;
        if let Some(span) = read.name {
            let name = self.text[span.range()].trim_matches('"').to_owned();
            let symbol = self.found.symbol(SymbolKind::Component, &name, None);
            symbol.declared(span);
            let end = self.text.len() as u32;
            self.found.sections.push(Section {
                kind: SymbolKind::Component,
                name,
                word: "graph",
                span: Span::new(span.file(), span.start().offset, end),
                name_span: span,
                // The file is this one graph, and is asked about as a whole.
                is_model: false,
            });
        }
        for sort in &read.sorts {
            self.symbol(SymbolKind::Sort, sort.name).declared(sort.span);
            let fact = format!("a value of {}", self.terms.names.text(sort.name));
            for &(value, span) in &sort.constructors {
                let symbol = self.symbol(SymbolKind::Value, value);
                symbol.declared(span).fact(fact.clone());
            }
        }
        let constants = read.constants.iter().map(|it| (SymbolKind::Value, it));
        let variables = read.variables.iter().map(|it| (SymbolKind::Variable, it));
        for (kind, &(name, span, sort)) in constants.chain(variables) {
            self.sort(sort);
            let names = &self.terms.names;
            let sort = read.exprs.print_sort(names, sort);
            let fact = format!("{}: {sort}", names.text(name));
            self.symbol(kind, name).declared(span).fact(fact);
        }
        for (number, span) in &read.mentions {
            let number = number.to_string();
            self.found
                .symbol(SymbolKind::State, &number, None)
                .used(*span);
        }
    }

    fn label(&mut self, label: &LabelSyntax) {
        self.expression(label.guard);
        match &label.event {
            EventSyntax::Choose(bound) => {
                for &(name, span) in bound {
                    self.symbol(SymbolKind::Variable, name).declared(span);
                }
            }
            EventSyntax::Message(message) => self.message(message),
            EventSyntax::Silent
            | EventSyntax::Tick
            | EventSyntax::TickOf(..)
            | EventSyntax::Raise(_)
            | EventSyntax::Disturbance(_) => {}
        }
        for update in &label.updates {
            let (name, span) = update.variable;
            self.symbol(SymbolKind::Variable, name).used(span);
            self.expression(Some(update.value));
        }
    }

    fn message(&mut self, message: &MessageSyntax) {
        for (name, span) in [message.from, message.to] {
            self.symbol(SymbolKind::Role, name).used(span);
        }
        let (operation, span) = message.operation;
        let text = |name: Name| self.terms.names.text(name);
        let fact = format!(
            "{} -> {}: {}",
            text(message.from.0),
            text(message.to.0),
            text(operation)
        );
        self.symbol(SymbolKind::Message, operation)
            .used(span)
            .fact(fact);
        for field in &message.fields {
            let operation = self.terms.names.text(operation);
            if let Some((label, span)) = field.label.zip(label_span(field, self.text)) {
                let label = self.terms.names.text(label);
                self.found.field(operation, label).declared(span);
            }
            match field.value {
                FieldValueSyntax::Bind(name) => {
                    if let Some(span) = bound_span(field, self.text) {
                        self.symbol(SymbolKind::Variable, name).used(span);
                    }
                }
                FieldValueSyntax::Free(value) => self.expression(Some(value)),
            }
        }
    }

    fn expression(&mut self, expression: Option<Expression>) {
        let Some(expression) = expression else {
            return;
        };
        for (name, span) in self.read.exprs.free_names(expression) {
            let is_value = !self.variables.contains(&name)
                && (self.values.contains(&name)
                    || self.terms.names.text(name).starts_with(char::is_uppercase));
            let kind = if is_value {
                SymbolKind::Value
            } else {
                SymbolKind::Variable
            };
            self.symbol(kind, name).used(span);
        }
    }

    fn sort(&mut self, sort: SortExprId) {
        let read = self.read;
        let mut pending = vec![sort];
        while let Some(sort) = pending.pop() {
            match read.exprs.sort(sort) {
                &SortExpr::Named(name, span) => {
                    if !LEXICON.sorts.contains(&self.terms.names.text(name)) {
                        self.symbol(SymbolKind::Sort, name).used(span);
                    }
                }
                SortExpr::List(of) => pending.push(*of),
                SortExpr::Record(fields) => pending.extend(fields.iter().map(|it| it.1)),
                SortExpr::Error => {}
            }
        }
    }
}

/// The label of a field, which it begins with.
fn label_span(field: &FieldSyntax, text: &str) -> Option<Span> {
    let written = text.get(field.span.range())?;
    let length = written.find('=').map(|at| written[..at].trim_end().len())?;
    let start = field.span.start().offset;
    Some(Span::new(field.span.file(), start, start + length as u32))
}

/// The variable in `<x>`, with which a field ends.
fn bound_span(field: &FieldSyntax, text: &str) -> Option<Span> {
    let written = text.get(field.span.range())?;
    let open = written.rfind('<')? + 1;
    let inner = &written[open..];
    let start = field.span.start().offset + open as u32;
    let (tokens, _) = lex(field.span.file(), inner, start);
    tokens.first().map(|it| it.span)
}
