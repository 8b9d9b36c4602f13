//! The names of fields.
//!
//! A message with one field that no one names carries a single unnamed datum, as in the calculus; with several, each
//! has a name: the one before `=`, or that of its variable.
//! `_ =` says that a field has none.
//! A message has the same fields wherever it occurs in the file; a single unnamed one takes the name that it has
//! elsewhere.

use choros_base::{Diagnostic, Name, Names, Span};
use choros_data::syntax::{ExprKind, Exprs};
use rustc_hash::FxHashMap;

use super::ast::{Field, FieldValue, MessageStatement, Program, StatementId, StatementKind};
use super::resolve::ends;
use crate::diagnostics::{MAX_FINDINGS, different_fields, unnamed_field};

/// The names of the fields of each message.
#[derive(Debug, Default)]
pub(super) struct Labels {
    labels: FxHashMap<StatementId, Vec<Option<Name>>>,
}

impl Labels {
    /// The names of the fields of a message.
    pub(super) fn of(&self, id: StatementId) -> &[Option<Name>] {
        self.labels.get(&id).map_or(&[], Vec::as_slice)
    }
}

/// Names all fields; reports messages that differ.
pub(super) fn label(program: &Program, names: &Names) -> (Labels, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut labels = Labels::default();
    let mut first: FxHashMap<(Name, Name, Name), (StatementId, Span)> = FxHashMap::default();
    let mut unnamed: Vec<((Name, Name, Name), StatementId)> = Vec::new();
    for item in &program.items {
        let Some(body) = item.body() else { continue };
        for (id, statement) in program.statements.walk(body) {
            let StatementKind::Message(message) = &statement.kind else {
                continue;
            };
            let own = own_labels(message, program, names, &mut diagnostics);
            let Some(ends) = ends(item, message) else {
                labels.labels.insert(id, own);
                continue;
            };
            let key = (message.operation.name, ends.from, ends.to);
            if own[..] == [None] {
                unnamed.push((key, id));
            }
            let &mut (known, span) = first.entry(key).or_insert((id, statement.span));
            let before = labels.of(known);
            if known != id && !alike(before, &own, names) && diagnostics.len() < MAX_FINDINGS {
                diagnostics.push(different_fields::diagnostic(
                    names.text(message.operation.name),
                    (statement.span, &in_words(&own, names)),
                    (span, &in_words(before, names)),
                ));
            }
            // The first occurrence that names its datum is the one that others are compared with.
            if before == [None] && own.len() == 1 && own != [None] {
                first.insert(key, (id, statement.span));
            }
            labels.labels.insert(id, own);
        }
    }
    for (key, id) in unnamed {
        let name = first.get(&key).map(|&(known, _)| labels.of(known).to_vec());
        if let Some(name) = name.filter(|name| name.len() == 1) {
            labels.labels.insert(id, name);
        }
    }
    diagnostics.truncate(MAX_FINDINGS);
    (labels, diagnostics)
}

fn own_labels(
    message: &MessageStatement,
    program: &Program,
    names: &Names,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Option<Name>> {
    let several = message.fields.len() > 1;
    message
        .fields
        .iter()
        .map(|field| match field.label {
            Some(label) if names.text(label.name) == "_" => None,
            Some(label) => Some(label.name),
            None if !several => None,
            None => {
                let name = variable_of(field, &program.exprs);
                if name.is_none() && diagnostics.len() < MAX_FINDINGS {
                    diagnostics.push(unnamed_field::diagnostic(field.span));
                }
                name
            }
        })
        .collect()
}

/// The variable that a field is, if it is one.
pub(super) fn variable_of(field: &Field, exprs: &Exprs) -> Option<Name> {
    match &field.value {
        FieldValue::Bind(binding) => Some(binding.variable.name),
        FieldValue::Free(expression) => match exprs.kind(expression.root) {
            ExprKind::Name(name) => Some(*name),
            _ => None,
        },
    }
}

fn alike(a: &[Option<Name>], b: &[Option<Name>], names: &Names) -> bool {
    if let ([one], [other]) = (a, b) {
        return one.is_none() || other.is_none() || one == other;
    }
    sorted(a, names) == sorted(b, names)
}

fn sorted<'a>(labels: &[Option<Name>], names: &'a Names) -> Vec<Option<&'a str>> {
    let mut labels: Vec<Option<&str>> = labels
        .iter()
        .map(|label| label.map(|label| names.text(label)))
        .collect();
    labels.sort_unstable();
    labels
}

fn in_words(labels: &[Option<Name>], names: &Names) -> String {
    let text = |label: &Option<Name>| match label {
        Some(label) => format!("`{}`", names.text(*label)),
        None => "one without a name".to_owned(),
    };
    match labels {
        [] => "no fields".to_owned(),
        [None] => "a single field".to_owned(),
        [Some(only)] => format!("the field `{}`", names.text(*only)),
        several => {
            let list: Vec<String> = several.iter().map(text).collect();
            format!("the fields {}", list.join(", "))
        }
    }
}
