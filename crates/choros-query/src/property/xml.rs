//! Prop-tester's XML form of properties (Listing 5.2 of Nguyen's thesis; the global form and the attributes of `event`
//! after the tool's published files).
//!
//! The values of a message are named there by XPath; the part of it that occurs (names, `/`, `@`) becomes a path.

use choros_base::{Diagnostic, FileId, Span};
use choros_data::syntax::lex;
use choros_model::stg::Direction;
use roxmltree::{Document, Node};

use super::ast::{
    BoundField, CandidateEvent, GlobalProperty, Part, Properties, Property, Sense, Window,
};
use super::conditions::{Written, WrittenCondition};
use super::diagnostics::{empty_window, property_xml};

/// Reads the XML form; conditions are read later, when all variables are known.
pub(super) fn parse(file: FileId, text: &str) -> (Properties, Written, Vec<Diagnostic>) {
    let mut reader = XmlReader {
        file,
        text,
        properties: Properties::default(),
        written: Written::default(),
        diagnostics: Vec::new(),
    };
    match Document::parse(text) {
        Ok(document) => reader.root(document.root_element()),
        Err(error) => {
            let position = error.pos();
            let offset = offset_of(text, position.row, position.col);
            let span = Span::new(file, offset, offset);
            reader
                .diagnostics
                .push(property_xml::diagnostic(span, error.to_string()));
        }
    }
    (reader.properties, reader.written, reader.diagnostics)
}

struct XmlReader<'t> {
    file: FileId,
    text: &'t str,
    properties: Properties,
    written: Written,
    diagnostics: Vec<Diagnostic>,
}

impl XmlReader<'_> {
    fn span(&self, node: Node<'_, '_>) -> Span {
        let range = node.range();
        // The opening tag says what it is; the rest may be long.
        let tag = self.text[range.clone()]
            .find('>')
            .map_or(range.end, |offset| range.start + offset + 1);
        Span::new(self.file, range.start as u32, tag as u32)
    }

    fn complain(&mut self, node: Node<'_, '_>, message: impl Into<String>) {
        let span = self.span(node);
        self.diagnostics
            .push(property_xml::diagnostic(span, message));
    }

    fn root(&mut self, root: Node<'_, '_>) {
        match root.tag_name().name() {
            "properties" => {
                for child in elements(root) {
                    match child.tag_name().name() {
                        "property" => self.property(child),
                        "namespaces" => {}
                        other => self.complain(child, format!("`{other}` is not a property")),
                    }
                }
            }
            "property" => self.property(root),
            other => self.complain(root, format!("the root is `{other}`, not `properties`")),
        }
    }

    fn property(&mut self, node: Node<'_, '_>) {
        let Some(name) = node.attribute("name") else {
            self.complain(node, "a property has no name");
            return;
        };
        let sense = match node.attribute("type") {
            None | Some("positive") => Sense::Expect,
            Some("negative") => Sense::Never,
            Some(other) => {
                self.complain(node, format!("`{other}` is neither positive nor negative"));
                return;
            }
        };
        let part = |label: &str| elements(node).find(|child| child.tag_name().name() == label);
        let (Some(context), Some(consequence)) = (part("context"), part("consequence")) else {
            self.complain(node, format!("`{name}` has no context or no consequence"));
            return;
        };
        let is_global = [context, consequence]
            .into_iter()
            .flat_map(elements)
            .any(|child| child.tag_name().name() == "name");
        let span = self.span(node);
        if is_global {
            self.properties.global.push(GlobalProperty {
                name: name.to_owned(),
                span,
                when: names(context),
                sense,
                then: names(consequence),
            });
            return;
        }
        let window = match node.attribute("distance").map(|text| text.trim().parse()) {
            Some(Ok(count)) if count > 0 => Window::Messages(count),
            Some(_) => {
                self.diagnostics.push(empty_window::diagnostic(span));
                Window::Messages(1)
            }
            None => {
                self.complain(node, format!("`{name}` has no distance"));
                return;
            }
        };
        let mut conditions = Vec::new();
        let context = self.events(context, 0, &mut conditions);
        let consequence = self.events(consequence, context.len(), &mut conditions);
        if context.is_empty() || consequence.is_empty() {
            self.complain(
                node,
                format!("`{name}` has an empty context or consequence"),
            );
        }
        self.properties.local.push(Property {
            name: name.to_owned(),
            span,
            service: node.attribute("service").map(str::to_owned),
            context,
            correlation: None,
            window,
            per_session: false,
            sense,
            consequence,
        });
        self.written.conditions.push(conditions);
    }

    fn events(
        &mut self,
        node: Node<'_, '_>,
        first: usize,
        conditions: &mut Vec<(usize, WrittenCondition)>,
    ) -> Vec<CandidateEvent> {
        let mut events = Vec::new();
        for child in elements(node) {
            if child.tag_name().name() != "candidateEvent" {
                let name = child.tag_name().name().to_owned();
                self.complain(child, format!("`{name}` is not a candidate event"));
                continue;
            }
            let (event, condition) = self.event(child);
            conditions.extend(condition.map(|it| (first + events.len(), it)));
            events.push(event);
        }
        events
    }

    fn event(&mut self, node: Node<'_, '_>) -> (CandidateEvent, Option<WrittenCondition>) {
        let mut event = CandidateEvent {
            operation: None,
            from: None,
            to: None,
            direction: None,
            bindings: Vec::new(),
            condition: None,
            span: self.span(node),
        };
        let mut condition = None;
        for child in elements(node) {
            match child.tag_name().name() {
                "event" => {
                    let word = |name: &str| child.attribute(name).map(str::to_owned);
                    event.operation = word("name");
                    event.from = word("source").or_else(|| word("sender"));
                    event.to = word("destination").or_else(|| word("receiver"));
                    event.direction = match child.attribute("direction") {
                        Some("sending" | "send") => Some(Direction::Send),
                        Some("reception" | "receive") => Some(Direction::Receive),
                        Some(other) => {
                            self.complain(child, format!("`{other}` is not a direction"));
                            None
                        }
                        None => None,
                    };
                    // Some files keep the data within the event.
                    for data in elements(child) {
                        self.data(data, &mut event.bindings);
                    }
                }
                "data" => self.data(child, &mut event.bindings),
                "predicate" => condition = self.condition(child),
                other => {
                    let message = format!("`{other}` is none of event, data, predicate");
                    self.complain(child, message);
                }
            }
        }
        (event, condition)
    }

    fn data(&mut self, node: Node<'_, '_>, bindings: &mut Vec<BoundField>) {
        for child in elements(node) {
            let variable = child.tag_name().name().to_owned();
            let xpath = child.text().unwrap_or_default().trim();
            match part(xpath) {
                Some(part) => bindings.push(BoundField {
                    part,
                    variable,
                    var: None,
                    span: self.span(child),
                }),
                None => self.complain(child, format!("`{xpath}` is not a supported path")),
            }
        }
    }

    fn condition(&mut self, node: Node<'_, '_>) -> Option<WrittenCondition> {
        let text = node.text()?;
        if text.trim().is_empty() {
            return None;
        }
        let range = node.range();
        let within = &self.text[range.clone()];
        // In CDATA the text stands as it is; with entities its places are those of the element.
        let offset = within.find(text).map_or(range.start, |at| range.start + at) as u32;
        let text = translated(text);
        let (tokens, mut found) = lex(self.file, &text, offset);
        self.diagnostics.append(&mut found);
        let end = (offset as usize + text.len()).min(self.text.len()) as u32;
        Some(WrittenCondition {
            text,
            offset,
            tokens,
            span: Span::new(self.file, offset, end.max(offset)),
        })
    }
}

fn elements<'a, 'i: 'a>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

fn names(node: Node<'_, '_>) -> Vec<String> {
    elements(node)
        .filter_map(|child| child.text())
        .map(|text| text.trim().to_owned())
        .collect()
}

/// The part of a message that an XPath names.
fn part(xpath: &str) -> Option<Part> {
    match xpath {
        "@tstamp" | "tstamp" => return Some(Part::At),
        "@source" | "from" => return Some(Part::From),
        "@destination" | "to" => return Some(Part::To),
        "@name" => return Some(Part::Operation),
        _ => {}
    }
    let steps: Vec<&str> = xpath
        .split('/')
        .map(|step| step.rsplit(':').next().unwrap_or(step).trim())
        .filter(|step| !matches!(*step, "" | "." | "text()"))
        .collect();
    let is_plain = |step: &&str| {
        let name = step.strip_prefix('@').unwrap_or(step);
        !name.is_empty()
            && name
                .chars()
                .all(|character| character.is_alphanumeric() || "_-.".contains(character))
    };
    (!steps.is_empty() && steps.iter().all(is_plain)).then(|| Part::Data(steps.join(".")))
}

/// A predicate in our words, as long as it was: `'a'` becomes `"a"`, and `number(x)` becomes `(x)`.
fn translated(predicate: &str) -> String {
    let mut text = predicate.replace('\'', "\"");
    for function in ["number", "string"] {
        let mut from = 0;
        while let Some(offset) = text[from..].find(function) {
            let start = from + offset;
            let end = start + function.len();
            let before = text[..start].chars().next_back();
            let is_word = before.is_some_and(|sign| sign.is_alphanumeric() || sign == '_');
            if !is_word && text[end..].trim_start().starts_with('(') {
                text.replace_range(start..end, &" ".repeat(function.len()));
            }
            from = end;
        }
    }
    text
}

/// The byte at a line and a column, both from 1, the column in characters.
fn offset_of(text: &str, row: u32, column: u32) -> u32 {
    let mut offset = 0;
    for line in text
        .split_inclusive('\n')
        .take(row.saturating_sub(1) as usize)
    {
        offset += line.len();
    }
    let rest = text.get(offset..).unwrap_or_default();
    let within = rest
        .char_indices()
        .nth(column.saturating_sub(1) as usize)
        .map_or(rest.len(), |(at, _)| at);
    (offset + within).min(text.len()) as u32
}
