//! Verbs as forms of a page: what the command line declares.

use choros_web::{Field, FieldKind, Form};
use clap::{Arg, ArgAction, Command};

/// Verbs that make no sense in a page.
const NOT_THERE: &[&str] = &["serve", "lsp", "completions", "man", "help"];
/// Options whose meaning the page has already.
const ANSWERED: &[&str] = &["format", "interactive"];

/// The verbs of a command line.
pub(crate) fn verb_forms(command: &Command) -> Vec<Form> {
    let verbs = command.get_subcommands();
    let shown = verbs.filter(|it| !NOT_THERE.contains(&it.get_name()));
    shown.map(form).collect()
}

fn form(verb: &Command) -> Form {
    let text = |it: Option<&clap::builder::StyledStr>| it.map(|it| it.to_string());
    let about = text(verb.get_about()).unwrap_or_default();
    let long = text(verb.get_long_about()).unwrap_or_default();
    let after = text(verb.get_after_help()).unwrap_or_default();
    let fields = verb.get_arguments().filter(|it| is_shown(it)).map(field);
    Form {
        verb: verb.get_name().to_owned(),
        about,
        help: format!("{long}\n\n{after}"),
        fields: fields.collect(),
    }
}

fn is_shown(argument: &Arg) -> bool {
    let is_help = matches!(
        argument.get_action(),
        ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
    );
    !is_help && !argument.is_hide_set() && !ANSWERED.contains(&argument.get_id().as_str())
}

fn field(argument: &Arg) -> Field {
    let names = argument.get_value_names().unwrap_or_default();
    let value_name = names.first().map_or("", |it| it.as_str()).to_owned();
    let choices = argument.get_possible_values();
    let takes_value = argument.get_action().takes_values();
    let kind = match () {
        () if !takes_value => FieldKind::Flag,
        () if !choices.is_empty() => FieldKind::Choice(
            choices
                .iter()
                .map(|it| {
                    let help = it.get_help().map(|it| it.to_string());
                    (it.get_name().to_owned(), help.unwrap_or_default())
                })
                .collect(),
        ),
        () if is_path(&value_name) => FieldKind::Path,
        () => FieldKind::Text,
    };
    let repeats = argument
        .get_num_args()
        .is_some_and(|it| it.max_values() > 1);
    let defaults = argument.get_default_values().first();
    Field {
        name: argument.get_id().to_string(),
        option: argument.get_long().map(str::to_owned),
        help: argument
            .get_help()
            .map(|it| it.to_string())
            .unwrap_or_default(),
        value_name,
        kind,
        many: repeats || matches!(argument.get_action(), ArgAction::Append),
        required: argument.is_required_set(),
        default: defaults.map(|it| it.to_string_lossy().into_owned()),
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
            assert_eq!(form.is_none(), NOT_THERE.contains(&name), "{name}");
            let Some(form) = form else { continue };
            for argument in verb.get_arguments().filter(|it| is_shown(it)) {
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
        assert!(matches!(kind("style"), FieldKind::Choice(words) if words.len() == 2));
    }

    /// A value that names a file must be known to, or a page could be made to read and write elsewhere.
    #[test]
    fn what_is_typed_as_a_path_is_a_path() {
        for verb in crate::CommandLine::whole().get_subcommands() {
            for argument in verb.get_arguments().filter(|it| is_shown(it)) {
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
