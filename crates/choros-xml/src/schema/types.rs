//! Types with their sorts: the bridge between XML and values.

use std::sync::Arc;

use choros_base::{Name, Span};
use choros_data::Sort;

use super::simple::SimpleType;
use crate::document::QName;

/// A type of a [`super::Schema`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub(super) u32);

choros_base::indices!(TypeId);

/// What an element, an attribute or a part may hold.
#[derive(Debug, Clone)]
pub struct Type {
    /// How it is called, if it has a name.
    pub name: Option<QName>,
    /// The sort of its values.
    pub sort: Sort,
    /// What it is made of.
    pub shape: Shape,
    /// Where it is declared, if it is not built in.
    pub span: Option<Span>,
}

/// What a type is made of.
#[derive(Debug, Clone)]
pub enum Shape {
    /// A text without attributes; its sort is Bool, Int, Real or String.
    Simple(SimpleType),
    /// Attributes and a text or elements; its sort is a record.
    Complex(ComplexType),
}

/// A record: first the attributes, then the text or the elements, in the order of the document.
#[derive(Debug, Clone)]
pub struct ComplexType {
    /// The attributes; their fields are called `@name`.
    pub attributes: Vec<AttributeField>,
    /// What stands between the tags.
    pub content: Content,
    /// Whether other elements and attributes may occur (`xs:any`): they are passed over in reading.
    pub is_open: bool,
}

/// What stands between the tags.
#[derive(Debug, Clone)]
pub enum Content {
    /// A text; its field is called `text`.
    Text(SimpleType),
    /// Elements, and in which order and number they occur.
    Elements {
        /// The fields, in the order of the declaration.
        fields: Vec<ElementField>,
        /// The order; elements are positions in `fields`.
        particle: Particle,
    },
}

/// An element of a complex type.
#[derive(Debug, Clone)]
pub struct ElementField {
    /// Its name on the wire.
    pub name: QName,
    /// Its label in the record: the local name.
    pub label: Name,
    /// Its position in the record.
    pub position: usize,
    /// What each occurrence holds.
    pub holds: TypeId,
    /// How often it occurs.
    pub occurs: Occurs,
    /// Whether the field is a list of what each occurrence holds, because the element need not occur exactly once.
    pub is_list: bool,
    /// Whether it may be there without a value (`xsi:nil`), which is the empty list.
    pub is_nillable: bool,
    /// Where it is declared.
    pub span: Span,
}

/// An attribute of a complex type.
#[derive(Debug, Clone)]
pub struct AttributeField {
    /// Its name on the wire.
    pub name: QName,
    /// Its label in the record: `@` and the local name.
    pub label: Name,
    /// Its position in the record.
    pub position: usize,
    pub holds: TypeId,
    /// Whether it must be there; otherwise the field is a list of at most one.
    pub is_required: bool,
    /// What it holds when it is not there.
    pub default: Option<Arc<str>>,
}

/// How often something occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurs {
    /// At least.
    pub min: u32,
    /// At most; `None` is *unbounded*.
    pub max: Option<u32>,
}

/// The order of elements.
#[derive(Debug, Clone)]
pub enum Particle {
    /// The element at this position among the fields.
    Element(usize),
    /// Several together.
    Group {
        /// How they are together.
        kind: GroupKind,
        /// How often.
        occurs: Occurs,
        /// What they are.
        parts: Vec<Particle>,
    },
}

/// How the parts of a group are together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKind {
    /// One after the other.
    Sequence,
    /// In any order.
    All,
    /// One of them.
    Choice,
}

impl Occurs {
    /// Exactly once.
    pub const ONCE: Occurs = Occurs {
        min: 1,
        max: Some(1),
    };

    /// Both, one inside the other.
    pub fn times(self, inner: Occurs) -> Occurs {
        Occurs {
            min: self.min.saturating_mul(inner.min),
            max: match (self.max, inner.max) {
                (Some(0), _) | (_, Some(0)) => Some(0),
                (Some(outer), Some(inner)) => outer.checked_mul(inner),
                _ => None,
            },
        }
    }

    /// Whether this many are allowed.
    pub fn allows(self, count: usize) -> bool {
        count >= self.min as usize && self.max.is_none_or(|max| count <= max as usize)
    }
}

impl std::fmt::Display for Occurs {
    /// `exactly 1`, `1 to 3`, `2 or more`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.max {
            Some(max) if max == self.min => write!(f, "exactly {max}"),
            Some(max) if self.min == 0 => write!(f, "at most {max}"),
            Some(max) => write!(f, "{} to {max}", self.min),
            None => write!(f, "{} or more", self.min),
        }
    }
}

impl Type {
    /// Its name, or what it is.
    pub fn describe(&self) -> String {
        match (&self.name, &self.shape) {
            (Some(name), _) => format!("`{}`", name.local),
            (None, Shape::Simple(_)) => "a simple type".to_owned(),
            (None, Shape::Complex(_)) => "a type without a name".to_owned(),
        }
    }
}

impl ComplexType {
    /// Its elements; none when it holds a text.
    pub fn elements(&self) -> &[ElementField] {
        match &self.content {
            Content::Elements { fields, .. } => fields,
            Content::Text(_) => &[],
        }
    }

    /// Its text, and the position of the text's field in the record.
    pub fn text(&self) -> Option<(&SimpleType, usize)> {
        match &self.content {
            Content::Text(simple) => Some((simple, self.attributes.len())),
            Content::Elements { .. } => None,
        }
    }
}
