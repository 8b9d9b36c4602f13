//! Options of symbolic tests: of `tests` and `drive` on models with data.

use choros::base::Choice;
use choros::verbs::{CoverageCriterion, Derivation, PurposeActions, SymbolicTestOptions};
use clap::Args;

use crate::applicability::{GRAPHS, Use};
use crate::choice::choice;

/// How symbolic tests are made.
#[derive(Args)]
#[command(next_help_heading = "Models with data")]
pub(crate) struct SymbolicOptions {
    /// Keeps only runs that reach this test purpose (.tp)
    #[arg(long, value_name = "FILE")]
    purpose: Option<String>,
    /// Keeps only runs with the messages of the run in this report, as `--format json` writes it
    #[arg(long, value_name = "REPORT", conflicts_with = "purpose")]
    from: Option<String>,
    #[command(flatten)]
    actions: ActionsOption,
    /// Contracts of partner operations (.contract; repeatable)
    #[arg(long, value_name = "FILE")]
    contracts: Vec<String>,
    /// Limits strings from outside to the words in this file, one per line
    #[arg(long, value_name = "FILE")]
    words: Option<String>,
    /// Limits a run to this many events, not counting silent ones
    #[arg(short = 'k', long, value_name = "N", default_value_t = Derivation::default().depth)]
    depth: u32,
    /// What the suite must cover; redundant tests are left out
    #[arg(
        long,
        value_parser = choice::<CoverageCriterion>(),
        value_name = "WHAT",
        default_value = CoverageCriterion::Transitions.word()
    )]
    coverage: CoverageCriterion,
    /// Keeps only runs in which the service terminates
    #[arg(long)]
    only_terminating: bool,
    /// Also keeps paths that stop in the middle
    #[arg(long)]
    incomplete: bool,
    /// Skips nodes that an earlier node of the tree covers
    #[arg(long)]
    inclusion: bool,
    /// The partner that is the user [default: `USER`, if there is one]
    #[arg(long, value_name = "ROLE")]
    user: Option<String>,
    /// The partners that the tester plays [default: the user, or all if there is no user]
    #[arg(long, value_name = "ROLE,…", value_delimiter = ',')]
    play: Vec<String>,
}

/// What they are about.
pub(crate) const SYMBOLIC: Use = Use::of(
    &[
        "purpose",
        "from",
        "purpose_actions",
        "contracts",
        "words",
        "depth",
        "coverage",
        "only_terminating",
        "incomplete",
        "inclusion",
        "user",
        "play",
    ],
    GRAPHS,
);

/// Whose actions come first.
#[derive(Args)]
pub(crate) struct ActionsOption {
    /// Whether actions of the purpose come before or after those of the model in a common step
    #[arg(
        long,
        value_parser = choice::<PurposeActions>(),
        value_name = "WHEN",
        default_value = PurposeActions::default().word(),
        requires = "purpose"
    )]
    purpose_actions: PurposeActions,
}

impl ActionsOption {
    pub(crate) fn actions(&self) -> PurposeActions {
        self.purpose_actions
    }
}

impl SymbolicOptions {
    pub(crate) fn testing(&self, role: Option<String>) -> SymbolicTestOptions {
        SymbolicTestOptions {
            role,
            user: self.user.clone(),
            play: self.play.clone(),
            play_all: false,
            purpose: self.purpose.clone().or_else(|| self.from.clone()),
            actions: self.actions.actions(),
            contracts: self.contracts.clone(),
            words: self.words.clone(),
            derivation: Derivation {
                depth: self.depth,
                coverage: self.coverage,
                only_terminating: self.only_terminating,
                incomplete: self.incomplete,
                inclusion: self.inclusion,
                merge: true,
            },
        }
    }
}
