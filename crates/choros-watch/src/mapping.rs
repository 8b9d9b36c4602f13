//! The mapping that foreign logs are read by.

use choros_base::{Diagnostic, Sources};
use choros_codes::diagnostics::unusable_mapping;
use choros_exec::log::{Mapping, read_mapping};

/// The mapping under this path, if there is one to be read.
pub(crate) fn mapping(
    path: Option<&String>,
    sources: &dyn Sources,
) -> Result<Option<Mapping>, Box<Diagnostic>> {
    let Some(path) = path else { return Ok(None) };
    let text = sources.read(path).map_err(|error| error.reason);
    match text.and_then(|text| read_mapping(&text).map_err(|error| error.to_string())) {
        Ok(mapping) => Ok(Some(mapping)),
        Err(reason) => Err(Box::new(unusable_mapping::diagnostic(path, &reason))),
    }
}
