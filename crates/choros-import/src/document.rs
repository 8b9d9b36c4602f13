//! A description as a tree of values with places.

use choros_base::Span;

/// How deep a description can nest.
pub(crate) const DEEPEST: usize = 200;

/// How many values a description can have.
pub(crate) const MOST_VALUES: usize = 4_000_000;

/// One text, read: values by number, so that an anchor that is used twice is kept once.
#[derive(Debug, Default)]
pub(crate) struct Document {
    nodes: Vec<Node>,
}

/// A value in a [`Document`].
pub(crate) type NodeId = u32;

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) value: Value,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// A number as it is written.
    Number(String),
    Text(String),
    List(Vec<NodeId>),
    /// Keys and values, in the order of the text.
    Map(Vec<(String, NodeId)>),
}

/// Why a text is not a document.
#[derive(Debug)]
pub(crate) struct Unreadable {
    /// Where.
    pub(crate) span: Span,
    /// What is wrong there.
    pub(crate) reason: String,
}

impl Document {
    /// The last value.
    pub(crate) fn root(&self) -> NodeId {
        self.nodes.len().saturating_sub(1) as NodeId
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(crate) fn push(&mut self, span: Span, value: Value) -> Result<NodeId, Unreadable> {
        if self.nodes.len() >= MOST_VALUES {
            let reason = format!("the description has more than {MOST_VALUES} values");
            return Err(Unreadable { span, reason });
        }
        self.nodes.push(Node { span, value });
        Ok(self.root())
    }
}

/// Puts together the values that a reader meets one after the other.
pub(crate) struct Builder {
    pub(crate) document: Document,
    open: Vec<OpenNode>,
    root: Option<NodeId>,
    /// How many entries other mappings have lent.
    merged: usize,
}

struct OpenNode {
    span: Span,
    anchor: usize,
    is_map: bool,
    /// The key that waits for its value.
    key: Option<String>,
    entries: Vec<(String, NodeId)>,
    /// Entries that other mappings lend.
    lent: Vec<(String, NodeId)>,
    items: Vec<NodeId>,
}

impl Builder {
    pub(crate) fn new() -> Builder {
        Builder {
            document: Document::default(),
            open: Vec::new(),
            root: None,
            merged: 0,
        }
    }

    /// Whether the next value is a key.
    pub(crate) fn wants_key(&self) -> bool {
        self.open
            .last()
            .is_some_and(|it| it.is_map && it.key.is_none())
    }

    pub(crate) fn key(&mut self, key: String) {
        if let Some(open) = self.open.last_mut() {
            open.key = Some(key);
        }
    }

    pub(crate) fn begin(
        &mut self,
        span: Span,
        is_map: bool,
        anchor: usize,
    ) -> Result<(), Unreadable> {
        if self.open.len() >= DEEPEST {
            let reason = format!("the description nests deeper than {DEEPEST} levels");
            return Err(Unreadable { span, reason });
        }
        self.open.push(OpenNode {
            span,
            anchor,
            is_map,
            key: None,
            entries: Vec::new(),
            lent: Vec::new(),
            items: Vec::new(),
        });
        Ok(())
    }

    /// Ends the innermost list or mapping; says its number and its anchor.
    pub(crate) fn end(&mut self) -> Result<Option<(NodeId, usize)>, Unreadable> {
        let Some(mut open) = self.open.pop() else {
            return Ok(None);
        };
        // The first entry of a key counts, so what a mapping says itself comes before what others lend.
        open.entries.append(&mut open.lent);
        let value = if open.is_map {
            Value::Map(open.entries)
        } else {
            Value::List(open.items)
        };
        let id = self.document.push(open.span, value)?;
        self.place(id);
        Ok(Some((id, open.anchor)))
    }

    pub(crate) fn scalar(&mut self, span: Span, value: Value) -> Result<NodeId, Unreadable> {
        let id = self.document.push(span, value)?;
        self.place(id);
        Ok(id)
    }

    /// Puts a value where one is waited for.
    pub(crate) fn place(&mut self, id: NodeId) {
        match self.open.last_mut() {
            None => self.root = Some(id),
            Some(open) if open.is_map => {
                let key = open.key.take().unwrap_or_default();
                if key == "<<" {
                    self.merge(id);
                } else {
                    open.entries.push((key, id));
                }
            }
            Some(open) => open.items.push(id),
        }
    }

    /// `<<: *base`: the entries of another mapping.
    fn merge(&mut self, id: NodeId) {
        let from: Vec<NodeId> = match &self.document.node(id).value {
            Value::List(items) => items.clone(),
            _ => vec![id],
        };
        let mut entries = Vec::new();
        for id in from {
            if let Value::Map(found) = &self.document.node(id).value {
                entries.extend(found.iter().cloned());
            }
        }
        if let Some(open) = self.open.last_mut() {
            entries.truncate(MOST_VALUES.saturating_sub(self.merged));
            self.merged += entries.len();
            open.lent.extend(entries);
        }
    }

    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The document, if it has one root and nothing is open.
    pub(crate) fn finish(mut self, whole: Span) -> Result<Document, Unreadable> {
        let Some(root) = self.root.filter(|_| self.open.is_empty()) else {
            let reason = "the description is empty".to_owned();
            return Err(Unreadable {
                span: whole,
                reason,
            });
        };
        if root != self.document.root() {
            let node = self.document.node(root);
            let (span, value) = (node.span, node.value.clone());
            self.document.push(span, value)?;
        }
        Ok(self.document)
    }
}
