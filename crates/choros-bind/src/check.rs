//! The names in a binding, compared with those of its model.

use choros_base::Diagnostic;

use crate::diagnostics::{unbound_message, unusable_binding};
use crate::read::{BindingFile, NamedThing};
use crate::{Fields, Vocabulary};

impl BindingFile {
    /// Compares the names with those of the model: what it does not have is a mistake, what is not bound a warning.
    pub fn check(&self, vocabulary: &Vocabulary, findings: &mut Vec<Diagnostic>) {
        check(self, vocabulary, findings);
    }
}

fn check(file: &BindingFile, vocabulary: &Vocabulary, findings: &mut Vec<Diagnostic>) {
    let mut messages: Vec<&str> = vocabulary.messages.iter().map(|it| &*it.name).collect();
    messages.sort_unstable();
    messages.dedup();
    let roles: Vec<&str> = vocabulary.roles.iter().map(String::as_str).collect();
    for named in &file.named {
        let name = named.name.as_str();
        let (what, known) = match &named.what {
            NamedThing::Role => ("role", roles.clone()),
            NamedThing::Message => ("message", messages.clone()),
            NamedThing::Field(message) => {
                let of = message.as_deref();
                if of.is_some_and(|it| !vocabulary.has_message(it)) {
                    continue;
                }
                let messages = vocabulary.messages.iter();
                let mut of = messages.filter(|it| of.is_none_or(|of| it.name == of));
                // Fields without names may be called anything.
                if of.clone().any(|it| it.fields.iter().any(Option::is_none)) {
                    continue;
                }
                let mut known: Vec<&str> = of
                    .by_ref()
                    .flat_map(|it| it.fields.iter().flatten())
                    .map(String::as_str)
                    .collect();
                known.sort_unstable();
                known.dedup();
                ("field", known)
            }
        };
        // A part of a field may be placed alone.
        let whole = name.split(['.', '/']).next().unwrap_or(name);
        let is_known = known.contains(&name) || what == "field" && known.contains(&whole);
        if !is_known {
            findings.push(unusable_binding::unknown_name(
                what, name, &known, named.span,
            ));
        }
    }
    check_listed(file, vocabulary, findings);
    let is_bound = |name: &str| file.binding.message(name).is_some();
    let unbound: Vec<&str> = messages.into_iter().filter(|it| !is_bound(it)).collect();
    if !unbound.is_empty() {
        findings.push(unbound_message::diagnostic(&unbound, file.model));
    }
}

/// A list of fields has one place for each; a parameter of a path is a field.
fn check_listed(file: &BindingFile, vocabulary: &Vocabulary, findings: &mut Vec<Diagnostic>) {
    for message in &file.binding.messages {
        let is_it = |named: &&crate::read::Named| {
            named.what == NamedThing::Message && named.name == message.name
        };
        let Some(at) = file.named.iter().find(is_it).map(|it| it.span) else {
            continue;
        };
        for known in vocabulary.called(&message.name) {
            match &message.fields {
                Fields::Listed(places) if places.len() != known.fields.len() => {
                    let message = format!(
                        "`{}` has {} fields, and {} places are listed",
                        known.name,
                        known.fields.len(),
                        places.len()
                    );
                    findings.push(unusable_binding::at(at, message, "of this message"));
                }
                Fields::Listed(_) => {}
                Fields::Named(named) => {
                    let parameters = message.request.iter().flat_map(|it| it.path.parameters());
                    for parameter in parameters {
                        let is_placed = named.iter().flat_map(|(_, places)| places).any(
                            |it| matches!(&it.place, crate::Place::Path(name) if name == parameter),
                        );
                        let is_field = known.fields.iter().flatten().any(|it| it == parameter);
                        if !is_placed && !is_field {
                            let message = format!(
                                "`{{{parameter}}}` in the path of `{}` is not one of its fields",
                                known.name
                            );
                            let found = unusable_binding::at(at, message, "of this message");
                            findings.push(found.note(format!(
                                "place a field there, such as `fields = {{ id = \"path.{parameter}\" }}`"
                            )));
                        }
                    }
                }
            }
        }
    }
}
