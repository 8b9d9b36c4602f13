//! Options that several verbs share.

use choros::{Discipline, FileKind, Mode, Request, Settings};
use clap::{Args, ValueEnum};

use crate::shell::Shell;

/// The models to look at.
#[derive(Args)]
pub(crate) struct Inputs {
    /// The models: FILE, or FILE#COMPONENT; by extension .chor, .schora, .pact, .gc, .stg, .dot, .stga, .aut, .fsa or
    /// .cows
    #[arg(value_name = "FILE[#NAME]", required = true)]
    files: Vec<String>,
    /// Reads the files as this kind, whatever their extensions
    #[arg(long = "as", value_name = "KIND", value_parser = kind)]
    kind: Option<FileKind>,
}

/// Options that every verb has.
#[derive(Args)]
pub(crate) struct Shared {
    /// How the report is written to standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Fixes a parameter of the model (may be given several times)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parameter)]
    parameters: Vec<(String, String)>,
    /// Unfolds no model beyond so many states
    #[arg(long, value_name = "N", default_value_t = Settings::default().max_states)]
    max_states: u64,
    /// Bounds each solver query, in the solver's own units, so that runs are repeatable
    #[arg(long, value_name = "N", default_value_t = Settings::default().solver_budget)]
    solver_budget: u64,
    /// Stops after so many seconds with what is known until then
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
    /// Treats warnings as errors
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
}

/// How the services communicate, with a default.
#[derive(Args)]
pub(crate) struct ModeOption {
    /// How the services communicate
    #[arg(long, value_enum, default_value_t = ModeName::Sync)]
    mode: ModeName,
}

/// How the services communicate.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeName {
    /// Messages are sent and received in one moment
    Sync,
    /// Asynchronous, ordered by sendings
    Sender,
    /// Asynchronous, ordered by receptions
    Receiver,
    /// Asynchronous, each message arrives before the next is sent
    Disjoint,
}

impl ModeOption {
    pub(crate) fn mode(&self) -> Mode {
        self.mode.mode()
    }
}

impl ModeName {
    pub(crate) fn mode(self) -> Mode {
        match self {
            ModeName::Sync => Mode::Synchronous,
            ModeName::Sender => Mode::Sender,
            ModeName::Receiver => Mode::Receiver,
            ModeName::Disjoint => Mode::Disjoint,
        }
    }
}

/// How messages travel between machines.
#[derive(Args)]
pub(crate) struct ChannelsOption {
    /// The order in which messages of one sender to one receiver arrive
    #[arg(long, value_enum, default_value_t = ChannelsName::Fifo)]
    channels: ChannelsName,
    /// How many messages may wait in one channel; 0 means that sender and receiver act together
    #[arg(long, value_name = "K", default_value_t = Settings::default().discipline.bound)]
    bound: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ChannelsName {
    /// Queues: what is sent first arrives first
    Fifo,
    /// Multisets: messages may overtake each other
    Bag,
    /// No buffers: sender and receiver act together
    Sync,
}

impl ChannelsOption {
    pub(crate) fn apply(&self, settings: &mut Settings) {
        let bound = self.bound;
        settings.discipline = match self.channels {
            ChannelsName::Sync => Discipline::synchronous(),
            _ if bound == 0 => Discipline::synchronous(),
            ChannelsName::Fifo => Discipline::fifo(bound),
            ChannelsName::Bag => Discipline::bag(bound),
        };
    }
}

/// How a report is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs: one object
    Json,
    /// For continuous-integration servers
    Junit,
    /// One page with pictures, for a browser
    Html,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Deny {
    Warnings,
}

impl Inputs {
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.files
            .iter()
            .map(|file| Request::parse(file, self.kind))
            .collect()
    }
}

impl Shared {
    pub(crate) fn shell(&self) -> Shell {
        Shell::new(self.format, self.timeout)
    }

    pub(crate) fn settings(&self, shell: &Shell) -> Settings {
        Settings {
            parameters: self.parameters.clone(),
            max_states: self.max_states,
            solver_budget: self.solver_budget,
            deny_warnings: self.deny == Some(Deny::Warnings),
            cancel: shell.cancel.clone(),
            progress: shell.progress.clone(),
            ..Settings::default()
        }
    }
}

/// The kind with this name.
pub(crate) fn kind(text: &str) -> Result<FileKind, String> {
    FileKind::named(text).ok_or_else(|| {
        let names: Vec<&str> = FileKind::ALL.into_iter().map(FileKind::name).collect();
        format!("known kinds: {}", names.join(", "))
    })
}

fn parameter(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("write it as NAME=VALUE, such as y0=3".to_owned()),
    }
}
