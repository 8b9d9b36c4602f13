//! One file per verb.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod draw;
pub(crate) mod explain;
pub(crate) mod explore;
pub(crate) mod man;
pub(crate) mod replay;
pub(crate) mod script;
