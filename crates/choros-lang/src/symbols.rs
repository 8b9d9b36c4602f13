//! The names of scripts and of files in Chor, for editors.
//!
//! Roles and messages belong to the file, variables and states to their component.

use choros_base::{Name, Names, Span};
use choros_data::syntax::{EXPRESSIONS, Expression, unquote};
use choros_model::stg::label::{EventSyntax, FieldValueSyntax, LabelSyntax, MessageSyntax};
use choros_model::symbols::{Section, Symbol, SymbolKind, Symbols};
use choros_syntax::Lexicon;
use rustc_hash::FxHashSet;

use crate::ast::{Body, Component, ProcessKind, Reference, Script};

/// The words of `.schora` files.
pub static LEXICON: Lexicon = Lexicon {
    keywords: &[
        "DECLARATIONS",
        "COMMANDS",
        "component",
        "chorD",
        "STG",
        "end",
        "skip",
        "tau",
        "tick",
        "raise",
        "label",
        "showTime",
        "showStat",
        "showSTG",
        "showReachableSTG",
        "showRealizableSTG",
        "projection",
        "conformance",
        "SYNC",
        "ASYNC_SENDER",
        "ASYNC_RECEIVER",
        "ASYNC_DISJOINT",
    ],
    ..EXPRESSIONS
};

/// The words of `.pact` files.
pub static PACT_LEXICON: Lexicon = Lexicon {
    keywords: &["skip"],
    operators: &[],
    values: &[],
    sorts: &[],
    ..EXPRESSIONS
};

/// The names of a script that was read from this text.
pub fn symbols(script: &Script, text: &str, names: &Names) -> Symbols {
    let mut gathering = Gathering {
        script,
        text,
        names,
        found: Symbols::default(),
    };
    for component in &script.components {
        gathering.component(component);
    }
    for command in &script.commands {
        for &argument in &command.arguments {
            gathering.used(SymbolKind::Component, argument, None);
        }
    }
    gathering.found.in_order()
}

struct Gathering<'a> {
    script: &'a Script,
    text: &'a str,
    names: &'a Names,
    found: Symbols,
}

impl<'a> Gathering<'a> {
    /// A symbol, if its name stands at this place: what a reader makes up has none.
    fn written(
        &mut self,
        kind: SymbolKind,
        reference: Reference,
        scope: Option<Span>,
    ) -> Option<&mut Symbol> {
        let name = self.names.text(reference.name);
        let here = self.text.get(reference.span.range())?;
        let is_written = !name.is_empty() && (here == name || unquote(here) == name);
        is_written.then(|| self.found.symbol(kind, name, scope))
    }

    fn used(&mut self, kind: SymbolKind, reference: Reference, scope: Option<Span>) {
        if let Some(symbol) = self.written(kind, reference, scope) {
            symbol.used(reference.span);
        }
    }

    fn declared(&mut self, kind: SymbolKind, reference: Reference, scope: Option<Span>) {
        if let Some(symbol) = self.written(kind, reference, scope) {
            symbol.declared(reference.span);
        }
    }

    fn component(&mut self, component: &'a Component) {
        self.declared(SymbolKind::Component, component.name, None);
        self.found.sections.push(Section {
            kind: SymbolKind::Component,
            name: self.names.text(component.name.name).to_owned(),
            word: "component",
            span: component.span.to(component.name.span),
            name_span: component.name.span,
            is_model: true,
        });
        let scope = Some(component.span);
        match &component.body {
            Body::Composition(parts) => {
                for &part in parts {
                    self.used(SymbolKind::Component, part, None);
                }
            }
            Body::Process(root) => {
                let processes = &self.script.processes;
                let mut bound = FxHashSet::default();
                for (_, process) in processes.walk(*root) {
                    if let ProcessKind::Event(event) = &process.kind {
                        bound_by(event, &mut bound);
                    }
                }
                for (_, process) in processes.walk(*root) {
                    match &process.kind {
                        ProcessKind::Event(event) => self.event(event, &bound, scope),
                        ProcessKind::Guarded(guard, _) | ProcessKind::Loop(guard, _) => {
                            self.expression(*guard, &bound, scope);
                        }
                        _ => {}
                    }
                }
            }
            Body::Graph(graph) => {
                for state in &graph.states {
                    self.declared(SymbolKind::State, state.name, scope);
                }
                let mut bound = FxHashSet::default();
                for label in graph.transitions.iter().filter_map(|it| it.label.as_ref()) {
                    bound_by(&label.event, &mut bound);
                    bound.extend(label.updates.iter().map(|it| it.variable.0));
                }
                for transition in &graph.transitions {
                    self.used(SymbolKind::State, transition.source, scope);
                    self.used(SymbolKind::State, transition.target, scope);
                    if let Some(label) = &transition.label {
                        self.label(label, &bound, scope);
                    }
                }
            }
        }
    }

    fn label(&mut self, label: &LabelSyntax, bound: &FxHashSet<Name>, scope: Option<Span>) {
        if let Some(guard) = label.guard {
            self.expression(guard, bound, scope);
        }
        self.event(&label.event, bound, scope);
        for update in &label.updates {
            let (name, span) = update.variable;
            self.declared(SymbolKind::Variable, Reference { name, span }, scope);
            self.expression(update.value, bound, scope);
        }
    }

    fn event(&mut self, event: &EventSyntax, bound: &FxHashSet<Name>, scope: Option<Span>) {
        match event {
            EventSyntax::Message(message) => self.message(message, bound, scope),
            EventSyntax::Choose(chosen) => {
                for &(name, span) in chosen {
                    self.bind(name, span, scope);
                }
            }
            EventSyntax::Silent
            | EventSyntax::Tick
            | EventSyntax::TickOf(..)
            | EventSyntax::Raise(_)
            | EventSyntax::Disturbance(_) => {}
        }
    }

    fn message(&mut self, message: &MessageSyntax, bound: &FxHashSet<Name>, scope: Option<Span>) {
        let signature = format!(
            "{} -> {}: {}",
            self.names.text(message.from.0),
            self.names.text(message.to.0),
            self.names.text(message.operation.0),
        );
        for (name, span) in [message.from, message.to] {
            self.used(SymbolKind::Role, Reference { name, span }, None);
        }
        let (name, span) = message.operation;
        let reference = Reference { name, span };
        if let Some(symbol) = self.written(SymbolKind::Message, reference, None) {
            symbol.used(span).fact(signature);
        }
        for field in &message.fields {
            match field.value {
                FieldValueSyntax::Bind(name) => self.bind(name, field.span, scope),
                FieldValueSyntax::Free(value) => self.expression(value, bound, scope),
            }
        }
    }

    /// The variable in `<x>` or `label = <x>`.
    fn bind(&mut self, name: Name, field: Span, scope: Option<Span>) {
        let text = self.text.get(field.range()).unwrap_or_default();
        let Some(at) = text.rfind(self.names.text(name)) else {
            return;
        };
        let start = field.start().offset + at as u32;
        let end = start + self.names.text(name).len() as u32;
        let span = Span::new(field.file(), start, end);
        self.declared(SymbolKind::Variable, Reference { name, span }, scope);
    }

    /// A capitalised name that is not a variable is a value.
    fn expression(&mut self, expression: Expression, bound: &FxHashSet<Name>, scope: Option<Span>) {
        for (name, span) in self.script.exprs.names(expression) {
            let is_value =
                !bound.contains(&name) && self.names.text(name).starts_with(char::is_uppercase);
            if is_value {
                self.used(SymbolKind::Value, Reference { name, span }, None)
            } else {
                self.used(SymbolKind::Variable, Reference { name, span }, scope)
            }
        }
    }
}

fn bound_by(event: &EventSyntax, bound: &mut FxHashSet<Name>) {
    match event {
        EventSyntax::Message(message) => {
            bound.extend(message.fields.iter().filter_map(|field| match field.value {
                FieldValueSyntax::Bind(name) => Some(name),
                FieldValueSyntax::Free(_) => None,
            }));
        }
        EventSyntax::Choose(chosen) => bound.extend(chosen.iter().map(|it| it.0)),
        EventSyntax::Silent
        | EventSyntax::Tick
        | EventSyntax::TickOf(..)
        | EventSyntax::Raise(_)
        | EventSyntax::Disturbance(_) => {}
    }
}
