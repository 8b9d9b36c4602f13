//! The properties of a watch, version by version, as its bucket keeps them.

use choros_base::SourceMap;
use choros_data::Terms;
use choros_exec::nats::BrokerError;
use choros_query::property::{MessageSchema, Properties, print, read};

use super::names::Key;
use super::place::Place;

/// Why something has no version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoVersion {
    /// The watch has others; its last version.
    Others(u32),
    Broker(BrokerError),
}

/// The version of what is judged by, as a text: the one that the watch knows it by, or the first if it knows none.
pub(super) fn version_of(place: &Place, text: &str) -> Result<u32, NoVersion> {
    let mut last = 0;
    loop {
        let next = last + 1;
        let found = place.eventually(|| place.value(Key::Version(next)));
        match found.map_err(NoVersion::Broker)? {
            (_, Some(known)) if known == text.as_bytes() => return Ok(next),
            (_, Some(_)) => last = next,
            (_, None) if last > 0 => return Err(NoVersion::Others(last)),
            (revision, None) => {
                let written = place.write_eventually(Key::Version(1), revision, text.as_bytes());
                // Or someone else was faster, perhaps with the same.
                if written.map_err(NoVersion::Broker)?.is_some() {
                    return Ok(1);
                }
            }
        }
    }
}

/// Makes properties the last version of a watch that exists; that version, and whether it is new.
pub(super) fn add_version(
    place: &Place,
    properties: &Properties,
) -> Result<(u32, bool), BrokerError> {
    let text = print(properties).into_bytes();
    let mut last = 0;
    let mut last_text = Vec::new();
    loop {
        let next = last + 1;
        match place.eventually(|| place.value(Key::Version(next)))? {
            (_, Some(known)) => (last, last_text) = (next, known),
            (_, None) if last > 0 && last_text == text => return Ok((last, false)),
            (revision, None) => {
                let written = place.write_eventually(Key::Version(next), revision, &text)?;
                if written.is_some() {
                    return Ok((next, true));
                }
            }
        }
    }
}

/// The properties of a version; in words why there are none.
pub(super) fn load_version(
    place: &Place,
    version: u32,
) -> Result<Result<(Properties, Terms), String>, BrokerError> {
    let (_, text) = place.value(Key::Version(version))?;
    let Some(text) = text else {
        return Ok(Err(format!(
            "version {version} of the properties is not in the bucket"
        )));
    };
    let text = String::from_utf8_lossy(&text).into_owned();
    let mut terms = Terms::new();
    let mut sources = SourceMap::new();
    let file = sources.add("version.prop", text.as_str());
    let (properties, findings) = read(file, &text, &MessageSchema::default(), &mut terms);
    Ok(if choros_base::has_errors(&findings) {
        Err(format!(
            "version {version} of the properties cannot be read by this version"
        ))
    } else {
        Ok((properties, terms))
    })
}
