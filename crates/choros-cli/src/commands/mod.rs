//! One file per verb.

pub(crate) mod audit;
pub(crate) mod capture;
pub(crate) mod certify;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod comply;
pub(crate) mod conform;
pub(crate) mod draw;
pub(crate) mod drive;
pub(crate) mod explain;
pub(crate) mod explore;
pub(crate) mod fmt;
pub(crate) mod init;
#[cfg(feature = "lsp")]
pub(crate) mod lsp;
pub(crate) mod man;
pub(crate) mod monitor;
pub(crate) mod mutate;
pub(crate) mod project;
pub(crate) mod realize;
pub(crate) mod replay;
pub(crate) mod script;
pub(crate) mod solve;
pub(crate) mod tests;
pub(crate) mod verify;
