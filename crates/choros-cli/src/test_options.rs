//! How tests are made: options of `tests`, `comply` and `mutate`.

use choros::verbs::MachineTestOptions;
use choros::{Loops, Splitting};
use clap::{Args, ValueEnum};

/// How tests are made.
#[derive(Args)]
pub(crate) struct TestOptions {
    /// Drops states that a decision made unreachable, and machines that then become equal
    #[arg(long, conflicts_with = "split")]
    trim: bool,
    /// How machines are made deterministic
    #[arg(long, value_enum, default_value_t = SplitName::Once)]
    split: SplitName,
    /// A file that lists the success states; by default, states without outgoing transitions
    #[arg(long, value_name = "FILE")]
    oracle: Option<String>,
    /// Makes tests for each part of a g-choreography; a test succeeds when its part is done or was not chosen
    #[arg(long, conflicts_with = "oracle")]
    subtrees: bool,
    /// How loops are handled: `up-to:N` repeats at most N times, `fair` needs no unfolding
    #[arg(long, value_name = "HOW", value_parser = loops)]
    loops: Option<Loops>,
    /// Makes tests even if the choreography is not well-formed
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SplitName {
    /// Every decision once
    Once,
    /// Every order of decisions, with repetitions
    All,
}

impl TestOptions {
    /// An option that was given, by its name.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [
            ("--trim", self.trim),
            ("--split", self.split == SplitName::All),
            ("--oracle", self.oracle.is_some()),
            ("--subtrees", self.subtrees),
            ("--loops", self.loops.is_some()),
            ("--force", self.force),
        ];
        let given = options.into_iter().find(|(_, is_given)| *is_given);
        given.map(|(name, _)| name)
    }

    pub(crate) fn testing(&self, role: Option<String>) -> MachineTestOptions {
        MachineTestOptions {
            role,
            splitting: match (self.trim, self.split) {
                (true, _) => Splitting::Trimmed,
                (false, SplitName::Once) => Splitting::Once,
                (false, SplitName::All) => Splitting::All,
            },
            oracle: self.oracle.clone(),
            subtrees: self.subtrees,
            loops: self.loops.unwrap_or(Loops::None),
            force: self.force,
            payloads: None,
        }
    }
}

fn loops(text: &str) -> Result<Loops, String> {
    let number = text.strip_prefix("up-to:").and_then(|it| it.parse().ok());
    match (text, number) {
        ("fair", _) => Ok(Loops::Fair),
        (_, Some(times)) => Ok(Loops::UpTo(times)),
        _ => Err("write `up-to:N` or `fair`".to_owned()),
    }
}
