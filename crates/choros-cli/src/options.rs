//! Options that several verbs share.

use std::path::PathBuf;

use choros::base::Choice;
use choros::model::stg::{MOST_SESSIONS, SessionCount, Sessions};
use choros::{
    Cache, Discipline, Duration, EventHandlers, FaultSettings, FileKind, Mode, Reading, Reduction,
    Request, Settings,
};
use clap::{Args, ValueEnum};

use crate::caller::Caller;
use crate::choice::choice;
use crate::crew::crew;
use crate::format::Format;
use crate::proof_store::Folder;
use crate::shell::{Limits, Shell};

/// The models to look at.
#[derive(Args)]
pub(crate) struct Inputs {
    #[arg(value_name = "FILE[#NAME]", required = true, help = models())]
    files: Vec<String>,
    /// Reads the files as this format, whatever their extensions
    #[arg(long = "as", value_name = "KIND", value_parser = kind)]
    kind: Option<FileKind>,
}

/// The language of one file.
#[derive(Args)]
pub(crate) struct KindOption {
    /// Reads the file as this format, whatever its extension
    #[arg(long = "as", value_name = "KIND", value_parser = kind)]
    kind: Option<FileKind>,
}

impl KindOption {
    /// The part of a file that is asked for, in this language.
    pub(crate) fn request(&self, file: &str) -> Request {
        Request::parse(file, self.kind)
    }
}

/// Options that every verb has.
#[derive(Args)]
pub(crate) struct Shared {
    /// Format of the report on standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Sets a parameter of the model (repeatable)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parameter)]
    parameters: Vec<(String, String)>,
    /// Stops exploring a model after N states
    #[arg(long, value_name = "N", default_value_t = Settings::default().max_states)]
    max_states: u64,
    /// Bounds each solver query, in the solver's own units, so that runs are repeatable
    #[arg(long, value_name = "N", default_value_t = Settings::default().solver_budget)]
    solver_budget: u64,
    /// Stops after this many seconds and reports what is known by then
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
    /// Limits memory to about this much, for example 500M or 2G [default: 4G]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_memory: Option<u64>,
    /// Also lets models refer to files in this folder; by default only those in their own (repeatable)
    #[arg(long, value_name = "FOLDER")]
    include: Vec<PathBuf>,
    /// Treats warnings as errors
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
}

/// How the services communicate.
#[derive(Args)]
pub(crate) struct ModeOption {
    /// How the services communicate [default: sync; sender where roles measure time]
    #[arg(long, value_parser = choice::<Mode>())]
    mode: Option<Mode>,
}

impl ModeOption {
    pub(crate) fn mode(&self) -> Option<Mode> {
        self.mode
    }
}

/// What may go wrong while services run.
#[derive(Args)]
pub(crate) struct FaultsOption {
    /// Examines the roles over queues under these faults: lose, duplicate, reorder, delay, crash, each with a message or
    /// role and a number if you like (lose:2, lose:Charged:1, crash:payment), joined by commas; `all` tries each alone
    #[arg(long, value_name = "FAULTS", value_parser = FaultSettings::parse, conflicts_with = "sessions")]
    faults: Option<FaultSettings>,
}

impl FaultsOption {
    pub(crate) fn apply(&self, settings: &mut Settings) {
        settings.faults.clone_from(&self.faults);
    }
}

/// What may go wrong, and whether the roles must come to an end then.
#[derive(Args)]
pub(crate) struct RecoveryOptions {
    #[command(flatten)]
    faults: FaultsOption,
    /// With --faults: the roles must also be able to end, whatever has gone wrong
    #[arg(long, requires = "faults")]
    recovers: bool,
}

impl RecoveryOptions {
    pub(crate) fn apply(&self, settings: &mut Settings) {
        self.faults.apply(settings);
        if let Some(faults) = &mut settings.faults {
            faults.recovers = self.recovers;
        }
    }
}

/// When everything has ended.
#[derive(Args)]
pub(crate) struct EndingOptions {
    /// A role that is a service: it may wait for the next conversation after the others have ended
    #[arg(long, value_name = "ROLE")]
    pub(crate) service: Vec<String>,
    /// All roles end together without a message about it, as in the thesis
    #[arg(long, conflicts_with = "service")]
    pub(crate) joint_ending: bool,
}

impl EndingOptions {
    pub(crate) fn is_given(&self) -> bool {
        self.joint_ending || !self.service.is_empty()
    }
}

/// Several runs of a conversation at the same time.
#[derive(Args)]
pub(crate) struct SessionsOption {
    /// This many sessions of each choreography at the same time, or `any` number of them
    #[arg(long, value_name = "N|any", value_parser = session_count)]
    sessions: Option<SessionCount>,
    /// The field that says which session a message belongs to
    #[arg(long, value_name = "FIELD", requires = "sessions")]
    by: Option<String>,
    /// No two sessions have the same value in that field
    #[arg(long, requires = "by")]
    distinct: bool,
    /// A variable that all sessions read and write (repeatable)
    #[arg(long, value_name = "NAME", requires = "sessions")]
    sharing: Vec<String>,
    /// Messages of different sessions never wait in one queue
    #[arg(long, requires = "sessions")]
    own_queues: bool,
}

/// The fields of [`SessionsOption`].
pub(crate) const SESSIONS: &[&str] = &["sessions", "by", "distinct", "sharing", "own_queues"];

impl SessionsOption {
    /// What is wrong with it where tests are made: how many are at the same time, and who serves them.
    pub(crate) fn no_tests(&self, server: Option<&str>, has_data: bool) -> Option<&'static str> {
        match self.sessions? {
            SessionCount::Any => {
                Some("tests are made for a number of sessions, not for any number")
            }
            SessionCount::Exactly(_) if !has_data && server.is_none() => {
                Some("`--sessions` needs `--role`: which participant serves all sessions")
            }
            SessionCount::Exactly(_) => None,
        }
    }

    pub(crate) fn apply(&self, settings: &mut Settings) {
        settings.sessions = self.sessions.map(|count| Sessions {
            count,
            identity: self.by.clone(),
            distinct: self.distinct,
            shared: self.sharing.clone(),
            own_queues: self.own_queues,
        });
    }
}

/// Several sessions that a machine serves at the same time.
#[derive(Args)]
pub(crate) struct ServedOption {
    /// The machine does its part in this many sessions at the same time, with partners that have a number each
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_SESSIONS)))]
    sessions: Option<u32>,
}

impl ServedOption {
    pub(crate) fn apply(&self, settings: &mut Settings) {
        let count = self.sessions.map(SessionCount::Exactly);
        settings.sessions = count.map(Sessions::plain);
    }
}

fn session_count(text: &str) -> Result<SessionCount, String> {
    match text.parse::<u32>() {
        _ if text == "any" => Ok(SessionCount::Any),
        Ok(count) if (1..=MOST_SESSIONS).contains(&count) => Ok(SessionCount::Exactly(count)),
        _ => Err(format!(
            "write a number from 1 to {MOST_SESSIONS}, or `any`"
        )),
    }
}

/// How messages travel between machines.
#[derive(Args)]
pub(crate) struct ChannelsOption {
    /// Order in which messages from one sender to one receiver arrive
    #[arg(long, value_enum, default_value_t = ChannelsName::Fifo)]
    channels: ChannelsName,
    /// Number of messages that fit into one channel; 0 means sending and receiving are one step
    #[arg(long, value_name = "K", default_value_t = Settings::default().discipline.bound)]
    bound: u32,
}

/// Answers found earlier.
#[derive(Args)]
pub(crate) struct CacheOption {
    /// Folder in which proofs of `conform` and `verify` are kept; they are checked before they are reused
    #[arg(
        long,
        value_name = "FOLDER",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = ".choros-cache"
    )]
    cache: Option<PathBuf>,
}

impl CacheOption {
    pub(crate) fn apply(&self, settings: &mut Settings) {
        settings.cache = self.cache.clone().map(|it| Cache::new(Folder(it)));
    }
}

/// Fewer orders of independent steps.
#[derive(Args)]
pub(crate) struct ReduceOption {
    /// For machines: explores only as many orders of independent steps as finding every deadlock takes
    #[arg(long)]
    reduce: bool,
}

impl ReduceOption {
    pub(crate) fn apply(&self, settings: &mut Settings) {
        if self.reduce {
            settings.reduction = Reduction::Persistent;
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ChannelsName {
    /// Queues: messages arrive in the order they were sent
    Fifo,
    /// Multisets: messages may overtake each other
    Bag,
    /// No buffers: sending and receiving are one step
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

/// How COWS services are executed.
#[derive(Args)]
pub(crate) struct ServicesOption {
    /// Lets any matching receive take a message, not only those that bind the fewest variables
    #[arg(long)]
    no_best_match: bool,
}

impl ServicesOption {
    pub(crate) fn apply(&self, settings: &mut Settings) {
        settings.best_match = !self.no_best_match;
    }
}

/// How processes of WS-BPEL are read.
#[derive(Args)]
pub(crate) struct ProcessOption {
    /// For WS-BPEL: what event handlers do to the body of their scope
    #[arg(long, value_parser = choice::<EventHandlers>(), value_name = "RULE", default_value = EventHandlers::default().word())]
    event_handlers: EventHandlers,
    /// For WS-BPEL: where the thesis differs from the standard, which of them decides
    #[arg(long, value_parser = choice::<Reading>(), value_name = "RULE", default_value = Reading::default().word())]
    reading: Reading,
    /// For WS-BPEL: the length of a tick (1h, 30min, 10s, PT1H); by default the greatest common divisor of its
    /// durations
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    time_unit: Option<Duration>,
}

impl ProcessOption {
    pub(crate) fn apply(&self, settings: &mut Settings) {
        settings.orchestration.events = self.event_handlers;
        settings.orchestration.reading = self.reading;
        settings.orchestration.unit = self.time_unit;
    }
}

/// A duration: `1h`, `30min`, `10s`, `250ms`, `2d`, or as ISO 8601 writes it.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.len()
        - text
            .trim_start_matches(|it: char| it.is_ascii_digit())
            .len();
    let length = match &text[digits..] {
        "ms" => Some(1),
        "s" => Some(1_000),
        "min" => Some(60_000),
        "h" => Some(3_600_000),
        "d" => Some(86_400_000),
        _ => None,
    };
    let given = match length {
        Some(length) => text[..digits]
            .parse::<u64>()
            .ok()
            .and_then(|number| number.checked_mul(length))
            .map(|milliseconds| Duration { milliseconds }),
        None => Duration::read(text),
    };
    given
        .filter(|it| it.milliseconds > 0)
        .ok_or_else(|| "write it as 1h, 30min, 10s or PT1H; it must be longer than zero".to_owned())
}

/// A number of bytes, followed by K, M or G for thousands, millions and billions.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.chars().last() {
        Some('k' | 'K') => (&text[..text.len() - 1], 1_000),
        Some('m' | 'M') => (&text[..text.len() - 1], 1_000_000),
        Some('g' | 'G') => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text, 1),
    };
    let number = digits.parse::<u64>().ok();
    number
        .and_then(|number| number.checked_mul(unit))
        .ok_or_else(|| "write it as a number of bytes, such as 500M or 2G".to_owned())
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
    pub(crate) fn shell(&self, caller: &Caller) -> Shell {
        let limits = Limits {
            timeout: self.timeout,
            memory: self.max_memory,
            includes: self.include.clone(),
        };
        Shell::new(self.format, limits, caller)
    }

    pub(crate) fn settings(&self, shell: &Shell) -> Settings {
        Settings {
            parameters: self.parameters.clone(),
            max_states: self.max_states,
            solver_budget: self.solver_budget,
            max_memory: self.max_memory,
            deny_warnings: self.deny == Some(Deny::Warnings),
            cancel: shell.cancel.clone(),
            crew: crew(),
            events: shell.events.clone(),
            ..Settings::default()
        }
    }
}

/// What an argument that names models takes.
pub(crate) fn models() -> String {
    let kinds = FileKind::ALL.into_iter().filter(|it| it.is_model());
    let names: Vec<String> = kinds.map(|it| format!(".{}", it.extension())).collect();
    let (last, others) = names.split_last().expect("there are models");
    format!(
        "The models: FILE, or FILE#COMPONENT; by extension {} or {last}",
        others.join(", ")
    )
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
