//! Verbs as forms of a page: what the command line declares.

use choros_web::{Field, FieldKind, Form};
use clap::{Arg, Command};

use crate::declarations::{self, Declaration};

/// Options whose meaning the page has already.
const ANSWERED: &[&str] = &["format", "interactive"];

/// The verbs of a command line.
pub(crate) fn verb_forms(command: &Command) -> Vec<Form> {
    declarations::verbs(command).map(form).collect()
}

fn form(verb: &Command) -> Form {
    let text = |it: Option<&clap::builder::StyledStr>| it.map(|it| it.to_string());
    let about = text(verb.get_about()).unwrap_or_default();
    let long = text(verb.get_long_about()).unwrap_or_default();
    let after = text(verb.get_after_help()).unwrap_or_default();
    Form {
        verb: verb.get_name().to_owned(),
        about,
        help: format!("{long}\n\n{after}"),
        fields: shown(verb).map(field).collect(),
    }
}

fn shown(verb: &Command) -> impl Iterator<Item = &Arg> {
    declarations::arguments(verb).filter(|it| !ANSWERED.contains(&it.get_id().as_str()))
}

fn field(argument: &Arg) -> Field {
    let declaration = Declaration::of(argument);
    let kind = match &declaration.value_name {
        None => FieldKind::Flag,
        Some(_) if !declaration.choices.is_empty() => FieldKind::Choice(declaration.choices),
        Some(name) if is_path(name) => FieldKind::Path,
        Some(_) => FieldKind::Text,
    };
    Field {
        name: declaration.field,
        option: declaration.option,
        help: declaration.help,
        value_name: declaration.value_name.unwrap_or_default(),
        kind,
        many: declaration.many,
        required: declaration.required,
        default: declaration.default,
    }
}

/// Whether what stands for a value in help is a file or folder.
fn is_path(value_name: &str) -> bool {
    let signs = [
        "FILE",
        "MODEL",
        "FOLDER",
        "PATH",
        "MACHINE",
        "SUITE",
        "REPORT",
        "TESTS",
        "PROPERTIES",
        "IMPL",
        "SPEC",
        "DIR",
        "CERTIFICATE",
        "LOG",
    ];
    signs.iter().any(|it| value_name.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_has_a_form_and_every_option_a_field() {
        let command = crate::CommandLine::whole();
        let forms = verb_forms(&command);
        for verb in command.get_subcommands() {
            let name = verb.get_name();
            let form = forms.iter().find(|it| it.verb == name);
            assert_eq!(
                form.is_none(),
                declarations::PROCESS_VERBS.contains(&name),
                "{name}"
            );
            let Some(form) = form else { continue };
            for argument in shown(verb) {
                let id = argument.get_id().as_str();
                assert!(form.fields.iter().any(|it| it.name == id), "{name} {id}");
            }
        }
        let verify = forms.iter().find(|it| it.verb == "verify").unwrap();
        let kind = |name: &str| {
            verify
                .fields
                .iter()
                .find(|it| it.name == name)
                .unwrap()
                .kind
                .clone()
        };
        assert_eq!(kind("model"), FieldKind::Path);
        assert_eq!(kind("strict"), FieldKind::Flag);
        assert_eq!(kind("formula"), FieldKind::Text);
        let FieldKind::Choice(styles) = kind("style") else {
            panic!("one of some words");
        };
        let styles: Vec<&str> = styles.iter().map(|it| it.0.as_str()).collect();
        assert_eq!(styles, ["tree", "labels", "cmc"]);
    }

    /// A value that names a file must be known to, or a page could be made to read and write elsewhere.
    #[test]
    fn what_is_typed_as_a_path_is_a_path() {
        for verb in crate::CommandLine::whole().get_subcommands() {
            for argument in shown(verb) {
                let parsed = format!("{:?}", argument.get_value_parser());
                if parsed.contains("PathBuf") {
                    let kind = field(argument).kind;
                    assert_eq!(
                        kind,
                        FieldKind::Path,
                        "{} {}",
                        verb.get_name(),
                        argument.get_id()
                    );
                }
            }
        }
    }
}
