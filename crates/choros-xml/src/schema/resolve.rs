//! From declarations to types with sorts.
//!
//! A type that contains itself is unfolded to [`LEVELS`] levels: deeper, the optional element that would contain it is
//! left out.
//! If no optional element stands between, the type has no finite value, and that is an error.

use choros_base::{Diagnostic, Name, Span};
use choros_data::{Sort, SortKind, Terms};

use super::groups::Gathered;
use super::restriction::any_text;
use super::simple::SimpleType;
use super::types::{ComplexType, Content, Shape, Type, TypeId};
use super::{Declaration, Kind, Schema, Setting, XSD};
use crate::diagnostics::{
    endless_type, misplaced_element, recursion_bound, too_large_document, unresolved_name,
    unsupported_construct,
};
use crate::document::{Element, Library, QName};

/// How often a type may stand inside itself.
pub(super) const LEVELS: usize = 3;
/// How deep types may stand inside others.
const MAX_NESTING: usize = 64;
/// How many types may be built.
const MAX_TYPES: usize = 20_000;

/// How many groups and types may be examined for one type.
const MAX_PARTS: usize = 100_000;

/// Why a type cannot be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unbuilt {
    /// It would stand inside itself once too often: a caller that can do without it leaves it out.
    TooDeep,
    /// Something is wrong, and was reported.
    Reported,
}

/// One building of a type: the names that stand inside each other, and what building needs.
pub(super) struct Builder<'b, 's> {
    pub(super) schema: &'b mut Schema,
    pub(super) library: &'b mut Library<'s>,
    pub(super) terms: &'b mut Terms,
    inside: Vec<(Kind, QName)>,
    depth: usize,
    /// Groups that stand inside each other without an element between them.
    pub(super) groups: Vec<QName>,
    /// How many parts were examined.
    work: usize,
    /// How often something was left out because it stood inside itself.
    cuts: usize,
    /// What there is to say about that, if a type comes of it.
    recursions: Vec<Diagnostic>,
}

/// Whether a name of the schema namespace is a built-in type.
pub(super) fn is_built_in(local: &str) -> bool {
    local == "anyType" || is_list(local) || SimpleType::built_in(local).is_some()
}

/// The names of all built-in types.
pub(super) fn built_in_names() -> Vec<QName> {
    SimpleType::NAMES
        .iter()
        .map(|name| QName::new(XSD, *name))
        .collect()
}

fn is_list(local: &str) -> bool {
    matches!(local, "NMTOKENS" | "IDREFS" | "ENTITIES")
}

impl Schema {
    pub(super) fn build(
        &mut self,
        library: &mut Library<'_>,
        terms: &mut Terms,
        kind: Kind,
        name: &QName,
    ) -> Option<TypeId> {
        if let Some(known) = self.known.get(&(kind, name.clone())) {
            return *known;
        }
        let mut builder = Builder {
            schema: self,
            library,
            terms,
            inside: Vec::new(),
            depth: 0,
            groups: Vec::new(),
            work: 0,
            cuts: 0,
            recursions: Vec::new(),
        };
        let built = builder.named(kind, name);
        let mut recursions = std::mem::take(&mut builder.recursions);
        if built.is_ok() {
            library.diagnostics.append(&mut recursions);
        }
        if built == Err(Unbuilt::TooDeep) {
            let span = self
                .declaration(kind, name)
                .map(|declaration| declaration.element().span());
            if let Some(span) = span {
                library.report(endless_type::diagnostic(&name.local, span));
            }
        }
        self.known.insert((kind, name.clone()), built.ok());
        built.ok()
    }

    /// Whether anything is declared under a name.
    fn declares(&self, name: &QName) -> bool {
        [
            &self.elements,
            &self.types,
            &self.groups,
            &self.attributes,
            &self.attribute_groups,
        ]
        .iter()
        .any(|table| table.contains_key(name))
    }

    fn declaration(&self, kind: Kind, name: &QName) -> Option<&Declaration> {
        match kind {
            Kind::Element => self.elements.get(name),
            Kind::Type => self.types.get(name),
        }
    }
}

impl Builder<'_, '_> {
    pub(super) fn unsupported(&mut self, what: &str, instead: &str, span: Span) {
        self.library
            .report(unsupported_construct::diagnostic(what, instead, span));
    }

    /// The type of a declared or built-in name that is known to exist.
    fn named(&mut self, kind: Kind, name: &QName) -> Result<TypeId, Unbuilt> {
        let key = (kind, name.clone());
        if let Some(known) = self.schema.known.get(&key) {
            return known.ok_or(Unbuilt::Reported);
        }
        if kind == Kind::Type && &*name.namespace == XSD {
            return Ok(self.built_in(name));
        }
        let Some(declaration) = self.schema.declaration(kind, name).cloned() else {
            return Err(Unbuilt::Reported);
        };
        let element = declaration.element();
        let around = self.inside.iter().filter(|one| **one == key).count();
        if around >= LEVELS {
            if self.schema.reported_recursion.insert(name.clone()) {
                let note = recursion_bound::diagnostic(&name.local, LEVELS, element.span());
                self.recursions.push(note);
            }
            self.cuts += 1;
            return Err(Unbuilt::TooDeep);
        }
        self.work += 1;
        if self.depth >= MAX_NESTING
            || self.schema.built.len() >= MAX_TYPES
            || self.work >= MAX_PARTS
        {
            // Once is enough: every part of it would say the same.
            if !std::mem::replace(&mut self.schema.is_too_large, true) {
                self.library
                    .report(too_large_document::of_type(element.span()));
            }
            return Err(Unbuilt::Reported);
        }
        let cuts = self.cuts;
        self.inside.push(key.clone());
        self.depth += 1;
        let built = match kind {
            Kind::Element => self.element_content(element, &declaration.setting),
            Kind::Type => self.type_element(element, &declaration.setting, Some(name)),
        };
        self.depth -= 1;
        self.inside.pop();
        // What was built without leaving anything out does not depend on where it stands.
        if self.cuts == cuts && built != Err(Unbuilt::TooDeep) {
            self.schema.known.insert(key, built.ok());
        }
        built
    }

    fn built_in(&mut self, name: &QName) -> TypeId {
        let simple = SimpleType::built_in(&name.local).unwrap_or_else(any_text);
        let id = self.add(
            Some(name.clone()),
            None,
            Shape::Simple(simple.clone()),
            simple.sort(),
        );
        self.schema
            .known
            .insert((Kind::Type, name.clone()), Some(id));
        id
    }

    pub(super) fn add(
        &mut self,
        name: Option<QName>,
        span: Option<Span>,
        shape: Shape,
        sort: Sort,
    ) -> TypeId {
        let id = TypeId(self.schema.built.len() as u32);
        self.schema.built.push(Type {
            name,
            sort,
            shape,
            span,
        });
        id
    }

    /// The name in an attribute.
    ///
    /// In a document without a target namespace that was included by one with, names without a namespace stand for
    /// those of the including document, unless they are declared as they are.
    pub(super) fn name(&mut self, element: Element<'_>, attribute: &str) -> Option<QName> {
        let name = self.library.name_in_attribute(element, attribute)?;
        if !name.namespace.is_empty() || self.schema.declares(&name) {
            return Some(name);
        }
        let path = element.document().path();
        let mut targets = self
            .schema
            .documents
            .iter()
            .filter(|(of, _, target)| of == path && !target.is_empty())
            .map(|(_, _, target)| QName::new(target.clone(), name.local.clone()));
        let adopted = targets.find(|adopted| self.schema.declares(adopted));
        Some(adopted.unwrap_or(name))
    }

    /// The name in the attribute `ref` of a group.
    pub(super) fn referred(&mut self, element: Element<'_>) -> Result<QName, Unbuilt> {
        if element.attribute("ref").is_none() {
            let what = element.local();
            self.library
                .report(misplaced_element::lacking(what, "ref", element.span()));
        }
        self.name(element, "ref").ok_or(Unbuilt::Reported)
    }

    /// The type that a reference in an attribute names.
    pub(super) fn reference(
        &mut self,
        element: Element<'_>,
        attribute: &str,
        kind: Kind,
    ) -> Result<TypeId, Unbuilt> {
        let name = self.name(element, attribute).ok_or(Unbuilt::Reported)?;
        let span = element.attribute_span(attribute);
        let is_builtin = kind == Kind::Type && &*name.namespace == XSD;
        let is_declared = if is_builtin {
            is_built_in(&name.local)
        } else {
            self.schema.declaration(kind, &name).is_some()
        };
        if !is_declared {
            let (what, declared): (_, Vec<QName>) = match kind {
                Kind::Type if is_builtin => ("type", built_in_names()),
                Kind::Type => ("type", self.schema.types.keys().cloned().collect()),
                Kind::Element => ("element", self.schema.elements.keys().cloned().collect()),
            };
            self.library
                .report(unresolved_name::diagnostic(what, &name, declared, span));
            return Err(Unbuilt::Reported);
        }
        if is_builtin && (&*name.local == "anyType" || is_list(&name.local)) {
            self.unsupported(
                &format!("the type `{}`", name.local),
                "treated as a text",
                span,
            );
        }
        self.named(kind, &name)
    }

    /// What an element (or attribute) declaration says it holds.
    pub(super) fn element_content(
        &mut self,
        element: Element<'_>,
        setting: &Setting,
    ) -> Result<TypeId, Unbuilt> {
        if element.attribute("substitutionGroup").is_some()
            || element.attribute("abstract") == Some("true")
        {
            self.unsupported(
                "a substitution group",
                "only the element itself is known here",
                element.span(),
            );
        }
        if element.attribute("type").is_some() {
            return self.reference(element, "type", Kind::Type);
        }
        let inner = element
            .children()
            .find(|child| matches!(child.local(), "simpleType" | "complexType"));
        match inner {
            Some(inner) => self.deeper(inner, |builder| builder.type_element(inner, setting, None)),
            None => {
                if element.local() == "element" {
                    self.unsupported(
                        "an element without a type",
                        "treated as a text",
                        element.span(),
                    );
                }
                Ok(self.built_in(&QName::new(XSD, "string")))
            }
        }
    }

    /// Guards against nesting without names.
    pub(super) fn deeper<T>(
        &mut self,
        element: Element<'_>,
        inner: impl FnOnce(&mut Self) -> Result<T, Unbuilt>,
    ) -> Result<T, Unbuilt> {
        if self.depth >= MAX_NESTING || self.schema.built.len() >= MAX_TYPES {
            self.unsupported(
                "so large a type",
                "types are nested more than 64 deep, or 20,000 of them are needed",
                element.span(),
            );
            return Err(Unbuilt::Reported);
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Goes into a named group, which must not be inside itself without an element between.
    pub(super) fn inside_group<T>(
        &mut self,
        name: &QName,
        element: Element<'_>,
        inner: impl FnOnce(&mut Self) -> Result<T, Unbuilt>,
    ) -> Result<T, Unbuilt> {
        if self.groups.contains(name) {
            let span = element.attribute_span("ref");
            self.library.report(endless_type::group(&name.local, span));
            return Err(Unbuilt::Reported);
        }
        self.groups.push(name.clone());
        let result = self.deeper(element, inner);
        self.groups.pop();
        result
    }

    /// A `simpleType` or `complexType` element.
    fn type_element(
        &mut self,
        element: Element<'_>,
        setting: &Setting,
        name: Option<&QName>,
    ) -> Result<TypeId, Unbuilt> {
        let span = Some(element.span());
        if element.local() == "simpleType" {
            let simple = self.simple(element)?;
            let sort = simple.sort();
            return Ok(self.add(name.cloned(), span, Shape::Simple(simple), sort));
        }
        let mut parts = Gathered::default();
        self.complex(element, setting, &mut parts)?;
        let (shape, sort) = self.assemble(parts);
        Ok(self.add(name.cloned(), span, Shape::Complex(shape), sort))
    }

    /// Numbers the fields and makes the record's sort.
    fn assemble(&mut self, mut parts: Gathered) -> (ComplexType, Sort) {
        let mut fields: Vec<(Name, Sort)> = Vec::new();
        for attribute in &mut parts.attributes {
            attribute.position = fields.len();
            let held = self.schema.get(attribute.holds).sort;
            let sort = if attribute.is_required {
                held
            } else {
                self.terms.list_sort(held)
            };
            fields.push((attribute.label, sort));
        }
        let content = match parts.text {
            Some(simple) => {
                let label = self.terms.names.intern("text");
                fields.push((label, simple.sort()));
                Content::Text(simple)
            }
            None => {
                for field in &mut parts.fields {
                    field.position = fields.len();
                    let held = self.schema.get(field.holds).sort;
                    let sort = if field.is_list {
                        self.terms.list_sort(held)
                    } else {
                        held
                    };
                    fields.push((field.label, sort));
                }
                Content::Elements {
                    fields: parts.fields,
                    particle: parts.particle,
                }
            }
        };
        let sort = self.terms.sort(SortKind::Record(fields));
        let complex = ComplexType {
            attributes: parts.attributes,
            content,
            is_open: parts.is_open,
        };
        (complex, sort)
    }

    /// A `complexType` element, or the base of one, added to what was gathered.
    fn complex(
        &mut self,
        element: Element<'_>,
        setting: &Setting,
        parts: &mut Gathered,
    ) -> Result<(), Unbuilt> {
        if element.attribute("mixed") == Some("true") {
            self.unsupported(
                "mixed content",
                "the text between the elements is left out",
                element.span(),
            );
        }
        if element.attribute("abstract") == Some("true") {
            self.unsupported(
                "an abstract type",
                "treated as the type itself",
                element.span(),
            );
        }
        for child in element.children() {
            match child.local() {
                "simpleContent" => self.simple_content(child, setting, parts)?,
                "complexContent" => self.complex_content(child, setting, parts)?,
                _ => self.content_child(child, setting, parts)?,
            }
        }
        Ok(())
    }

    /// A model group or an attribute inside a complex type, an extension or a restriction.
    pub(super) fn content_child(
        &mut self,
        child: Element<'_>,
        setting: &Setting,
        parts: &mut Gathered,
    ) -> Result<(), Unbuilt> {
        match child.local() {
            "sequence" | "all" | "choice" | "group" => self.outer_group(child, setting, parts),
            "attribute" => self.attribute(child, setting, parts),
            "attributeGroup" => self.attribute_group(child, parts),
            "anyAttribute" => {
                parts.is_open = true;
                Ok(())
            }
            "annotation" => Ok(()),
            other => {
                self.unsupported(&format!("`xs:{other}`"), "left out", child.span());
                Ok(())
            }
        }
    }

    fn complex_content(
        &mut self,
        element: Element<'_>,
        setting: &Setting,
        parts: &mut Gathered,
    ) -> Result<(), Unbuilt> {
        for child in element.children() {
            match child.local() {
                "extension" | "restriction" => {
                    self.base(child, parts, child.local() == "extension")?;
                    for inner in child.children() {
                        self.content_child(inner, setting, parts)?;
                    }
                }
                _ => self.content_child(child, setting, parts)?,
            }
        }
        Ok(())
    }

    /// Adds what the base of an extension has; of the base of a restriction only the attributes count, the elements
    /// are written again.
    fn base(
        &mut self,
        element: Element<'_>,
        parts: &mut Gathered,
        is_extension: bool,
    ) -> Result<(), Unbuilt> {
        let name = self.name(element, "base");
        let Some(name) = name else {
            self.library.report(misplaced_element::lacking(
                element.local(),
                "base",
                element.span(),
            ));
            return Err(Unbuilt::Reported);
        };
        if name.is(XSD, "anyType") {
            return Ok(());
        }
        let span = element.attribute_span("base");
        let Some(declaration) = self.schema.types.get(&name).cloned() else {
            let declared: Vec<QName> = self.schema.types.keys().cloned().collect();
            self.library
                .report(unresolved_name::diagnostic("type", &name, declared, span));
            return Err(Unbuilt::Reported);
        };
        if self.inside.last() == Some(&(Kind::Type, name.clone())) || self.depth >= MAX_NESTING {
            self.library
                .report(endless_type::diagnostic(&name.local, span));
            return Err(Unbuilt::Reported);
        }
        let base = declaration.element();
        self.deeper(element, |builder| {
            let mut inherited = Gathered::default();
            builder.complex(base, &declaration.setting, &mut inherited)?;
            if !is_extension {
                inherited.forget_content();
            }
            parts.inherit(inherited);
            Ok(())
        })
    }

    fn simple_content(
        &mut self,
        element: Element<'_>,
        setting: &Setting,
        parts: &mut Gathered,
    ) -> Result<(), Unbuilt> {
        for child in element
            .children()
            .filter(|child| matches!(child.local(), "extension" | "restriction"))
        {
            let held = self.reference(child, "base", Kind::Type)?;
            let mut simple = match &self.schema.get(held).shape {
                Shape::Simple(simple) => simple.clone(),
                Shape::Complex(complex) => {
                    let Some((simple, _)) = complex.text() else {
                        self.library.report(misplaced_element::diagnostic(
                            "the base of a simple content has elements",
                            child.attribute_span("base"),
                        ));
                        return Err(Unbuilt::Reported);
                    };
                    let simple = simple.clone();
                    parts.attributes.extend(complex.attributes.iter().cloned());
                    simple
                }
            };
            if child.local() == "restriction" {
                self.restrict(child, &mut simple);
            }
            parts.text = Some(simple);
            for inner in child.children() {
                if matches!(
                    inner.local(),
                    "attribute" | "attributeGroup" | "anyAttribute"
                ) {
                    self.content_child(inner, setting, parts)?;
                }
            }
        }
        Ok(())
    }
}
