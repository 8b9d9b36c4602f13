//! `choros audit`

use choros::base::Choice;
use choros::model::observation::Correlation;
use choros::report::ExitStatus;
use choros::verbs::{
    self, AuditRequest, Auditing, CrossingMessages, Empty, Hypothesis, LogFormat, LogsRequest,
    MessageMoment, Network, Order, Projection, Runs, Sessions,
};
use choros::{FileKind, Request};
use clap::{Args, ValueEnum};

use crate::applicability::{Parts, Uses};
use crate::caller::Caller;
use crate::choice::choice;
use crate::log_options::address_and_role;
use crate::options::{Shared, kind};

/// Do these logs follow the choreography?
///
/// Checks each role against its part of the model, and all roles together against the whole. Without a global clock,
/// every order that the logs allow is considered: the answer is yes if all of them conform, no if none does, and
/// otherwise unknown, with an example of each. Logs that stop early conform as far as they go and are marked as
/// unfinished. If the model has open parameters, the answer is a condition on them.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros audit order/order.pact --log 1=order/buyer.csv \\
      --log 2=order/seller.csv --log 3=order/delivery.csv
                                                    a log for each role
  choros audit order.pact --log 1=a.jsonl --log 2=b.jsonl --order time
                                                    the clocks of all services agree
  choros audit order.pact --log 2=seller.log --map localhost:8080=1
                                                    PACT's logs know addresses
  choros audit shop.chor#Shop --log shop.jsonl      one file; `by` says whose line it is
  choros audit shop.chor#Shop --log shop.jsonl --correlate order.id
                                                    sessions by a field
  choros audit service.stga --log s=service.jsonl   for which parameters?")]
pub(crate) struct AuditVerb {
    /// The model: FILE, or FILE#COMPONENT; a choreography, or the model of one role
    #[arg(value_name = "MODEL[#NAME]")]
    model: String,
    /// Reads the model as this format, whatever its extension: chor, schora, pact, stg, dot, stga
    #[arg(long = "as", value_name = "KIND", value_parser = kind)]
    kind: Option<FileKind>,
    /// The log of a role, or one file whose records name their role (repeatable, also for several instances of a role)
    #[arg(long = "log", value_name = "ROLE=FILE", value_parser = log, required = true)]
    logs: Vec<(Option<String>, String)>,
    /// Reads logs in this format, whatever they look like
    #[arg(long, value_name = "FORM", value_parser = choice::<LogFormat>())]
    log_format: Option<LogFormat>,
    /// The binding: what messages and roles are called in logs, and where their fields are
    #[arg(long, alias = "mapping", value_name = "FILE")]
    binding: Option<String>,
    /// Maps an address in a log to a role of the model (repeatable)
    #[arg(long = "map", value_name = "ADDRESS=ROLE", value_parser = address_and_role)]
    names: Vec<(String, String)>,
    /// Separates sessions by `session`, `id`, or a path in the data
    #[arg(long, value_name = "PATH", visible_alias = "session-field")]
    correlate: Option<String>,
    /// Treats all records as one session
    #[arg(long, conflicts_with = "correlate")]
    one_session: bool,
    /// What is known about the order of messages at different services
    #[arg(long, value_parser = choice::<Order>(), default_value = Order::Local.word())]
    order: Order,
    /// When a message counts as happened; by default sending and receiving are one step, or, if messages can cross on
    /// the way, when it is sent
    #[arg(long, value_enum)]
    mode: Option<Moment>,
    /// Fails if a log stops before the choreography ends
    #[arg(long)]
    require_complete: bool,
    /// What may be missing from logs: `cut` (their end), `late` (their start or end), `gaps` (anything); for all logs,
    /// or for one role (repeatable)
    #[arg(long, value_name = "[ROLE=]WORD", value_parser = hypothesis)]
    hypothesis: Vec<(Option<String>, Hypothesis)>,
    /// Treats logs as samples that drop records by design: `--hypothesis gaps` for all
    #[arg(long, conflicts_with = "hypothesis")]
    lossy: bool,
    /// Uses the natural projections of the theory unchanged: a value received again replaces the one known before
    #[arg(long)]
    natural: bool,
    /// The verdict if no message of the model appears in the logs
    #[arg(long, value_parser = choice::<Empty>(), default_value = Empty::IsUnknown.word())]
    empty: Empty,
    /// What the network may do to messages
    #[arg(long, value_parser = choice::<Network>(), default_value = Network::Once.word())]
    network: Network,
    /// Stops at the first record that is not a valid observation
    #[arg(long)]
    strict: bool,
    /// Limits the number of records in memory; longer logs must be split
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    most_observations: usize,
    /// Judges logs with more records than this session by session as they end, and holds only open sessions
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    whole_up_to: usize,
    /// Cuts a session after this many seconds without a record, by the times in the logs; a session that could
    /// continue is then inconclusive
    #[arg(long, value_name = "SECONDS")]
    quiet_after: Option<u64>,
    /// Where roles measure time: how wrong their clocks and the time stamps of their logs may be
    #[arg(long, value_name = "MILLISECONDS", default_value_t = Auditing::default().tolerance)]
    tolerance: u64,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "audit",
    models: &[],
    parts: Parts::AsTheVerbSays,
    always: &[
        "model",
        "logs",
        "log_format",
        "binding",
        "names",
        "correlate",
        "one_session",
        "order",
        "mode",
        "require_complete",
        "hypothesis",
        "lossy",
        "natural",
        "empty",
        "network",
        "strict",
        "most_observations",
        "whole_up_to",
        "quiet_after",
        "tolerance",
        "parameters",
    ],
    some: &[],
};

impl AuditVerb {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let settings = self.shared.settings(&shell);
        if self.mode == Some(Moment::Peers) {
            return shell.usage_error(
                "--mode peers compares the roles of a choreography one by one, which is a question for realize; here a \
                 mode says when a message happens: sync, sender, receiver or disjoint",
            );
        }
        let mut workspace = shell.workspace();
        let (reading, crossing) = match self.mode {
            // Where only roles keep an order, messages may cross.
            None => (MessageMoment::Whole, CrossingMessages::JudgedBySendings),
            Some(moment) => (moment.reading(), CrossingMessages::Fails),
        };
        let request = AuditRequest {
            model: Request::parse(&self.model, self.kind),
            logs: LogsRequest {
                files: self.logs,
                format: self.log_format,
                mapping: self.binding,
                names: self.names,
                hypotheses: if self.lossy {
                    vec![(None, Hypothesis::Gaps)]
                } else {
                    self.hypothesis
                },
                strict: self.strict,
                most_observations: self.most_observations,
                whole_up_to: self.whole_up_to,
                quiet_after: self.quiet_after,
            },
            auditing: Auditing {
                order: self.order,
                reading,
                crossing,
                sessions: match (&self.correlate, self.one_session) {
                    (Some(by), _) => Sessions::By(Correlation::named(by)),
                    (None, true) => Sessions::One,
                    (None, false) => Sessions::Found,
                },
                runs: if self.require_complete {
                    Runs::MustBeFinished
                } else {
                    Runs::MayBeUnfinished
                },
                projection: if self.natural {
                    Projection::Natural
                } else {
                    Projection::Remembering
                },
                empty: self.empty,
                network: self.network,
                tolerance: self.tolerance,
                ..Auditing::default()
            },
        };
        let answered = verbs::audit(&mut workspace, &request, &settings);
        let report = answered.report(&workspace.terms);
        shell.finish(&report, &workspace.sources)
    }
}

pub(crate) fn hypothesis(text: &str) -> Result<(Option<String>, Hypothesis), String> {
    let (role, word) = match text.split_once('=') {
        None => (None, text),
        Some((role, word)) => (Some(role.to_owned()), word),
    };
    match Hypothesis::named(word) {
        Some(hypothesis) => Ok((role, hypothesis)),
        None => Err("write it as cut, late or gaps, or as ROLE=gaps".to_owned()),
    }
}

pub(crate) fn log(text: &str) -> Result<(Option<String>, String), String> {
    match text.split_once('=') {
        None if text.is_empty() => Err("write it as ROLE=FILE or FILE".to_owned()),
        None => Ok((None, text.to_owned())),
        Some((role, file)) if !role.is_empty() && !file.is_empty() => {
            Ok((Some(role.trim().to_owned()), file.to_owned()))
        }
        Some(_) => Err("write it as ROLE=FILE or FILE".to_owned()),
    }
}

/// When a message happens.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Moment {
    /// Sending and receiving are one step
    Sync,
    /// When it is sent
    Sender,
    /// When it is received
    Receiver,
    /// When it is sent; it arrives before the next one is sent
    Disjoint,
    /// A mode of `realize` alone, which is answered in words
    #[value(hide = true)]
    Peers,
}

impl Moment {
    fn reading(self) -> MessageMoment {
        match self {
            Moment::Sync | Moment::Disjoint | Moment::Peers => MessageMoment::Whole,
            Moment::Sender => MessageMoment::Sendings,
            Moment::Receiver => MessageMoment::Receptions,
        }
    }
}
