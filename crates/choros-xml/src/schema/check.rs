//! What the values of a type obey, computed on values.
//!
//! The twin of `formula`: it shares no code with it, looks at every element of every list, and checks digits after
//! the point, which formulas leave out.

use choros_data::{Terms, Value};

use super::Schema;
use super::types::{ComplexType, Content, ElementField, GroupKind, Particle, Shape, TypeId};

/// Something that a value does not obey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaViolation {
    /// Where in the value: `order/item[2]/@id`; empty for the value itself.
    pub path: String,
    /// What is wrong, in words.
    pub message: String,
}

impl std::fmt::Display for SchemaViolation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &*self.path {
            "" => write!(f, "{}", self.message),
            path => write!(f, "{path}: {}", self.message),
        }
    }
}

impl Schema {
    /// What a value of the type's sort does not obey.
    pub fn check(&self, terms: &Terms, id: TypeId, value: &Value) -> Vec<SchemaViolation> {
        let mut violations = Vec::new();
        self.check_at(terms, id, value, &mut String::new(), &mut violations);
        violations
    }

    fn check_at(
        &self,
        terms: &Terms,
        id: TypeId,
        value: &Value,
        path: &mut String,
        violations: &mut Vec<SchemaViolation>,
    ) {
        match (&self.get(id).shape, value) {
            (Shape::Simple(simple), value) if value.sort() == simple.sort() => {
                if let Some(message) = simple.facets.violation(value) {
                    violations.push(SchemaViolation {
                        path: path.clone(),
                        message,
                    });
                }
            }
            (Shape::Complex(complex), Value::Record { fields, .. })
                if value.sort() == self.get(id).sort =>
            {
                self.check_complex(terms, complex, fields, path, violations);
            }
            _ => violations.push(SchemaViolation {
                path: path.clone(),
                message: format!("it is not a value of {}", self.get(id).describe()),
            }),
        }
    }

    fn check_complex(
        &self,
        terms: &Terms,
        complex: &ComplexType,
        values: &[Value],
        path: &mut String,
        violations: &mut Vec<SchemaViolation>,
    ) {
        for attribute in &complex.attributes {
            let step = format!("@{}", attribute.name.local);
            let value = &values[attribute.position];
            match value {
                Value::List { items, .. } if !attribute.is_required => {
                    if items.len() > 1 {
                        violations.push(SchemaViolation {
                            path: joined(path, &step),
                            message: "an attribute occurs at most once".to_owned(),
                        });
                    }
                    for item in items {
                        self.at_step(terms, attribute.holds, item, path, &step, violations);
                    }
                }
                value => self.at_step(terms, attribute.holds, value, path, &step, violations),
            }
        }
        match &complex.content {
            Content::Text(simple) => {
                if let Some(message) = simple.facets.violation(&values[complex.attributes.len()]) {
                    violations.push(SchemaViolation {
                        path: path.clone(),
                        message,
                    });
                }
            }
            Content::Elements { fields, particle } => {
                if let Some(message) = miscounted(fields, particle, values) {
                    violations.push(SchemaViolation {
                        path: path.clone(),
                        message,
                    });
                }
                for field in fields {
                    match &values[field.position] {
                        Value::List { items, .. } if field.is_list => {
                            for (index, item) in items.iter().enumerate() {
                                let step = format!("{}[{}]", field.name.local, index + 1);
                                self.at_step(terms, field.holds, item, path, &step, violations);
                            }
                        }
                        value => {
                            let step = &field.name.local;
                            self.at_step(terms, field.holds, value, path, step, violations);
                        }
                    }
                }
            }
        }
    }

    fn at_step(
        &self,
        terms: &Terms,
        id: TypeId,
        value: &Value,
        path: &mut String,
        step: &str,
        violations: &mut Vec<SchemaViolation>,
    ) {
        let length = path.len();
        *path = joined(path, step);
        self.check_at(terms, id, value, path, violations);
        path.truncate(length);
    }
}

fn joined(path: &str, step: &str) -> String {
    match path {
        "" => step.to_owned(),
        path => format!("{path}/{step}"),
    }
}

fn count(field: &ElementField, values: &[Value]) -> usize {
    match &values[field.position] {
        Value::List { items, .. } if field.is_list => items.len(),
        _ => 1,
    }
}

fn total(fields: &[ElementField], particle: &Particle, values: &[Value]) -> usize {
    match particle {
        Particle::Element(index) => count(&fields[*index], values),
        Particle::Group { parts, .. } => parts.iter().map(|part| total(fields, part, values)).sum(),
    }
}

/// What is wrong with how often elements occur, if anything.
fn miscounted(fields: &[ElementField], particle: &Particle, values: &[Value]) -> Option<String> {
    match particle {
        Particle::Element(index) => {
            let field = &fields[*index];
            let count = count(field, values);
            if field.is_nillable && count == 0 || field.occurs.allows(count) {
                return None;
            }
            Some(format!(
                "`{}` occurs {count} times, where {} are allowed",
                field.name.local, field.occurs
            ))
        }
        Particle::Group {
            kind,
            occurs,
            parts,
        } if occurs.max != Some(1) => {
            let counts: Vec<usize> = parts
                .iter()
                .map(|part| total(fields, part, values))
                .collect();
            let (first, rest) = counts.split_first()?;
            let times = match kind {
                GroupKind::Choice => counts.iter().sum(),
                _ if rest.iter().any(|count| count != first) => {
                    return Some("the elements of a repeated sequence differ in number".to_owned());
                }
                _ => *first,
            };
            (!occurs.allows(times))
                .then(|| format!("a group occurs {times} times, where {occurs} are allowed"))
        }
        Particle::Group {
            kind,
            occurs,
            parts,
        } => {
            if occurs.min == 0 && total(fields, particle, values) == 0 {
                return None;
            }
            if *kind != GroupKind::Choice {
                return parts
                    .iter()
                    .find_map(|part| miscounted(fields, part, values));
            }
            let there: Vec<&Particle> = parts
                .iter()
                .filter(|part| total(fields, part, values) > 0)
                .collect();
            match there[..] {
                [] if parts.is_empty()
                    || parts
                        .iter()
                        .any(|part| miscounted(fields, part, values).is_none()) =>
                {
                    None
                }
                [] => Some("none of the alternatives of a choice is there".to_owned()),
                [only] => miscounted(fields, only, values),
                _ => Some("more than one alternative of a choice is there".to_owned()),
            }
        }
    }
}
