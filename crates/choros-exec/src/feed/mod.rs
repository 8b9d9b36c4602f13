//! Turning the crank: observations from files, streams and sockets into a monitor.

mod http;
mod live;
mod run;
mod source;

pub use live::{LiveFeed, listen, standard_input};
pub use run::{FeedRun, Flow, Sink, run};
pub use source::{FileProgress, FileSource, Renewal, SourceSpec};
