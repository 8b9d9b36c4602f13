#![doc = include_str!("../README.md")]

mod applicability;
mod choice;
mod clock;
mod commands;
mod options;
mod output_folder;
mod picture_file;
mod project_folder;
mod proof_store;
mod shell;
mod symbolic_options;
mod test_options;
mod waiting;
mod watchdog;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// Write down how services should talk; Choros proves what can be proved about it.
///
/// Every verb answers one question, for all data. Exit codes: 0 holds or produced, 1 fails, 2 bad input or usage,
/// 3 holds only under a condition, 4 unknown, 5 the world failed, 130 interrupted.
#[derive(Parser)]
#[command(name = "choros", version, max_term_width = 100)]
#[command(subcommand_help_heading = "Questions", subcommand_value_name = "VERB")]
#[command(
    after_help = "`choros help VERB` has examples; the tutorial is in README.md, the book in docs/book."
)]
struct CommandLine {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Check(commands::check::Check),
    Conform(commands::conform::Conform),
    Audit(commands::audit::AuditVerb),
    Explore(commands::explore::Explore),
    Draw(commands::draw::Draw),
    Fmt(commands::fmt::Fmt),
    Realize(commands::realize::Realize),
    Project(commands::project::ProjectVerb),
    Verify(commands::verify::Verify),
    Tests(commands::tests::Tests),
    Comply(commands::comply::Comply),
    Mutate(commands::mutate::Mutate),
    Drive(commands::drive::Drive),
    Monitor(commands::monitor::Monitor),
    Script(commands::script::Script),
    Solve(commands::solve::Solve),
    Capture(commands::capture::Capture),
    Replay(commands::replay::Replay),
    Certify(commands::certify::Certify),
    Explain(commands::explain::Explain),
    #[command(hide = true)]
    Completions(commands::completions::Completions),
    #[command(hide = true)]
    Man(commands::man::Man),
}

fn main() -> ExitCode {
    let matches = match CommandLine::command().try_get_matches() {
        Ok(matches) => matches,
        Err(message) if message.use_stderr() => message.exit(),
        // Help is output as well, and may meet a full disk.
        Err(help) => return print_help(&help),
    };
    if let Some(refused) = applicability::refuse(&matches) {
        return refused;
    }
    let line = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match line.verb {
        Verb::Check(verb) => verb.run(),
        Verb::Conform(verb) => verb.run(),
        Verb::Audit(verb) => verb.run(),
        Verb::Explore(verb) => verb.run(),
        Verb::Draw(verb) => verb.run(),
        Verb::Fmt(verb) => verb.run(),
        Verb::Realize(verb) => verb.run(),
        Verb::Project(verb) => verb.run(),
        Verb::Verify(verb) => verb.run(),
        Verb::Tests(verb) => verb.run(),
        Verb::Comply(verb) => verb.run(),
        Verb::Mutate(verb) => verb.run(),
        Verb::Drive(verb) => verb.run(),
        Verb::Monitor(verb) => verb.run(),
        Verb::Script(verb) => verb.run(),
        Verb::Solve(verb) => verb.run(),
        Verb::Capture(verb) => verb.run(),
        Verb::Replay(verb) => verb.run(),
        Verb::Certify(verb) => verb.run(),
        Verb::Explain(verb) => verb.run(),
        Verb::Completions(verb) => verb.run(),
        Verb::Man(verb) => verb.run(),
    }
}

fn print_help(help: &clap::Error) -> ExitCode {
    let text = help.render();
    let text = match std::io::stdout().is_terminal() {
        true => text.ansi().to_string(),
        false => text.to_string(),
    };
    match shell::write_out(&text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            shell::complain(&format!("error: {failure}"));
            ExitCode::from(choros::report::ExitStatus::World.code())
        }
    }
}
