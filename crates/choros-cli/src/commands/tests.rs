//! `choros tests`

use std::path::PathBuf;

use choros::report::ExitStatus;
use choros::verbs::{self, MachineTestOptions, TestForm, TestsRequest};
use choros::{Content, FileKind, TargetLanguage};
use clap::{Args, ValueEnum};

use crate::applicability::{GRAPHS, MACHINES, PARAMETERS, PROCESSES, Parts, Use, Uses};
use crate::caller::Caller;
use crate::options::{ChannelsOption, KindOption, ProcessOption, SessionsOption, Shared};
use crate::output_folder::{tell_what_is_lacking, write_files};
use crate::picture_file::PictureFile;
use crate::symbolic_options::{SYMBOLIC, SymbolicOptions};
use crate::test_options::TestOptions;

/// Which tests does the model imply?
///
/// For machines (.fsa, .gc): one test for each combination of decisions of the other participants, which are played by
/// machines that decide every choice once. A test succeeds when all of them have ended and no message is in transit.
/// Every test is checked: the model's own machine of the component passes it, or a warning says why not.
///
/// For one service with data (.stg, .bpel, a role of .chor): paths of its symbolic execution tree, that is, which
/// messages the tester sends and expects, and the condition on their data. A solver has shown that each path can be
/// taken.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros tests atm.fsa                              the tests of every participant
  choros tests atm.fsa --role A --trim              without decisions that cannot be reached
  choros tests atm.fsa --emit json -o suite         a suite that `choros comply` reads
  choros tests atm.fsa --emit fsa -o atm_tests      machines and oracles, a folder for each test
  choros tests atm.gc --role B --emit python -o bank
                                                    tests of an implementation of B, for pytest
  choros tests atm.gc --emit rust -o crate          tests for all participants, as a Rust crate
  choros tests ping-pong.fsa --loops up-to:2        loops at most twice
  choros tests xloan/xloan.bpel -k 10 --coverage paths --only-terminating
                                                    all runs of a service with data to its end
  choros tests xloan/xloan.bpel --purpose xloan/select.tp --concrete
                                                    those that reach a purpose, with values
  choros tests xloan/xloan.bpel -k 10 --emit python -o loan
                                                    those with values, for pytest and requests
  choros tests saga/saga.chor --role payment --sessions 2 --by id --distinct
                                                    two users of a service at the same time
  choros tests online-shopping.chor#shop --role v --tree vendor.svg
                                                    a role of a choreography, with its tree")]
pub(crate) struct Tests {
    /// The model
    #[arg(value_name = "MODEL")]
    file: String,
    #[command(flatten)]
    kind: KindOption,
    /// The component under test [default: all participants]
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    #[command(flatten)]
    options: TestOptions,
    #[command(flatten)]
    symbolic: SymbolicOptions,
    /// Shows one run with concrete values for each test
    #[arg(long, help_heading = "Models with data")]
    concrete: bool,
    /// Writes the symbolic execution tree: .svg, .dot, .aut, .mmd, .txt
    #[arg(long, value_name = "FILE", help_heading = "Models with data")]
    tree: Option<PathBuf>,
    /// Writes the path condition of each test to this folder, for other solvers
    #[arg(long, value_name = "FOLDER", help_heading = "Models with data")]
    smt2: Option<PathBuf>,
    /// The binding: how messages look as JSON over HTTP, for `--emit python`
    #[arg(
        long,
        alias = "mapping",
        value_name = "FILE",
        requires = "emit",
        help_heading = "Models with data"
    )]
    binding: Option<String>,
    /// Writes the tests in this format to the folder given with -o
    #[arg(long, value_enum, value_name = "FORM", requires = "output")]
    emit: Option<FormName>,
    /// The folder for the tests; files that Choros did not generate are never overwritten
    #[arg(short, long, value_name = "FOLDER", requires = "emit")]
    output: Option<PathBuf>,
    /// A choreography that says what data the messages carry, for executable tests
    #[arg(long, value_name = "FILE", requires = "emit")]
    payloads: Option<String>,
    #[command(flatten)]
    channels: ChannelsOption,
    #[command(flatten)]
    process: ProcessOption,
    /// Where the service serves several sessions at the same time
    #[command(flatten)]
    sessions: SessionsOption,
    #[command(flatten)]
    shared: Shared,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormName {
    /// One file, suite.json
    Json,
    /// Machines and an oracle per test
    Fsa,
    /// Tests for pytest: machines use the package `choros-sessions`, models with data use `requests`
    Python,
    /// A test crate in which a wrong order does not compile
    Rust,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "tests",
    models: &["file"],
    parts: Parts::Of(GRAPHS, "`--role` names a participant"),
    always: &["role", "emit", "output"],
    some: &[
        Use::of(
            &[
                "trim", "split", "oracle", "subtrees", "loops", "payloads", "channels", "bound",
            ],
            MACHINES,
        ),
        Use::of(&["force"], &[Content::Gchor]),
        Use::of(
            &["sessions"],
            &[Content::Graphs, Content::Machines, Content::Gchor],
        ),
        Use::of(&["by", "distinct", "sharing", "own_queues"], GRAPHS),
        SYMBOLIC,
        Use::of(&["concrete", "tree", "smt2", "binding"], GRAPHS),
        PARAMETERS,
        PROCESSES,
    ],
};

impl Tests {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let mut settings = self.shared.settings(&shell);
        self.channels.apply(&mut settings);
        self.process.apply(&mut settings);
        self.sessions.apply(&mut settings);
        let mut workspace = shell.workspace();
        let model = self.kind.request(&self.file);
        let has_data = model.known_kind().is_some_and(FileKind::has_graphs);
        if has_data && matches!(self.emit, Some(FormName::Fsa | FormName::Rust)) {
            return shell.usage_error("tests of models with data are emitted as json or as python");
        }
        if let Some(message) = self.sessions.no_tests(self.role.as_deref(), has_data) {
            return shell.usage_error(message);
        }
        let forms = ["svg", "dot", "aut", "mmd", "txt"];
        let tree = match PictureFile::asked(self.tree.as_deref(), &forms) {
            Ok(tree) => tree,
            Err(message) => return shell.usage_error(&message),
        };
        let request = TestsRequest {
            model,
            machines: MachineTestOptions {
                payloads: self.payloads,
                ..self.options.testing(self.role.clone())
            },
            symbolic: self.symbolic.testing(self.role),
            form: self.emit.map(|form| match form {
                FormName::Json => TestForm::Json,
                FormName::Fsa => TestForm::Fsa,
                FormName::Python => TestForm::Code(TargetLanguage::Python),
                FormName::Rust => TestForm::Code(TargetLanguage::Rust),
            }),
            mapping: self.binding,
            is_concrete: self.concrete,
            tree: tree.map(|file| file.picture),
        };
        let mut answered = verbs::tests(&mut workspace, &request, &settings);
        let made = answered.answer.as_mut();
        let made = made.map(|it| std::mem::take(&mut it.files));
        let made = made.unwrap_or_default();
        let mut report = answered.report(&workspace.terms);
        if let Some(folder) = &self.output {
            write_files(folder, &made.suite, &mut report, &shell);
            if !has_data {
                tell_what_is_lacking(folder, &made.suite, &mut report);
            }
        }
        if let Some(folder) = &self.smt2 {
            write_files(folder, &made.scripts, &mut report, &shell);
        }
        if let (Some(path), Some(text)) = (&self.tree, &made.tree)
            && let Err(error) = shell.write_file(path, text)
        {
            let place = path.display();
            report.world_failed = Some(format!("cannot write `{place}`: {error}"));
        }
        shell.finish(&report, &workspace.sources)
    }
}
