//! The command inside another program: words go in, an answer comes out, and the process continues.

use std::ffi::OsString;

use choros_lsp::{Ran, Verbs, World};
use clap::{Arg, ArgAction, Command};
use serde_json::{Value, json};

use crate::CommandLine;
use crate::caller::{Caller, Program};

/// All verbs but those that are about the process itself.
pub(crate) struct AllVerbs;

/// They serve someone else, or write the command's own documents.
const NOT_HERE: [&str; 5] = ["lsp", "serve", "completions", "man", "help"];

impl Verbs for AllVerbs {
    fn declarations(&self) -> Value {
        let command = CommandLine::whole();
        let verbs = command.get_subcommands();
        let offered = verbs.filter(|it| !NOT_HERE.contains(&it.get_name()));
        Value::Array(offered.map(verb).collect())
    }

    fn run(&self, words: &[String], world: World) -> Ran {
        let refused = |text: String| Ran {
            status: choros::report::ExitStatus::BadInput.code(),
            text,
            report: None,
        };
        if let Some(verb) = words.first().filter(|it| NOT_HERE.contains(&it.as_str())) {
            return refused(format!("error: `{verb}` cannot be asked from here\n"));
        }
        // Standard input and output belong to the conversation with the client.
        if let Some(word) = words.iter().find(|it| *it == "-" || it.ends_with("=-")) {
            return refused(format!("error: `{word}`: there is no terminal here\n"));
        }
        let program = Program::new(world.sources, world.cancel, world.events, world.secrets);
        let line = std::iter::once("choros").chain(words.iter().map(String::as_str));
        let caller = Caller::Program(program.clone());
        let status = match CommandLine::run(line.map(OsString::from).collect(), |_| caller) {
            Ok(status) => status,
            Err(error) => return said(&error),
        };
        let heard = program.heard();
        Ran {
            status: status.code(),
            text: heard.text,
            report: heard.report,
        }
    }
}

/// What the command line says of itself: help, or what is wrong with the words.
fn said(error: &clap::Error) -> Ran {
    Ran {
        status: error.exit_code() as u8,
        text: error.render().to_string(),
        report: None,
    }
}

fn verb(command: &Command) -> Value {
    let arguments = command.get_arguments();
    let shown = arguments.filter(|it| !it.is_hide_set() && it.get_id() != "help");
    json!({
        "verb": command.get_name(),
        "about": command.get_about().map(ToString::to_string),
        "options": shown.map(option).collect::<Vec<_>>(),
    })
}

fn option(argument: &Arg) -> Value {
    let takes_value = argument.get_action().takes_values();
    let names = argument.get_value_names().unwrap_or_default();
    let many = matches!(argument.get_action(), ArgAction::Append)
        || argument
            .get_num_args()
            .is_some_and(|it| it.max_values() > 1);
    let values: Vec<Value> = argument
        .get_possible_values()
        .iter()
        .filter(|it| takes_value && !it.is_hide_set())
        .map(|it| json!({"name": it.get_name(), "help": it.get_help().map(ToString::to_string)}))
        .collect();
    let defaults = argument.get_default_values().iter();
    let defaults: Vec<&str> = defaults.filter_map(|it| it.to_str()).collect();
    json!({
        // One without a name of its own is written as it is.
        "name": argument.get_long().map(|it| format!("--{it}")),
        "field": argument.get_id().as_str(),
        "help": argument.get_help().map(ToString::to_string),
        "required": argument.is_required_set(),
        "many": many,
        "takes": takes_value.then(|| names.first().map_or("VALUE", |it| it.as_str())),
        "values": values,
        "default": defaults.first(),
    })
}
