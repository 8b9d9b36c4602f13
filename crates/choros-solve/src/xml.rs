//! Solutions as XML.

use choros_base::Name;
use choros_data::{SortKind, Terms, Value};
use choros_syntax::quote::xml_text;

use crate::{Problem, ProblemVariable, VariableContent};
use choros_xml::document::QName;
use choros_xml::schema::decimal_text;
use choros_xml::wire::{WireError, write_element};

impl Problem {
    /// The value of a variable as an element: as the schema says, or, where there is none, with an element per field.
    ///
    /// # Errors
    ///
    /// When the value has no text in XML.
    pub fn to_xml(
        &self,
        terms: &Terms,
        variable: &ProblemVariable,
        value: &Value,
    ) -> Result<String, WireError> {
        let schema = &self.definitions.schema;
        let own = || QName::unqualified(variable.name.as_str());
        match &variable.holds {
            VariableContent::Type(id) => write_element(schema, terms, &own(), *id, value, 0),
            VariableContent::Element(name, id) => write_element(schema, terms, name, *id, value, 0),
            VariableContent::Message(shape) => {
                let mut text = String::new();
                let values: Vec<&Value> = match (&shape.parts[..], value) {
                    (parts, Value::Record { fields, .. }) if parts.len() != 1 => {
                        fields.iter().collect()
                    }
                    (_, value) => vec![value],
                };
                for (part, value) in shape.parts.iter().zip(values) {
                    let name = part
                        .element
                        .clone()
                        .unwrap_or_else(|| QName::unqualified(part.name.clone()));
                    text.push_str(&write_element(schema, terms, &name, part.holds, value, 0)?);
                }
                Ok(text)
            }
            VariableContent::Sort => {
                let mut text = String::new();
                plain(terms, &variable.name, value, 0, &mut text)?;
                Ok(text)
            }
        }
    }
}

/// An element per field, an element per item of a list.
fn plain(
    terms: &Terms,
    name: &str,
    value: &Value,
    indent: usize,
    text: &mut String,
) -> Result<(), WireError> {
    let pad = "  ".repeat(indent);
    let leaf = match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        // What has no finite notation is written as a quotient; no schema says how.
        Value::Real(value) => decimal_text(value).unwrap_or_else(|| value.to_string()),
        Value::String(text) => {
            if let Some(bad) = text
                .chars()
                .find(|&it| !choros_xml::schema::is_xml_character(it))
            {
                return Err(WireError {
                    path: name.to_owned(),
                    place: None,
                    message: format!("the character {bad:?} cannot be written in XML"),
                });
            }
            xml_text(text)
        }
        Value::Atom { name, .. } => xml_text(terms.names.text(*name)),
        Value::Constructor { sort, index } => match terms.sort_kind(*sort) {
            SortKind::Enumeration { constructors, .. } => constructors
                .get(*index as usize)
                .map(|&name| terms.names.text(name).to_owned())
                .unwrap_or_default(),
            _ => String::new(),
        },
        Value::List { items, .. } => {
            for item in items {
                plain(terms, name, item, indent, text)?;
            }
            return Ok(());
        }
        Value::Record { sort, fields } => {
            let labels: Vec<Name> = match terms.sort_kind(*sort) {
                SortKind::Record(sorts) => sorts.iter().map(|&(label, _)| label).collect(),
                _ => Vec::new(),
            };
            text.push_str(&format!("{pad}<{name}>\n"));
            for (label, field) in labels.iter().zip(fields) {
                plain(terms, terms.names.text(*label), field, indent + 1, text)?;
            }
            text.push_str(&format!("{pad}</{name}>\n"));
            return Ok(());
        }
    };
    text.push_str(&format!("{pad}<{name}>{leaf}</{name}>\n"));
    Ok(())
}
