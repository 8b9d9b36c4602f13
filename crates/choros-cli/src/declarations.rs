//! What the command line declares, as plain values: a page makes forms of it, a language server tells it to editors.

use clap::{Arg, ArgAction, Command};

/// Verbs that are about the process itself: they serve someone else, or write the command's own documents.
pub(crate) const PROCESS_VERBS: [&str; 5] = ["lsp", "serve", "completions", "man", "help"];

/// The verbs that another program can ask.
pub(crate) fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
    let all = command.get_subcommands();
    all.filter(|it| !PROCESS_VERBS.contains(&it.get_name()))
}

/// The options and arguments of a verb that its help shows, but the one for help.
pub(crate) fn arguments(verb: &Command) -> impl Iterator<Item = &Arg> {
    let is_help = |it: &Arg| {
        matches!(
            it.get_action(),
            ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
        )
    };
    let all = verb.get_arguments();
    all.filter(move |it| !it.is_hide_set() && !is_help(it))
}

/// An option or an argument.
pub(crate) struct Declaration {
    /// The name of its field.
    pub(crate) field: String,
    /// As it is typed, without dashes; none for an argument.
    pub(crate) option: Option<String>,
    pub(crate) help: String,
    /// What stands for its value in help; none for a switch.
    pub(crate) value_name: Option<String>,
    /// The words it takes, each with what it means; none where it takes others.
    pub(crate) choices: Vec<(String, String)>,
    /// It may be given several times.
    pub(crate) many: bool,
    pub(crate) required: bool,
    pub(crate) default: Option<String>,
}

impl Declaration {
    pub(crate) fn of(argument: &Arg) -> Declaration {
        let takes_value = argument.get_action().takes_values();
        let text =
            |it: Option<&clap::builder::StyledStr>| it.map(ToString::to_string).unwrap_or_default();
        let names = argument.get_value_names().unwrap_or_default();
        let choices = argument.get_possible_values().into_iter();
        let choices = choices.filter(|it| takes_value && !it.is_hide_set());
        let several = argument.get_num_args();
        Declaration {
            field: argument.get_id().to_string(),
            option: argument.get_long().map(str::to_owned),
            help: text(argument.get_help()),
            value_name: takes_value.then(|| names.first().map_or("VALUE", |it| it).to_owned()),
            choices: choices
                .map(|it| (it.get_name().to_owned(), text(it.get_help())))
                .collect(),
            many: several.is_some_and(|it| it.max_values() > 1)
                || matches!(argument.get_action(), ArgAction::Append),
            required: argument.is_required_set(),
            default: argument
                .get_default_values()
                .first()
                .map(|it| it.to_string_lossy().into_owned()),
        }
    }
}
