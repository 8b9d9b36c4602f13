//! Messages over a pair of streams: `Content-Length`, an empty line, and JSON.
//!
//! What is malformed is told to the server as such, which answers it and continues; only the end of the stream, or a
//! frame whose length no one can know, ends the conversation.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::Receiver;

use serde_json::Value;

/// What comes in.
#[derive(Debug)]
pub enum Input {
    Message(Value),
    /// Something that is not JSON, and why.
    Malformed(String),
    /// There is no more.
    Closed,
}

/// Longer messages are read over and not kept: no buffer of an editor is that long.
const MAX_MESSAGE_BYTES: u64 = 64 * 1024 * 1024;

/// Reads messages until the stream ends or no one listens.
pub(crate) fn read_all(mut from: impl BufRead, to: &dyn Fn(Input) -> bool) {
    loop {
        let input = match read(&mut from) {
            Ok(Some(input)) => input,
            Ok(None) | Err(_) => Input::Closed,
        };
        let is_last = matches!(input, Input::Closed);
        if !to(input) || is_last {
            return;
        }
    }
}

/// Writes messages until no one sends any or the stream is gone.
pub(crate) fn write_all(mut to: impl Write, from: &Receiver<Value>) {
    for message in from {
        if write(&mut to, &message).is_err() {
            return;
        }
    }
}

fn read(from: &mut impl BufRead) -> io::Result<Option<Input>> {
    let Some(length) = header(from)? else {
        return Ok(None);
    };
    let length = match length {
        Ok(length) => length,
        Err(reason) => return Ok(Some(Input::Malformed(reason))),
    };
    let mut body = from.take(length);
    if length > MAX_MESSAGE_BYTES {
        io::copy(&mut body, &mut io::sink())?;
        let reason = format!("a message of {length} bytes is too long");
        return Ok(Some(Input::Malformed(reason)));
    }
    let mut bytes = Vec::new();
    body.read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&bytes) {
        Ok(message) => Input::Message(message),
        Err(error) => Input::Malformed(error.to_string()),
    }))
}

/// The length that a header states; `None` at the end of the stream.
///
/// A header without a length is malformed: whatever follows is looked through for the next one.
fn header(from: &mut impl BufRead) -> io::Result<Option<Result<u64, String>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        // A line of a header is short; what is not is not a header.
        if from.take(4096).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            return Ok(Some(
                length.ok_or_else(|| "a header without a length".to_owned()),
            ));
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("Content-Length")
        {
            length = value.trim().parse().ok();
        }
    }
}

fn write(to: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(to, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn inputs(bytes: &[u8]) -> Vec<String> {
        let (sender, receiver) = std::sync::mpsc::channel();
        read_all(bytes, &|input| sender.send(input).is_ok());
        let shown = receiver.try_iter().map(|input| match input {
            Input::Message(message) => message.to_string(),
            Input::Malformed(_) => "malformed".to_owned(),
            Input::Closed => "closed".to_owned(),
        });
        shown.collect()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut bytes = Vec::new();
        for message in [json!({"a": "é"}), json!(1)] {
            write(&mut bytes, &message).expect("memory takes it");
        }
        assert_eq!(inputs(&bytes), [r#"{"a":"é"}"#, "1", "closed"]);
    }

    #[test]
    fn after_a_malformed_message_comes_the_next() {
        let bytes = b"content-length: 3\r\nX: y\r\n\r\n{a}Content-Length: 1\r\n\r\n2";
        assert_eq!(inputs(bytes), ["malformed", "2", "closed"]);
        let bytes = b"nonsense\r\n\r\nContent-Length: 1\r\n\r\n2";
        assert_eq!(inputs(bytes), ["malformed", "2", "closed"]);
        let bytes = b"Content-Length: -7\r\n\r\nContent-Length: 1\r\n\r\n2";
        assert_eq!(inputs(bytes), ["malformed", "2", "closed"]);
    }

    #[test]
    fn a_message_that_ends_early_is_none() {
        assert_eq!(inputs(b"Content-Length: 9\r\n\r\n12"), ["closed"]);
        assert_eq!(inputs(b"Content-Le"), ["closed"]);
    }
}
