//! One file per verb.

pub(crate) mod check;
pub(crate) mod conform;
pub(crate) mod draw;
pub(crate) mod explain;
pub(crate) mod explore;
pub(crate) mod fmt;
pub(crate) mod project;
pub(crate) mod realize;
pub(crate) mod script;
