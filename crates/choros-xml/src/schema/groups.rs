//! Model groups: sequences, choices, any order, and what is gathered of a complex type on the way.

use super::resolve::{Builder, Unbuilt};
use super::simple::SimpleType;
use super::types::{AttributeField, ElementField, GroupKind, Occurs, Particle};
use super::{Kind, Setting};
use crate::diagnostics::{declared_twice, misplaced_element, unresolved_name};
use crate::document::{Element, QName};

/// What is known of a complex type while it is read.
pub(super) struct Gathered {
    pub(super) attributes: Vec<AttributeField>,
    pub(super) text: Option<SimpleType>,
    pub(super) fields: Vec<ElementField>,
    pub(super) particle: Particle,
    pub(super) is_open: bool,
}

impl Default for Gathered {
    fn default() -> Self {
        Self {
            attributes: Vec::new(),
            text: None,
            fields: Vec::new(),
            particle: sequence(Vec::new()),
            is_open: false,
        }
    }
}

impl Gathered {
    /// Drops elements and text, keeps attributes.
    pub(super) fn forget_content(&mut self) {
        self.fields.clear();
        self.text = None;
        self.particle = sequence(Vec::new());
    }

    /// Puts what a base has before what is there.
    pub(super) fn inherit(&mut self, base: Gathered) {
        // A base is read before anything else of the type that extends it.
        let mine = std::mem::replace(self, base);
        self.is_open |= mine.is_open;
        self.attributes.extend(mine.attributes);
        self.text = mine.text.or(self.text.take());
    }
}

fn sequence(parts: Vec<Particle>) -> Particle {
    Particle::Group {
        kind: GroupKind::Sequence,
        occurs: Occurs::ONCE,
        parts,
    }
}

impl Builder<'_, '_> {
    /// A model group directly in a type, after what its base has.
    pub(super) fn outer_group(
        &mut self,
        element: Element<'_>,
        setting: &Setting,
        parts: &mut Gathered,
    ) -> Result<(), Unbuilt> {
        let Some(group) = self.group(element, setting, parts, false)? else {
            return Ok(());
        };
        match &mut parts.particle {
            Particle::Group { parts, .. } if parts.is_empty() => parts.push(group),
            Particle::Group {
                kind: GroupKind::Sequence,
                parts,
                ..
            } => parts.push(group),
            other => {
                let first = std::mem::replace(other, sequence(Vec::new()));
                *other = sequence(vec![first, group]);
            }
        }
        Ok(())
    }

    /// A `sequence`, `all`, `choice` or reference to a `group`; `None` when it holds nothing.
    fn group(
        &mut self,
        element: Element<'_>,
        setting: &Setting,
        parts: &mut Gathered,
        is_optional: bool,
    ) -> Result<Option<Particle>, Unbuilt> {
        let occurs = self.occurs(element)?;
        if occurs.max == Some(0) {
            return Ok(None);
        }
        if element.local() == "group" {
            return self.named_group(element, parts, occurs, is_optional);
        }
        let kind = match element.local() {
            "sequence" => GroupKind::Sequence,
            "all" => GroupKind::All,
            _ => GroupKind::Choice,
        };
        self.deeper(element, |builder| {
            builder.parts_of(element, setting, parts, kind, occurs, is_optional)
        })
    }

    fn parts_of(
        &mut self,
        element: Element<'_>,
        setting: &Setting,
        gathered: &mut Gathered,
        kind: GroupKind,
        occurs: Occurs,
        is_optional: bool,
    ) -> Result<Option<Particle>, Unbuilt> {
        let first = gathered.fields.len();
        let is_repeated = occurs.max != Some(1);
        let is_optional =
            is_optional || kind == GroupKind::Choice || occurs.min == 0 || is_repeated;
        let mut parts = Vec::new();
        for child in element.children() {
            let part = match child.local() {
                "element" => self.element(child, setting, gathered, is_optional)?,
                "sequence" | "all" | "choice" | "group" => {
                    self.group(child, setting, gathered, is_optional)?
                }
                "any" => {
                    self.unsupported(
                        "`xs:any`",
                        "passed over in reading, left out in writing",
                        child.span(),
                    );
                    gathered.is_open = true;
                    None
                }
                _ => None,
            };
            parts.extend(part);
        }
        let fields = &mut gathered.fields[first..];
        if !is_repeated {
            return Ok(Some(Particle::Group {
                kind,
                occurs,
                parts,
            }));
        }
        if let [only] = fields {
            // A repeated group with one element is that element repeated.
            only.occurs = occurs.times(only.occurs);
            return Ok(Some(Particle::Element(first)));
        }
        let is_plain = parts
            .iter()
            .all(|part| matches!(part, Particle::Element(_)))
            && fields.iter().all(|field| field.occurs == Occurs::ONCE);
        if !is_plain {
            self.unsupported(
                "a repeated group of other than single elements",
                "its elements are taken one by one, in any number",
                element.span(),
            );
            for field in fields {
                field.occurs = Occurs { min: 0, max: None };
            }
            return Ok(Some(sequence(parts)));
        }
        for field in fields {
            field.occurs = match kind {
                GroupKind::Choice => Occurs { min: 0, ..occurs },
                _ => occurs,
            };
        }
        if kind == GroupKind::Choice {
            self.unsupported(
                "the order among the alternatives of a repeated choice",
                "they are kept and written alternative by alternative",
                element.span(),
            );
        }
        Ok(Some(Particle::Group {
            kind,
            occurs,
            parts,
        }))
    }

    fn named_group(
        &mut self,
        element: Element<'_>,
        gathered: &mut Gathered,
        occurs: Occurs,
        is_optional: bool,
    ) -> Result<Option<Particle>, Unbuilt> {
        let name = self.referred(element)?;
        let Some(declaration) = self.schema.groups.get(&name).cloned() else {
            let declared: Vec<QName> = self.schema.groups.keys().cloned().collect();
            let span = element.attribute_span("ref");
            self.library
                .report(unresolved_name::diagnostic("group", &name, declared, span));
            return Err(Unbuilt::Reported);
        };
        self.inside_group(&name, element, |builder| {
            let inner = declaration
                .element()
                .children()
                .find(|child| matches!(child.local(), "sequence" | "all" | "choice"));
            let Some(inner) = inner else {
                return Ok(None);
            };
            let kind = match inner.local() {
                "sequence" => GroupKind::Sequence,
                "all" => GroupKind::All,
                _ => GroupKind::Choice,
            };
            builder.parts_of(
                inner,
                &declaration.setting,
                gathered,
                kind,
                occurs,
                is_optional,
            )
        })
    }

    fn element(
        &mut self,
        element: Element<'_>,
        setting: &Setting,
        gathered: &mut Gathered,
        is_optional: bool,
    ) -> Result<Option<Particle>, Unbuilt> {
        let occurs = self.occurs(element)?;
        if occurs.max == Some(0) {
            return Ok(None);
        }
        // An element starts again: a group may stand inside an element of itself.
        let groups = std::mem::take(&mut self.groups);
        let (name, holds) = if element.attribute("ref").is_some() {
            let name = self.name(element, "ref").ok_or(Unbuilt::Reported)?;
            (name, self.reference(element, "ref", Kind::Element))
        } else {
            let Some(local) = element.attribute("name") else {
                self.library.report(misplaced_element::lacking(
                    "element",
                    "name",
                    element.span(),
                ));
                return Err(Unbuilt::Reported);
            };
            let is_qualified = match element.attribute("form") {
                Some(form) => form == "qualified",
                None => setting.has_qualified_elements,
            };
            let name = if is_qualified {
                QName::new(setting.target.clone(), local)
            } else {
                QName::unqualified(local)
            };
            (name, self.element_content(element, setting))
        };
        self.groups = groups;
        let holds = match holds {
            // What stands inside itself once too often is left out where it may be.
            Err(Unbuilt::TooDeep) if is_optional || occurs.min == 0 => return Ok(None),
            other => other?,
        };
        if let Some(first) = gathered
            .fields
            .iter()
            .find(|field| field.name.local == name.local)
        {
            self.library.report(declared_twice::diagnostic(
                "element",
                &name.local,
                first.span,
                element.span(),
            ));
            self.unsupported(
                "an element that occurs at two places of one type",
                "only the first is known here",
                element.span(),
            );
            return Ok(None);
        }
        let holds = self.fixed(element, holds);
        if element.attribute("default").is_some() {
            self.unsupported(
                "a default of an element",
                "an empty element is an empty text here",
                element.attribute_span("default"),
            );
        }
        let mut is_nillable = element.attribute("nillable") == Some("true");
        if is_nillable && occurs.max != Some(1) {
            self.unsupported(
                "a repeated element without a value",
                "each occurrence has a value here",
                element.span(),
            );
            is_nillable = false;
        }
        gathered.fields.push(ElementField {
            label: self.terms.names.intern(&name.local),
            name,
            position: 0,
            holds,
            occurs,
            is_list: is_optional || occurs != Occurs::ONCE || is_nillable,
            is_nillable,
            span: element.span(),
        });
        Ok(Some(Particle::Element(gathered.fields.len() - 1)))
    }

    fn occurs(&mut self, element: Element<'_>) -> Result<Occurs, Unbuilt> {
        let mut number = |attribute: &str| match element.attribute(attribute).map(str::trim) {
            None => Ok(Some(1)),
            Some("unbounded") if attribute == "maxOccurs" => Ok(None),
            Some(text) => match text.parse() {
                Ok(number) => Ok(Some(number)),
                Err(_) => {
                    self.library.report(misplaced_element::diagnostic(
                        format!("`{text}` is not a number of occurrences"),
                        element.attribute_span(attribute),
                    ));
                    Err(Unbuilt::Reported)
                }
            },
        };
        let (min, max) = (number("minOccurs")?.unwrap_or(1), number("maxOccurs")?);
        if max.is_some_and(|max| max < min) && max != Some(0) {
            self.library.report(misplaced_element::diagnostic(
                "`maxOccurs` is less than `minOccurs`",
                element.span(),
            ));
            return Err(Unbuilt::Reported);
        }
        Ok(Occurs { min, max })
    }
}
