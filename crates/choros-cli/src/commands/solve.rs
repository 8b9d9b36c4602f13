//! `choros solve`

use std::path::PathBuf;

use choros::report::ExitStatus;
use choros::verbs::{self, SolveRequest, TreeScript};
use clap::Args;

use crate::applicability::{NO_PARAMETERS, Parts, Uses};
use crate::caller::Caller;
use crate::options::Shared;

/// Which values satisfy a constraint? Typed variables, including XML types, and their values as XML
///
/// The file declares types and variables and asserts constraints on them. The answer is `sat` with the simplest values
/// (exit code 0), `unsat` with the assertions that contradict each other (1), or `unknown` (4).
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros solve solve/words.solve                    values for texts of a few words
  choros solve solve/order.solve                    types of an XML schema, values as XML
  choros solve solve/words.solve --smt2 words.smt2  one variable per leaf, for any solver

A file:
  import \"order.xsd\"                    types, elements, messages of a schema or WSDL document
  namespace o = \"urn:order\"             a prefix for their names
  type Price = {amount: Real, unit: String}
  words \"EUR\", \"USD\"                   the only texts that strings may be
  var p: Price
  var order: o:Order
  assert p.amount > 10.0
  xpath \"$order/total = 12.5\"")]
pub(crate) struct Solve {
    /// The problem
    #[arg(value_name = "FILE")]
    file: String,
    /// Writes the problem as SMT-LIB 2, with a variable per leaf and trees of labels
    #[arg(long, value_name = "FILE")]
    smt2: Option<PathBuf>,
    /// Number of the first variable that --smt2 creates
    #[arg(long, value_name = "N", default_value_t = 1, requires = "smt2")]
    first: usize,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "solve",
    models: &["file"],
    parts: Parts::AsTheVerbSays,
    always: &["smt2", "first"],
    some: &[NO_PARAMETERS],
};

impl Solve {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let settings = self.shared.settings(&shell);
        let mut workspace = shell.workspace();
        let request = SolveRequest {
            path: self.file,
            script: self
                .smt2
                .is_some()
                .then_some(TreeScript { first: self.first }),
        };
        let answered = verbs::solve(&mut workspace, &request, &settings);
        let mut report = answered.report(&workspace.terms);
        if let Some(path) = &self.smt2 {
            shell.write_scripts(path, &mut report);
        }
        shell.finish(&report, &workspace.sources)
    }
}
