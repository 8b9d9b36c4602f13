//! `choros realize`

use std::path::PathBuf;

use choros::report::ExitStatus;
use choros::verbs::{self, Criterion, RealizeRequest, RealizeRules};
use choros::{Channels, Content};
use clap::{Args, ValueEnum};

use crate::applicability::{GRAPHS, ONE_WHOLE, PARAMETERS, Parts, Use, Uses};
use crate::caller::Caller;
use crate::choice::choice;
use crate::options::{
    EndingOptions, Inputs, ModeOption, RecoveryOptions, SESSIONS, SessionsOption, Shared,
};

/// Can separate services do it? Each knows only its own part; five kinds of communication
///
/// Checks whether services that each know only their own part do together what the choreography says, and nothing else.
/// It holds if the projections, put together, conform, every message can be received, and no role waits forever unless
/// it is a service. The conditions on ordering, data and branching explain what is missing. The verdict is about the
/// input, even with --repair.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros realize online-shopping.schora#shop        over rendezvous
  choros realize online-shopping.schora#shop --mode sender
                                                    over queues, ordered by sends
  choros realize online-shopping.schora#shop --repair
                                                    which messages would fix it?
  choros realize saga/saga.chor --sessions 2 --by id --distinct
                                                    two sagas at the same time
  choros realize atm.gc                             a g-choreography, over queues and multisets
  choros explain CH0502                             what a broken condition means")]
pub(crate) struct Realize {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    mode: ModeOption,
    /// The criterion for the verdict; the other one is shown with it [default: semantic]
    #[arg(long, value_parser = choice::<Criterion>())]
    criterion: Option<Criterion>,
    /// For a g-choreography: how messages from one sender to one receiver arrive [default: both]
    #[arg(long, value_enum)]
    channels: Option<BufferName>,
    /// Bounds each queue of the semantic criterion; if a queue fills up, the answer is unknown
    #[arg(long, value_name = "N", default_value_t = RealizeRules::BOUND)]
    bound: usize,
    /// Proposes messages that would make it realizable
    #[arg(long)]
    repair: bool,
    /// Writes the answer and its proof to this file, for `choros certify`
    #[arg(long, value_name = "PATH")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    ending: EndingOptions,
    #[command(flatten)]
    faults: RecoveryOptions,
    #[command(flatten)]
    sessions: SessionsOption,
    #[command(flatten)]
    shared: Shared,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BufferName {
    /// Queues: messages arrive in the order they were sent
    Fifo,
    /// Multisets: messages may overtake each other
    Bag,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "realize",
    models: &["files"],
    parts: Parts::Of(GRAPHS, ONE_WHOLE),
    always: &[
        "criterion",
        "bound",
        "service",
        "joint_ending",
        "faults",
        "recovers",
    ],
    some: &[
        PARAMETERS,
        Use::of(&["mode", "repair"], &[Content::Graphs]),
        Use::of(SESSIONS, &[Content::Graphs]),
        Use::of(&["certificate"], &[Content::Graphs, Content::Gchor]),
        Use::of(&["channels"], &[Content::Gchor])
            .hint("`--mode sender` and `--mode receiver` are about messages that wait in queues"),
    ],
};

impl Realize {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let mut settings = self.shared.settings(&shell);
        self.faults.apply(&mut settings);
        self.sessions.apply(&mut settings);
        let mut workspace = shell.workspace();
        let request = RealizeRequest {
            files: self.inputs.requests(),
            rules: RealizeRules {
                mode: self.mode.mode(),
                criterion: self.criterion,
                bound: self.bound,
                services: self.ending.service,
                joint_ending: self.ending.joint_ending,
            },
            repair: self.repair,
            channels: self.channels.map(|name| match name {
                BufferName::Fifo => Channels::Fifo,
                BufferName::Bag => Channels::Bag,
            }),
        };
        if self.certificate.is_some() && request.files.len() != 1 {
            return shell.usage_error(
                "a certificate is about the choreographies of one file\n\nFor more information, try '--help'.",
            );
        }
        let answered = verbs::realize(&mut workspace, &request, &settings);
        let mut report = answered.report(&workspace.terms);
        if let Some(path) = &self.certificate {
            let found = verbs::realize_certificate(&mut workspace, &request, &settings);
            shell.write_certificate(path, found, &mut report);
        }
        shell.finish(&report, &workspace.sources)
    }
}
