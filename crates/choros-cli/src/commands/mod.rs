//! One file per verb.

pub(crate) mod check;
pub(crate) mod draw;
pub(crate) mod explain;
pub(crate) mod explore;
pub(crate) mod fmt;
pub(crate) mod script;
