#![doc = include_str!("../README.md")]

mod combine;
mod compliance;
pub mod diagnostics;
mod language;
mod loops;
mod making;
mod mutants;
mod mutation;
mod oracle;
mod oracle_file;
mod run_test;
mod sessions;
mod split;
mod subtrees;
mod suite;
mod test_case;

pub use compliance::{Compliance, Failure, Fairness, WatchedChannels, comply};
pub use diagnostics::CODES;
pub use language::{Difference, difference};
pub use loops::{Loops, can_always_end, has_loops, unfold_machine};
pub use making::{MachineSuite, TestMaking, make};
pub use mutants::{Mutant, Operator, mutants};
pub use mutation::{JudgedMutant, MutantResult, judge};
pub use oracle::{Oracle, final_states};
pub use oracle_file::{OracleFile, Word, read_oracle, write_oracle};
pub use run_test::{AfterRun, ChosenRun, fairness_of_run, test_of_run};
pub use sessions::sessions_of;
pub use split::{
    Pick, SplitMachine, non_deterministic_states, split, split_all, split_fair, split_naive,
};
pub use subtrees::make_for_subtrees;
pub use suite::{Generation, Splitting, TestSuite, TooManyTests, generate};
pub use test_case::{TestCase, TestDefect, TestMachine, breaches};
