//! What a log is: by its first bytes, and by its name where they do not say.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Cursor, Read};

use super::LogFormat;
use super::packed::Packing;
use super::wrapped::{Unwrapped, Wrapping};
use crate::crew::is_worth_a_thread;

/// A log that was opened: its plain text, and what was found out about it.
pub struct OpenedLog {
    pub input: Box<dyn Read + Send>,
    pub form: LogFormat,
    /// In words: `otlp`, `kcat, in syslog, gzip`.
    pub description: String,
    /// It is compressed, or its records are in those of another log: its bytes are not those of the file.
    pub is_packed: bool,
    /// It is long enough to be read by a thread of its own.
    pub is_long: bool,
}

/// So much of a log is examined.
const HEAD: usize = 1 << 16;

/// Opens a log, or standard input where the path is `-`; none if no one can tell what it is.
pub fn open_log(path: &str, given: Option<LogFormat>) -> io::Result<Option<OpenedLog>> {
    if path == "-" {
        return recognize_log(Box::new(io::stdin()), path, given);
    }
    let file = File::open(path)?;
    // Small logs need little to be set aside. What is not a plain file does not know its size and says 0.
    let metadata = file.metadata()?;
    let size = match metadata.len() {
        0 => HEAD,
        size => size.min(HEAD as u64) as usize,
    };
    let opened = recognized(beginning(Box::new(file), size)?, path, given)?;
    Ok(opened.map(|opened| OpenedLog {
        is_long: metadata.is_file() && is_worth_a_thread(metadata.len()),
        ..opened
    }))
}

/// Looks at the beginning of a log.
pub fn recognize_log(
    input: Box<dyn Read + Send>,
    path: &str,
    given: Option<LogFormat>,
) -> io::Result<Option<OpenedLog>> {
    recognized(beginning(input, HEAD)?, path, given)
}

fn recognized(
    (mut head, mut input): Begun,
    path: &str,
    given: Option<LogFormat>,
) -> io::Result<Option<OpenedLog>> {
    let packing = Packing::of(&head);
    let mut plain_name = path;
    if let Some(packing) = packing {
        (head, input) = beginning(packing.open(input), HEAD)?;
        for extension in [".gz", ".zst", ".zstd"] {
            plain_name = plain_name.strip_suffix(extension).unwrap_or(plain_name);
        }
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        let what = "the text is UTF-16, and logs are read as UTF-8: convert it, for example with `iconv -f UTF-16 -t UTF-8`";
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    let wrapping = Wrapping::of(&head);
    if let Some(wrapping) = wrapping {
        (head, input) = beginning(Box::new(Unwrapped::new(input, wrapping)), HEAD)?;
    }
    let found = given.or_else(|| form_of(&head, LogFormat::of_path(plain_name)));
    let Some(form) = found else { return Ok(None) };
    let mut description = form.name().to_owned();
    if let Some(wrapping) = wrapping {
        description.push_str(", in ");
        description.push_str(wrapping.name());
    }
    if let Some(packing) = packing {
        description.push_str(", ");
        description.push_str(packing.name());
    }
    Ok(Some(OpenedLog {
        input,
        form,
        description,
        is_packed: packing.is_some() || wrapping.is_some(),
        is_long: false,
    }))
}

/// The first bytes of an input, and the whole input.
type Begun = (Vec<u8>, Box<dyn Read + Send>);

/// The first bytes of an input, at most as many as said.
fn beginning(mut input: Box<dyn Read + Send>, most: usize) -> io::Result<Begun> {
    let mut head = vec![0; most];
    let mut length = 0;
    // A program that writes to a pipe line by line may not write more before it is read.
    while length < most && !head[..length].contains(&b'\n') {
        match input.read(&mut head[length..]) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    head.truncate(length);
    let whole = Cursor::new(head.clone()).chain(input);
    Ok((head, Box::new(whole)))
}

/// The form of a text; `named` is what its name says.
fn form_of(head: &[u8], named: Option<LogFormat>) -> Option<LogFormat> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let first = head.iter().find(|byte| !byte.is_ascii_whitespace());
    match first {
        Some(b'{' | b'[') => Some(of_labels(&labels(head), named)),
        Some(b'<') => Some(LogFormat::Xml),
        _ => named,
    }
}

/// The form of a first record with these labels.
fn of_labels(labels: &BTreeSet<String>, named: Option<LogFormat>) -> LogFormat {
    let has = |label: &str| {
        let is_it = |known: &String| known.trim_start_matches("*.") == label;
        labels.iter().any(is_it)
    };
    let any = |list: &[&str]| list.iter().any(|label| has(label));
    // What the native form has is read as such, whatever else there is.
    if has("op") && any(&["dir", "by", "from", "to"]) {
        LogFormat::JsonLines
    } else if any(&["resourceSpans", "resource_spans"]) {
        LogFormat::Otlp
    } else if has("data.*.spans") || (has("spans") && any(&["processes", "traceID"])) {
        LogFormat::Jaeger
    } else if any(&["log.entries", "log.version", "log.creator"]) {
        LogFormat::Har
    } else if has("traceId") && has("id") && any(&["localEndpoint", "timestamp", "tags", "kind"]) {
        LogFormat::Zipkin
    } else if has("specversion") {
        LogFormat::CloudEvents
    } else if has("topic") && any(&["payload", "value", "partition", "offset", "headers"]) {
        LogFormat::Kafka
    } else if is_access(&any) {
        LogFormat::Access
    } else {
        named.unwrap_or(LogFormat::JsonLines)
    }
}

fn is_access(any: &dyn Fn(&[&str]) -> bool) -> bool {
    let has_request = any(&["request", "request_uri"])
        || (any(&["method", "request_method", "http_method", "requestMethod"])
            && any(&["path", "uri", "url", "request_path", "requestUrl"]));
    has_request && any(&["status", "response_code", "status_code", "response_flags"])
}

/// The labels of the first record, with those two levels below; a list is `*`.
fn labels(head: &[u8]) -> BTreeSet<String> {
    /// Deeper labels say nothing about the form.
    const DEEPEST: usize = 4;
    let mut labels = BTreeSet::new();
    // The label that leads to each container that is open; none within a list.
    let mut open: Vec<Option<String>> = Vec::new();
    let mut is_label = false;
    let mut at = 0;
    while let Some(&byte) = head.get(at) {
        match byte {
            b'"' => {
                let start = at + 1;
                at = start;
                while let Some(&byte) = head.get(at) {
                    match byte {
                        b'"' => break,
                        b'\\' => at += 2,
                        _ => at += 1,
                    }
                }
                if is_label && let Some(Some(last)) = open.last_mut() {
                    let text = &head[start..at.min(head.len())];
                    *last = String::from_utf8_lossy(text).into_owned();
                    if open.len() <= DEEPEST {
                        let path: Vec<&str> =
                            open.iter().map(|it| it.as_deref().unwrap_or("*")).collect();
                        labels.insert(path.join("."));
                    }
                    is_label = false;
                }
            }
            b'{' => {
                open.push(Some(String::new()));
                is_label = true;
            }
            b'[' => {
                open.push(None);
                is_label = false;
            }
            b'}' | b']' => {
                open.pop();
                is_label = false;
                if open.is_empty() {
                    return labels;
                }
            }
            b',' => is_label = matches!(open.last(), Some(Some(_))),
            _ => {}
        }
        at += 1;
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::{form_of, recognize_log};
    use crate::log::LogFormat;

    #[test]
    fn forms_by_their_first_record() {
        use LogFormat::{
            Access, CloudEvents, Csv, Har, Jaeger, JsonLines, Kafka, Otlp, Pact, Xml, Zipkin,
        };
        for (text, named, expected) in [
            ("{\"resourceSpans\":[{\"resource\":{}}]}", None, Some(Otlp)),
            (
                "{\n \"data\": [ {\"traceID\": \"1\", \"spans\": [",
                None,
                Some(Jaeger),
            ),
            ("{\"spans\":[],\"processes\":{}}", None, Some(Jaeger)),
            (
                "[[{\"traceId\":\"1\",\"id\":\"2\",\"kind\":\"CLIENT\"}]]",
                None,
                Some(Zipkin),
            ),
            (
                "[{\"traceId\":\"1\",\"id\":\"2\",\"tags\":{}}]",
                None,
                Some(Zipkin),
            ),
            (
                "{\"log\":{\"version\":\"1.2\"}}",
                Some(JsonLines),
                Some(Har),
            ),
            ("{\"specversion\":\"1.0\"}", None, Some(CloudEvents)),
            ("[{\"specversion\":\"1.0\"}]", None, Some(CloudEvents)),
            (
                "{\"topic\":\"a\",\"partition\":0}",
                Some(JsonLines),
                Some(Kafka),
            ),
            ("{\"request\":\"GET /\",\"status\":200}", None, Some(Access)),
            (
                "{\"method\":\"GET\",\"path\":\"/\",\"response_code\":200}",
                None,
                Some(Access),
            ),
            (
                "{\"op\":\"A\",\"by\":\"s\",\"topic\":\"x\",\"value\":1}",
                None,
                Some(JsonLines),
            ),
            ("{\"kind\":\"A\"}", None, Some(JsonLines)),
            ("at,by,op\n1,s,A\n", Some(Csv), Some(Csv)),
            ("localhost:8080\n", Some(Pact), Some(Pact)),
            ("<message/>", None, Some(Xml)),
            ("hello\n", None, None),
            ("", Some(JsonLines), Some(JsonLines)),
        ] {
            assert_eq!(form_of(text.as_bytes(), named), expected, "{text}");
        }
    }

    #[test]
    fn a_wrapped_log_is_described() {
        let text = b"Jan  1 00:00:00 host order[7]: {\"topic\":\"a\",\"offset\":0}\n";
        let found = recognize_log(Box::new(&text[..]), "x.log", None);
        let found = found.expect("readable").expect("known");
        assert_eq!(found.description, "kcat, in syslog");
    }
}
