//! Turning the crank: observations from files, streams and sockets into a monitor.

mod http;
mod live;
mod run;
mod source;

pub use live::{Live, listen, standard_input};
pub use run::{Flow, Run, Sink, run};
pub use source::{FileSource, Reached, Renewal, SourceSpec};
