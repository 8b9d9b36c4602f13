//! One document, such as the body of a message, as values by path.

use choros_model::observation::Datum;

use super::draft::Draft;
use super::json;
use super::plan::{Plan, WantedValues};
use super::problem::RecordFlaw;
#[cfg(feature = "network")]
use super::xml;

/// The values of a JSON object, in the order of the text.
pub(crate) fn flatten_json(text: &str) -> Result<Vec<(String, Datum<'static>)>, RecordFlaw> {
    let plan = Plan::new(None, &WantedValues::All);
    let mut draft = Draft::default();
    json::read(text, &plan, &mut draft)?;
    let owned = draft
        .data
        .into_iter()
        .map(|(path, value)| (path.into_owned(), value.into_owned()));
    Ok(owned.collect())
}

/// The local name of an XML document's outermost element, and the values below it.
#[cfg(feature = "network")]
pub(crate) fn flatten_xml(text: &str) -> Result<(String, Vec<(String, String)>), RecordFlaw> {
    let values = xml::values(text)?;
    let root = xml::root(text).ok_or(RecordFlaw::Malformed {
        what: "an element is missing".to_owned(),
        offset: 0,
    })?;
    Ok((root, values))
}
