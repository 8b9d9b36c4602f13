//! Reading a file of properties, whichever form it has.

use std::collections::BTreeMap;

use choros_base::{Diagnostic, FileId, SourceMap, Span, has_errors, nearest};
use choros_data::{Sort, Terms};
use choros_model::stg::Direction;

use super::ast::{Properties, Property};
use super::diagnostics::{duplicate_property, unknown_property, wrong_view};
use super::{conditions, parse, xml};

/// What is known of the values that messages carry.
#[derive(Debug, Clone)]
pub struct MessageSchema {
    /// The sort of numbers that nothing else constrains.
    pub number: Sort,
    /// Sorts of fields, from a model.
    pub fields: Vec<FieldSort>,
}

/// The sort of a field of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldSort {
    pub operation: String,
    /// The path of the field.
    pub path: String,
    pub sort: Sort,
}

impl Default for MessageSchema {
    /// Numbers in logs may have fractions.
    fn default() -> Self {
        MessageSchema {
            number: Sort::REAL,
            fields: Vec::new(),
        }
    }
}

impl MessageSchema {
    pub(super) fn sort(&self, operation: Option<&str>, path: &str) -> Option<Sort> {
        let operation = operation?;
        self.fields
            .iter()
            .find(|field| field.operation == operation && field.path == path)
            .map(|field| field.sort)
    }
}

/// Whether a text is the XML form.
pub fn is_xml(text: &str) -> bool {
    text.trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
}

/// Reads properties that stand in a program; their mistakes where there are any.
pub fn read_text(text: &str) -> Result<(Properties, Terms), Vec<Diagnostic>> {
    let (mut sources, mut terms) = (SourceMap::new(), Terms::new());
    let file = sources.add("properties", text);
    let (properties, diagnostics) = read(file, text, &MessageSchema::default(), &mut terms);
    if has_errors(&diagnostics) {
        Err(diagnostics)
    } else {
        Ok((properties, terms))
    }
}

/// Reads properties, in the text form or in Prop-tester's XML; what could be read and what is wrong with the rest.
pub fn read(
    file: FileId,
    text: &str,
    reading: &MessageSchema,
    terms: &mut Terms,
) -> (Properties, Vec<Diagnostic>) {
    let (mut properties, written, mut diagnostics) = if is_xml(text) {
        xml::parse(file, text)
    } else {
        parse::parse(file, text)
    };
    for (property, conditions) in properties.local.iter_mut().zip(&written.conditions) {
        conditions::resolve(property, conditions, reading, terms, &mut diagnostics);
    }
    for property in &properties.local {
        views(property, &mut diagnostics);
    }
    names(&properties, &mut diagnostics);
    // Incomplete properties have been reported and must not be judged.
    properties
        .local
        .retain(|property| !property.context.is_empty() && !property.consequence.is_empty());
    (properties, diagnostics)
}

/// Messages that the service's log cannot hold.
fn views(property: &Property, diagnostics: &mut Vec<Diagnostic>) {
    let Some(service) = &property.service else {
        return;
    };
    for event in property.events() {
        let is = |role: &Option<String>| role.as_ref().is_none_or(|role| role == service);
        let fits = match event.direction {
            Some(Direction::Send) => is(&event.from),
            Some(Direction::Receive) => is(&event.to),
            _ => is(&event.from) || is(&event.to),
        };
        if !fits {
            diagnostics.push(wrong_view::diagnostic(event.span, service));
        }
    }
}

fn names(properties: &Properties, diagnostics: &mut Vec<Diagnostic>) {
    let locals = properties.local.iter().map(|it| (&it.name, it.span));
    let globals = properties.global.iter().map(|it| (&it.name, it.span));
    let mut firsts: BTreeMap<&String, Span> = BTreeMap::new();
    for (name, span) in locals.chain(globals) {
        match firsts.get(name) {
            Some(first) => {
                diagnostics.push(duplicate_property::diagnostic(span, name, *first));
            }
            None => {
                firsts.insert(name, span);
            }
        }
    }
    // A file without local properties is for a tester that hears verdicts of others.
    if properties.local.is_empty() {
        return;
    }
    for global in &properties.global {
        for name in global.when.iter().chain(&global.then) {
            if properties.local(name).is_none() {
                let known = properties.local.iter().map(|it| it.name.as_str());
                let similar = nearest(name, known);
                diagnostics.push(unknown_property::diagnostic(
                    global.span,
                    &global.name,
                    name,
                    similar,
                ));
            }
        }
    }
}
