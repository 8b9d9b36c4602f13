//! Attributes of complex types.

use std::sync::Arc;

use super::Setting;
use super::groups::Gathered;
use super::resolve::{Builder, Unbuilt};
use super::types::{AttributeField, Shape};
use crate::diagnostics::{misplaced_element, unresolved_name};
use crate::document::{Element, QName};

impl Builder<'_, '_> {
    pub(super) fn attribute(
        &mut self,
        element: Element<'_>,
        setting: &Setting,
        parts: &mut Gathered,
    ) -> Result<(), Unbuilt> {
        if element.attribute("use") == Some("prohibited") {
            return Ok(());
        }
        let (name, holds) = match element.attribute_node("ref") {
            Some(reference) => {
                let name = self.name(element, "ref").ok_or(Unbuilt::Reported)?;
                let Some(declaration) = self.schema.attributes.get(&name).cloned() else {
                    self.unsupported(
                        &format!("the attribute `{name}`"),
                        "left out: it is not declared here",
                        reference.span,
                    );
                    return Ok(());
                };
                let holds = self.element_content(declaration.element(), &declaration.setting)?;
                (name, holds)
            }
            None => {
                let Some(local) = element.attribute("name") else {
                    self.library.report(misplaced_element::lacking(
                        "attribute",
                        "name",
                        element.span(),
                    ));
                    return Err(Unbuilt::Reported);
                };
                let is_qualified = match element.attribute("form") {
                    Some(form) => form == "qualified",
                    None => setting.has_qualified_attributes,
                };
                let name = if is_qualified {
                    QName::new(setting.target.clone(), local)
                } else {
                    QName::unqualified(local)
                };
                (name, self.element_content(element, setting)?)
            }
        };
        if !matches!(self.schema.get(holds).shape, Shape::Simple(_)) {
            self.library.report(misplaced_element::diagnostic(
                format!("the attribute `{}` does not hold a text", name.local),
                element.span(),
            ));
            return Err(Unbuilt::Reported);
        }
        let holds = self.fixed(element, holds);
        let default: Option<Arc<str>> = element
            .attribute("default")
            .or_else(|| element.attribute("fixed"))
            .map(Arc::from);
        parts.attributes.retain(|known| known.name != name);
        parts.attributes.push(AttributeField {
            label: self.terms.names.intern(&format!("@{}", name.local)),
            name,
            position: 0,
            holds,
            // With a default it always has a value.
            is_required: element.attribute("use") == Some("required") || default.is_some(),
            default,
        });
        Ok(())
    }

    pub(super) fn attribute_group(
        &mut self,
        element: Element<'_>,
        parts: &mut Gathered,
    ) -> Result<(), Unbuilt> {
        let name = self.referred(element)?;
        let Some(declaration) = self.schema.attribute_groups.get(&name).cloned() else {
            let declared: Vec<QName> = self.schema.attribute_groups.keys().cloned().collect();
            let span = element.attribute_span("ref");
            self.library.report(unresolved_name::diagnostic(
                "attribute group",
                &name,
                declared,
                span,
            ));
            return Err(Unbuilt::Reported);
        };
        self.inside_group(&name, element, |builder| {
            for child in declaration.element().children() {
                builder.content_child(child, &declaration.setting, parts)?;
            }
            Ok(())
        })
    }
}
