//! Messages with the sorts of their parts.

use std::sync::Arc;

use choros_base::{Name, Span};
use choros_data::{Sort, SortKind, Term, Terms, Var};

use super::{Definitions, PartHolds};
use crate::diagnostics::unresolved_name;
use crate::document::{Library, QName};
use crate::schema::{Schema, TypeId};

/// A message and the sort of its values.
///
/// A message of one part has the sort of that part; one of several (or none) has a record of its parts.
#[derive(Debug, Clone)]
pub struct MessageShape {
    pub name: QName,
    /// Its parts, in order.
    pub parts: Vec<PartShape>,
    /// The sort of its values.
    pub sort: Sort,
}

/// A part of a message.
#[derive(Debug, Clone)]
pub struct PartShape {
    pub name: Arc<str>,
    /// Its label, where the message is a record.
    pub label: Name,
    pub element: Option<QName>,
    pub holds: TypeId,
}

impl MessageShape {
    /// The position of a part in the record; `None` when the message is that part.
    pub fn position(&self, part: &str) -> Option<Option<usize>> {
        let position = self.parts.iter().position(|one| &*one.name == part)?;
        Some((self.parts.len() != 1).then_some(position))
    }

    /// What its values obey beyond their sort: a variable and a closed formula over it alone.
    pub fn constraint(&self, schema: &Schema, terms: &mut Terms) -> Option<(Var, Term)> {
        let name = terms.names.intern(&self.name.local);
        let variable = terms.variable(name, self.sort);
        let whole = terms.var(variable);
        let formulas: Vec<Term> = self
            .parts
            .iter()
            .map(|part| {
                let subject = match self.parts.len() {
                    1 => whole,
                    _ => terms.field(whole, part.label).unwrap_or(whole),
                };
                schema.formula(terms, part.holds, subject)
            })
            .collect();
        let formula = terms.and(formulas);
        let formula = terms.close(formula);
        (formula != Term::TRUE).then_some((variable, formula))
    }
}

impl Definitions {
    /// A message with its sort; what is not declared is reported, the message itself at `span`.
    pub fn message(
        &mut self,
        library: &mut Library<'_>,
        terms: &mut Terms,
        name: &QName,
        span: Span,
    ) -> Option<Arc<MessageShape>> {
        if let Some(known) = self.shapes.get(name) {
            return known.clone();
        }
        let Some(declaration) = self.messages.get(name).cloned() else {
            let declared: Vec<QName> = self.messages.keys().cloned().collect();
            library.report(unresolved_name::diagnostic("message", name, declared, span));
            return None;
        };
        let mut parts = Vec::new();
        for part in &declaration.parts {
            let (element, holds) = match &part.holds {
                PartHolds::Element(name) => (
                    Some(name.clone()),
                    self.schema.element_type(library, terms, name, part.span),
                ),
                PartHolds::Type(name) => (
                    None,
                    self.schema.named_type(library, terms, name, part.span),
                ),
            };
            if let Some(holds) = holds {
                parts.push(PartShape {
                    name: part.name.clone(),
                    label: terms.names.intern(&part.name),
                    element,
                    holds,
                });
            }
        }
        let shape = (parts.len() == declaration.parts.len()).then(|| {
            let sort = match &parts[..] {
                [only] => self.schema.get(only.holds).sort,
                parts => {
                    let fields = parts
                        .iter()
                        .map(|part| (part.label, self.schema.get(part.holds).sort))
                        .collect();
                    terms.sort(SortKind::Record(fields))
                }
            };
            Arc::new(MessageShape {
                name: name.clone(),
                parts,
                sort,
            })
        });
        self.shapes.insert(name.clone(), shape.clone());
        shape
    }
}
