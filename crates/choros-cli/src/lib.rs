#![doc = include_str!("../README.md")]

mod applicability;
mod broker_options;
mod caller;
mod choice;
mod clock;
mod commands;
mod crew;
#[cfg(any(feature = "lsp", feature = "serve"))]
mod declarations;
mod format;
#[cfg(feature = "serve")]
mod gallery;
#[cfg(feature = "lsp")]
mod inside;
mod listener;
mod log_options;
mod options;
mod output_folder;
mod picture_file;
mod progress;
mod project_folder;
mod proof_store;
mod shell;
mod signals;
mod symbolic_options;
mod test_options;
#[cfg(feature = "serve")]
mod verb_forms;
mod waiting;
mod watchdog;

use std::ffi::OsString;
use std::io::IsTerminal;

use applicability::Uses;
use caller::Caller;
use choros::report::ExitStatus;
use clap::error::{ContextKind, ContextValue};
use clap::{Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};

/// Checks that services talk to each other as designed: proves it, tests it, watches it.
///
/// Every verb answers one question. Exit codes: 0 holds or produced, 1 fails, 2 bad input or usage, 3 holds only under
/// a condition, 4 unknown, 5 a file, service or solver failed, 130 interrupted.
#[derive(Parser)]
#[command(name = "choros", version, max_term_width = 100)]
#[command(subcommand_help_heading = "Questions", subcommand_value_name = "VERB")]
#[command(subcommand_required = true, arg_required_else_help = true)]
#[command(
    after_help = "`choros help VERB` has examples; the tutorial is in README.md, the book in docs/book."
)]
struct CommandLine;

impl CommandLine {
    /// The command with all its verbs.
    fn whole() -> Command {
        Verb::augment_subcommands(CommandLine::command())
    }

    /// The command with the verb that these words begin with: to declare all of them takes longer than a small model.
    ///
    /// Where they begin with anything else, all verbs are needed for help or for the nearest one.
    fn begun(words: &[OsString]) -> Command {
        let name = words.get(1).and_then(|it| it.to_str());
        match name.and_then(Verb::named) {
            Some((uses, declare)) => {
                CommandLine::command().subcommand(declare(Command::new(uses.verb)))
            }
            None => CommandLine::whole(),
        }
    }

    /// Runs what the words ask for; an error is what the command line itself answers: help, or what is wrong with them.
    fn run(
        words: Vec<OsString>,
        caller: impl FnOnce(&'static str) -> Caller,
    ) -> Result<ExitStatus, clap::Error> {
        let mut command = CommandLine::begun(&words);
        let matches = command.try_get_matches_from_mut(words)?;
        let named = matches.subcommand().and_then(|(name, given)| {
            let (uses, _) = Verb::named(name)?;
            Some((command.find_subcommand(name)?, given, uses))
        });
        let caller = caller(named.map_or("", |(_, _, uses)| uses.verb));
        if let Some((verb, given, uses)) = named
            && let Some(refused) = applicability::refuse(verb, given, uses, &caller)
        {
            return Ok(refused);
        }
        Ok(Verb::from_arg_matches(&matches)?.run(&caller))
    }
}

/// Lists the verbs: each has a file in `commands`, which says what its options are about and runs it; `@` names the
/// feature without which it is left out.
macro_rules! verbs {
    ($($(#[$note:meta])* $(@$feature:tt)? $verb:ident: $module:ident::$type:ident,)*) => {
        #[derive(Subcommand)]
        enum Verb {
            $($(#[$note])* $(#[cfg(feature = $feature)])? $verb(commands::$module::$type),)*
        }

        impl Verb {
            fn run(self, caller: &Caller) -> ExitStatus {
                match self {
                    $($(#[cfg(feature = $feature)])? Verb::$verb(verb) => verb.run(caller),)*
                }
            }

            /// What the options of a verb are about, and what declares them.
            fn named(name: &str) -> Option<(&'static Uses, fn(Command) -> Command)> {
                let all: &[(&Uses, fn(Command) -> Command)] = &[$(
                    $(#[cfg(feature = $feature)])?
                    (&commands::$module::USES, commands::$module::$type::augment_args)
                ),*];
                all.iter().find(|(uses, _)| uses.verb == name).copied()
            }
        }
    };
}

verbs! {
    Init: init::Init,
    Import: import::Import,
    Check: check::Check,
    Conform: conform::Conform,
    Audit: audit::AuditVerb,
    Bind: bind::Bind,
    Explore: explore::Explore,
    Draw: draw::Draw,
    Fmt: fmt::Fmt,
    Realize: realize::Realize,
    Project: project::ProjectVerb,
    Verify: verify::Verify,
    Tests: tests::Tests,
    Comply: comply::Comply,
    Mutate: mutate::Mutate,
    Drive: drive::Drive,
    Monitor: monitor::Monitor,
    Watch: watch::Watch,
    Feed: feed::Feed,
    Script: script::Script,
    Solve: solve::Solve,
    Capture: capture::Capture,
    Replay: replay::Replay,
    Certify: certify::Certify,
    Explain: explain::Explain,
    @"serve" Serve: serve::Serve,
    @"lsp" Lsp: lsp::Lsp,
    #[command(hide = true)]
    Completions: completions::Completions,
    #[command(hide = true)]
    Man: man::Man,
}

/// Runs one command line, the name of the program first, as the process does: prints, reads and writes files.
///
/// It is meant to be called once per process, since it handles interrupts for all of it.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitStatus {
    let words = arguments.into_iter().collect();
    match CommandLine::run(words, |verb| Caller::Terminal { verb }) {
        Ok(status) => status,
        Err(mistake) if mistake.use_stderr() => refuse(&advised(mistake)),
        // Help is output as well, and may meet a full disk.
        Err(help) => print_help(&help),
    }
}

/// Says where certificates are to be had, if one was asked for elsewhere.
fn advised(mut mistake: clap::Error) -> clap::Error {
    let argument = mistake
        .get(ContextKind::InvalidArg)
        .map(ToString::to_string);
    if argument.as_deref() == Some("--certificate") {
        let tip = "`conform`, `realize`, `verify` and `check` of machines write certificates; others show what they saw";
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        mistake.insert(ContextKind::Suggested, tip);
    }
    mistake
}

fn refuse(mistake: &clap::Error) -> ExitStatus {
    // Without standard error, the status says it.
    let _ = mistake.print();
    ExitStatus::BadInput
}

fn print_help(help: &clap::Error) -> ExitStatus {
    let text = help.render();
    let text = if std::io::stdout().is_terminal() {
        text.ansi().to_string()
    } else {
        text.to_string()
    };
    match shell::write_out(&text) {
        Ok(()) => ExitStatus::Success,
        Err(failure) => {
            shell::complain(&format!("error: {failure}"));
            ExitStatus::World
        }
    }
}
