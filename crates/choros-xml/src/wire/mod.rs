//! Values as XML: elements and SOAP envelopes, written and read as a schema directs.

mod envelope;
mod read;
mod write;

pub use envelope::{
    EnvelopeContent, EnvelopeKind, SoapFault, content_type, read_message, write_fault,
    write_message,
};
pub use read::{read_element, read_text};
pub use write::write_element;

/// What cannot be written, or was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireError {
    /// Where in the value or document: `Envelope/Body/order/item[2]`.
    pub path: String,
    /// Line and column, both from 1, when a text was read.
    pub place: Option<(u32, u32)>,
    /// What is wrong, in words.
    pub message: String,
}

/// Why a message that was not understood may be right all the same: it has something that our values do not have.
pub fn beyond_us(text: &str, errors: &[WireError]) -> Option<&'static str> {
    let is_no_number = |error: &WireError| {
        let beginnings = ["`INF` is no", "`+INF` is no", "`-INF` is no", "`NaN` is no"];
        beginnings.iter().any(|it| error.message.starts_with(it))
            && (error.message.ends_with("`double`") || error.message.ends_with("`float`"))
    };
    if errors.iter().any(is_no_number) {
        Some("infinities and *not a number* are not supported")
    } else if text.contains(crate::schema::XSI) && text.contains(":type=") {
        Some("types that are named by `xsi:type` are not followed")
    } else {
        None
    }
}

impl std::fmt::Display for WireError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some((line, column)) = self.place {
            write!(f, "{line}:{column}: ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for WireError {}
