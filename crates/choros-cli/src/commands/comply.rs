//! `choros comply`

use choros::Request;
use choros::report::ExitStatus;
use choros::verbs::{self, ComplyRequest};
use clap::Args;

use crate::applicability::{NO_PARAMETERS, Parts, Uses};
use crate::caller::Caller;
use crate::options::{ChannelsOption, ServedOption, Shared};
use crate::test_options::TestOptions;

/// Does this machine pass the tests? Over all runs, infinite ones included
///
/// A machine passes a test if every maximal run of the two together reaches a configuration in which all machines of
/// the test are in a success state and no message is in transit. If a bound is reached, the answer is inconclusive.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros comply atm.fsa#A atm.gc                    the tests of a model
  choros tests atm.fsa --emit json -o suite         a saved suite,
  choros comply simple-atm.fsa#A suite/suite.json   and what it finds in another machine
  choros tests atm.fsa --emit fsa -o atm_tests      single tests,
  choros comply atm.fsa atm_tests/A/test_1/test_1.fsa
                                                    and one of them, with oracle.yaml next to it
  choros comply atm.fsa#A atm.fsa --channels bag --format json
                                                    for programs")]
pub(crate) struct Comply {
    /// The machine: FILE, or FILE#PARTICIPANT
    #[arg(value_name = "MACHINE")]
    machine: String,
    /// The tests: a suite (.json), a test (.fsa with an oracle next to it), or a model
    #[arg(value_name = "TESTS", required = true)]
    tests: Vec<String>,
    #[command(flatten)]
    options: TestOptions,
    #[command(flatten)]
    channels: ChannelsOption,
    #[command(flatten)]
    served: ServedOption,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "comply",
    models: &["machine"],
    parts: Parts::AsTheVerbSays,
    always: &[
        "tests", "trim", "split", "oracle", "subtrees", "loops", "force", "channels", "bound",
        "sessions",
    ],
    some: &[NO_PARAMETERS],
};

impl Comply {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let mut settings = self.shared.settings(&shell);
        self.channels.apply(&mut settings);
        self.served.apply(&mut settings);
        let mut workspace = shell.workspace();
        // Those of a saved suite have been made.
        let are_saved = self.tests.iter().all(|it| it.ends_with(".json"));
        if let (true, Some(option)) = (are_saved, self.options.given()) {
            return shell.usage_error(&format!(
                "{option} says how tests are made of a model, and saved suites are not made again"
            ));
        }
        let tests = self.tests.iter().map(|it| Request::parse(it, None));
        let request = ComplyRequest {
            machine: Request::parse(&self.machine, None),
            tests: tests.collect(),
            options: self.options.testing(None),
        };
        let answered = verbs::comply(&mut workspace, &request, &settings);
        let report = answered.report(&workspace.terms);
        shell.finish(&report, &workspace.sources)
    }
}
