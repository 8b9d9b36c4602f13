//! XML documents with places.
//!
//! A document is read once into a tree of its own that owns its text, so that readers of WSDL, XML Schema and BPEL
//! can keep it as long as they like.
//! What could reach out of the document or make it explode is refused: document type declarations, and with them all
//! entities but the five built-in ones; documents beyond [`Limits`].

mod element;
mod library;
mod read;
mod rewrite;
mod written;

pub use element::{Attribute, Document, Element, ElementId};
pub use library::{Library, relative};
pub use read::{Limits, Malformed, parse};
pub use rewrite::{NewElement, Rewriting};
pub use written::WrittenExpression;

pub use crate::names::{DefaultNamespace, Namespaces, QName};
