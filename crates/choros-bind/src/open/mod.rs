//! What is closed in a text, opened: JSON within a string, base64, protobuf.

mod base64;
mod json;
mod protobuf;

use choros_model::observation::Datum;

/// How a text is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// JSON within a string.
    Json,
    /// Base64 of a text.
    Base64,
    /// Base64 of JSON.
    Base64Json,
    /// Base64 of a protobuf message: fields by number.
    Protobuf,
}

/// Values by path, below what was opened; the empty path is the whole of it.
pub type Opened = Vec<(String, Datum<'static>)>;

impl Opening {
    pub const ALL: [Opening; 4] = [
        Opening::Json,
        Opening::Base64,
        Opening::Base64Json,
        Opening::Protobuf,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Opening::Json => "json",
            Opening::Base64 => "base64",
            Opening::Base64Json => "base64-json",
            Opening::Protobuf => "protobuf",
        }
    }

    pub fn named(name: &str) -> Option<Opening> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// What is in a text; or why it cannot be opened.
    pub fn open(self, text: &str) -> Result<Opened, String> {
        match self {
            Opening::Json => json::values(text),
            Opening::Base64 => {
                let text = utf8(base64::decoded(text)?)?;
                Ok(vec![(String::new(), Datum::Text(text.into()))])
            }
            Opening::Base64Json => json::values(&utf8(base64::decoded(text)?)?),
            Opening::Protobuf => protobuf::values(&base64::decoded(text)?),
        }
    }
}

fn utf8(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|_| "the bytes are not UTF-8".to_owned())
}
