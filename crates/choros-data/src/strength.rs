//! How tightly operators bind, as the parser reads and the printers write them.

pub(crate) const LOOSEST: u8 = 0;
pub(crate) const IMPLICATION: u8 = 1;
pub(crate) const DISJUNCTION: u8 = 2;
pub(crate) const CONJUNCTION: u8 = 3;
pub(crate) const NEGATION: u8 = 4;
pub(crate) const COMPARISON: u8 = 5;
pub(crate) const SUM: u8 = 6;
pub(crate) const PRODUCT: u8 = 7;
pub(crate) const UNARY: u8 = 8;
pub(crate) const POSTFIX: u8 = 9;
pub(crate) const TIGHTEST: u8 = 10;
