//! Verdicts on their way: as lines, to files, to testers in other processes.

mod line;
mod output;
mod publish;
mod subscribe;
mod told;

pub use line::{EndOfVerdicts, VerdictEvent, VerdictForm, VerdictLine, read_line};
pub use output::VerdictOutput;
pub use publish::Publisher;
pub use subscribe::{Subscription, subscribe};
pub use told::{ToldVerdict, read_told};
