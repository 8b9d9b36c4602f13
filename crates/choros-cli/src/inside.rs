//! The command inside another program: words go in, an answer comes out, and the process continues.

use std::ffi::OsString;

use choros_lsp::{VerbContext, VerbResult, Verbs};
use clap::Command;
use serde_json::{Value, json};

use crate::CommandLine;
use crate::caller::{Caller, Program};
use crate::declarations::{self, Declaration, PROCESS_VERBS};

/// All verbs but those that are about the process itself.
pub(crate) struct AllVerbs;

impl Verbs for AllVerbs {
    fn declarations(&self) -> Value {
        let command = CommandLine::whole();
        Value::Array(declarations::verbs(&command).map(declared).collect())
    }

    fn run(&self, words: &[String], world: VerbContext) -> VerbResult {
        let refused = |text: String| VerbResult {
            status: choros::report::ExitStatus::BadInput.code(),
            text,
            report: None,
        };
        let verb = words.first().map(String::as_str);
        if let Some(verb) = verb.filter(|it| PROCESS_VERBS.contains(it)) {
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
        VerbResult {
            status: status.code(),
            text: heard.text,
            report: heard.report,
        }
    }
}

/// What the command line says of itself: help, or what is wrong with the words.
fn said(error: &clap::Error) -> VerbResult {
    VerbResult {
        status: error.exit_code() as u8,
        text: error.render().to_string(),
        report: None,
    }
}

fn declared(verb: &Command) -> Value {
    let options = declarations::arguments(verb).map(|it| option(Declaration::of(it)));
    json!({
        "verb": verb.get_name(),
        "about": verb.get_about().map(ToString::to_string),
        "options": options.collect::<Vec<_>>(),
    })
}

fn option(declaration: Declaration) -> Value {
    let values = declaration.choices.into_iter();
    let values = values.map(|(name, help)| json!({"name": name, "help": help}));
    json!({
        // One without a name of its own is written as it is.
        "name": declaration.option.map(|it| format!("--{it}")),
        "field": declaration.field,
        "help": declaration.help,
        "required": declaration.required,
        "many": declaration.many,
        "takes": declaration.value_name,
        "values": values.collect::<Vec<_>>(),
        "default": declaration.default,
    })
}
