//! From elements to values.
//!
//! Reading is tolerant of what does not matter (prefixes, comments, white space between elements, attributes of
//! `xsi`), and exact in what does: names, numbers of occurrences, order, facets.
//! It continues after a problem, so that all are named at once.

use choros_base::{SourceMap, Span};
use choros_data::{Sort, SortKind, Terms, Value};

use super::WireError;
use super::envelope::{ENVELOPE_11, ENVELOPE_12};
use crate::document::{Document, Element, Limits, Malformed, QName, parse};
use crate::schema::{
    ComplexType, Content, ElementField, GroupKind, Particle, Schema, Shape, SimpleType, TypeId, XSI,
};

/// Reads a text that holds one element of this name, with a value of a type.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_text(
    schema: &Schema,
    terms: &Terms,
    name: &QName,
    holds: TypeId,
    text: &str,
) -> Result<Value, Vec<WireError>> {
    let mut sources = SourceMap::new();
    let document = document(&mut sources, text)?;
    let root = document.root();
    if root.name() != name {
        return Err(vec![WireError {
            path: root.local().to_owned(),
            place: Some(place(&sources, root.span())),
            message: format!("`{name}` is expected"),
        }]);
    }
    read_element(schema, terms, &sources, root, holds)
}

/// The value of a type that an element holds, whatever its name.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_element(
    schema: &Schema,
    terms: &Terms,
    sources: &SourceMap,
    element: Element<'_>,
    holds: TypeId,
) -> Result<Value, Vec<WireError>> {
    let mut reader = Reader {
        schema,
        terms,
        sources,
        errors: Vec::new(),
        path: vec![element.local().to_owned()],
    };
    let value = reader.element(element, holds);
    if let (Some(value), true) = (&value, reader.errors.is_empty()) {
        for violation in schema.check(terms, holds, value) {
            let path = match &*violation.path {
                "" => element.local().to_owned(),
                path => format!("{}/{path}", element.local()),
            };
            reader.errors.push(WireError {
                path,
                place: Some(place(sources, element.span())),
                message: violation.message,
            });
        }
    }
    match (value, reader.errors.is_empty()) {
        (Some(value), true) => Ok(value),
        _ => Err(reader.errors),
    }
}

/// Reads a document from the wire.
pub(super) fn document(sources: &mut SourceMap, text: &str) -> Result<Document, Vec<WireError>> {
    let file = sources.add("<message>", text);
    parse(file, "<message>", text, Limits::default()).map_err(|problem| {
        let (span, message) = match problem {
            Malformed::Syntax { span, message } => (span, message),
            Malformed::DocumentType { span } => {
                (span, "a document type declaration is refused".to_owned())
            }
            Malformed::TooLarge { span, limit } => (span, limit),
        };
        vec![WireError {
            path: String::new(),
            place: Some(place(sources, span)),
            message,
        }]
    })
}

pub(super) fn place(sources: &SourceMap, span: Span) -> (u32, u32) {
    sources.line_column(span.start())
}

struct Reader<'r> {
    schema: &'r Schema,
    terms: &'r Terms,
    sources: &'r SourceMap,
    errors: Vec<WireError>,
    path: Vec<String>,
}

impl Reader<'_> {
    fn complain(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(WireError {
            path: self.path.join("/"),
            place: Some(place(self.sources, span)),
            message: message.into(),
        });
    }

    fn element(&mut self, element: Element<'_>, holds: TypeId) -> Option<Value> {
        let schema = self.schema;
        let held = schema.get(holds);
        match &held.shape {
            Shape::Simple(simple) => {
                if let Some(child) = element.children().next() {
                    let message = format!("`{}` is not expected inside a text", child.local());
                    self.complain(child.span(), message);
                    return None;
                }
                self.other_attributes(element, &[], false);
                self.simple(simple, element.text(), element.text_span())
            }
            Shape::Complex(complex) => self.complex(element, complex, held.sort),
        }
    }

    fn simple(&mut self, simple: &SimpleType, text: &str, span: Span) -> Option<Value> {
        let read = simple.read(text).and_then(|value| {
            // Here the place is known; the whole value is checked once more when it is there.
            match simple.facets.violation(&value) {
                Some(message) => Err(message),
                None => Ok(value),
            }
        });
        match read {
            Ok(value) => Some(value),
            Err(message) => {
                self.complain(span, message);
                None
            }
        }
    }

    fn complex(
        &mut self,
        element: Element<'_>,
        complex: &ComplexType,
        sort: Sort,
    ) -> Option<Value> {
        let SortKind::Record(sorts) = self.terms.sort_kind(sort) else {
            return None;
        };
        let sorts: Vec<Sort> = sorts.iter().map(|&(_, sort)| sort).collect();
        let mut values: Vec<Option<Value>> = Vec::with_capacity(sorts.len());
        for attribute in &complex.attributes {
            let local = &attribute.name.local;
            let found = element
                .attributes()
                .iter()
                .find(|one| one.name == attribute.name);
            let Shape::Simple(simple) = &self.schema.get(attribute.holds).shape else {
                values.push(None);
                continue;
            };
            self.path.push(format!("@{local}"));
            let (text, span) = match (found, &attribute.default) {
                (Some(found), _) => (Some(&found.value), found.span),
                (None, default) => (default.as_ref(), element.span()),
            };
            let value = text.and_then(|text| self.simple(simple, text, span));
            self.path.pop();
            values.push(if attribute.is_required {
                if text.is_none() {
                    let message = format!("the attribute `{local}` is missing");
                    self.complain(element.span(), message);
                }
                value
            } else if text.is_some() && value.is_none() {
                None
            } else {
                Some(Value::List {
                    sort: sorts[attribute.position],
                    items: value.into_iter().collect(),
                })
            });
        }
        let known: Vec<&QName> = complex.attributes.iter().map(|it| &it.name).collect();
        self.other_attributes(element, &known, complex.is_open);
        match &complex.content {
            Content::Text(simple) => {
                values.push(self.simple(simple, element.text(), element.text_span()));
            }
            Content::Elements { fields, particle } => {
                self.elements(element, complex, fields, particle, &sorts, &mut values);
            }
        }
        let fields: Option<Vec<Value>> = values.into_iter().collect();
        Some(Value::Record {
            sort,
            fields: fields?,
        })
    }

    fn other_attributes(&mut self, element: Element<'_>, known: &[&QName], is_open: bool) {
        for attribute in element.attributes() {
            // What belongs to the envelope, such as `encodingStyle`, may stand everywhere.
            let namespace = &*attribute.name.namespace;
            let is_ours = [XSI, ENVELOPE_11, ENVELOPE_12].contains(&namespace);
            if is_open || known.contains(&&attribute.name) || is_ours {
                continue;
            }
            let message = format!("the attribute `{}` is not expected", attribute.name);
            self.complain(attribute.span, message);
        }
    }

    fn elements(
        &mut self,
        element: Element<'_>,
        complex: &ComplexType,
        fields: &[ElementField],
        particle: &Particle,
        sorts: &[Sort],
        values: &mut Vec<Option<Value>>,
    ) {
        let mut found: Vec<Vec<Option<Value>>> = vec![Vec::new(); fields.len()];
        let mut occurrences = vec![0usize; fields.len()];
        let mut order: Vec<(usize, Span)> = Vec::new();
        for child in element.children() {
            let Some(index) = fields.iter().position(|field| field.name == *child.name()) else {
                if !complex.is_open {
                    self.unexpected(child, fields);
                }
                continue;
            };
            let field = &fields[index];
            occurrences[index] += 1;
            order.push((index, child.span()));
            self.path
                .push(if field.is_list && field.occurs.max != Some(1) {
                    format!("{}[{}]", field.name.local, occurrences[index])
                } else {
                    field.name.local.to_string()
                });
            let is_nil = matches!(child.attribute_in(XSI, "nil"), Some("true" | "1"));
            match (is_nil, field.is_nillable) {
                (true, true) => {}
                (true, false) => self.complain(child.span(), "it must have a value"),
                (false, _) => {
                    let value = self.element(child, field.holds);
                    found[index].push(value);
                }
            }
            self.path.pop();
        }
        if !element.text().trim().is_empty() {
            self.complain(element.text_span(), "text is not expected between elements");
        }
        self.check_order(fields, particle, &order);
        for (index, field) in fields.iter().enumerate() {
            let items = std::mem::take(&mut found[index]);
            if field.is_list {
                let items: Option<Vec<Value>> = items.into_iter().collect();
                values.push(items.map(|items| Value::List {
                    sort: sorts[field.position],
                    items,
                }));
                continue;
            }
            match occurrences[index] {
                0 => self.complain(
                    element.span(),
                    format!("the element `{}` is missing", field.name.local),
                ),
                1 => {}
                count => self.complain(
                    element.span(),
                    format!(
                        "the element `{}` occurs {count} times, not once",
                        field.name.local
                    ),
                ),
            }
            values.push(items.into_iter().next().flatten());
        }
    }

    fn unexpected(&mut self, child: Element<'_>, fields: &[ElementField]) {
        let near = fields
            .iter()
            .find(|field| field.name.local == child.name().local);
        let message = match near {
            Some(field) => format!(
                "`{}` is not expected: it should be in {}",
                child.name(),
                match &*field.name.namespace {
                    "" => "no namespace".to_owned(),
                    namespace => format!("the namespace `{namespace}`"),
                }
            ),
            None => format!("the element `{}` is not expected", child.name()),
        };
        self.complain(child.span(), message);
    }

    /// Whether elements stand in the order of the particle: in a sequence, none before one that should come first.
    fn check_order(
        &mut self,
        fields: &[ElementField],
        particle: &Particle,
        order: &[(usize, Span)],
    ) {
        let mut rank = vec![0usize; fields.len()];
        let mut next = 0;
        ranks(particle, &mut rank, &mut next);
        let mut highest: Option<usize> = None;
        for &(index, span) in order {
            if let Some(before) = highest
                && rank[index] < rank[before]
            {
                let message = format!(
                    "`{}` should come before `{}`",
                    fields[index].name.local, fields[before].name.local
                );
                self.complain(span, message);
                return;
            }
            highest = Some(index);
        }
    }
}

/// Gives each element its rank: elements of one rank may stand in any order.
fn ranks(particle: &Particle, rank: &mut [usize], next: &mut usize) {
    match particle {
        Particle::Element(index) => {
            rank[*index] = *next;
            *next += 1;
        }
        Particle::Group {
            kind,
            occurs,
            parts,
        } => {
            let first = *next;
            for part in parts {
                ranks(part, rank, next);
                // What may take turns, or stand in any order, has one rank; numbers of occurrences say the rest.
                if *kind == GroupKind::All || occurs.max != Some(1) {
                    *next = first;
                }
            }
            *next = first + parts.len().max(1);
            let highest = rank.iter().copied().max().unwrap_or(0);
            *next = (*next).max(highest + 1);
        }
    }
}
