//! From values to elements.

use choros_data::{Terms, Value};
use choros_syntax::quote::{xml_attribute, xml_text};

use super::WireError;
use crate::document::QName;
use crate::schema::{
    ComplexType, Content, ElementField, GroupKind, Particle, Schema, Shape, TypeId, XSI,
};

/// An element of this name with a value of a type, indented by two blanks per level from `indent` on.
///
/// # Errors
///
/// When the value does not obey the schema, or has no text in XML.
pub fn write_element(
    schema: &Schema,
    terms: &Terms,
    name: &QName,
    holds: TypeId,
    value: &Value,
    indent: usize,
) -> Result<String, WireError> {
    if let Some(violation) = schema.check(terms, holds, value).into_iter().next() {
        let path = match &*violation.path {
            "" => name.local.to_string(),
            path => format!("{}/{path}", name.local),
        };
        return Err(WireError {
            path,
            place: None,
            message: violation.message,
        });
    }
    let mut writer = Writer {
        schema,
        text: String::new(),
        path: vec![name.local.to_string()],
    };
    writer.element(name, holds, Some(value), "", indent)?;
    Ok(writer.text)
}

struct Writer<'w> {
    schema: &'w Schema,
    text: String,
    path: Vec<String>,
}

impl Writer<'_> {
    fn fail<T>(&self, message: String) -> Result<T, WireError> {
        Err(WireError {
            path: self.path.join("/"),
            place: None,
            message,
        })
    }

    /// One element; without a value it is `xsi:nil`. `default` is the default namespace around it.
    fn element(
        &mut self,
        name: &QName,
        holds: TypeId,
        value: Option<&Value>,
        default: &str,
        indent: usize,
    ) -> Result<(), WireError> {
        let pad = "  ".repeat(indent);
        self.text.push_str(&format!("{pad}<{}", name.local));
        if *name.namespace != *default {
            let namespace = xml_attribute(&name.namespace);
            self.text.push_str(&format!(" xmlns=\"{namespace}\""));
        }
        let Some(value) = value else {
            self.text
                .push_str(&format!(" xmlns:xsi=\"{XSI}\" xsi:nil=\"true\"/>\n"));
            return Ok(());
        };
        let schema = self.schema;
        match (&schema.get(holds).shape, value) {
            (Shape::Simple(simple), value) => {
                let text = simple.write(value).or_else(|message| self.fail(message))?;
                let text = xml_text(&text);
                self.text.push_str(&format!(">{text}</{}>\n", name.local));
            }
            (Shape::Complex(complex), Value::Record { fields, .. }) => {
                self.attributes(complex, fields)?;
                self.content(complex, fields, name, indent)?;
            }
            (Shape::Complex(_), _) => return self.fail("the value is not a record".to_owned()),
        }
        Ok(())
    }

    fn attributes(&mut self, complex: &ComplexType, values: &[Value]) -> Result<(), WireError> {
        for (number, attribute) in complex.attributes.iter().enumerate() {
            let value = match &values[attribute.position] {
                Value::List { items, .. } if !attribute.is_required => match items.first() {
                    Some(value) => value,
                    None => continue,
                },
                value => value,
            };
            let Shape::Simple(simple) = &self.schema.get(attribute.holds).shape else {
                continue;
            };
            self.path.push(format!("@{}", attribute.name.local));
            let text = simple.write(value).or_else(|message| self.fail(message))?;
            self.path.pop();
            let text = xml_attribute(&text);
            let local = &attribute.name.local;
            match &*attribute.name.namespace {
                "" => self.text.push_str(&format!(" {local}=\"{text}\"")),
                // The default namespace does not apply to attributes.
                namespace => {
                    let namespace = xml_attribute(namespace);
                    self.text.push_str(&format!(
                        " xmlns:a{number}=\"{namespace}\" a{number}:{local}=\"{text}\""
                    ));
                }
            }
        }
        Ok(())
    }

    fn content(
        &mut self,
        complex: &ComplexType,
        values: &[Value],
        name: &QName,
        indent: usize,
    ) -> Result<(), WireError> {
        match &complex.content {
            Content::Text(simple) => {
                let value = &values[complex.attributes.len()];
                let text = simple.write(value).or_else(|message| self.fail(message))?;
                let text = xml_text(&text);
                self.text.push_str(&format!(">{text}</{}>\n", name.local));
            }
            Content::Elements { fields, particle } => {
                self.text.push('>');
                let start = self.text.len();
                self.text.push('\n');
                let empty = self.text.len();
                self.particle(fields, particle, values, &name.namespace, indent + 1)?;
                if self.text.len() == empty {
                    self.text.truncate(start - 1);
                    self.text.push_str("/>\n");
                } else {
                    let pad = "  ".repeat(indent);
                    self.text.push_str(&format!("{pad}</{}>\n", name.local));
                }
            }
        }
        Ok(())
    }

    fn particle(
        &mut self,
        fields: &[ElementField],
        particle: &Particle,
        values: &[Value],
        default: &str,
        indent: usize,
    ) -> Result<(), WireError> {
        match particle {
            Particle::Element(index) => {
                let field = &fields[*index];
                match &values[field.position] {
                    Value::List { items, .. } if field.is_list => {
                        if items.is_empty() && field.is_nillable && field.occurs.min > 0 {
                            self.element(&field.name, field.holds, None, default, indent)?;
                        }
                        for (number, item) in items.iter().enumerate() {
                            self.occurrence(field, number, item, default, indent)?;
                        }
                        Ok(())
                    }
                    value => self.occurrence(field, 0, value, default, indent),
                }
            }
            // The elements of a repeated sequence take turns.
            Particle::Group {
                kind: GroupKind::Sequence | GroupKind::All,
                occurs,
                parts,
            } if occurs.max != Some(1) => {
                let lists: Vec<(&ElementField, &[Value])> = parts
                    .iter()
                    .filter_map(|part| match part {
                        Particle::Element(index) => Some(&fields[*index]),
                        Particle::Group { .. } => None,
                    })
                    .map(|field| match &values[field.position] {
                        Value::List { items, .. } => (field, &items[..]),
                        _ => (field, &[][..]),
                    })
                    .collect();
                let rounds = lists.iter().map(|(_, items)| items.len()).max();
                for round in 0..rounds.unwrap_or(0) {
                    for (field, items) in &lists {
                        if let Some(item) = items.get(round) {
                            self.occurrence(field, round, item, default, indent)?;
                        }
                    }
                }
                Ok(())
            }
            Particle::Group { parts, .. } => {
                for part in parts {
                    // An alternative that was not chosen has no element, also none without a value.
                    if !is_there(fields, part, values) && is_choice(particle) {
                        continue;
                    }
                    self.particle(fields, part, values, default, indent)?;
                }
                Ok(())
            }
        }
    }

    fn occurrence(
        &mut self,
        field: &ElementField,
        number: usize,
        value: &Value,
        default: &str,
        indent: usize,
    ) -> Result<(), WireError> {
        self.path.push(if field.is_list {
            format!("{}[{}]", field.name.local, number + 1)
        } else {
            field.name.local.to_string()
        });
        self.element(&field.name, field.holds, Some(value), default, indent)?;
        self.path.pop();
        Ok(())
    }
}

fn is_choice(particle: &Particle) -> bool {
    matches!(
        particle,
        Particle::Group {
            kind: GroupKind::Choice,
            ..
        }
    )
}

fn is_there(fields: &[ElementField], particle: &Particle, values: &[Value]) -> bool {
    match particle {
        Particle::Element(index) => match &values[fields[*index].position] {
            Value::List { items, .. } if fields[*index].is_list => !items.is_empty(),
            _ => true,
        },
        Particle::Group { parts, .. } => parts.iter().any(|part| is_there(fields, part, values)),
    }
}
