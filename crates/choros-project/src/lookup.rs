//! How codes are found.

use choros_base::CodeInfo;

/// Finds a code by its number or name; otherwise the one most like it.
pub type Lookup = fn(&str) -> Result<&'static CodeInfo, Option<&'static CodeInfo>>;
