//! `choros drive`

use std::path::PathBuf;
use std::time::Duration;

use choros::base::Choice;
use choros::report::{ExitStatus, to_json};
use choros::verbs::{self, DriveOptions, DriveRequest, PartnerFault, TestVerdict, ValueChoice};
use clap::{Args, ValueEnum};

use crate::applicability::{PARAMETERS, Parts, Uses};
use crate::caller::Caller;
use crate::choice::choice;
use crate::options::{KindOption, ProcessOption, Shared};
use crate::symbolic_options::{SYMBOLIC, SymbolicOptions};

/// Does the running service pass?
///
/// Derives tests from the model of one service, or reads them from a suite, and runs them: sends values that satisfy
/// the condition of a path, waits, and checks every answer with a solver against all branches that the model allows. A
/// test passes if the service followed its path. It fails if the service did something that no branch allows; the
/// report shows the messages. It is inconclusive if the service took another branch, or if the messages do not decide
/// it.
///
/// By default the tester plays only the user and trusts what partners say. With --mock-partners it plays all partners,
/// which answer what the path needs within their contracts. A process (.bpel) is driven by SOAP at the address in its
/// WSDL, other models by JSON over HTTP, as the binding says.
///
/// Give a report saved with --record or --format json instead of the model to run its tests that did not pass again,
/// with the same values as far as the service permits; the report says whether each failure is reproduced. `choros
/// replay` judges the same report without the service.
#[derive(Args)]
#[command(after_help = "\
Examples:
  choros drive loan.bpel -k 10                          tests to depth 10 against the address in the WSDL
  choros drive loan.bpel --purpose select.tp --target http://127.0.0.1:8081/Loan
  choros drive loan.bpel --mock-partners --mock-at BK=:8083 --mock-at BL=:8082 --time-scale 0.0001
                                                        in isolation, an hour in 0.36 seconds
  choros drive suite.json --retries 3 --adaptive        a suite of `choros tests --emit json`
  choros drive shop.chor#order_vendor --binding shop.bind.toml
                                                        a role of a choreography, by JSON over HTTP
  choros drive loan.bpel --resume run.jsonl --transcript run.log.jsonl
                                                        resumes a run that was stopped
  choros drive loan.bpel --record run.json              saves the conversations
  choros drive run.json --test test_2                   sends one of them again

Exit code: 0 all passed, 1 a test failed, 4 a test was inconclusive, 5 the service cannot be reached.")]
pub(crate) struct Drive {
    /// The model of one service, a suite (.json), or a saved report of `drive` (.json)
    #[arg(value_name = "MODEL-or-SUITE")]
    file: String,
    #[command(flatten)]
    kind: KindOption,
    /// The role under test, if the model is a choreography
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// The address of the service
    #[arg(long, value_name = "URL")]
    target: Option<String>,
    /// The binding: how messages look as JSON over HTTP, where services are
    #[arg(long, alias = "mapping", value_name = "FILE")]
    binding: Option<String>,
    /// Also plays the partners of the service, at the addresses in the binding or in their WSDL
    #[arg(long)]
    mock_partners: bool,
    /// Plays this partner at this address (repeatable)
    #[arg(long, value_name = "ROLE=ADDR")]
    mock_at: Vec<String>,
    /// Checks the service's certificate against these (PEM) instead of the system's
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// How values are chosen
    #[arg(long, value_parser = choice::<ValueChoice>(), value_name = "WHICH", default_value = ValueChoice::Edges.word())]
    values: ValueChoice,
    /// Seed for random values
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Repeats an inconclusive test up to this many times
    #[arg(long, value_name = "N", default_value_t = 0)]
    retries: u32,
    /// Continues on another path if the service takes another branch
    #[arg(long)]
    adaptive: bool,
    /// Stops at the first failure
    #[arg(long)]
    fail_fast: bool,
    /// The verdict if an expected answer does not arrive [default: fail]
    #[arg(long, value_enum, value_name = "VERDICT")]
    timeout_verdict: Option<TimeoutName>,
    /// Runs this many tests in parallel; calls from the service are matched to tests by their values (`--values random`
    /// makes them differ), and tests that do not pass are repeated alone
    #[arg(long, value_name = "N", default_value_t = 1)]
    parallel: usize,
    /// Has this many users at once: runs each test in this many sessions in parallel, with random values of their own
    #[arg(long, value_name = "N", conflicts_with = "parallel", value_parser = clap::value_parser!(u16).range(1..=1000))]
    sessions: Option<u16>,
    /// Seconds per unit of time, if the model does not say [default: 1]
    #[arg(long, value_name = "SECONDS")]
    tick: Option<f64>,
    /// Multiplies units of time by this factor [default: 1]
    #[arg(long, value_name = "X")]
    time_scale: Option<f64>,
    /// How early or late an answer may come, in milliseconds [default: 200]
    #[arg(long, value_name = "MS")]
    tolerance: Option<u64>,
    /// How long to wait for an answer, in milliseconds [default: 10000]
    #[arg(long, value_name = "MS")]
    answer_within: Option<u64>,
    /// How long to listen for unexpected messages at the end of a test, in milliseconds [default: 50]
    #[arg(long, value_name = "MS")]
    quiet: Option<u64>,
    /// How long to wait between tests, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pause: u64,
    /// Reads bodies up to this length, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 24)]
    limit: usize,
    /// Lets partners do this wrong after a test has passed, one fault after the other: the service must do what its model says
    /// then, and conversations after that must pass
    #[arg(long, value_parser = choice::<PartnerFault>(), value_name = "FAULT,…", value_delimiter = ',', conflicts_with = "parallel")]
    faults: Vec<PartnerFault>,
    /// Records finished tests in this file, and skips those already in it
    #[arg(long, value_name = "FILE")]
    resume: Option<String>,
    /// Writes all messages to this file (.jsonl), as a log of the service
    #[arg(long, value_name = "FILE")]
    transcript: Option<String>,
    /// Also writes the report to this file as JSON, for `choros replay FILE` and `choros drive FILE`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// With a saved report: repeats this test (repeatable); by default those that did not pass
    #[arg(long, value_name = "NAME")]
    test: Vec<String>,
    #[command(flatten)]
    symbolic: SymbolicOptions,
    #[command(flatten)]
    process: ProcessOption,
    #[command(flatten)]
    shared: Shared,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TimeoutName {
    /// The test fails
    Fail,
    /// The test is inconclusive
    Inconclusive,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "drive",
    models: &[],
    parts: Parts::AsTheVerbSays,
    always: &[
        "file",
        "role",
        "target",
        "binding",
        "mock_partners",
        "mock_at",
        "ca",
        "values",
        "seed",
        "retries",
        "adaptive",
        "fail_fast",
        "timeout_verdict",
        "parallel",
        "sessions",
        "tick",
        "time_scale",
        "tolerance",
        "answer_within",
        "quiet",
        "pause",
        "limit",
        "event_handlers",
        "reading",
        "time_unit",
        "faults",
        "resume",
        "transcript",
        "record",
        "test",
    ],
    some: &[SYMBOLIC, PARAMETERS],
};

impl Drive {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let mut settings = self.shared.settings(&shell);
        self.process.apply(&mut settings);
        for (option, value) in [("--tick", self.tick), ("--time-scale", self.time_scale)] {
            let is_sound = |value: f64| value.is_finite() && value > 0.0 && value < 1e9;
            if !value.is_none_or(is_sound) {
                return shell.usage_error(&format!("{option} is not a positive number"));
            }
        }
        if self.parallel == 0 {
            return shell.usage_error("--parallel is at least 1");
        }
        if let Some(target) = &self.target {
            shell.secrets.note_address(target);
        }
        let milliseconds = Duration::from_millis;
        let options = DriveOptions {
            target: self.target,
            mapping: self.binding,
            mock_partners: self.mock_partners,
            mock_at: self.mock_at,
            roots: self.ca,
            values: match self.sessions {
                Some(_) => ValueChoice::Random,
                None => self.values,
            },
            seed: self.seed,
            retries: self.retries,
            adaptive: self.adaptive,
            fail_fast: self.fail_fast,
            timeout_verdict: self.timeout_verdict.map(|verdict| match verdict {
                TimeoutName::Fail => TestVerdict::Fail,
                TimeoutName::Inconclusive => TestVerdict::Inconclusive,
            }),
            parallel: self.parallel,
            sessions: self.sessions.map_or(1, usize::from),
            tick: self.tick.map(Duration::from_secs_f64),
            time_scale: self.time_scale,
            tolerance: self.tolerance.map(milliseconds),
            answer_within: self.answer_within.map(milliseconds),
            quiet: self.quiet.map(milliseconds),
            pause: milliseconds(self.pause),
            body_limit: self.limit,
            resume: self.resume,
            transcript: self.transcript,
            tests: self.test,
            faults: self.faults,
        };
        let request = DriveRequest {
            model: self.kind.request(&self.file),
            tests: self.symbolic.testing(self.role),
            options,
            secrets: shell.secrets.clone(),
        };
        let mut workspace = shell.workspace();
        let answered = verbs::drive(&mut workspace, &request, &settings);
        let mut report = answered.report(&workspace.terms);
        if let Some(path) = &self.record {
            let text = to_json(&report, &workspace.sources);
            if let Err(error) = shell.write_file(path, &text) {
                let reason = format!("cannot write `{}`: {error}", path.display());
                report.world_failed.get_or_insert(reason);
            }
        }
        shell.finish(&report, &workspace.sources)
    }
}
