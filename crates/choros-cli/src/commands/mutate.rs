//! `choros mutate`

use choros::report::ExitStatus;
use choros::verbs::{self, MutateRequest};
use choros::{Content, Operator};
use clap::Args;

use crate::applicability::{GRAPHS, NO_PARAMETERS, Parts, Use, Uses};
use crate::caller::Caller;
use crate::options::{ChannelsOption, KindOption, Shared};
use crate::test_options::TestOptions;

/// How good are the tests? The share of planted mistakes they find
///
/// Plants one mistake at a time in the machine of a component and runs the tests of the model against it. A mutant is
/// killed if a test fails. Survivors are explained; those that behave like the original are listed separately and still
/// count.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros mutate atm.fsa                             all participants, five operators
  choros mutate atm.fsa --role A --min-score 0.9    fails when fewer mistakes are found
  choros mutate atm.fsa --operators RMO,MBR,SWP     these operators

Operators: RMO removes an output, CML renames a message, CIT turns sending into receiving and back,
RST removes all transitions of a state, RTR repeats a transition; and, only on request: MBR removes
a branch, SWP swaps two actions, WPA talks to another partner, DUP may send twice.")]
pub(crate) struct Mutate {
    /// The model
    #[arg(value_name = "MODEL")]
    file: String,
    #[command(flatten)]
    kind: KindOption,
    /// The component to mutate [default: all participants]
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Fails if the share of killed mutants is smaller than this for any component
    #[arg(long, value_name = "X", value_parser = score)]
    min_score: Option<u32>,
    /// The mutation operators, or `all`
    #[arg(long, value_name = "OPERATORS", value_delimiter = ',', value_parser = operators)]
    operators: Vec<Vec<Operator>>,
    #[command(flatten)]
    options: TestOptions,
    #[command(flatten)]
    channels: ChannelsOption,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "mutate",
    models: &["file"],
    parts: Parts::Of(GRAPHS, "`--role` names a participant"),
    always: &[
        "role",
        "min_score",
        "operators",
        "trim",
        "split",
        "oracle",
        "subtrees",
        "loops",
        "channels",
        "bound",
    ],
    some: &[Use::of(&["force"], &[Content::Gchor]), NO_PARAMETERS],
};

impl Mutate {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let mut settings = self.shared.settings(&shell);
        self.channels.apply(&mut settings);
        let mut workspace = shell.workspace();
        let mut operators: Vec<Operator> = self.operators.iter().flatten().copied().collect();
        operators.sort_unstable();
        operators.dedup();
        if operators.is_empty() {
            operators = Operator::TABLE.to_vec();
        }
        let request = MutateRequest {
            model: self.kind.request(&self.file),
            tests: self.options.testing(self.role),
            operators,
            min_score: self.min_score,
        };
        let answered = verbs::mutate(&mut workspace, &request, &settings);
        let report = answered.report(&workspace.terms);
        shell.finish(&report, &workspace.sources)
    }
}

/// A score between 0 and 1, in thousandths.
fn score(text: &str) -> Result<u32, String> {
    match text.parse::<f64>() {
        Ok(score) if (0.0..=1.0).contains(&score) => Ok((score * 1000.0).round() as u32),
        _ => Err("write a number between 0 and 1, such as 0.9".to_owned()),
    }
}

fn operators(text: &str) -> Result<Vec<Operator>, String> {
    let all: Vec<Operator> = Operator::TABLE
        .into_iter()
        .chain(Operator::FURTHER)
        .collect();
    match (text, Operator::named(text)) {
        ("all", _) => Ok(all),
        (_, Some(operator)) => Ok(vec![operator]),
        _ => {
            let codes: Vec<&str> = all.iter().map(|it| it.code()).collect();
            Err(format!("known operators: {}, all", codes.join(", ")))
        }
    }
}
