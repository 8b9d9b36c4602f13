//! Strings that may be words of a list only.

use choros_data::{Op, Sort, SortKind, Term, Terms, Value};

use crate::{Problem, VariableContent};
use choros_xml::schema::UNFOLDED;

impl Problem {
    /// What has to hold beside the assertions: every string is a word, and values obey their schema.
    pub fn background(&self, terms: &mut Terms) -> Vec<Term> {
        let mut formulas = Vec::new();
        for variable in &self.variables {
            let subject = terms.var(variable.variable);
            match &variable.holds {
                VariableContent::Sort => {}
                VariableContent::Type(id) | VariableContent::Element(_, id) => {
                    formulas.push(self.definitions.schema.formula(terms, *id, subject));
                }
                VariableContent::Message(shape) => {
                    if let Some((variable, formula)) =
                        shape.constraint(&self.definitions.schema, terms)
                    {
                        let replaced = [(variable, subject)].into_iter().collect();
                        formulas.push(terms.substitute(formula, &replaced));
                    }
                }
            }
            if let Some(words) = &self.words {
                let words: Vec<Term> = words.iter().map(|word| terms.text(word)).collect();
                formulas.push(words_only(terms, subject, &words));
            }
        }
        formulas
            .into_iter()
            .map(|formula| terms.close(formula))
            .filter(|&formula| formula != Term::TRUE)
            .collect()
    }

    /// What values show about digits after the point, which formulas leave out.
    pub(crate) fn neighbours(&self, terms: &mut Terms, values: &[Value]) -> Vec<Term> {
        let mut found = Vec::new();
        let schema = &self.definitions.schema;
        for (variable, value) in self.variables.iter().zip(values) {
            if let VariableContent::Type(id) | VariableContent::Element(_, id) = &variable.holds {
                let subject = terms.var(variable.variable);
                found.extend(schema.neighbours(terms, *id, subject, value));
            }
        }
        found
    }

    /// What is wrong with a solution beyond what formulas say: long lists are not unfolded to their ends there.
    pub fn objection(&self, terms: &Terms, values: &[Value]) -> Option<String> {
        for (variable, value) in self.variables.iter().zip(values) {
            let schema = &self.definitions.schema;
            let violations = match &variable.holds {
                VariableContent::Sort => Vec::new(),
                VariableContent::Type(id) | VariableContent::Element(_, id) => {
                    schema.check(terms, *id, value)
                }
                VariableContent::Message(shape) => match (&shape.parts[..], value) {
                    ([only], value) => schema.check(terms, only.holds, value),
                    (parts, Value::Record { fields, .. }) => parts
                        .iter()
                        .zip(fields)
                        .flat_map(|(part, value)| schema.check(terms, part.holds, value))
                        .collect(),
                    _ => Vec::new(),
                },
            };
            if let Some(violation) = violations.first() {
                return Some(format!("`{}`: {violation}", variable.name));
            }
            let doubt = match &variable.holds {
                VariableContent::Sort => None,
                VariableContent::Type(id) | VariableContent::Element(_, id) => {
                    schema.doubt(*id, value)
                }
                VariableContent::Message(shape) => match (&shape.parts[..], value) {
                    ([only], value) => schema.doubt(only.holds, value),
                    (parts, Value::Record { fields, .. }) => parts
                        .iter()
                        .zip(fields)
                        .find_map(|(part, value)| schema.doubt(part.holds, value)),
                    _ => None,
                },
            };
            if let Some(doubt) = doubt {
                return Some(format!("`{}`: {doubt}", variable.name));
            }
            if let Some(words) = &self.words
                && let Some(other) = other_text(value, words)
            {
                return Some(format!(
                    "`{}`: {other:?} is not a word of the list",
                    variable.name
                ));
            }
        }
        None
    }
}

fn words_only(terms: &mut Terms, subject: Term, words: &[Term]) -> Term {
    let sort = terms.sort_of(subject);
    match terms.sort_kind(sort).clone() {
        SortKind::String => {
            let equal: Vec<Term> = words
                .iter()
                .map(|&word| terms.equal(subject, word))
                .collect();
            terms.or(equal)
        }
        SortKind::Record(fields) => {
            let parts: Vec<Term> = fields
                .iter()
                .filter_map(|&(label, _)| {
                    let field = terms.field(subject, label)?;
                    Some(words_only(terms, field, words))
                })
                .collect();
            terms.and(parts)
        }
        SortKind::List(element) if has_strings(terms, element) => {
            let length = terms.length(subject);
            let parts: Vec<Term> = (0..UNFOLDED)
                .map(|index| {
                    let position = terms.constant(Value::int(index));
                    let item = terms.index(subject, position);
                    let there = terms.compare(Op::Less, position, length);
                    let inside = words_only(terms, item, words);
                    terms.if_then_else(there, inside, Term::TRUE)
                })
                .collect();
            terms.and(parts)
        }
        _ => Term::TRUE,
    }
}

fn has_strings(terms: &Terms, sort: Sort) -> bool {
    match terms.sort_kind(sort) {
        SortKind::String => true,
        SortKind::Record(fields) => fields.iter().any(|&(_, field)| has_strings(terms, field)),
        SortKind::List(element) => has_strings(terms, *element),
        _ => false,
    }
}

fn other_text<'v>(value: &'v Value, words: &[std::sync::Arc<str>]) -> Option<&'v str> {
    match value {
        Value::String(text) => (!words.contains(text)).then_some(&**text),
        Value::Record { fields, .. } => fields.iter().find_map(|it| other_text(it, words)),
        Value::List { items, .. } => items.iter().find_map(|it| other_text(it, words)),
        _ => None,
    }
}
