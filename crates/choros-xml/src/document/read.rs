//! Reading a document.

use std::sync::Arc;

use choros_base::{FileId, Span};

use super::element::{Attribute, Document, ElementData, ElementId};
use super::{Namespaces, QName};

/// What is too much.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Length of the text.
    pub bytes: usize,
    /// Elements inside each other.
    pub depth: usize,
    /// Elements, texts and comments.
    pub nodes: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            depth: 256,
            nodes: 4 << 20,
        }
    }
}

/// Why a text is not a document that we read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Malformed {
    /// It is not well-formed.
    Syntax {
        /// Where reading stopped.
        span: Span,
        /// What the parser said.
        message: String,
    },
    /// It has a document type declaration.
    DocumentType {
        /// Where.
        span: Span,
    },
    /// It is beyond a limit.
    TooLarge {
        /// Where, if the limit was met inside.
        span: Span,
        /// Which limit, in words.
        limit: String,
    },
}

/// Reads a text; `file` is where it was added to the source map, `path` what relative locations refer to.
pub fn parse(file: FileId, path: &str, text: &str, limits: Limits) -> Result<Document, Malformed> {
    let start = Span::new(file, 0, 0);
    if text.len() > limits.bytes {
        return Err(Malformed::TooLarge {
            span: start,
            limit: format!("{} bytes, of at most {}", text.len(), limits.bytes),
        });
    }
    let options = roxmltree::ParsingOptions {
        allow_dtd: false,
        nodes_limit: limits.nodes,
        ..Default::default()
    };
    let tree = roxmltree::Document::parse_with_options(text, options)
        .map_err(|error| malformed(file, text, &error, limits))?;
    Builder {
        file,
        text,
        limits,
        elements: Vec::new(),
        scopes: Vec::new(),
    }
    .build(path, &tree)
}

struct Builder<'t> {
    file: FileId,
    text: &'t str,
    limits: Limits,
    elements: Vec<ElementData>,
    scopes: Vec<Namespaces>,
}

impl Builder<'_> {
    /// Walks the tree with a stack of its own: how deep it is, is for the limit to say and not for the call stack.
    fn build(mut self, path: &str, tree: &roxmltree::Document<'_>) -> Result<Document, Malformed> {
        let mut stack = vec![(tree.root_element(), None::<ElementId>, 1usize)];
        while let Some((node, parent, depth)) = stack.pop() {
            let tag = self.tag(node);
            if depth > self.limits.depth {
                return Err(Malformed::TooLarge {
                    span: tag,
                    limit: format!("more than {} elements inside each other", self.limits.depth),
                });
            }
            let id = ElementId(self.elements.len() as u32);
            let scope = self.scope(node, tag, parent);
            let (text, text_span) = self.text(node, tag);
            self.elements.push(ElementData {
                name: name(node.tag_name()),
                attributes: node
                    .attributes()
                    .map(|attribute| Attribute {
                        name: QName::new(
                            attribute.namespace().unwrap_or_default(),
                            attribute.name(),
                        ),
                        value: attribute.value().into(),
                        span: self.span(attribute.range_value()),
                    })
                    .collect(),
                parent,
                children: Vec::new(),
                text,
                text_span,
                tag,
                scope,
            });
            if let Some(parent) = parent {
                self.elements[parent.index()].children.push(id);
            }
            // Pushed backwards, so that they are taken, and numbered, in the order of the document.
            let children: Vec<_> = node.children().filter(|it| it.is_element()).collect();
            stack.extend(
                children
                    .into_iter()
                    .rev()
                    .map(|child| (child, Some(id), depth + 1)),
            );
        }
        Ok(Document {
            file: self.file,
            path: path.to_owned(),
            elements: self.elements,
            scopes: self.scopes,
        })
    }

    fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.file, range.start as u32, range.end as u32)
    }

    /// The opening tag: it says what an element is, the rest may be long.
    fn tag(&self, node: roxmltree::Node<'_, '_>) -> Span {
        let range = node.range();
        // An attribute's value may hold `>`.
        let from = node
            .attributes()
            .map(|attribute| attribute.range().end)
            .max()
            .unwrap_or(range.start);
        let end = self
            .text
            .get(from..range.end)
            .and_then(|rest| rest.find('>'))
            .map_or(range.end, |offset| from + offset + 1);
        self.span(range.start..end)
    }

    fn text(&self, node: roxmltree::Node<'_, '_>, tag: Span) -> (Arc<str>, Span) {
        let mut whole = String::new();
        let mut place: Option<Span> = None;
        for child in node.children().filter(|child| child.is_text()) {
            whole.push_str(child.text().unwrap_or_default());
            let here = self.span(child.range());
            place = Some(place.map_or(here, |place| place.to(here)));
        }
        (whole.into(), place.unwrap_or(tag))
    }

    /// The bindings at an element, shared with its parent where they are the same.
    fn scope(
        &mut self,
        node: roxmltree::Node<'_, '_>,
        tag: Span,
        parent: Option<ElementId>,
    ) -> u32 {
        let parent_scope = parent.map(|parent| self.elements[parent.index()].scope);
        let is_silent = !self.text[tag.range()].contains("xmlns");
        if let (Some(scope), true) = (parent_scope, is_silent) {
            return scope;
        }
        let mut here = Namespaces::default();
        for namespace in node.namespaces() {
            here.bind(namespace.name().unwrap_or_default(), namespace.uri());
        }
        if let Some(scope) = parent_scope
            && self.scopes[scope as usize] == here
        {
            return scope;
        }
        self.scopes.push(here);
        self.scopes.len() as u32 - 1
    }
}

fn name(name: roxmltree::ExpandedName<'_, '_>) -> QName {
    QName::new(name.namespace().unwrap_or_default(), name.name())
}

fn malformed(file: FileId, text: &str, error: &roxmltree::Error, limits: Limits) -> Malformed {
    let position = error.pos();
    let offset = offset_of(text, position.row, position.col);
    let span = Span::new(file, offset, offset);
    match error {
        roxmltree::Error::DtdDetected => {
            let at = text.find("<!DOCTYPE").unwrap_or(offset as usize) as u32;
            Malformed::DocumentType {
                span: Span::new(file, at, at + "<!DOCTYPE".len() as u32),
            }
        }
        roxmltree::Error::NodesLimitReached => Malformed::TooLarge {
            span,
            limit: format!("more than {} nodes", limits.nodes),
        },
        other => Malformed::Syntax {
            span,
            message: sentence(&other.to_string()),
        },
    }
}

/// What the parser said, without the place at its end, which the diagnostic shows itself.
fn sentence(message: &str) -> String {
    match message.rfind(" at ") {
        Some(at)
            if message[at + 4..]
                .bytes()
                .all(|it| it.is_ascii_digit() || it == b':') =>
        {
            message[..at].to_owned()
        }
        _ => message.to_owned(),
    }
}

/// The offset of a line and column, both from 1, the column in characters.
fn offset_of(text: &str, row: u32, column: u32) -> u32 {
    let mut start = 0;
    for _ in 1..row {
        match text[start..].find('\n') {
            Some(offset) => start += offset + 1,
            None => return text.len() as u32,
        }
    }
    text[start..]
        .char_indices()
        .nth(column.saturating_sub(1) as usize)
        .map_or(text.len(), |(offset, _)| start + offset) as u32
}
